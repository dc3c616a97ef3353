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


class Wide(sl.Record, key="slot"):
    slot: sl.i64
    code: sl.i32
    big: sl.i64
    weight: sl.f32 = 1.0


@pytest.mark.parametrize("changes, sentence", [
    ({"code": sl.at(100)}, "'code': expected an aligned word of 4 bytes within 24, got byte 100"),
    ({"code": sl.at(2)}, "'code': expected an aligned word of 4 bytes within 24, got byte 2"),
    ({"code": sl.at(-4)}, "'code': expected an aligned word of 4 bytes within 24, got byte -4"),
    ({"big": sl.at(20)}, "'big': expected an aligned word of 8 bytes within 24, got byte 20"),
    ({"code": sl.at(8, plane=-1)}, "'code' lies in no plane"),
    ({"code": sl.at(8, type=sl.f32)}, "field 'code' is i32, got f32"),
    ({"slot": sl.at(0, type=sl.f32)}, "field 'slot' is i64, got f32"),
    ({"weight": sl.bits(0, 3)}, "'weight': expected a range of bits for sl.i32 and flags only, got f32"),
    ({"big": sl.bits(0, 3, byte=16)}, "'big': expected a range of bits for sl.i32 and flags only, got i64"),
    ({"first": sl.at(8)}, "'.first': expected one bit for a flag"),
    ({"last": sl.bits(0, 1)}, "'.last': expected one bit for a flag"),
    ({"code": 8}, "expected sl.at(...) or sl.bits(...) for 'code', got 8"),
])  # fmt: skip
def test_places_outside_of_their_plane(changes, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence.replace("(", r"\(").replace(")", r"\)")):
        sl.packed(Wide, (24,), **{"slot": sl.at(0), "code": sl.at(8), "big": sl.at(16), **changes})


@pytest.mark.parametrize("planes", [(6,), (0,), (-16,), "16", (16.0,), (20,)])
def test_planes_of_no_whole_words(planes):
    with pytest.raises(ValueError, match="expected planes of whole 4-byte words|expected an aligned word of 8 bytes"):
        sl.packed(Wide, planes, slot=sl.at(0), code=sl.at(8), big=sl.at(0))


def test_a_narrow_key_of_a_wide_record():
    layout = sl.packed(Wide, (24,), slot=sl.bits(0, 20, byte=8), code=sl.at(12), big=sl.at(16))
    assert layout.field("slot").type == "i32"


@pytest.mark.parametrize("dtype, value", [(sl.f32, "a"), (sl.f32, None), (sl.f32, 1e39), (sl.i32, 1 << 40), (sl.i32, 1.5), (sl.i64, True)])
def test_defaults_that_do_not_fit(dtype, value):
    with pytest.raises(TypeError, match=f"Bad.w: expected a default that fits {dtype!r}, got "):
        type("Bad", (sl.Record,), {"__annotations__": {"slot": sl.i32, "w": dtype}, "w": value}, key="slot")


def test_a_key_has_no_default():
    with pytest.raises(TypeError, match="the key 'slot' must lie in an array, so it has no default"):
        type("Bad", (sl.Record,), {"__annotations__": {"slot": sl.i32}, "slot": 3}, key="slot")
