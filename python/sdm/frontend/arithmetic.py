"""Arithmetic on typed values: constants take the other side's type, scalars spread over rows, integers wrap."""

from __future__ import annotations

import math
import operator
import reprlib
import struct

from sdm.frontend import ir
from sdm.frontend.context import Context
from sdm.frontend.slices import row_type
from sdm.frontend.values import Const, Missing, Row, Scalar, Typed
from sdm.records import constant_text

FLOAT = {"+": "arith.addf", "-": "arith.subf", "*": "arith.mulf", "/": "arith.divf",
         "minimum": "arith.minimumf", "maximum": "arith.maximumf"}  # fmt: skip
INTEGER = {"+": "arith.addi", "-": "arith.subi", "*": "arith.muli", "&": "arith.andi", "|": "arith.ori",
           "^": "arith.xori", "<<": "arith.shli", ">>": "arith.shrsi",
           "minimum": "arith.minsi", "maximum": "arith.maxsi"}  # fmt: skip
CONSTANT = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
            "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "&": operator.and_,
            "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
            "minimum": lambda a, b: _extreme(a, b, operator.lt),
            "maximum": lambda a, b: _extreme(a, b, operator.gt)}  # fmt: skip
COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
# The numbers of arith's predicates; floats as Python: ordered, but for != (unordered).
CMPI = {"==": 0, "!=": 1, "<": 2, "<=": 3, ">": 4, ">=": 5}
CMPF = {"==": 1, "!=": 13, "<": 4, "<=": 5, ">": 2, ">=": 3}
MASKS = ("&", "|", "^")


def absent_of(*values: Typed) -> Missing | None:
    """The first value that comes from an absent operand; what is computed from one is one."""
    return next((value for value in values if isinstance(value, Missing)), None)


# Constants and conversions.


def constant(context: Context, value, type: str) -> ir.Value:
    """An arith.constant of a scalar type; refuses what the type cannot hold."""
    try:
        if type == "f32":
            struct.pack("<f", value)
        elif type in ("i32", "i64"):
            int(value).to_bytes(int(type[1:]) // 8, "little", signed=True)
    except (OverflowError, ValueError, struct.error):
        raise context.error("constant", value=reprlib.repr(value), type=type) from None
    text = constant_text(_rounded(value) if type == "f32" else value, type)
    return context.value("arith.constant", [], type, {"value": text if type == "i1" else f"{text} : {type}"})


def _rounded(value) -> float:
    """The nearest f32. A whole number past 2^53 keeps 32 bits and a sticky one, so that it is not rounded twice."""
    if isinstance(value, int) and abs(value) >> 53:
        low = abs(value).bit_length() - 32
        kept = (abs(value) >> low) | bool(abs(value) & ((1 << low) - 1))
        value = math.ldexp(math.copysign(kept, value), low)
    return struct.unpack("<f", struct.pack("<f", value))[0]


def natural_type(value: Const) -> str | None:
    """The scalar type that a constant has by itself."""
    if isinstance(value.value, bool):
        return "i1"
    if isinstance(value.value, float):
        return "f32"
    if isinstance(value.value, int):
        return "i32" if -(2**31) <= value.value < 2**31 else "i64"
    return None


def type_of(value: Typed) -> str | None:
    """i1, i32, i64 or f32 for constants and scalars, None for what is no number."""
    if isinstance(value, Scalar):
        return value.type
    return natural_type(value) if isinstance(value, Const) else None


def scalar(context: Context, value: Typed, type: str) -> ir.Value | None:
    """The value as a scalar of the type: constants adapt, i32 widens, integers convert to f32; else None."""
    if isinstance(value, Const):
        own = natural_type(value)
        fits = own == type or (own in ("i32", "i64") and type in ("i32", "i64", "f32"))
        return constant(context, value.value, type) if fits else None
    if not isinstance(value, Scalar):
        return None
    if value.type == type:
        return value.ssa
    if (value.type, type) == ("i32", "i64"):
        return context.value("arith.extsi", [value.ssa], "i64")
    if value.type in ("i32", "i64") and type == "f32":
        return context.value("arith.sitofp", [value.ssa], "f32")
    return None


def row(context: Context, value: Typed, width: int) -> ir.Value | None:
    """The value as a row of f32: a scalar is spread over the columns."""
    if isinstance(value, Row):
        return None if value.mask or value.width != width else value.ssa
    if isinstance(value, Const) and type_of(value) in ("i32", "i64", "f32"):
        constant_row = constant_text(_rounded_or_error(context, value.value), "f32")
        return context.value("arith.constant", [], row_type(width), {"value": f"dense<{constant_row}> : {row_type(width)}"})
    single = scalar(context, value, "f32")
    return single and context.value("vector.broadcast", [single], row_type(width))


def _rounded_or_error(context: Context, value) -> float:
    try:
        return _rounded(value)
    except (OverflowError, struct.error):
        raise context.error("constant", value=reprlib.repr(value), type="f32") from None


def convert(context: Context, value: Typed, type: str) -> ir.Value | None:
    """An explicit conversion, `sl.i32(x)`: also i64 to i32 (wraps) and conditions to 0 and 1."""
    found = scalar(context, value, type)
    if found is not None or not isinstance(value, (Scalar, Const)):
        return found
    if isinstance(value, Const) and isinstance(value.value, bool):
        return constant(context, int(value.value), type)
    if type_of(value) == "i64" and type == "i32":
        if isinstance(value, Const):
            return constant(context, value.value, type)
        return context.value("arith.trunci", [value.ssa], "i32")
    if type_of(value) == "i1":
        if type == "f32":
            return context.value("arith.uitofp", [value.ssa], "f32")
        return context.value("arith.extui", [value.ssa], type)
    return None


def common_type(left: Typed, right: Typed) -> str | None:
    """The scalar type that both sides take; a constant follows the other side within its kind."""
    types = {type_of(left), type_of(right)}
    if None in types or types == {"i1"}:
        return None if None in types else "i1"
    if "i1" in types:
        return None
    if "f32" in types:
        return "f32"
    fixed = {value.type for value in (left, right) if isinstance(value, Scalar)}
    return "i64" if "i64" in (fixed or types) else "i32"


# Operations.


def width_of(context: Context, *values: Typed) -> int | None:
    """The one width of the rows among the values; None where there are none."""
    widths = [value.width for value in values if isinstance(value, Row)]
    for width in widths[1:]:
        if width != widths[0]:
            raise context.error("width", left=widths[0], right=width)
    return widths[0] if widths else None


def binary(context: Context, symbol: str, left: Typed, right: Typed) -> Typed:
    """`left symbol right` for constants, scalars and rows."""
    if missing := absent_of(left, right):
        return missing
    if isinstance(left, Const) and isinstance(right, Const):
        return _fold(context, symbol, left, right)
    refused = context.error("operator", operator=symbol, left=left.described(), right=right.described())
    width = width_of(context, left, right)
    if width is not None:
        return _row_binary(context, symbol, left, right, width, refused)
    type = common_type(left, right)
    if type == "f32" and symbol in FLOAT:
        pair = [scalar(context, side, "f32") for side in (left, right)]
        return Scalar(context.value(FLOAT[symbol], pair, "f32"))
    if type in ("i32", "i64"):
        return _integer(context, symbol, left, right, type, refused)
    if type == "i1" and symbol in MASKS:
        pair = [scalar(context, side, "i1") for side in (left, right)]
        return Scalar(context.value(INTEGER[symbol], pair, "i1"))
    raise refused


def _fold(context: Context, symbol: str, left: Const, right: Const) -> Const:
    try:
        return Const(CONSTANT[symbol](left.value, right.value))
    except ZeroDivisionError:
        raise context.error("division-by-zero") from None
    except (KeyError, TypeError, OverflowError, ValueError):
        raise context.error(
            "operator", operator=symbol, left=left.described(), right=right.described()
        ) from None


def _extreme(a, b, beats):
    """The larger or smaller of two constants as the contract has it: NaN wins, -0 < +0."""
    if a != a or b != b:
        return a if a != a else b
    if a == b:
        return a if beats(math.copysign(1, a), math.copysign(1, b)) else b
    return a if beats(a, b) else b


def _row_binary(context, symbol, left, right, width, refused) -> Row:
    masks = [side for side in (left, right) if isinstance(side, Row) and side.mask]
    if masks:
        if symbol not in MASKS or len(masks) != 2:
            raise refused
        return Row(context.value(INTEGER[symbol], [left.ssa, right.ssa], left.ssa.type), width, mask=True)
    if symbol not in FLOAT:
        raise refused
    pair = [row(context, side, width) for side in (left, right)]
    if None in pair:
        raise refused
    return Row(context.value(FLOAT[symbol], pair, row_type(width)), width)


def _integer(context, symbol, left, right, type, refused) -> Scalar:
    if symbol == "/":
        raise context.error("integer-division")
    if symbol in ("//", "%"):
        if isinstance(right, Const) and right.value == 0:
            raise context.error("division-by-zero")
        return _divide(context, symbol, left, right, type)
    if symbol not in INTEGER:
        raise refused
    if symbol in ("<<", ">>") and not (isinstance(right, Const) and 0 <= right.value < int(type[1:])):
        raise context.error("static", what="the distance of a shift, from 0 to the bits of its type less one,", got=right.described())
    pair = [scalar(context, side, type) for side in (left, right)]
    return Scalar(context.value(INTEGER[symbol], pair, type))


def _divide(context, symbol, left, right, type) -> Scalar:
    """Floor division as Python's; x // 0 and x % 0 are 0 (as numpy's), and nothing is undefined.

    The machine's division is undefined at a zero divisor and at least // -1: those divide by 1 instead
    (which is the wrapped answer of the second).
    """
    a, b = (scalar(context, side, type) for side in (left, right))
    zero = constant(context, 0, type)
    positive = isinstance(right, Const) and right.value > 0
    divisor, empty = b, None
    if not positive:
        least = constant(context, -(2 ** (int(type[1:]) - 1)), type)
        empty = _cmpi(context, "==", b, zero)
        wraps = context.value("arith.andi", [_cmpi(context, "==", a, least), _cmpi(context, "==", b, constant(context, -1, type))], "i1")
        unsafe = context.value("arith.ori", [empty, wraps], "i1")
        divisor = context.value("arith.select", [unsafe, constant(context, 1, type), b], type)
    quotient = context.value("arith.divsi", [a, divisor], type)
    rest = context.value("arith.remsi", [a, divisor], type)
    below = _cmpi(context, "<", rest, zero)
    if not positive:
        signs = context.value("arith.xori", [below, _cmpi(context, "<", divisor, zero)], "i1")
        below = context.value("arith.andi", [signs, _cmpi(context, "!=", rest, zero)], "i1")
    if symbol == "//":
        floor = context.value("arith.subi", [quotient, constant(context, 1, type)], type)
        plain = quotient
    else:
        floor = context.value("arith.addi", [rest, divisor], type)
        plain = rest
    result = context.value("arith.select", [below, floor, plain], type)
    if empty is not None:
        # At least // -1 the quotient by 1 is already the wrapped one; only a zero divisor is left.
        result = context.value("arith.select", [empty, zero, result], type)
    return Scalar(result)


def _cmpi(context: Context, symbol: str, left: ir.Value, right: ir.Value) -> ir.Value:
    return context.value("arith.cmpi", [left, right], "i1", {"predicate": f"{CMPI[symbol]} : i64"})


def compare(context: Context, symbol: str, left: Typed, right: Typed) -> Typed:
    """A condition (scalars) or a row of conditions (rows)."""
    if missing := absent_of(left, right):
        return missing
    refused = context.error("comparison", operator=symbol, left=left.described(), right=right.described())
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return Const(COMPARE[symbol](left.value, right.value))
        except TypeError:
            raise refused from None
    width = width_of(context, left, right)
    predicate = {"predicate": f"{CMPF[symbol]} : i64"}
    if width is not None:
        pair = [row(context, side, width) for side in (left, right)]
        if None in pair:
            raise refused
        return Row(context.value("arith.cmpf", pair, row_type(width, "i1"), predicate), width, mask=True)
    type = common_type(left, right)
    if type is None or (type == "i1" and symbol not in ("==", "!=")):
        raise refused
    pair = [scalar(context, side, type) for side in (left, right)]
    if type == "f32":
        return Scalar(context.value("arith.cmpf", pair, "i1", predicate))
    return Scalar(_cmpi(context, symbol, *pair))


def negate(context: Context, value: Typed) -> Typed | None:
    """-value; None where that has no meaning."""
    if isinstance(value, Missing):
        return value
    if isinstance(value, Const) and natural_type(value) in ("i32", "i64", "f32"):
        return Const(-value.value)
    if isinstance(value, Row) and not value.mask:
        return Row(context.value("arith.negf", [value.ssa], value.ssa.type), value.width)
    if isinstance(value, Scalar) and value.type == "f32":
        return Scalar(context.value("arith.negf", [value.ssa], "f32"))
    if isinstance(value, Scalar) and value.type != "i1":
        return Scalar(context.value("arith.subi", [constant(context, 0, value.type), value.ssa], value.type))
    return None


def invert(context: Context, value: Typed) -> Typed | None:
    """~value of integers, conditions and rows of conditions; None where that has no meaning."""
    if isinstance(value, Missing):
        return value
    if isinstance(value, Const) and type(value.value) is int:
        return Const(~value.value)
    if isinstance(value, Row) and value.mask:
        ones = context.value("arith.constant", [], value.ssa.type, {"value": f"dense<true> : {value.ssa.type}"})
        return Row(context.value("arith.xori", [value.ssa, ones], value.ssa.type), value.width, mask=True)
    if isinstance(value, Scalar) and value.type != "f32":
        ones = constant(context, True if value.type == "i1" else -1, value.type)
        return Scalar(context.value("arith.xori", [value.ssa, ones], value.type))
    return None
