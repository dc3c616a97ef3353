"""The scheduled form of every kernel on lanes: no faults, and the bits of the host run."""

import numpy as np
import pytest

import sdm
from lane_cases import CASES
from sdm import bind, lanes
from sdm.errors import CompilerError
from sdm.kernels import gds, segment_sum
from sdm.reference import bits, workloads

CHIPS = ("sm_80", "sm_90")
# Parts of schedules besides the rule's own; one that a kernel does not take is skipped.
SCHEDULES = ((), ("nest", "warps=3"), ("flat", "unit=4", "depth=3", "warps=2"), ("whole",))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("chip", CHIPS)
def test_equal_to_the_host(case, chip):
    want = case.run(bind.bind)
    ran = 0
    for number, schedule in enumerate(SCHEDULES):
        try:
            got = case.run(lambda *operands: lanes.bind(*operands, target=chip, schedule=schedule, seed=number))
        except CompilerError:
            assert schedule
            continue
        ran += 1
        for mine, theirs in zip(got, want):
            at = np.flatnonzero(bits.words(mine).reshape(-1) != bits.words(theirs).reshape(-1))
            assert at.size == 0, f"{schedule}: {at.size} elements differ, the first at {at[:3]}"
    assert ran >= 2


@pytest.mark.parametrize("seed", range(2, 10))
def test_order_does_not_matter(seed):
    """Tiles of other lengths, warps in other orders, copies that land earlier."""
    case = CASES[0]
    for mine, theirs in zip(case.run(lambda *operands: lanes.bind(*operands, target="sm_80", seed=seed)), case.run(bind.bind)):
        assert bits.same_bits(mine, theirs)


@pytest.mark.parametrize("early", (True, ("reads",), ("reads", "tokens"), ("tokens",)))
@pytest.mark.parametrize("schedule", ((), ("nest",)))
def test_only_early_operands_are_read_before_the_dependency_wait(early, schedule):
    case = CASES[0]
    got = case.run(lambda *operands: lanes.bind(*operands, target="sm_90", schedule=schedule, pdl=early, seed=1))
    assert all(bits.same_bits(mine, theirs) for mine, theirs in zip(got, case.run(bind.bind)))


def test_an_early_operand_that_is_not_named_is_a_fault():
    case = CASES[0]
    arguments, _ = case.operands()
    bound = lanes.bind(case.kernel, *arguments, target="sm_90", pdl=("reads", "tokens"))
    bound.program.description["early"] = []
    with pytest.raises(lanes.LanesFault) as caught:
        bound.launch(case.parts[0])
    assert {fault.kind for fault in caught.value.faults} == {"too early"}
    assert caught.value.faults[0].sites[0][0].endswith("gds.py")


def test_first_chunks_and_other_records():
    """What the arguments do not say (which chunks an operand holds) is known to lanes: a chunk outside is a fault, none inside is."""
    w = workloads.gds(workloads.Case(R=8, C=8, S=64, T=3))
    reads = gds.qrec(w.rec[2:4], first_chunk=2)
    want, got = ((w.grad.copy(), w.d_q_w.copy()) for _ in range(2))
    for binder, (grad, dots) in ((bind.bind, want), (lanes.bind, got)):
        bound = binder(gds.gds, reads, w.bank, w.dy[1:4], grad, dots[2:4], first_chunk={"tokens": 1, "d_q_w": 2})
        bound.launch(range(2, 4))
        bound.done()
    assert all(bits.same_bits(mine, theirs) for mine, theirs in zip(got, want))


def test_shapes_that_are_nothing():
    x, out = np.zeros((0, 128), np.float32), np.zeros((4, 128), np.float32)
    lanes.run(segment_sum.segment_sum, sdm.sort(np.zeros(0, np.int32), num_keys=4), x, out, target="sm_80")
    assert not out.any()
