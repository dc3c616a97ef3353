"""Drawn record lists: groups of many kinds of sizes, INVALID records behind them, words as real ones and with anything in what is ignored."""

from __future__ import annotations

import numpy as np

from sdm.reference import records, workloads

EDGES = (1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65)


def _sizes(rng, kind: str, count: int) -> np.ndarray:
    """Sizes of groups that have `count` members together."""
    if kind == "one":
        found = np.full(1, count)
    elif kind == "hot":
        found = np.ones(count - count // 2 + 1, np.int64)
        found[rng.integers(len(found))] = max(1, count // 2)
    elif kind == "unique":
        found = np.ones(count, np.int64)
    elif kind == "zipf":
        found = np.minimum(rng.zipf(1.6, count), count)
    elif kind == "edges":
        found = rng.choice(EDGES, count)
    else:
        found = rng.geometric(0.47, count)
    ends = np.minimum(np.cumsum(found), count)
    found = np.diff(ends, prepend=0)
    return found[found > 0]


KINDS = ("pairs", "unique", "edges", "hot", "zipf", "one")


def lists(rng, C: int, R: int, P: int, chunks, special: float) -> tuple[records.RecordArrays, int]:
    """(records [N, C * R], slots) of chunks given as pairs (kind of sizes, share of INVALID records); the P chunks of a step have no slot
    in common. Each chunk names every (token, lane) once, in any order."""
    n, shape = C * R, (len(chunks), C * R)
    invalid = [int(np.ceil(share * n)) for _, share in chunks]
    sizes = [_sizes(rng, kind, n - bad) if n > bad else np.zeros(0, np.int64) for (kind, _), bad in zip(chunks, invalid)]
    totals = [sum(map(len, sizes[first : first + P])) for first in range(0, len(chunks), P)]
    slots = max(1, *totals) + int(rng.integers(0, 4))
    key = np.zeros(shape, np.int64)
    for first, total in zip(range(0, len(chunks), P), totals):
        free = rng.permutation(slots)[:total]
        for chunk in range(first, first + P):
            mine, free = np.sort(free[: len(sizes[chunk])]), free[len(sizes[chunk]) :]
            key[chunk, : n - invalid[chunk]] = np.repeat(mine, sizes[chunk])
    valid = np.arange(n) < n - np.array(invalid)[:, None]
    place = np.stack([rng.permutation(n) for _ in chunks])
    fields = {"token": place // R, "lane": place % R, "scale": workloads.rows(rng, shape, "float32", special)}
    return records.RecordArrays(key, valid, *records.flags(key, valid), fields), slots


def words(rng, found: records.RecordArrays, first: int, noise: bool, garbage: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(spay [N, n], qrec [N, n, 4], rec8 [N, n, 2]), slots counted from `first` on. noise: what is ignored is random; garbage: slot and
    scale of INVALID records too."""
    spay, qrec = records.encode_qrec(found, rng if noise else None)
    bad = ~found.valid
    qrec[found.valid, 1] += first
    if noise:
        qrec[..., 3] = rng.integers(-(1 << 31), 1 << 31, spay.shape)
    if garbage:
        qrec[bad, 1:3] = rng.integers(-(1 << 31), 1 << 31, (int(bad.sum()), 2))
    return spay, qrec, np.ascontiguousarray(qrec[..., 1:3])
