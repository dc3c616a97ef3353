"""A kernel as a small tree: printed as Python text (`source`), run by `meaning`."""

from __future__ import annotations

from dataclasses import dataclass, field

INFIX = ("+", "-", "*", "/", "//", "%", "<", "<=", ">", "==", "!=", "and", "or")
CALLS = ("fma", "sqrt", "abs", "minimum", "maximum", "where", "dot", "sum", "max", "min", "amax", "full", "f32", "copy_row")


@dataclass(frozen=True)
class Expr:
    """op: "name" and "number" (`value`), "field" (`value` is "group.slot"), "load" (`value` is the operand), "negate", INFIX or CALLS.
    type: "row", "f32", "i32", "i64", "i1", or "mask" (a comparison of rows)."""

    op: str
    type: str
    args: tuple["Expr", ...] = ()
    value: object = None

    def __str__(self) -> str:
        parts = ", ".join(map(str, self.args))
        if self.op in ("name", "field"):
            return self.value
        if self.op == "number":
            return f"({self.value!r})" if self.value < 0 or str(self.value)[0] == "-" else repr(self.value)
        if self.op == "load":
            return f"{self.value}[{parts}]"
        if self.op == "negate":
            return f"-{parts}"
        if self.op in INFIX:
            return f"({self.args[0]} {self.op} {self.args[1]})"
        return f"sl.{self.op}({self.value}, {parts})" if self.op == "full" else f"sl.{self.op}({parts})"


@dataclass
class Assign:
    name: str
    value: Expr


@dataclass
class Store:
    """plus: `target[indices] += value`."""

    target: str
    indices: tuple[Expr, ...]
    value: Expr
    plus: bool = False


@dataclass
class If:
    condition: Expr
    then: list
    other: list = field(default_factory=list)


@dataclass
class Members:
    body: list


@dataclass
class Jump:
    """word: "continue" or "break"."""

    word: str


@dataclass
class Walk:
    """kind: "groups", "records" or "rows" (of the operand `over`)."""

    kind: str
    over: str
    body: list


HEADS = {"groups": "for group in items:", "records": "for member in sl.records(items):", "rows": "for row in sl.rows({}):"}


def lines(body: list, depth: int):
    pad = "    " * depth
    for statement in body:
        if isinstance(statement, Assign):
            yield f"{pad}{statement.name} = {statement.value}"
        elif isinstance(statement, Store):
            place = ", ".join(map(str, statement.indices))
            yield f"{pad}{statement.target}[{place}] {'+=' if statement.plus else '='} {statement.value}"
        elif isinstance(statement, If):
            yield f"{pad}if {statement.condition}:"
            yield from lines(statement.then, depth + 1)
            if statement.other:
                yield f"{pad}else:"
                yield from lines(statement.other, depth + 1)
        elif isinstance(statement, Jump):
            yield f"{pad}{statement.word}"
        elif isinstance(statement, Members):
            yield f"{pad}for member in group:"
            yield from lines(statement.body, depth + 1)
        else:
            yield f"{pad}{HEADS[statement.kind].format(statement.over)}"
            yield from lines(statement.body, depth + 1)


def statements(body: list):
    """All statements, outer ones first."""
    for statement in body:
        yield statement
        for name in ("body", "then", "other"):
            yield from statements(getattr(statement, name, []))
