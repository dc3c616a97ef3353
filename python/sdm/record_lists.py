"""A list of records as an operand: a layout and the arrays that hold its planes."""

from __future__ import annotations

import dataclasses

from sdm import arrays, records
from sdm.dtypes import BY_NAME
from sdm.errors import OperandError
from sdm.records import Layout
from sdm.sort import SortedRecords


@dataclasses.dataclass(frozen=True)
class RecordList:
    """Planes [chunks, n] (each with any further axes of one record's bytes), dense along n, in the layout's order.

    first_chunk: the number of the first chunk that the planes hold.
    """

    layout: Layout
    planes: tuple
    first_chunk: int = 0
    num_keys: int | None = None  # keys of valid records are below it, where that is known


def bound(layout: Layout, *planes, first_chunk: int = 0) -> RecordList:
    """Arrays bound to a layout: what a kernel takes as its records."""
    return RecordList(layout, planes, first_chunk)


def of(name: str, argument, record: type[records.Record]) -> RecordList:
    """What was given for the parameter `name`, as a list of `record`s. Errors: OperandError with the sentence to print."""
    if isinstance(argument, SortedRecords):
        return _of_sorted(name, argument, record)
    if not isinstance(argument, RecordList):
        raise OperandError(
            f"{name}: expected records (sdm.sort(...) or arrays bound to a layout), got {type(argument).__name__}"
        )
    if argument.layout.record is not record:
        raise OperandError(
            f"{name}: expected records of type {record.__name__}, got a layout of {argument.layout.record.__name__}"
        )
    return argument


def _of_sorted(name: str, argument: SortedRecords, record: type[records.Record]) -> RecordList:
    payload = {}
    for field, array in argument.payload.items():
        if field == record.key or field not in record.fields:
            known = ", ".join(other for other in record.fields if other != record.key) or "none"
            raise OperandError(f"{name}: records of type {record.__name__} have no payload field {field!r}; theirs are {known}")
        found, wanted = arrays.view(array).dtype, record.fields[field].type.name
        if found != wanted:
            raise OperandError(f"{name}: expected {field} as {wanted}, got {found}")
        payload[field] = array
    for field, declared in record.fields.items():
        if field != record.key and field not in payload and declared.default is records.MISSING:
            raise OperandError(f"{name}: expected a payload field {field!r} of {record.__name__} in sdm.sort(...), got none")
    layout = records.arrays(record, tuple(payload), BY_NAME[arrays.view(argument.key).dtype])
    sheets = {
        record.key: argument.key, "$index": argument.index, "$ordinal": argument.ordinal, "$flags": argument.flags,
        **payload,
    }  # fmt: skip
    planes = tuple(_dense(sheets[plane]) for plane in layout.names)
    return RecordList(layout, planes, num_keys=argument.num_keys)


def _dense(array):
    return array.contiguous() if arrays.is_torch(array) else array if array.flags.c_contiguous else array.copy()


def views(name: str, records_of: RecordList) -> tuple[arrays.ArrayView, ...]:
    """Views [chunks, n] of the planes, an element being one record's bytes. Errors: planes that do not fit the layout."""
    layout = records_of.layout
    if len(records_of.planes) != len(layout.planes):
        raise OperandError(f"{name}: expected {len(layout.planes)} arrays for this layout, got {len(records_of.planes)}")
    found, shape = [], None
    for position, (array, size) in enumerate(zip(records_of.planes, layout.planes)):
        label = f"{name}.{layout.names[position]}" if position < len(layout.names) else f"{name}[{position}]"
        try:
            view = arrays.view(array)
        except TypeError as error:
            raise OperandError(f"{label}: {error}") from None
        word = 8 if any(place.plane == position and place.type == "i64" for place in layout.places) else 4
        view = _plane(label, view, size, min(word, size))
        if shape not in (None, view.shape):
            raise OperandError(f"{label}: expected {list(shape)} chunks and records as the other arrays, got {list(view.shape)}")
        shape = view.shape
        found.append(view)
    return tuple(found)


def _plane(label: str, view: arrays.ArrayView, size: int, word: int) -> arrays.ArrayView:
    if view.rank < 2:
        raise OperandError(f"{label}: expected [chunks, n] and the words of a record, got {list(view.shape)}")
    chunks, n, *rest = view.shape
    words = arrays.ArrayView(0, tuple(rest), (), view.dtype, "cpu").size * view.itemsize
    if words != size:
        raise OperandError(f"{label}: expected records of {size} bytes, got {words} ({view.dtype} {list(view.shape)})")
    dense, step = [], view.itemsize
    for extent in reversed((n, *rest)):
        dense.append(step)
        step *= extent
    for extent, stride, wanted in zip((n, *rest), view.strides[1:], reversed(dense)):
        if extent > 1 and stride != wanted and view.size:
            raise OperandError(f"{label}: expected records one after the other in memory, got strides {list(view.strides)}")
    if view.size and (view.pointer % word or (chunks > 1 and view.strides[0] % word)):
        raise OperandError(f"{label}: expected words aligned to {word} bytes, got an array at {view.pointer:#x}")
    return dataclasses.replace(view, shape=(chunks, n), strides=(view.strides[0], size))
