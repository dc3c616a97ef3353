"""Segment sum: the rows of one segment are added up, in the order in which they came."""

import sdm
import sdm.language as sl
from sdm import creation
from sdm.errors import OperandError


class Item(sl.Record, key="segment"):
    """One row that belongs to a segment."""

    segment: sl.i32


SORTED = sl.arrays(Item)

DEFAULTS = {"items": SORTED, "values": "rows:f32:128", "out": "rows:f32:128"}
# Extents of index axes, for compiling alone.
SHAPES = {"items": (1, 1 << 16), "values": (1 << 16,), "out": (1 << 13,)}


@sdm.kernel(defaults=DEFAULTS, shapes=SHAPES)
def segment_sum(
    items: sl.Sorted[Item],  # one chunk
    values: sl.Rows,  # [n, width], in the unsorted order
    out: sl.Rows,  # [segments, width]; segments without rows keep what they hold
):
    for group in items:
        total = sl.zeros(values.width)
        for item in group:
            total = total + values[item.index]
        out[group.segment] = total


def sum_segments(values, segments, num_segments: int, *, valid=None, out=None):
    """Sums rows by segment, in the order in which they come: out[s] = the rows of segment s, added in f32 and rounded once.

    values: rows [n, width]; segments: int32 or int64 [n], others than 0 .. num_segments - 1 and those that the mask `valid` [n] leaves
    out take no part; out: rows [num_segments, width], overwritten (None: new, of the type of values). Returns out.
    """
    new = creation.like("values", values)
    new.integers("segments", segments)
    if tuple(segments.shape) != tuple(values.shape[:1]):
        raise OperandError(f"segments: expected one for each row of values, [{values.shape[0]}], got {list(segments.shape)}")
    items = sdm.sort(segments, num_keys=num_segments, valid=valid)
    fresh = out is None
    out = new.zeros((items.num_keys, values.shape[-1]), values.dtype) if fresh else out
    bound = segment_sum.bind(items, values, out)  # refuses what it must before anything is written
    if not fresh:
        out[...] = 0
    bound.launch()
    bound.done()
    return out


__all__ = ["DEFAULTS", "Item", "SHAPES", "SORTED", "segment_sum", "sum_segments"]
