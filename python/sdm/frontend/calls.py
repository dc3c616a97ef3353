"""Calls: who is called, how arguments meet parameters, and the inlining of @sdm.function helpers."""

from __future__ import annotations

import ast
import inspect

import sdm.language as sl
from sdm.dtypes import DType
from sdm.frontend.context import CALLS, Context
from sdm.frontend.functions import Function
from sdm.frontend import arithmetic
from sdm.frontend.values import Callee, Const, Missing, Scalar, Typed


def call(context: Context, node: ast.Call) -> Typed:
    """Gives a call its meaning, or says who can be called."""
    callee = context.expression(node.func)
    target = callee.value if isinstance(callee, Const) else getattr(callee, "object", None)
    positional, keywords = _arguments(context, node)
    if isinstance(target, DType):
        return convert(context, target, positional, keywords)
    if isinstance(target, Function):
        if getattr(target, "is_kernel", False):
            raise context.error("kernel-call", name=callee.name)
        return inline(context, target, positional, keywords)
    handler = _handler(target)
    if handler is not None:
        bound = _bind(context, callee.name, _signature(target), positional, keywords)
        return handler(context, *bound.values())
    if isinstance(callee, Callee):
        raise context.error("python-call", name=callee.name)
    raise context.error("not-callable", got=callee.described())


def _handler(target):
    try:
        return CALLS.get(target)
    except TypeError:  # not hashable, so not in the table
        return None


def _arguments(context: Context, node: ast.Call) -> tuple[list[Typed], dict[str, Typed]]:
    for argument in (*node.args, *node.keywords):
        if isinstance(argument, ast.Starred) or (isinstance(argument, ast.keyword) and argument.arg is None):
            raise context.error("star", argument if isinstance(argument, ast.Starred) else argument.value)
    positional = [context.expression(argument) for argument in node.args]
    return positional, {keyword.arg: context.expression(keyword.value) for keyword in node.keywords}


# What Python's own functions look like; inspect knows not all of them.
_BUILTIN = {min: "(a, b)", max: "(a, b)", abs: "(x)", len: "(x)", int: "(x)", float: "(x)", bool: "(x)"}


def _signature(target) -> inspect.Signature:
    if target in _BUILTIN:
        names = _BUILTIN[target].strip("()").split(", ")
        kind = inspect.Parameter.POSITIONAL_ONLY
        return inspect.Signature([inspect.Parameter(name, kind) for name in names])
    return inspect.signature(target)


def _bind(context: Context, name: str, signature: inspect.Signature, positional, keywords) -> dict[str, Typed]:
    try:
        bound = signature.bind(*positional, **keywords)
    except TypeError as error:
        plain = signature.replace(return_annotation=inspect.Signature.empty)
        raise context.error("arguments", name=name, signature=plain, reason=error) from None
    bound.apply_defaults()
    return {
        name: value if isinstance(value, Typed) else context.wrap(value, name)
        for name, value in bound.arguments.items()
    }


def inline(context: Context, helper: Function, positional, keywords=None) -> Typed:
    """What a helper gives for these arguments, built where it is called."""
    name = helper.function.__name__
    if helper.function in context.chain:
        raise context.error("recursion", name=name)
    signature = inspect.signature(helper.function)
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise context.error("bad-parameter", name=parameter.name)
    inner = Context(helper.source, helper.function, context.block, caller=context)
    for parameter, value in _bind(context, name, signature, positional, keywords or {}).items():
        inner.scope.assign(parameter, value)
    inner.body(helper.source.definition.body)
    return inner.result or Const(None)


def convert(context: Context, dtype: DType, positional, keywords) -> Typed:
    """`sl.f32(x)`: a scalar of another type."""
    if keywords or len(positional) != 1 or dtype not in (sl.f32, sl.i32, sl.i64):
        raise context.error("argument-type", name=f"sl.{dtype.name}", expected="one number; sl.f32, sl.i32 and sl.i64 convert", got=f"{len(positional)} arguments")
    (value,) = positional
    if isinstance(value, Missing):
        return value
    converted = arithmetic.convert(context, value, dtype.name)
    if converted is None:
        allowed = "an integer or a condition" if dtype.kind == "int" else "a number or a condition"
        raise context.error("argument-type", name=f"sl.{dtype.name}", expected=allowed, got=value.described())
    return Scalar(converted)
