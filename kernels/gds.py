"""GDS (gather, dot, scatter): the read-side backward step of Sparse Delta Memory.

For each group of reads of one slot: the bank's row is dotted with every member's token row, and the members' scaled token
rows are added, in order, to the slot's gradient row. Without `bank` and `d_q_w` only the rows are updated; without
`grad` only the dots are taken.
"""

import sdm
import sdm.language as sl


class Read(sl.Record, key="slot", unique=("token", "lane")):
    """One read of a slot by a lane of a token, with its scale."""

    slot: sl.i32
    token: sl.i32
    lane: sl.i32
    scale: sl.f32


_WORD = dict(
    token=sl.bits(9, 16), lane=sl.bits(0, 7),
    first=sl.bits(31, 31), last=sl.bits(30, 30), invalid=sl.bits(17, 17),
)  # fmt: skip

# int32 [chunks, n, 4]: word, slot, scale bits, 0.
QREC = sl.packed(Read, (16,), ("qrec",), slot=sl.at(4), scale=sl.at(8), **_WORD)
# int32 [chunks, n] words beside int32 [chunks, n, 2]: slot, scale bits.
REC8 = sl.packed(Read, (4, 8), ("spay", "rec8"), slot=sl.at(0, plane=1), scale=sl.at(4, plane=1), **_WORD)
# The words of spay beside qrec: for records that are made step by step, while the words are there for all.
QREC_BESIDE = sl.packed(Read, (4, 16), ("spay", "qrec"), slot=sl.at(4, plane=1), scale=sl.at(8, plane=1), **_WORD)
# What sdm.sort makes.
SORTED = sl.arrays(Read)

DEFAULTS = {
    "reads": QREC,
    "bank": "rows:bf16:128",
    "tokens": "rows:f32:?x?x128",
    "grad": "rows:bf16:128",
    "d_q_w": "cells:f32:3",
}
# Extents of index axes, for compiling alone: a step of 16 chunks of 64 tokens with 64 reads each.
SHAPES = {"reads": (16, 4096), "bank": (1 << 20,), "tokens": (16, 64), "grad": (1 << 20,), "d_q_w": (16, 64, 64)}


@sdm.kernel(defaults=DEFAULTS, shapes=SHAPES)
def gds(
    reads: sl.Sorted[Read],
    bank: sl.Rows | None,  # [slots, hd]
    tokens: sl.Rows,  # [chunks, tokens, hd]
    grad: sl.Rows | None,  # [slots, hd], added to
    d_q_w: sl.Cells | None,  # [chunks, tokens, lanes]
):
    for group in reads:
        m = bank[group.slot]
        acc = sl.zeros(tokens.width)
        for read in group:
            x = tokens[group.chunk, read.token]
            acc = sl.fma(read.scale, x, acc)
            d_q_w[group.chunk, read.token, read.lane] = sl.dot(x, m)
        grad[group.slot] += acc


def qrec(records, first_chunk: int = 0):
    """int32 [chunks, n, 4] as records of `gds`; first_chunk: the number of the first chunk."""
    return sdm.bound(QREC, records, first_chunk=first_chunk)


def rec8(spay, records, first_chunk: int = 0):
    """Words int32 [chunks, n] and int32 [chunks, n, 2] as records of `gds`; first_chunk: the number of the first chunk."""
    return sdm.bound(REC8, spay, records, first_chunk=first_chunk)


# The host side, by topic in gds_host/.
from sdm.kernels.gds_host.builders import build_qrec, build_rec8, build_tiles, sort_reads  # noqa: E402
from sdm.kernels.gds_host.install import install, uninstall  # noqa: E402
from sdm.kernels.gds_host.mover import LAST_POLICY, make_gds, warm  # noqa: E402
from sdm.kernels.gds_host.predicates import admits, records_ok, slices, supported, tail_supported, wide_offsets  # noqa: E402

__all__ = [
    "DEFAULTS", "LAST_POLICY", "QREC", "QREC_BESIDE", "REC8", "Read", "SHAPES", "SORTED", "admits", "build_qrec", "build_rec8", "build_tiles",
    "gds", "install", "make_gds", "qrec", "rec8", "records_ok", "slices", "sort_reads", "supported", "tail_supported", "uninstall", "warm",
    "wide_offsets",
]  # fmt: skip
