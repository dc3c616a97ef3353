"""Operands of make_gds in every form that it takes, with the bits of the plain call: strides, alignment, axes, types, what is absent, steps
and chunks that differ in number."""

import dataclasses

import numpy as np
import pytest
from array_forms import odd, spread

from sdm.errors import OperandError
from sdm.reference import bits, gds as reference, workloads
from sdm.reference.workloads import Case
from test_gds_cpu import expected, make, run
from test_mover_checks import BF16, CASE, F32, MANY, Asked, changed

# What is taken in any form; the bits are those of the plain call.
TAKEN = [
    dict(q_idx="any", valid_tokens=object(), tiles_q=np.zeros((1, 3), np.float16)),
    dict(chunk_size=np.int64(16), num_parallel=np.int32(2), steps=np.uint8(2)),
    dict(bank=spread), dict(grad_readings=spread), dict(grad_readings=lambda a: spread(a.reshape(4, 16, -1))),
    dict(grad_readings=lambda a: a.reshape(-1)), dict(grad_readings=lambda a: a.reshape(2, 2, 16, -1)),
    dict(spay_q=lambda a: a.reshape(2, 2, 128)), dict(spay_q=lambda a: spread(a, 3)), dict(spay_q=lambda a: odd(a, 4)),
    dict(spay_q=lambda a: np.ascontiguousarray(a.reshape(2, 2, 128).transpose(1, 0, 2)).transpose(1, 0, 2)),
    dict(qrec=lambda a: a.reshape(-1)), dict(qrec=lambda a: a.reshape(4 * 128, -1)), dict(qrec=lambda a: a.reshape(4, -1)),
    dict(qrec=lambda a: spread(a.reshape(4, -1), 5)), dict(qrec=lambda a: odd(a, 4)), dict(qrec=lambda a: odd(a, 8)),
    dict(bank=lambda a: odd(a, a.itemsize)), dict(grad_readings=lambda a: odd(a, 4)),
    dict(bank=lambda a: np.frombuffer(a.tobytes(), f"i{a.itemsize}").view(a.dtype).reshape(a.shape)),
    *[dict(qrec=lambda a, shape=shape: Asked(lambda ti: (a[2 * ti : 2 * ti + 2].reshape(shape), None))) for shape in ((2, -1), (2, 16, 8, -1))],
    *[dict(qrec=lambda a, by=by: Asked(lambda ti: (odd(a[2 * ti : 2 * ti + 2], by * ti), None))) for by in (4, 8)],
    *[dict(qrec=lambda a, by=by: Asked(lambda ti: (odd(a, by * (1 - ti)), None))) for by in (4, 8)],
    dict(qrec=lambda a: Asked(lambda ti: [spread(a[2 * ti : 2 * ti + 2].reshape(2, -1), 2), None])),
]  # fmt: skip
ROWS = [dict(), dict(hd=130), dict(bank="float32", grad="float32", hd=200), dict(grad="float32")]


@pytest.mark.parametrize("rec", (8, 16))
@pytest.mark.parametrize("changes", TAKEN, ids=lambda changes: "-".join(changes))
@pytest.mark.parametrize("rows", ROWS, ids=lambda rows: "-".join(map(str, rows.values())))
def test_taken(rows, changes, rec):
    case = dataclasses.replace(CASE, rec=rec, invalid=0.2, **rows)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    run(make(w, case, grad, dots, **changed(w, grad, dots, changes)), case.T)
    want = expected(w)
    assert bits.same_bits(grad, want[0]) and bits.same_bits(dots, want[1])


@pytest.mark.parametrize("rows", (dict(bank=None, d_q_w=None), dict(grad_bank=None)))
def test_one_half_alone(rows):
    case = dataclasses.replace(CASE, rec=8, hd=200)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = make(w, case, grad, dots, **rows)
    run(launch, case.T)
    want = expected(w)
    assert bits.same_bits(grad, want[0] if "bank" in rows else w.grad)
    assert bits.same_bits(dots, w.d_q_w if "bank" in rows else want[1])


@pytest.mark.parametrize("hd", (128, 200))
def test_cells_anywhere(hd):
    case = dataclasses.replace(CASE, hd=hd)
    w = workloads.gds(case)
    for place in (lambda a: spread(a, 3), lambda a: odd(a, 4), lambda a: np.asfortranarray(a), lambda a: a.reshape(-1), lambda a: a.reshape(4, 128)):
        grad, dots = w.grad.copy(), place(w.d_q_w)
        run(make(w, case, grad, dots), case.T)
        want = expected(w)
        assert bits.same_bits(grad, want[0]) and bits.same_bits(np.ascontiguousarray(dots).reshape(want[1].shape), want[1])


@pytest.mark.parametrize("place", (spread, lambda a: odd(a, a.itemsize), lambda a: spread(a, 1)))
@pytest.mark.parametrize("hd", (1, 128, 130))
def test_gradient_rows_anywhere(hd, place):
    case = dataclasses.replace(CASE, hd=hd)
    w = workloads.gds(case)
    grad, dots = place(w.grad), w.d_q_w.copy()
    run(make(w, case, grad, dots), case.T)
    assert bits.same_bits(np.ascontiguousarray(grad), expected(w)[0]) and bits.same_bits(dots, expected(w)[1])


@pytest.mark.parametrize("dtype", (np.float64, np.float16, BF16, np.int64, np.int32, np.int8, np.uint8, np.uint16, np.bool_))
def test_readings_of_other_types(dtype):
    case = Case(hd=200)
    w = workloads.gds(case)
    readings = np.zeros(w.dy.shape, dtype)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = make(w, case, grad, dots, grad_readings=readings)
    # What is there at each launch counts.
    readings[...] = w.dy if np.dtype(dtype).kind in "fV" else (w.dy * (1 << 40 if dtype == np.int64 else 9)).astype(np.int64).astype(dtype)
    run(launch, case.T)
    dy = bits.to_f32(readings) if dtype == BF16 else readings.astype(F32)
    want = reference.run_steps(w.bank, w.grad, dy, w.records, case.P, d_q_w=w.d_q_w)
    assert bits.same_bits(grad, want[0]) and bits.same_bits(dots, want[1])
    assert launch.plan(case.T) is None


def test_the_last_of_2_31_slots():
    """31-bit slots, of a bank whose rows lie on one another: only dots are taken."""
    case = dataclasses.replace(CASE, rec=8, bank="float32", grad="float32")
    w = workloads.gds(case)
    rec, row = w.rec.copy(), w.bank[3]
    rec[..., 0] = MANY - 2 - rec[..., 0]
    dots = w.d_q_w.copy()
    run(make(w, case, None, dots, bank=np.broadcast_to(row, (MANY - 1, 128)), qrec=rec), case.T)
    assert bits.same_bits(dots, reference.run_steps(np.broadcast_to(row, w.bank.shape), w.grad, w.dy, w.records, case.P, d_q_w=w.d_q_w)[1])


@pytest.mark.parametrize("slots", (0, 3))
def test_no_slots(slots):
    """Chunks of invalid reads touch no row; there may be none."""
    case = dataclasses.replace(CASE, invalid=1.0)
    w = workloads.gds(case)
    grad, dots = w.grad[:slots].copy(), w.d_q_w.copy()
    run(make(w, case, grad, dots, bank=w.bank[:slots]), case.T)
    assert bits.same_bits(grad, w.grad[:slots]) and not bits.words(dots).any()


@pytest.mark.long
def test_uneven_rows_of_more_than_2_20_columns():
    case = Case(hd=(1 << 20) + 2, C=1, R=1, P=1, T=1, S=3)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    run(make(w, case, grad, dots), case.T)
    want = expected(w)
    assert bits.same_bits(grad, want[0]) and bits.same_bits(dots, want[1])


@pytest.mark.parametrize("count, readings, steps", [(3, 3, 3), (3, 2, 2), (5, 6, 6), (4, 1, 9), (5, 1, 1)])
def test_steps_and_chunks_that_differ(count, readings, steps):
    """Chunks of `count` steps, readings of some, or of one for all: the steps that both have are there, no other chunk is written."""
    case = dataclasses.replace(CASE, T=max(count, readings))
    w = workloads.gds(case)
    P, done = case.P, count if readings == 1 < steps else min(count, readings)
    grad, dots = w.grad.copy(), w.d_q_w[: count * P].copy()
    dy = w.dy[: readings * P]
    launch = make(w, case, grad, dots, grad_readings=dy, steps=steps, spay_q=w.spay[: count * P], qrec=w.rec[: count * P])
    assert launch.plan(done) is not None and launch.plan(done + 1) is None
    run(launch, done)
    part = dataclasses.replace(w.records, **{name: getattr(w.records, name)[: done * P] for name in ("key", "valid", "first", "last")},
                               fields={name: field[: done * P] for name, field in w.records.fields.items()}, index=None, ordinal=None)  # fmt: skip
    want = reference.run_steps(w.bank, w.grad, dy if readings == 1 < steps else dy[: done * P], part, P, d_q_w=w.d_q_w[: done * P])
    assert bits.same_bits(grad, want[0]) and bits.same_bits(dots[: done * P], want[1]) and np.isnan(dots[done * P :]).all()


def test_after_a_refusal():
    """What a provider gave wrong once, it may give right the next time."""
    case = dataclasses.replace(CASE, hd=200)
    w = workloads.gds(case)
    grad, dots, given = w.grad.copy(), w.d_q_w.copy(), [w.rec[:1], odd(w.rec[2:], 4), w.rec[:2].astype(np.int64), w.rec[:2]]
    launch = make(w, case, grad, dots, qrec=Asked(lambda ti: (given.pop(0), None)))
    for ti in (1, 0):
        with pytest.raises(OperandError, match="qrec: expected int32"):
            launch(ti)
        launch(ti)
    want = expected(w)
    assert not given and bits.same_bits(grad, want[0]) and bits.same_bits(dots, want[1])
