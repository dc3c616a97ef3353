"""Reductions of groups in slices, beside cells that hold none: every width and form, on the CPU and on lanes."""

import numpy as np
import pytest

import sdm
import sdm.language as sl
from sdm import lanes
from sdm.kernels.segment_sum import Item
from sdm.reference import bits, reduce


@sdm.kernel
def groups(items: sl.Sorted[Item], x: sl.Rows, dots: sl.Cells, most: sl.Cells, keys: sl.Cells, places: sl.Cells):
    for group in items:
        total = sl.zeros(x.width)
        for item in group:
            total = total + x[item.index]
            places[item.chunk, item.index] = item.pos
        dots[group.chunk, group.index] = sl.dot(total, total)
        most[group.chunk, group.index] = sl.max(total)
        keys[group.chunk, group.index] = group.key


def case(width):
    rng = np.random.default_rng(width)
    keys = rng.integers(-1, 9, 40).astype(np.int32)
    x = rng.standard_normal((40, width)).astype(np.float32)
    order = np.argsort(np.where(keys < 0, 99, keys), kind="stable")
    wanted = [np.zeros((1, 40), np.float32), np.zeros((1, 40), np.float32), np.zeros((1, 40), np.int32), np.zeros((1, 40), np.int32)]
    for ordinal, key in enumerate(np.unique(keys[keys >= 0])):
        total = np.zeros(width, np.float32)
        for at in np.flatnonzero(keys == key):
            total = total + x[at]
        wanted[0][0, ordinal], wanted[1][0, ordinal], wanted[2][0, ordinal] = reduce.dot(total, total), reduce.reduce(total, "max"), key
    for pos, at in enumerate(order):
        wanted[3][0, at] = pos if keys[at] >= 0 else 0
    return sdm.sort(keys, num_keys=9), x, wanted


def check(run, width):
    items, x, wanted = case(width)
    got = [np.zeros_like(array) for array in wanted]
    run(items, x, *got)
    assert all(bits.same_bits(*pair) for pair in zip(got, wanted))


@pytest.mark.parametrize("width", (4, 130, 257, 1000))
def test_on_the_cpu(width):
    check(groups, width)


@pytest.mark.parametrize("schedule", ("nest", "flat"))
@pytest.mark.parametrize("width, target", ((130, "sm_80"), (257, "sm_90")))
def test_on_lanes(width, target, schedule):
    check(lambda *operands: lanes.run(groups, *operands, target=target, schedule=(schedule, "split"), seed=1), width)
