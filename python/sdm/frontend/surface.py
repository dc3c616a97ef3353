"""What each name of `sdm.language`, and the few builtins, build."""

from __future__ import annotations

import builtins

import sdm.language as sl
from sdm.frontend import arithmetic
from sdm.frontend.branches import as_type, joined_type, typed, value_type
from sdm.frontend.context import Context, meaning
from sdm.frontend.operands import extents
from sdm.frontend.slices import row_type
from sdm.frontend.values import (
    Absent, Const, Domain, Missing, Records, Row, Rows, Scalar, Shape, Tuple, Typed,
)  # fmt: skip

UNROLL_LIMIT = 1024


def static(context: Context, value: Typed, what: str, kind: type = int):
    """A constant's Python value, or the error that says what had to be one."""
    context.need(value)
    if isinstance(value, Const) and isinstance(value.value, kind) and not (kind is int and isinstance(value.value, bool)):
        return value.value
    raise context.error("static", what=what, got=value.described())


def refused(context: Context, name: str, expected: str, value: Typed):
    return context.error("argument-type", name=name, expected=expected, got=value.described())


# Rows made of nothing.


@meaning(sl.zeros)
def zeros(context: Context, width: Typed) -> Typed:
    return _spread(context, "sl.zeros", width, Const(0.0))


@meaning(sl.full)
def full(context: Context, width: Typed, value: Typed) -> Typed:
    return _spread(context, "sl.full", width, value)


def _spread(context: Context, name: str, width: Typed, value: Typed) -> Typed:
    if missing := arithmetic.absent_of(width, value):
        return missing
    columns = static(context, width, "the width of a row")
    if columns < 1:
        raise refused(context, name, "a width of at least 1", width)
    made = None if isinstance(value, Row) else arithmetic.row(context, value, columns)
    if made is None:
        raise refused(context, name, "a number for every column", value)
    return Row(made, columns)


# Column by column.


@meaning(sl.fma)
def fma(context: Context, a: Typed, b: Typed, c: Typed) -> Typed:
    if missing := arithmetic.absent_of(a, b, c):
        return missing
    width = arithmetic.width_of(context, a, b, c)
    sides = []
    for value in (a, b, c):
        side = arithmetic.scalar(context, value, "f32") if width is None else arithmetic.row(context, value, width)
        if side is None:
            raise refused(context, "sl.fma", "rows of one width and scalars", value)
        sides.append(side)
    if width is None:
        return Scalar(context.value("math.fma", sides, "f32"))
    return Row(context.value("math.fma", sides, row_type(width)), width)


def _one(context: Context, name: str, operation: str, value: Typed) -> Typed:
    if isinstance(value, Missing):
        return value
    if isinstance(value, Row) and not value.mask:
        return Row(context.value(operation, [value.ssa], value.ssa.type), value.width)
    single = arithmetic.scalar(context, value, "f32")
    if single is None:
        raise refused(context, name, "a row or a number", value)
    return Scalar(context.value(operation, [single], "f32"))


@meaning(sl.sqrt)
def sqrt(context: Context, x: Typed) -> Typed:
    return _one(context, "sl.sqrt", "math.sqrt", x)


@meaning(sl.abs, builtins.abs)
def absolute(context: Context, x: Typed) -> Typed:
    if isinstance(x, Const) and arithmetic.type_of(x) in ("i32", "i64", "f32"):
        return Const(builtins.abs(x.value))
    if isinstance(x, Scalar) and x.type in ("i32", "i64"):
        return Scalar(context.value("math.absi", [x.ssa], x.type))
    return _one(context, "sl.abs", "math.absf", x)


@meaning(sl.round_to)
def round_to(context: Context, x: Typed, dtype: Typed) -> Typed:
    if missing := arithmetic.absent_of(x, dtype):
        return missing
    if not (isinstance(dtype, Const) and dtype.value in (sl.f32, sl.bf16, sl.f16)):
        raise refused(context, "sl.round_to", "sl.bf16, sl.f16 or sl.f32 second", dtype)
    if isinstance(x, Row) and not x.mask:
        value, shape = x.ssa, lambda element: row_type(x.width, element)
    else:
        value, shape = arithmetic.scalar(context, x, "f32"), str
    if value is None:
        raise refused(context, "sl.round_to", "a row or a number", x)
    if dtype.value is not sl.f32:
        value = context.value("arith.extf", [context.value("arith.truncf", [value], shape(dtype.value.name))], shape("f32"))
    return Row(value, x.width) if isinstance(x, Row) else Scalar(value)


@meaning(sl.minimum, builtins.min)
def minimum(context: Context, a: Typed, b: Typed) -> Typed:
    return arithmetic.binary(context, "minimum", a, b)


@meaning(sl.maximum, builtins.max)
def maximum(context: Context, a: Typed, b: Typed) -> Typed:
    return arithmetic.binary(context, "maximum", a, b)


@meaning(sl.where)
def where(context: Context, condition: Typed, a: Typed, b: Typed) -> Typed:
    if missing := arithmetic.absent_of(condition, a, b):
        return missing
    if isinstance(condition, Const) and isinstance(condition.value, bool):
        return a if condition.value else b
    decides = (isinstance(condition, Row) and condition.mask) or arithmetic.type_of(condition) == "i1"
    if not decides:
        raise refused(context, "sl.where", "a comparison first", condition)
    width = arithmetic.width_of(context, condition, a, b)
    if width is not None and not any(isinstance(side, Row) and side.mask for side in (a, b)):
        sides = [arithmetic.row(context, side, width) for side in (a, b)]
        if None in sides:
            raise context.error("branches", left=a.described(), right=b.described())
        return Row(context.value("arith.select", [condition.ssa, *sides], row_type(width)), width)
    kind = value_type(a) if width is not None else _scalar_kind(a, b)
    sides = [as_type(context, side, kind) for side in (a, b)] if kind else [None]
    if None in sides:
        raise context.error("branches", left=a.described(), right=b.described())
    return typed(context.value("arith.select", [condition.ssa, *sides], kind.type), kind)


def _scalar_kind(a: Typed, b: Typed):
    kind = joined_type(a, b)
    return value_type(kind) if isinstance(kind, Typed) else kind


# Reductions.


def _row(context: Context, name: str, value: Typed) -> Row:
    if isinstance(value, Row) and not value.mask:
        return value
    raise refused(context, name, "rows", value)


@meaning(sl.dot)
def dot(context: Context, x: Typed, m: Typed) -> Typed:
    if missing := arithmetic.absent_of(x, m):
        return missing
    pair = [_row(context, "sl.dot", side) for side in (x, m)]
    width = arithmetic.width_of(context, *pair)
    return Scalar(context.value("sdm.dot", [side.ssa for side in pair], "f32", {"width": f"{width} : i64"}))


def _reduction(surface, kind: str) -> None:
    @meaning(surface)
    def reduce(context: Context, x: Typed) -> Typed:
        if isinstance(x, Missing):
            return x
        row = _row(context, f"sl.{kind}", x)
        attributes = {"kind": f"#sdm<reduction {kind}>", "width": f"{row.width} : i64"}
        return Scalar(context.value("sdm.reduce", [row.ssa], "f32", attributes))


for _surface, _kind in ((sl.sum, "sum"), (sl.max, "max"), (sl.min, "min"), (sl.amax, "amax")):
    _reduction(_surface, _kind)


@meaning(sl.copy_row)
def copy_row(context: Context, row: Typed) -> Typed:
    if isinstance(row, Missing):
        return row
    if not isinstance(row, Row) or row.stored is None:
        raise context.error("copy-row")
    return row.stored


# What loops go over.


@meaning(sl.rows)
def rows(context: Context, x: Typed) -> Typed:
    if isinstance(x, Absent):
        context.need(Missing(x.name, context.here()))
    if not isinstance(x, Rows):
        raise refused(context, "sl.rows", "an operand of type sl.Rows", x)
    if x.rank != 2:
        raise context.error("rows-rank", rank=x.rank)
    return Domain("rows", over=x)


@meaning(sl.records)
def records(context: Context, reads: Typed) -> Typed:
    if not isinstance(reads, Records):
        raise refused(context, "sl.records", "an operand of type sl.Sorted", reads)
    return Domain("records", over=reads)


@meaning(sl.static_range)
def static_range(context: Context, start: Typed, stop: Typed, step: Typed) -> Typed:
    numbers = [start] if isinstance(stop, Const) and stop.value is None else [start, stop, step]
    bounds = [static(context, number, "a bound of sl.static_range") for number in numbers]
    if len(bounds) == 3 and bounds[2] == 0:
        raise refused(context, "sl.static_range", "a step other than 0", step)
    turns = range(*bounds)
    if len(turns) > UNROLL_LIMIT:
        raise context.error("unroll", count=len(turns), limit=UNROLL_LIMIT)
    return Domain("static_range", turns=turns)


@meaning(sl.static_assert)
def static_assert(context: Context, condition: Typed, message: Typed) -> Typed:
    if not static(context, condition, "the condition of sl.static_assert", object):
        text = message.value if isinstance(message, Const) else ""
        raise context.error("assertion", message=text or "the condition is false")
    return Const(None)


# Builtins on constants.


@meaning(builtins.len)
def length(context: Context, x: Typed) -> Typed:
    if isinstance(x, Shape):
        x = extents(context, x)
    if isinstance(x, Tuple):
        return Const(len(x.items))
    if isinstance(x, Const) and isinstance(x.value, (tuple, str)):
        return Const(len(x.value))
    raise refused(context, "len", "a tuple or a shape", x)


def _constant_conversion(kind) -> None:
    @meaning(kind)
    def convert(context: Context, x: Typed) -> Typed:
        value = static(context, x, f"the argument of {kind.__name__} (sl.f32, sl.i32 and sl.i64 convert scalars)", (bool, int, float, str))
        try:
            return Const(kind(value))
        except (OverflowError, ValueError):
            raise context.error("constant", value=value, type=kind.__name__) from None


for _kind in (int, float, bool):
    _constant_conversion(_kind)
