"""make_gds on the CPU: bits, drop-in attributes, providers, sentences of its checks."""

import numpy as np
import pytest

from sdm.errors import OperandError
from sdm.kernels import gds
from sdm.reference import bits, gds as reference, workloads
from sdm.reference.workloads import Case

CASES = [
    Case(), Case(rec=8), Case(noise=True, invalid=0.3), Case(hd=200), Case(hd=132, rec=8), Case(hd=130), Case(hd=130, rec=8, special=0.05),
    Case(hd=64), Case(hd=1), Case(hd=3), Case(hd=1000, C=8, R=4, rec=8), Case(grad="float32", rec=8), Case(hd=256, bank="float32", grad="float32"),
    Case(hd=196, bank="float32", grad="float32", special=0.05), Case(dist="hot"), Case(dist="one", hd=130), Case(dist="zipf", invalid=0.1),
    Case(dist="repeat", P=1, T=3), Case(invalid=1.0), Case(C=1, R=1), Case(C=256, R=2, P=1, T=1), Case(C=2, R=256, P=1, T=1),
]  # fmt: skip


def make(w, case, grad, dots, **changes):
    given = dict(bank=w.bank, grad_bank=grad, grad_readings=w.dy.reshape(-1, case.hd), spay_q=w.spay, qrec=w.rec, d_q_w=dots,
                 chunk_size=case.C, num_parallel=case.P, steps=case.T)  # fmt: skip
    given.update(changes)
    names = ("bank", "grad_bank", "grad_readings", "spay_q", "qrec", "d_q_w")
    arrays = [given.pop(name) for name in names]
    return gds.make_gds(*arrays, **given)


def expected(w):
    return reference.run_steps(w.bank, w.grad, w.dy, w.records, w.num_parallel, d_q_w=w.d_q_w)


def run(launch, steps):
    for ti in reversed(range(steps)):
        launch(ti)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.hd}-{c.bank[:2]}{c.grad[:2]}-{c.rec}-{c.dist}-{c.C}x{c.R}-{c.invalid}")
def test_bits(case):
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    run(make(w, case, grad, dots), case.T)
    want = expected(w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])


def test_reused_readings():
    case = Case(hd=132, T=3)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    run(make(w, case, grad, dots, grad_readings=w.dy[: case.P].reshape(-1, case.hd)), case.T)
    want = reference.run_steps(w.bank, w.grad, w.dy[: case.P], w.records, case.P, d_q_w=w.d_q_w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])


class Provider:
    def __init__(self, w, case, whole):
        self.w, self.case, self.whole, self.released = w, case, whole, []

    def get(self, ti):
        P = self.case.P
        return (self.w.rec if self.whole else self.w.rec[ti * P : (ti + 1) * P].copy()), None

    def release(self, ti, event):
        self.released.append(ti)


@pytest.mark.parametrize("rec", (8, 16))
@pytest.mark.parametrize("whole", (False, True))
def test_provider(rec, whole):
    case = Case(hd=130, rec=rec, invalid=0.2, T=3)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    provider = Provider(w, case, whole)
    launch = make(w, case, grad, dots, qrec=provider)
    assert not launch.pdl_capable and launch.plan(3) is None
    run(launch, case.T)
    want = expected(w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])
    assert provider.released == [2, 1, 0]


@pytest.mark.parametrize("rec", (8, 16))
@pytest.mark.parametrize("whole", (False, True))
def test_provider_of_two_steps(rec, whole):
    """N chunks of 8 bytes are as many words as P of 16: the first axis says which."""
    case = Case(hd=200, rec=rec, T=2)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    run(make(w, case, grad, dots, qrec=Provider(w, case, whole)), case.T)
    want = expected(w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])


def test_provider_that_changes_its_records():
    """8 bytes a record, then 16, then 8: planes of dots of both kinds are added."""
    case = Case(hd=200, rec=8, T=3, invalid=0.1)
    w = workloads.gds(case)
    full = np.concatenate([w.spay[..., None], w.rec, np.zeros_like(w.spay)[..., None]], axis=-1)

    class Changing(Provider):
        def get(self, ti):
            return (full if ti == 1 else w.rec)[ti * case.P : (ti + 1) * case.P], None

    grad, dots = w.grad.copy(), w.d_q_w.copy()
    run(make(w, case, grad, dots, qrec=Changing(w, case, False)), case.T)
    want = expected(w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])


def test_records_of_a_factory_count_as_records():
    class Ready:
        events, rec8 = None, None

        def get(self, ti):
            raise AssertionError("not asked")

    case = Case(rec=8)
    w = workloads.gds(case)
    Ready.rec8 = w.rec
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = make(w, case, grad, dots, qrec=Ready())
    assert gds.LAST_POLICY["records"] == "rec8" and launch.plan(case.T) is not None
    run(launch, case.T)
    assert bits.same_bits(dots, expected(w)[1])


@pytest.mark.parametrize("changes", (dict(events=[None, None]), dict(release=lambda ti, event: None), dict(rec8=None), dict(bare=True)))
def test_other_holders_are_asked_step_by_step(changes):
    case = Case(rec=8)
    w = workloads.gds(case)

    class Holder:
        def get(self, ti):
            return w.rec, None

    holder = Holder()
    if not changes.pop("bare", False):
        for name, value in {"events": None, "rec8": w.rec, **changes}.items():
            setattr(holder, name, value)
    launch = make(w, case, w.grad.copy(), w.d_q_w.copy(), qrec=holder)
    assert gds.LAST_POLICY["records"] == "provider" and launch.plan(case.T) is None


def test_attributes():
    case = Case(hd=200)
    w = workloads.gds(case)
    launch = make(w, case, w.grad.copy(), w.d_q_w.copy())
    assert {"nw", "ppw", "K", "nsl", "impl", "pdl_capable", "form", "unit", "depth"} <= set(launch.geom)
    assert launch.geom["nsl"] == 2
    assert launch.join is None and launch.pdl_capable is False
    assert gds.LAST_POLICY["records"] == "qrec" and gds.LAST_POLICY["rows"] == ("bf16", "bf16")


def test_done_adds_the_planes():
    case = Case(hd=200)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = make(w, case, grad, dots)
    launch(1)
    launch.done()
    assert bits.same_bits(dots[2:], expected(w)[1][2:])
    assert np.isnan(dots[:2]).all()  # chunks of the other step are not touched


def test_all_invalid_leaves_grad():
    case = Case(invalid=1.0, hd=130)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    run(make(w, case, grad, dots), case.T)
    assert bits.same_bits(grad, w.grad)
    assert not bits.words(dots).any()


class TestBuilders:
    def test_sort_reads(self):
        from sdm.reference import records

        rng = np.random.default_rng(0)
        q_idx, valid = rng.integers(0, 50, (3, 4, 5)), np.array([4, 3, 0])
        token, lane = (np.broadcast_to(a, (3, 20)) for a in (np.arange(20) // 5, np.arange(20) % 5))
        listed = records.sort_records(
            q_idx.reshape(3, 20), 50, token < valid[:, None], token=token, lane=lane, scale=np.zeros((3, 20), np.float32)
        )
        assert (gds.sort_reads(q_idx, valid) == records.encode_words(listed)).all()
        assert (gds.sort_reads(q_idx.astype(np.int32), valid) == records.encode_words(listed)).all()

    def test_tiles_are_cut_at_group_starts(self):
        w = workloads.gds(Case(dist="hot"))
        for tiles in (1, 3, 64):
            bounds = gds.build_tiles(w.spay, tiles)
            assert bounds.shape == (4, tiles + 1) and (np.diff(bounds, axis=1) >= 0).all()
            assert (bounds[:, 0] == 0).all() and (bounds[:, -1] == 128).all()
            for chunk, row in enumerate(bounds):
                assert all(w.spay[chunk, at] < 0 for at in row[:-1])

    def test_records_are_not_built_here(self):
        w = workloads.gds(Case())
        with pytest.raises(OperandError, match="CUDA's expf"):
            gds.build_rec8(w.spay, None, None, None)
