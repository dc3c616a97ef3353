"""The scheduled form of every kernel on lanes: no faults, and the bits of the host run."""

import numpy as np
import pytest

from lane_cases import CASES
from sdm import bind, lanes
from sdm.errors import CompilerError
from sdm.reference import bits

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
