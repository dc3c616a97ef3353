"""A binding once more, on other arrays of the same form: what was checked, looked up and compiled for the first ones holds for them."""

from __future__ import annotations

import dataclasses
import functools

from sdm.accesses import written
from sdm.arrays import moved
from sdm.bind import Bound
from sdm.operands import Operand, Operands
from sdm.program import put_address

# Addresses that are equal modulo this are alike to a kernel: no access is wider.
ALIGNMENT = 16
# What a binding has for its own arrays and launches.
OWN = {"operands", "arrays", "scratch", "buffer", "pending", "launched", "planned"}


class Form:
    """A binding without its arrays: it keeps no memory alive.

    Arrays of its form have the same shapes, strides, types and device as those that were bound, can be written where those are, and lie at
    addresses equal to theirs modulo ALIGNMENT. That is the caller's to know, and that options and kernel are the same; see `at`.
    """

    def __init__(self, bound: Bound):
        operands, program = bound.operands, bound.program
        views = [view for operand in operands.present for view in operand.views]
        outline = _on(operands, [(view.pointer % ALIGNMENT, None) for view in views])
        self.facts = {**{name: value for name, value in bound.__dict__.items() if name not in OWN}, "outline": outline}
        self.buffer = bytes(bound.buffer)
        # Where each address goes, and what is there less the address: first chunks that are not 0.
        places = zip(program.places(operands.present), [*views, *bound.scratch])
        self.places = [(offset, int.from_bytes(self.buffer[offset : offset + 8], "little") - view.pointer) for offset, view in places]
        self.spans = [_span(operand, number) for operand in operands.present for number in range(len(operand.views))]
        numbers, stored = _numbers(operands), written(program.artifact.accesses)
        count = range(len(numbers))
        self.apart = [(i, j) for i in count for j in count if numbers[i] in stored and i != j and not (j < i and numbers[j] in stored)]

    def at(self, arrays: list[tuple[int, object]]) -> Bound | None:
        """The binding on (address, owner) of each array, record planes one by one, in the order of the operands.

        None where an array that the kernel stores to may share memory with another: `bind` says what is wrong with it.
        """
        places = [(pointer + low, pointer + high) for (pointer, _), (low, high) in zip(arrays, self.spans)]
        for i, j in self.apart:
            if places[i][0] < places[j][1] and places[j][0] < places[i][1]:
                return None
        return _Again(self, arrays)


class _Again(Bound):
    """A binding on arrays of a known form. They are looked at as operands only when something asks for them."""

    def __init__(self, form: Form, arrays: list[tuple[int, object]]):
        self.__dict__.update(form.facts)
        self.arrays = arrays
        # Planes of its own, even where nothing is launched: another launcher of this form may be at work on its planes.
        self.scratch = self.allocated()
        self.buffer = bytearray(form.buffer)
        addresses = [*[pointer for pointer, _ in arrays], *[view.pointer for view in self.scratch]]
        for (offset, base), address in zip(form.places, addresses):
            put_address(self.buffer, offset, base + address)
        self.pending, self.launched, self.planned = [], [], []

    @functools.cached_property
    def operands(self) -> Operands:
        return _on(self.outline, self.arrays)


def _on(operands: Operands, arrays: list[tuple[int, object]]) -> Operands:
    """The operands with other arrays."""
    taken, present = iter(arrays), []
    for operand in operands.present:
        views = tuple([moved(view, *next(taken)) for view in operand.views])
        records = operand.records and dataclasses.replace(operand.records, planes=views)
        present.append(Operand(operand.name, operand.spec, views, operand.value, records, operand.first_chunk))
    return dataclasses.replace(operands, present=tuple(present))


def _numbers(operands: Operands) -> list[int]:
    """The operand that each array belongs to."""
    return [number for number, operand in enumerate(operands.present) for _ in operand.views]


def _span(operand: Operand, number: int) -> tuple[int, int]:
    """First byte of an array and the byte past the last one, from its address."""
    view = operand.views[number]
    low, high = view.bounds()
    if low < high and operand.records is not None:
        high += operand.records.layout.planes[number] - view.itemsize  # an element stands for a record's bytes
    return low - view.pointer, high - view.pointer
