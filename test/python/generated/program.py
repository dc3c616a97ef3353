"""What a random kernel is: its operands, its walks, and its Python text."""

from __future__ import annotations

import dataclasses

from generated import trees

ANNOTATION = {"rows": "sl.Rows", "cells": "sl.Cells", "f32": "sl.f32", "i32": "sl.i32"}

PRELUDE = '''\
import sdm
import sdm.language as sl


class Item(sl.Record, key="slot", unique={unique}):
    slot: sl.{key}
    a: sl.i32
    b: sl.i32
    u: sl.i32
    v: sl.i32
    w: sl.f32


@sdm.kernel
def k({parameters}):
'''


@dataclasses.dataclass
class Operand:
    """kind: "rows", "cells", "f32" or "i32" (scalars). axes: what each index counts (`Sizes.extent`); width: columns of rows."""

    name: str
    kind: str
    dtype: str = "float32"
    axes: tuple[str, ...] = ()
    width: int = 0
    written: bool = False
    shift: int = 0  # elements that its first one lies past an address of 64 bytes
    pad: int = 0  # elements between rows
    strides: str = ""  # of the first index axis: "reversed", "swapped" with the second one, "repeated" (stride 0, what is only read)

    @property
    def type(self) -> str:
        """Of what a load gives."""
        if self.kind == "rows":
            return "row"
        return {"float32": "f32", "int32": "i32", "int64": "i64"}[self.dtype]


@dataclasses.dataclass(frozen=True)
class Sizes:
    chunks: int
    n: int
    keys: int  # of a chunk
    a: int
    b: int
    rows: int
    lanes: int  # the range of v, the last of the unique fields

    def extent(self, axis: str) -> int:
        return {
            "chunk": self.chunks, "key": self.chunks * self.keys, "ordinal": self.n, "index": self.n, "pos": self.n, "a": self.a, "b": self.b,
            "u": -(-self.n // self.lanes), "v": self.lanes, "row": self.rows, "launch": 3,
        }[axis]  # fmt: skip


@dataclasses.dataclass
class Program:
    seed: int
    sizes: Sizes
    packed: bool  # 16-byte records instead of what sdm.sort makes: without index and ordinal
    key: str  # "i32" or "i64"
    shape: str  # of the groups: `data.SHAPES`
    invalid: float
    special: float
    garbage: bool  # invalid records hold any fields
    apart: bool  # one launch for each chunk
    operands: list[Operand] = dataclasses.field(default_factory=list)
    walks: list[trees.Walk] = dataclasses.field(default_factory=list)

    @property
    def text(self) -> str:
        named = ["items: sl.Sorted[Item]", *(f"{operand.name}: {ANNOTATION[operand.kind]}" for operand in self.operands)]
        head = PRELUDE.format(unique=("u", "v"), key=self.key, parameters=", ".join(named))
        return head + "\n".join(trees.lines(self.walks, 1)) + "\n"

    def find(self, name: str) -> Operand:
        return next(operand for operand in self.operands if operand.name == name)
