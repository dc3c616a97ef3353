"""Where an operand lies: any alignment and strides, between bytes that nobody may write, or rows gigabytes apart."""

from __future__ import annotations

import dataclasses
import mmap

import numpy as np

ORDERS = ("dense", "reversed", "repeated", "swapped", "turned", "far", "farther")
# Bytes from one index of axis 0 to the next: a few rows are past 2^31, or each is.
PITCHES = {"far": (1 << 30) + 64, "farther": (1 << 31) + 64}
MOST_FAR, MOST_BYTES = 512, 1 << 40
NO_RESERVE = 0x4000  # the system keeps no memory for pages that are never touched


@dataclasses.dataclass(frozen=True)
class Place:
    """shift: elements behind a multiple of 64 bytes; pad: elements between rows; order: the first axis backwards, with stride 0, the first
    two axes or all of them the other way round in memory, or indices of the first axis far apart."""

    shift: int = 0
    pad: int = 0
    order: str = "dense"


def bits_of(array):
    """The elements of any strided array as unsigned words."""
    return array.view(f"u{array.dtype.itemsize}")


class Placed:
    """A copy of `values` at a place: `view`, the last indices of the first axis of `whole`, which has `before` others that nobody touches."""

    def __init__(self, rng, values, where: Place, before: int = 0):
        order = where.order
        if order in PITCHES and (before or not 1 <= values.shape[0] <= MOST_FAR):
            order = "dense"
        self.order, self.dtype, self.first = order, values.dtype, before
        self.shape = self._lying(np.broadcast_to(values[:1], (before + values.shape[0], *values.shape[1:]))).shape
        item = values.dtype.itemsize
        steps = [item]
        for extent in (self.shape[-1] + where.pad, *reversed(self.shape[1:-1])):
            steps.insert(0, steps[0] * extent)
        if order in PITCHES:
            steps[0] += min(PITCHES[order], MOST_BYTES // self.shape[0] // 64 * 64)
        size, apart = steps[0] * self.shape[0], order in PITCHES or before > 0
        if apart:
            self.raw = np.frombuffer(mmap.mmap(-1, size + 256, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE), np.uint8)
        else:
            self.raw = rng.integers(0, 256, size + 256, np.uint8)
        self.steps, self.start = tuple(steps), -self.raw.ctypes.data % 64 + where.shift * item
        self.whole = self._view(self.raw)
        self.view = self.whole[before:]
        bits_of(self.view)[...] = bits_of(values)
        self.untouched = None if apart else self.raw.copy()

    def _lying(self, values):
        """The axes as they are in memory."""
        turned = {"swapped": lambda a: a.swapaxes(0, 1), "turned": lambda a: a.T, "reversed": lambda a: a[::-1]}
        return turned.get(self.order, lambda a: a)(values)

    def _view(self, raw):
        steps = (0, *self.steps[1:]) if self.order == "repeated" else self.steps
        return self._lying(np.ndarray(self.shape, self.dtype, raw, self.start, steps))

    def difference(self, want=None) -> str:
        """What differs from `want` (None: from what was put there), "" if nothing does; bytes around and between the rows count too."""
        if want is not None:
            mine, theirs = bits_of(self.view), bits_of(want)
            at = np.argwhere(mine != theirs)
            if len(at):
                place, digits = tuple(map(int, at[0])), 2 * mine.itemsize
                return f"{list(place)} is 0x{mine[place]:0{digits}X}, expected 0x{theirs[place]:0{digits}X} ({len(at)} elements differ)"
        if self.untouched is None:
            return ""
        expected = self.untouched.copy()
        if want is not None:
            bits_of(self._view(expected))[self.first :] = bits_of(want)
        at = np.flatnonzero(expected != self.raw)
        return f"byte {at[0] - self.start} from its start was written" if len(at) else ""
