"""What a program means, by the contract: one record, group or row after the other, in numpy."""

from __future__ import annotations

import numpy as np

from generated import trees
from sdm.reference import bits, reduce

REAL = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "minimum": bits.minimum, "maximum": bits.maximum,
    "<": np.less, "<=": np.less_equal, ">": np.greater, "==": np.equal, "!=": np.not_equal,
}  # fmt: skip
WHOLE = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "//": lambda a, b: a // b if b else 0, "%": lambda a, b: a % b if b else 0,
    "minimum": min, "maximum": max, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip


class Jump(Exception):
    """`continue` or `break`."""


def wrapped(value: int, type: str) -> int:
    size = 64 if type == "i64" else 32
    return (value + (1 << (size - 1))) % (1 << size) - (1 << (size - 1))


class Meaning:
    """f32 scalars are arrays [1], rows [width], integers Python's."""

    def __init__(self, program, arrays: dict, sorted_items: dict):
        self.program, self.arrays, self.items = program, arrays, sorted_items

    def run(self) -> None:
        with np.errstate(all="ignore"):
            chunks = range(self.program.sizes.chunks)
            for part in [[chunk] for chunk in chunks] if self.program.apart else [chunks]:
                for walk in self.program.walks:
                    self.walk(walk, part)

    def walk(self, walk, chunks) -> None:
        if walk.kind == "rows":
            for at in range(self.arrays[walk.over].shape[0]):
                self.env, self.valid = {"row": at}, True
                self.block(walk.body)
            return
        for chunk in chunks:
            at = 0
            while at < self.program.sizes.n:
                self.chunk, self.start, self.valid = chunk, at, bool(self.items["valid"][chunk, at])
                self.end = at + 1
                if walk.kind == "groups" and self.valid:
                    while self.end < self.program.sizes.n and not self.items["first"][chunk, self.end]:
                        self.end += 1
                self.pos, self.env = at, {}
                self.of_member = walk.kind == "records"
                self.block(walk.body)
                at = self.end

    def block(self, body: list) -> None:
        for statement in body:
            if isinstance(statement, trees.Assign):
                self.env[statement.name] = self.value(statement.value)
            elif isinstance(statement, trees.Store):
                self.store(statement)
            elif isinstance(statement, trees.If):
                self.block(statement.then if self.value(statement.condition) else statement.other)
            elif isinstance(statement, trees.Jump):
                raise Jump(statement.word)
            else:
                self.members(statement)

    def members(self, loop) -> None:
        self.of_member = True
        for self.pos in range(self.start, self.end):
            try:
                self.block(loop.body)
            except Jump as jump:
                if jump.args == ("break",):
                    break
        self.of_member, self.pos = False, self.start

    def store(self, statement) -> None:
        array = self.arrays[statement.target]
        place = tuple(self.value(index) for index in statement.indices)
        if statement.value.op == "copy_row":
            return self.copy(array, place, statement.value.args[0])
        value = self.value(statement.value)
        if not self.valid and not self.of_member:
            return
        if statement.plus:
            value = value + (int(array[place]) if array.dtype.kind == "i" else bits.to_f32(array[place]).reshape(-1))
        if not self.valid:
            value = np.zeros(1, np.float32) if not isinstance(value, int) else 0
        if array.dtype.kind == "i":
            array[place] = wrapped(int(value), f"i{8 * array.itemsize}")
        else:
            array[place] = bits.store(np.broadcast_to(value, np.shape(array[place]) or 1), array.dtype).reshape(np.shape(array[place]))

    def copy(self, array, place, load) -> None:
        if self.valid:
            array[place].view(f"u{array.itemsize}")[...] = self.arrays[load.value][tuple(map(self.value, load.args))].view(f"u{array.itemsize}")
        elif self.of_member:
            array[place] = 0

    def place(self, name: str):
        handle, field = name.split(".")
        items, at = self.items, (self.chunk, self.pos if handle == "member" else self.start)
        if field in ("chunk", "pos"):
            return at[field == "pos"]
        if field == "size":
            return self.end - self.start
        if field == "valid":
            return self.valid
        if field == "index":
            return int(items["index" if handle == "member" else "ordinal"][at])
        value = items["key" if field == "slot" else field][at]
        return np.float32(value).reshape(1) if field == "w" else int(value)

    def load(self, node):
        array = self.arrays[node.value]
        width = array.shape[-1] if node.type == "row" else 1
        if not self.valid:
            return 0 if node.type in ("i32", "i64") else np.zeros(width, np.float32)
        found = array[tuple(self.value(index) for index in node.args)]
        return int(found) if node.type in ("i32", "i64") else bits.to_f32(found).reshape(width)

    def value(self, node):
        op = node.op
        if op == "name":
            value = self.env[node.value] if node.value in self.env else self.arrays[node.value]
            return value
        if op == "number":
            return np.float32(node.value).reshape(1) if node.type == "f32" else node.value
        if op == "field":
            return self.place(node.value)
        if op == "load":
            return self.load(node)
        parts = [self.value(part) for part in node.args]
        if node.type in ("i32", "i64"):
            return wrapped({"abs": abs, "negate": lambda a: -a}[op](*parts) if len(parts) == 1 else WHOLE[op](*parts), node.type)
        if op in ("dot", "sum", "max", "min", "amax"):
            return np.reshape(reduce.dot(*parts) if op == "dot" else reduce.reduce(parts[0], op), 1).astype(np.float32)
        if op == "fma":
            return bits.fma(*np.broadcast_arrays(*parts))
        if op == "full":
            return np.broadcast_to(parts[0], node.value)
        if op == "f32":
            return np.array([parts[0]], np.int64).astype(np.float32)
        if op == "negate":
            return -parts[0]
        if op in ("sqrt", "abs"):
            return getattr(np, op)(parts[0])
        if op == "where":
            return np.where(*parts).astype(np.float32)
        if op in ("and", "or"):
            return all(parts) if op == "and" else any(parts)
        if op in WHOLE and all(isinstance(part, int) for part in parts):
            return WHOLE[op](*parts)
        found = REAL[op](*parts)
        return bool(found.all()) if node.type == "i1" else np.asarray(found, found.dtype)
