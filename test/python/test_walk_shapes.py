"""Walks of unusual shape: against plain loops, and bit for bit on the host, on lanes under several schedules, on the GPU."""

import numpy as np
import pytest

import sdm
import sdm.language as sl

CHUNKS, N, SLOTS, TOKENS = 2, 150, 24, 16


class Use(sl.Record, key="slot"):
    slot: sl.i64
    token: sl.i32
    weight: sl.f32


@sdm.kernel
def two_loops(uses: sl.Sorted[Use], marks: sl.Cells, total: sl.Cells):
    for group in uses:
        for use in group:
            marks[group.chunk, use.index] = use.weight
        best = 0.0
        for use in group:
            if use.token % 2 == 0:
                best = max(best, marks[group.chunk, use.index])
                marks[group.chunk, use.index] = marks[group.chunk, use.index] * 2.0
        total[group.chunk, group.index] = best


@sdm.kernel
def conditional_loop(uses: sl.Sorted[Use], x: sl.Rows, out: sl.Rows, sizes: sl.Cells):
    for group in uses:
        size = group.size
        if size > 3:
            acc = x[group.chunk, 0]
            for use in group:
                if use.token == 5:
                    continue
                acc = acc + x[group.chunk, use.token] * use.weight
                if use.token == 9:
                    break
            out[group.chunk, group.index] = acc
        sizes[group.chunk, group.index] = size


@sdm.kernel
def begins(uses: sl.Sorted[Use], x: sl.Rows, state: sl.Rows, out: sl.Rows):
    for group in uses:
        before = state[group.chunk, group.index]
        state[group.chunk, group.index] = before + 1.0
        acc = state[group.chunk, group.index]
        for use in group:
            acc = acc + x[group.chunk, use.token]
        if group.chunk == 1:
            state[group.chunk, group.index] = acc
        out[group.chunk, group.index] = acc + before


@sdm.kernel
def counts(uses: sl.Sorted[Use], x: sl.Rows, n: sl.Cells, dots: sl.Cells):
    for group in uses:
        first = x[group.chunk, 0]
        for use in group:
            dots[group.chunk, use.index] = sl.dot(first, x[group.chunk, use.token])
        n[group.chunk, group.index] += 1


@sdm.kernel
def read_later(uses: sl.Sorted[Use], x: sl.Rows, dots: sl.Cells, copies: sl.Cells):
    for group in uses:
        for use in group:
            dots[group.chunk, use.index] = sl.dot(x[group.chunk, 0], x[group.chunk, use.token])
    for group in uses:
        for use in group:
            copies[group.chunk, use.index] = dots[group.chunk, use.index]


@sdm.kernel
def overwritten(uses: sl.Sorted[Use], x: sl.Rows, dots: sl.Cells):
    for group in uses:
        for use in group:
            dots[group.chunk, use.index] = sl.sum(x[group.chunk, use.token])
            dots[group.chunk, use.index] = use.weight


@sdm.kernel
def two_slabs(uses: sl.Sorted[Use], x: sl.Rows, y: sl.Rows, out: sl.Rows):
    for group in uses:
        acc = x[1, 0]
        for use in group:
            low = sl.amax(y[use.token])
            acc = acc + x[group.chunk, use.token] * low - x[0, use.token]
        out[group.chunk, group.index] = acc


def same(kernel, *arguments) -> bool:
    return sdm.check(kernel, *arguments, seeds=(0,))


def operands(width, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    keys = rng.integers(-2, SLOTS, (CHUNKS, N)).astype(np.int64)
    keys[0, :40] = 7  # a group longer than a tile
    token = rng.integers(0, TOKENS, (CHUNKS, N)).astype(np.int32)
    weight = rng.integers(1, 6, (CHUNKS, N)).astype(np.float32)
    x = rng.integers(-3, 4, (CHUNKS, TOKENS, width)).astype(dtype)
    return sdm.sort(keys, num_keys=SLOTS, token=token, weight=weight), keys, token, weight, x


def groups(keys):
    """(chunk, ordinal, unsorted positions) of each group of valid records."""
    for chunk in range(CHUNKS):
        for ordinal, key in enumerate(sorted(set(k for k in keys[chunk] if 0 <= k < SLOTS))):
            yield chunk, ordinal, np.flatnonzero(keys[chunk] == key)


def cells(dtype=np.float32):
    return np.zeros((CHUNKS, N), dtype)


def test_two_loops():
    uses, keys, token, weight, _ = operands(4)
    want, total = cells(), cells()
    for chunk, ordinal, members in groups(keys):
        even = [i for i in members if token[chunk, i] % 2 == 0]
        want[chunk, members] = weight[chunk, members]
        want[chunk, even] *= 2
        total[chunk, ordinal] = max([0.0, *weight[chunk, even]])
    got = cells(), cells()
    two_loops(uses, *got)
    assert np.array_equal(got[0], want) and np.array_equal(got[1], total)
    assert same(two_loops, uses, cells(), cells())


@pytest.mark.parametrize("width", [64, 130, 256])
def test_conditional_loop(width):
    uses, keys, token, weight, x = operands(width)
    want, sizes = np.zeros((CHUNKS, N, width), np.float32), cells(np.int32)
    for chunk, ordinal, members in groups(keys):
        sizes[chunk, ordinal] = len(members)
        if len(members) > 3:
            acc = x[chunk, 0].copy()
            for i in members:
                if token[chunk, i] != 5:
                    acc += x[chunk, token[chunk, i]] * weight[chunk, i]
                if token[chunk, i] == 9:
                    break
            want[chunk, ordinal] = acc
    out, n = np.zeros_like(want), cells(np.int32)
    conditional_loop(uses, x, out, n)
    assert np.array_equal(out, want) and np.array_equal(n, sizes)
    assert same(conditional_loop, uses, x, np.zeros_like(want), cells(np.int32))


@pytest.mark.parametrize("width", [1, 128, 260])
def test_begins(width):
    uses, keys, token, _, x = operands(width)
    start = np.random.default_rng(3).integers(0, 9, (CHUNKS, N, width)).astype(np.float32)
    state, want = start.copy(), np.zeros_like(start)
    for chunk, ordinal, members in groups(keys):
        before = state[chunk, ordinal].copy()
        acc = before + 1 + sum(x[chunk, token[chunk, i]] for i in members)
        state[chunk, ordinal] = acc if chunk == 1 else before + 1
        want[chunk, ordinal] = acc + before
    got, out = start.copy(), np.zeros_like(start)
    begins(uses, x, got, out)
    assert np.array_equal(got, state) and np.array_equal(out, want)
    assert same(begins, uses, x, start, np.zeros_like(start))


@pytest.mark.parametrize("width", [128, 256, 260])
def test_counts(width):
    uses, keys, token, _, x = operands(width)
    n, dots = cells(np.int32), cells()
    for chunk, ordinal, members in groups(keys):
        n[chunk, ordinal] += 1
        for i in members:
            dots[chunk, i] = x[chunk, 0] @ x[chunk, token[chunk, i]]
    got = cells(np.int32), cells()
    counts(uses, x, *got)
    assert np.array_equal(got[0], n) and np.array_equal(got[1], dots)
    assert same(counts, uses, x, cells(np.int32), cells())


@pytest.mark.parametrize("width", [128, 256, 260])
def test_read_later(width):
    uses, keys, token, _, x = operands(width)
    want = cells()
    for chunk, _, members in groups(keys):
        for i in members:
            want[chunk, i] = x[chunk, 0] @ x[chunk, token[chunk, i]]
    dots, copies = cells(), cells()
    read_later(uses, x, dots, copies)
    assert np.array_equal(dots, want) and np.array_equal(copies, want)
    assert same(read_later, uses, x, cells(), cells())


@pytest.mark.parametrize("width", [128, 256])
def test_overwritten(width):
    uses, keys, _, weight, x = operands(width)
    want, dots = cells(), cells()
    for chunk, _, members in groups(keys):
        want[chunk, members] = weight[chunk, members]
    overwritten(uses, x, dots)
    assert np.array_equal(dots, want)
    assert same(overwritten, uses, x, cells())


@pytest.mark.parametrize("width", [128, 260])
def test_two_slabs(width):
    uses, keys, token, _, x = operands(width)
    y = np.random.default_rng(5).integers(-3, 4, (TOKENS, 40)).astype(np.float32)
    want = np.zeros((CHUNKS, N, width), np.float32)
    for chunk, ordinal, members in groups(keys):
        acc = x[1, 0].copy()
        for i in members:
            t = token[chunk, i]
            acc += x[chunk, t] * np.abs(y[t]).max() - x[0, t]
        want[chunk, ordinal] = acc
    out = np.zeros_like(want)
    two_slabs(uses, x, y, out)
    assert np.array_equal(out, want)
    assert same(two_slabs, uses, x, y, np.zeros_like(want))


@sdm.kernel
def per_record(uses: sl.Sorted[Use], x: sl.Rows, state: sl.Cells, out: sl.Rows):
    for use in sl.records(uses):
        low = sl.min(x[use.chunk, use.token])
        if low < -2.0:
            state[use.chunk, use.index] += use.weight
        else:
            state[use.chunk, use.index] = low
        out[use.chunk, use.pos] = x[use.chunk, use.token] * state[use.chunk, use.index]


@sdm.kernel
def lanes_of_records(uses: sl.Sorted[Use], state: sl.Cells, odd: sl.Cells):
    for use in sl.records(uses):
        if use.token % 2 == 1:
            odd[use.chunk, use.index] = use.token // 2 + 1
            if use.weight > 2.0:
                state[use.chunk, use.index] += use.weight * 2.0 + 1.0


@sdm.kernel
def end_only(uses: sl.Sorted[Use], x: sl.Rows, last: sl.Cells, norm: sl.Cells, out: sl.Rows):
    for group in uses:
        acc = sl.zeros(x.width)
        token = 0
        n = 0
        for use in group:
            acc = sl.maximum(acc, x[group.chunk, use.token])
            token = use.token
            n = n + 1
        if n > 2:
            last[group.chunk, group.index] = token
        scale = sl.amax(acc)
        norm[group.chunk, group.index] = scale
        if scale > 2.0:
            out[group.chunk, group.index] = acc / scale
        else:
            out[group.chunk, group.index] = acc - x[group.chunk, token]


def test_per_record():
    for width in (16, 130, 256):
        uses, keys, token, weight, x = operands(width)
        start = np.random.default_rng(7).integers(0, 5, (CHUNKS, N)).astype(np.float32)
        state, out = start.copy(), np.zeros((CHUNKS, N, width), np.float32)
        per_record(uses, x, state, out)
        for c in range(CHUNKS):
            order = np.argsort(np.where((keys[c] < 0) | (keys[c] >= SLOTS), SLOTS, keys[c]), kind="stable")
            for pos, i in enumerate(order):
                valid = 0 <= keys[c, i] < SLOTS
                row = x[c, token[c, i]]
                want = (start[c, i] + weight[c, i] if row.min() < -2 else row.min()) if valid else 0.0
                assert state[c, i] == want or not valid, (c, i)
                assert np.array_equal(out[c, pos], row * np.float32(want) if valid else row * 0)
        assert same(per_record, uses, x, start, np.zeros_like(out))


def test_lanes_of_records():
    uses, keys, token, weight, _ = operands(4)
    start = np.random.default_rng(8).integers(0, 5, (CHUNKS, N)).astype(np.float32)
    state, odd, want, halves = start.copy(), cells(np.int32), start.copy(), cells(np.int32)
    lanes_of_records(uses, state, odd)
    for c in range(CHUNKS):
        for i in range(N):
            if 0 <= keys[c, i] < SLOTS and token[c, i] % 2 == 1:
                halves[c, i] = token[c, i] // 2 + 1
                if weight[c, i] > 2:
                    want[c, i] += weight[c, i] * 2 + 1
    valid = (keys >= 0) & (keys < SLOTS)
    assert np.array_equal(state[valid], want[valid]) and np.array_equal(odd[valid], halves[valid])
    assert same(lanes_of_records, uses, start, cells(np.int32))


@pytest.mark.parametrize("width", [64, 130, 256, 1024])
def test_end_only(width):
    uses, keys, token, _, x = operands(width)
    last, norm, out = cells(np.int32), cells(), np.zeros((CHUNKS, N, width), np.float32)
    end_only(uses, x, last, norm, out)
    for chunk, ordinal, members in groups(keys):
        acc = np.maximum(0, x[chunk, token[chunk, members]].max(axis=0))
        t = token[chunk, members[-1]]
        assert last[chunk, ordinal] == (t if len(members) > 2 else 0)
        assert norm[chunk, ordinal] == acc.max()
        want = acc / acc.max() if acc.max() > 2 else acc - x[chunk, t]
        assert np.array_equal(out[chunk, ordinal], want)
    assert same(end_only, uses, x, cells(np.int32), cells(), np.zeros_like(out))
