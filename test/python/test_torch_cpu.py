"""torch tensors on the CPU: the same bits as numpy's arrays."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

import sdm  # noqa: E402
from sdm import arrays  # noqa: E402
from sdm.errors import OperandError  # noqa: E402
from sdm.kernels import embedding_bag_backward, gds, rms_norm, sddmm, segment_sum  # noqa: E402
from sdm.reference import bits, gds as reference, records, segment_sum as sum_reference, workloads  # noqa: E402
from torch_arrays import array, tensor  # noqa: E402


def test_views():
    t = torch.zeros(3, 8, dtype=torch.bfloat16)[:, 2:]
    v = arrays.view(t)
    assert (v.pointer, v.shape, v.strides, v.dtype, v.device) == (t.data_ptr(), (3, 6), (16, 2), "bf16", "cpu")
    with pytest.raises(TypeError, match="dense tensor"):
        arrays.view(torch.zeros(2, dtype=torch.complex64))


def test_sort():
    rng = np.random.default_rng(2)
    for dtype in (np.int32, np.int64):
        keys, valid = rng.integers(-2, 9, (3, 40)).astype(dtype), rng.random((3, 40)) < 0.8
        bag = rng.integers(0, 99, (3, 40), np.int32)
        got = sdm.sort(tensor(keys), num_keys=7, valid=tensor(valid), bag=tensor(bag))
        want = sdm.sort(keys, num_keys=7, valid=valid, bag=bag)
        for name in ("key", "index", "ordinal", "flags"):
            assert bits.same_bits(array(getattr(got, name)), getattr(want, name))
        assert (array(got.payload["bag"]) == want.payload["bag"]).all()
    with pytest.raises(TypeError, match="valid: expected a torch tensor"):
        sdm.sort(tensor(keys), num_keys=7, valid=valid)


@pytest.mark.parametrize("rec", (8, 16))
def test_mover(rec):
    case = workloads.Case(hd=130, rec=rec, invalid=0.2)
    w = workloads.gds(case)
    grad, dots = tensor(w.grad), tensor(w.d_q_w)
    launch = gds.make_gds(
        tensor(w.bank), grad, tensor(w.dy).view(-1, case.hd), tensor(w.spay), tensor(w.rec), dots,
        chunk_size=case.C, num_parallel=case.P, steps=case.T,
    )  # fmt: skip
    for ti in reversed(range(case.T)):
        launch(ti)
    want = reference.run_steps(w.bank, w.grad, w.dy, w.records, case.P, d_q_w=w.d_q_w)
    assert bits.same_bits(array(grad), want[0]) and bits.same_bits(array(dots), want[1])


def test_host_functions():
    x, keys = workloads.segment_sum(100, 20, 40, "bfloat16", invalid=0.1)
    want = sum_reference.run(x, records.sort_records(keys, 20), np.zeros((20, 40), x.dtype))
    assert bits.same_bits(array(segment_sum.sum_segments(tensor(x), tensor(keys), 20)), want)
    a, b, i, j = workloads.sddmm(50, 9, 8, 33)
    assert bits.same_bits(array(sddmm.sample(tensor(a), tensor(b), tensor(i), tensor(j))), sddmm.sample(a, b, i, j))
    x, weight = workloads.rms_norm(20, 48)
    assert bits.same_bits(array(rms_norm.normalise(tensor(x), tensor(weight))), rms_norm.normalise(x, weight))
    uses = workloads.embedding_bag(60, 12, 15, 20)
    keys, bag, weight, grad, table = uses
    given = dict(num_rows=15, padding_idx=3)
    got = embedding_bag_backward.backward(
        tensor(grad), tensor(keys), bags=tensor(bag), weights=tensor(weight), table=tensor(table), **given
    )
    want = embedding_bag_backward.backward(grad, keys, bags=bag, weights=weight, table=table, **given)
    assert all(bits.same_bits(array(g), w) for g, w in zip(got, want))


def test_numpy_beside_torch():
    w = workloads.gds(workloads.Case())
    grad, dots = tensor(w.grad), w.d_q_w.copy()
    gds.gds.bind(sdm.bound(gds.QREC, w.rec), tensor(w.bank), w.dy, grad, dots).launch(range(0, 2))
    with pytest.raises(OperandError, match="grad: expected memory of its own"):
        gds.gds.bind(sdm.bound(gds.QREC, w.rec), grad, w.dy, grad, dots)


def test_sort_reads_and_tiles():
    rng = np.random.default_rng(0)
    q_idx, valid = rng.integers(0, 50, (3, 4, 5)), np.array([4, 3, 0])
    spay = gds.sort_reads(q_idx, valid)
    assert (array(gds.sort_reads(tensor(q_idx), tensor(valid))) == spay).all()
    assert (array(gds.build_tiles(tensor(spay), 3)) == gds.build_tiles(spay, 3)).all()
