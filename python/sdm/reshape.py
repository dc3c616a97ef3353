"""Other shapes for a view, without a copy."""

from __future__ import annotations

import dataclasses
import math

from sdm.arrays import ArrayView


def reshape(view: ArrayView, shape: tuple[int, ...]) -> ArrayView | None:
    """The same elements in row-major order as another shape; None when strides cannot say it, or the count differs."""
    if math.prod(shape) != view.size:
        return None
    if not view.size:
        return dataclasses.replace(view, shape=tuple(shape), strides=(view.itemsize,) * len(shape))
    # Runs of axes that are dense in each other, each as (elements, innermost stride), the last run first.
    runs: list[list[int]] = []
    for extent, stride in zip(reversed(view.shape), reversed(view.strides)):
        if extent == 1:
            continue
        if runs and stride == runs[-1][0] * runs[-1][1]:
            runs[-1][0] *= extent
        else:
            runs.append([extent, stride])
    strides, run = [], iter(runs)
    left, step = next(run, [1, view.itemsize])
    for extent in reversed(shape):
        if left == 1 and extent != 1:
            left, step = next(run)
        if left % extent:
            return None
        strides.append(step)
        left, step = left // extent, step * extent
    return dataclasses.replace(view, shape=tuple(shape), strides=tuple(reversed(strides)))
