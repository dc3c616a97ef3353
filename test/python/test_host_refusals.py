"""The host functions of the kernels: arguments of the wrong kind, indices outside of an array, and nothing written after an error."""

import numpy as np
import pytest

import sdm
from sdm.errors import OperandError
from sdm.kernels import embedding_bag_backward, gds, rms_norm, sddmm, segment_sum
from sdm.reference import workloads

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


class TestMover:
    def make(self, provider=None, **changes):
        w = workloads.gds(workloads.Case())
        N, n = w.spay.shape
        arrays = dict(bank=w.bank, grad_bank=w.grad, grad_readings=w.dy, spay_q=w.spay, qrec=w.rec if provider is None else provider, d_q_w=w.d_q_w)
        numbers = dict(chunk_size=w.dy.shape[1], num_parallel=w.num_parallel, steps=N // w.num_parallel)
        for name, change in changes.items():
            (arrays if name in arrays else numbers)[name] = change(arrays[name]) if name in arrays else change
        return gds.make_gds(*arrays.values(), **numbers)

    @pytest.mark.parametrize("name", ("chunk_size", "num_parallel", "steps"))
    @pytest.mark.parametrize("value", (None, "a", 1.5, float("nan"), float("inf"), 0, -1))
    def test_numbers(self, name, value):
        with pytest.raises(OperandError, match=f"{name}: expected a (whole number|number of at least 1), got "):
            self.make(**{name: value})

    @pytest.mark.parametrize("step", (None, "0", 1.5, float("nan"), -1, 2))
    def test_steps(self, step):
        launch = self.make()
        with pytest.raises(OperandError, match="ti: expected a (whole number|step of 0 .. 1), got "):
            launch(step)
        launch(np.int64(1))

    @pytest.mark.parametrize("given", (None, 3, "records", np.zeros((2, 128, 4), np.int32), ()))
    def test_providers(self, given):
        class Provider:
            def get(self, ti):
                return given

        launch = self.make(Provider())
        with pytest.raises(OperandError, match=r"qrec: expected \(records, event or None\) from the provider's get\(1\), got "):
            launch(1)

    @pytest.mark.parametrize("name, change, sentence", [
        ("grad_bank", np.asfortranarray, "grad_bank: expected the columns of a row side by side"),
        ("grad_readings", np.asfortranarray, "grad_readings: expected the columns of a row side by side"),
        ("qrec", np.asfortranarray, "qrec: expected records one after the other"),
        ("d_q_w", lambda a: np.broadcast_to(a[:1], a.shape), "d_q_w: expected an array that can be written"),
    ])  # fmt: skip
    def test_the_names_are_those_of_the_call(self, name, change, sentence):
        with pytest.raises(OperandError, match=f"^{sentence}"):
            self.make(**{name: change})

    def test_the_name_of_the_other_operand(self):
        w = workloads.gds(workloads.Case())
        rows = np.zeros((512, 128), np.float32)
        with pytest.raises(OperandError, match="grad_bank: expected memory of its own .* got memory that grad_readings uses"):
            self.make(grad_bank=lambda _: rows, bank=lambda a: a, grad_readings=lambda a: rows[: a.size // 128].reshape(a.shape))
        assert w.grad.shape == rows.shape
