"""The meaning of each kind of expression (ast.expr); those without a handler are errors."""

from __future__ import annotations

import ast

from sdm.frontend import arithmetic
from sdm.frontend.branches import choose
from sdm.frontend.calls import call
from sdm.frontend.context import Context, meaning
from sdm.frontend.members import attribute
from sdm.frontend.operands import load
from sdm.frontend.scope import Ended
from sdm.frontend.values import Absent, Cells, Const, Row, Scalar, Tuple, Typed

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
          ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}  # fmt: skip
COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
           ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}  # fmt: skip


@meaning(ast.Constant)
def literal(context: Context, node: ast.Constant) -> Typed:
    if node.value is None or isinstance(node.value, (bool, int, float, str)):
        return Const(node.value)
    raise context.error("expression", kind=f"the literal {node.value!r}")


@meaning(ast.Name)
def name(context: Context, node: ast.Name) -> Typed:
    found = context.scope.find(node.id)
    if isinstance(found, Ended):
        raise context.error(found.code, name=node.id, line=found.line)
    found = found or context.outside(node.id)
    if found is None:
        raise context.error("undefined", name=node.id)
    if isinstance(found, Cells) and found.scalar:
        # A scalar operand that lives in device memory is read where it is used.
        return load(context, found, [])
    return found


@meaning(ast.Attribute)
def get_attribute(context: Context, node: ast.Attribute) -> Typed:
    return attribute(context, context.expression(node.value), node.attr)


@meaning(ast.Subscript)
def subscript(context: Context, node: ast.Subscript) -> Typed:
    return load(context, context.expression(node.value), indices(context, node))


def indices(context: Context, node: ast.Subscript) -> list[Typed]:
    """The indices of `x[i, j]`; slices and stars are refused."""
    nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for part in nodes:
        if isinstance(part, (ast.Slice, ast.Starred)):
            raise context.error("slice", part)
    return [context.expression(part) for part in nodes]


@meaning(ast.Tuple)
def pack(context: Context, node: ast.Tuple) -> Typed:
    if any(isinstance(item, ast.Starred) for item in node.elts):
        raise context.error("star")
    return Tuple([context.expression(item) for item in node.elts])


@meaning(ast.BinOp)
def binary(context: Context, node: ast.BinOp) -> Typed:
    left, right = context.expression(node.left), context.expression(node.right)
    return arithmetic.binary(context, BINARY[type(node.op)], left, right)


@meaning(ast.UnaryOp)
def unary(context: Context, node: ast.UnaryOp) -> Typed:
    value = context.expression(node.operand)
    if isinstance(node.op, ast.Not):
        if isinstance(value, Const):
            return Const(not value.value)
        return arithmetic.invert(context, condition(context, node.operand, value))
    if isinstance(node.op, ast.UAdd):
        result, symbol = (value if _is_number(value) else None), "+"
    elif isinstance(node.op, ast.USub):
        result, symbol = arithmetic.negate(context, value), "-"
    else:
        result, symbol = arithmetic.invert(context, value), "~"
    if result is None:
        raise context.error("unary-operator", operator=symbol, operand=value.described())
    return result


def _is_number(value: Typed) -> bool:
    return arithmetic.type_of(value) in ("i32", "i64", "f32") or (isinstance(value, Row) and not value.mask)


def condition(context: Context, node: ast.AST, value: Typed) -> Const | Scalar:
    """The value as something to decide by: a constant, or an i1 scalar."""
    context.need(value)
    if isinstance(value, Const) or (isinstance(value, Scalar) and value.type == "i1"):
        return value
    raise context.error("condition", node, got=value.described())


@meaning(ast.Compare)
def comparison(context: Context, node: ast.Compare) -> Typed:
    left = context.expression(node.left)
    result: Typed | None = None
    for operator, right_node in zip(node.ops, node.comparators):
        right = context.expression(right_node)
        part = _compare(context, COMPARE[type(operator)], left, right)
        result = part if result is None else _both(context, result, part)
        left = right
    return result


def _both(context: Context, left: Typed, right: Typed) -> Typed:
    for known, other in ((left, right), (right, left)):
        if isinstance(known, Const):
            return other if known.value else known
    return arithmetic.binary(context, "&", left, right)


def _compare(context: Context, symbol: str, left: Typed, right: Typed) -> Typed:
    if symbol in ("is", "is not"):
        # A value of the kernel is never None; an absent operand always is.
        sides = [_is_none(side) for side in (left, right)]
        if True not in sides:
            raise context.error("comparison", operator=symbol, left=left.described(), right=right.described())
        return Const((sides[0] == sides[1]) == (symbol == "is"))
    if symbol in ("in", "not in"):
        choices = _constant(right)
        if not isinstance(left, Const) or not isinstance(choices, (tuple, str)):
            raise context.error("comparison", operator=symbol, left=left.described(), right=right.described())
        return Const((left.value in choices) == (symbol == "in"))
    return arithmetic.compare(context, symbol, left, right)


def _is_none(value: Typed) -> bool:
    return isinstance(value, Absent) or (isinstance(value, Const) and value.value is None)


def _constant(value: Typed):
    if isinstance(value, Tuple) and all(isinstance(item, Const) for item in value.items):
        return tuple(item.value for item in value.items)
    return value.value if isinstance(value, Const) else None


@meaning(ast.BoolOp)
def logic(context: Context, node: ast.BoolOp) -> Typed:
    return _logic(context, isinstance(node.op, ast.And), node.values)


def _logic(context: Context, conjunction: bool, nodes: list[ast.expr]) -> Typed:
    first = condition(context, nodes[0], context.expression(nodes[0]))
    if len(nodes) == 1:
        return first
    if isinstance(first, Const):
        return _logic(context, conjunction, nodes[1:]) if bool(first.value) == conjunction else first

    def rest() -> Typed:
        value = _logic(context, conjunction, nodes[1:])
        return Const(bool(value.value)) if isinstance(value, Const) else value

    def known() -> Typed:
        return Const(not conjunction)

    # The second side is read only where the first leaves the answer open, as in Python.
    return choose(context, first, rest, known) if conjunction else choose(context, first, known, rest)


@meaning(ast.IfExp)
def ternary(context: Context, node: ast.IfExp) -> Typed:
    test = condition(context, node.test, context.expression(node.test))
    if isinstance(test, Const):
        return context.expression(node.body if test.value else node.orelse)
    return choose(context, test, lambda: context.expression(node.body), lambda: context.expression(node.orelse))


@meaning(ast.Call)
def get_call(context: Context, node: ast.Call) -> Typed:
    return call(context, node)


