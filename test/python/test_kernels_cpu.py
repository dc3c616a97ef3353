"""The five kernels on the CPU against the reference, bit for bit."""

import ml_dtypes
import numpy as np
import pytest

import sdm
from sdm.kernels import embedding_bag_backward, gds, rms_norm, sddmm, segment_sum
from sdm.reference import bits
from sdm.reference import embedding_bag_backward as bag_reference
from sdm.reference import gds as gds_reference
from sdm.reference import records, rms_norm as norm_reference, sddmm as sddmm_reference
from sdm.reference import segment_sum as sum_reference
from sdm.reference import workloads

WIDTHS = (128, 200, 132, 130, 64, 1, 3, 1000)


def same(got, want, what=""):
    if not bits.same_bits(got, want):
        at = np.flatnonzero(bits.words(np.asarray(got)).reshape(-1) != bits.words(np.asarray(want)).reshape(-1))
        raise AssertionError(f"{what}: {at.size} elements differ, the first at {at[:3]}")


@pytest.mark.parametrize("dtype", ("float32", "bfloat16"))
@pytest.mark.parametrize("width", WIDTHS)
def test_segment_sum(width, dtype):
    x, keys = workloads.segment_sum(400, 60, width, dtype, invalid=0.1, special=0.02, seed=width)
    listed = records.sort_records(keys, 60)
    want = sum_reference.run(x, listed, np.zeros((60, width), x.dtype))
    same(segment_sum.sum_segments(x, keys, 60), want)


def test_segment_sum_of_32_bit_keys_and_a_mask():
    rng = np.random.default_rng(0)
    x, keys, valid = rng.random((50, 128), np.float32), rng.integers(0, 9, 50, np.int32), rng.random(50) < 0.7
    want = sum_reference.run(x, records.sort_records(keys, 9, valid), np.zeros((9, 128), np.float32))
    out = np.full((9, 128), np.nan, np.float32)
    assert segment_sum.sum_segments(x, keys, 9, valid=valid, out=out) is out
    same(out, want)


@pytest.mark.parametrize("dtype", ("float32", "bfloat16"))
@pytest.mark.parametrize("width", WIDTHS)
def test_embedding_bag_backward(width, dtype):
    keys, bag, weight, grad, table = workloads.embedding_bag(300, 40, 50, width, dtype, special=0.02, seed=width)
    uses = bag_reference.sort_uses(keys, bag, 50, weight, padding_index=7)
    want = bag_reference.run(grad, uses, np.zeros_like(table), table, np.empty(300, np.float32))
    got = embedding_bag_backward.backward(grad, keys, num_rows=50, bags=bag, weights=weight, table=table, padding_idx=7)
    same(got[0], want[0], "d_table")
    same(got[1], want[1], "d_weight")


def test_embedding_bag_backward_with_offsets_and_without_weights():
    keys, _, _, grad, table = workloads.embedding_bag(100, 20, 30, 64, "float32", seed=5)
    offsets = np.arange(0, 100, 5)
    uses = bag_reference.sort_uses(keys, np.arange(100) // 5, 30)
    want, _ = bag_reference.run(grad, uses, np.zeros_like(table))
    got, weights = embedding_bag_backward.backward(grad, keys, offsets, num_rows=30)
    same(got, want)
    assert weights is None


def test_embedding_bag_backward_of_weights_alone():
    keys, bag, weight, grad, table = workloads.embedding_bag(100, 20, 30, 132, "bfloat16", seed=6)
    uses = bag_reference.sort_uses(keys, bag, 30, weight)
    _, want = bag_reference.run(grad, uses, None, table, np.empty(100, np.float32))
    rows, got = embedding_bag_backward.backward(grad, keys, num_rows=30, bags=bag, weights=weight, table=table, d_table=False)
    assert rows is None
    same(got, want)


@pytest.mark.parametrize("dtype", ("float32", "bfloat16"))
@pytest.mark.parametrize("width", WIDTHS)
def test_sddmm(width, dtype):
    a, b, i, j = workloads.sddmm(300, 40, 50, width, dtype, special=0.02, seed=width)
    valid = np.arange(300) % 11 != 3
    same(sddmm.sample(a, b, i, j, valid=valid), sddmm_reference.run(a, b, i, j, valid))


@pytest.mark.parametrize("dtype", ("float32", "bfloat16"))
@pytest.mark.parametrize("width", WIDTHS)
def test_rms_norm(width, dtype):
    x, weight = workloads.rms_norm(70, width, dtype, special=0.01, seed=width)
    same(rms_norm.normalise(x, weight, 1e-5), norm_reference.run(x, weight, 1e-5))


def test_rms_norm_of_more_axes():
    x, weight = workloads.rms_norm(24, 96, "float32", seed=1)
    got = rms_norm.normalise(x.reshape(2, 3, 4, 96), weight)
    same(got.reshape(24, 96), norm_reference.run(x, weight, 1e-6))


class TestOperandForms:
    """Where arrays lie does not change bits."""

    def run(self, move, case=workloads.Case(hd=132, invalid=0.2, bank="float32", grad="float32")):
        w = workloads.gds(case)
        want = gds_reference.run_steps(w.bank, w.grad, w.dy, w.records, w.num_parallel, d_q_w=w.d_q_w)
        grad, dots = move(w.grad), move(w.d_q_w)
        bound = gds.gds.bind(sdm.bound(gds.QREC, w.rec), move(w.bank), move(w.dy), grad, dots)
        for first in (2, 0):
            bound.launch(range(first, first + 2))
        bound.done()
        same(np.ascontiguousarray(grad), want[0], "grad")
        same(np.ascontiguousarray(dots), want[1], "d_q_w")
        return bound

    @pytest.mark.parametrize("offset", (2, 4, 8))
    @pytest.mark.parametrize("dtype", ("float32", "bfloat16"))
    def test_misaligned(self, offset, dtype):
        def move(array):
            shift = max(offset, array.itemsize)
            raw = np.zeros(array.nbytes + 64, np.uint8)
            start = -raw.ctypes.data % 64 + shift
            out = raw[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
            out[...] = array
            return out

        self.run(move, workloads.Case(hd=128, bank=dtype, grad=dtype))

    def test_strided(self):
        def move(array):
            wide = np.zeros((2 * array.shape[0], *array.shape[1:-1], array.shape[-1] + 7), array.dtype)
            out = wide[::2, ..., 3:-4]
            out[...] = array
            return out

        self.run(move)

    def test_backwards(self):
        self.run(lambda array: array[::-1].copy()[::-1])

    def test_stride_zero_where_it_is_read(self):
        w = workloads.gds(workloads.Case())
        row = np.broadcast_to(w.bank[:1], w.bank.shape)
        dy = np.broadcast_to(w.dy[:1], w.dy.shape)
        want = gds_reference.run_steps(row.copy(), w.grad, dy.copy(), w.records, w.num_parallel, d_q_w=w.d_q_w)
        grad, dots = w.grad.copy(), w.d_q_w.copy()
        bound = gds.gds.bind(sdm.bound(gds.QREC, w.rec), row, dy, grad, dots)
        for first in (2, 0):
            bound.launch(range(first, first + 2))
        bound.done()
        same(grad, want[0])
        same(dots, want[1])


def test_absent_operands():
    w = workloads.gds(workloads.Case(hd=200, invalid=0.1))
    reads = sdm.bound(gds.QREC, w.rec[:2])
    want_grad, _ = gds_reference.run(None, w.grad, w.dy, w.records, range(2))
    grad = w.grad.copy()
    gds.gds(reads, None, w.dy[:2], grad, None)
    same(grad, want_grad)
    _, want_dots = gds_reference.run(w.bank, None, w.dy, w.records, range(2), d_q_w=w.d_q_w)
    dots = w.d_q_w.copy()
    gds.gds(reads, w.bank, w.dy[:2], None, dots[:2])
    same(dots, want_dots)


def test_sorted_keys_feed_the_mover():
    rng = np.random.default_rng(3)
    slot, scale = rng.integers(-1, 40, (1, 60)), rng.random((1, 60), np.float32)
    token, lane = (np.arange(60) // 6)[None].astype(np.int32), (np.arange(60) % 6)[None].astype(np.int32)
    bank, grad = (workloads.rows(rng, (40, 130), "bfloat16") for _ in range(2))
    dy = workloads.rows(rng, (1, 10, 130), "float32")
    listed = records.sort_records(slot, 40, token=token, lane=lane, scale=scale)
    want = gds_reference.run(bank, grad, dy, listed, d_q_w=np.full((1, 10, 6), np.nan, np.float32))
    reads = sdm.sort(slot, num_keys=40, token=token, lane=lane, scale=scale)
    dots = np.full((1, 10, 6), np.nan, np.float32)
    gds.gds(reads, bank, dy, grad, dots)
    same(grad, want[0])
    same(dots, want[1])


def test_f16_rows():
    x, keys = workloads.segment_sum(200, 30, 100, "float16", special=0.02)
    want = sum_reference.run(x, records.sort_records(keys, 30), np.zeros((30, 100), np.float16))
    same(segment_sum.sum_segments(x, keys, 30), want)


def test_bfloat16_is_ml_dtypes():
    assert bits.BF16 == np.dtype(ml_dtypes.bfloat16)
