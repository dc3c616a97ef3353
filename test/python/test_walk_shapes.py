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


def operands(width, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    keys = rng.integers(-2, SLOTS, (CHUNKS, N)).astype(np.int64)
    keys[0, :40] = 7  # a group longer than a tile
    token = rng.integers(0, TOKENS, (CHUNKS, N)).astype(np.int32)
    weight = rng.integers(1, 6, (CHUNKS, N)).astype(np.float32)
    x = rng.integers(-3, 4, (CHUNKS, TOKENS, width)).astype(dtype)
    return sdm.sort(keys, num_keys=SLOTS, token=token, weight=weight), keys, token, weight, x


def groups(keys):
    """(chunk, ordinal, unsorted positions) of each group; the bool says whether it is one of valid records."""
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
    assert sdm.check(two_loops, uses, cells(), cells())


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
    assert sdm.check(conditional_loop, uses, x, np.zeros_like(want), cells(np.int32))


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
    assert sdm.check(begins, uses, x, start, np.zeros_like(start))


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
    assert sdm.check(counts, uses, x, cells(np.int32), cells())


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
    assert sdm.check(read_later, uses, x, cells(), cells())


@pytest.mark.parametrize("width", [128, 256])
def test_overwritten(width):
    uses, keys, _, weight, x = operands(width)
    want, dots = cells(), cells()
    for chunk, _, members in groups(keys):
        want[chunk, members] = weight[chunk, members]
    overwritten(uses, x, dots)
    assert np.array_equal(dots, want)
    assert sdm.check(overwritten, uses, x, cells())


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
    assert sdm.check(two_slabs, uses, x, y, np.zeros_like(want))
