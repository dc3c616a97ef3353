"""Sampled dense-dense product: out = dot(a[i], b[j]) for every pair (i, j) of a list, in no particular order."""

import numpy as np

from . import bits, groups, reduce


def run(a, b, i, j, valid=None, out=None, index=None):
    """Returns f32 out of the shape of i.

    a: rows [M, width]; b: rows [K, width]; i, j: integers of any one shape; valid: mask of that shape, +0 where it is false. index
    (with out: f32 [m]): where in out each pair's value goes, instead of its own place. Errors: widths that differ, rows out of range.
    """
    width = a.shape[-1]
    if b.shape[-1] != width:
        raise ValueError(f"expected b rows of {width} columns, got {b.shape[-1]}")
    i, j = np.asarray(i), np.asarray(j)
    value = np.zeros(i.size, np.float32)
    used = np.arange(i.size) if valid is None else np.flatnonzero(valid)
    step = max(1, groups.BLOCK // width)
    for at in (used[k : k + step] for k in range(0, len(used), step)):
        x, y = bits.to_f32(a[i.reshape(-1)[at]]), bits.to_f32(b[j.reshape(-1)[at]])
        value[at] = bits.store(reduce.dot(x, y), bits.F32)
    if index is None:
        return value.reshape(i.shape)
    out = out.copy()
    out[np.asarray(index).reshape(-1)] = value
    return out
