"""What must hold of the operands of a call, given what the kernel does with them; checked once, when they are bound."""

from __future__ import annotations

from sdm import arrays
from sdm.accesses import Access, by_chunk, written
from sdm.errors import OperandError
from sdm.operands import Operand, Operands

# Where an index comes from, if its range is known when operands are bound.
COUNTED = {"index": "a row for each of the", "pos": "a row for each of the"}


def check(operands: Operands, accesses: tuple[Access, ...]) -> None:
    """Errors: OperandError that names the operand, what was expected and what came."""
    stored = written(accesses)
    for number, operand in enumerate(operands.present):
        if number in stored:
            _writable(operand)
            _alone(operand, operands.present)
    for access in accesses:
        _extents(operands.present, access)


def check_chunks(operands: Operands, accesses: tuple[Access, ...], chunks: range) -> None:
    """Whether every operand with a chunk axis has these chunks."""
    counted = by_chunk(accesses)
    for number, operand in enumerate(operands.present):
        if not (operand.records or number in counted) or not len(chunks):
            continue
        first, count = operand.first_chunk, operand.view.shape[0]
        if chunks.start < first or chunks.stop > first + count:
            raise OperandError(
                f"{operand.name}: expected chunks {chunks.start} to {chunks.stop - 1} of the launch, got {count} from chunk {first}"
            )


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
        if other is not operand and any(arrays.overlap(operand.view, view) for view in other.views):
            raise OperandError(f"{operand.name}: expected memory of its own (the kernel stores to it), got memory that {other.name} uses")


def _extents(present: tuple[Operand, ...], access: Access) -> None:
    operand = present[access.operand]
    for axis, place in enumerate(access.indices):
        if place.records < 0 or present[place.records].records is None:
            continue
        source, extent = present[place.records], operand.view.shape[axis]
        num_keys = source.records.num_keys
        if place.kind == "key" and num_keys is not None and extent < num_keys:
            raise OperandError(f"{operand.name}: expected at least {num_keys} along axis {axis} (num_keys of {source.name}), got {extent}")
        n = source.view.shape[1]
        if place.kind in COUNTED and extent < n and source.view.shape[0]:
            raise OperandError(f"{operand.name}: expected {COUNTED[place.kind]} {n} records of {source.name} along axis {axis}, got {extent}")
