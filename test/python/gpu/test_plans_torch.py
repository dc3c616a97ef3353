"""Plans and providers with torch: tensors, streams, programmatic launches, records in one buffer."""

import pytest
import step_loop
from test_gds_torch import Run, torch

from sdm.reference import workloads
from sdm.reference.workloads import Case
from torch_arrays import tensor

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
    """One step's records at a time in one buffer, written late on a stream of their own, and cleared as soon as they are released."""

    def __init__(self, w, case, device="cuda"):
        self.rec, self.P, self.stream, self.freed = tensor(w.rec, device), case.P, torch.cuda.Stream(device), []
        self.buffer = torch.zeros_like(self.rec[: self.P])

    def get(self, ti):
        with torch.cuda.stream(self.stream):
            torch.cuda._sleep(20_000_000)
            self.buffer.copy_(self.rec[ti * self.P : (ti + 1) * self.P])
            event = torch.cuda.Event()
            event.record()
        return self.buffer, event

    def release(self, ti, event):
        with torch.cuda.stream(self.stream):
            self.stream.wait_event(event)
            self.buffer.zero_()
        self.freed.append(ti)


@pytest.mark.parametrize("side", (False, True))
def test_events_on_a_side_stream(side):
    case = Case(hd=200, T=4, rec=8)
    provider = OneBuffer(workloads.gds(case), case)
    run = Run(case, rec=provider)
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream() if side else torch.cuda.current_stream()):
        torch.cuda._sleep(20_000_000)  # the launches wait too, so that a release comes long before its event
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
