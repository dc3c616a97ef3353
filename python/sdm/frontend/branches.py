"""Choices between two values: `scf.if` with results, or `arith.select` where both sides are cheap and harmless."""

from __future__ import annotations

from dataclasses import dataclass

from sdm.frontend import arithmetic, ir
from sdm.frontend.context import Context, same_constant
from sdm.frontend.values import Const, Missing, Row, Scalar, Typed

# A load may be out of range where its condition does not hold, so a side with one stays inside its branch.
GUARDED = "sdm.load"


def choose(context: Context, test: Scalar, left, right) -> Typed:
    """`left() if test else right()`; each side is read into a block of its own."""
    blocks, sides = (ir.Block(), ir.Block()), []
    for block, side in zip(blocks, (left, right)):
        with context.inside("branch", block):
            sides.append(side())
    types = joined_type(*sides)
    if types is None:
        raise context.error("branches", left=sides[0].described(), right=sides[1].described())
    if isinstance(types, Typed):
        return types
    values = []
    for block, side in zip(blocks, sides):
        with context.inside("branch", block):
            values.append(as_type(context, side, types))
    if not ir.holds(list(blocks), GUARDED) and not ir.holds(list(blocks), "scf."):
        context.block.operations += blocks[0].operations + blocks[1].operations
        return typed(context.value("arith.select", [test.ssa, *values], types.type), types)
    return typed(branch(context, test, blocks, [[value] for value in values]).results[0], types)


def branch(context: Context, test: Scalar, blocks, values: list[list[ir.Value]]) -> ir.Operation:
    """Closes the blocks with their yields and emits the scf.if over them."""
    for block, yielded in zip(blocks, values):
        with context.inside("branch", block):
            context.emit("scf.yield", yielded)
    return context.emit("scf.if", [test.ssa], [value.type for value in values[0]], regions=blocks)


@dataclass(frozen=True)
class ValueType:
    """What a value that a branch or a loop hands on keeps: the MLIR type, a row's width, conditions or numbers."""

    type: str
    width: int | None = None
    mask: bool = False


def value_type(value: Typed) -> ValueType | None:
    """The type of a scalar, a row or a constant number; None for what cannot be handed on."""
    if isinstance(value, Row):
        return ValueType(value.ssa.type, value.width, value.mask)
    type = arithmetic.type_of(value)
    return ValueType(type) if type else None


def joined_type(left: Typed, right: Typed) -> "ValueType | Typed | None":
    """The type both sides take; the value itself where they are one; None where they do not fit."""
    if left is right:
        return left
    for side in (left, right):
        if isinstance(side, Missing):
            return side
    if isinstance(left, Const) and isinstance(right, Const):
        if same_constant(left.value, right.value):
            return left
    types = [value_type(side) for side in (left, right)]
    if None in types:
        return None
    if types[0] == types[1]:
        return types[0]
    if types[0].width is None and types[1].width is None and Const in (type(left), type(right)):
        common = arithmetic.common_type(left, right)
        return ValueType(common) if common else None
    return None


def as_type(context: Context, value: Typed, wanted: ValueType) -> ir.Value | None:
    """The SSA value of exactly that type; None where the value does not have it."""
    if isinstance(value, Row):
        return value.ssa if value_type(value) == wanted else None
    if isinstance(value, Const):
        return arithmetic.scalar(context, value, wanted.type)
    return value.ssa if isinstance(value, Scalar) and value.type == wanted.type else None


def typed(ssa: ir.Value, wanted: ValueType) -> Typed:
    return Scalar(ssa) if wanted.width is None else Row(ssa, wanted.width, wanted.mask)
