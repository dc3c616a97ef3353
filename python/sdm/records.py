"""Records (what a kernel reads of each member) and layouts (where those fields lie in arrays).

A layout has *planes*: arrays [chunks, n] of a fixed number of bytes a record. A field is a word of a
plane, a bit range of a 32-bit word, or a constant. Reserved fields: `$first`, `$last`, `$invalid` (flags),
`$index` (position in the unsorted list), `$ordinal` (which group of its chunk).
"""

from __future__ import annotations

import struct
import typing
from dataclasses import dataclass, field

from sdm.dtypes import DType, SCALAR_TYPES, i32

FLAGS = ("$first", "$last", "$invalid")
RESERVED = (*FLAGS, "$index", "$ordinal")
# Names that every group or member has; a field of such a name could not be reached.
BUILT_IN = ("key", "index", "size", "chunk", "pos", "valid")
# The bits of the flags word that `sdm.sort` writes.
FLAG_BITS = {"$first": 31, "$last": 30, "$invalid": 29}
MISSING = object()


@dataclass(frozen=True)
class Field:
    """A declared field: its type and, when it may be left out of a layout, its default."""

    name: str
    type: DType
    default: object = MISSING


class Record:
    """Base of record classes: `class Read(sl.Record, key="slot", unique=("token", "lane"))`.

    Fields are annotations (`token: sl.i32`, `weight: sl.f32 = 1.0`). `key` names the field that sorts and groups
    the list; `unique` the fields that together differ between the records of one chunk.
    """

    fields: dict[str, Field] = {}
    key: str = ""
    unique: tuple[str, ...] = ()

    def __init_subclass__(cls, key: str, unique: tuple[str, ...] = ()):
        names = cls.__dict__.get("__annotations__", {})
        # Annotations are text under `from __future__ import annotations`; a DType passes as it is.
        hints = _hints(cls, names)
        unique = (unique,) if isinstance(unique, str) else tuple(unique)
        fields = {}
        for name in names:
            if name in BUILT_IN or name.startswith("$"):
                raise TypeError(f"{cls.__name__}.{name}: this name belongs to every record; choose another")
            if hints[name] not in SCALAR_TYPES:
                raise TypeError(f"{cls.__name__}.{name}: expected sl.i32, sl.i64 or sl.f32, got {hints[name]!r}")
            default = cls.__dict__.get(name, MISSING)
            if default is not MISSING:
                default = _default(f"{cls.__name__}.{name}", hints[name], default)
            fields[name] = Field(name, hints[name], default)
        for name in (key, *unique):
            if name not in fields:
                raise TypeError(f"{cls.__name__}: {name!r} is named as key or unique but is not a field")
        if fields[key].type.kind != "int":
            raise TypeError(f"{cls.__name__}: the key {key!r} must be sl.i32 or sl.i64")
        if fields[key].default is not MISSING:
            raise TypeError(f"{cls.__name__}: the key {key!r} must lie in an array, so it has no default")
        cls.fields, cls.key, cls.unique = fields, key, unique


def _default(name: str, dtype: DType, value):
    """A default as a Python number that its type holds."""
    number = value.item() if hasattr(value, "item") else value
    kinds = (int, float) if dtype.kind == "float" else int
    try:
        if isinstance(number, kinds) and not isinstance(number, bool):
            return struct.unpack("<f", struct.pack("<f", number))[0] if dtype.kind == "float" else _fitting(number, dtype.size)
    except (OverflowError, struct.error):
        pass
    raise TypeError(f"{name}: expected a default that fits {dtype!r}, got {value!r}")


def _fitting(number: int, size: int) -> int:
    number.to_bytes(size, "little", signed=True)
    return number


def _hints(cls, names) -> dict:
    if all(isinstance(annotation, DType) for annotation in names.values()):
        return dict(names)
    import sys

    module = vars(sys.modules.get(cls.__module__, typing))
    return {
        name: eval(text, dict(module)) if isinstance(text, str) else text for name, text in names.items()
    }


@dataclass(frozen=True)
class Place:
    """Where one field lies: plane and byte, a bit range of that word, or a constant."""

    name: str
    type: str  # "i1", "i32", "i64", "f32"
    plane: int = 0
    byte: int = 0
    bits: tuple[int, int] | None = None
    constant: object = field(default=None, compare=False)
    literal: str = ""  # the constant as MLIR writes it: what places are compared by

    def __post_init__(self):
        if self.constant is not None:
            object.__setattr__(self, "literal", constant_text(self.constant, self.type))

    def text(self) -> str:
        if self.constant is not None:
            return f'<"{self.name}" : {self.type} = {self.literal} : {self.type}>'
        bits = f" bits {self.bits[0]} to {self.bits[1]}" if self.bits else ""
        return f'<"{self.name}" : {self.type} in {self.plane} at {self.byte}{bits}>'


def constant_text(value, type_text: str) -> str:
    """An MLIR literal that parses back to the same bits (floats by their bits where decimals cannot)."""
    if type_text == "i1":
        return "true" if value else "false"
    if type_text != "f32":
        return str(int(value))
    word = struct.unpack("<I", struct.pack("<f", value))[0]
    text = f"{value:.9e}"
    finite = (word >> 23) & 0xFF != 0xFF
    return text if finite else f"0x{word:08X}"


@dataclass(frozen=True)
class Layout:
    """A record bound to planes; hashable, and part of what a kernel is specialised for.

    `planes[i]` is the bytes of one record in plane i; `names[i]` what that plane is called on the host.
    """

    record: type[Record]
    planes: tuple[int, ...]
    places: tuple[Place, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self):
        known = {place.name for place in self.places}
        for name, field in self.record.fields.items():
            if name not in known:
                raise ValueError(
                    f"layout of {self.record.__name__}: field {name!r} has no place and no default"
                )
            allowed = ("i32", "i64") if name == self.record.key else (field.type.name,)
            if self.field(name).type not in allowed:
                raise ValueError(f"layout of {self.record.__name__}: field {name!r} is {field.type.name}, got {self.field(name).type}")
        for size in self.planes:
            if not isinstance(size, int) or size < 4 or size % 4:
                raise ValueError(f"layout of {self.record.__name__}: expected planes of whole 4-byte words, got {size!r} bytes")
        for place in self.places:
            if place.constant is None:
                self._fits(place)

    def _fits(self, place: Place) -> None:
        """Whether a place is a word of its plane. Errors: ValueError."""
        where = f"layout of {self.record.__name__}: {place.name!r}"
        if not 0 <= place.plane < len(self.planes):
            raise ValueError(f"{where} lies in no plane (plane {place.plane} of {len(self.planes)})")
        size, word = self.planes[place.plane], 8 if place.type == "i64" else 4
        if not 0 <= place.byte <= size - word or place.byte % word or (word == 8 and size % 8):
            raise ValueError(f"{where}: expected an aligned word of {word} bytes within {size}, got byte {place.byte}")
        if place.bits is not None and place.type not in ("i1", "i32"):
            raise ValueError(f"{where}: expected a range of bits for sl.i32 and flags only, got {place.type}")
        if place.type == "i1" and (place.bits is None or place.bits[0] != place.bits[1]):
            raise ValueError(f"{where}: expected one bit for a flag, as in sl.bits(31, 31)")

    def field(self, name: str) -> Place | None:
        """The place of a field, None when the layout has none."""
        return next((place for place in self.places if place.name == name), None)

    @property
    def text(self) -> str:
        """The layout as an MLIR attribute, `#sdm.layout<...>`."""
        unique = ", ".join(f'"{name}"' for name in self.record.unique)
        unique = f"unique = [{unique}], " if unique else ""
        planes = ", ".join(str(size) for size in self.planes)
        fields = ", ".join(place.text() for place in self.places)
        return (
            f'#sdm.layout<"{self.record.__name__}", key = "{self.record.key}", {unique}'
            f"planes = [{planes}], fields = [{fields}]>"
        )


def at(byte: int, plane: int = 0, type: DType | None = None) -> Place:
    """A whole word at a byte of a plane; the type is the field's own unless given (an i64 key)."""
    return Place("", type.name if type else "", plane, byte)


def bits(low: int, high: int, byte: int = 0, plane: int = 0) -> Place:
    """Bits low..high (both included) of the 32-bit word at a byte of a plane."""
    if not 0 <= low <= high <= 31:
        raise ValueError(f"bits {low} to {high}: expected 0 <= low <= high <= 31")
    return Place("", "", plane, byte, (low, high))


def packed(record: type[Record], planes: tuple[int, ...], names: tuple[str, ...] = (), **places: Place) -> Layout:
    """A packed layout: each field's place by keyword; `first`, `last`, `invalid`, `index`, `ordinal` too.

    `sl.packed(Read, (16,), slot=sl.at(4), token=sl.bits(9, 16), first=sl.bits(31, 31), ...)`
    """
    found = []
    for name, place in places.items():
        if not isinstance(place, Place):
            raise TypeError(f"layout of {record.__name__}: expected sl.at(...) or sl.bits(...) for {name!r}, got {place!r}")
    for name, field in record.fields.items():
        place = places.pop(name, None)
        if place is not None:
            # A range of bits is an i32, of a wider key too.
            own = "i32" if place.bits and name == record.key else field.type.name
            found.append(_placed(name, place.type or own, place))
        elif field.default is not MISSING:
            found.append(Place(name, field.type.name, constant=field.default))
    for name in RESERVED:
        place = places.pop(name[1:], None)
        if place is not None:
            found.append(_placed(name, "i1" if name in FLAGS else "i32", place))
    if places:
        raise ValueError(f"layout of {record.__name__}: it has no field {', '.join(sorted(places))}")
    return Layout(record, tuple(planes), tuple(found), tuple(names))


def _placed(name: str, type_text: str, place: Place) -> Place:
    return Place(name, type_text, place.plane, place.byte, place.bits)


def arrays(record: type[Record], present=None, key: DType | None = None) -> Layout:
    """The layout of `sdm.sort`: an array for the key, each payload field, `$index`, `$ordinal` and the flags.

    `present` names the payload fields that have an array (all by default); the others take their defaults.
    `key` is the type of the key's array where it differs from the record's. `Layout.names` says the order.
    """
    places, planes, names = [], [], []

    def plane(name: str, type_text: str, size: int) -> None:
        places.append(Place(name, type_text, len(planes), 0))
        planes.append(size)
        names.append(name)

    key_type = key or record.fields[record.key].type
    plane(record.key, key_type.name, key_type.size)
    for name, field in record.fields.items():
        if name == record.key:
            continue
        if present is None or name in present:
            plane(name, field.type.name, field.type.size)
        elif field.default is not MISSING:
            places.append(Place(name, field.type.name, constant=field.default))
    plane("$index", "i32", i32.size)
    plane("$ordinal", "i32", i32.size)
    for flag in FLAGS:
        places.append(Place(flag, "i1", len(planes), 0, (FLAG_BITS[flag],) * 2))
    planes.append(i32.size)
    names.append("$flags")
    return Layout(record, tuple(planes), tuple(places), tuple(names))
