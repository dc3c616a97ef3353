"""Slices and reductions of the references against scalar loops over exact rationals."""

import numpy as np
import pytest

import exact_float32 as exact
from sdm.reference import bits, reduce, slices, workloads

WIDTHS = [1, 2, 3, 4, 5, 31, 64, 126, 127, 128, 129, 130, 132, 196, 200, 256, 260, 1024 + 4]


def test_slices_of_the_contract():
    expected = {200: [100, 100], 132: [68, 64], 196: [100, 96], 260: [88, 88, 84], 130: [68, 62], 128: [128], 1024: [128] * 8, 1: [1]}
    for hd, widths in expected.items():
        assert [b - a for a, b in slices.bounds(hd)] == widths


def test_slices_cover_every_width():
    for hd in [*range(1, 3000), 65535, 65536, (1 << 20) - 3]:
        bounds = slices.bounds(hd)
        assert bounds[0][0] == 0 and bounds[-1][1] == hd and len(bounds) == -(-hd // 128)
        assert all(a < b and b - a <= 128 and a % 4 == 0 for a, b in bounds)
        assert all(p[1] == q[0] for p, q in zip(bounds, bounds[1:], strict=False))
        assert [a for a, _ in bounds] + [hd] == exact.slice_starts(hd)


def test_no_columns():
    with pytest.raises(ValueError, match="at least one column, got 0"):
        slices.count(0)


@pytest.mark.parametrize("hd", WIDTHS)
def test_dot(hd):
    rng = np.random.default_rng(hd)
    for special in (0.0, 0.02):
        x, m = (workloads.rows(rng, (3, hd), "float32", special) for _ in range(2))
        got = bits.words(bits.store(reduce.dot(x, m), "float32")).tolist()
        assert got == [exact.dot(a, b) for a, b in zip(bits.words(x).tolist(), bits.words(m).tolist(), strict=True)]


@pytest.mark.parametrize("hd", WIDTHS)
@pytest.mark.parametrize("kind", ["sum", "max", "min", "amax"])
def test_reduce(hd, kind):
    op, identity = {
        "sum": (exact.add, 0),
        "max": (exact.maximum, 0xFF800000),
        "min": (exact.minimum, 0x7F800000),
        "amax": (exact.amax, 0),
    }[kind]
    rng = np.random.default_rng(hd)
    for special in (0.0, 0.02):
        x = workloads.rows(rng, (3, hd), "float32", special)
        got = bits.words(bits.store(reduce.reduce(x, kind), "float32")).tolist()
        assert got == [exact.reduce(row, op, identity) for row in bits.words(x).tolist()]


def test_padding_makes_a_negative_zero_positive():
    full, short = -np.zeros((1, 128), np.float32), -np.zeros((1, 126), np.float32)
    ones = np.ones_like(full)
    assert np.signbit(reduce.dot(full, ones)) and np.signbit(reduce.reduce(full, "sum"))
    assert not np.signbit(reduce.dot(short, ones[:, :126])) and not np.signbit(reduce.reduce(short, "sum"))


def test_amax_ignores_nan_and_keeps_infinity():
    assert reduce.reduce(np.array([np.nan, -2, 1], np.float32), "amax") == 2
    assert reduce.reduce(np.array([np.nan, -np.inf, 1], np.float32), "amax") == np.inf
    assert reduce.reduce(np.array([np.nan], np.float32), "amax") == 0


def test_planes_are_the_slices():
    x = np.random.default_rng(0).standard_normal((2, 260), np.float32)
    planes = reduce.dot_planes(x, x)
    assert planes.shape == (3, 2)
    assert bits.same_bits(planes[1], reduce.dot(x[:, 88:176], x[:, 88:176]))
    assert bits.same_bits((planes[0] + planes[1]) + planes[2], reduce.dot(x, x))


def test_rows_of_two_widths():
    with pytest.raises(ValueError, match="one width, got 4 and 5"):
        reduce.dot(np.zeros(4, np.float32), np.zeros(5, np.float32))
