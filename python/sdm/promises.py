"""check=True: what records promise, verified before a launch, on the CPU, in numpy.

Flags fit the keys, keys differ between the groups of a launch where a group writes at its key, unique fields differ within a chunk,
and every field that indexes an operand stays inside it. Lists on a GPU are copied to the host first, which waits for the device.
"""

from __future__ import annotations

import numpy as np

from sdm.accesses import Access
from sdm.arrays import ArrayView
from sdm.errors import CheckError
from sdm.operands import Operand, Operands

WORDS = {"i1": np.uint32, "i32": np.int32, "i64": np.int64, "f32": np.float32}


def verify(kernel: str, operands: Operands, accesses: tuple[Access, ...], chunks: range) -> None:
    """Checks the chunks of one launch. Errors: CheckError that names kernel, operand and the record's [chunk, position]."""
    for number, operand in enumerate(operands.present):
        if operand.records is None or not len(chunks) or not operand.view.shape[1]:
            continue
        mine = [access for access in accesses if access.walked == number]
        fields = Fields(operand, chunks)
        where = f"{kernel}: {operand.name}"
        _flags(where, fields)
        if any(access.store and any(place.kind == "key" for place in access.indices) for access in mine):
            _distinct_keys(where, fields)
        unique = operand.records.layout.record.unique
        if unique and any(access.store and any(place.kind == "field" for place in access.indices) for access in mine):
            _distinct_fields(where, fields, unique)
        for access in mine:
            _ranges(kernel, fields, operands.present[access.operand], access)


class Fields:
    """The fields of some chunks of a list as arrays [chunks, n] on the host."""

    def __init__(self, operand: Operand, chunks: range):
        self.operand, self.chunks, self.layout = operand, chunks, operand.records.layout
        start = chunks.start - operand.first_chunk
        self.planes = [host_bytes(view, start, len(chunks)) for view in operand.views]
        self.first, self.last, self.invalid = (self.get(name).astype(bool) for name in ("$first", "$last", "$invalid"))
        self.valid = ~self.invalid
        self.key = self.get(self.layout.record.key).astype(np.int64)

    def get(self, name: str) -> np.ndarray | None:
        """A field's values, None when the layout has no place for it (flags: False)."""
        place = self.layout.field(name)
        shape = self.planes[0].shape[:2]
        if place is None:
            return np.zeros(shape, bool) if name.startswith("$") else None
        if place.constant is not None:
            return np.full(shape, place.constant)
        size = 8 if place.type == "i64" and not place.bits else 4
        raw = np.ascontiguousarray(self.planes[place.plane][:, :, place.byte : place.byte + size])
        if place.bits is None:
            return raw.view(WORDS[place.type])[:, :, 0]
        low, high = place.bits
        return (raw.view(np.uint32)[:, :, 0] >> np.uint32(low)) & np.uint32((1 << (high - low + 1)) - 1)

    def at(self, mask: np.ndarray) -> str:
        """The first record of a mask as "[chunk, position]"."""
        chunk, position = np.unravel_index(int(np.argmax(mask)), mask.shape)
        return f"[{self.chunks.start + chunk}, {position}]"


def host_bytes(view: ArrayView, start: int, count: int) -> np.ndarray:
    """Bytes [count, n, bytes of a record] of a plane's chunks from `start` on."""
    n, size = view.shape[1], view.strides[1]
    out = np.empty((count, n, size), np.uint8)
    for chunk in range(count):
        source = view.pointer + (start + chunk) * view.strides[0]
        _copy(view, out[chunk].ctypes.data, source, n * size)
    return out


def _copy(view: ArrayView, target: int, source: int, size: int) -> None:
    if view.device == "cpu":
        import ctypes

        ctypes.memmove(target, source, size)
        return
    from sdm import _sdm, arrays

    stream = 0
    if arrays.is_torch(view.owner):
        import torch

        if torch.cuda.is_current_stream_capturing():
            raise CheckError("check=True copies records to the host, which a stream that is being captured cannot do")
        stream = torch.cuda.current_stream(view.owner.device).cuda_stream
    _sdm.cuda_copy_to_host(view.device_index, target, source, size, stream)
    _sdm.cuda_synchronize(view.device_index, stream)


def _fail(where: str, fields: Fields, mask: np.ndarray, sentence: str) -> None:
    if mask.any():
        raise CheckError(f"{where}{fields.at(mask)}: {sentence}")


def _flags(where: str, fields: Fields) -> None:
    first, last, invalid, key = fields.first, fields.last, fields.invalid, fields.key
    both = invalid & ~(first & last)
    _fail(where, fields, both, "expected FIRST and LAST on an invalid record (it is a group of its own)")
    _fail(where, fields, fields.valid & _after(invalid, False), "expected invalid records behind all valid ones")
    _fail(where, fields, first != _after(last, True), "expected FIRST behind each LAST and nowhere else")
    end = np.zeros_like(last)
    end[:, -1] = ~last[:, -1]
    _fail(where, fields, end, "expected LAST on the last record of a chunk")
    valid_pair = fields.valid & ~first
    _fail(where, fields, valid_pair & (key != _after(key, 0)), "expected one key within a group")
    again = fields.valid & first & (key <= _after(key, -(1 << 62)))
    _fail(where, fields, again, "expected keys in ascending order, a new one for each group")


def _after(values: np.ndarray, first) -> np.ndarray:
    """Each position's predecessor; `first` where there is none."""
    shifted = np.empty_like(values)
    shifted[:, 0] = first
    shifted[:, 1:] = values[:, :-1]
    return shifted


def _distinct_keys(where: str, fields: Fields) -> None:
    starts = fields.first & fields.valid
    keys = fields.key[starts]
    order = np.argsort(keys, kind="stable")
    double = np.zeros(len(keys), bool)
    double[order[1:]] = keys[order[1:]] == keys[order[:-1]]
    mask = np.zeros(starts.shape, bool)
    mask[starts] = double
    if mask.any():
        key = fields.key[np.unravel_index(int(np.argmax(mask)), mask.shape)]
        raise CheckError(f"{where}{fields.at(mask)}: expected distinct keys across the groups of a launch, got {key} twice")


def _distinct_fields(where: str, fields: Fields, unique: tuple[str, ...]) -> None:
    columns = [fields.get(name).astype(np.int64) for name in unique]
    for chunk in range(columns[0].shape[0]):
        rows = np.stack([column[chunk] for column in columns], 1)
        order = np.lexsort(rows.T)
        same = (rows[order[1:]] == rows[order[:-1]]).all(1)
        if same.any():
            mask = np.zeros(columns[0].shape, bool)
            mask[chunk, order[1:][same]] = True
            position = int(np.argmax(mask[chunk]))
            got = ", ".join(f"{name} {value}" for name, value in zip(unique, rows[position]))
            raise CheckError(f"{where}{fields.at(mask)}: expected each {' and '.join(unique)} once in a chunk, got {got} twice")


def _ranges(kernel: str, fields: Fields, target: Operand, access: Access) -> None:
    """Fields that index an operand stay inside it: for valid records, and for invalid ones where they store their +0."""
    for axis, place in enumerate(access.indices):
        values = _index(fields, place)
        if values is None:
            continue
        extent, first = target.view.shape[axis], target.first_chunk if axis == 0 else 0
        values = values - np.int64(first)
        counts = fields.valid if not (access.store and access.member and place.kind != "key") else np.ones_like(fields.valid)
        outside = counts & ((values < 0) | (values >= extent))
        if outside.any():
            value = values[np.unravel_index(int(np.argmax(outside)), outside.shape)]
            what = fields.layout.record.key if place.kind == "key" else place.name or place.kind
            raise CheckError(
                f"{kernel}: {fields.operand.name}{fields.at(outside)}: expected {what} within {first} .. {first + extent - 1} "
                f"(axis {axis} of {target.name}), got {value + first}"
            )


def _index(fields: Fields, place) -> np.ndarray | None:
    if place.kind == "key":
        return fields.key
    if place.kind == "field":
        return fields.get(place.name)
    if place.kind == "index":
        return fields.get("$index")
    if place.kind == "ordinal":
        return np.where(fields.valid, fields.get("$ordinal"), 0)
    return None
