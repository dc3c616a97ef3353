"""Reductions of rows by virtual lanes, butterfly and slices: the one tree that the contract allows.

Arguments are float32 arrays [..., hd] (leading axes are a batch and broadcast), results float32 [...]; `planes` of them keep the slices
apart, [S, ...]. NaN payloads are not kept: `bits.store` makes them canonical.
"""

import numpy as np

from . import bits, slices


def _add(a, b):
    with np.errstate(all="ignore"):
        return a + b


def _larger_abs(a, b):
    return np.where(b > a, b, a)  # on numbers without sign and NaN


_OPS = {
    "sum": (_add, 0.0),
    "max": (bits.maximum, -np.inf),
    "min": (bits.minimum, np.inf),
    "amax": (_larger_abs, 0.0),
}


def lanes(x, start, stop, fill):
    """Columns start .. stop as the 4 columns of 32 lanes, [..., 32, 4]; what is past the slice is `fill`."""
    part = np.asarray(x, np.float32)[..., start:stop]
    full = np.full((*part.shape[:-1], slices.WIDEST), fill, np.float32)
    full[..., : stop - start] = part
    return full.reshape(*part.shape[:-1], slices.LANES, slices.COLUMNS)


def butterfly(p, op):
    """32 partials [..., 32] to one value: p[l] op p[l ^ d] for d = 16, 8, 4, 2, 1. Lane 0's tree, which is every lane's: op commutes."""
    for d in (16, 8, 4, 2, 1):
        p = op(p[..., :d], p[..., d : 2 * d])
    return p[..., 0]


def dot_planes(x, m):
    """The dot products of every slice of x and m, [S, ...]."""
    hd = np.shape(x)[-1]
    if np.shape(m)[-1] != hd:
        raise ValueError(f"expected rows of one width, got {hd} and {np.shape(m)[-1]}")
    out = []
    for start, stop in slices.bounds(hd):
        a, b = lanes(x, start, stop, 0.0), lanes(m, start, stop, 0.0)
        with np.errstate(all="ignore"):
            p = a[..., 0] * b[..., 0]
        for c in (1, 2, 3):
            p = bits.fma(a[..., c], b[..., c], p)
        out.append(butterfly(p, _add))
    return np.stack(out)


def reduce_planes(x, kind):
    """The sum, max, min or amax of every slice of x, [S, ...]. amax: largest absolute value from +0, NaN ignored."""
    op, identity = _OPS[kind]
    x = np.asarray(x, np.float32)
    if kind == "amax":
        x = np.where(np.isnan(x), np.float32(0), np.abs(x))
    out = []
    for start, stop in slices.bounds(x.shape[-1]):
        v = lanes(x, start, stop, identity)
        out.append(butterfly(op(op(op(v[..., 0], v[..., 1]), v[..., 2]), v[..., 3]), op))
    return np.stack(out)


def combine(planes, kind="sum"):
    """Slices' values [S, ...] to one, in slice order from the first; dots combine by "sum"."""
    op = _OPS[kind][0]
    value = planes[0]
    for plane in planes[1:]:
        value = op(value, plane)
    return value


def dot(x, m):
    """Dot products of rows x and m, [...]."""
    return combine(dot_planes(x, m))


def reduce(x, kind):
    """Sum, max, min or amax of rows x, [...]."""
    return combine(reduce_planes(x, kind), kind)
