"""The walk over sorted records: valid groups of a range of chunks, and folds over their members in sorted order.

Folds run for many groups at once, member rank by member rank: each group still sees its own members in order, one after the other.
"""

import dataclasses

import numpy as np

BLOCK = 1 << 20  # f32 elements of a batch of rows: small enough for the cache's sake


@dataclasses.dataclass(frozen=True)
class Groups:
    """G valid groups in the order of the walk: key, chunk (global number), start (flat position chunk * n + pos), size, and
    ordinal or None."""

    key: np.ndarray
    chunk: np.ndarray
    start: np.ndarray
    size: np.ndarray
    ordinal: np.ndarray | None = None

    def __len__(self):
        return len(self.key)


def chunk_range(records, chunks):
    """The range of chunks to walk: all of them for None. Errors: a range outside the records, or one with a step."""
    n = records.shape[0]
    chunks = range(n) if chunks is None else chunks
    if chunks.step != 1 or (len(chunks) and (chunks.start < 0 or chunks.stop > n)):
        raise ValueError(f"expected a range of chunks within 0 .. {n}, got {chunks}")
    return chunks


def of(records, chunks=None):
    """The valid groups of some chunks (a range; None: all), by the FIRST and LAST flags. Errors: flags that do not pair."""
    chunks = chunk_range(records, chunks)
    n = records.shape[1]
    part = slice(chunks.start, chunks.stop)
    base = chunks.start * n
    start = np.flatnonzero(records.first[part] & records.valid[part]) + base
    end = np.flatnonzero(records.last[part] & records.valid[part]) + base
    if len(start) != len(end) or (start > end).any() or (start[1:] <= end[:-1]).any():
        raise ValueError("expected each group's FIRST before its LAST")
    ordinal = None if records.ordinal is None else records.ordinal.reshape(-1)[start]
    return Groups(records.key.reshape(-1)[start], start // max(n, 1), start, end - start + 1, ordinal)


def fold(groups, width, update):
    """Yields (which groups, accumulators f32 [b, width]) for batches of groups: acc from +0, then acc = update(acc, flat
    positions) per member."""
    order = np.argsort(-groups.size, kind="stable")  # so the groups that have a k-th member are a prefix
    step = max(1, BLOCK // width)
    for at in range(0, len(order), step):
        which = order[at : at + step]
        size, start = groups.size[which], groups.start[which]
        acc = np.zeros((len(which), width), np.float32)
        for k in range(int(size[0])):
            have = int(np.count_nonzero(size > k))
            acc[:have] = update(acc[:have], start[:have] + k)
        yield which, acc


def valid_positions(records, chunks, width):
    """Yields batches of flat positions of the valid records of some chunks, each about a block of rows of `width`."""
    chunks = chunk_range(records, chunks)
    at = np.flatnonzero(records.valid[chunks.start : chunks.stop]) + chunks.start * records.shape[1]
    step = max(1, BLOCK // width)
    for i in range(0, len(at), step):
        yield at[i : i + step]


def invalid_positions(records, chunks):
    """Flat positions of the invalid records of some chunks."""
    chunks = chunk_range(records, chunks)
    return np.flatnonzero(~records.valid[chunks.start : chunks.stop]) + chunks.start * records.shape[1]
