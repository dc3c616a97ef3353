"""The host functions of the kernels: arguments of the wrong kind, indices outside of an array, and nothing written after an error."""

import numpy as np
import pytest

import sdm
from sdm.errors import OperandError
from sdm.kernels import embedding_bag_backward, rms_norm, sddmm, segment_sum

ROWS = np.arange(20, dtype=np.float32).reshape(5, 4)
BAD_INTEGERS = ([0, 1], np.zeros(2), np.zeros(2, np.int16), "ab", None)


class TestSegmentSum:
    def test_nothing_is_written_after_an_error(self):
        keys = np.zeros(5, np.int64)
        for shape, kinds in (((3, 5), sdm.CompileError), ((2, 4), OperandError)):
            out = np.full(shape, 7, np.float32)
            with pytest.raises(kinds):
                segment_sum.sum_segments(ROWS, keys, 3, out=out)
            assert (out == 7).all()
        out = np.full((3, 4), 7, np.float32)
        out.flags.writeable = False
        with pytest.raises(OperandError, match="out: expected an array that can be written"):
            segment_sum.sum_segments(ROWS, keys, 3, out=out)
        out = np.full((3, 4), 7, np.float32)
        assert segment_sum.sum_segments(ROWS, keys, 3, out=out) is out and out[1:].tolist() == [[0] * 4] * 2

    def test_arguments(self):
        with pytest.raises(OperandError, match="segments: expected one for each row of values, .5., got .2."):
            segment_sum.sum_segments(ROWS, np.zeros(2, np.int64), 3)
        for keys in BAD_INTEGERS:
            with pytest.raises(OperandError, match="segments: expected int32 or int64 in a numpy array, got "):
                segment_sum.sum_segments(ROWS, keys, 3)
        for number in ("3", 3.5, -3, None):
            with pytest.raises((TypeError, ValueError), match="num_keys: expected a "):
                segment_sum.sum_segments(ROWS, np.zeros(5, np.int64), number)


class TestSddmm:
    @pytest.mark.parametrize("column", (-1, 5, 1 << 40, -(1 << 40)))
    def test_pairs_outside_give_zero(self, column):
        assert sddmm.sample(ROWS, ROWS, np.array([1, 1]), np.array([0, column])).tolist() == [38.0, 0.0]
        assert sddmm.sample(ROWS, ROWS, np.array([1, column]), np.array([0, 0])).tolist() == [38.0, 0.0]

    def test_arguments(self):
        pair = np.array([0, 1])
        for wrong in BAD_INTEGERS:
            with pytest.raises(OperandError, match="columns: expected int32 or int64 in a numpy array, got "):
                sddmm.sample(ROWS, ROWS, pair, wrong)
            with pytest.raises(OperandError, match="rows: expected int32 or int64 in a numpy array, got "):
                sddmm.sample(ROWS, ROWS, wrong, pair)
        with pytest.raises(OperandError, match="columns: expected the shape of rows, .2., got .1."):
            sddmm.sample(ROWS, ROWS, pair, pair[:1])
        with pytest.raises(OperandError, match="valid: expected the shape of rows, .2., got .1."):
            sddmm.sample(ROWS, ROWS, pair, pair, valid=np.ones(1, bool))


class TestEmbeddingBag:
    @pytest.mark.parametrize("bag", (-1, 5, 1 << 32))
    def test_uses_outside_of_the_bags_take_no_part(self, bag):
        grads, weights = embedding_bag_backward.backward(ROWS, np.array([0, 1]), bags=np.array([1, bag]), num_rows=3, table=ROWS[:3])
        assert grads.tolist() == [ROWS[1].tolist(), [0] * 4, [0] * 4] and weights.tolist() == [38.0, 0.0]

    def test_offsets_that_name_too_many_bags_or_begin_late(self):
        for offsets, rows in (([0, 1, 1, 1, 1, 2], [0, 4]), ([1, 2], [None, 0])):
            grads, _ = embedding_bag_backward.backward(ROWS, np.array([0, 1]), np.array(offsets), num_rows=2)
            assert grads.tolist() == [[0] * 4 if row is None else ROWS[row].tolist() for row in rows]

    def test_arguments(self):
        pair = np.array([0, 1])
        for wrong in BAD_INTEGERS[:-1]:
            with pytest.raises(OperandError, match="indices: expected int32 or int64 in a numpy array, got "):
                embedding_bag_backward.backward(ROWS, wrong, bags=pair, num_rows=3)
            with pytest.raises(OperandError, match="bags: expected int32 or int64 in a numpy array, got "):
                embedding_bag_backward.backward(ROWS, pair, bags=wrong, num_rows=3)
            with pytest.raises(OperandError, match="offsets: expected int32 or int64 in a numpy array, got "):
                embedding_bag_backward.backward(ROWS, pair, wrong, num_rows=3)
        with pytest.raises(OperandError, match="bags: expected the shape of indices, .2., got .1."):
            embedding_bag_backward.backward(ROWS, pair, bags=pair[:1], num_rows=3)


@pytest.mark.parametrize("weight", ([1.0] * 4, np.ones(3, np.float32), np.ones((2, 4), np.float32)))
def test_weights_of_a_norm(weight):
    with pytest.raises(OperandError, match="weight: expected an array .4., one for each column of x, got "):
        rms_norm.normalise(ROWS, weight)
