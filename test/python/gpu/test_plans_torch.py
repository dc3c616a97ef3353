"""Plans and providers with torch: tensors, streams, graphs, programmatic launches, records in one buffer."""

import concurrent.futures

import pytest
import step_loop
from test_gds_torch import Run, torch

from sdm.kernels import gds
from sdm.reference import bits, workloads
from sdm.reference.workloads import Case
from torch_arrays import array, tensor

LOOPS = [
    step_loop.in_python,
    pytest.param(step_loop.in_cpp, marks=pytest.mark.skipif(not step_loop.compiler(), reason="no C++ compiler (c++, g++, clang++)")),
]


def planned(run, loop=step_loop.in_python, pdl=False):
    plan, address, use = run.launch.plan(run.case.T, pdl=pdl)
    assert loop(plan, address, run.case.T, use, torch.cuda.current_stream().cuda_stream) == 0
    run.launch.done()


@pytest.mark.parametrize("pdl", (False, True))
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("hd, rec", [(128, 8), (200, 16), (130, 8), (1000, 8)])
def test_bits(hd, rec, loop, pdl):
    run = Run(Case(hd=hd, rec=rec, T=5, invalid=0.1))
    plan, _, use = run.launch.plan(5, pdl=pdl)
    assert plan.dtype == torch.uint8 and plan.device.type == "cpu" and plan.dim() == 1 and plan.is_contiguous() and plan.numel()
    assert use == int(pdl and run.launch.pdl_capable)
    planned(run, loop, pdl)
    run.check()


@pytest.mark.parametrize("hd", (128, 130))
def test_capture_and_replay(hd):
    run = Run(Case(hd=hd, T=4, rec=8))
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        planned(run, pdl=True)
    torch.cuda.synchronize()
    assert bits.same_bits(array(run.grad), run.w.grad)  # captured, not run
    graph.replay()
    run.check()


def test_made_under_capture():
    """Once warm, a launcher can be made, planned and run within a capture."""
    case = Case(hd=200, T=3, rec=8)
    Run(case)
    w = workloads.gds(case)
    bank, spay, rec = tensor(w.bank, "cuda"), tensor(w.spay, "cuda"), tensor(w.rec, "cuda")
    dy, grad, dots = tensor(w.dy, "cuda").view(-1, 200), tensor(w.grad, "cuda"), tensor(w.d_q_w, "cuda")
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        launch = gds.make_gds(bank, grad, dy, spay, rec, dots, chunk_size=case.C, num_parallel=case.P, steps=case.T)
        plan, address, use = launch.plan(3, pdl=True)
        assert step_loop.in_python(plan, address, 3, use, torch.cuda.current_stream().cuda_stream) == 0
        launch.done()
    graph.replay()
    run = Run(case)
    run.grad, run.dots = grad, dots
    run.check()


def test_threads_and_streams():
    case = Case(hd=200, T=4, rec=8)
    runs = [Run(case) for _ in range(4)]
    torch.cuda.synchronize()

    def work(run):
        with torch.cuda.stream(torch.cuda.Stream()):
            planned(run)
            torch.cuda.current_stream().synchronize()

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(work, runs))
    for run in runs:
        run.check()


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="one CUDA device")
def test_another_device():
    run = Run(Case(T=3))
    plan, address, _ = run.launch.plan(3)
    with torch.cuda.device(1):
        torch.zeros(1, device="cuda:1")
        assert step_loop.one(plan, address, 0) == -5 and step_loop.one(plan, address, 3) == -2


def test_holders_count_as_records():
    case = Case(T=3, rec=8)
    w = workloads.gds(case)

    class Ready:
        events, rec8 = None, tensor(w.rec, "cuda")

        def get(self, ti):
            raise AssertionError("not asked")

    run = Run(case, rec=Ready())
    assert run.launch.pdl_capable == (torch.cuda.get_device_capability()[0] in (9, 10))
    planned(run, pdl=True)
    run.check()


class OneBuffer:
    """One step's records at a time in one buffer, written late on a stream of their own, once the step before has been released."""

    def __init__(self, w, case):
        self.rec, self.P, self.stream, self.free, self.freed = tensor(w.rec, "cuda"), case.P, torch.cuda.Stream(), None, []
        self.buffer = torch.zeros_like(self.rec[: self.P])

    def get(self, ti):
        with torch.cuda.stream(self.stream):
            if self.free is not None:
                self.stream.wait_event(self.free)
            torch.cuda._sleep(20_000_000)
            self.buffer.copy_(self.rec[ti * self.P : (ti + 1) * self.P])
            event = torch.cuda.Event()
            event.record()
        return self.buffer, event

    def release(self, ti, event):
        self.free = event
        self.freed.append(ti)


@pytest.mark.parametrize("side", (False, True))
def test_events_on_a_side_stream(side):
    case = Case(hd=200, T=4, rec=8)
    provider = OneBuffer(workloads.gds(case), case)
    run = Run(case, rec=provider)
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream() if side else torch.cuda.current_stream()):
        run.steps()
        torch.cuda.current_stream().synchronize()
    run.check()
    assert provider.freed == [3, 2, 1, 0]


class Dropped:
    """Records that the provider keeps no hold of: their memory must stay theirs until the launch is done."""

    def __init__(self, w, case):
        self.rec, self.P, self.stream = tensor(w.rec, "cuda"), case.P, torch.cuda.Stream()

    def get(self, ti):
        with torch.cuda.stream(self.stream):
            records = self.rec[ti * self.P : (ti + 1) * self.P].clone()
            event = torch.cuda.Event()
            event.record()
        return records, event


def test_records_that_no_one_keeps():
    case = Case(hd=128, T=4, rec=8)
    provider = Dropped(workloads.gds(case), case)
    run = Run(case, rec=provider)
    torch.cuda.synchronize()
    torch.cuda._sleep(50_000_000)  # the launches come late; what is freed meanwhile is overwritten early
    for ti in (3, 2, 1, 0):
        run.launch(ti)
        with torch.cuda.stream(provider.stream):
            torch.full_like(provider.rec[: case.P], -1)
    run.check()
