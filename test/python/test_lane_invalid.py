"""Invalid records on lanes: what they hold names nothing, and what other groups hold decides nothing for them."""

import numpy as np
import pytest

import sdm
import sdm.language as sl
from sdm import bind, lanes
from sdm.errors import CompilerError
from sdm.reference import bits

SCHEDULES = (("nest",), ("flat", "unit=1"), ("flat", "unit=4", "depth=2"), ("flat", "unit=8", "depth=3", "warps=2"))
PLACEMENTS = ("direct", "resident", "ring", "registers", "bulk_ring")
N, ROWS, WIDTH = 60, 6, 64


class Item(sl.Record, key="slot"):
    slot: sl.i32
    at: sl.i32


@sdm.kernel
def gathered(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, dots: sl.Cells):
    for group in items:
        total = sl.zeros(x.width)
        for item in group:
            row = x[item.at]
            total += row
            dots[group.chunk, item.index] = sl.sum(row)
        out[group.slot] = total


@sdm.kernel
def by_row(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, seen: sl.Cells):
    for group in items:
        total = sl.zeros(x.width)
        for item in group:
            total += x[item.at]
            if sl.max(total) < 0.5:
                seen[group.chunk, item.index] = 1
        out[group.slot] = total


@sdm.kernel
def by_begin(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, seen: sl.Cells):
    for group in items:
        limit = sl.max(x[group.slot])
        total = sl.zeros(x.width)
        for item in group:
            total += x[item.at]
            if limit > 0.0:
                seen[group.chunk, item.index] = 2
        out[group.slot] = total


@sdm.kernel
def folded(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, seen: sl.Cells):
    for group in items:
        total = sl.zeros(x.width)
        for item in group:
            row = x[item.at]
            if sl.max(row) > 1.0:
                total = sl.maximum(total, row)
            if item.at > 2:
                seen[group.chunk, item.index] = item.at
        out[group.slot] = total


@sdm.kernel
def by_cell(items: sl.Sorted[Item], x: sl.Rows, out: sl.Rows, seen: sl.Cells, limits: sl.Cells):
    for group in items:
        total = sl.zeros(x.width)
        for item in group:
            total += x[item.at]
            if limits[item.at] < 3:
                seen[group.chunk, item.index] = 4
        out[group.slot] = total


def run(kernel, binder, dtype, invalid: float, garbage: bool, **more):
    rng = np.random.default_rng(3)
    valid = rng.random(N) >= invalid
    at = rng.integers(0, ROWS, N).astype(np.int32)
    if garbage:
        at = np.where(valid, at, rng.integers(-(1 << 31), 1 << 31, N)).astype(np.int32)
    keys = np.sort(rng.integers(0, ROWS, N)).astype(np.int32)
    items = sdm.sort(keys, num_keys=ROWS, valid=valid, at=at)
    x = rng.standard_normal((ROWS, WIDTH)).astype(np.float32)
    out, seen = np.full_like(x, 7), np.full((1, N), 7, dtype)
    bound = binder(kernel, items, x, out, seen, *more.values())
    bound.launch()
    bound.done()
    return out, seen


def same(kernel, dtype, invalid: float, garbage: bool, **more) -> int:
    """How many schedules on lanes gave the host's bits."""
    want, ran = run(kernel, bind.bind, dtype, invalid, garbage, **more), 0
    for seed, schedule in enumerate(SCHEDULES):
        for placement in PLACEMENTS:
            whole = (*schedule, f"1={placement}")
            try:
                got = run(
                    kernel, lambda *a: lanes.bind(*a, target=("sm_80", "sm_90")[seed % 2], schedule=whole, seed=seed), dtype, invalid, garbage, **more
                )
            except CompilerError as error:
                assert any(f"expected {what}" in str(error) for what in ("another placement", "the nest form", "rows in registers that fit"))
                continue
            assert all(bits.same_bits(mine, theirs) for mine, theirs in zip(got, want)), whole
            ran += 1
    return ran


@pytest.mark.parametrize("invalid", (0.0, 0.3, 1.0))
@pytest.mark.parametrize("garbage", (False, True))
def test_fields_of_an_invalid_record_name_no_row(invalid, garbage):
    assert same(gathered, np.float32, invalid, garbage) == 15


@pytest.mark.parametrize("kernel, ran", ((by_row, 2), (by_begin, 2), (folded, 15)), ids=lambda part: getattr(part, "name", ""))
@pytest.mark.parametrize("invalid", (0.0, 0.3, 1.0))
def test_what_decides_a_store(kernel, ran, invalid):
    """Rows and values of other groups would: such walks stay nested."""
    assert same(kernel, np.int32, invalid, True) == ran


@pytest.mark.parametrize("invalid", (0.0, 0.3, 1.0))
def test_a_cell_decides_as_the_zero_that_an_invalid_record_loads(invalid):
    assert same(by_cell, np.int32, invalid, True, limits=np.arange(ROWS, dtype=np.int32)) == 15


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_no_rows_at_all(schedule):
    """Nothing is valid then: fields of any value meet a slab without a row."""
    items = sdm.sort(np.full(N, -1, np.int32), num_keys=0, at=np.arange(N, dtype=np.int32) * 1000)
    x, out, dots = np.zeros((0, WIDTH), np.float32), np.zeros((0, WIDTH), np.float32), np.full((1, N), 7, np.float32)
    lanes.run(gathered, items, x, out, dots, target="sm_90", schedule=(*schedule, "1=resident"), seed=1)
    assert not dots.any()
