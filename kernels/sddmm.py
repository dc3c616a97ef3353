"""Sampled dense-dense product: dot(a[row], b[column]) for each entry (row, column) of a sparse matrix."""

import sdm
import sdm.language as sl
from sdm import creation
from sdm.errors import OperandError


class Entry(sl.Record, key="row"):
    """One entry of the sparse matrix."""

    row: sl.i32
    column: sl.i32


SORTED = sl.arrays(Entry)

DEFAULTS = {"entries": SORTED, "a": "rows:f32:128", "b": "rows:f32:128", "out": "cells:f32:2"}
# Extents of index axes, for compiling alone.
SHAPES = {"entries": (1, 1 << 17), "a": (1 << 13,), "b": (1 << 13,), "out": (1, 1 << 17)}


@sdm.kernel(defaults=DEFAULTS, shapes=SHAPES)
def sddmm(
    entries: sl.Sorted[Entry],
    a: sl.Rows,  # [rows, width]
    b: sl.Rows,  # [columns, width]
    out: sl.Cells,  # [chunks, n], in the unsorted order
):
    for group in entries:
        x = a[group.row]
        for entry in group:
            out[group.chunk, entry.index] = sl.dot(x, b[entry.column])


def sample(a, b, rows, columns, *, valid=None):
    """dot(a[rows], b[columns]) for each pair, f32 of the shape of rows; +0 where the mask `valid` is False, and for pairs outside a or b.

    a: rows [M, width]; b: rows [K, width]; rows, columns: int32 or int64 of one shape.
    """
    new = creation.like("a", a)
    for name, array in (("rows", rows), ("columns", columns)):
        new.integers(name, array)
        if tuple(array.shape) != tuple(rows.shape):
            raise OperandError(f"{name}: expected the shape of rows, {list(rows.shape)}, got {list(array.shape)}")
    if valid is not None and tuple(valid.shape) != tuple(rows.shape):
        raise OperandError(f"valid: expected the shape of rows, {list(rows.shape)}, got {list(valid.shape)}")
    flat = lambda x: x.reshape(-1)  # noqa: E731
    inside = (columns >= 0) & (columns < b.shape[0])
    mask = flat(inside if valid is None else inside & valid)
    entries = sdm.sort(flat(rows), num_keys=a.shape[0], valid=mask, column=new.int32(flat(columns)))
    out = new.f32((1, flat(rows).shape[0]))
    sddmm(entries, a, b, out)
    return out.reshape(rows.shape)


__all__ = ["DEFAULTS", "Entry", "SHAPES", "SORTED", "sample", "sddmm"]
