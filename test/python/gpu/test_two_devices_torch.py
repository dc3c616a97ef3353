"""Two GPUs: arrays on the one that is not current, plans of the other device, threads on both at once, the same bits on both."""

import concurrent.futures

import pytest
import step_loop
from test_gds_torch import Run, torch
from test_plans_torch import OneBuffer, planned

from sdm.errors import OperandError
from sdm.kernels import gds
from sdm.reference import bits, workloads
from sdm.reference.workloads import Case
from torch_arrays import array, tensor

pytestmark = pytest.mark.skipif(torch.cuda.device_count() < 2, reason="one CUDA device")
DEVICES = ("cuda:0", "cuda:1")


@pytest.fixture(autouse=True)
def current():
    """Device 0 is current, and still is afterwards."""
    torch.cuda.set_device(0)
    yield
    assert torch.cuda.current_device() == 0


@pytest.mark.parametrize("hd", (128, 130, 200))
def test_the_same_bits(hd):
    case = Case(hd=hd, T=3, rec=8, invalid=0.1, special=0.02)
    runs = [Run(case, device=device) for device in DEVICES]
    for run in runs:
        run.steps(pdl=True)
        run.check()
    assert bits.same_bits(array(runs[0].grad), array(runs[1].grad)) and bits.same_bits(array(runs[0].dots), array(runs[1].dots))


@pytest.mark.parametrize("device", (0, 1))
def test_plans(device):
    """Made while device 0 is current; issued only where the plan's device is."""
    run = Run(Case(hd=200, T=3), device=DEVICES[device])
    plan, address, use = run.launch.plan(3, pdl=True)
    with torch.cuda.device(1 - device):
        torch.zeros(1, device=DEVICES[1 - device])
        assert step_loop.one(plan, address, 0) == -5 and step_loop.one(plan, address, 3) == -2
        assert step_loop.one(plan[:-1], address, 0) == -1
    assert bits.same_bits(array(run.grad), run.w.grad)
    with torch.cuda.device(device):
        assert step_loop.in_python(plan, address, 3, use, torch.cuda.current_stream().cuda_stream) == 0
    run.launch.done()
    run.check()


def test_threads_on_both():
    """Two threads a device, all at once, by plans and by launches, with the device current or not."""
    jobs = [(Run(Case(hd=hd, T=4, rec=8, seed=number), device=DEVICES[number % 2]), number) for number, hd in enumerate((128, 128, 200, 200, 130, 130))]
    for device in DEVICES:
        torch.cuda.synchronize(device)

    def work(job):
        run, number = job
        if number < 4:
            with torch.cuda.device(number % 2), torch.cuda.stream(torch.cuda.Stream(DEVICES[number % 2])):
                planned(run, pdl=number < 2)
                torch.cuda.current_stream().synchronize()
        else:
            run.steps()  # a new thread's current device is 0

    with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
        list(pool.map(work, jobs))
    for run, _ in jobs:
        run.check()


def test_provider():
    """Records, events and releases on the device that is not current."""
    case = Case(hd=200, T=3, rec=8)
    provider = OneBuffer(workloads.gds(case), case, DEVICES[1])
    run = Run(case, device=DEVICES[1], rec=provider)
    torch.cuda.synchronize(1)
    run.steps()
    run.check()
    assert provider.freed == [2, 1, 0]


def test_capture():
    run = Run(Case(hd=130, T=3, rec=8), device=DEVICES[1])
    torch.cuda.synchronize(1)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.device(1):
        with torch.cuda.graph(graph, stream=torch.cuda.Stream(DEVICES[1])):
            planned(run, pdl=True)
        graph.replay()
    run.check()


@pytest.mark.parametrize("name", ("grad_bank", "d_q_w", "qrec", "spay_q", "grad_readings"))
def test_operands_on_both(name):
    case = Case(rec=8)
    w = workloads.gds(case)
    arrays = dict(bank=w.bank, grad_bank=w.grad, grad_readings=w.dy.reshape(-1, case.hd), spay_q=w.spay, qrec=w.rec, d_q_w=w.d_q_w)
    given = {label: tensor(a, DEVICES[label == name]) for label, a in arrays.items()}
    with pytest.raises(OperandError, match="expected it on cuda:[01] as .* is, got cuda:[01]"):
        gds.make_gds(*given.values(), chunk_size=case.C, num_parallel=case.P, steps=case.T)
    torch.cuda.synchronize()
    assert bits.same_bits(array(given["grad_bank"]), w.grad)
