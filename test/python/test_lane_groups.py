"""Groups of awkward lengths on lanes: longer than a tile and than what is staged at once, at the list's end, lists of nothing valid, lists
shorter than a unit."""

import numpy as np
import pytest

import sdm
from lane_cases import LaneCase
from sdm import bind, lanes
from sdm.kernels import gds
from sdm.reference import bits, records, workloads

SCHEDULES = (
    ("flat", "unit=4", "depth=2", "warps=2"), ("flat", "unit=8", "depth=2", "warps=4"), ("flat", "unit=8", "depth=3", "warps=1"),
    ("flat", "unit=4", "depth=1", "warps=2", "1=direct", "2=ring"), ("nest", "warps=2"),
)  # fmt: skip
CHIPS = ("sm_80", "sm_90")
N, TOKENS, LANES = 512, 32, 16


def moved(sizes, invalid: int = 0, width: int = 64, packed: bool = True) -> LaneCase:
    """The mover on one list: groups of these sizes, then invalid records."""
    n = sum(sizes) + invalid

    def operands():
        rng = np.random.default_rng(n)
        keys = np.concatenate([np.repeat(np.arange(len(sizes)), sizes), np.full(invalid, -1)])
        place = rng.permutation(TOKENS * LANES)[:n]
        scale = workloads.rows(rng, (n,), "float32", 0.02)
        sorted_list = records.sort_records(keys, len(sizes), token=place // LANES, lane=place % LANES, scale=scale)
        reads = gds.qrec(records.encode_qrec(sorted_list)[1])
        bank = workloads.rows(rng, (max(1, len(sizes)), width), "bfloat16", 0.02)
        tokens = workloads.rows(rng, (1, TOKENS, width), "float32", 0.02)
        grad, dots = bank.copy(), np.full((1, TOKENS, LANES), np.nan, np.float32)
        return (reads, bank, tokens, grad, dots), (grad, dots)

    return LaneCase(f"{len(sizes)} groups and {invalid}", gds.gds, operands)


def filled(*sizes: int, total: int = N) -> tuple[int, ...]:
    """These groups among others of one to three members, `total` members in all; None stands for 20 of the others."""
    made, small = [], (1, 2, 1, 1, 3)
    for size in sizes:
        made += [small[at % 5] for at in range(20)] if size is None else [size]
    while sum(made) < total:
        made.append(min(small[len(made) % 5], total - sum(made)))
    return tuple(made)


LISTS = {
    "100": filled(None, 100),
    "200 first": filled(200, 1, 130),
    "300": filled(1, 300, None, 63, 64, 1),
    "last": filled(None, 150, total=N - 250) + (250,),
    "all one": (N,),
}


def agree(case: LaneCase, chip: str, schedule, seed: int, want) -> None:
    got = case.run(lambda *operands: lanes.bind(*operands, target=chip, schedule=schedule, seed=seed))
    for mine, theirs in zip(got, want):
        at = np.argwhere(bits.words(mine) != bits.words(theirs))
        assert not len(at), f"{case.name}, {chip}, {schedule}: {len(at)} elements differ, the first at {at[0]}"


@pytest.mark.parametrize("length", (16, 86, 200))
@pytest.mark.parametrize("groups", LISTS)
def test_long_groups(monkeypatch, groups, length):
    monkeypatch.setattr(lanes, "TILE_LENGTHS", (length,))
    case = moved(LISTS[groups])
    want = case.run(bind.bind)
    for seed, schedule in enumerate(SCHEDULES):
        for chip in CHIPS:
            agree(case, chip, schedule, seed, want)


@pytest.mark.parametrize("invalid", (1, 5, 40, 200))
@pytest.mark.parametrize("sizes", ((), (1,), (2, 40, 1), (100,)))
def test_lists_that_end_in_invalid_records(sizes, invalid):
    case = moved(sizes, invalid)
    want = case.run(bind.bind)
    assert invalid == 200 or (want[1] == 0).sum() >= invalid
    for seed, schedule in enumerate(SCHEDULES):
        agree(case, CHIPS[seed % 2], schedule, seed, want)


@pytest.mark.parametrize("n", (1, 2, 3, 5, 7, 9))
def test_lists_shorter_than_a_unit(n):
    for sizes, invalid in (((n,), 0), ((1,) * n, 0), ((1,) * (n // 2), n - n // 2), ((n - n // 2,), n // 2)):
        case = moved(sizes, invalid)
        want = case.run(bind.bind)
        for seed, schedule in enumerate(SCHEDULES):
            for chip in CHIPS:
                agree(case, chip, schedule, seed, want)


@pytest.mark.parametrize("length", (1, 5, 32, 200))
@pytest.mark.parametrize("last", (1, 2, 31, 90))
def test_a_last_group_that_no_tile_holds_whole(monkeypatch, last, length):
    """The list ends inside of its last tile, unit and batch."""
    monkeypatch.setattr(lanes, "TILE_LENGTHS", (length,))
    case = moved((1, 2, 1, 17, last))
    want = case.run(bind.bind)
    for seed, schedule in enumerate(SCHEDULES):
        for chip in CHIPS:
            agree(case, chip, schedule, seed, want)


def test_a_list_of_no_chunk_and_of_no_record():
    for shape in ((1, 0), (0, 0), (0, 5)):
        reads = gds.qrec(np.zeros((*shape, 4), np.int32))
        grad, dots = np.ones((4, 64), np.float32), np.ones((shape[0], 2, 2), np.float32)
        lanes.run(gds.gds, reads, np.ones((4, 64), np.float32), np.ones((shape[0], 2, 64), np.float32), grad, dots, target="sm_80")
        assert (grad == 1).all() and (dots == 1).all()


def test_sorted_arrays_of_one_long_group():
    """Planes that lie apart, each staged by itself."""
    keys = np.concatenate([np.zeros(300), np.arange(1, 30), np.full(150, 30)]).astype(np.int32)
    place = np.arange(len(keys), dtype=np.int32)

    def operands():
        rng = np.random.default_rng(7)
        reads = sdm.sort(keys, num_keys=31, token=place // LANES, lane=place % LANES, scale=rng.standard_normal(len(keys)).astype(np.float32))
        bank, tokens = workloads.rows(rng, (31, 128), "bfloat16", 0.0), workloads.rows(rng, (1, TOKENS, 128), "float32", 0.0)
        grad, dots = bank.copy(), np.zeros((1, TOKENS, LANES), np.float32)
        return (reads, bank, tokens, grad, dots), (grad, dots)

    case = LaneCase("sorted", gds.gds, operands)
    want = case.run(bind.bind)
    for seed, schedule in enumerate(SCHEDULES):
        for chip in CHIPS:
            agree(case, chip, schedule, seed, want)
