"""Quantized rows in the language itself: what a load and a store of them stand for (`operands.py` inlines them).

A row is stored as small numbers and one f32 scale. The store of the numbers rounds to nearest even and saturates.
"""

from __future__ import annotations

import sdm.language as sl
from sdm.dtypes import fp8, int4
from sdm.frontend.functions import Function

# The largest number of a format.
LARGEST = {fp8: 448.0, int4: 7.0}


@Function
def decoded(numbers, scale, dtype):
    """The row of f32 numbers times its scale; both the scale and the product are rounded to dtype."""
    return sl.round_to(numbers * sl.round_to(scale, dtype), dtype)


@Function
def scale_of(row, largest):
    """The scale that takes a row's largest magnitude (NaN ignored) to `largest`, rounded to bf16; never zero."""
    return sl.round_to(sl.maximum(sl.amax(row) * (1.0 / largest), 1e-12), sl.bf16)


@Function
def scaled(row, scale):
    """The row in units of its scale, as it is stored."""
    return sl.round_to(row / scale, sl.bf16)
