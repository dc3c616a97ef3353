"""Records and layouts: what they refuse, and the text that they become."""

import pytest

import sdm.language as sl
from sdm.records import constant_text


class Read(sl.Record, key="slot", unique=("token",)):
    slot: sl.i64
    token: sl.i32
    weight: sl.f32 = 1.0


def test_record():
    assert list(Read.fields) == ["slot", "token", "weight"]
    assert (Read.key, Read.unique) == ("slot", ("token",))
    assert Read.fields["weight"].default == 1.0


def test_sorted_layout_has_an_array_a_field():
    layout = sl.arrays(Read)
    assert layout.names == ("slot", "token", "weight", "$index", "$ordinal", "$flags")
    assert layout.planes == (8, 4, 4, 4, 4, 4)
    assert layout == sl.arrays(Read) and hash(layout) == hash(sl.arrays(Read))


def test_defaults_take_no_array():
    layout = sl.arrays(Read, present=("token",), key=sl.i32)
    assert layout.names == ("slot", "token", "$index", "$ordinal", "$flags")
    assert layout.field("weight").constant == 1.0
    assert '<"slot" : i32 in 0 at 0>' in layout.text and '<"weight" : f32 = 1.0' in layout.text


def test_packed_layout_text():
    layout = sl.packed(Read, (8, 8), slot=sl.at(0), token=sl.bits(3, 9, 4, plane=1), first=sl.bits(31, 31, 4, plane=1))
    assert layout.text == (
        '#sdm.layout<"Read", key = "slot", unique = ["token"], planes = [8, 8], fields = [<"slot" : i64 in 0 at 0>, '
        f'<"token" : i32 in 1 at 4 bits 3 to 9>, <"weight" : f32 = {constant_text(1.0, "f32")} : f32>, <"$first" : i1 in 1 at 4 bits 31 to 31>]>'
    )


def test_layouts_refuse():
    with pytest.raises(ValueError, match="field 'token' has no place and no default"):
        sl.packed(Read, (8,), slot=sl.at(0))
    with pytest.raises(ValueError, match="it has no field lane"):
        sl.packed(Read, (8,), slot=sl.at(0), token=sl.at(4), lane=sl.at(4))
    with pytest.raises(ValueError, match="'token' lies in no plane"):
        sl.packed(Read, (8,), slot=sl.at(0), token=sl.at(0, plane=1))
    with pytest.raises(ValueError, match="expected 0 <= low <= high <= 31"):
        sl.bits(9, 32)


def test_records_refuse():
    with pytest.raises(TypeError, match="'nothing' is named as key or unique but is not a field"):

        class NoKey(sl.Record, key="nothing"):
            slot: sl.i32

    with pytest.raises(TypeError, match="expected sl.i32, sl.i64 or sl.f32"):

        class BadType(sl.Record, key="slot"):
            slot: int

    with pytest.raises(TypeError, match="this name belongs to every record"):

        class BuiltIn(sl.Record, key="slot"):
            slot: sl.i32
            index: sl.i32

    with pytest.raises(TypeError, match="the key 'slot' must be sl.i32 or sl.i64"):

        class FloatKey(sl.Record, key="slot"):
            slot: sl.f32

    with pytest.raises(TypeError, match="takes a subclass of sl.Record"):
        sl.Sorted[int]
