"""Every check of make_gds, launch and plan as a row: what is changed, and the sentence. After each refusal nothing was launched and
nothing written. What is taken in other forms than usual: test_mover_forms.py."""

import dataclasses

import numpy as np
import pytest
from array_forms import elsewhere, odd, spread, wide

from sdm import arrays, options
from sdm.errors import CheckError, OperandError
from sdm.program import Program
from sdm.reference import bits, workloads
from sdm.reference.workloads import Case
from test_gds_cpu import make

CASE = Case(T=2)  # 4 chunks of 16 tokens with 8 reads, 512 slots of 128 columns
F32, BF16, I32 = np.float32, bits.BF16, np.int32
MANY = 1 << 31


@pytest.fixture
def started(monkeypatch):
    """The launches that were started; none of a plan's, which starts what it is told by address."""
    found, start = [], Program.start
    monkeypatch.setattr(Program, "start", lambda self, *arguments: (found.append(arguments[0]), start(self, *arguments))[1])
    return found


class Asked:
    """A provider that gives what it is told to."""

    def __init__(self, given):
        self.given = given

    def get(self, ti):
        return self.given(ti) if callable(self.given) else self.given


NOT_AN_ARRAY = "expected a numpy array, a torch tensor or an object with __dlpack__, got"
NEITHER = dict(bank=None, d_q_w=None, grad_bank=None)
# What is changed of a good call (a function is given what stands there), and how the sentence begins.
REFUSED = [
    # Rows: axes, types, pairs, extents, columns, addresses.
    (dict(bank=np.zeros((512, 2, 64), BF16)), "bank: expected bf16 or f32 rows [slots, hd], got bf16 [512, 2, 64]"),
    (dict(bank=np.zeros(512, BF16)), "bank: expected bf16 or f32 rows [slots, hd], got bf16 [512]"),
    (dict(grad_bank=np.zeros((512, 2, 64), BF16)), "grad_bank: expected bf16 or f32 rows [slots, hd], got bf16 [512, 2, 64]"),
    (dict(bank=np.zeros((512, 128), np.float16)), "bank: expected bf16 or f32 rows [slots, hd], got f16"),
    (dict(bank=np.zeros((512, 128))), "bank: expected bf16 or f32 rows [slots, hd], got f64"),
    (dict(grad_bank=np.zeros((512, 128), np.float16)), "grad_bank: expected bf16 or f32 rows [slots, hd], got f16"),
    (dict(grad_bank=np.zeros((512, 128), I32)), "grad_bank: expected bf16 or f32 rows [slots, hd], got i32"),
    (dict(bank=np.zeros((512, 128), F32)), "grad_bank: expected bf16 or f32 beside a bf16 bank, f32 beside f32, got bf16 beside f32"),
    (dict(grad_bank=np.zeros((3, 128), BF16)), "grad_bank: expected the bank's shape [512, 128], got [3, 128]"),
    (dict(grad_bank=np.zeros((512, 64), BF16)), "grad_bank: expected the bank's shape [512, 128], got [512, 64]"),
    (dict(bank=np.zeros((512, 0), BF16)), "bank: expected fewer than 2^31 slots and 1 .. 2^31 - 1 columns, got [512, 0]"),
    (dict(bank=wide((4, MANY), BF16)), "bank: expected fewer than 2^31 slots and 1 .. 2^31 - 1 columns, got [4, 2147483648]"),
    (dict(bank=wide((MANY, 128), BF16)), "bank: expected fewer than 2^31 slots and 1 .. 2^31 - 1 columns, got [2147483648, 128]"),
    (dict(grad_bank=wide((MANY, 128))), "grad_bank: expected fewer than 2^31 slots and 1 .. 2^31 - 1 columns, got [2147483648, 128]"),
    (dict(bank=np.asfortranarray), "bank: expected the columns of a row side by side, got a stride of 1024 bytes for bf16"),
    (dict(grad_bank=np.asfortranarray), "grad_bank: expected the columns of a row side by side, got a stride of"),
    (dict(bank=odd), "bank: expected elements aligned to 2 bytes, got an array at 0x"),
    (dict(grad_bank=odd), "grad_bank: expected elements aligned to 2 bytes, got an array at 0x"),
    (dict(bank=[1.0]), f"bank: {NOT_AN_ARRAY} list"),
    (dict(grad_bank="rows"), f"grad_bank: {NOT_AN_ARRAY} str"),
    # What is absent together.
    (dict(bank=None), "d_q_w: expected it with a bank and absent without one"),
    (dict(d_q_w=None), "d_q_w: expected it with a bank and absent without one"),
    (NEITHER, "bank: expected rows [slots, hd], got None"),
    # Words and sizes.
    (dict(spay_q=np.zeros((4, 128), np.int64)), "spay_q: expected int32 words [chunks, n], got i64 [4, 128]"),
    (dict(spay_q=np.zeros((), I32)), "spay_q: expected int32 words [chunks, n], got i32 []"),
    (dict(spay_q=None), f"spay_q: {NOT_AN_ARRAY} NoneType"),
    (dict(spay_q=np.zeros((4, 0), I32)), "spay_q: expected chunks of chunk_size * R records with both in 1 .. 256, got 0 for chunk_size 16"),
    (dict(chunk_size=7), "spay_q: expected chunks of chunk_size * R records with both in 1 .. 256, got 128 for chunk_size 7"),
    (dict(spay_q=np.zeros((4, 257), I32), chunk_size=257), "spay_q: expected chunks of chunk_size * R records with both in 1 .. 256, got 257"),
    (dict(spay_q=np.zeros((4, 257), I32), chunk_size=1), "spay_q: expected chunks of chunk_size * R records with both in 1 .. 256, got 257"),
    (dict(spay_q=wide((MANY, 128), I32)), "spay_q: expected fewer than 2^31 chunks, got 2147483648"),
    # Readings: all steps' rows or one step's.
    (dict(grad_readings=np.zeros((60, 128), F32)), "grad_readings: expected 64 rows (steps * num_parallel * chunk_size) or 32 of 128 columns, got [60, 128]"),
    (dict(steps=3), "grad_readings: expected 96 rows (steps * num_parallel * chunk_size) or 32 of 128 columns, got [64, 128]"),
    (dict(grad_readings=np.asfortranarray), "grad_readings: expected the columns of a row side by side"),
    (dict(grad_readings=lambda a: spread(a.reshape(128, 64))), "grad_readings: expected rows that need no copy, got strides [352, 4]"),
    (dict(grad_readings=odd), "grad_readings: expected elements aligned to 4 bytes"),
    (dict(grad_readings=np.zeros((64, 128), np.complex64)), "grad_readings: expected an array of f32, bf16, f16, i32 or i64"),
    (dict(grad_readings=lambda a: arrays.view(a.astype(np.float64))), "grad_readings: expected f32, bf16 or f16 rows (numpy and torch convert others), got f64"),
    (dict(grad_readings=[1.0]), f"grad_readings: {NOT_AN_ARRAY} list"),
    # Records.
    (dict(qrec=np.zeros((4, 128, 3), I32)), "qrec: expected int32 [4, 128, 4] (qrec) or [4, 128, 2] (rec8), got i32 [4, 128, 3]"),
    (dict(qrec=np.zeros((2, 128, 4), I32)), None),  # as many words as 4 chunks of 8 bytes
    (dict(qrec=np.zeros((5, 128, 4), I32)), "qrec: expected int32 [4, 128, 4] (qrec) or [4, 128, 2] (rec8), got i32 [5, 128, 4]"),
    (dict(qrec=np.zeros((4, 128, 4), F32)), "qrec: expected int32 [4, 128, 4] (qrec) or [4, 128, 2] (rec8), got f32"),
    (dict(qrec=np.asfortranarray), "qrec: expected records one after the other in memory, got strides"),
    (dict(qrec=lambda a: odd(a, 2)), "qrec: expected words aligned to 4 bytes, got an array at 0x"),
    (dict(qrec=None), "qrec: expected records (an int32 array or a provider with get(ti)), got None"),
    (dict(qrec=object()), "qrec: expected records (an int32 array or a provider with get(ti)), got object"),
    # Cells.
    (dict(d_q_w=np.zeros((4, 16, 7), F32)), "d_q_w: expected f32 [4, 16, 8], got f32 [4, 16, 7]"),
    (dict(d_q_w=np.zeros((4, 16, 8))), "d_q_w: expected f32 [4, 16, 8], got f64"),
    (dict(d_q_w=odd), "d_q_w: expected elements aligned to 4 bytes"),
    # Memory that is written: of its own, an address for each index.
    (dict(d_q_w=lambda a: np.broadcast_to(a[:1], a.shape)), "d_q_w: expected an array that can be written"),
    (dict(grad_bank=lambda a: arrays.view(np.frombuffer(a.tobytes(), np.int16).view(BF16).reshape(a.shape))), "grad_bank: expected an array that can be written"),
    (dict(grad_bank=lambda a: np.lib.stride_tricks.as_strided(a, a.shape, (128, 2))), "grad_bank: expected one place for each index"),
    (dict(d_q_w=lambda a: np.lib.stride_tricks.as_strided(a, a.shape, (0, 32, 4))), "d_q_w: expected one place for each index"),
    # Devices.
    (dict(bank=elsewhere), "bank: expected it on cpu as qrec is, got cuda:0"),
    (dict(grad_bank=elsewhere), "grad_bank: expected it on cpu as qrec is, got cuda:0"),
    (dict(grad_readings=elsewhere), "grad_readings: expected it on cpu as qrec is, got cuda:0"),
    (dict(d_q_w=elsewhere), "d_q_w: expected it on cpu as qrec is, got cuda:0"),
    (dict(bank=elsewhere, d_q_w=elsewhere, grad_bank=elsewhere, grad_readings=elsewhere), "bank: expected it on cpu as qrec is, got cuda:0"),
]  # fmt: skip
NUMBERS = ("chunk_size", "num_parallel", "steps")
REFUSED += [({name: value}, f"{name}: expected a whole number, got {value!r}") for name in NUMBERS for value in (None, "a", 1.5, float("nan"))]
REFUSED += [({name: value}, f"{name}: expected a number of at least 1, got {value}") for name in NUMBERS for value in (0, -1)]
REFUSED = [row for row in REFUSED if row[1]]


def changed(w, grad, dots, changes):
    """The changes, functions given what a good call has there."""
    good = dict(bank=w.bank, grad_bank=grad, grad_readings=w.dy.reshape(-1, w.dy.shape[2]), spay_q=w.spay, qrec=w.rec, d_q_w=dots)
    return {name: change(good[name]) if callable(change) and name in good else change for name, change in changes.items()}


@pytest.mark.parametrize("changes, sentence", REFUSED, ids=lambda value: value.partition(",")[0] if isinstance(value, str) else "-".join(value))
def test_refused(started, changes, sentence):
    w = workloads.gds(CASE)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    with pytest.raises(OperandError) as caught:
        make(w, CASE, grad, dots, **changed(w, grad, dots, changes))
    assert str(caught.value).startswith(sentence)
    assert not started and bits.same_bits(grad, w.grad) and np.isnan(dots).all()


@pytest.mark.parametrize("other", ("bank", "grad_readings", "qrec", "d_q_w"))
def test_memory_of_two_operands(started, other):
    """grad on memory of each other operand."""
    case = Case(bank="float32", grad="float32", S=64)
    w = workloads.gds(case)
    room = np.zeros(1 << 16, F32)
    at = {"bank": w.bank, "grad_readings": w.dy.reshape(-1, 128), "qrec": w.rec.view(F32), "d_q_w": w.d_q_w}[other]
    shared = room[: at.size].reshape(at.shape)
    shared[...] = at
    changes = {other: shared.view(I32) if other == "qrec" else shared, "grad_bank": room[at.size - 1 :][: w.grad.size].reshape(w.grad.shape)}
    before = room.copy()
    with pytest.raises(OperandError) as caught:
        make(w, case, w.grad.copy(), w.d_q_w.copy(), **changes)
    assert str(caught.value) == f"grad_bank: expected memory of its own (the kernel stores to it), got memory that {other} uses"
    assert not started and bits.same_bits(room, before)


@pytest.mark.parametrize("name, sentence", [("qrec", "on cuda:0 as qrec is, got cpu"), ("spay_q", "on cpu as qrec is, got cuda:0")])
def test_words_elsewhere(started, name, sentence):
    case = Case(rec=8)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    with pytest.raises(OperandError, match=f"^spay_q: expected it {sentence}$"):
        make(w, case, grad, dots, **changed(w, grad, dots, {name: elsewhere}))
    assert not started and bits.same_bits(grad, w.grad) and np.isnan(dots).all()


# Records of a provider at step 1.
PROVIDED = [
    *[(given, f"qrec: expected (records, event or None) from the provider's get(1), got {type(given).__name__}")
      for given in (None, 3, "records", np.zeros((2, 128, 4), I32), (), (1, 2, 3))],
    *[((np.zeros(shape, I32), None), f"qrec: expected int32 [2, 128, 4] (qrec) or [2, 128, 2] (rec8) of a step, or of all 4 chunks, from the provider, got i32 {list(shape)}")
      for shape in ((1, 128, 4), (3, 128, 4), (5, 128, 4), (2, 128, 3), (2, 256, 2), (2, 64, 4), (3, 512), (100,), (512,), (1024,), (2048,))],
    ((np.zeros((2, 128, 4), F32), None), "qrec: expected int32 [2, 128, 4] (qrec) or [2, 128, 2] (rec8), got f32"),
    ((np.zeros((2, 128, 4), np.int64), None), "qrec: expected int32 [2, 128, 4] (qrec) or [2, 128, 2] (rec8), got i64"),
    (([1], None), f"qrec: {NOT_AN_ARRAY} list"),
    ((None, None), f"qrec: {NOT_AN_ARRAY} NoneType"),
    ((np.asfortranarray(np.zeros((2, 128, 4), I32)), None), "qrec: expected records one after the other in memory"),
    ((odd(np.zeros((2, 128, 4), I32), 2), None), "qrec: expected words aligned to 4 bytes"),
    ((elsewhere(np.zeros((2, 128, 4), I32)), None), "qrec: expected 128 records a chunk on cpu, got i32 [2, 128] on cuda:0"),
]  # fmt: skip


@pytest.mark.parametrize("given, sentence", PROVIDED)
def test_refused_of_a_provider(started, given, sentence):
    w = workloads.gds(CASE)
    grad, dots, provider = w.grad.copy(), w.d_q_w.copy(), Asked(given)
    provider.release = lambda ti, event: pytest.fail("released")
    launch = make(w, CASE, grad, dots, qrec=provider)
    with pytest.raises(OperandError) as caught:
        launch(1)
    assert str(caught.value).startswith(sentence)
    assert not started and bits.same_bits(grad, w.grad) and np.isnan(dots).all()


@pytest.mark.parametrize("memory", ("grad", "dots"))
def test_provided_records_in_memory_that_is_written(started, memory):
    case = Case(grad="float32", C=64)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    within = (grad if memory == "grad" else dots).reshape(-1)[: 2 * case.C * case.R * 2].view(I32).reshape(2, -1, 2)
    launch = make(w, case, grad, dots, qrec=Asked((within[:, : case.C * case.R], None)))
    name = {"grad": "grad_bank", "dots": "d_q_w"}[memory]
    with pytest.raises(OperandError, match=f"^{name}: expected memory of its own .* got memory that qrec uses"):
        launch(1)
    assert not started and bits.same_bits(grad, w.grad) and np.isnan(dots).all()


# (the call's changes, steps and the sentence of launch; None from plan)
STEPS = [
    *[({}, ti, f"ti: expected a whole number, got {ti!r}") for ti in (None, "0", 1.5, float("nan"))],
    *[({}, ti, f"ti: expected a step of 0 .. 1, got {ti}") for ti in (-1, 2, 1 << 40)],
    # Rows for one step of two; for three steps of two.
    (dict(steps=1, grad_readings=lambda a: a[:32]), 1, "ti: expected a step of 0 .. 0, got 1"),
    (dict(steps=3, grad_readings=lambda a: np.concatenate([a, a[:32]])), 2, "ti: expected a step of 0 .. 1, got 2"),
    # The rows of one step for all: as many steps as chunks have.
    (dict(steps=9, grad_readings=lambda a: a[:32]), 2, "ti: expected a step of 0 .. 1, got 2"),
    # Chunks behind the last whole step.
    (dict(num_parallel=3, steps=1, grad_readings=lambda a: a[:48]), 1, "ti: expected a step of 0 .. 0, got 1"),
    (dict(num_parallel=5, steps=1, grad_readings=lambda a: np.concatenate([a, a[:16]])), 0, "num_parallel: expected at most the 4 chunks that there are, got 5"),
    (dict(spay_q=np.zeros((0, 128), I32), qrec=np.zeros((0, 128, 4), I32), d_q_w=np.zeros((0, 16, 8), F32)), 0, "num_parallel: expected at most the 0 chunks"),
]  # fmt: skip


@pytest.mark.parametrize("changes, ti, sentence", STEPS)
def test_steps(started, changes, ti, sentence):
    w = workloads.gds(CASE)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = make(w, CASE, grad, dots, **changed(w, grad, dots, changes))
    with pytest.raises(OperandError) as caught:
        launch(ti)
    assert str(caught.value).startswith(sentence)
    if isinstance(ti, int):
        assert launch.plan(ti + 1) is None
    assert not started and bits.same_bits(grad, w.grad) and np.isnan(dots).all()


@pytest.mark.parametrize("steps", (None, "2", 1.5))
def test_plans_of_what_is_no_number(steps):
    w = workloads.gds(CASE)
    with pytest.raises(OperandError, match="nsteps: expected a whole number, got "):
        make(w, CASE, w.grad.copy(), w.d_q_w.copy()).plan(steps)


@pytest.mark.parametrize("absent, field, bits_set, sentence", [
    (("grad_bank",), 0, 255 << 9, "expected token within 0 .. 15 (axis 1 of grad_readings), got 255"),
    (("bank", "d_q_w"), 1, 1 << 30, "expected slot within 0 .. 511 (axis 0 of grad_bank), got "),
])  # fmt: skip
def test_checked_records_have_the_callers_names(monkeypatch, started, absent, field, bits_set, sentence):
    """SDM_CHECK: what is wrong with records, in the names of make_gds."""
    chosen = dataclasses.replace(options.current(), check=True)
    monkeypatch.setattr(options, "current", lambda: chosen)
    w = workloads.gds(CASE)
    w.rec[2, -1, field] |= bits_set
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    given = {"bank": w.bank, "grad_bank": grad, "d_q_w": dots, **dict.fromkeys(absent)}
    with pytest.raises(CheckError) as caught:
        make(w, CASE, given.pop("grad_bank"), given.pop("d_q_w"), **given)(1)
    assert str(caught.value).startswith(f"gds: qrec[2, 127]: {sentence}")
    assert not started and bits.same_bits(grad, w.grad) and np.isnan(dots).all()
