"""sdm.sort against the reference's lists; what it refuses."""

import numpy as np
import pytest

import sdm
from sdm.errors import OperandError
from sdm.kernels import embedding_bag_backward as bag_kernel
from sdm.kernels import gds
from sdm.reference import records
from sdm.sort import FIRST, INVALID, LAST


def check(keys, num_keys, valid=None, **payload):
    got, want = sdm.sort(keys, num_keys=num_keys, valid=valid, **payload), records.sort_records(keys, num_keys, valid, **payload)
    flags = got.flags.view(np.uint32)
    assert got.shape == want.shape and got.key.dtype == keys.dtype
    assert (got.key == want.key).all() and (got.index == want.index).all() and (got.ordinal == want.ordinal).all()
    for mask, wanted in ((FIRST, want.first), (LAST, want.last), (INVALID, ~want.valid)):
        assert (((flags & np.uint32(mask)) != 0) == wanted).all()
    for name, array in payload.items():
        assert (got.payload[name] == want.fields[name]).all() and got.payload[name].dtype == array.dtype
    assert {got.index.dtype, got.ordinal.dtype, got.flags.dtype} == {np.dtype(np.int32)}


@pytest.mark.parametrize("dtype", (np.int32, np.int64))
@pytest.mark.parametrize("shape", ((50,), (3, 40), (1,), (2, 1)))
def test_lists(shape, dtype):
    rng = np.random.default_rng(1)
    keys = rng.integers(-2, 12, shape).astype(dtype)
    check(keys, 9, weight=rng.random(shape, np.float32), bag=np.arange(keys.size, dtype=np.int32).reshape(shape))
    check(keys, 9, rng.random(shape) < 0.5)


def test_edges():
    check(np.zeros((2, 0), np.int64), 5)
    check(np.array([5, 5, 5]), 5)
    check(np.array([0, 0, 0]), 1)
    check(np.array([1, 0]), 0)
    check(np.array([2**31 - 1, -(2**31), 3], np.int32), 2**31)
    check(np.array([2**40, 2**62, -1, 2**40]), 2**41)


def test_one_dimension_is_one_chunk():
    assert sdm.sort(np.array([3, 1]), num_keys=4).shape == (1, 2)


@pytest.mark.parametrize("keys, options, sentence", [
    (np.zeros(3, np.float32), {}, "keys: expected int32 or int64"),
    (np.zeros((1, 1, 1), np.int64), {}, "keys: expected 1 axis"),
    (np.zeros(3, np.int64), {"valid": np.ones(4, bool)}, "valid: expected the shape of keys"),
    (np.zeros(3, np.int64), {"valid": np.ones(3, np.int32)}, "valid: expected a mask"),
    (np.zeros(3, np.int64), {"bag": np.ones(2, np.int32)}, "bag: expected the shape of keys"),
    (np.zeros(3, np.int64), {"num_keys": -1}, "num_keys: expected a number from 0 to 2.63 - 1, got -1"),
        (np.zeros(3, np.int64), {"num_keys": 1 << 63}, "num_keys: expected a number from 0"),
        (np.zeros(3, np.int64), {"num_keys": 1.5}, "num_keys: expected a whole number, got 1.5"),
        (np.zeros(3, np.int64), {"num_keys": "3"}, "num_keys: expected a whole number"),
        (np.zeros(3, ">i8"), {}, "keys: expected an array of .* in this machine's byte order"),
        (np.zeros(3, np.int64), {"w": np.zeros(3, ">f4")}, "w: expected an array of .* in this machine's byte order"),
        (np.ma.zeros(3, np.int64), {}, "keys: expected an array without a mask"),
])  # fmt: skip
def test_refused(keys, options, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        sdm.sort(keys, **{"num_keys": 4, **options})


class TestFields:
    """A sorted list meets a kernel's record."""

    def bind(self, listed):
        rows = np.zeros((4, 8), np.float32)
        return bag_kernel.embedding_bag_backward.bind(listed, rows, None, rows.copy(), None)

    def test_fits(self):
        self.bind(sdm.sort(np.array([1, 2]), num_keys=4, bag=np.zeros(2, np.int32)))

    def test_a_field_the_record_lacks(self):
        with pytest.raises(OperandError, match="records of type Use have no payload field 'token'; theirs are bag, weight"):
            self.bind(sdm.sort(np.array([1, 2]), num_keys=4, bag=np.zeros(2, np.int32), token=np.zeros(2, np.int32)))

    def test_a_field_that_is_missing(self):
        with pytest.raises(OperandError, match="expected a payload field 'bag' of Use"):
            self.bind(sdm.sort(np.array([1, 2]), num_keys=4))

    def test_another_type(self):
        with pytest.raises(OperandError, match="expected bag as i32, got i64"):
            self.bind(sdm.sort(np.array([1, 2]), num_keys=4, bag=np.zeros(2, np.int64)))

    def test_the_key_by_name(self):
        with pytest.raises(OperandError, match="no payload field 'slot'"):
            gds.gds.bind(
                sdm.sort(np.array([1]), num_keys=4, slot=np.zeros(1, np.int32)), None, np.zeros((1, 1, 4), np.float32), None, None
            )

    def test_another_record(self):
        with pytest.raises(OperandError, match="expected records of type Use, got a layout of Read"):
            self.bind(sdm.bound(gds.QREC, np.zeros((1, 2, 4), np.int32)))
