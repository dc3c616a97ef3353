"""Names: which are defined where, and which ended with a loop or a branch."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from sdm.frontend.values import Typed


@dataclass(frozen=True)
class Ended:
    """A name that has no value any more: the error's code and the line that ended it."""

    code: str
    line: int


class Scope:
    """One level of names of one function: its own, a walk's, a member loop's or a branch's.

    Assigning writes to the innermost level; loops and branches copy out what the levels around already have.
    """

    def __init__(self, parent: "Scope | None" = None):
        self.parent = parent
        self.names: dict[str, Typed | Ended] = {}

    def find(self, name: str) -> Typed | Ended | None:
        scope = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def value(self, name: str) -> Typed | None:
        found = self.find(name)
        return None if isinstance(found, Ended) else found

    def assign(self, name: str, value: Typed) -> None:
        self.names[name] = value

    def end(self, name: str, code: str, line: int) -> None:
        self.names[name] = Ended(code, line)


def assigned_names(statements: list[ast.stmt]) -> list[str]:
    """Names that the statements assign, in the order of their first assignment."""
    return list(dict.fromkeys(node.id for node in assigned_nodes(statements)))


def assigned_nodes(statements: list[ast.stmt]) -> list[ast.Name]:
    return [name for statement in statements for name in _stores(statement)]


# What has names of its own; none of them has a meaning in a kernel.
_OWN_NAMES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.FunctionDef, ast.ClassDef)


def _stores(node: ast.AST):
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _OWN_NAMES):
            yield from _stores(child)
