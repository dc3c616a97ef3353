"""The meaning of each kind of statement but for loops and branches (`control.py`)."""

from __future__ import annotations

import ast

from sdm.dtypes import DType
from sdm.frontend import arithmetic
from sdm.frontend.calls import convert
from sdm.frontend.context import WORDS, Context, meaning
from sdm.frontend.expressions import BINARY, condition, indices
from sdm.frontend.operands import load, store
from sdm.frontend.values import Const, Missing, Tuple, Typed


@meaning(ast.Assign)
def assign(context: Context, node: ast.Assign) -> None:
    value = context.expression(node.value)
    for target in node.targets:
        _assign_to(context, target, value)


def _assign_to(context: Context, target: ast.expr, value: Typed) -> None:
    with context.at(target):
        if isinstance(target, ast.Name):
            context.scope.assign(target.id, value)
        elif isinstance(target, ast.Subscript):
            operand = context.expression(target.value)
            store(context, operand, indices(context, target), value)
        elif isinstance(target, ast.Tuple):
            _unpack(context, target, value)
        else:
            raise context.error("assign-target", kind=_described(target))


def _unpack(context: Context, target: ast.Tuple, value: Typed) -> None:
    if isinstance(value, Const) and isinstance(value.value, tuple):
        value = Tuple([Const(item) for item in value.value])
    if isinstance(value, Missing):
        value = Tuple([value] * len(target.elts))
    if not isinstance(value, Tuple) or len(value.items) != len(target.elts):
        raise context.error("unpack", got=value.described(), count=len(target.elts))
    for part, item in zip(target.elts, value.items):
        _assign_to(context, part, item)


def _described(target: ast.expr) -> str:
    return {ast.Attribute: "an attribute", ast.List: "a list", ast.Starred: "a starred name"}.get(type(target), "this")


@meaning(ast.AnnAssign)
def annotated(context: Context, node: ast.AnnAssign) -> None:
    """`total: sl.i64 = 0`: a scalar of that type."""
    dtype = context.expression(node.annotation)
    known = isinstance(dtype, Const) and isinstance(dtype.value, DType)
    if not known or node.value is None or not isinstance(node.target, ast.Name):
        raise context.error("statement", kind=WORDS["AnnAssign"])
    _assign_to(context, node.target, convert(context, dtype.value, [context.expression(node.value)], {}))


@meaning(ast.AugAssign)
def augmented(context: Context, node: ast.AugAssign) -> None:
    symbol = BINARY[type(node.op)]
    target = node.target
    if isinstance(target, ast.Name):
        with context.at(target):
            before = context.expression(ast.copy_location(ast.Name(target.id, ast.Load()), target))
        value = arithmetic.binary(context, symbol, before, context.expression(node.value))
        context.scope.assign(target.id, value)
    elif isinstance(target, ast.Subscript):
        with context.at(target):
            operand = context.expression(target.value)
            place = indices(context, target)
        change = context.expression(node.value)
        with context.at(target):
            before = load(context, operand, place)
        value = arithmetic.binary(context, symbol, before, change)
        with context.at(target):
            store(context, operand, place, value)
    else:
        raise context.error("assign-target", target, kind=_described(target))


@meaning(ast.Expr)
def expression_statement(context: Context, node: ast.Expr) -> None:
    value = context.expression(node.value)
    ignorable = isinstance(value, Const) and (value.value is None or isinstance(node.value, ast.Constant))
    if not ignorable:
        raise context.error("expression-statement")


@meaning(ast.Pass)
def nothing(context: Context, node: ast.Pass) -> None:
    """`pass`."""


@meaning(ast.Assert)
def assertion(context: Context, node: ast.Assert) -> None:
    test = condition(context, node.test, context.expression(node.test))
    if not isinstance(test, Const):
        raise context.error("static", node.test, what="the condition of assert", got=test.described())
    if not test.value:
        message = context.expression(node.msg) if node.msg else Const("the condition is false")
        raise context.error("assertion", message=getattr(message, "value", "the condition is false"))


@meaning(ast.Return)
def give_back(context: Context, node: ast.Return) -> None:
    own = context.nest[context.depth :]
    if not context.calls or set(own) - {"turn"}:
        raise context.error("return")
    context.result = context.expression(node.value) if node.value else Const(None)
    context.flow = "return"
