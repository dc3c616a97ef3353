"""Several host threads at once, each with a mover and a stream of its own; records from streams of their own among them."""

import concurrent.futures

import pytest
import step_loop
from test_gds_torch import Run, torch
from test_plans_torch import OneBuffer, planned

from sdm.reference import workloads
from sdm.reference.workloads import Case

CASES = [Case(hd=hd, T=4, rec=rec, invalid=0.1, seed=seed) for seed, (hd, rec) in enumerate([(128, 8), (200, 8), (130, 16), (132, 8), (128, 16), (260, 8)])]


def at_once(work, items) -> None:
    torch.cuda.synchronize()
    with concurrent.futures.ThreadPoolExecutor(len(items)) as pool:
        list(pool.map(work, items))


@pytest.mark.parametrize("how", ("launch", "plan", "programmatic"))
def test_threads_and_streams(how):
    runs = [Run(case) for case in CASES]

    def work(run):
        with torch.cuda.stream(torch.cuda.Stream()):
            if how == "launch":
                run.steps()
            else:
                planned(run, pdl=how == "programmatic")
            torch.cuda.current_stream().synchronize()

    at_once(work, runs)
    for run in runs:
        run.check()


def test_made_in_threads():
    """The first of its kind in each thread: compiled, loaded and run there."""
    cases = [Case(hd=hd, T=2, grad="float32", rec=8) for hd in (36, 36, 260, 260, 44, 44)]
    runs = []

    def work(case):
        with torch.cuda.stream(torch.cuda.Stream()):
            run = Run(case)
            run.steps()
            torch.cuda.current_stream().synchronize()
            runs.append(run)

    at_once(work, cases)
    assert len(runs) == len(cases)
    for run in runs:
        run.check()


def test_providers_in_threads():
    made = []
    for case in CASES[:4]:
        provider = OneBuffer(workloads.gds(case), case)
        made.append((Run(case, rec=provider), provider))

    def work(pair):
        with torch.cuda.stream(torch.cuda.Stream()):
            pair[0].steps()
            torch.cuda.current_stream().synchronize()

    at_once(work, made)
    for run, provider in made:
        run.check()
        assert provider.freed == [3, 2, 1, 0]


def test_one_plan_in_many_threads():
    """The plan's bytes are only read: steps of one mover, from a thread each, one behind the other."""
    run = Run(Case(hd=200, T=4, rec=8))
    plan, address, use = run.launch.plan(4)
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    before = plan.clone()
    for ti in (3, 2, 1, 0):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            assert pool.submit(step_loop.one, plan, address, ti, use, stream.cuda_stream).result() == 0
    stream.synchronize()
    run.launch.done()
    assert torch.equal(plan, before)
    run.check()
