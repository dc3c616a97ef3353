"""Every wait, barrier, mask and publication of the mover's scheduled forms matters: without it a run on lanes faults or gives other bits.

Those that do not matter are listed, each with the reason.
"""

import re

import pytest

from lane_cases import mover
from mutations import mutants
from sdm import _sdm, bind, compile, lanes, replay
from sdm.reference import bits

# Short groups and long ones, also one that is longer than what is staged at first and ends the list.
CASES = (
    mover("repeat", dist="repeat", hd=64, C=6, R=40, T=1, invalid=0.2),
    mover("hot", dist="hot", hd=64, C=6, R=40, T=1),
    mover("one", dist="one", hd=64, C=5, R=10, T=1, invalid=0.0),
)
SEEDS = range(6)
NEST = ("nest", "warps=2")
FLAT = ("flat", "unit=2", "depth=2", "warps=2")
BULK = (*FLAT, "1=bulk_ring", "3=bulk_ring")
HELD = (*FLAT, "1=registers", "3=registers")

IN_THE_ROW = "the pieces of a full slab's row all lie in the row"
OWN_RECORDS = "until the barrier behind the clearing a lane touches only the records that it copied itself"
SAME_RECORDS = "staging again what is there changes nothing"
FIRST_BATCH = "a tile whose first batch is short of records ends within 16 positions of the list's first start and is cut there"
NOT_TAKEN = "bank is not written: a row too many in the ring is one that nobody takes"
SLACK = "without a ring of the lanes' copies the wait is for records alone, which are read a batch later"
NO_CHANGE = "the slab's wait is for parity 0 as it is"
NOT_USED = "bank is not written: a row too many in registers is one that nobody uses"
ONE_GROUP = "no copy is issued between the two commits: one of them is enough"
EMPTY_GROUP = "the youngest group is the empty one of the second commit"
BEHIND = "behind the tile's end every mask is false"
WAITED = "the wait for the records, behind the slab's commit, waited for the slab too"

REDUNDANT = {
    ("sm_80", NEST): {r"always scf.if 0": IN_THE_ROW},
    ("sm_90", NEST): {r"parity 0 in sdm.wait_parity 0": NO_CHANGE},
    ("sm_80", FLAT): {
        r"always scf.if 0": IN_THE_ROW,
        r"always scf.if 1": SAME_RECORDS,
        r"always scf.if 3": BEHIND,
        r"remove sdm.warp_barrier [012]": OWN_RECORDS,
        r"(remove|unmask) sdm.copy_record 2": FIRST_BATCH,
        r"open mask 0 of sdm.copy_shared \d+": NOT_TAKEN,
        r"remove sdm.commit [01]": ONE_GROUP,
        r"weaken sdm.wait_group 0": EMPTY_GROUP,
        r"(remove|weaken) sdm.wait_group 2": WAITED,
    },
    ("sm_90", FLAT): {
        r"parity 0 in sdm.wait_parity 0": NO_CHANGE,
        r"always scf.if 2": SAME_RECORDS,
        r"always scf.if 4": BEHIND,
        r"remove sdm.warp_barrier [012]": OWN_RECORDS,
        r"(remove|unmask) sdm.copy_record 2": FIRST_BATCH,
        r"open mask 0 of sdm.copy_shared \d+": NOT_TAKEN,
    },
    ("sm_90", BULK): {
        r"parity 0 in sdm.wait_parity 0": NO_CHANGE,
        r"always scf.if 3": SAME_RECORDS,
        r"remove sdm.warp_barrier [012]": OWN_RECORDS,
        r"(remove|unmask) sdm.copy_record 2": FIRST_BATCH,
        r"weaken sdm.wait_group 2": SLACK,
    },
    ("sm_90", HELD): {
        r"parity 0 in sdm.wait_parity 0": NO_CHANGE,
        r"always scf.if 2": SAME_RECORDS,
        r"remove sdm.warp_barrier [012]": OWN_RECORDS,
        r"(remove|unmask) sdm.copy_record 2": FIRST_BATCH,
        r"weaken sdm.wait_group 2": SLACK,
        r"open mask of sdm.load_piece \d*[02468]": NOT_USED,
    },
}


def outcome(module, wanted, chip, schedule) -> str:
    """The first fault of the runs, "other bits", or nothing."""
    for seed in SEEDS:
        for case, want in zip(CASES, wanted):
            try:
                got = case.run(lambda *operands: lanes.bind(*operands, target=chip, schedule=schedule, seed=seed, module=module))
            except lanes.LanesFault as fault:
                return fault.faults[0].kind
            if not all(bits.same_bits(mine, theirs) for mine, theirs in zip(got, want)):
                return "other bits"
    return ""


@pytest.mark.parametrize("chip, schedule", REDUNDANT, ids=lambda part: part if isinstance(part, str) else "-".join(part))
def test_every_removal_that_matters_is_caught(chip, schedule):
    wanted = [case.run(bind.bind) for case in CASES]
    arguments, _ = CASES[0].operands()
    scheduled = lanes.bind(CASES[0].kernel, *arguments, target=chip, schedule=schedule).program.module
    assert outcome(scheduled, wanted, chip, schedule) == ""
    listed = REDUNDANT[chip, schedule]
    survivors, tried = set(), 0
    for name, text in mutants(str(scheduled)):
        tried += 1
        if not outcome(_sdm.Module.parse(text), wanted, chip, schedule):
            survivors.add(name)
    unexplained = {name for name in survivors if not any(re.fullmatch(pattern, name) for pattern in listed)}
    assert not unexplained
    assert all(any(re.fullmatch(pattern, name) for name in survivors) for pattern in listed)
    assert tried > (8 if schedule is NEST else 50)


@pytest.mark.parametrize("schedule, counted", [(FLAT, "sdm.ring"), (BULK, "sdm.ring"), (BULK, "sdm.ring_barriers")])
def test_too_little_depth_is_caught(monkeypatch, schedule, counted):
    """Rings, or the barriers of their stages, that have room for one unit where two are under way."""
    seen = {}
    original = compile.compile_text

    def noted(text, *more, **options):
        result = original(text, *more, **options)
        seen.update(text=text, passes=replay.split(result["pipeline"]))
        return result

    monkeypatch.setattr(compile, "compile_text", noted)
    monkeypatch.setattr(lanes, "_memo", {})
    arguments, _ = CASES[0].operands()
    lanes.bind(CASES[0].kernel, *arguments, target="sm_90", schedule=schedule)
    behind = 1 + next(number for number, name in enumerate(seen["passes"]) if name.startswith("sdm-pipeline-rows"))
    module = _sdm.Module.parse(seen["text"])
    _sdm.run_pipeline(module, ",".join(seen["passes"][:behind]))
    text, count = re.subn(rf"= {counted} (\d+)", lambda found: f"= {counted} {int(found[1]) // 2}", str(module))
    assert count == (1 if counted.endswith("barriers") else 2)
    module = _sdm.Module.parse(text)
    _sdm.run_pipeline(module, ",".join(seen["passes"][behind:]))
    assert outcome(module, [case.run(bind.bind) for case in CASES], "sm_90", schedule)
