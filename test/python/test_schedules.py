"""A schedule never changes a result: slices split or whole, warps, tiles, threads, chunks of a launch, all give the reference's bits."""

import os
import subprocess
import sys

import pytest

import sdm
from sdm import tiling
from sdm.kernels import gds
from sdm.reference import bits, gds as reference, workloads

CASES = {hd: workloads.Case(hd=hd, invalid=0.1, special=0.02, seed=hd) for hd in (128, 130, 260)}


def agrees(hd: int, schedule=(), step: int = 2) -> bool:
    """Whether the mover's outputs are the reference's, run `step` chunks a launch."""
    w = workloads.gds(CASES[hd])
    want = reference.run_steps(w.bank, w.grad, w.dy, w.records, w.num_parallel, d_q_w=w.d_q_w)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    bound = gds.gds.bind(sdm.bound(gds.QREC, w.rec), w.bank, w.dy, grad, dots, schedule=schedule)
    for first in reversed(range(0, len(bound.chunks), step)):
        bound.launch(range(first, first + step))
    bound.done()
    return bits.same_bits(grad, want[0]) and bits.same_bits(dots, want[1])


@pytest.mark.parametrize("schedule", ((), ("split",), ("whole",), ("warps=1",), ("warps=16", "whole"), ("2=direct",)), ids=str)
@pytest.mark.parametrize("hd", CASES)
def test_schedules(hd, schedule):
    assert agrees(hd, schedule)


@pytest.mark.parametrize("length", (1, 7, 1000))
@pytest.mark.parametrize("hd", (130, 260))
def test_tiles(monkeypatch, hd, length):
    monkeypatch.setattr(tiling, "on_host", lambda positions, *rest: tiling.Tiling(length, -(-positions // length)))
    assert agrees(hd)


@pytest.mark.parametrize("step", (1, 2))
def test_chunks_of_a_launch(step):
    assert agrees(260, step=step)


@pytest.mark.parametrize("hd", (2048, 65536))
def test_wide_rows(monkeypatch, hd):
    monkeypatch.setitem(CASES, hd, workloads.Case(hd=hd, C=4, R=2, T=1, S=16, invalid=0.2, seed=hd))
    assert agrees(hd)


@pytest.mark.parametrize("threads", (1, 3))
def test_threads(threads):
    code = "import sys; from test_schedules import agrees; sys.exit(not agrees(260))"
    path = os.pathsep.join([os.path.dirname(__file__), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "SDM_NUM_THREADS": str(threads), "PYTHONPATH": path}
    assert subprocess.run([sys.executable, "-c", code], env=environment).returncode == 0
