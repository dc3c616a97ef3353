"""How a launch is cut into tiles: one rule for the CPU and the GPU. Results never depend on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tiling:
    """`tiles` tiles of `length` positions for each slice of each chunk; `tiles` is a multiple of the warps of a CTA."""

    length: int
    tiles: int


NOTHING = Tiling(1, 0)
# A CPU thread gets a few units, so that none waits long for the last.
UNITS_PER_THREAD = 4
SHORTEST_ON_HOST = 16
# What an SM of every supported chip holds: registers of 32 lanes, in lots of 8 a lane, and warps.
REGISTERS_PER_SM, REGISTER_LOT, WARPS_PER_SM, PIPELINED_WARPS_PER_SM = 65536 // 32, 8, 48, 16
SHORTEST_ON_DEVICE, LONGEST_ON_DEVICE = 8, 256
MOST_UNITS = (1 << 31) - 1


def on_host(positions: int, chunks: int, slices: int, threads: int) -> Tiling:
    """For the CPU: a unit of work is one tile of one slice."""
    if positions <= 0 or chunks <= 0:
        return NOTHING
    wanted = -(-threads * UNITS_PER_THREAD // (chunks * slices))
    length = max(-(-positions // wanted), SHORTEST_ON_HOST)
    return Tiling(length, -(-positions // length))


def on_device(positions: int, chunks: int, slices: int, warps: int, wave: int) -> Tiling:
    """For a GPU, where a warp has one tile: as many CTAs as one wave of `wave` CTAs holds, of tiles neither too short nor too long."""
    if positions <= 0 or chunks <= 0:
        return NOTHING
    parts = chunks * slices
    ctas = max(1, wave // parts)
    ctas = min(ctas, -(-positions // (warps * SHORTEST_ON_DEVICE)))
    ctas = max(ctas, -(-positions // (warps * LONGEST_ON_DEVICE)))
    ctas = max(1, min(ctas, MOST_UNITS // parts))
    return Tiling(-(-positions // (ctas * warps)), ctas * warps)


def wave(multiprocessors: int, shared_per_multiprocessor: int, warps: int, shared: int, registers: int, pipelined: bool) -> int:
    """CTAs that a launch should have at a time: by their warps, the registers of a lane, and shared memory (the system keeps 1 KB of
    each CTA). Pipelined warps keep memory busy 16 to a multiprocessor; more have shorter tiles, and leave the next kernel no room."""
    by_shared = shared_per_multiprocessor // (shared + 1024)
    lots = -(-max(registers, 1) // REGISTER_LOT) * REGISTER_LOT
    by_warps = min(PIPELINED_WARPS_PER_SM if pipelined else WARPS_PER_SM, REGISTERS_PER_SM // lots) // warps
    return multiprocessors * max(1, min(by_warps, by_shared))
