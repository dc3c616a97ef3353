"""The objects that decorators make: a helper that is inlined where a kernel calls it."""

from __future__ import annotations

import ast
import functools

from sdm.dtypes import OutsideKernelError
from sdm.frontend.source import Source


class Function:
    """A Python function marked with @sdm.function: kernels and other helpers call it, and it is inlined there."""

    def __init__(self, function):
        self.function = function
        functools.update_wrapper(self, function, updated=())

    @functools.cached_property
    def source(self) -> Source:
        """Raises CompileError where the source cannot be read."""
        return Source.of(self.function)

    @functools.cached_property
    def paths(self) -> tuple[str, ...]:
        """Every name in the source, and every chain of attributes (`math.pi`), once."""
        found = (_path(node) for node in ast.walk(self.source.definition))
        return tuple(dict.fromkeys(path for path in found if path))

    def __call__(self, *arguments, **keywords):
        raise OutsideKernelError(self.function.__name__)


def _path(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = _path(node.value)
        return inner and f"{inner}.{node.attr}"
    return None
