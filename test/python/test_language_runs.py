"""Control flow of the language, run on the CPU and compared with the same loop in Python."""

import ml_dtypes
import numpy as np
import pytest

import sdm
import sdm.language as sl

WIDTH = 20


class Item(sl.Record, key="slot"):
    slot: sl.i32
    code: sl.i32
    weight: sl.f32 = 1.0


@sdm.function
def scaled(row, by):
    return row * by, by + 1.0


@sdm.kernel
def jumps(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, count: sl.Cells):
    for group in items:
        total = sl.zeros(x.width)
        turns = 0
        for item in group:
            if item.code == 3:
                continue
            if item.code == 5 and turns > 0:
                break
            row, _ = scaled(x[item.code], item.weight)
            total += row if item.code % 2 == 0 else -row
            turns += 1
        out[group.slot] = total
        count[group.chunk, group.index] = turns


@sdm.kernel
def branches(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, limit: sl.i32, count: sl.Cells):
    for group in items:
        biggest = 0.0
        seen: sl.i64 = 0
        for item in group:
            seen += item.code // -3 + item.code % 3
        if group.size > limit:
            row = x[group.slot]
            for item in group:
                biggest = max(biggest, sl.amax(x[item.code]))
        else:
            row = sl.full(x.width, -1.0)
        out[group.slot] = sl.where(row > biggest, row, sl.maximum(row, 0.25))
        count[group.chunk, group.index] = seen


@sdm.kernel
def flat(items: sl.Sorted[Item], x: sl.Rows, y: sl.Rows, where: sl.Cells):
    factor = x.shape[0] * 1.0
    for row in sl.rows(x):
        v = x[row]
        for power in sl.static_range(3):
            v = sl.fma(v, 0.5, power)
        y[row] = v / factor
    for record in sl.records(items):
        where[record.chunk, record.index] = record.pos + record.code if record.valid else -1


@pytest.fixture
def data():
    rng = np.random.default_rng(5)
    n, slots = 60, 9
    keys = rng.integers(-1, slots, n).astype(np.int32)
    code = rng.integers(0, 8, n).astype(np.int32)
    weight = rng.standard_normal(n).astype(np.float32)
    x = rng.standard_normal((slots, WIDTH)).astype(np.float32)
    items = sdm.sort(keys, num_keys=slots, code=code, weight=weight)
    groups = [(slot, np.flatnonzero(keys == slot)) for slot in range(slots) if (keys == slot).any()]
    return keys, code, weight, x, items, groups


def test_jumps(data):
    keys, code, weight, x, items, groups = data
    out, count = np.zeros_like(x), np.zeros((1, 60), np.int32)
    jumps(items, x, out, count)
    for ordinal, (slot, members) in enumerate(groups):
        total, turns = np.zeros(WIDTH, np.float32), 0
        for at in members:
            if code[at] == 3:
                continue
            if code[at] == 5 and turns > 0:
                break
            row = x[code[at]] * weight[at]
            total = total + (row if code[at] % 2 == 0 else -row)
            turns += 1
        assert np.array_equal(out[slot].view(np.int32), total.view(np.int32))
        assert count[0, ordinal] == turns


def test_branches(data):
    keys, code, weight, x, items, groups = data
    out, count = np.zeros_like(x), np.zeros((1, 60), np.int64)
    branches(items, x, out, 6, count)
    assert any(len(members) > 6 for _, members in groups) and any(len(members) <= 6 for _, members in groups)
    for ordinal, (slot, members) in enumerate(groups):
        row, biggest = np.full(WIDTH, -1, np.float32), np.float32(0)
        if len(members) > 6:
            row, biggest = x[slot], max(np.abs(x[code[at]]).max() for at in members)
        expected = np.where(row > biggest, row, np.maximum(row, np.float32(0.25)))
        assert np.array_equal(out[slot], expected)
        assert count[0, ordinal] == sum(int(code[at]) // -3 + int(code[at]) % 3 for at in members)


def test_flat(data):
    keys, code, weight, x, items, groups = data
    y, where = np.zeros_like(x), np.full((1, 60), 7, np.int32)
    flat(items, x, y, where)
    v = x.astype(np.float64)
    for power in range(3):
        # Exact in float64, so one rounding as fma has.
        v = (v * 0.5 + power).astype(np.float32).astype(np.float64)
    assert np.array_equal(y, v.astype(np.float32) / np.float32(len(x)))
    order = np.argsort(np.where(keys < 0, 100, keys), kind="stable")
    for pos, at in enumerate(order):
        assert where[0, at] == (pos + code[at] if keys[at] >= 0 else 0)


NAN = float("nan")


@sdm.kernel
def constants(items: sl.Sorted[Item], x: sl.Rows, which: sl.constexpr, out: sl.Cells):
    for record in sl.records(items):
        value = -0.0 if record.code > 3 else 0.0
        if which == 1:
            value = max(-0.0, 0.0)
        if which == 2:
            value = min(0.0, -0.0)
        if which == 3:
            value = max(1.0, NAN)
        if which == 4:
            value = min(2, 1.5)
        if which == 5:
            value = sl.where(record.code > 3, 0.0, -0.0)
        if which == 6:
            value = float("-inf")
        out[record.chunk, record.index] = value


def test_constants_keep_their_signs(data):
    """What is computed when the kernel is compiled has the bits of the contract: signs of zero, NaN that wins."""
    keys, code, weight, x, items, groups = data
    plus, minus = 0, -(1 << 31)
    high = [minus if one > 3 else plus for one in code]
    low = [plus if one > 3 else minus for one in code]
    wanted = [high, [plus] * 60, [minus] * 60, [0x7FFFFFFF] * 60, [0x3FC00000] * 60, low, [0xFF800000 - (1 << 32)] * 60]
    for which, bits in enumerate(wanted):
        out = np.full((1, 60), 7, np.float32)
        constants(items, x, which, out)
        assert out[0].view(np.int32).tolist() == [bits[at] if keys[at] >= 0 else 0 for at in range(60)]


@sdm.kernel
def roots(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, y: sl.Cells, minus: sl.f32):
    for group in items:
        out[group.slot] = sl.sqrt(x[group.slot])
        y[group.chunk, group.index] = sl.sqrt(minus)


def test_nan_of_a_root_is_the_canonical_one(data):
    """LLVM takes a choice between NaN and a square root for the root alone, whose NaN is another on the CPU."""
    keys, code, weight, x, items, groups = data
    for minus in (-2.0, NAN):
        out, y = np.zeros_like(x), np.zeros((1, 60), np.float32)
        roots(items, np.where(x > 0, np.float32(minus), x), out, y, minus)
        assert (y[0, : len(groups)].view(np.int32) == 0x7FFFFFFF).all()
        assert (out[[slot for slot, _ in groups]].view(np.int32) == 0x7FFFFFFF).all()


@sdm.kernel
def copied(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows):
    for group in items:
        out[group.slot] = sl.copy_row(x[group.slot])


@pytest.mark.parametrize("width", (1, 3, 130, 257, 1023))
@pytest.mark.parametrize("bits", (np.uint16, np.uint32))
def test_copies_keep_every_bit(data, width, bits):
    keys, code, weight, x, items, groups = data
    storage = {np.uint16: ml_dtypes.bfloat16, np.uint32: np.float32}[bits]
    words = np.random.default_rng(1).integers(0, np.iinfo(bits).max, (len(x), width), bits, endpoint=True)
    out = np.zeros_like(words)
    copied(items, words.view(storage), out.view(storage))
    slots = [slot for slot, _ in groups]
    assert (out[slots] == words[slots]).all()


@sdm.kernel
def whole_numbers(items: sl.Sorted[Item], x: sl.Rows, number: sl.constexpr, out: sl.Cells):
    for record in sl.records(items):
        out[record.chunk, record.index] = sl.max(x[0]) * 0.0 + number


@pytest.mark.parametrize("number, word", [
    ((1 << 60) + (1 << 36), 0x5D800000), ((1 << 60) + (1 << 36) + 1, 0x5D800001), (-((1 << 60) + (1 << 36) + 1), 0xDD800001),
    ((1 << 60) + 3 * (1 << 36), 0x5D800002), ((1 << 53) + 1, 0x5A000000), ((1 << 127) + 1, 0x7F000000),
])  # fmt: skip
def test_whole_constants_are_rounded_once(data, number, word):
    out = np.zeros((1, 60), np.float32)
    whole_numbers(data[4], np.ones((1, WIDTH), np.float32), number, out)
    valid = data[0] >= 0
    assert (out[0, valid].view(np.uint32) == word).all()
