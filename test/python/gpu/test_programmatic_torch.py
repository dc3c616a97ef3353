"""Programmatic launches between neighbours that show an order that is wrong: one writes the rows late and lets its dependents go early,
the other reads them right after its own wait."""

import struct

import cuda_source
import pytest
import step_loop
from test_gds_torch import torch

from sdm.kernels import gds
from sdm.reference import gds as reference, workloads
from sdm.reference.workloads import Case
from torch_arrays import tensor

if torch.cuda.get_device_capability()[0] not in (9, 10):
    pytest.skip("programmatic launches need a GPU of capability 9 or 10", allow_module_level=True)
if not cuda_source.nvcc():
    pytest.skip("no nvcc", allow_module_level=True)

SOURCE = r"""
// Dependents may start at once; the words arrive `cycles` later.
extern "C" __global__ void write_late(const unsigned *from, volatile unsigned *to, long long words, long long cycles) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  for (long long start = clock64(); clock64() - start < cycles;)
    ;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < words; i += (long long)gridDim.x * blockDim.x)
    to[i] = from[i];
}

// Copies behind the wait, or (early) before it.
extern "C" __global__ void read(const volatile unsigned *from, unsigned *to, long long words, long long early) {
  if (!early)
    asm volatile("griddepcontrol.wait;" ::: "memory");
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < words; i += (long long)gridDim.x * blockDim.x)
    to[i] = from[i];
  if (early)
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

// Lets its dependents go and is done, waiting for nothing.
extern "C" __global__ void hasty(long long) { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
"""
BLOCKS, THREADS = 8, 256  # few, so that the next kernel finds room beside them
LATE = 200_000  # cycles, about 0.1 ms
QUEUED = 2_000_000  # cycles that the stream is busy while a repetition is queued


@pytest.fixture(scope="module")
def kernels():
    return cuda_source.compiled(SOURCE)


def rows_of(w):
    """bank and grad as one tensor [2, slots, hd]."""
    return torch.stack([tensor(w.bank, "cuda"), tensor(w.grad, "cuda")])


class Neighbours:
    """Memory that is wrong until a late kernel writes the truth; and what a kernel behind the mover reads of it."""

    def __init__(self, kernels, truth):
        self.kernels, self.stream, self.truth = kernels, torch.cuda.Stream(), truth
        self.wrong = (self.truth.view(torch.int16) ^ 0x1555).view(self.truth.dtype)
        self.rows, self.seen = torch.empty_like(self.truth), torch.empty_like(self.truth)
        self.words = self.truth.numel() * self.truth.element_size() // 4
        self.different = torch.zeros((), dtype=torch.int64, device="cuda")
        torch.cuda.synchronize()

    def start(self, name: str, arguments: bytes) -> None:
        """Programmatically, behind what the stream has."""
        self.kernels.launch(0, name, arguments, BLOCKS, THREADS, 0, self.stream.cuda_stream, True)

    def read(self, early: bool = False) -> None:
        self.start("read", struct.pack("<QQqq", self.rows.data_ptr(), self.seen.data_ptr(), self.words, early))

    def repeat(self, times: int, before, middle, after) -> int:
        """In how many repetitions something differed: `before`, the late kernel, `middle`, then `after` says what is compared, (found,
        wanted) pairs."""
        with torch.cuda.stream(self.stream):
            self.different.zero_()
            for _ in range(times):
                torch.cuda._sleep(QUEUED)
                self.rows.copy_(self.wrong)
                self.seen.zero_()
                before()
                self.start("write_late", struct.pack("<QQqq", self.truth.data_ptr(), self.rows.data_ptr(), self.words, LATE))
                middle()
                unequal = [(found.view(torch.int16) != wanted.view(torch.int16)).any() for found, wanted in after()]
                self.different += torch.stack(unequal).any()
            self.stream.synchronize()
        return int(self.different)


@pytest.mark.parametrize("planned", (False, True))
@pytest.mark.parametrize("hd, rec", [(128, 8), (128, 16), (130, 8)])
def test_rows_are_read_behind_the_wait(kernels, hd, rec, planned):
    """Two steps, each let go by the kernel before it."""
    case = Case(hd=hd, rec=rec, T=3, invalid=0.1)
    w = workloads.gds(case)
    near = Neighbours(kernels, rows_of(w))
    start, dots = tensor(w.d_q_w, "cuda"), tensor(w.d_q_w, "cuda")
    launch = gds.make_gds(
        near.rows[0], near.rows[1], tensor(w.dy, "cuda").view(-1, hd), tensor(w.spay, "cuda"), tensor(w.rec, "cuda"), dots,
        chunk_size=case.C, num_parallel=case.P, steps=case.T,
    )  # fmt: skip
    assert launch.pdl_capable
    plan, address, use = launch.plan(case.T, pdl=True)
    grad, cells = w.grad, w.d_q_w
    for ti in (2, 1):
        grad, cells = reference.run(w.bank, grad, w.dy, w.records, range(ti * case.P, (ti + 1) * case.P), d_q_w=cells)
    rows, cells = torch.stack([near.truth[0], tensor(grad, "cuda")]), tensor(cells, "cuda")

    def middle():
        for ti in (2, 1):
            if planned:
                assert step_loop.one(plan, address, ti, use, near.stream.cuda_stream) == 0
            else:
                launch(ti, pdl=True)
        near.read()

    def after():
        launch.done()
        return [(near.seen, rows), (near.rows, rows), (dots[2:], cells[2:])]

    torch.cuda.synchronize()
    assert near.repeat(300, lambda: dots.copy_(start), middle, after) == 0


def test_readings_that_come_late(kernels):
    """The caller's promise broken: the kernel right before writes the readings. The mover reads them early, if it may start early."""
    case = Case(rec=8)
    w = workloads.gds(case)
    near = Neighbours(kernels, tensor(w.dy, "cuda"))
    start, dots, grad = tensor(w.d_q_w, "cuda"), tensor(w.d_q_w, "cuda"), tensor(w.grad, "cuda")
    launch = gds.make_gds(
        tensor(w.bank, "cuda"), grad, near.rows.view(-1, case.hd), tensor(w.spay, "cuda"), tensor(w.rec, "cuda"), dots,
        chunk_size=case.C, num_parallel=case.P, steps=case.T,
    )  # fmt: skip
    want = tensor(reference.run(w.bank, w.grad, w.dy, w.records, range(2, 4), d_q_w=w.d_q_w)[1], "cuda")
    torch.cuda.synchronize()
    for pdl in (True, False):
        found = near.repeat(50, lambda: dots.copy_(start), lambda: launch(1, pdl=pdl), lambda: [(dots, want)])
        assert bool(found) == pdl


def test_the_neighbours_show_an_early_read(kernels):
    """The same with a kernel that reads before its wait in the mover's place: what the tests above look for is found."""
    near = Neighbours(kernels, rows_of(workloads.gds(Case())))
    found = lambda: [(near.seen, near.truth)]  # noqa: E731
    assert near.repeat(50, lambda: None, lambda: near.read(early=True), found) > 0
    assert near.repeat(50, lambda: None, near.read, found) == 0


def test_the_neighbours_show_a_kernel_that_does_not_wait(kernels):
    """A kernel that lets its dependents go and does not wait: the reader behind it, which does, comes too early."""
    near = Neighbours(kernels, rows_of(workloads.gds(Case())))

    def middle():
        near.start("hasty", bytes(8))
        near.read()

    if not near.repeat(50, lambda: None, middle, lambda: [(near.seen, near.truth)]):
        pytest.skip("this driver keeps the order of kernels that do not wait")
