"""Loads and stores: `x[i, j]` on the right and on the left of an assignment."""

from __future__ import annotations

from sdm.frontend import arithmetic, ir, quantized
from sdm.frontend.calls import inline
from sdm.frontend.context import Context
from sdm.frontend.slices import row_type
from sdm.frontend.values import (
    Absent, Cells, Const, Missing, Row, Rows, Scalar, Shape, StoredRow, Tuple, Typed,
)  # fmt: skip


def load(context: Context, source: Typed, indices: list[Typed]) -> Typed:
    """One row, in f32, or one scalar; also a constant of a tuple, an extent of a shape."""
    if isinstance(source, Absent):
        return Missing(source.name, context.here())
    if missing := arithmetic.absent_of(source, *indices):
        return missing
    if isinstance(source, (Tuple, Shape)) or (isinstance(source, Const) and isinstance(source.value, tuple)):
        return _item(context, source, indices)
    place = _place(context, source, indices)
    if isinstance(source, Cells):
        return Scalar(context.value("sdm.load_cell", place, source.dtype.name))
    segments = {"operandSegmentSizes": f"array<i32: 1, {len(indices)}, 0, 0>"}
    stored = context.value("sdm.load_row", place, source.row_type, segments)
    numbers = stored
    if source.dtype.name != "f32":
        widening = "arith.extf" if source.dtype.kind == "float" else "arith.sitofp"
        numbers = context.value(widening, [stored], row_type(source.width))
    row = Row(numbers, source.width, stored=StoredRow(stored, source.width, source.dtype))
    if source.scale is None:
        return row
    scale = context.value("sdm.load_cell", [source.scale.ssa, *place[1:]], "f32")
    decoded = inline(context, quantized.decoded, [row, Scalar(scale), Const(source.decode)])
    return Row(decoded.ssa, source.width, stored=StoredRow(stored, source.width, source.dtype, scale))


def store(context: Context, target: Typed, indices: list[Typed], value: Typed) -> None:
    """Writes a row or a scalar; nothing is built where the target is absent."""
    if isinstance(target, Absent):
        return
    for part in (*indices, value):
        context.need(part)
    if not isinstance(target, (Rows, Cells)):
        raise context.error("store-scalar", got=target.described())
    if "walk" not in context.nest:
        raise context.error("top-level")
    segments = {"operandSegmentSizes": f"array<i32: 1, 1, {len(indices)}, 0>"}
    if isinstance(target, Cells):
        converted = arithmetic.scalar(context, value, target.dtype.name)
        if converted is None:
            raise _refused(context, target, value, f"{target.dtype.name} scalars (convert with {target.dtype!r}(x))")
        context.emit("sdm.store_cell", [converted, *_place(context, target, indices)], attributes=segments)
        return
    if isinstance(value, StoredRow):
        if (value.dtype, value.width, value.scale is None) != (target.dtype, target.width, target.scale is None):
            raise context.error("copy-row")
        _write(context, target, indices, value.ssa, value.scale, {**segments, "bits": ""})
        return
    arithmetic.width_of(context, value, Row(ir.Value(""), target.width))
    converted = arithmetic.row(context, value, target.width)
    if converted is None:
        raise _refused(context, target, value, f"rows of {target.width} columns and scalars")
    scale = None
    if target.scale:
        row, largest = Row(converted, target.width), Const(quantized.LARGEST[target.dtype])
        scale = inline(context, quantized.scale_of, [row, largest])
        converted, scale = inline(context, quantized.scaled, [row, scale]).ssa, scale.ssa
    _write(context, target, indices, converted, scale, segments)


def _write(context: Context, target: Rows, indices: list[Typed], row: ir.Value, scale: ir.Value | None, attributes: dict) -> None:
    """One store of a row, and one of its scale."""
    place = _place(context, target, indices)
    if scale is not None:
        context.emit("sdm.store_cell", [scale, target.scale.ssa, *place[1:]], attributes=attributes)
    context.emit("sdm.store_row", [row, *place], attributes=attributes)


def _refused(context: Context, target: Rows | Cells, value: Typed, expected: str):
    return context.error("store-type", got=value.described(), name=target.name, expected=expected)


def _place(context: Context, target: Typed, indices: list[Typed]) -> list[ir.Value]:
    """The operand and its indices as operation operands."""
    if not isinstance(target, (Rows, Cells)):
        raise context.error("not-indexable", got=target.described())
    if len(indices) != target.axes:
        what = "a row" if isinstance(target, Rows) else "a scalar"
        raise context.error("index-count", name=target.name, expected=target.axes, got=len(indices), what=what)
    place = [target.ssa]
    for index in indices:
        type = arithmetic.type_of(index)
        if type not in ("i32", "i64"):
            raise context.error("index-type", got=index.described())
        if isinstance(index, Const) and index.value < 0:
            raise context.error("index-negative", got=index.value)
        place.append(arithmetic.scalar(context, index, type))
    return place


def _item(context: Context, source: Tuple | Shape | Const, indices: list[Typed]) -> Typed:
    items = extents(context, source) if isinstance(source, Shape) else source
    items = items.items if isinstance(items, Tuple) else [Const(item) for item in items.value]
    index = indices[0] if len(indices) == 1 else None
    if not (isinstance(index, Const) and type(index.value) is int and -len(items) <= index.value < len(items)):
        got = index.described() if index else f"{len(indices)} indices"
        raise context.error("static", what=f"the index of a tuple of {len(items)}", got=got)
    return items[index.value]


def extents(context: Context, shape: Shape) -> Tuple:
    """Every extent of an operand: i64 scalars, a row's width as a constant. Unused ones are pruned."""
    operand = shape.operand
    dims: list[Typed] = [
        Scalar(context.value("sdm.dim", [operand.ssa], "i64", {"axis": f"{axis} : i64"})) for axis in range(operand.axes)
    ]
    return Tuple(dims + [Const(operand.width)] if isinstance(operand, Rows) else dims)
