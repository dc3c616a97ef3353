"""A binding once more, on other arrays of the same form: what was checked, looked up and compiled for the first ones holds for them."""

from __future__ import annotations

import dataclasses

from sdm.accesses import written
from sdm.arrays import moved
from sdm.bind import Bound
from sdm.operands import Operand

# Addresses that are equal modulo this are alike to a kernel: no access is wider.
ALIGNMENT = 16


class Form:
    """A binding without its arrays: it keeps no memory alive.

    Arrays of its form have the same shapes, strides, types and device as those that were bound, can be written where those are, and lie at
    addresses equal to theirs modulo ALIGNMENT. That is the caller's to know, and that options and kernel are the same; see `at`.
    """

    def __init__(self, bound: Bound):
        views = [view for operand in bound.operands.present for view in operand.views]
        self.bound = _on(bound, [(view.pointer % ALIGNMENT, None) for view in views])
        self.bound.scratch = ()
        self.spans = [_span(operand, number) for operand in bound.operands.present for number in range(len(operand.views))]
        stored = written(bound.program.artifact.accesses)
        self.stored = [i for i, number in enumerate(_numbers(bound)) if number in stored]

    def at(self, arrays: list[tuple[int, object]]) -> Bound | None:
        """The binding on (address, owner) of each array, record planes one by one, in the order of the operands.

        None where an array that the kernel stores to may share memory with another: `bind` says what is wrong with it.
        """
        places = [(pointer + low, pointer + high) for (pointer, _), (low, high) in zip(arrays, self.spans)]
        for i in self.stored:
            low, high = places[i]
            if any(other_low < high and low < other_high for j, (other_low, other_high) in enumerate(places) if j != i):
                return None
        found = _on(self.bound, arrays)
        program, present = found.program, found.operands.present
        found.scratch = found.planes()
        found.buffer = bytearray(self.bound.buffer)
        for number, operand in enumerate(present):
            if operand.views:
                program.rebase(found.buffer, number, operand, operand.first_chunk)
        program.place_scratch(found.buffer, len(present), found.scratch, found.chunks.start)
        found.pending, found.launched, found.planned = [], [], []
        return found


def _on(bound: Bound, arrays: list[tuple[int, object]]) -> Bound:
    """A copy of a binding whose operands lie elsewhere; its buffer does not know it yet."""
    taken, present = iter(arrays), []
    for operand in bound.operands.present:
        views = tuple(moved(view, pointer, owner) for view, (pointer, owner) in zip(operand.views, taken))
        records = operand.records and dataclasses.replace(operand.records, planes=views)
        present.append(Operand(operand.name, operand.spec, views, operand.value, records, operand.first_chunk))
    found = object.__new__(Bound)
    found.__dict__.update(bound.__dict__, operands=dataclasses.replace(bound.operands, present=tuple(present)))
    return found


def _numbers(bound: Bound) -> list[int]:
    """The operand that each array belongs to."""
    return [number for number, operand in enumerate(bound.operands.present) for _ in operand.views]


def _span(operand: Operand, number: int) -> tuple[int, int]:
    """First byte of an array and the byte past the last one, from its address."""
    view = operand.views[number]
    low, high = view.bounds()
    if low < high and operand.records is not None:
        high += operand.records.layout.planes[number] - view.itemsize  # an element stands for a record's bytes
    return low - view.pointer, high - view.pointer
