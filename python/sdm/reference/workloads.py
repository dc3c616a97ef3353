"""Seeded inputs for the references and whatever is compared with them. Integers, floats and order depend on the case alone.

A GDS case has N = T * P chunks of C tokens with R reads; chunk c works on slots S * (c % P) .. S * (c % P + 1), so the P chunks of one step
never share a slot. Rows are normal numbers, scales uniform in -0.5 .. 1.5; `special` replaces a share of all of them by NaNs of any
payload, infinities, signed zeros, subnormals and the largest numbers.
"""

import dataclasses

import numpy as np

from . import bits, records

DISTRIBUTIONS = ("uniform", "zipf", "hot", "one", "unique", "repeat")


@dataclasses.dataclass(frozen=True)
class Case:
    """One GDS workload. invalid: share of each chunk's tokens (its last ones) that are padding; rec: record bytes, 16 (qrec) or
    8 (rec8)."""

    name: str = "small"
    hd: int = 128
    C: int = 16
    R: int = 8
    P: int = 2
    T: int = 2
    S: int = 256
    bank: str = "bfloat16"
    grad: str = "bfloat16"
    rec: int = 16
    dist: str = "uniform"
    invalid: float = 0.0
    special: float = 0.0
    noise: bool = False  # the words' ignored bits random, not as real words have them
    seed: int = 0


@dataclasses.dataclass(frozen=True)
class Gds:
    """Operands of a GDS run. bank, grad: rows [slots, hd]; dy: f32 [N, C, hd]; spay: int32 [N, n]; rec: int32 [N, n, 4 or 2]; d_q_w: f32
    [N, C, R], every cell NaN; records: the same lists decoded; num_parallel: chunks of a step."""

    bank: np.ndarray
    grad: np.ndarray
    dy: np.ndarray
    spay: np.ndarray
    rec: np.ndarray
    d_q_w: np.ndarray
    records: records.RecordArrays
    num_parallel: int

    @property
    def num_groups(self):
        """Valid groups of all chunks."""
        return int((self.records.first & self.records.valid).sum())

    def bytes_moved(self):
        """The fewest bytes that all steps together must move."""
        rows = self.num_groups * (self.bank.dtype.itemsize + 2 * self.grad.dtype.itemsize) * self.bank.shape[1]
        return rows + self.dy.nbytes + 4 * self.records.key.size * (4 if self.rec.shape[2] == 4 else 3) + self.d_q_w.nbytes


def rows(rng, shape, dtype, special=0.0):
    """Normal random numbers of a storage type (name or dtype), a share of them special. Drawn in blocks, so large shapes stay cheap."""
    dtype = bits.dtype(dtype)
    out = np.empty(int(np.prod(shape)), dtype)
    for at in range(0, out.size, 1 << 22):
        part = out[at : at + (1 << 22)]
        part[:] = bits.store(rng.standard_normal(part.size, np.float32), dtype)
        _put_specials(rng, part, special)
    return out.reshape(shape)


def _put_specials(rng, x, share):
    """Replaces a share of a flat storage array by special words: any exponent of all ones or all zeros, and the largest numbers."""
    if not share:
        return
    mantissa = {bits.BF16: 7, bits.F16: 10, bits.F32: 23}[x.dtype]
    word = x.view(f"u{x.dtype.itemsize}")
    top = 8 * x.dtype.itemsize - 1
    ones = (1 << top) - (1 << mantissa)
    at = np.flatnonzero(rng.random(x.size) < share)
    fraction = rng.integers(0, 1 << mantissa, at.size)
    kinds = [
        ones | np.maximum(fraction, 1),  # NaN
        np.full(at.size, ones),  # infinity
        np.zeros(at.size, np.int64),
        fraction,  # subnormal
        np.full(at.size, ones - 1),  # the largest number
        np.full(at.size, 1),  # the smallest
    ]
    sign = rng.integers(0, 2, at.size) << top
    word[at] = (np.choose(rng.integers(0, len(kinds), at.size), kinds) | sign).astype(word.dtype)


def slots(rng, case):
    """Slots int64 [N, C, R], each within 0 .. S, by the case's distribution."""
    shape = (case.T * case.P, case.C, case.R)
    one = min(7, case.S - 1)
    if case.dist == "one":
        return np.full(shape, one, np.int64)
    if case.dist == "unique":
        return np.stack([rng.permutation(case.S)[: case.C * case.R] for _ in range(shape[0])]).reshape(shape)
    if case.dist not in DISTRIBUTIONS:
        raise ValueError(f"expected a distribution of {', '.join(DISTRIBUTIONS)}, got {case.dist}")
    drawn, u = rng.integers(0, case.S, shape), rng.random(shape)
    if case.dist == "zipf":  # density ~ 1 / x
        return np.clip((np.exp(u * np.log(case.S)) - 1).astype(np.int64), 0, case.S - 1)
    if case.dist == "hot":
        return np.where(u < 0.5, one, drawn)
    if case.dist == "repeat":  # the lane's slot of the token before, with probability 0.53: groups of 2.1 on average
        for t in range(1, case.C):
            drawn[:, t] = np.where(u[:, t] < 0.53, drawn[:, t - 1], drawn[:, t])
    return drawn


def gds_records(rng, case):
    """RecordArrays [N, C * R] of a case, slots absolute, fields token, lane, scale."""
    N = case.T * case.P
    absolute = slots(rng, case) + (np.arange(N) % case.P * case.S)[:, None, None]
    token = np.broadcast_to(np.arange(case.C)[:, None], absolute.shape[1:])
    lane = np.broadcast_to(np.arange(case.R), token.shape)
    valid = np.broadcast_to(token < case.C - int(case.invalid * case.C), absolute.shape)
    scale = rng.random(absolute.shape, np.float32) * np.float32(2) - np.float32(0.5)
    _put_specials(rng, scale.reshape(-1), case.special)
    flat = lambda a: np.ascontiguousarray(np.broadcast_to(a, absolute.shape)).reshape(N, case.C * case.R)  # noqa: E731
    return records.sort_records(
        flat(absolute), case.P * case.S, flat(valid), token=flat(token), lane=flat(lane), scale=flat(scale)
    )


def gds(case):
    """The Gds workload of a case. Errors: record bytes other than 16 and 8."""
    if case.rec not in (8, 16):
        raise ValueError(f"expected records of 16 or 8 bytes, got {case.rec}")
    rng = np.random.default_rng(case.seed)
    encode = records.encode_qrec if case.rec == 16 else records.encode_rec8
    spay, rec = encode(gds_records(rng, case), rng if case.noise else None)
    return gds_from_words(rng, spay, rec, case, case.P * case.S)


def gds_from_words(rng, spay, rec, case, num_rows):
    """The Gds workload of given words int32 [N, n] and records int32 [N, n, 4 or 2], with rows for num_rows slots."""
    N = len(spay)
    return Gds(
        bank=rows(rng, (num_rows, case.hd), case.bank, case.special),
        grad=rows(rng, (num_rows, case.hd), case.grad, case.special),
        dy=rows(rng, (N, case.C, case.hd), "float32", case.special),
        spay=spay,
        rec=rec,
        d_q_w=np.full((N, case.C, case.R), np.nan, np.float32),
        records=records.decode_qrec(rec) if rec.shape[2] == 4 else records.decode_rec8(spay, rec),
        num_parallel=case.P,
    )


def segment_sum(n, num_keys, width, dtype="float32", invalid=0.0, special=0.0, seed=0):
    """(x rows [n, width], keys int64 [n]); a share of the keys lies outside [0, num_keys)."""
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, num_keys, n)
    keys = np.where(rng.random(n) < invalid, rng.choice([-1, num_keys, 1 << 40], n), keys)
    return rows(rng, (n, width), dtype, special), keys


def embedding_bag(n, bags, num_keys, width, dtype="bfloat16", special=0.0, seed=0):
    """(keys int64 [n], bag int64 [n] ascending, weight f32 [n], grad_out rows [bags, width], table rows [num_keys, width])."""
    rng = np.random.default_rng(seed)
    keys, bag = rng.integers(0, num_keys, n), np.sort(rng.integers(0, bags, n))
    weight = rows(rng, (n,), "float32", special)
    return keys, bag, weight, rows(rng, (bags, width), dtype, special), rows(rng, (num_keys, width), dtype, special)


def sddmm(pairs, m, k, width, dtype="bfloat16", special=0.0, seed=0):
    """(a rows [m, width], b rows [k, width], i int32 [pairs], j int32 [pairs])."""
    rng = np.random.default_rng(seed)
    a, b = rows(rng, (m, width), dtype, special), rows(rng, (k, width), dtype, special)
    return a, b, rng.integers(0, m, pairs, np.int32), rng.integers(0, k, pairs, np.int32)


def rms_norm(count, width, dtype="bfloat16", special=0.0, seed=0):
    """(x rows [count, width], weight f32 [width])."""
    rng = np.random.default_rng(seed)
    return rows(rng, (count, width), dtype, special), rows(rng, (width,), "float32", special)
