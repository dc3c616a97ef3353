"""What stands behind a dot: fields and properties of groups and members, `.width`, names of modules."""

from __future__ import annotations

from sdm.frontend.context import Context
from sdm.frontend.values import (
    Absent, Callee, Cells, Const, Group, Member, Missing, Row, Rows, Scalar, Shape, Typed,
)  # fmt: skip

GROUP = ("key", "index", "size", "chunk", "pos", "valid")
MEMBER = ("key", "index", "chunk", "pos", "valid")


def attribute(context: Context, value: Typed, name: str) -> Typed:
    """`value.name`."""
    if isinstance(value, Missing):
        return value
    if isinstance(value, Group):
        return _of_group(context, value, name)
    if isinstance(value, Member):
        return _of_member(context, value, name)
    if isinstance(value, Callee) and type(value.object).__name__ == "module":
        if not hasattr(value.object, name):
            raise context.error("undefined", name=f"{value.name}.{name}")
        return context.wrap(getattr(value.object, name), f"{value.name}.{name}")
    if isinstance(value, Absent):
        # Its width is unknown: what is computed from it goes as its rows do.
        return Missing(value.name, context.here())
    known = _known(value)
    if name not in known:
        listed = ", ".join(known) or "none"
        raise context.error("attribute", got=value.described(), name=name, attributes=listed)
    return known[name]()


def _known(value: Typed) -> dict:
    """The attributes of everything that is neither group nor member."""
    if isinstance(value, Rows):
        return {"width": lambda: Const(value.width), "shape": lambda: Shape(value), "dtype": lambda: Const(value.dtype)}
    if isinstance(value, Cells):
        return {"shape": lambda: Shape(value), "dtype": lambda: Const(value.dtype)}
    if isinstance(value, Row):
        return {"width": lambda: Const(value.width)}
    return {}


def _of_group(context: Context, group: Group, name: str) -> Typed:
    record = group.records.layout.record
    if name in ("key", record.key):
        key = group.records.layout.field(record.key)
        return Scalar(context.value("sdm.key", [group.ssa], key.type))
    if name in record.fields:
        raise context.error("group-field", name=name, fields=_listed((record.key,), GROUP))
    return _property(context, group, name, GROUP, "$ordinal", (record.key,))


def _of_member(context: Context, member: Member, name: str) -> Typed:
    layout = member.records.layout
    name = layout.record.key if name == "key" else name
    if name in layout.record.fields:
        type = layout.field(name).type
        return Scalar(context.value("sdm.field", [member.ssa], type, {"name": f'"{name}"'}))
    return _property(context, member, name, MEMBER, "$index", tuple(layout.record.fields))


def _property(context: Context, value: Group | Member, name: str, known: tuple, place: str, fields: tuple) -> Scalar:
    layout = value.records.layout
    record = layout.record.__name__
    if name not in known:
        raise context.error("field", record=record, name=name, fields=_listed(fields, known))
    if name == "index" and layout.field(place) is None:
        what = "ordinals of groups" if isinstance(value, Group) else "positions in the unsorted list"
        raise context.error("no-place", record=record, name="index", place=what)
    type = "i1" if name == "valid" else "i32"
    return Scalar(context.value("sdm.property", [value.ssa], type, {"kind": f"#sdm<property {name}>"}))


def _listed(*names: tuple) -> str:
    return ", ".join(f"'{name}'" for group in names for name in group)


