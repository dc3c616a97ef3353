"""`sdm.Schedule`: what it takes, what is refused and in which words."""

import pickle

import numpy as np
import pytest

import sdm
from sdm import lanes
from sdm.kernels import gds
from sdm.reference import bits, workloads
from sdm.schedule import parts_of

W = workloads.gds(workloads.Case(T=1, S=64))


def bound(schedule, target="sm_90", bank=True):
    bank_rows, dots = (W.bank, W.d_q_w.copy()) if bank else (None, None)
    return lanes.bind(gds.gds, gds.qrec(W.rec), bank_rows, W.dy, W.grad.copy(), dots, target=target, schedule=schedule)


def plan(schedule, **more) -> dict:
    return bound(schedule, **more).program.description["plans"][0]


def test_parts():
    schedule = sdm.Schedule("flat", "split", warps=4, unit=8, depth=2, placement={"tokens": "ring", "x": "direct"})
    assert schedule.parts() == ("flat", "split", "warps=4", "unit=8", "depth=2", "tokens=ring", "x=direct")
    assert parts_of(schedule, ["reads", "tokens"], ["x"]) == ("flat", "split", "warps=4", "unit=8", "depth=2", "1=ring")
    assert parts_of(None, []) == () and parts_of("nest", []) == ("nest",) and parts_of(("2=direct", "a=ring"), ["a"]) == ("2=direct", "0=ring")
    assert hash(schedule) == hash(pickle.loads(pickle.dumps(schedule))) and pickle.loads(pickle.dumps(schedule)) == schedule
    assert sdm.Schedule().parts() == ()


def test_it_is_followed():
    got = plan(sdm.Schedule("flat", warps=2, unit=4, depth=3, placement={"tokens": "ring", "bank": "direct", "grad": "direct"}))
    assert (got["form"], got["warps"], got["unit"], got["depth"]) == ("flat", 2, 4, 3)
    assert [(load["operand"], load["phase"], load["placement"]) for load in got["loads"]] == [
        (1, "group", "direct"), (2, "member", "ring"), (3, "group", "direct"),
    ]  # fmt: skip
    assert plan("nest")["form"] == plan(("nest", "warps=3"))["form"] == "nest"
    assert plan(("bank=registers", "grad=registers"))["loads"][0]["placement"] == "registers"
    assert plan(("bank=bulk_ring",))["loads"][0]["placement"] == "bulk_ring"
    # What is not there has no placement.
    assert plan(sdm.Schedule(placement={"bank": "ring", "tokens": "direct"}), bank=False)["loads"][0]["placement"] == "direct"


@pytest.mark.parametrize("target", ("host", "sm_80"))
def test_bits_do_not_depend_on_it(target):
    def run(schedule):
        grad, dots = W.grad.copy(), np.zeros_like(W.d_q_w)
        binder = gds.gds.bind if target == "host" else lambda *operands, **more: lanes.bind(gds.gds, *operands, target=target, **more)
        one = binder(gds.qrec(W.rec), W.bank, W.dy, grad, dots, schedule=schedule)
        one.launch()
        one.done()
        return grad, dots

    want = run(())
    for schedule in (sdm.Schedule(form="nest"), sdm.Schedule("flat", unit=4, placement={"tokens": "ring"})):
        assert all(bits.same_bits(mine, theirs) for mine, theirs in zip(run(schedule), want))


@pytest.mark.parametrize("schedule, rule", [
    (sdm.Schedule("nest", placement={"tokens": "ring"}), "expected another placement of tokens (a ring needs the flat form"),
    (sdm.Schedule(placement={"grad": "resident"}), "expected another placement of grad (resident rows need chunk or launch scalars in all indices but the last"),
    (("nest", "grad=ring"), "expected another placement of grad"),
    (("nest", "bank=registers"), "expected another placement of bank (registers need the flat form"),
    (("nest", "bank=bulk_ring"), "expected another placement of bank (a ring that bulk copies fill needs the flat form"),
    (("unit=8", "bank=registers"), "expected rows in registers that fit 0 of a lane's (a smaller unit or depth, or fewer operands there), got 16"),
])  # fmt: skip
def test_a_broken_rule_is_named_with_the_kernel_s_line(schedule, rule):
    with pytest.raises(sdm.ScheduleError) as caught:
        bound(schedule)
    assert rule in caught.value.sentence and rule in str(caught.value)
    assert "gds.py:" in str(caught.value) and "    for group in reads:\n    ^" in str(caught.value)


def test_a_chip_without_bulk_copies():
    with pytest.raises(sdm.ScheduleError) as caught:
        bound(("bank=bulk_ring",), target="sm_80")
    assert "(a ring that bulk copies fill needs a chip that has them, and sm_80 has none)" in caught.value.sentence


@pytest.mark.parametrize("schedule, sentence", [
    ("fast", "expected nest, flat, split, whole, warps=N, unit=N, depth=N or OPERAND=PLACEMENT in a schedule, got 'fast'"),
    (sdm.Schedule(warps=99), "expected 1 to 32 warps of a CTA, got '99'"),
    (sdm.Schedule(unit=3), "expected a unit of 1, 2, 4, 8, 16 or 32 positions, got '3'"),
    (sdm.Schedule(placement={"x": "ring"}), "schedule: expected an operand of reads, bank, tokens, grad, d_q_w, got 'x'"),
    ({"form": "nest"}, "schedule: expected sdm.Schedule or texts, got {'form': 'nest'}"),
    ((4,), "schedule: expected texts such as 'flat' and 'warps=4', got 4"),
])  # fmt: skip
@pytest.mark.parametrize("target", ("sm_90", "host"))
def test_what_is_no_schedule(schedule, sentence, target):
    with pytest.raises(sdm.ScheduleError) as caught:
        bound(schedule, target=target)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("arguments, sentence", [
    (dict(form="slow"), "form: expected nest, flat or None in a schedule, got 'slow'"),
    (dict(form=np.zeros(2)), "form: expected nest, flat or None in a schedule, got array([0., 0.])"),
    (dict(slices="half"), "slices: expected split, whole or None in a schedule, got 'half'"),
    (dict(warps="4"), "warps: expected a whole number or None in a schedule, got '4'"),
    (dict(unit=True), "unit: expected a whole number or None in a schedule, got True"),
    (dict(placement={"tokens": "near"}), "placement of tokens: expected direct, resident, ring, registers, bulk_ring or None in a schedule, got 'near'"),
    (dict(placement={"tokens": np.zeros(2)}), "placement of tokens: expected direct, resident, ring, registers, bulk_ring or None in a schedule, got array([0., 0.])"),
    (dict(placement="ring"), "placement: expected a dictionary from operands' names to placements, got 'ring'"),
])  # fmt: skip
def test_words_and_numbers(arguments, sentence):
    with pytest.raises(sdm.ScheduleError) as caught:
        sdm.Schedule(**arguments)
    assert str(caught.value) == sentence
