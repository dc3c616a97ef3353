"""What an expression can be while a kernel is read. `described()` is the phrase that error messages use."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass

from sdm.dtypes import DType, int4
from sdm.frontend import ir
from sdm.frontend.slices import row_type
from sdm.records import Layout


class Typed:
    """Base of all values."""

    def described(self) -> str:
        raise NotImplementedError


@dataclass(eq=False)
class Const(Typed):
    """A value known when the kernel is compiled: number, bool, None, string or DType."""

    value: object

    def described(self) -> str:
        if isinstance(self.value, DType):
            return f"the type {self.value!r}"
        return f"the constant {reprlib.repr(self.value)}"


@dataclass(eq=False)
class Scalar(Typed):
    """One i1, i32, i64 or f32."""

    ssa: ir.Value

    @property
    def type(self) -> str:
        return self.ssa.type

    def described(self) -> str:
        name = "bool" if self.type == "i1" else self.type
        return f"{'a' if name == 'bool' else 'an'} {name} scalar"


@dataclass(eq=False)
class Row(Typed):
    """A row of f32, or of conditions (`mask`). `stored` is what was loaded, for sl.copy_row."""

    ssa: ir.Value
    width: int
    mask: bool = False
    stored: StoredRow | None = None

    def described(self) -> str:
        return f"a row of {self.width} {'conditions' if self.mask else 'columns'}"


@dataclass(eq=False)
class StoredRow(Typed):
    """The bits of a loaded row: what sl.copy_row gives. scale: of a quantized one."""

    ssa: ir.Value
    width: int
    dtype: DType
    scale: ir.Value | None = None

    def described(self) -> str:
        return f"the {self.dtype.name} bits of a row of {self.width} columns"


@dataclass(eq=False)
class Missing(Typed):
    """Anything computed from an absent operand; harmless until something that stays needs it."""

    name: str
    frames: tuple  # where the operand was read

    def described(self) -> str:
        return f"a value of the absent operand '{self.name}'"


@dataclass(eq=False)
class Tuple(Typed):
    items: list[Typed]

    def described(self) -> str:
        return f"a tuple of {len(self.items)}"


@dataclass(eq=False)
class Rows(Typed):
    """An operand whose last axis is a row. scale, decode: of quantized rows, one for each row, and the type that they are decoded to."""

    name: str
    ssa: ir.Value
    dtype: DType
    rank: int
    width: int
    scale: Cells | None = None
    decode: DType | None = None

    @property
    def axes(self) -> int:
        return self.rank - 1

    @property
    def row_type(self) -> str:
        """Of a row's value; the numbers of int4 are bytes there."""
        return row_type(self.width, "i8" if self.dtype is int4 else self.dtype.element)

    def described(self) -> str:
        return f"the rows '{self.name}'"


@dataclass(eq=False)
class Cells(Typed):
    """An operand of scalars."""

    name: str
    ssa: ir.Value
    dtype: DType
    rank: int
    scalar: bool = False  # a scalar parameter that lives in memory: its name reads it

    @property
    def axes(self) -> int:
        return self.rank

    def described(self) -> str:
        return f"the cells '{self.name}'"


@dataclass(eq=False)
class Absent(Typed):
    """An operand bound to None."""

    name: str

    def described(self) -> str:
        return f"the absent operand '{self.name}'"


@dataclass(eq=False)
class Records(Typed):
    """A sorted list of records."""

    name: str
    ssa: ir.Value
    layout: Layout

    def described(self) -> str:
        return f"the records '{self.name}'"


@dataclass(eq=False)
class Group(Typed):
    ssa: ir.Value
    records: Records

    def described(self) -> str:
        return "a group"


@dataclass(eq=False)
class Member(Typed):
    ssa: ir.Value
    records: Records

    def described(self) -> str:
        return "a member"


@dataclass(eq=False)
class Shape(Typed):
    """`x.shape`: extents as i64, a row's width as a constant."""

    operand: Rows | Cells

    def described(self) -> str:
        return f"the shape of '{self.operand.name}'"


@dataclass(eq=False)
class Domain(Typed):
    """`sl.rows(x)`, `sl.records(reads)` or `sl.static_range(...)`: what a loop goes over."""

    kind: str
    over: Typed | None = None
    turns: range | None = None

    def described(self) -> str:
        return f"sl.{self.kind}(...)"


@dataclass(eq=False)
class Callee(Typed):
    """Something from outside that can be called or looked into: a surface name, a helper, a module."""

    object: object
    name: str

    def described(self) -> str:
        return f"'{self.name}'"
