"""sdm.check: what it prints, and that it leaves the operands alone."""

import numpy as np
import pytest

import sdm
from lane_cases import CASES
from sdm import _sdm, lanes, verify

FEW = {"chips": ("sm_90",), "seeds": (1,)}


def test_equal(capsys):
    case = CASES[0]
    arguments, written = case.operands()
    before = [array.copy() for array in written]
    assert sdm.check(case.kernel, *arguments, chunks=case.parts, **FEW)
    # The usual schedules, and one for each other way in which rows that come ahead can wait.
    assert f"gds: equal in {len(verify.SCHEDULES) + 2} runs" in capsys.readouterr().out
    assert all(np.array_equal(array.view(np.uint8), was.view(np.uint8)) for array, was in zip(written, before))


def test_a_broken_promise(capsys):
    """Chunks of several steps share slots: in one launch two warps write one row."""
    arguments, _ = CASES[0].operands()
    assert not sdm.check(CASES[0].kernel, *arguments, **FEW)
    said = capsys.readouterr().out
    assert "two writers" in said or "global race" in said
    assert "kernels/gds.py:" in said and "sdm.store_piece" in said


def test_other_bits(capsys, monkeypatch):
    def wrong(kernel, *operands, **options):
        bound = lanes.bind(kernel, *operands, **options)
        bound.program.module = _sdm.Module.parse(str(bound.program.module).replace("arith.addf", "arith.subf"))
        return bound

    monkeypatch.setattr(verify, "lanes", type("Wrong", (), {"bind": staticmethod(wrong), "LanesFault": lanes.LanesFault}))
    case = CASES[0]
    arguments, _ = case.operands()
    assert not sdm.check(case.kernel, *arguments, chunks=case.parts, schedules=((),), **FEW)
    said = capsys.readouterr().out
    assert "gds: sm_90 by rule, seed 1: grad[" in said and " is 0x" in said and "on the host 0x" in said


def test_a_schedule_that_cannot_be(capsys):
    arguments, _ = CASES[0].operands()
    assert sdm.check(CASES[0].kernel, *arguments, chunks=CASES[0].parts, schedules=((), ("warps=99",)), **FEW)
    assert "left out" in capsys.readouterr().out


@pytest.mark.parametrize("move", (lambda a: a[::-1].copy()[::-1], lambda a: np.concatenate([a, a], 1)[:, : a.shape[1]]))
def test_where_arrays_lie_is_kept(move):
    case = CASES[7]
    (items, values, out), _ = case.operands()
    assert sdm.check(case.kernel, items, move(values), move(out), schedules=((),), **FEW)
