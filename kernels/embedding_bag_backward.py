"""Backward of an embedding bag: the gradient of the table, and of the per-sample weights.

A use is one index of one bag; `out[bag] += weight * table[index]` going forward. Padding is an invalid record: it
touches no row, and its weight's gradient is +0.
"""

import sdm
import sdm.language as sl
from sdm import creation
from sdm.errors import OperandError


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
# Extents of index axes, for compiling alone.
SHAPES = {"uses": (1, 1 << 17), "grad_out": (1 << 13,), "table": (1 << 17,), "d_table": (1 << 17,), "d_weight": (1, 1 << 17)}


@sdm.kernel(defaults=DEFAULTS, shapes=SHAPES)
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


def backward(
    grad_out, indices, offsets=None, *, num_rows: int, bags=None, weights=None, table=None, padding_idx=None, d_table=True
):  # fmt: skip
    """Gradients of an embedding bag of mode "sum": (d_table, d_weights), each None where it is not asked for.

    grad_out: rows [bags, width]; indices: int32 or int64 [n]; offsets: the first use of each bag, or bags: the bag of each use [n];
    weights: f32 [n] (None: 1); table: rows [num_rows, width], given when the weights' gradient f32 [n] is wanted; padding_idx: an index that
    takes no part (nor does a use outside of table or bags); d_table: whether the table's gradient, of the type of grad_out, is wanted.
    """
    new = creation.like("grad_out", grad_out)
    if (offsets is None) == (bags is None):
        raise OperandError("offsets: expected either offsets or bags, got " + ("neither" if bags is None else "both"))
    new.integers("indices", indices)
    bag = new.bag_of(new.integers("offsets", offsets), indices.shape[0]) if bags is None else new.integers("bags", bags)
    if tuple(bag.shape) != tuple(indices.shape):
        raise OperandError(f"bags: expected the shape of indices, {list(indices.shape)}, got {list(bag.shape)}")
    valid = (bag >= 0) & (bag < grad_out.shape[0])
    bag = new.int32(bag)
    payload = {"bag": bag} if weights is None else {"bag": bag, "weight": weights}
    if padding_idx is not None:
        valid = valid & (indices != padding_idx)
    uses = sdm.sort(indices, num_keys=num_rows, valid=valid, **payload)
    grads = new.zeros((num_rows, grad_out.shape[-1]), grad_out.dtype) if d_table else None
    d_weights = None if table is None else new.f32((1, indices.shape[0]))
    embedding_bag_backward(uses, grad_out, table, grads, d_weights)
    return grads, None if d_weights is None else d_weights.reshape(-1)


__all__ = ["DEFAULTS", "SHAPES", "UNWEIGHTED", "Use", "WEIGHTED", "backward", "embedding_bag_backward"]
