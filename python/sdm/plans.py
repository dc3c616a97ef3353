"""A launch recorded as bytes that C or C++ issues again for each step, without Python (`lib/Runtime/Plan.h`)."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from sdm import operand_checks
from sdm.errors import OperandError
from sdm.program import Grid

# Recipes that a form keeps; then all are forgotten.
MOST = 16


class Recipe(NamedTuple):
    """A plan but for its addresses: alike for all bindings of a form (on the CPU for other numbers of threads too, whose tiles would be
    others of the same bits). patches: offsets of arguments, and what a step adds to each."""

    grid: Grid
    patches: list[tuple[int, int]]


def record(bound, chunks: range, steps: int, repeated: tuple[str, ...], pdl: bool):
    """(plan, address) or None; see `Bound.plan`."""
    from sdm import _sdm

    if bound.program.artifact.walks != 1 or bound.check or len(bound.buffer) > _sdm.MOST_PLAN_ARGUMENTS or len(chunks) == 0:
        return None
    key = chunks, steps, tuple(repeated)
    recipe = bound.recipes.get(key)
    if recipe is None:
        recipe = _recipe(bound, *key)
        if len(bound.recipes) >= MOST:
            bound.recipes.clear()
        bound.recipes[key] = recipe
    recorded = bound.program.record(recipe.grid, bound.buffer, steps, recipe.patches, pdl)
    return _array(recorded, bound.outline.uses_torch), _sdm.plan_launch_address()


def _recipe(bound, chunks: range, steps: int, repeated: tuple[str, ...]) -> Recipe:
    program, operands = bound.program, bound.outline
    artifact = program.artifact
    numbers = [number for name in repeated for number in _numbers(operands, name)]
    operand_checks.check_chunks(_without(operands, numbers), artifact.accesses, range(chunks.start, chunks.start + steps * len(chunks)))
    operand_checks.check_chunks(operands, artifact.accesses, chunks)
    grid = program.grid(0, operands.present, chunks)
    patches = [(program.description["launch_params"]["first_chunk"], len(chunks))]
    if program.launches[0]["domain"] == "rows":
        patches = []
    for number in numbers:
        # The kernel indexes by the chunk's own number, which grows with each step: the base goes back by as much.
        patches += [(offset, -len(chunks) * stride) for offset, stride in program.pointers(number, operands.present[number])]
    return Recipe(grid, patches)


def _numbers(operands, name: str) -> tuple[int, ...]:
    numbers = operands.numbers(name)
    if not numbers or any(not operands.present[number].views or not operands.present[number].view.rank for number in numbers):
        raise OperandError(f"repeated: expected names of arrays and records, got {name!r}")
    return numbers


def _without(operands, numbers: list[int]):
    """The operands with those of some numbers as long as they need be: every step has the same chunks of them."""
    present = list(operands.present)
    for number in numbers:
        views = tuple(dataclasses.replace(view, shape=(1 << 62, *view.shape[1:])) for view in present[number].views)
        present[number] = dataclasses.replace(present[number], views=views)
    return dataclasses.replace(operands, present=tuple(present))


def _array(recorded: bytes, uses_torch: bool):
    """The bytes as a CPU array of uint8: a tensor where the operands are tensors."""
    if not uses_torch:
        return np.frombuffer(bytearray(recorded), np.uint8)
    import torch

    return torch.frombuffer(bytearray(recorded), dtype=torch.uint8)
