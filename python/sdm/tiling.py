"""How a launch is cut into tiles: one rule for the CPU and the GPU. Results never depend on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tiling:
    """`tiles` tiles of `length` positions for each slice of each chunk; `tiles` is a multiple of the warps of a CTA."""

    length: int
    tiles: int


# A GPU's SM is full with about this many warps; a CPU thread gets a few units, so that none waits long for the last.
WARPS_PER_SM = 16
UNITS_PER_THREAD = 4
MOST_UNITS = (1 << 31) - 1


def tile(positions: int, chunks: int, slices: int, warps: int, workers: int, shortest: int, longest: int) -> Tiling:
    """Tiles as short as it takes to occupy `workers` warps (or threads' units), within shortest .. longest positions."""
    if positions <= 0 or chunks <= 0:
        return Tiling(1, 0)
    wanted = max(1, -(-workers // max(1, chunks * slices)))
    length = min(max(-(-positions // wanted), shortest), longest)
    tiles = -(-positions // length)
    tiles = -(-tiles // warps) * warps
    most = max(warps, MOST_UNITS // max(1, chunks * slices) // warps * warps)
    tiles = min(tiles, most)
    return Tiling(-(-positions // tiles), tiles)


def on_host(positions: int, chunks: int, slices: int, threads: int) -> Tiling:
    """For the CPU: a thread's unit is one tile of one slice."""
    return tile(positions, chunks, slices, 1, threads * UNITS_PER_THREAD, 16, 1 << 16)


def on_device(positions: int, chunks: int, slices: int, warps: int, multiprocessors: int) -> Tiling:
    """For a GPU: a warp has one tile."""
    return tile(positions, chunks, slices, warps, multiprocessors * WARPS_PER_SM, 8, 256)
