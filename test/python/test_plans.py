"""Plans on the CPU: the bits of plain launches, from ctypes and from a loop in C++; what is no plan's business is None or an error."""

import concurrent.futures

import numpy as np
import pytest
import step_loop

from sdm import _sdm, record_lists
from sdm.errors import OperandError
from sdm.kernels import gds, rms_norm
from sdm.reference import bits, gds as reference, rms_norm as norm_reference, workloads
from sdm.reference.workloads import Case
from test_gds_cpu import expected, make

LOOPS = [
    step_loop.in_python,
    pytest.param(step_loop.in_cpp, marks=pytest.mark.skipif(not step_loop.compiler(), reason="no C++ compiler (c++, g++, clang++)")),
]
CASES = [Case(T=3), Case(T=3, hd=200, rec=8), Case(T=4, hd=130, invalid=0.2, rec=8), Case(T=1, hd=132), Case(grad="float32", rec=8), Case(T=3, hd=1000, C=8, R=4)]


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.hd}-{c.rec}-{c.T}")
def test_bits(case, loop):
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = make(w, case, grad, dots)
    plan, address, use = launch.plan(case.T, pdl=True)
    assert plan.dtype == np.uint8 and plan.ndim == 1 and plan.flags.c_contiguous and plan.size
    assert address == _sdm.plan_launch_address() and use == 0
    before = plan.copy()
    assert loop(plan, address, case.T) == 0
    launch.done()
    assert (plan == before).all()
    want = expected(w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])


@pytest.mark.parametrize("hd", (128, 200))
def test_reused_readings(hd):
    case = Case(hd=hd, T=3)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = make(w, case, grad, dots, grad_readings=w.dy[: case.P].reshape(-1, hd))
    assert step_loop.in_python(*launch.plan(case.T)[:2], case.T) == 0
    launch.done()
    want = reference.run_steps(w.bank, w.grad, w.dy[: case.P], w.records, case.P, d_q_w=w.d_q_w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])


def test_launches_between_planned_steps():
    case = Case(hd=200, T=3)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = make(w, case, grad, dots)
    plan, address, _ = launch.plan(case.T)
    assert step_loop.one(plan, address, 2) == 0
    launch(1)
    assert step_loop.one(plan, address, 0) == 0
    launch.done()
    launch.done()
    want = expected(w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])


def test_answers():
    case = Case(T=3)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    plan, address, _ = make(w, case, grad, dots).plan(2)
    assert [step_loop.one(plan, address, ti) for ti in (-1, 2, 1 << 40)] == [-2, -2, -2]
    assert step_loop.one(plan[:-1], address, 0) == -1 and step_loop.one(plan[:0], address, 9) == -1
    assert step_loop.one(np.zeros_like(plan), address, 9) == -1
    other = plan.copy()
    other[64] ^= 8  # the first patch's offset, behind the header
    assert step_loop.one(other, address, 2) == -2 and step_loop.one(other, address, 0) == -7
    assert bits.same_bits(grad, w.grad) and np.isnan(dots).all()


def test_nothing_to_launch():
    case = Case()
    w = workloads.gds(case)
    none = record_lists.bound(gds.QREC, np.zeros((4, 0, 4), np.int32))
    bound = gds.gds.bind(none, w.bank, w.dy, w.grad.copy(), w.d_q_w.copy())
    plan, address = bound.plan(range(2), 2)
    assert [step_loop.one(plan, address, ti) for ti in (0, 1, 2)] == [0, 0, -2]


def test_what_has_no_plan():
    case = Case(T=3)
    w = workloads.gds(case)
    for steps in (0, -1, 4):
        assert make(w, case, w.grad.copy(), w.d_q_w.copy()).plan(steps) is None
    for readings in (w.dy.astype(np.float64), w.dy.astype(bits.BF16)):
        assert make(w, case, w.grad.copy(), w.d_q_w.copy(), grad_readings=readings).plan(3) is None
    checked = gds.gds.bind(gds.qrec(w.rec), w.bank, w.dy, w.grad.copy(), w.d_q_w.copy(), check=True)
    assert checked.plan(range(2), 1) is None


def test_chunks_and_names_that_are_not_there():
    case = Case(T=3)
    w = workloads.gds(case)
    bound = gds.gds.bind(gds.qrec(w.rec), w.bank, w.dy, w.grad.copy(), w.d_q_w.copy())
    with pytest.raises(OperandError, match="reads: expected chunks 0 to 7 of the launch, got 6 from chunk 0"):
        bound.plan(range(2), 4)
    with pytest.raises(OperandError, match="repeated: expected names of arrays and records, got 'token'"):
        bound.plan(range(2), 2, repeated=("token",))
    with pytest.raises(OperandError, match="d_q_w: expected chunks 5 to 6"):
        bound.plan(range(5, 7), 1, repeated=("tokens", "reads"))


def test_the_same_records_at_each_step():
    """Records and readings of one step, walked twice into other chunks of the dots."""
    case = Case(T=2, hd=200)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    reads = record_lists.bound(gds.QREC, np.concatenate([w.rec[:2], w.rec[:2]]))
    bound = gds.gds.bind(reads, w.bank, w.dy[:2], grad, dots, first_chunk={"tokens": 0})
    plan, address = bound.plan(range(2), 2, repeated=("tokens",))
    assert step_loop.in_python(plan, address, 2) == 0
    bound.done()
    assert bits.same_bits(dots[:2], dots[2:]) and bits.same_bits(dots[:2], expected(w)[1][:2])


def test_rows_have_no_chunks():
    x, weight = workloads.rms_norm(50, 96, "float32")
    y = np.zeros_like(x)
    bound = rms_norm.rms_norm.bind(x, weight[None], y, 1e-3)
    plan, address = bound.plan(range(1), 3)
    assert step_loop.one(plan, address, 2) == 0
    assert bits.same_bits(y, norm_reference.run(x, weight, 1e-3))


def test_many_threads():
    """Each thread has operands of its own; the function takes turns on the CPU's cores."""
    case = Case(T=3, hd=200)
    w = workloads.gds(case)

    def work(_):
        grad, dots = w.grad.copy(), w.d_q_w.copy()
        launch = make(w, case, grad, dots)
        assert step_loop.in_python(*launch.plan(3)[:2], 3) == 0
        launch.done()
        return grad, dots

    want = expected(w)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for grad, dots in pool.map(work, range(8)):
            assert bits.same_bits(grad, want[0]) and bits.same_bits(dots, want[1])
