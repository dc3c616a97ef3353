"""More than 2^31 and 2^32 elements of each operand: rows, planes of dots, records, token rows. Only the reads at the ends, and around the
powers of two, are there; the reference walks the same reads on small arrays. Each case says what memory it needs."""

import dataclasses
import gc

import numpy as np
import pytest
import step_loop
from test_gds_torch import torch

from sdm.kernels import gds
from sdm.reference import bits, gds as reference, workloads
from sdm.reference.workloads import Case
from torch_arrays import array, tensor

GIB, INVALID = 1 << 30, 1 << 17
TYPES = {"bfloat16": torch.bfloat16, "float32": torch.float32}
PIECE = 1 << 29


@pytest.fixture(autouse=True)
def emptied():
    yield
    gc.collect()
    torch.cuda.empty_cache()


def needs(gib: int) -> None:
    """Skips where less memory is free."""
    gc.collect()
    torch.cuda.empty_cache()
    free = torch.cuda.mem_get_info()[0]
    if free < gib * GIB:
        pytest.skip(f"needs {gib} GiB of free memory on the GPU, {free // GIB} GiB are free")


def noise(slots: int, hd: int, dtype):
    """Rows of random bits."""
    flat = torch.empty(-(-slots * hd // 8) * 8, dtype=dtype, device="cuda")
    flat.view(torch.int32).random_()
    return flat[: slots * hd].view(slots, hd)


def put(rows, where, values) -> None:
    """Some rows, one by one: no index of torch's is relied on."""
    for slot, value in zip(where, tensor(values, "cuda")):
        rows[int(slot)].copy_(value)


def same(a, b) -> bool:
    """Bit for bit, a piece at a time."""
    kind = {2: torch.int16, 4: torch.int32}[a.element_size()]
    a, b = a.view(-1).view(kind), b.view(-1).view(kind)
    return all(torch.equal(a[at : at + PIECE], b[at : at + PIECE]) for at in range(0, a.numel(), PIECE))


def remarkable(slots: int, hd: int) -> np.ndarray:
    """An even number of slots: at both ends and on both sides of 2^31, 2^32 and 2^33 bytes and elements."""
    middles = [(1 << power) // hd for power in (30, 31, 32, 33)]
    near = [np.arange(middle - 6, middle + 7) for middle in (0, *middles, slots - 1)]
    found = np.unique(np.concatenate(near))
    found = found[(found >= 0) & (found < slots)]
    return found if len(found) % 2 == 0 else np.delete(found, 3)


ROWS = [  # hd, types of bank and grad, slots, GiB
    (128, "bfloat16", "bfloat16", (1 << 25) + 5, 28), (130, "bfloat16", "float32", (1 << 32) // 130 + 9, 44),
    (132, "float32", "float32", (1 << 32) // 132 + 9, 52), (1, "bfloat16", "bfloat16", (1 << 31) - 1, 16),
]  # fmt: skip


@pytest.mark.parametrize("hd, bank_type, grad_type, slots, gib", ROWS)
def test_rows(hd, bank_type, grad_type, slots, gib):
    needs(gib)
    where = remarkable(slots, hd)
    case = Case(hd=hd, bank=bank_type, grad=grad_type, C=32, R=16, S=len(where) // 2, rec=8, invalid=0.1)
    w = workloads.gds(case)
    assert len(np.unique(w.records.key[w.records.valid])) == len(where)
    bank, grad = noise(slots, hd, TYPES[bank_type]), noise(slots, hd, TYPES[grad_type])
    put(bank, where, w.bank)
    put(grad, where, w.grad)
    wanted, dots = grad.clone(), tensor(w.d_q_w, "cuda")
    rec = w.rec.copy()
    rec[..., 0] = np.where(w.spay & INVALID, 0, where[rec[..., 0]])
    launch = gds.make_gds(
        bank, grad, tensor(w.dy, "cuda").view(-1, hd), tensor(w.spay, "cuda"), tensor(rec, "cuda"), dots,
        chunk_size=case.C, num_parallel=case.P, steps=case.T,
    )  # fmt: skip
    assert gds.wide_offsets(bank, grad.dtype) == (hd != 1)
    plan, address, use = launch.plan(2)
    launch(1)
    assert step_loop.one(plan, address, 0, use, torch.cuda.current_stream().cuda_stream) == 0
    launch.done()
    want = reference.run_steps(w.bank, w.grad, w.dy, w.records, case.P, d_q_w=w.d_q_w)
    assert bits.same_bits(array(dots), want[1])
    put(wanted, where, want[0])
    assert same(grad, wanted)  # the rows that are read, and all others as they were


class Ends:
    """A small workload of two steps as the first and the last step of a long one; zeros between."""

    def __init__(self, case: Case, chunks: int, reused: bool):
        self.case, self.w, self.P, self.steps = case, workloads.gds(case), case.P, chunks // case.P
        w, P, n = self.w, case.P, case.C * case.R
        self.dy = w.dy[:P] if reused else w.dy
        self.spay, self.rec = self.apart(w.spay, (chunks, n)), self.apart(w.rec, (chunks, n, case.rec // 4))
        self.readings = tensor(self.dy, "cuda") if reused else self.apart(w.dy, (chunks, case.C, case.hd))
        self.bank, self.grad = tensor(w.bank, "cuda"), tensor(w.grad, "cuda")
        self.dots = torch.full((chunks, case.C, case.R), float("nan"), device="cuda")
        self.launch = gds.make_gds(
            self.bank, self.grad, self.readings.view(-1, case.hd), self.spay, self.rec, self.dots,
            chunk_size=case.C, num_parallel=P, steps=self.steps,
        )  # fmt: skip

    def apart(self, small, shape):
        large = torch.zeros(shape, dtype=torch.float32 if small.dtype == np.float32 else torch.int32, device="cuda")
        large[: self.P].copy_(tensor(small[: self.P], "cuda"))
        large[-self.P :].copy_(tensor(small[self.P :], "cuda"))
        return large

    def check(self):
        w, P = self.w, self.P
        want = reference.run_steps(w.bank, w.grad, self.dy, w.records, P, d_q_w=w.d_q_w)
        assert bits.same_bits(array(self.grad), want[0])
        assert bits.same_bits(array(self.dots[:P]), want[1][:P]) and bits.same_bits(array(self.dots[-P:]), want[1][P:])
        # No other chunk's dots were written.
        assert all(bool(torch.isnan(part).all()) for part in self.dots[P:-P].view(-1).split(PIECE))


@pytest.mark.parametrize("hd, slices, gib", [(256, 2, 54), (260, 3, 42)])
def test_planes_of_dots(hd, slices, gib):
    """Even and uneven slices, whose planes together have more than 2^32 elements; only the last step and the first one run."""
    needs(gib)
    case = Case(hd=hd, C=16, R=256, rec=8, invalid=0.1)
    chunks = ((1 << 32) // (slices * case.C * case.R) // 2 + 1) * 2
    run = Ends(case, chunks, reused=True)
    assert run.launch.geom["nsl"] == slices and slices * run.dots.numel() > 1 << 32
    run.launch(run.steps - 1)
    run.launch(0)
    run.check()


@pytest.mark.parametrize("rec, reused, gib", [(8, False, 58), (16, True, 58)])
def test_records_and_token_rows(rec, reused, gib):
    """chunk * n beyond 2^31, in either layout; token rows of more than 2^32 elements."""
    needs(gib)
    case = Case(C=16, R=64, rec=rec, invalid=0.1)
    run = Ends(case, (1 << 21) + 4, reused)
    assert run.spay.numel() > 1 << 31 and (reused or run.readings.numel() > 1 << 32)
    plan, address, use = run.launch.plan(run.steps)
    assert run.launch.plan(run.steps + 1) is None
    run.launch(run.steps - 1)
    assert step_loop.one(plan, address, 0, use, torch.cuda.current_stream().cuda_stream) == 0
    run.check()
    # The other way round, from the start again: plan's last step, launch's first.
    run.grad.copy_(tensor(run.w.grad, "cuda"))
    run.dots.fill_(float("nan"))
    assert step_loop.one(plan, address, run.steps - 1, use, torch.cuda.current_stream().cuda_stream) == 0
    run.launch(0)
    run.check()


@pytest.mark.parametrize("count", (1, 3))
def test_small_forms_of_the_same(count):
    """The tests' own machinery on small arrays: a long run of few chunks."""
    case = dataclasses.replace(Case(C=16, R=8, hd=130, rec=8, invalid=0.1), seed=count)
    run = Ends(case, 4 + 2 * count, reused=count == 3)
    run.launch(run.steps - 1)
    run.launch(0)
    run.check()
    assert same(run.grad, run.grad.clone()) and not same(run.grad, -run.grad)
