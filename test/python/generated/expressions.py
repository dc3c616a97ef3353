"""Random expressions of one type over the names in sight. Constants never meet constants: they would be folded in Python's arithmetic."""

from __future__ import annotations

import random

from generated.trees import Expr

NUMBERS = (0.5, -1.5, 2.0, 0.25, 3.0, -0.0, 0.001, 1.0)


def number(rng: random.Random, type: str) -> Expr:
    return Expr("number", type, (), rng.choice(NUMBERS) if type == "f32" else rng.choice((1, 2, 3, 5, 7, -2)))


class Scope:
    """Names in sight, by type. `fresh`: those that nothing has used yet, which come first."""

    def __init__(self, outer: "Scope | None" = None):
        self.names: list[Expr] = list(outer.names) if outer else []
        self.fresh: list[Expr] = list(outer.fresh) if outer else []

    def add(self, value: Expr) -> None:
        self.names = [known for known in self.names if known.value != value.value] + [value]
        self.fresh.append(value)

    def of(self, type: str) -> list[Expr]:
        return [name for name in self.names if name.type == type]

    def take(self, rng: random.Random, type: str) -> Expr | None:
        fresh = [name for name in self.fresh if name.type == type]
        found = fresh if fresh and rng.random() < 0.8 else self.of(type)
        if not found:
            return None
        chosen = rng.choice(found)
        self.fresh = [name for name in self.fresh if name != chosen]
        return chosen


def spread(rng: random.Random, scope: Scope, width: int) -> Expr:
    """A row, or a scalar that is spread over one."""
    kind = rng.random()
    if kind < 0.2:
        return number(rng, "f32")
    if kind < 0.45 and scope.of("f32"):
        return scope.take(rng, "f32")
    return row(rng, scope, width, 0)


def row(rng: random.Random, scope: Scope, width: int, depth: int) -> Expr:
    if depth <= 0:
        leaf = scope.take(rng, "row")
        if leaf is not None:
            return leaf
        value = scope.take(rng, "f32")
        return Expr("full", "row", (value or number(rng, "f32"),), width)
    first, second = row(rng, scope, width, depth - 1), spread(rng, scope, width)
    kind = rng.choice(("fma", "fma", "+", "-", "*", "/", "sqrt", "abs", "minimum", "maximum", "where", "negate"))
    if kind == "fma":
        parts = [first, second, spread(rng, scope, width)]
        rng.shuffle(parts)
        return Expr("fma", "row", tuple(parts))
    if kind == "sqrt":
        return Expr("sqrt", "row", (Expr("abs", "row", (first,)) if rng.random() < 0.6 else first,))
    if kind in ("abs", "negate"):
        return Expr(kind, "row", (first,))
    if kind == "where":
        mask = Expr(rng.choice(("<", ">", "<=", "==", "!=")), "mask", (first, second))
        return Expr("where", "row", (mask, row(rng, scope, width, depth - 1), spread(rng, scope, width)))
    parts = (first, second) if rng.random() < 0.7 else (second, first)
    return Expr(kind, "row", parts)


def f32(rng: random.Random, scope: Scope, depth: int) -> Expr:
    """An f32 scalar that is no constant, if the scope holds any number."""
    if depth <= 0:
        leaf = scope.take(rng, "f32")
        if leaf is None:
            integer = integers(rng, scope, 0)
            leaf = Expr("f32", "f32", (integer,)) if integer is not None else number(rng, "f32")
        return leaf
    first = f32(rng, scope, depth - 1)
    second = f32(rng, scope, 0) if rng.random() < 0.6 else number(rng, "f32")
    if first.op == "number":
        return first
    kind = rng.choice(("+", "-", "*", "/", "fma", "minimum", "maximum", "sqrt", "abs", "where", "negate"))
    if kind == "fma":
        return Expr("fma", "f32", (first, second, number(rng, "f32")))
    if kind in ("sqrt", "abs", "negate"):
        return Expr(kind, "f32", (first,))
    if kind == "where":
        return Expr("where", "f32", (condition(rng, scope) or Expr("<", "i1", (first, second)), first, second))
    return Expr(kind, "f32", (first, second))


def integers(rng: random.Random, scope: Scope, depth: int) -> Expr | None:
    """An integer that is no constant; None where the scope has none."""
    if depth <= 0:
        return scope.take(rng, rng.choice(("i32", "i32", "i32", "i64"))) or scope.take(rng, "i32") or scope.take(rng, "i64")
    first = integers(rng, scope, depth - 1)
    if first is None:
        return None
    kind = rng.choice(("+", "-", "*", "//", "%", "minimum", "maximum", "abs"))
    if kind == "abs":
        return Expr("abs", first.type, (first,))
    second = number(rng, "i32")
    if rng.random() < (0.2 if kind in ("//", "%") else 0.6):
        second = integers(rng, scope, 0) or second
    type = "i64" if "i64" in (first.type, second.type) else "i32"
    return Expr(kind, type, (first, second))


def narrow(rng: random.Random, scope: Scope, depth: int) -> Expr | None:
    """An i32."""
    small = Scope()
    small.names = scope.of("i32")
    small.fresh = [name for name in scope.fresh if name.type == "i32"]
    return integers(rng, small, depth)


def condition(rng: random.Random, scope: Scope) -> Expr | None:
    first = comparison(rng, scope)
    second = comparison(rng, scope) if rng.random() < 0.25 else None
    return Expr(rng.choice(("and", "or")), "i1", (first, second)) if first and second else first


def comparison(rng: random.Random, scope: Scope) -> Expr | None:
    if rng.random() < 0.7:
        value = integers(rng, scope, rng.choice((0, 0, 1)))
        if value is not None:
            return Expr(rng.choice(("<", ">", "==", "!=")), "i1", (value, Expr("number", "i32", (), rng.choice((0, 1, 2, 3)))))
    value = scope.take(rng, "f32")
    return value and Expr(rng.choice(("<", ">", "<=")), "i1", (value, number(rng, "f32")))
