"""`sdm.sort`: unsorted keys and payload to a list of records, sorted by key, in numpy or torch, where the arrays lie.

The result is an operand of any kernel whose record has these payload fields; it can be used again, forward and backward.
"""

from __future__ import annotations

import dataclasses
import operator

import numpy as np

from sdm import arrays
from sdm.records import FLAG_BITS

FIRST, LAST, INVALID = (1 << FLAG_BITS[name] for name in ("$first", "$last", "$invalid"))


@dataclasses.dataclass(frozen=True)
class SortedRecords:
    """Lists sorted by key, all arrays [chunks, n] of one kind (numpy or torch).

    key int32 or int64 (0 where invalid); index int32: position in the unsorted list; ordinal int32: which group of its chunk (-1
    where invalid); flags int32: FIRST, LAST, INVALID; payload: the fields by name.
    """

    key: object
    index: object
    ordinal: object
    flags: object
    payload: dict
    num_keys: int

    @property
    def shape(self) -> tuple[int, int]:
        return tuple(self.key.shape)


def sort(keys, *, num_keys: int, valid=None, **payload) -> SortedRecords:
    """Sorts records by key, keeping the order of equal keys.

    keys: int32 or int64, [n] (one chunk) or [chunks, n]; num_keys: keys are 0 .. num_keys - 1, any other key is an invalid record, as
    is one where `valid` (bool, the shape of keys) is False; payload: arrays of the shape of keys, fields by name. Invalid records come
    last, each a group of its own. Errors: TypeError, ValueError with the array's name.
    """
    ops = _Torch() if arrays.is_torch(keys) else _Numpy()
    keys = ops.take("keys", keys)
    if keys.ndim not in (1, 2):
        raise ValueError(f"keys: expected 1 axis (one chunk) or 2 (chunks, n), got {keys.ndim}")
    if ops.kind("keys", keys) not in ("i32", "i64"):
        raise TypeError(f"keys: expected int32 or int64, got {keys.dtype}")
    shape = tuple(keys.shape)
    if shape[-1] >= 1 << 31:
        raise ValueError(f"keys: expected fewer than 2^31 records a chunk, got {shape[-1]}")
    num_keys = _count("num_keys", num_keys)
    sheets = {name: _like(ops, name, array, keys) for name, array in payload.items()}
    mask = None if valid is None else _like(ops, "valid", valid, keys)
    if mask is not None and ops.kind("valid", mask) != "bool":
        raise TypeError(f"valid: expected a mask of bool, got {mask.dtype}")
    keys2 = keys.reshape(1, -1) if keys.ndim == 1 else keys
    pick = (lambda a: a.reshape(keys2.shape)) if keys.ndim == 1 else (lambda a: a)
    return _sorted(ops, keys2, num_keys, None if mask is None else pick(mask), {k: pick(v) for k, v in sheets.items()})


def _count(name: str, value) -> int:
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {value!r}") from None
    if isinstance(value, bool) or not 0 <= count < 1 << 63:
        raise ValueError(f"{name}: expected a number from 0 to 2^63 - 1, got {value}")
    return count


def _like(ops, name: str, array, keys):
    array = ops.take(name, array)
    ops.kind(name, array)
    if tuple(array.shape) != tuple(keys.shape):
        raise ValueError(f"{name}: expected the shape of keys, {list(keys.shape)}, got {list(array.shape)}")
    if arrays.view(array).device != arrays.view(keys).device:
        raise ValueError(f"{name}: expected it on {arrays.view(keys).device} as keys are, got {arrays.view(array).device}")
    return array


def _sorted(ops, keys, num_keys: int, mask, payload: dict) -> SortedRecords:
    ok = (keys >= 0) & (keys < num_keys)
    if mask is not None:
        ok = ok & mask
    # Invalid records take the key past all others; as int64 it cannot meet a key of int32.
    order = ops.stable(ops.where(ok, ops.long(keys), num_keys))
    ok = ops.gather(ok, order)
    key = ops.where(ok, ops.gather(keys, order), 0)
    first = ops.edge(key, ok)
    last = ops.ones_like(first)
    last[:, :-1] = first[:, 1:]
    ordinal = ops.where(ok, ops.running(first) - 1, -1)
    word = ops.where(first, FIRST, 0) | ops.where(last, LAST, 0) | ops.where(ok, 0, INVALID)
    gathered = {name: ops.gather(array, order) for name, array in payload.items()}
    return SortedRecords(key, ops.int32(order), ops.int32(ordinal), ops.word(word), gathered, num_keys)


class _Ops:
    def kind(self, name: str, array) -> str:
        """The element type of an array. Errors: TypeError with the array's name for types and byte orders that nothing here has."""
        try:
            return arrays.view(array).dtype
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None


class _Numpy(_Ops):
    def take(self, name: str, array):
        if arrays.is_torch(array):
            raise TypeError(f"{name}: expected a numpy array as keys are, got a torch tensor")
        return array if isinstance(array, np.ma.MaskedArray) else np.asarray(array)

    def stable(self, key):
        return np.argsort(key, axis=1, kind="stable")

    def gather(self, array, order):
        return np.take_along_axis(array, order, 1)

    def where(self, condition, a, b):
        other = a if isinstance(a, np.ndarray) else b
        dtype = other.dtype if isinstance(other, np.ndarray) else np.int64
        return np.where(condition, np.asarray(a, dtype), np.asarray(b, dtype))

    def long(self, array):
        return array.astype(np.int64)

    def int32(self, array):
        return np.ascontiguousarray(array.astype(np.int32))

    def word(self, array):
        return array.astype(np.uint32).view(np.int32)

    def ones_like(self, array):
        return np.ones_like(array)

    def running(self, array):
        return np.cumsum(array, axis=1)

    def edge(self, key, ok):
        first = np.ones(key.shape, bool)
        first[:, 1:] = (key[:, 1:] != key[:, :-1]) | ~ok[:, 1:]
        return first


class _Torch(_Ops):
    def __init__(self):
        import torch

        self.torch = torch

    def take(self, name: str, array):
        if not arrays.is_torch(array):
            raise TypeError(f"{name}: expected a torch tensor as keys are, got {type(array).__name__}")
        return array.detach()

    def stable(self, key):
        return self.torch.sort(key, dim=1, stable=True).indices

    def gather(self, array, order):
        return array.gather(1, order)

    def where(self, condition, a, b):
        torch = self.torch
        like = a if torch.is_tensor(a) else b
        dtype = like.dtype if torch.is_tensor(like) else torch.int64
        as_tensor = lambda x: x if torch.is_tensor(x) else torch.full((), x, dtype=dtype, device=condition.device)  # noqa: E731
        return torch.where(condition, as_tensor(a), as_tensor(b))

    def long(self, array):
        return array.long()

    def int32(self, array):
        return array.to(self.torch.int32).contiguous()

    def word(self, array):
        # Bit 31 is the sign: int64 words of 2^31 and more wrap by hand, a plain cast need not.
        return self.torch.where(array >= 1 << 31, array - (1 << 32), array).to(self.torch.int32)

    def ones_like(self, array):
        return self.torch.ones_like(array)

    def running(self, array):
        return array.long().cumsum(1)

    def edge(self, key, ok):
        first = self.torch.ones(key.shape, dtype=self.torch.bool, device=key.device)
        first[:, 1:] = (key[:, 1:] != key[:, :-1]) | ~ok[:, 1:]
        return first
