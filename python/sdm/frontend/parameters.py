"""What a kernel's annotations declare."""

from __future__ import annotations

import inspect
import types
from dataclasses import dataclass

import sdm.language as sl
from sdm.dtypes import DType, Optional, SCALAR_TYPES
from sdm.frontend.errors import CompileError
from sdm.frontend.source import Source
from sdm.records import Record


@dataclass(frozen=True)
class Parameter:
    """One parameter: kind 'sorted', 'rows', 'cells', 'scalar' or 'constexpr'; may it be None; its default, if any."""

    name: str
    kind: str
    optional: bool = False
    record: type[Record] | None = None
    dtype: DType | None = None
    default: object = inspect.Parameter.empty

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    def described(self) -> str:
        """As it is written: `sl.Rows | None`."""
        text = {"sorted": f"sl.Sorted[{self.record.__name__}]" if self.record else "", "rows": "sl.Rows",
                "cells": "sl.Cells", "scalar": repr(self.dtype), "constexpr": "sl.constexpr"}[self.kind]  # fmt: skip
        return text + (" | None" if self.optional else "")


def read_parameters(function, source: Source) -> tuple[Parameter, ...]:
    """The kernel's parameters; raises CompileError at the one that is not understood."""
    arguments = source.definition.args
    for star in filter(None, (arguments.vararg, arguments.kwarg)):
        raise CompileError("bad-parameter", [source.frame(star)], name=star.arg)
    nodes = {node.arg: node for node in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    found = []
    for name, parameter in inspect.signature(function).parameters.items():
        frame = [source.frame(nodes[name])]
        if parameter.annotation is parameter.empty:
            raise CompileError("no-annotation", frame, name=name)
        annotation = _evaluated(function, parameter.annotation)
        described = _parameter(name, annotation, parameter.default)
        if described is None:
            raise CompileError("bad-annotation", frame, name=name)
        found.append(described)
    return tuple(found)


def _evaluated(function, annotation):
    """Annotations are text under `from __future__ import annotations`."""
    if not isinstance(annotation, str):
        return annotation
    code = function.__code__
    cells = zip(code.co_freevars, function.__closure__ or ())
    try:
        return eval(annotation, function.__globals__, {name: cell.cell_contents for name, cell in cells})
    except Exception:
        return None


def _parameter(name: str, annotation, default) -> Parameter | None:
    optional = False
    if isinstance(annotation, Optional):
        annotation, optional = annotation.annotation, True
    elif isinstance(annotation, types.UnionType):
        parts = [part for part in annotation.__args__ if part is not types.NoneType]
        if len(parts) != 1:
            return None
        annotation, optional = parts[0], True
    if isinstance(annotation, sl.SortedOf) and not optional:
        return Parameter(name, "sorted", record=annotation.record, default=default)
    if annotation is sl.constexpr:
        return Parameter(name, "constexpr", default=default)
    if annotation in (sl.Rows, sl.Cells):
        return Parameter(name, "rows" if annotation is sl.Rows else "cells", optional, default=default)
    if annotation in SCALAR_TYPES:
        return Parameter(name, "scalar", optional, dtype=annotation, default=default)
    return None
