"""Backward of an embedding bag: the gradient of the table, and of the per-sample weights.

A use is one index of one bag; `out[bag] += weight * table[index]` going forward. Padding is an invalid record: it
touches no row, and its weight's gradient is +0.
"""

import sdm
import sdm.language as sl


class Use(sl.Record, key="row"):
    """One row of the table used by one bag."""

    row: sl.i32
    bag: sl.i32
    weight: sl.f32 = 1.0


WEIGHTED = sl.arrays(Use)
UNWEIGHTED = sl.arrays(Use, present=("bag",))

DEFAULTS = {
    "uses": WEIGHTED,
    "grad_out": "rows:f32:128",
    "table": "rows:f32:128",
    "d_table": "rows:f32:128",
    "d_weight": "cells:f32:2",
}


@sdm.kernel(defaults=DEFAULTS)
def embedding_bag_backward(
    uses: sl.Sorted[Use],
    grad_out: sl.Rows,  # [bags, width]
    table: sl.Rows | None,  # [rows, width], read for d_weight only
    d_table: sl.Rows | None,  # [rows, width]; rows that no use names keep what they hold
    d_weight: sl.Cells | None,  # [chunks, n], in the unsorted order
):
    for group in uses:
        weights = table[group.key]
        acc = sl.zeros(grad_out.width)
        for use in group:
            g = grad_out[use.bag]
            acc = sl.fma(use.weight, g, acc)
            d_weight[group.chunk, use.index] = sl.dot(g, weights)
        d_table[group.key] = acc


__all__ = ["DEFAULTS", "UNWEIGHTED", "Use", "WEIGHTED", "embedding_bag_backward"]
