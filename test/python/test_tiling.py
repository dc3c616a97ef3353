"""Tiles: everything is covered, by tiles neither too many nor too long."""

import pytest

from sdm import tiling


@pytest.mark.parametrize("positions", (1, 7, 128, 2048, 4096, 100_003))
@pytest.mark.parametrize("chunks, slices", [(1, 1), (2, 8), (64, 1), (128, 3), (5000, 1)])
def test_all_positions_are_covered(positions, chunks, slices):
    for warps in (1, 4, 8, 16):
        cut = tiling.on_device(positions, chunks, slices, warps, 264)
        assert cut.length * cut.tiles >= positions and cut.tiles % warps == 0
        assert cut.length <= tiling.LONGEST_ON_DEVICE
        ctas = cut.tiles // warps * chunks * slices
        assert ctas <= max(264, chunks * slices * -(-positions // (warps * tiling.LONGEST_ON_DEVICE)))
    cut = tiling.on_host(positions, chunks, slices, 16)
    assert cut.length * cut.tiles >= positions > cut.length * (cut.tiles - 1)


def test_nothing():
    assert tiling.on_device(0, 3, 1, 8, 264) == tiling.on_host(5, 0, 1, 2) == tiling.NOTHING


def test_a_wave():
    assert tiling.wave(132, 228 << 10, 8, 32 << 10, 128, False) == 2 * 132
    assert tiling.wave(132, 228 << 10, 8, 32 << 10, 61, False) == 4 * 132
    assert tiling.wave(132, 228 << 10, 8, 128 << 10, 40, False) == 132
    assert tiling.wave(132, 100 << 10, 8, 200 << 10, 40, False) == 132
    assert tiling.wave(132, 228 << 10, 8, 0, 16, False) == 6 * 132
    assert tiling.wave(132, 228 << 10, 8, 0, 16, True) == 2 * 132


def test_ids_stay_within_31_bits():
    assert tiling.on_device(1 << 20, 1 << 20, 8, 8, 264).tiles // 8 * (1 << 23) <= tiling.MOST_UNITS
