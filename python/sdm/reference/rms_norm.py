"""RMS normalisation of whole rows, in this order, each operation one f32 rounding:

ms = dot(x, x) / width;  r = 1.0 / sqrt(ms + eps);  y = (x * r) * weight, rounded once more to y's storage type.
"""

import numpy as np

from . import bits, reduce


def run(x, weight, eps, dtype=None):
    """Returns y, rows [rows, width] of storage type `dtype` (None: x's).

    x: rows [rows, width]; weight: one row [width] of any storage type; eps: a number, taken as f32. Errors: widths that differ.
    """
    width = x.shape[-1]
    if weight.shape[-1] != width:
        raise ValueError(f"expected a weight of {width} columns, got {weight.shape[-1]}")
    v, g, one = bits.to_f32(x), bits.to_f32(weight), np.float32(1)
    with np.errstate(all="ignore"):
        ms = reduce.dot(v, v) / np.float32(width)
        r = one / np.sqrt(ms + np.float32(eps))
        y = (v * r[..., None]) * g
    return bits.store(y, x.dtype if dtype is None else dtype)
