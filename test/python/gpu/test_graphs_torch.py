"""CUDA graphs: launches and plans captured, replayed more than once, with other readings, with records from a stream that is forked within
the capture; a launcher that is made under capture."""

import pytest
import step_loop
from test_gds_torch import Run, torch
from test_plans_torch import LOOPS, planned

from sdm.kernels import gds
from sdm.reference import bits, gds as reference, workloads
from sdm.reference.workloads import Case
from torch_arrays import array, tensor


def stepped(run, loop=None):
    """All steps programmatically: by launches, or by a loop over the plan."""
    if loop is None:
        run.steps(pdl=True)
    else:
        planned(run, loop, pdl=True)


def captured(work):
    """A graph of what `work` launches."""
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=torch.cuda.Stream()):
        work()
    return graph


def repeated(w, case, readings, grad=None):
    """grad and d_q_w after the steps with each of the readings, one after the other."""
    grad = w.grad if grad is None else grad
    for dy in readings:
        grad, dots = reference.run_steps(w.bank, grad, dy, w.records, case.P, d_q_w=w.d_q_w)
    return grad, dots


@pytest.mark.parametrize("loop", (None, *LOOPS))
@pytest.mark.parametrize("hd, rec", [(128, 16), (130, 8), (200, 8)])
def test_capture_and_replays(hd, rec, loop):
    """The gradient grows with each replay; the readings are those that are there at the replay."""
    case = Case(hd=hd, rec=rec, T=4, invalid=0.1)
    readings = tensor(workloads.gds(case).dy, "cuda").view(-1, hd)
    run = Run(case, readings=readings)
    graph = captured(lambda: stepped(run, loop))
    torch.cuda.synchronize()
    assert bits.same_bits(array(run.grad), run.w.grad)  # captured, not run
    other = run.w.dy[::-1].copy()
    graph.replay()
    graph.replay()
    readings.copy_(tensor(other, "cuda").view(-1, hd))
    graph.replay()
    want = repeated(run.w, case, (run.w.dy, run.w.dy, other))
    torch.cuda.synchronize()
    assert bits.same_bits(array(run.grad), want[0]) and bits.same_bits(array(run.dots), want[1])


def test_readings_that_are_converted():
    """The conversion is part of the graph."""
    case = Case(hd=200, T=2)
    readings = tensor(workloads.gds(case).dy, "cuda").view(-1, 200).double()
    run = Run(case, readings=readings)
    run.steps()
    run.grad.copy_(tensor(run.w.grad, "cuda"))
    graph = captured(run.steps)
    readings.copy_(-readings)
    graph.replay()
    want = repeated(run.w, case, (-run.w.dy,))
    torch.cuda.synchronize()
    assert bits.same_bits(array(run.grad), want[0]) and bits.same_bits(array(run.dots), want[1])


def test_two_graphs_of_one_launcher():
    """A step each, replayed in turn."""
    case = Case(hd=130, T=2, rec=8)
    run = Run(case)
    last = captured(lambda: run.launch(1))
    first = captured(lambda: run.launch(0, pdl=True))
    for graph in (last, first, last, first):
        graph.replay()
    want = repeated(run.w, case, (run.w.dy, run.w.dy))
    torch.cuda.synchronize()
    assert bits.same_bits(array(run.grad), want[0]) and bits.same_bits(array(run.dots), want[1])


class Forked:
    """One buffer for all steps' records, filled on a stream that forks from the launches' and joins it again."""

    def __init__(self, w, case):
        self.rec, self.P, self.side = tensor(w.rec, "cuda"), case.P, torch.cuda.Stream()
        self.buffer = torch.zeros_like(self.rec[: self.P])

    def get(self, ti):
        self.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            self.buffer.copy_(self.rec[ti * self.P : (ti + 1) * self.P])
            event = torch.cuda.Event()
            event.record()
        return self.buffer, event

    def release(self, ti, event):
        self.side.wait_event(event)


@pytest.mark.parametrize("rec", (8, 16))
def test_records_of_a_forked_stream(rec):
    case = Case(hd=130, rec=rec, T=3, invalid=0.2)
    provider = Forked(workloads.gds(case), case)
    run = Run(case, rec=provider)
    run.steps()  # what 16-byte records need is compiled
    torch.cuda.synchronize()
    run.grad.copy_(tensor(run.w.grad, "cuda"))

    def work():
        run.steps()
        torch.cuda.current_stream().wait_stream(provider.side)

    graph = captured(work)
    provider.buffer.zero_()
    graph.replay()
    torch.cuda.synchronize()
    provider.buffer.zero_()
    graph.replay()
    want = repeated(run.w, case, (run.w.dy, run.w.dy))
    torch.cuda.synchronize()
    assert bits.same_bits(array(run.grad), want[0]) and bits.same_bits(array(run.dots), want[1])


@pytest.mark.parametrize("hd", (128, 200))
def test_made_under_capture(hd):
    """Once warm, a launcher can be made, planned and run within a capture."""
    case = Case(hd=hd, T=3, rec=8)
    w = workloads.gds(case)
    bank, spay, rec = tensor(w.bank, "cuda"), tensor(w.spay, "cuda"), tensor(w.rec, "cuda")
    dy, grad, dots = tensor(w.dy, "cuda").view(-1, hd), tensor(w.grad, "cuda"), tensor(w.d_q_w, "cuda")
    sizes = dict(chunk_size=case.C, num_parallel=case.P, steps=case.T)
    gds.warm(bank, grad, dy, spay, rec, dots, **sizes)

    def work():
        launch = gds.make_gds(bank, grad, dy, spay, rec, dots, **sizes)
        plan, address, use = launch.plan(2, pdl=True)
        launch(2)
        assert step_loop.in_python(plan, address, 2, use, torch.cuda.current_stream().cuda_stream) == 0
        launch.done()

    graph = captured(work)
    assert bits.same_bits(array(grad), w.grad)
    graph.replay()
    want = repeated(w, case, (w.dy,))
    torch.cuda.synchronize()
    assert bits.same_bits(array(grad), want[0]) and bits.same_bits(array(dots), want[1])
