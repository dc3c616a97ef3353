"""Operands that a kernel cannot take: one sentence each, nothing launched, nothing written; and what is a defined no-op."""

import numpy as np
import pytest

import sdm
import sdm.language as sl
from sdm.errors import CheckError, OperandError
from sdm.kernels import gds, rms_norm, segment_sum
from sdm.reference import bits, workloads

CASE = workloads.Case()


class Call:
    """The mover's operands, one of them changed."""

    def __init__(self, case=CASE):
        w = workloads.gds(case)
        self.operands = dict(reads=w.rec, bank=w.bank, tokens=w.dy, grad=w.grad.copy(), d_q_w=w.d_q_w.copy())
        self.before = {name: self.operands[name].copy() for name in ("grad", "d_q_w")}

    def bind(self, **changes):
        given = {**self.operands, **changes}
        if isinstance(given["reads"], np.ndarray):
            given["reads"] = sdm.bound(gds.QREC, given["reads"])
        options = {name: given.pop(name) for name in list(given) if name not in self.operands}
        return gds.gds.bind(*given.values(), **options)

    def untouched(self):
        return all(bits.same_bits(self.operands[name], array) for name, array in self.before.items())

    def refuses(self, sentence, **changes):
        with pytest.raises(OperandError) as caught:
            self.bind(**changes)
        assert sentence in str(caught.value)
        assert str(caught.value).count("\n") == 0
        assert self.untouched()


@pytest.fixture
def call():
    return Call()


class TestKinds:
    def test_types(self, call):
        call.refuses("bank: expected rows of f32, bf16 or f16, got i32", bank=np.zeros((4, 8), np.int32))
        call.refuses("d_q_w: expected cells of f32, i32 or i64, got f64", d_q_w=np.zeros((4, 16, 8)))
        call.refuses("bank: expected a numpy array, a torch tensor or an object with __dlpack__, got list", bank=[[1.0]])
        call.refuses("tokens: expected sl.Rows, got None", tokens=None)
        call.refuses("reads: expected sl.Sorted[Read], got None", reads=None)
        call.refuses("reads: expected records (sdm.sort(...) or arrays bound to a layout), got str", reads="abc")

    def test_ranks(self, call):
        call.refuses("bank: expected rows (2 or more axes, the last one a row), got [8]", bank=np.zeros(8, np.float32))
        with pytest.raises(sdm.CompileError, match="'d_q_w' has 2 index axes, got 3 indices"):
            call.bind(d_q_w=np.zeros((4, 128), np.float32))
        with pytest.raises(sdm.CompileError, match="'tokens' has 1 index axes, got 2 indices"):
            call.bind(tokens=np.zeros((4, 128), np.float32))
        assert call.untouched()

    def test_widths(self, call):
        with pytest.raises(sdm.CompileError, match="rows of 64 and 128 columns|rows of 128 and 64 columns"):
            call.bind(bank=np.zeros((512, 64), np.float32))
        call.refuses("bank: expected rows of at least one column", bank=np.zeros((512, 0), np.float32))

    def test_columns(self, call):
        call.refuses("bank: expected the columns of a row side by side, got a stride of 8 bytes", bank=np.zeros((512, 256), np.float32)[:, ::2])

    def test_devices(self, call):
        from sdm.arrays import ArrayView

        elsewhere = ArrayView(1 << 20, (512, 128), (512, 4), "f32", "cuda:0")
        call.refuses("bank: expected it on cpu as reads is, got cuda:0", bank=elsewhere)

    def test_signature(self, call):
        with pytest.raises(TypeError, match="missing a required argument"):
            gds.gds.bind(sdm.bound(gds.QREC, call.operands["reads"]))
        with pytest.raises(TypeError, match="unexpected keyword"):
            call.bind(colour=3)


class TestRecords:
    def test_planes(self, call):
        call.refuses("reads: expected 1 arrays for this layout, got 2", reads=sdm.bound(gds.QREC, *[call.operands["reads"]] * 2))
        call.refuses("reads.qrec: expected records of 16 bytes, got 8", reads=np.zeros((4, 128, 2), np.int32))
        call.refuses("reads.qrec: expected [chunks, n]", reads=np.zeros(4, np.int32))
        call.refuses("reads.qrec: expected records one after the other", reads=np.zeros((4, 128, 8), np.int32)[..., :4])
        spay, rec = np.zeros((4, 128), np.int32), np.zeros((4, 100, 2), np.int32)
        call.refuses("reads.rec8: expected [4, 128] chunks and records", reads=sdm.bound(gds.REC8, spay, rec))

    def test_alignment(self, call):
        raw = np.zeros(4 * 128 * 16 + 8, np.uint8)[2:-6].view("u1")
        call.refuses("expected words aligned to 4 bytes", reads=raw.reshape(4, 128, 16))

    def test_keys_beyond_the_operand(self):
        with pytest.raises(OperandError, match="out: expected at least 9 along axis 0 .num_keys of items., got 8"):
            segment_sum.segment_sum(sdm.sort(np.array([1]), num_keys=9), np.zeros((1, 4), np.float32), np.zeros((8, 4), np.float32))

    def test_positions_beyond_the_operand(self):
        with pytest.raises(OperandError, match="values: expected a row for each of the 3 records of items along axis 0, got 2"):
            segment_sum.segment_sum(sdm.sort(np.array([1, 0, 1]), num_keys=2), np.zeros((2, 4), np.float32), np.zeros((2, 4), np.float32))


class TestWritten:
    def test_read_only(self, call):
        grad = call.operands["grad"].copy()
        grad.flags.writeable = False
        call.refuses("grad: expected an array that can be written", grad=grad)

    def test_overlaps_another(self, call):
        call.refuses("grad: expected memory of its own (the kernel stores to it), got memory that bank uses", bank=call.operands["grad"])
        call.refuses("grad: expected memory of its own", bank=call.operands["grad"][::-1])

    def test_overlaps_records(self, call):
        reads = call.operands["reads"]
        dots = reads.reshape(-1)[: 4 * 16 * 8].view(np.float32).reshape(4, 16, 8)
        call.refuses("d_q_w: expected memory of its own (the kernel stores to it), got memory that reads uses", d_q_w=dots)

    def test_overlaps_itself(self, call):
        dots = np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), (4, 16, 8), (0, 0, 0))
        call.refuses("d_q_w: expected one place for each index", d_q_w=dots)
        raw = np.zeros((513, 128), np.float32)
        grad = np.lib.stride_tricks.as_strided(raw, (512, 128), (256, 4))
        call.refuses("grad: expected one place for each index", grad=grad)

    def test_neighbours_are_fine(self, call):
        both = np.zeros((512, 256), bits.BF16)
        call.bind(bank=both[:, :128], grad=both[:, 128:]).launch(range(0, 2))


class TestLaunch:
    def test_chunks(self, call):
        bound = call.bind()
        for chunks, sentence in ((range(0, 5), "reads: expected chunks 0 to 4"), (range(-1, 1), "reads: expected chunks -1 to 0")):
            with pytest.raises(OperandError, match=sentence):
                bound.launch(chunks)
        with pytest.raises(OperandError, match="chunks: expected a range"):
            bound.launch(range(0, 4, 2))
        with pytest.raises(OperandError, match="tokens: expected chunks 2 to 3 of the launch, got 2 from chunk 0"):
            call.bind(tokens=call.operands["tokens"][:2]).launch(range(2, 4))
        assert call.untouched()

    def test_first_chunk(self, call):
        tokens = call.operands["tokens"]
        bound = call.bind(tokens=tokens[2:], first_chunk={"tokens": 2})
        bound.launch(range(2, 4))
        again = Call()
        again.bind(tokens=tokens[2:]).launch(range(2, 4), first_chunk={"tokens": 2})
        for name in call.before:
            assert bits.same_bits(call.operands[name], again.operands[name])
        with pytest.raises(OperandError, match="first_chunk: expected names of operands, got 'x'|first_chunk: expected names of operands, got x"):
            call.bind(first_chunk={"x": 1})

    def test_nothing_to_do(self, call):
        call.bind().launch(range(2, 2))
        call.bind(reads=np.zeros((4, 0, 4), np.int32)).launch()
        call.bind(reads=np.zeros((0, 8, 4), np.int32)).launch()
        assert call.untouched()
        y = np.zeros((0, 8), np.float32)
        rms_norm.rms_norm(np.zeros((0, 8), np.float32), np.ones((1, 8), np.float32), y)
        assert segment_sum.sum_segments(np.zeros((0, 8), np.float32), np.zeros(0, np.int64), 3).tolist() == [[0.0] * 8] * 3


class TestScalars:
    x = np.ones((2, 8), np.float32)

    def run(self, eps):
        y = np.zeros_like(self.x)
        rms_norm.rms_norm(self.x, np.ones((1, 8), np.float32), y, eps)
        return y

    def test_forms(self):
        wanted = self.run(0.5)
        for eps in (np.float32(0.5), np.float64(0.5), np.array(0.5, np.float32)):
            assert bits.same_bits(self.run(eps), wanted)

    def test_refused(self):
        for eps, sentence in (("1", "eps: expected a numpy array"), (np.ones(1, np.float32), "eps: expected a number or an array of no axes"),
                              (np.array(1), "eps: expected f32, got i64")):  # fmt: skip
            with pytest.raises(OperandError, match=sentence):
                self.run(eps)


class TestCheck:
    """check=True: what records promise."""

    def fails(self, sentence, change, case=workloads.Case(invalid=0.2), chunks=range(0, 2)):
        call = Call(case)
        rec = call.operands["reads"].copy()
        change(rec, rec[..., 0].view(np.uint32))
        with pytest.raises(CheckError) as caught:
            call.bind(reads=rec, check=True).launch(chunks)
        assert sentence in str(caught.value), str(caught.value)
        assert call.untouched()

    def test_sound_records_pass(self):
        call, other = Call(workloads.Case(invalid=0.2)), Call(workloads.Case(invalid=0.2))
        call.bind(check=True).launch(range(0, 2))
        other.bind().launch(range(0, 2))
        assert bits.same_bits(call.operands["grad"], other.operands["grad"])

    def test_equal_keys_of_two_groups(self):
        self.fails("gds: reads[2, 0]: expected distinct keys across the groups of a launch, got", lambda rec, word: None, chunks=range(0, 4))

    def test_keys_outside(self):
        def change(rec, word):
            rec[1, 0, 1] = -5

        self.fails("gds: reads[1, 0]: expected slot within 0 .. 511 (axis 0 of bank), got -5", change)

    def test_fields_outside(self):
        def change(rec, word):
            word[0, 4] = word[0, 4] & ~np.uint32(0x1FF00) | np.uint32(200 << 9)

        self.fails("reads[0, 4]: expected token within 0 .. 15 (axis 1 of tokens), got 200", change)

    def test_flags(self):
        def no_first(rec, word):
            word[1, 7] ^= np.uint32(1 << 31)

        def order(rec, word):
            rec[0, 3, 1] = 500

        def early(rec, word):
            word[0, 0] |= np.uint32(1 << 17)

        def open_end(rec, word):
            word[0, -1] &= ~np.uint32(1 << 30)

        self.fails("reads[1, 7]: expected FIRST behind each LAST", no_first)
        self.fails("expected keys in ascending order", order)
        self.fails("expected", early)
        self.fails("reads[0, 127]: expected", open_end)

    def test_unique_fields(self):
        def change(rec, word):
            word[0, 9] = word[0, 9] & ~np.uint32(0x1FEFF) | word[0, 2] & np.uint32(0x1FEFF)

        self.fails("expected each token and lane once in a chunk", change)

    def test_the_environment_asks(self, monkeypatch):
        from sdm import options

        monkeypatch.setattr(options, "current", lambda: options.from_environment({"SDM_CHECK": "1", "SDM_CACHE_BYTES": "0"}))
        assert Call().bind().check


def test_a_written_operand_of_one_axis_less():
    @sdm.kernel
    def mark(items: sl.Sorted[segment_sum.Item], out: sl.Cells):
        for group in items:
            out[group.segment] = 1.0

    out = np.zeros(5, np.float32)
    mark(sdm.sort(np.array([1, 3, 3, 9]), num_keys=5), out)
    assert out.tolist() == [0, 1, 0, 1, 0]
