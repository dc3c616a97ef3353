"""Kernels with operands for tests that run on lanes: each makes fresh operands, so that runs can be compared."""

from __future__ import annotations

import dataclasses
from typing import Callable

import numpy as np

import quantized_cases
import sdm
from sdm.kernels import embedding_bag_backward, gds, rms_norm, sddmm, segment_sum
from sdm.reference import quantized, workloads


@dataclasses.dataclass(frozen=True)
class LaneCase:
    """operands() gives (arguments of the kernel, the arrays among them that it writes)."""

    name: str
    kernel: object
    operands: Callable[[], tuple[tuple, tuple]]
    parts: tuple[range, ...] | None = None  # launches; None: one of all chunks

    def run(self, bind) -> list[np.ndarray]:
        """Binds, launches, and gives back what was written."""
        arguments, written = self.operands()
        bound = bind(self.kernel, *arguments)
        for chunks in self.parts or (None,):
            bound.launch(chunks)
        bound.done()
        return [np.ascontiguousarray(array) for array in written]


def mover(name: str, records: str = "qrec", **changes) -> LaneCase:
    case = workloads.Case(**{"R": 8, "C": 8, "S": 64, "invalid": 0.1, **changes})

    def operands():
        w = workloads.gds(case)
        reads = gds.qrec(w.rec) if records == "qrec" else gds.rec8(w.spay, w.rec)
        return (reads, w.bank, w.dy, w.grad, w.d_q_w), (w.grad, w.d_q_w)

    parts = tuple(range(first, first + case.P) for first in reversed(range(0, case.T * case.P, case.P)))
    return LaneCase(name, gds.gds, operands, parts)


def sums(name: str, width: int, dtype: str) -> LaneCase:
    def operands():
        x, keys = workloads.segment_sum(300, 40, width, dtype, invalid=0.1, special=0.02, seed=width)
        out = np.zeros((40, width), x.dtype)
        return (sdm.sort(keys, num_keys=40), x, out), (out,)

    return LaneCase(name, segment_sum.segment_sum, operands)


def bags(name: str, width: int, dtype: str) -> LaneCase:
    def operands():
        keys, bag, weight, grad, table = workloads.embedding_bag(150, 30, 40, width, dtype, special=0.02, seed=width)
        uses = sdm.sort(keys, num_keys=40, bag=bag.astype(np.int32), weight=weight)
        d_table, d_weight = np.zeros_like(table), np.zeros((1, 150), np.float32)
        return (uses, grad, table, d_table, d_weight), (d_table, d_weight)

    return LaneCase(name, embedding_bag_backward.embedding_bag_backward, operands)


def products(name: str, width: int, dtype: str) -> LaneCase:
    def operands():
        a, b, i, j = workloads.sddmm(200, 30, 40, width, dtype, special=0.02, seed=width)
        entries = sdm.sort(i, num_keys=30, column=j.astype(np.int32))
        out = np.full((1, 200), np.nan, np.float32)
        return (entries, a, b, out), (out,)

    return LaneCase(name, sddmm.sddmm, operands)


def norms(name: str, width: int, dtype: str) -> LaneCase:
    def operands():
        x, weight = workloads.rms_norm(70, width, dtype, special=0.01, seed=width)
        y = np.zeros_like(x)
        return (x, weight.reshape(1, -1), y, 1e-5), (y,)

    return LaneCase(name, rms_norm.rms_norm, operands)


def folds(name: str, width: int, format: str) -> LaneCase:
    def operands():
        rng = np.random.default_rng(width)
        table, x = (
            sdm.quantized(*quantized.encode(rng.standard_normal((rows, width)).astype(np.float32), format), format) for rows in (40, 200)
        )
        out, dots = np.zeros((40, width), np.float32), np.zeros((1, 200), np.float32)
        return (quantized_cases.uses(200, 40, seed=width), table, x, out, dots), (out, dots)

    return LaneCase(name, quantized_cases.fold, operands)


CASES = (
    mover("gds", dist="repeat", special=0.02),
    mover("gds-rec8", "rec8", rec=8, noise=True),
    mover("gds-200", hd=200, dist="zipf"),
    mover("gds-130", hd=130, C=4, R=4),
    mover("gds-one", dist="one", hd=64, bank="float32", grad="float32"),
    mover("gds-invalid", hd=132, invalid=1.0),
    mover("gds-1000", hd=1000, C=4, R=4),
    sums("sum-128", 128, "bfloat16"),
    sums("sum-260", 260, "float32"),
    sums("sum-3", 3, "bfloat16"),
    bags("bag-128", 128, "bfloat16"),
    bags("bag-200", 200, "float32"),
    products("sddmm-64", 64, "float32"),
    products("sddmm-130", 130, "bfloat16"),
    norms("norm-128", 128, "float32"),
    norms("norm-1000", 1000, "bfloat16"),
    folds("fp8-128", 128, "fp8"),
    folds("int4-192", 192, "int4"),
)
