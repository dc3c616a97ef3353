"""Plans and providers on a GPU without any array library."""

import ctypes
import gc
import threading

import numpy as np
import pytest
import step_loop

from sdm import device, record_lists, streams
from sdm.kernels import gds
from sdm.reference import bits, gds as reference, workloads
from sdm.reference.workloads import Case

LOOPS = [
    step_loop.in_python,
    pytest.param(step_loop.in_cpp, marks=pytest.mark.skipif(not step_loop.compiler(), reason="no C++ compiler (c++, g++, clang++)")),
]


class Run:
    def __init__(self, case, **changes):
        self.case, self.w = case, workloads.gds(case)
        self.grad, self.dots = device.upload(self.w.grad), device.upload(self.w.d_q_w)
        given = dict(readings=device.upload(self.w.dy.reshape(-1, case.hd)), rec=None)
        given.update(changes)
        self.launch = gds.make_gds(
            device.upload(self.w.bank), self.grad, given["readings"], device.upload(self.w.spay),
            device.upload(self.w.rec) if given["rec"] is None else given["rec"], self.dots,
            chunk_size=case.C, num_parallel=case.P, steps=case.T,
        )  # fmt: skip

    def check(self, dy=None):
        w = self.w
        want = reference.run_steps(w.bank, w.grad, w.dy if dy is None else dy, w.records, self.case.P, d_q_w=w.d_q_w)
        assert bits.same_bits(device.download(self.grad), want[0])
        assert bits.same_bits(device.download(self.dots), want[1])


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("hd, rec", [(128, 8), (128, 16), (200, 8), (130, 8)])
def test_bits(hd, rec, loop):
    run = Run(Case(hd=hd, rec=rec, T=4, invalid=0.1))
    plan, address, use = run.launch.plan(4, pdl=True)
    assert isinstance(plan, np.ndarray) and plan.dtype == np.uint8
    assert use == int(run.launch.pdl_capable)
    assert loop(plan, address, 4, use) == 0
    run.launch.done()
    run.check()


def test_reused_readings():
    case = Case(hd=200, T=3)
    dy = workloads.gds(case).dy[: case.P]
    run = Run(case, readings=device.upload(dy.reshape(-1, 200)))
    assert step_loop.in_python(*run.launch.plan(3)[:2], 3) == 0
    run.launch.done()
    run.check(dy)


def test_a_thread_without_a_context():
    """There device 0 is current, as for any CUDA call."""
    run = Run(Case(hd=200, T=3))
    plan, address, use = run.launch.plan(3)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(step_loop.in_python(plan, address, 3, use)))
    thread.start()
    thread.join()
    assert answers == [0]
    run.launch.done()
    run.check()


def test_answers():
    run = Run(Case(T=3))
    plan, address, _ = run.launch.plan(2)
    assert [step_loop.one(plan, address, ti) for ti in (-1, 2)] == [-2, -2]
    other = plan.copy()
    other[64] ^= 8
    assert step_loop.one(plan[:-1], address, 0) == -1 and step_loop.one(other, address, 0) == -7
    driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
    if driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0):
        pytest.skip("the driver makes no second context")
    try:
        # The kernel is not loaded in this one; the order of the checks: the context before the arguments.
        assert step_loop.one(plan, address, 0) == -5 and step_loop.one(other, address, 0) == -5
        assert step_loop.one(other, address, 2) == -2
    finally:
        driver.cuCtxDestroy_v2(context)
    assert bits.same_bits(device.download(run.grad), run.w.grad)


def test_a_second_context():
    """Arrays, kernels and plans of a context that is not the device's primary one; each plan is good in its own."""
    first = Run(Case(hd=200, T=3, rec=8))
    primary, address, _ = first.launch.plan(3)
    driver, context, popped = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), ctypes.c_void_p()
    if driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0):
        pytest.skip("the driver makes no second context")
    try:
        run = Run(Case(hd=200, T=3, rec=8))
        own = run.launch.plan(3)[0]
        run.launch(2)
        assert step_loop.in_python(own, address, 2) == 0
        run.launch.done()
        run.check()
        assert step_loop.one(primary, address, 0) == -5
        assert driver.cuCtxPopCurrent_v2(ctypes.byref(popped)) == 0
        assert step_loop.one(own, address, 0) == -5
        assert driver.cuCtxPushCurrent_v2(context) == 0
        # What was allocated in the context goes before the context does.
        del run
        gc.collect()
    finally:
        driver.cuCtxDestroy_v2(context)
    assert step_loop.in_python(primary, address, 3) == 0
    first.launch.done()
    first.check()


def test_too_much_shared_memory_is_the_drivers_error():
    run = Run(Case(T=2))
    plan, address, _ = run.launch.plan(2)
    other = plan.copy()
    other[52:56] = np.frombuffer(np.uint32(1 << 30).tobytes(), np.uint8)  # dynamic shared memory
    assert step_loop.one(other, address, 0) > 0
    assert step_loop.in_python(plan, address, 2) == 0
    run.launch.done()
    run.check()


class Provider:
    """Records of one step on the device, behind an event of the runtime's own."""

    def __init__(self, w, case):
        self.rec, self.P, self.released, self.kept = w.rec, case.P, [], []

    def get(self, ti):
        records = device.upload(self.rec[ti * self.P : (ti + 1) * self.P])
        event = streams.Event(0)
        self.kept.append((records, event))
        return records, event if ti else event.ptr  # a handle will do as well

    def release(self, ti, event):
        assert event.ptr
        self.released.append((ti, event))


def test_provider():
    case = Case(hd=130, T=3, rec=8)
    provider = Provider(workloads.gds(case), case)
    run = Run(case, rec=provider)
    assert run.launch.plan(3) is None and not run.launch.pdl_capable
    for ti in (2, 1, 0):
        run.launch(ti)
    run.check()
    assert [ti for ti, _ in provider.released] == [2, 1, 0]


def test_bound_plan():
    w = workloads.gds(Case(T=2, hd=128))
    grad, dots = device.upload(w.grad), device.upload(w.d_q_w)
    bound = gds.gds.bind(record_lists.bound(gds.QREC, device.upload(w.rec)), device.upload(w.bank), device.upload(w.dy), grad, dots)
    plan, address = bound.plan(range(w.num_parallel), 2)
    assert step_loop.in_python(plan, address, 2, 1) == 0  # bound without pdl: 1 is not heeded
    bound.done()
    want = reference.run_steps(w.bank, w.grad, w.dy, w.records, w.num_parallel, d_q_w=w.d_q_w)
    assert bits.same_bits(device.download(grad), want[0]) and bits.same_bits(device.download(dots), want[1])
