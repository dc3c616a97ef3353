"""RMS norm of every row: y = x / sqrt(mean(x * x) + eps) * weight. No records: whole rows, each by itself."""

import sdm
import sdm.language as sl
from sdm import arrays, creation
from sdm.errors import OperandError
from sdm.reshape import reshape

DEFAULTS = {"x": "rows:f32:128", "weight": "rows:f32:128", "y": "rows:f32:128", "eps": "f32"}
# Extents of index axes, for compiling alone.
SHAPES = {"x": (1 << 14,), "weight": (1,), "y": (1 << 14,)}


@sdm.kernel(defaults=DEFAULTS, shapes=SHAPES)
def rms_norm(
    x: sl.Rows,  # [rows, width]
    weight: sl.Rows,  # [1, width]
    y: sl.Rows,  # [rows, width]
    eps: sl.f32 = 1e-6,
):
    for row in sl.rows(x):
        v = x[row]
        ms = sl.dot(v, v) / x.width
        r = 1.0 / sl.sqrt(ms + eps)
        y[row] = v * r * weight[0]


def normalise(x, weight, eps: float = 1e-6, *, out=None):
    """RMS norm of every row of x [..., width] with weight [width]; out: of the shape of x (None: new, of its type). Returns out."""
    if out is None:
        out = creation.like("x", x).empty(tuple(x.shape), x.dtype)
    width = x.shape[-1]
    given = tuple(getattr(weight, "shape", ()))
    if given != (width,):
        raise OperandError(f"weight: expected an array [{width}], one for each column of x, got {list(given) or type(weight).__name__}")
    rows = [reshape(arrays.view(array), (arrays.view(array).size // max(width, 1), width)) for array in (x, out)]
    if None in rows:
        raise OperandError("x: expected rows that need no copy as [rows, width]")
    rms_norm(rows[0], weight.reshape(1, -1), rows[1], eps)
    return out


__all__ = ["DEFAULTS", "SHAPES", "normalise", "rms_norm"]
