"""New arrays of the kind that another one is: numpy or torch, on its device."""

from __future__ import annotations

import numpy as np

from sdm import arrays
from sdm.errors import OperandError


def like(name: str, array):
    """The maker of arrays beside `array`. Errors: OperandError for what is neither numpy nor torch."""
    if arrays.is_torch(array):
        return _Torch(array.device)
    if isinstance(array, np.ndarray):
        return _Numpy()
    raise OperandError(f"{name}: expected a numpy array or a torch tensor, got {type(array).__name__}")


class _Like:
    """What both kinds share. `kind`: the class of their arrays."""

    def integers(self, name: str, array):
        """`array` itself. Errors: OperandError unless it is an array of this kind, of int32 or int64."""
        found = arrays.view(array).dtype if isinstance(array, self.kind) else type(array).__name__
        if found not in ("i32", "i64"):
            raise OperandError(f"{name}: expected int32 or int64 in a {self.called}, got {found}")
        return array


class _Numpy(_Like):
    kind, called = np.ndarray, "numpy array"

    def zeros(self, shape, dtype):
        return np.zeros(shape, dtype)

    def empty(self, shape, dtype):
        return np.empty(shape, dtype)

    def f32(self, shape):
        return np.empty(shape, np.float32)

    def int32(self, array):
        return np.asarray(array).astype(np.int32)

    def bag_of(self, offsets, n: int):
        """For each of n uses, the bag that it belongs to, from the bags' first uses."""
        return (np.searchsorted(np.asarray(offsets), np.arange(n), side="right") - 1).astype(np.int32)


class _Torch(_Like):
    called = "torch tensor"

    def __init__(self, device):
        import torch

        self.torch, self.device, self.kind = torch, device, torch.Tensor

    def zeros(self, shape, dtype):
        return self.torch.zeros(shape, dtype=dtype, device=self.device)

    def empty(self, shape, dtype):
        return self.torch.empty(shape, dtype=dtype, device=self.device)

    def f32(self, shape):
        return self.empty(shape, self.torch.float32)

    def int32(self, array):
        return array.to(self.torch.int32)

    def bag_of(self, offsets, n: int):
        places = self.torch.arange(n, device=self.device, dtype=offsets.dtype)
        return (self.torch.searchsorted(offsets, places, right=True) - 1).to(self.torch.int32)
