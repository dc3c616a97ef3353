"""Segment sum: the rows of one segment are added up, in the order in which they came."""

import sdm
import sdm.language as sl


class Item(sl.Record, key="segment"):
    """One row that belongs to a segment."""

    segment: sl.i32


SORTED = sl.arrays(Item)

DEFAULTS = {"items": SORTED, "values": "rows:f32:128", "out": "rows:f32:128"}


@sdm.kernel(defaults=DEFAULTS)
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


__all__ = ["DEFAULTS", "Item", "SORTED", "segment_sum"]
