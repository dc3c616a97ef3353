"""A call of make_gds whose form was seen before: the same bits and sentences at other addresses, and no array kept alive."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
import step_loop

from sdm import plans, record_lists
from sdm.errors import OperandError
from sdm.forms import Form
from sdm.kernels import gds
from sdm.kernels.gds_host import known, mover
from sdm.reference import bits, gds as reference, workloads
from sdm.reference.workloads import Case
from test_gds_cpu import expected, make, run

FORMS = [
    Case(rec=8), Case(), Case(hd=200, rec=8), Case(hd=130, grad="float32", rec=8, invalid=0.2), Case(hd=1000, C=8, R=4),
    Case(hd=256, bank="float32", grad="float32", rec=8),
]  # fmt: skip


@pytest.fixture
def seen(monkeypatch):
    """Nothing is known; a list of the Movers that are made the long way."""
    made, init = [], mover.Mover.__init__
    monkeypatch.setattr(known, "_known", {})
    monkeypatch.setattr(mover.Mover, "__init__", lambda self, *arguments: (made.append(self), init(self, *arguments))[1])
    return made


class Prepared:
    """Arrays of a workload, and a launcher on them."""

    def __init__(self, case, seed, **changes):
        self.case, self.w = case, workloads.gds(replace(case, seed=seed))
        self.grad, self.dots = self.w.grad.copy(), self.w.d_q_w.copy()
        self.launch = make(self.w, case, self.grad, self.dots, **changes)

    def check(self):
        want = expected(self.w)
        assert bits.same_bits(self.grad, want[0]) and bits.same_bits(self.dots, want[1])


@pytest.mark.parametrize("case", FORMS, ids=lambda c: f"{c.hd}-{c.bank[:2]}{c.grad[:2]}-{c.rec}")
def test_bits(seen, case):
    """Three launchers of one form at once, their steps interleaved: each has planes of its own."""
    runs = [Prepared(case, seed) for seed in range(3)]
    assert len(seen) == 1
    assert runs[1].launch.geom == runs[0].launch.geom and runs[1].launch.geom is not runs[0].launch.geom
    for ti in reversed(range(case.T)):
        for each in runs:
            each.launch(ti)
    for each in runs:
        each.check()


@pytest.mark.parametrize("case", FORMS, ids=lambda c: f"{c.hd}-{c.bank[:2]}{c.grad[:2]}-{c.rec}")
def test_plans(seen, case):
    runs = [Prepared(case, seed) for seed in range(2)]
    plans = [each.launch.plan(case.T) for each in runs]
    for each, (plan, address, _) in zip(reversed(runs), reversed(plans)):
        assert step_loop.in_python(plan, address, case.T) == 0
        each.launch.done()
    assert len(seen) == 1
    for each in runs:
        each.check()


def test_plans_of_other_steps(seen):
    """What one launcher of a form was asked for is not what the next one is."""
    case = Case(hd=200, rec=8, T=3)
    runs = [Prepared(case, seed) for seed in range(3)]
    for each, parts in zip(runs, (((0, 3),), ((1, 3), (0, 1)), ((2, 3), (0, 2)))):
        for first, stop in parts:
            plan, address, _ = each.launch.plan(stop, pdl=True)
            assert [step_loop.one(plan, address, ti) for ti in reversed(range(first, stop))] == [0] * (stop - first)
            assert step_loop.one(plan, address, stop) == -2
        assert each.launch.plan(0) is None and each.launch.plan(4) is None
        each.launch.done()
        each.check()


def test_plans_of_reused_readings(seen):
    case = Case(hd=200, rec=8, T=3)
    w, runs = workloads.gds(case), []
    for sign in (1, -1):
        readings, grad, dots = sign * w.dy[: case.P], w.grad.copy(), w.d_q_w.copy()
        launch = make(w, case, grad, dots, grad_readings=readings.reshape(-1, case.hd))
        runs.append((readings, grad, dots, launch, launch.plan(case.T)))
    assert len(seen) == 1
    for readings, grad, dots, launch, (plan, address, _) in runs:
        assert step_loop.in_python(plan, address, case.T) == 0
        launch.done()
        want = reference.run_steps(w.bank, w.grad, readings, w.records, case.P, d_q_w=w.d_q_w)
        assert bits.same_bits(grad, want[0]) and bits.same_bits(dots, want[1])


def test_launches_between_planned_steps(seen):
    case = Case(hd=200, rec=8, T=3)
    runs = [Prepared(case, seed) for seed in range(2)]
    plans = [each.launch.plan(case.T) for each in runs]
    for each, (plan, address, _) in zip(runs, plans):
        assert step_loop.one(plan, address, 2) == 0
        each.launch(1)
        assert step_loop.one(plan, address, 0) == 0
        each.launch.done()
        each.check()


def test_nothing_is_kept_alive(seen):
    first = Prepared(Case(hd=200, rec=8), 0)
    first.launch.plan(2)
    arrays = [weakref.ref(array) for array in (first.w.bank, first.grad, first.dots, first.w.dy, first.w.spay, first.w.rec)]
    second = Prepared(first.case, 1)
    second.launch.plan(2)
    arrays += [weakref.ref(array) for array in (second.w.bank, second.grad, second.dots)]
    assert len(seen) == 1 and len(known._known) == 1
    del first, second
    seen.clear()
    gc.collect()
    assert [array() for array in arrays] == [None] * len(arrays)


@pytest.mark.parametrize("changed", ({"rec": 16}, {"hd": 64}, {"P": 4, "T": 1}, {"grad": "float32"}, {"C": 8, "R": 16}))
def test_other_forms(seen, changed):
    case = Case(rec=8)
    runs = [Prepared(case, 0), Prepared(replace(case, **changed), 1)]
    assert len(seen) == 2
    for each in runs:
        run(each.launch, each.case.T)
        each.check()


def shifted(array, offset):
    """The array at an address that is `offset` modulo 16."""
    memory = np.empty(array.nbytes + 32, np.uint8)
    start = (offset - memory.ctypes.data) % 16
    found = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found


@pytest.mark.parametrize("name, offset", [("bank", 2), ("grad_bank", 8), ("grad_readings", 4), ("qrec", 4), ("spay_q", 8)])
def test_other_alignment(seen, name, offset):
    case = Case(rec=8)
    w, runs = workloads.gds(case), []
    for shift in (0, offset, 0):
        arrays = dict(bank=w.bank, grad_bank=w.grad, grad_readings=w.dy.reshape(-1, case.hd), spay_q=w.spay, qrec=w.rec, d_q_w=w.d_q_w)
        arrays = {each: shifted(array, shift if each == name else 0) for each, array in arrays.items()}
        runs.append((arrays, make(w, case, arrays["grad_bank"], arrays["d_q_w"], **arrays)))
    assert len(seen) == 2
    for arrays, launch in runs:
        run(launch, case.T)
        want = expected(w)
        assert bits.same_bits(arrays["grad_bank"], want[0]) and bits.same_bits(arrays["d_q_w"], want[1])


def test_shared_memory_is_refused_as_at_first(seen):
    case = Case(hd=256, bank="float32", grad="float32", rec=8)
    first = Prepared(case, 0)
    with pytest.raises(OperandError, match="grad_bank: expected memory of its own .* got memory that bank uses"):
        make(first.w, case, first.w.bank, first.dots)
    # Side by side in one memory they are two arrays, one row nearer they are not.
    memory = np.zeros((2 * len(first.w.bank), case.hd), np.float32)
    bank, grad = memory[: len(first.w.bank)], memory[len(first.w.bank) :]
    bank[...], grad[...] = first.w.bank, first.w.grad
    before = len(seen)
    run(make(first.w, case, grad, first.dots, bank=bank), case.T)
    assert len(seen) == before and bits.same_bits(grad, expected(first.w)[0])
    with pytest.raises(OperandError, match="grad_bank: expected memory of its own"):
        make(first.w, case, memory[len(bank) - 1 : -1], first.dots, bank=bank)


def test_arrays_that_cannot_be_written(seen):
    case = Case(rec=8)
    first = Prepared(case, 0)
    first.dots.flags.writeable = False
    with pytest.raises(OperandError, match="d_q_w: expected an array that can be written"):
        make(first.w, case, first.grad, first.dots)


@pytest.mark.parametrize("absent", ("bank", "grad_bank"))
def test_absent_operands(seen, absent):
    case = Case(hd=200, rec=8)
    for seed in range(2):
        w = workloads.gds(replace(case, seed=seed))
        grad, dots = (w.grad.copy(), None) if absent == "bank" else (None, w.d_q_w.copy())
        run(make(w, case, grad, dots, **{absent: None}), case.T)
        want = expected(w)
        assert bits.same_bits(grad, want[0]) if dots is None else bits.same_bits(dots, want[1])
    assert len(seen) == 1


def test_what_is_not_kept(seen):
    case = Case()
    w = workloads.gds(case)
    readings = w.dy.reshape(-1, case.hd).astype(np.float64)
    for _ in range(2):
        make(w, case, w.grad.copy(), w.d_q_w.copy(), grad_readings=readings)
        make(w, case, w.grad.copy(), w.d_q_w.copy(), schedule=("nest",))
        make(w, case, w.grad.copy(), w.d_q_w.copy(), chunk_size=np.int64(case.C))
    assert len(seen) == 6 and not known._known


def test_not_too_many(seen, monkeypatch):
    monkeypatch.setattr(known, "MOST", 2)
    for hd in (4, 8, 12):
        Prepared(Case(hd=hd), 0)
    assert len(seen) == 3 and len(known._known) == 1


def test_a_launcher_keeps_its_arrays(seen):
    """Until it goes, and none longer; also where nothing asked for them as operands."""
    case = Case(hd=200, rec=8)
    Prepared(case, 0)
    second = Prepared(case, 1)
    launch, grad, bank = second.launch, weakref.ref(second.grad), weakref.ref(second.w.bank)
    del second
    gc.collect()
    assert grad() is not None and bank() is not None
    plan, address, _ = launch.plan(case.T)
    assert step_loop.in_python(plan, address, case.T) == 0
    launch.done()
    assert bits.same_bits(grad(), expected(workloads.gds(replace(case, seed=1)))[0])
    del launch
    gc.collect()
    assert grad() is None and bank() is None


def test_operands_of_a_form():
    """The views of the long way: the same places, owners and records, the planes of slices apart."""
    case = Case(hd=200, rec=8)
    first, second = (workloads.gds(replace(case, seed=seed)) for seed in range(2))
    bound, long = (
        gds.gds.bind(record_lists.bound(gds.REC8, w.spay, w.rec), w.bank, w.dy, w.grad, w.d_q_w) for w in (first, second)
    )
    again = Form(bound).at([(view.pointer, view.owner) for operand in long.operands.present for view in operand.views])
    for one, other in zip(again.operands.present, long.operands.present, strict=True):
        assert [replace(view, owner=id(view.owner)) for view in one.views] == [replace(view, owner=id(view.owner)) for view in other.views]
    assert again.operands.present[0].records.planes == again.operands.present[0].views
    assert [view.shape for view in again.scratch] == [view.shape for view in long.scratch] != []
    assert again.scratch[0].pointer not in (bound.scratch[0].pointer, long.scratch[0].pointer)


def test_recipes_are_not_too_many(monkeypatch):
    monkeypatch.setattr(plans, "MOST", 2)
    case = Case(rec=8, T=3)
    w = workloads.gds(case)
    bound = gds.gds.bind(record_lists.bound(gds.REC8, w.spay, w.rec), w.bank, w.dy, w.grad, w.d_q_w)
    for steps in (1, 2, 3, 3):
        bound.plan(range(case.P), steps)
    assert [steps for _, steps, _ in bound.recipes] == [3]
    assert bytes(bound.plan(range(case.P), 3)[0]) != bytes(bound.plan(range(case.P), 3, ("tokens",))[0])


def test_first_chunks():
    """A form of any kernel: chunks that are not numbered from 0."""
    case = Case(hd=200, rec=8, T=1)
    first, second = (workloads.gds(replace(case, seed=seed)) for seed in range(2))
    firsts = {"tokens": 7, "d_q_w": 7}
    reads = record_lists.bound(gds.REC8, first.spay, first.rec, first_chunk=7)
    bound = gds.gds.bind(reads, first.bank, first.dy, first.grad, first.d_q_w, first_chunk=firsts)
    grad, dots = second.grad.copy(), second.d_q_w.copy()
    arrays = (second.spay, second.rec, second.bank, second.dy, grad, dots)
    again = Form(bound).at([(array.ctypes.data, array) for array in arrays])
    assert again.chunks == range(7, 7 + case.P)
    again.launch()
    again.done()
    want = expected(second)
    assert bits.same_bits(grad, want[0]) and bits.same_bits(dots, want[1])
