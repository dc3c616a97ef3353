"""What one compilation is specialised for: a type for each operand. Sizes, strides and scalars are not part of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sdm.dtypes import BY_NAME, DType, QUANTIZED_TYPES, ROW_TYPES, SCALAR_TYPES, bf16, f32
from sdm.records import Layout


@dataclass(frozen=True)
class RowsSpec:
    """`rows:bf16:128`, `rows:bf16:?x?x128`, with `:piece=4` where base or strides are less aligned than the width.

    `rows:fp8:128:decode=bf16` and `rows:int4:...` are quantized: `decode` is the type that they are decoded to, and an argument with the
    scales follows.
    """

    dtype: DType
    width: int
    rank: int = 2
    piece: int = 0
    decode: DType | None = None

    @property
    def type(self) -> str:
        piece = f", piece = {self.piece}" if self.piece else ""
        return f"!sdm.rows<{'?x' * (self.rank - 1)}{self.width}x{self.dtype.element}{piece}>"

    @property
    def bytes(self) -> int:
        """Of one row."""
        return self.width * self.dtype.bits // 8

    @property
    def scale(self) -> CellsSpec | None:
        """What the scales of quantized rows are."""
        return CellsSpec(f32, self.rank - 1) if self.decode else None


@dataclass(frozen=True)
class CellsSpec:
    """`cells:f32:3` or `cells:f32:?x?x?`: the element type and the rank; rank 0 is a scalar in memory."""

    dtype: DType
    rank: int

    @property
    def type(self) -> str:
        return f"!sdm.cells<{'?x' * self.rank}{self.dtype.name}>"


@dataclass(frozen=True)
class SortedSpec:
    """Records in a layout."""

    layout: Layout

    @property
    def type(self) -> str:
        return f"!sdm.sorted<{self.layout.text}>"


@dataclass(frozen=True)
class ScalarSpec:
    """`f32`: a number passed by value."""

    dtype: DType

    @property
    def type(self) -> str:
        return self.dtype.name


@dataclass(frozen=True)
class AbsentSpec:
    """`none`: an operand bound to None."""


@dataclass(frozen=True)
class ConstSpec:
    """`const:3`: the value of a constexpr parameter. Compared by its text: 1, 1.0 and True are three values, 0.0 and -0.0 two."""

    value: object = field(compare=False)
    text: str = ""

    def __post_init__(self):
        object.__setattr__(self, "text", repr(self.value))


Spec = RowsSpec | CellsSpec | SortedSpec | ScalarSpec | AbsentSpec | ConstSpec

# A row's columns are counted in 32 bits; a piece is what one access moves.
WIDEST, PIECES = (1 << 31) - 1, (1, 2, 4, 8, 16)
FORMS = "rows:bf16:128, rows:f32:?x?x128, rows:fp8:128:decode=bf16, rows:int4:128:decode=f32 (an even width), cells:f32:2, f32, const:3 or none"
DECODES = (bf16, f32)


def with_scales(specs: dict[str, Spec]) -> dict[str, Spec]:
    """Specs of the arguments of a kernel with a kernel's parameters given: the scales behind their quantized rows, as `name.scale`."""
    found: dict[str, Spec] = {}
    for name, spec in specs.items():
        found[name] = spec
        if isinstance(spec, RowsSpec) and spec.decode:
            found[scale_name(name)] = spec.scale
    return found


def scale_name(name: str) -> str:
    """What the scales of an operand are called."""
    return f"{name}.scale"


def parse_spec(text: str) -> Spec:
    """Reads the text of an operand type; raises ValueError that names the forms."""
    head, _, rest = text.strip().partition(":")
    try:
        if head == "none":
            return AbsentSpec()
        if head == "const":
            return ConstSpec(_literal(rest))
        if head == "rows":
            return _rows(rest)
        if head == "cells":
            dtype, _, rank = rest.partition(":")
            return CellsSpec(_among(dtype, SCALAR_TYPES), rank.count("?") if "?" in rank else int(rank or 1))
        if not rest:
            return ScalarSpec(_among(head, SCALAR_TYPES))
    except (ValueError, KeyError, SyntaxError):
        pass
    raise ValueError(f"operand type {text!r} is not understood; write {FORMS}")


def _rows(text: str) -> RowsSpec:
    found = re.fullmatch(r"(\w+):((?:\?x)*)(\d+)(?::piece=(\d+))?(?::decode=(\w+))?", text)
    if not found:
        raise ValueError(text)
    name, axes, width, piece, decode = found.groups()
    dtype = _among(name, QUANTIZED_TYPES if decode else ROW_TYPES)
    if not 1 <= int(width) <= WIDEST or int(width) * dtype.bits % 8 or (piece and int(piece) not in PIECES):
        raise ValueError(text)
    rank = axes.count("?") + 1 if axes else 2
    return RowsSpec(dtype, int(width), rank, int(piece or 0), _among(decode, DECODES) if decode else None)


def _among(name: str, types) -> DType:
    if BY_NAME[name] not in types:
        raise ValueError(name)
    return BY_NAME[name]


def _literal(text: str):
    import ast

    return ast.literal_eval(text)
