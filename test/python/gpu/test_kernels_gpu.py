"""The five kernels on a GPU, without any array library: the bits of the reference, for the device's own code and for older chips' PTX."""

import pathlib
import runpy

import numpy as np
import pytest

from sdm import _sdm, demo, device, record_lists
from sdm.kernels import gds, rms_norm
from sdm.reference import bits, gds as reference, rms_norm as norm_reference, workloads

SIZES = [demo.Sizes(tokens=16, reads=8, chunks=2, steps=2, slots=256, width=width, rows=400, keys=50) for width in (128, 200, 132, 130, 64, 1, 3, 1000)]


def place():
    return next(found for found in demo.places() if found.name != "cpu")


@pytest.mark.parametrize("sizes", SIZES, ids=lambda sizes: str(sizes.width))
def test_generated(sizes):
    for make in list(demo.jobs(sizes))[2:]:
        job = make()
        result = demo.run(job, place(), job.expected())
        assert result.equal, f"{job.kernel}: {result.different}"


@pytest.mark.parametrize("number", (0, 1))
def test_captured(number):
    job = list(demo.jobs(demo.Sizes(steps=1)))[number]()
    assert demo.run(job, place(), job.expected()).equal


@pytest.mark.parametrize("target", ("sm_80", "sm_86", "sm_89"))
def test_code_of_older_chips(target):
    w = workloads.gds(workloads.Case(hd=200, invalid=0.1, special=0.02))
    want = reference.run_steps(w.bank, w.grad, w.dy, w.records, w.num_parallel, d_q_w=w.d_q_w)
    reads = record_lists.bound(gds.QREC, device.upload(w.rec))
    grad, dots = device.upload(w.grad), device.upload(w.d_q_w)
    bound = gds.gds.bind(reads, device.upload(w.bank), device.upload(w.dy), grad, dots, target=target)
    for first in (2, 0):
        bound.launch(range(first, first + 2))
    bound.done()
    assert bits.same_bits(device.download(grad), want[0]) and bits.same_bits(device.download(dots), want[1])


@pytest.mark.parametrize("offset", (0, 2, 4, 8))
@pytest.mark.parametrize("width", (128, 130))
def test_misaligned_rows(offset, width):
    x, weight = workloads.rms_norm(50, width, "bfloat16", special=0.02)
    y = device.upload(np.zeros_like(x), offset=offset)
    rms_norm.rms_norm(device.upload(x, offset=offset), device.upload(weight[None]), y, 1e-5)
    assert bits.same_bits(device.download(y), norm_reference.run(x, weight, 1e-5))


def test_check_mode():
    from sdm.errors import CheckError

    w = workloads.gds(workloads.Case())
    grad, dots = device.upload(w.grad), device.upload(w.d_q_w)
    rec = w.rec.copy()
    rec[1, 0, 1] = -1
    bound = gds.gds.bind(record_lists.bound(gds.QREC, device.upload(rec)), device.upload(w.bank), device.upload(w.dy), grad, dots, check=True)
    with pytest.raises(CheckError, match=r"gds: reads\[1, 0\]: expected slot within 0 .. 511"):
        bound.launch(range(0, 2))
    assert bits.same_bits(device.download(grad), w.grad)
    assert _sdm.device_count() >= 1


def test_scalars_in_device_memory():
    x, weight = workloads.rms_norm(50, 96, "float32")
    y = device.upload(np.zeros_like(x))
    eps = device.upload(np.array(1e-3, np.float32).reshape(()))
    rms_norm.rms_norm(device.upload(x), device.upload(weight[None]), y, eps)
    assert bits.same_bits(device.download(y), norm_reference.run(x, weight, 1e-3))


def test_placements():
    """The mover's rows in every placement, as test/gpu/placements.py runs them for compute-sanitizer."""
    script = pathlib.Path(__file__).parents[2] / "gpu" / "placements.py"
    assert runpy.run_path(str(script))["main"]() == 0
