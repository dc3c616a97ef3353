"""The bodies of random walks: loads, row arithmetic, reductions, carried values, stores at every place that the rules allow."""

from __future__ import annotations

import random

from generated import expressions as ex
from generated import kernels
from generated.expressions import Scope
from generated.program import Operand, Program
from generated.trees import Assign, Expr, If, Jump, Members, Store, Walk

GROUP_READS = (("key",), ("key",), ("chunk", "a"), ("chunk", "ordinal"), ("launch",), ("b",), ("chunk", "launch"))
MEMBER_READS = (
    ("key",), ("a",), ("chunk", "a"), ("chunk", "a"), ("chunk", "index"), ("chunk", "pos"), ("b",), ("a", "b"), ("launch",),
    ("chunk", "u", "v"), ("key", "a"), ("chunk", "launch"),
)  # fmt: skip
ROW_READS = (("row",), ("row",), ("a",), ("launch",), ("key",))
GROUP_WRITES = (("key",), ("key",), ("chunk", "ordinal"), ("chunk", "key"))
MEMBER_WRITES = (("chunk", "index"), ("chunk", "index"), ("chunk", "pos"), ("chunk", "u", "v"), ("u", "v", "chunk"))
ONE_CHUNK_WRITES = (("index",), ("pos",), ("u", "v"))


def field(name: str, type: str = "i32") -> Expr:
    return Expr("field", type, (), name)


class Bodies:
    def __init__(self, program: Program, rng: random.Random, width: int):
        self.program, self.rng, self.width, self.count = program, rng, width, 0
        self.plain = True  # reductions are only stored: the slices may be apart
        self.scalars: list[Expr] = []
        for kind in ("f32", "i32"):
            if rng.random() < 0.5:
                program.operands.append(Operand(f"s_{kind}", kind))
                self.scalars.append(Expr("name", kind, (), f"s_{kind}"))

    # -- names

    def named(self, body: list, scope: Scope, value: Expr) -> Expr:
        self.count += 1
        name = Expr("name", value.type, (), f"t{self.count}")
        body.append(Assign(name.value, value))
        scope.add(name)
        return name

    def base(self, level: str) -> Scope:
        """level: "group", "member", "record" or "row"."""
        scope, sort = Scope(), not self.program.packed
        for scalar in self.scalars:
            scope.add(scalar)
        if level == "row":
            scope.add(Expr("name", "i32", (), "row"))
        if level in ("group", "member"):
            scope.add(field("group.slot", self.program.key))
            scope.add(field("group.chunk"))
            if sort:
                scope.add(field("group.index"))
        if level in ("member", "record"):
            for name in ("a", "b", "u", "v", "pos", *(("index",) if sort else ()), *(("chunk",) if level == "record" else ())):
                scope.add(field(f"member.{name}"))
            scope.add(field("member.w", "f32"))
        if level == "record":
            scope.add(field("member.slot", self.program.key))
        scope.fresh = [name for name in scope.names if name.value == "member.w" and self.rng.random() < 0.7]
        return scope

    # -- places

    def native(self, axis: str, level: str) -> Expr | None:
        group = {"chunk": "chunk", "key": "slot", "ordinal": "index"}
        member = {"a": "a", "b": "b", "u": "u", "v": "v", "index": "index", "pos": "pos"}
        if self.program.packed and axis in ("ordinal", "index"):
            return None
        if level == "row":
            return Expr("name", "i32", (), "row") if axis == "row" else None
        if level == "record" and axis in ("chunk", "key"):
            return field(f"member.{group[axis]}", self.program.key if axis == "key" else "i32")
        if level in ("group", "member") and axis in group:
            return field(f"group.{group[axis]}", self.program.key if axis == "key" else "i32")
        if level in ("member", "record") and axis in member:
            return field(f"member.{member[axis]}")
        return None

    def index(self, axis: str, level: str, scope: Scope) -> Expr:
        extent = self.program.sizes.extent(axis)
        if axis == "launch":
            constant = Expr("number", "i32", (), self.rng.randrange(extent))
            return constant if self.rng.random() < 0.7 else self.within(scope, extent, "s_i32") or constant
        native = self.native(axis, level)
        if native is not None and (axis == "chunk" or self.rng.random() < 0.75):
            return native
        early = Scope()  # loaded values as indices only now and then: such loads go nowhere but direct
        early.names = scope.names if self.rng.random() < 0.2 else self.base(level).names
        return self.within(early, extent) or Expr("number", "i32", (), 0)

    def within(self, scope: Scope, extent: int, only: str = "") -> Expr | None:
        chosen = Scope()
        chosen.names = [name for name in scope.names if not only or name.value == only]
        value = ex.integers(self.rng, chosen, self.rng.choice((0, 1)))
        return value and Expr("%", value.type, (value, Expr("number", "i32", (), extent)))

    # -- loads

    def load(self, level: str, scope: Scope, rows: bool) -> Expr:
        reads = {"group": GROUP_READS, "row": ROW_READS}.get(level, MEMBER_READS)
        known = [operand for operand in self.program.operands if operand.axes and operand.name not in self.writing and (operand.kind == "rows") == rows]
        known = [operand for operand in known if not rows or operand.width == self.width]
        if known and self.rng.random() < 0.25:
            operand = self.rng.choice(known)
        else:
            operand = kernels.operand(self.program, self.rng, "rows" if rows else "cells", self.rng.choice(reads), self.width, False)
        return Expr("load", operand.type, tuple(self.index(axis, level, scope) for axis in operand.axes), operand.name)

    def loads(self, level: str, body: list, scope: Scope, counts: tuple[int, ...]) -> None:
        for _ in range(self.rng.choice(counts)):
            self.named(body, scope, self.load(level, scope, rows=self.width > 0 and self.rng.random() < 0.8))

    # -- arithmetic

    def work(self, body: list, scope: Scope, most: int = 2) -> None:
        for _ in range(self.rng.randint(0, most)):
            value = ex.row(self.rng, scope, self.width, self.rng.choice((1, 1, 2))) if self.width and self.rng.random() < 0.75 else ex.f32(self.rng, scope, 1)
            if value.op not in ("name", "number"):
                self.named(body, scope, value)

    def reduction(self, scope: Scope) -> Expr:
        kind = self.rng.choice(("dot", "dot", "sum", "max", "min", "amax"))
        rows = [ex.row(self.rng, scope, self.width, self.rng.choice((0, 0, 1))) for _ in range(2 if kind == "dot" else 1)]
        return Expr(kind, "f32", tuple(rows))

    def value(self, type: str, scope: Scope) -> Expr:
        if type == "row":
            return ex.row(self.rng, scope, self.width, self.rng.choice((0, 1, 1)))
        if type == "f32":
            return ex.f32(self.rng, scope, self.rng.choice((0, 1)))
        return ex.narrow(self.rng, scope, 1) or ex.number(self.rng, "i32")

    # -- stores

    def target(self, level: str, kind: str, dtype: str = "") -> tuple[Operand, tuple[Expr, ...]]:
        writes = {"group": GROUP_WRITES, "row": (("row",),)}.get(level, MEMBER_WRITES)
        if self.program.sizes.chunks == 1 and level in ("member", "record"):
            writes += ONE_CHUNK_WRITES
        writes = [axes for axes in writes if all(self.native(axis, level) is not None for axis in axes)]
        operand = kernels.operand(self.program, self.rng, kind, self.rng.choice(writes), self.width, True, dtype)
        self.writing.add(operand.name)
        return operand, tuple(self.native(axis, level) for axis in operand.axes)

    def store(self, level: str, body: list, scope: Scope) -> None:
        kind = self.rng.random()
        if self.width and kind < 0.4:
            operand, place = self.target(level, "cells", "float32")
            body.append(Store(operand.name, place, self.reduction(scope)))
        elif self.width and kind < 0.8:
            operand, place = self.target(level, "rows")
            if self.rng.random() < 0.12:
                load = self.load(level, scope, rows=True)
                operand.dtype = self.program.find(load.value).dtype
                body.append(Store(operand.name, place, Expr("copy_row", "row", (load,))))
                return
            self.written(body, scope, operand, place)
        else:
            operand, place = self.target(level, "cells")
            self.written(body, scope, operand, place)

    def written(self, body: list, scope: Scope, operand: Operand, place: tuple[Expr, ...]) -> None:
        how, value = self.rng.random(), self.value(operand.type, scope)
        if how < 0.12:  # what was there is read first, and again what this walk wrote
            old = self.named(body, scope, Expr("load", operand.type, place, operand.name))
            body.append(Store(operand.name, place, Expr("+", operand.type, (old, value))))
            if self.rng.random() < 0.3:
                self.named(body, scope, Expr("load", operand.type, place, operand.name))
            return
        body.append(Store(operand.name, place, value, plus=how < 0.3))

    # -- conditions

    def branch(self, level: str, body: list, scope: Scope, carried: list[Expr]) -> None:
        condition = ex.condition(self.rng, scope)
        if condition is None:
            return
        made = If(condition, [])
        for side in (made.then, made.other) if self.rng.random() < 0.4 else (made.then,):
            inner = Scope(scope)
            if level in ("group", "row") and self.rng.random() < 0.5:
                self.loads(level, side, inner, (1,))
            for name in carried:
                if self.rng.random() < 0.6:
                    side.append(Assign(name.value, self.update(name, inner)))
            if not side or self.rng.random() < 0.3:
                self.store(level, side, inner)
        body.append(made)

    def update(self, name: Expr, scope: Scope) -> Expr:
        if name.type == "i32":
            return Expr("+", "i32", (name, self.value("i32", scope)))
        value = self.value(name.type, scope)
        if name.type == "row" and self.rng.random() < 0.5:
            by = ex.f32(self.rng, scope, 0)
            return Expr("fma", "row", (by, value, name))
        return Expr(self.rng.choice(("+", "+", "-", "minimum", "maximum")), name.type, (name, value))

    # -- walks

    def walk(self, kind: str) -> None:
        self.plain, self.writing = self.rng.random() < 0.6, set()
        over = "items"
        if kind == "rows":
            width = self.width or 64
            over = kernels.operand(self.program, self.rng, "rows", ("row",), width, False).name
        body: list = []
        if kind == "groups":
            self.groups(body)
        else:
            self.single({"records": "record", "rows": "row"}[kind], body)
        self.program.walks.append(Walk(kind, over, body))

    def single(self, level: str, body: list) -> None:
        scope = self.base(level)
        self.loads(level, body, scope, (1, 1, 2, 3))
        self.work(body, scope)
        self.used_reductions(level, body, scope)
        if self.rng.random() < 0.2:
            self.branch(level, body, scope, [])
        for _ in range(self.rng.choice((1, 1, 2))):
            self.store(level, body, scope)

    def used_reductions(self, level: str, body: list, scope: Scope) -> None:
        if self.rng.random() < 0.05:  # of rows of another width
            reads = {"group": GROUP_READS, "row": ROW_READS}.get(level, MEMBER_READS)
            other = kernels.operand(self.program, self.rng, "rows", self.rng.choice(reads), self.rng.choice((7, 64, 136)), False)
            load = Expr("load", "row", tuple(self.index(axis, level, scope) for axis in other.axes), other.name)
            self.named(body, scope, Expr(self.rng.choice(("sum", "max", "amax")), "f32", (load,)))
        if self.width and not self.plain and self.rng.random() < 0.6:
            self.named(body, scope, self.reduction(scope))

    def groups(self, body: list) -> None:
        rng, scope = self.rng, self.base("group")
        if rng.random() < 0.06:
            scope.add(field("group.size"))
        self.loads("group", body, scope, (0, 1, 1, 2, 3))
        self.work(body, scope, 1)
        if rng.random() < 0.15:
            self.branch("group", body, scope, [name for name in scope.names if name.op == "name" and name.value.startswith("t")])
        if rng.random() < 0.2:
            self.store("group", body, scope)
        carried = self.carried(body, scope)
        self.members(body, scope, carried)
        for name in carried:
            scope.add(name)
        if rng.random() < 0.1:  # a second loop: nest alone
            self.members(body, scope, carried)
        self.loads("group", body, scope, (0, 0, 1, 2, 3))
        self.work(body, scope, 1)
        self.used_reductions("group", body, scope)
        if rng.random() < 0.2:
            self.branch("group", body, scope, carried)
        for _ in range(rng.choice((1, 1, 2))):
            self.store("group", body, scope)

    def carried(self, body: list, scope: Scope) -> list[Expr]:
        made = []
        for type in (["row"] * self.rng.choice((0, 1, 1, 2)) if self.width else []) + ["f32", "i32"][: self.rng.choice((0, 0, 1, 2))]:
            self.count += 1
            name = Expr("name", type, (), f"c{self.count}")
            start = Expr("number", type, (), 0.0 if type == "f32" else self.rng.choice((0, 3)))
            if type == "row":
                held = scope.take(self.rng, "row") if self.rng.random() < 0.3 else None
                start = held or Expr("full", "row", (Expr("number", "f32", (), self.rng.choice((0.0, 0.0, -1.5))),), self.width)
            body.append(Assign(name.value, start))
            made.append(name)
        return made

    def members(self, outer: list, group: Scope, carried: list[Expr]) -> None:
        rng, body, scope = self.rng, [], self.base("member")
        for name in [name for name in group.names if name.op == "name" and name not in scope.names] + carried:
            scope.add(name)
        scope.fresh = [name for name in scope.fresh if name not in carried]
        if rng.random() < 0.06:
            skipped = ex.condition(rng, self.base("member"))
            body.append(If(skipped, [Jump(rng.choice(("continue", "break")))]))
        self.loads("member", body, scope, (0, 1, 1, 2, 2, 3))
        self.work(body, scope)
        self.used_reductions("member", body, scope)
        for _ in range(rng.choice((0, 1, 1, 2))):
            self.store("member", body, scope)
        for name in carried:
            body.append(Assign(name.value, self.update(name, scope)))
        if rng.random() < 0.2:
            self.branch("member", body, scope, carried)
        if not body:
            self.store("member", body, scope)
        outer.append(Members(body))
