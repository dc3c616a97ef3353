"""Rows of fp8 and int4: every number, every kind of scale, all widths and schedules, on the host and on lanes, against the reference."""

import ctypes
import math
import mmap

import ml_dtypes
import numpy as np
import pytest

import quantized_cases as cases
import sdm
import sdm.language as sl
from sdm import lanes
from sdm.bind import Bound
from sdm.frontend import build
from sdm.frontend.errors import CompileError
from sdm.lanes import LanesBound
from sdm.reference import bits, quantized as reference

WIDTHS = (2, 4, 6, 62, 128, 130, 132, 200, 260, 1000)


def places():
    return [("host", lambda kernel, *given: kernel(*given))] + [
        (chip, lambda kernel, *given, chip=chip, seed=seed: lanes.run(kernel, *given, target=chip, seed=seed)) for seed, chip in enumerate(("sm_80", "sm_90"))
    ]


PLACES = pytest.mark.parametrize("run", [run for _, run in places()], ids=[name for name, _ in places()])
FORMATS = pytest.mark.parametrize("format", cases.FORMATS)


@PLACES
@FORMATS
@pytest.mark.parametrize("decode", ("bf16", "f32"))
def test_decodes_every_number(run, format, decode):
    payload = cases.all_numbers()
    out = np.zeros((len(payload), cases.columns(format, payload)), np.float32)
    run(cases.dequantize, sdm.quantized(payload, cases.SCALES, format, decode), out)
    want = reference.decode(payload, cases.SCALES, format, decode)
    assert np.isnan(want).any() and bits.same_bits(out, bits.store(want, "float32"))


@PLACES
@FORMATS
@pytest.mark.parametrize("width", WIDTHS)
def test_encodes_and_decodes(run, format, width):
    x = cases.drawn(format, 24, width, seed=width)
    table = sdm.quantized(cases.payload_of(format, 24, width), np.zeros(24, np.float32), format, "f32")
    run(cases.quantize, x, table)
    payload, scale = reference.encode(x, format)
    assert bits.same_bits(table.scale, scale) and bits.same_bits(table.payload, payload)
    out = np.zeros_like(x)
    run(cases.dequantize, table, out)
    assert bits.same_bits(out, bits.store(reference.decode(payload, scale, format, "f32"), "float32"))


@FORMATS
def test_encodes_a_large_sample(format):
    x = cases.drawn(format, 4000, 128, seed=3)
    table = sdm.quantized(cases.payload_of(format, 4000, 128), np.zeros(4000, np.float32), format)
    cases.quantize(x, table)
    payload, scale = reference.encode(x, format)
    assert bits.same_bits(table.scale, scale) and bits.same_bits(table.payload, payload)


@FORMATS
def test_every_scale_of_a_row(format):
    for low in cases.BEHIND_BF16:
        x = cases.rows_of_every_scale(low)
        table = sdm.quantized(cases.payload_of(format, *x.shape), np.zeros(len(x), np.float32), format)
        cases.quantize(x, table)
        payload, scale = reference.encode(x, format)
        assert bits.same_bits(table.scale, scale) and bits.same_bits(table.payload, payload)


def check_quotients(format, scales):
    """Every bf16 number over each scale."""
    x, known = cases.every_bf16(), cases.known_numbers(format)
    payload = cases.payload_of(format, len(scales) * 64, 1024)
    Bound(cases.quotients, cases.numbers(format, x, scales, payload)).launch()
    with np.errstate(all="ignore"):
        quotients = bits.store(bits.to_f32(x)[None] / scales[:, None, None], "bfloat16")
    want = known[bits.words(quotients)].reshape(-1, 1024)
    if format == "int4":
        want = want[:, 0::2] << 4 | want[:, 1::2]
    assert (payload == want).all(), scales[(payload != want).reshape(len(scales), -1).any(1)][:4]


@FORMATS
def test_every_number_over_some_scales(format):
    every = cases.every_scale()
    check_quotients(format, np.random.default_rng(6).permutation(every)[:30])
    check_quotients(format, every[[0, -1]])


@pytest.mark.long
@FORMATS
def test_every_number_over_every_scale(format):
    for scales in np.array_split(cases.every_scale(), 400):
        check_quotients(format, scales)


@FORMATS
@pytest.mark.parametrize("bind", (lambda operands: Bound(cases.quotients, operands), lambda operands: LanesBound(cases.quotients, operands, target="sm_90")))
def test_stores_every_bf16(format, bind):
    """The store alone, without a scale that keeps numbers small: it saturates, and knows NaN and infinity."""
    x, scales = cases.every_bf16(), np.array([1.0, -1.0], np.float32)
    payload = cases.payload_of(format, 128, 1024)
    bind(cases.numbers(format, x, scales, payload)).launch()
    wide = bits.to_f32(x)
    assert (payload == reference.pack(np.concatenate([wide, -wide]), format)).all()


@FORMATS
@pytest.mark.parametrize("offset, pitch", ((0, 64), (1, 67), (2, 70), (4, 68), (8, 72)))
def test_places_of_any_alignment(format, offset, pitch):
    """Rows behind odd addresses, with gaps between them that are kept."""
    width = 60 if format == "fp8" else 120
    x = cases.drawn(format, 9, width, seed=offset)
    for run in (run for _, run in places()):
        room = np.full(offset + 9 * pitch, 0xA5, np.uint8)
        payload = np.ndarray((9, 60), np.uint8, room, offset, (pitch, 1))
        scale = np.zeros((9, 2), np.float32)[:, 1]
        run(cases.quantize, x, sdm.quantized(payload, scale, format))
        want = reference.encode(x, format)
        assert bits.same_bits(payload, want[0]) and bits.same_bits(scale, want[1])
        gaps = np.ones(len(room), bool)
        gaps[offset:].reshape(9, pitch)[:, :60] = False
        assert (room[gaps] == 0xA5).all()


def guarded(shape):
    """Zeroed bytes that end where their memory does: behind them is a page that nobody may touch."""
    libc, page, size = ctypes.CDLL(None, use_errno=True), mmap.PAGESIZE, math.prod(shape)
    room = mmap.mmap(-1, (-(-size // page) + 1) * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(room))
    assert libc.mprotect(ctypes.c_void_p(start + len(room) - page), ctypes.c_size_t(page), 0) == 0
    return np.frombuffer(room, np.uint8, size, len(room) - page - size).reshape(shape)


@FORMATS
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_touched_behind_the_last_row(format, width):
    payload = guarded(cases.payload_of(format, 5, width).shape)
    x = cases.drawn(format, 5, width, seed=width)
    cases.quantize(x, sdm.quantized(payload, np.zeros(5, np.float32), format))
    want, scale = reference.encode(x, format)
    out = np.zeros_like(x)
    cases.dequantize(sdm.quantized(payload, scale, format), out)
    assert bits.same_bits(payload, want) and bits.same_bits(out, bits.store(reference.decode(want, scale, format), "float32"))


@FORMATS
@pytest.mark.parametrize("width", (64, 130, 260))
def test_groups(format, width):
    """An update of quantized rows by groups against the fold in numpy, then under every schedule."""
    n, slots = 120, 16
    uses = cases.uses(n, slots, seed=width)
    table = sdm.quantized(*reference.encode(cases.drawn(format, slots, width, 1)[::-1], format), format)
    x = sdm.quantized(*reference.encode(np.random.default_rng(2).standard_normal((n, width)).astype(np.float32), format), format, "f32")
    dots = np.zeros((1, n), np.float32)
    assert sdm.check(cases.update, uses, table, x, dots)
    if width == 130:
        assert sdm.check(cases.spread, uses, table, sdm.quantized(cases.payload_of(format, n, width), np.zeros(n, np.float32), format))
    assert sdm.check(cases.fold, uses, table, x, np.zeros((slots, width), np.float32), dots)
    rows, before = reference.decode(x.payload, x.scale, format, "f32"), reference.decode(table.payload, table.scale, format)
    want_payload, want_scale = table.payload.copy(), table.scale.copy()
    total = np.zeros((slots, width), np.float32)
    flags = uses.flags.view(np.uint32)[0]
    for key, item, weight, flag in zip(uses.key[0], uses.payload["item"][0], uses.payload["weight"][0], flags):
        if not flag >> 29 & 1:
            total[key] = bits.fma(weight, rows[item], total[key])
    with np.errstate(all="ignore"):
        for key in {int(key) for key, flag in zip(uses.key[0], flags) if not flag >> 29 & 1}:
            want_payload[key], want_scale[key] = reference.encode(before[key] + total[key], format)
    cases.update(uses, table, x, dots)
    assert bits.same_bits(table.payload, want_payload) and bits.same_bits(table.scale, want_scale)


@FORMATS
def test_copies_keep_bits(format):
    """Payload and scale as they are: 0xFF is no number that a store makes."""
    payload, scale = cases.all_numbers(), cases.SCALES.view(np.uint32).copy()
    scale[-1] = 0x7F812345
    for run in (run for _, run in places()):
        out = sdm.quantized(np.zeros_like(payload), np.zeros(len(payload), np.float32), format, "f32")
        run(cases.copies, sdm.quantized(payload, scale.view(np.float32), format), out)
        assert bits.same_bits(out.payload, payload) and bits.same_bits(out.scale.view(np.uint32), scale)


def test_arrays_of_e4m3():
    """An array whose own type says it needs no format."""
    payload = np.arange(256, dtype=np.uint8).reshape(4, 64)
    out = [np.zeros((4, 64), np.float32) for _ in range(2)]
    cases.dequantize(sdm.quantized(payload.view(ml_dtypes.float8_e4m3fn), np.ones(4, np.float32)), out[0])
    cases.dequantize(sdm.quantized(payload, np.ones(4, np.float32), "fp8"), out[1])
    assert bits.same_bits(*out)


def test_torch_tensors():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = torch.randn(6, 64, generator=torch.Generator().manual_seed(1))
    payload, scale = torch.zeros(6, 64, dtype=torch.float8_e4m3fn), torch.zeros(6)
    cases.quantize(x, sdm.quantized(payload, scale))
    want = reference.encode(x.numpy(), "fp8")
    assert (payload.view(torch.uint8).numpy() == want[0]).all() and (scale.numpy() == want[1]).all()


def test_what_the_language_says_of_them():
    @sdm.kernel
    def shapes(table: sl.Rows, out: sl.Cells):
        for row in sl.rows(table):
            out[row] = table.width if table.dtype == sl.int4 else table.shape[1] + 1000

    out = np.zeros(3, np.int32)
    shapes(sdm.quantized(np.zeros((3, 8), np.uint8), np.zeros(3, np.float32), "int4"), out)
    assert (out == 16).all()
    shapes(sdm.quantized(np.zeros((3, 8), np.uint8), np.zeros(3, np.float32), "fp8"), out)
    assert (out == 1008).all()


@pytest.mark.parametrize("dtype", ("bf16", "f16", "f32"))
def test_round_to(dtype):
    @sdm.kernel
    def rounded(x: sl.Rows, y: sl.Rows, z: sl.Cells, to: sl.constexpr):
        for row in sl.rows(x):
            y[row] = sl.round_to(x[row], to)
            z[row] = sl.round_to(sl.max(x[row]), to)

    rng = np.random.default_rng(4)
    x = rng.integers(0, 1 << 32, (40, 36), dtype=np.uint32).view(np.float32)
    x[0, :4], x[1, 0] = [65519.996, 65520, 1e-8, 3.3961775e38], 1e-45
    storage = {"bf16": "bfloat16", "f16": "float16", "f32": "float32"}[dtype]
    largest = np.where(np.isnan(x).any(1), np.float32(np.nan), np.nan_to_num(x, nan=-np.inf).max(1))
    for _, run in places():
        y, z = np.zeros_like(x), np.zeros(40, np.float32)
        run(rounded, x, y, z, getattr(sl, dtype))
        assert bits.same_bits(y, bits.store(bits.to_f32(bits.store(x, storage)), "float32"))
        assert bits.same_bits(z, bits.store(bits.to_f32(bits.store(largest, storage)), "float32"))


BYTES, ONES = np.zeros((4, 8), np.uint8), np.ones(4, np.float32)
REFUSED = [
    (lambda: sdm.quantized(BYTES, ONES), "quantized: expected a format of 'fp8' or 'int4', got None"),
    (lambda: sdm.quantized(BYTES, ONES, "int8"), "quantized: expected a format of 'fp8' or 'int4', got 'int8'"),
    (lambda: sdm.quantized(BYTES, ONES, "fp8", "f16"), "quantized: expected decode as 'bf16' or 'f32', got 'f16'"),
    (lambda: sdm.quantized(BYTES, ONES, np.zeros(2)), r"quantized: expected a format of 'fp8' or 'int4', got array\(\[0., 0.\]\)"),
    (lambda: sdm.quantized(BYTES, ONES, "fp8", np.zeros(2)), r"quantized: expected decode as 'bf16' or 'f32', got array\(\[0., 0.\]\)"),
    (lambda: BYTES, r"table: expected rows of f32, bf16 or f16, or quantized ones with their scales \(sdm.quantized\), got u8"),
    (lambda: BYTES.view(ml_dtypes.float8_e4m3fn), r"table: expected rows of f32, bf16 or f16, or quantized ones .*, got fp8"),
    (lambda: sdm.quantized(BYTES.astype(np.int32), ONES, "fp8"), r"table: expected fp8 numbers as bytes \(u8 or fp8\), got i32"),
    (lambda: sdm.quantized(BYTES.view(ml_dtypes.float8_e4m3fn), ONES, "int4"), r"table: expected int4 numbers as bytes \(u8\), got fp8"),
    (lambda: sdm.quantized(BYTES[0], ONES, "fp8"), r"table: expected rows \(2 or more axes, the last one a row\), got \[8\]"),
    (lambda: sdm.quantized(BYTES[:, ::2], ONES, "fp8"), "table: expected the columns of a row side by side, got a stride of 2 bytes for u8"),
    (lambda: sdm.quantized(BYTES, None, "fp8"), "table.scale: expected a numpy array, .*, got NoneType"),
    (lambda: sdm.quantized(BYTES, ONES[:3], "fp8"), r"table.scale: expected one f32 scale for each row, \[4\], got f32 \[3\]"),
    (lambda: sdm.quantized(BYTES, ONES[:, None], "int4"), r"table.scale: expected one f32 scale for each row, \[4\], got f32 \[4, 1\]"),
    (lambda: sdm.quantized(BYTES, ONES.astype(np.float16), "fp8"), r"table.scale: expected one f32 scale for each row, \[4\], got f16 \[4\]"),
]


@pytest.mark.parametrize("given, sentence", REFUSED)
def test_refused(given, sentence):
    with pytest.raises(sdm.OperandError, match=f"^{sentence}$"):
        cases.dequantize(given(), np.zeros((4, 8), np.float32))


def test_refused_where_no_rows_are():
    with pytest.raises(sdm.OperandError, match="^scales: expected sl.Cells, got quantized rows$"):
        cases.quotients(np.ones((4, 8), np.float32), sdm.quantized(BYTES, ONES, "fp8"), np.zeros((4, 8), np.float32))


def test_scales_are_written_as_rows_are():
    scale = np.broadcast_to(np.float32(1), 4)
    with pytest.raises(sdm.OperandError, match=r"^table.scale: expected an array that can be written"):
        cases.quantize(np.ones((4, 8), np.float32), sdm.quantized(BYTES.copy(), scale, "fp8"))
    x = np.ones((4, 8), np.float32)
    with pytest.raises(sdm.OperandError, match=r"^table.scale: expected memory of its own .*, got memory that x uses$"):
        cases.quantize(x, sdm.quantized(BYTES.copy(), x[:, 0], "fp8"))


@pytest.mark.parametrize("text", ("rows:int4:127:decode=f32", "rows:fp8:128", "rows:bf16:128:decode=f32", "rows:fp8:128:decode=f16"))
def test_types_that_are_none(text):
    with pytest.raises(ValueError, match=rf"^operand type '{text}' is not understood; write .*rows:int4:128:decode=f32 \(an even width\)"):
        build.operand_specs(cases.dequantize, {"table": text, "out": "rows:f32:128"})


def test_names_of_a_kernels_arguments():
    given = {"table": "rows:int4:?x?x128:decode=f32", "out": "rows:fp8:128:piece=1:decode=bf16"}
    assert build.arguments(cases.dequantize, given) == ["table", "table.scale", "out", "out.scale"]
    specs = build.operand_specs(cases.dequantize, given)
    assert [specs[name].type for name in specs] == ["!sdm.rows<?x?x128xi4>", "!sdm.cells<?x?xf32>", "!sdm.rows<?x128xf8E4M3FN, piece = 1>", "!sdm.cells<?xf32>"]


def test_a_step_of_chunks():
    """First chunks, parts of a launch and plans move payload and scale together."""
    rng = np.random.default_rng(7)
    n, chunks, width = 20, 4, 64
    keys = np.tile(np.arange(n, dtype=np.int32) % 5, (chunks, 1)) + 5 * np.arange(chunks, dtype=np.int32)[:, None]
    uses = sdm.sort(keys, num_keys=20, item=np.tile(np.arange(n, dtype=np.int32), (chunks, 1)), weight=rng.standard_normal((chunks, n)).astype(np.float32))
    x = rng.standard_normal((chunks, n, width)).astype(np.float32)
    payload, scale = reference.encode(x, "fp8")

    @sdm.kernel
    def sums(uses: sl.Sorted[cases.Use], x: sl.Rows, out: sl.Rows):
        for group in uses:
            total = sl.zeros(x.width)
            for use in group:
                total = sl.fma(use.weight, x[group.chunk, use.item], total)
            out[group.slot] = total

    want, got = np.zeros((20, width), np.float32), np.zeros((20, width), np.float32)
    sums(uses, sdm.quantized(payload, scale, "fp8"), want)
    bound = sums.bind(uses, sdm.quantized(payload[:2], scale[:2], "fp8"), got)
    bound.launch(range(0, 2))
    assert bits.same_bits(got[:10], want[:10]) and not got[10:].any()
    later = sums.bind(uses, sdm.quantized(payload[2:], scale[2:], "fp8"), got, first_chunk={"x": 2})
    later.launch(range(2, 4))
    assert bits.same_bits(got, want) and want.any()
    moved = sums.bind(uses, sdm.quantized(payload[:1], scale[:1], "fp8"), got)
    moved.launch(range(3, 4), first_chunk={"x": 3})
    again = np.zeros((20, width), np.float32)
    shifted = sums.bind(uses, sdm.quantized(payload[[0, 0, 0, 0]], scale[[0, 0, 0, 0]], "fp8"), again)
    shifted.launch(range(3, 4))
    assert bits.same_bits(got[15:], again[15:])


def test_copy_row_needs_the_same_storage():
    table = sdm.quantized(BYTES, ONES, "fp8")
    with pytest.raises(CompileError, match="sl.copy_row takes a row straight from an operand"):
        cases.copies(table, np.zeros((4, 8), np.float32))
    with pytest.raises(CompileError, match="sl.copy_row takes a row straight from an operand"):
        cases.copies(table, sdm.quantized(BYTES[:, :4].copy(), ONES.copy(), "int4"))


def test_round_to_takes_float_types():
    @sdm.kernel
    def wrong(x: sl.Rows, y: sl.Rows):
        for row in sl.rows(x):
            y[row] = sl.round_to(x[row], sl.fp8)

    with pytest.raises(CompileError, match="sl.round_to.*sl.bf16, sl.f16 or sl.f32 second"):
        wrong(np.ones((4, 8), np.float32), np.ones((4, 8), np.float32))
