"""Sampled dense-dense product: dot(a[row], b[column]) for each entry (row, column) of a sparse matrix."""

import sdm
import sdm.language as sl


class Entry(sl.Record, key="row"):
    """One entry of the sparse matrix."""

    row: sl.i32
    column: sl.i32


SORTED = sl.arrays(Entry)

DEFAULTS = {"entries": SORTED, "a": "rows:f32:128", "b": "rows:f32:128", "out": "cells:f32:2"}


@sdm.kernel(defaults=DEFAULTS)
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


__all__ = ["DEFAULTS", "Entry", "SORTED", "sddmm"]
