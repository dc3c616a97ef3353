"""Drawn shapes, storage types, chips and schedules of all kernels but the mover (`test_fuzz.py`) on lanes, against the host; and the
language's control flow."""

import random

import numpy as np
import pytest

import sdm
from lane_cases import bags, norms, products, sums
from sdm import bind, lanes
from sdm.errors import CompilerError
from sdm.reference import bits
from test_language_runs import branches, flat, jumps
from test_language_runs import data  # noqa: F401  a fixture

WIDTHS = (1, 3, 8, 64, 100, 128, 130, 132, 196, 200, 256, 260, 512, 1000, 1024)
CHIPS = ("sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120")


def drawn_case(draw: random.Random):
    width = draw.choice((*WIDTHS, draw.randint(1, 300)))
    make = draw.choice((sums, bags, products, norms))
    return make(f"{make.__name__} {width}", width, draw.choice(("float32", "bfloat16")))


def drawn_schedule(draw: random.Random) -> tuple[str, ...]:
    if draw.random() < 0.2:
        return ()
    parts = [draw.choice(("nest", "flat", "flat", "flat"))]
    if parts == ["flat"]:
        parts += [f"unit={draw.choice((1, 2, 4, 8, 16, 32))}"] * (draw.random() < 0.8)
        parts += [f"depth={draw.choice((1, 2, 3, 4))}"] * (draw.random() < 0.8)
    parts += [f"warps={draw.choice((1, 2, 3, 4, 8, 16))}"] * (draw.random() < 0.6)
    parts += [draw.choice(("whole", "split"))] * (draw.random() < 0.3)
    parts += [f"{draw.randint(0, 4)}={draw.choice(('direct', 'ring', 'resident', 'registers', 'bulk_ring'))}"] * (draw.random() < 0.4)
    return tuple(parts)


def run_drawn(seed: int) -> bool:
    """Whether the schedule was a legal one."""
    draw = random.Random(seed)
    case, chip, schedule, pdl = drawn_case(draw), draw.choice(CHIPS), drawn_schedule(draw), draw.choice(((), True))
    what = f"seed {seed}: {case.name} on {chip}, {schedule}, pdl={pdl}"
    try:
        got = case.run(lambda *operands: lanes.bind(*operands, target=chip, schedule=schedule, seed=seed, pdl=pdl))
    except CompilerError:
        return False
    except lanes.LanesFault as fault:
        raise AssertionError(what) from fault
    assert all(bits.same_bits(mine, theirs) for mine, theirs in zip(got, case.run(bind.bind))), what
    return True


def test_drawn():
    assert sum(map(run_drawn, range(40))) > 30


@pytest.mark.long
def test_drawn_many():
    assert sum(map(run_drawn, range(1000, 1200))) > 150


def test_control_flow(data):  # noqa: F811
    _, _, _, x, items, _ = data
    assert sdm.check(jumps, items, x, np.zeros_like(x), np.zeros((1, 60), np.int32))
    assert sdm.check(branches, items, x, np.zeros_like(x), 6, np.zeros((1, 60), np.int64))
    assert sdm.check(flat, items, x, np.zeros_like(x), np.full((1, 60), 7, np.int32))
