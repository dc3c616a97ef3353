"""What must hold of the operands of a call, given what the kernel does with them; checked once, when they are bound."""

from __future__ import annotations

import dataclasses

from sdm import arrays
from sdm.accesses import Access, Place, by_chunk, written
from sdm.errors import OperandError
from sdm.operands import Operand, Operands

# Where an index comes from, if its range is known when operands are bound.
COUNTED = {"index": "a row for each of the", "pos": "a row for each of the"}


def check(operands: Operands, accesses: tuple[Access, ...]) -> None:
    """Errors: OperandError that names the operand, what was expected and what came."""
    _firsts(operands, accesses)
    stored = written(accesses)
    for number, operand in enumerate(operands.present):
        if number in stored:
            _writable(operand)
            _alone(operand, operands.present)
    for access in accesses:
        _extents(operands.present, access)


def check_chunks(operands: Operands, accesses: tuple[Access, ...], chunks: range) -> None:
    """Whether every operand with a chunk axis has these chunks."""
    if not len(chunks):
        return
    present = operands.present
    axes = {(number, 0) for number, operand in enumerate(present) if operand.records}
    axes |= {(access.operand, axis) for access in accesses for axis, place in enumerate(access.indices) if place.kind == "chunk"}
    for number, axis in sorted(axes):
        operand = present[number]
        first, count = operand.first_chunk if axis == 0 else 0, operand.view.shape[axis]
        if chunks.start < first or chunks.stop > first + count:
            raise OperandError(
                f"{operand.name}: expected chunks {chunks.start} to {chunks.stop - 1} of the launch, got {count} from chunk {first}"
            )


def check_moved(operands: Operands, accesses: tuple[Access, ...], lists: set[int]) -> None:
    """What other first chunks, and other records of the operands numbered `lists`, could break after `check`."""
    _firsts(operands, accesses)
    for number in written(accesses):
        _alone(operands.present[number], tuple(operands.present[other] for other in lists))
    for access in accesses:
        if any(place.records in lists for place in access.indices):
            _extents(operands.present, access)


def _firsts(operands: Operands, accesses: tuple[Access, ...]) -> None:
    """A first chunk belongs to records and to operands whose first axis counts chunks."""
    counted = by_chunk(accesses)
    for number, operand in enumerate(operands.present):
        if operand.first_chunk and not operand.records and number not in counted:
            raise OperandError(f"first_chunk: expected names of operands with a chunk axis, got {operand.name!r}")


def _writable(operand: Operand) -> None:
    if operand.view.readonly:
        raise OperandError(f"{operand.name}: expected an array that can be written (the kernel stores to it), got a read-only one")
    if arrays.overlaps_itself(operand.view):
        raise OperandError(
            f"{operand.name}: expected one place for each index (the kernel stores to it), "
            f"got strides {list(operand.view.strides)} for {list(operand.view.shape)}"
        )


def _alone(operand: Operand, others: tuple[Operand, ...]) -> None:
    for other in others:
        if other is not operand and any(arrays.overlap(operand.view, view) for view in _memory(other)):
            raise OperandError(f"{operand.name}: expected memory of its own (the kernel stores to it), got memory that {other.name} uses")


def _memory(operand: Operand) -> tuple[arrays.ArrayView, ...]:
    """The operand's views, those of records with all words of each record."""
    if operand.records is None:
        return operand.views
    return tuple(
        dataclasses.replace(view, shape=(*view.shape, size // view.itemsize), strides=(*view.strides, view.itemsize))
        for view, size in zip(operand.views, operand.records.layout.planes)
    )


def _extents(present: tuple[Operand, ...], access: Access) -> None:
    operand = present[access.operand]
    for axis, place in enumerate(access.indices):
        extent = operand.view.shape[axis]
        if place.kind in ("constant", "row") and not access.guarded:
            _reaches(operand, axis, place, present[access.walked])
        if place.records < 0 or present[place.records].records is None:
            continue
        source = present[place.records]
        num_keys = source.records.num_keys
        if place.kind == "key" and num_keys is not None and extent < num_keys:
            raise OperandError(f"{operand.name}: expected at least {num_keys} along axis {axis} (num_keys of {source.name}), got {extent}")
        n = source.view.shape[1]
        if place.kind in COUNTED and extent < n and source.view.shape[0]:
            raise OperandError(f"{operand.name}: expected {COUNTED[place.kind]} {n} records of {source.name} along axis {axis}, got {extent}")


def _reaches(operand: Operand, axis: int, place: Place, walked: Operand) -> None:
    """A constant index, or the index of a row that is walked, is one of the operand's. Nothing is read where nothing is walked."""
    extent, first = operand.view.shape[axis], operand.first_chunk if axis == 0 else 0
    rows = walked.view.shape[0]
    if not rows or (walked.records and not walked.view.shape[1]):
        return
    if place.kind == "row" and extent < rows:
        raise OperandError(f"{operand.name}: expected a row for each of the {rows} of {walked.name} along axis {axis}, got {extent}")
    if place.kind == "constant" and not 0 <= place.name - first < extent:
        raise OperandError(f"{operand.name}: expected index {place.name} (which the kernel uses) within axis {axis}, got an extent of {extent}")
