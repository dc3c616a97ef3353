"""`build(kernel, spec)`: from a Python function and operand types to a module of the sdm dialect."""

from __future__ import annotations

# These modules fill the tables of syntax as they are imported.
from sdm.frontend import control, expressions, statements, surface  # noqa: F401
from sdm.frontend import ir
from sdm.frontend.context import Context
from sdm.frontend.errors import CompileError, from_diagnostics
from sdm.frontend.parameters import Parameter
from sdm.frontend.prune import prune
from sdm.frontend.sink import sink
from sdm.frontend.source import Source
from sdm.frontend.specs import AbsentSpec, CellsSpec, ConstSpec, RowsSpec, ScalarSpec, SortedSpec, Spec, parse_spec, scale_name, with_scales
from sdm.frontend.values import Absent, Cells, Const, Records, Rows, Scalar, Typed
from sdm.records import Layout, arrays

EXAMPLES = {"rows": "rows:bf16:128", "cells": "cells:f32:2", "scalar": "f32", "constexpr": "const:3"}


def build(kernel, spec: dict[str, object]):
    """Builds a verified `_sdm.Module`; `spec` maps parameter names to Specs, their texts, layouts or None.

    `kernel` has `name`, `function`, `source`, `parameters`. The module has passed the gate (`sdm-check-kernel`), here where
    locations are still the kernel's lines. Raises CompileError.
    """
    function = read(kernel, spec)
    from sdm import _sdm
    from sdm.frontend.emit import to_module

    try:
        module = to_module(function)
        _sdm.run_pipeline(module, "sdm-check-kernel")
        return module
    except _sdm.DiagnosticError as error:
        placed = from_diagnostics(error.diagnostics)
        if placed is None:
            raise
        raise placed from error


def read(kernel, spec: dict[str, object]) -> ir.Operation:
    """The kernel as a tree: one func.func, pruned."""
    source: Source = kernel.source
    specs = operand_specs(kernel, spec)
    body = ir.Block()
    context = Context(source, kernel.function, body)
    for parameter in kernel.parameters:
        context.scope.assign(parameter.name, _operand(parameter, specs[parameter.name], body))
    try:
        context.body(source.definition.body)
    except RecursionError:
        raise context.error("too-deep") from None
    with context.at(source.definition):
        context.emit("func.return")
        inputs = ", ".join(argument.type for argument in body.arguments)
        attributes = {"sym_name": f'"{kernel.name}"', "function_type": f"({inputs}) -> ()", "sdm.kernel": ""}
        location = tuple(frame.location for frame in context.here())
    prune(body)
    sink(body)
    return ir.Operation("func.func", [], [], attributes, [body], location)


def operand_specs(kernel, spec: dict[str, object]) -> dict[str, Spec]:
    """A checked Spec for each parameter, and for the scales of quantized rows. What is not given: records as `sdm.sort` lays them out, else the signature's default."""
    specs = {}
    for parameter in kernel.parameters:
        frame = [kernel.source.frame(_node(kernel.source, parameter.name))]
        if parameter.name in spec:
            given = spec[parameter.name]
        elif parameter.kind == "sorted":
            given = arrays(parameter.record)
        elif not parameter.required:
            given = _default(parameter)
        else:
            raise CompileError(
                "missing-operand", frame, name=parameter.name, example=EXAMPLES[parameter.kind]
            )
        specs[parameter.name] = _checked(parameter, given, frame)
    return with_scales(specs)


def arguments(kernel, spec: dict[str, object]) -> list[str]:
    """What becomes an argument of the function, in order: neither absent nor constexpr."""
    specs = operand_specs(kernel, spec)
    return [name for name, value in specs.items() if not isinstance(value, (AbsentSpec, ConstSpec))]


def _node(source: Source, name: str):
    arguments = source.definition.args
    nodes = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return next((node for node in nodes if node.arg == name), source.definition)


def _default(parameter: Parameter) -> Spec:
    if parameter.default is None and parameter.kind != "constexpr":
        return AbsentSpec()
    return ScalarSpec(parameter.dtype) if parameter.kind == "scalar" else ConstSpec(parameter.default)


def _checked(parameter: Parameter, given, frame) -> Spec:
    spec = given
    if isinstance(given, str):
        spec = parse_spec(given)
    elif isinstance(given, Layout):
        spec = SortedSpec(given)
    elif given is None and parameter.kind != "constexpr":
        spec = AbsentSpec()
    elif parameter.kind == "constexpr" and not isinstance(given, ConstSpec):
        spec = ConstSpec(given)
    expected = {"rows": RowsSpec, "cells": CellsSpec, "sorted": SortedSpec, "constexpr": ConstSpec, "scalar": (ScalarSpec, CellsSpec)}
    wrong = not isinstance(spec, expected[parameter.kind])
    if isinstance(spec, AbsentSpec):
        wrong = not parameter.optional
    elif parameter.kind == "scalar" and not wrong:
        wrong = spec.dtype != parameter.dtype or getattr(spec, "rank", 0) != 0
    if wrong:
        got = getattr(spec, "type", "None" if isinstance(spec, AbsentSpec) else repr(given))
        raise CompileError("wrong-operand", frame, name=parameter.name, expected=parameter.described(), got=got)
    if isinstance(spec, SortedSpec) and spec.layout.record is not parameter.record:
        raise CompileError(
            "layout-record", frame, name=parameter.name,
            expected=parameter.record.__name__, got=spec.layout.record.__name__,
        )  # fmt: skip
    return spec


def _operand(parameter: Parameter, spec: Spec, body: ir.Block) -> Typed:
    if isinstance(spec, AbsentSpec):
        return Absent(parameter.name)
    if isinstance(spec, ConstSpec):
        return Const(spec.value)
    argument = ir.Value(spec.type)
    body.arguments.append(argument)
    if isinstance(spec, RowsSpec):
        rows = Rows(parameter.name, argument, spec.dtype, spec.rank, spec.width)
        if spec.decode:
            rows.scale = _operand(Parameter(scale_name(parameter.name), "cells"), spec.scale, body)
            rows.decode = spec.decode
        return rows
    if isinstance(spec, CellsSpec):
        return Cells(parameter.name, argument, spec.dtype, spec.rank, scalar=parameter.kind == "scalar")
    if isinstance(spec, SortedSpec):
        return Records(parameter.name, argument, spec.layout)
    return Scalar(argument)
