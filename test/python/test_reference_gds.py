"""The GDS reference against scalar loops over exact rationals, its records and its workloads."""

import dataclasses

import numpy as np
import pytest

import exact_float32 as exact
from sdm import data
from sdm.reference import bits, gds, groups, records, workloads


def f32_words(rows):
    return bits.words(bits.to_f32(rows)).tolist()


def scalar_gds(w, grad, cells, chunks):
    """GDS over some chunks by the record words alone, in place: grad as storage words, cells as f32 words."""
    bank, dy = f32_words(w.bank), f32_words(w.dy)
    fmt = w.grad.dtype.name
    for c in chunks:
        acc = None
        for pos in range(w.spay.shape[1]):
            word = int(w.spay[c, pos]) & 0xFFFFFFFF
            slot, scale = (int(v) & 0xFFFFFFFF for v in (w.rec[c, pos, 1:3] if w.rec.shape[2] == 4 else w.rec[c, pos]))
            lane, token = word & 255, (word >> 9) & 255
            if word >> 17 & 1:
                cells[c][token][lane] = 0
                continue
            x = dy[c][token]
            if word >> 31:
                acc = [0] * len(x)
            acc = [exact.fma(scale, a, b) for a, b in zip(x, acc, strict=True)]
            cells[c][token][lane] = exact.dot(x, bank[slot])
            if word >> 30 & 1:
                old = f32_words(grad_array(grad[slot], fmt))
                grad[slot] = [exact.convert(exact.add(a, b), fmt) for a, b in zip(old, acc, strict=True)]


def grad_array(words, fmt):
    return np.array(words, np.uint16 if fmt != "float32" else np.uint32).view(bits.dtype(fmt))


CASES = [
    workloads.Case("qrec", hd=12, C=4, R=3, S=6),
    workloads.Case("tail", hd=132, C=2, R=2, P=1, S=3, rec=8),
    workloads.Case("element", hd=130, C=2, R=2, P=1, T=1, S=3, dist="one"),
    workloads.Case("f32", hd=5, C=5, R=4, S=8, bank="float32", grad="float32", rec=8, invalid=0.5, noise=True),
    workloads.Case("mixed", hd=7, C=5, R=4, S=8, grad="float32", dist="hot", special=0.1),
    workloads.Case("special", hd=9, C=5, R=4, S=8, dist="repeat", special=0.1, invalid=0.2),
    workloads.Case("padding", hd=9, C=3, R=4, S=8, invalid=1.0),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_against_scalar_loops(case):
    w = workloads.gds(case)
    grad, cells = bits.words(w.grad).tolist(), bits.words(w.d_q_w).tolist()
    for ti in reversed(range(case.T)):
        scalar_gds(w, grad, cells, range(ti * case.P, (ti + 1) * case.P))
    got_grad, got_cells = gds.run_steps(w.bank, w.grad, w.dy, w.records, w.num_parallel, d_q_w=w.d_q_w)
    assert bits.words(got_grad).tolist() == grad
    assert bits.words(got_cells).tolist() == cells


def test_operands_are_left_alone_and_may_be_absent():
    w = workloads.gds(workloads.Case())
    before = w.grad.copy(), w.d_q_w.copy()
    both = gds.run(w.bank, w.grad, w.dy, w.records, range(2), d_q_w=w.d_q_w)
    assert bits.same_bits(before[0], w.grad) and bits.same_bits(before[1], w.d_q_w)
    assert gds.run(None, w.grad, w.dy, w.records, range(2))[1] is None
    assert bits.same_bits(gds.run(None, w.grad, w.dy, w.records, range(2))[0], both[0])
    assert gds.run(w.bank, None, w.dy, w.records, range(2))[0] is None
    assert bits.same_bits(gds.run(w.bank, None, w.dy, w.records, range(2), d_q_w=w.d_q_w)[1], both[1])
    assert np.isnan(both[1][2:]).all() and not np.isnan(both[1][:2]).any()


def test_token_rows_reused_by_every_step():
    w = workloads.gds(workloads.Case())
    reused = w.dy[:2]
    tiled = np.concatenate([reused, reused])
    a = gds.run_steps(w.bank, w.grad, reused, w.records, 2, d_q_w=w.d_q_w)
    b = gds.run_steps(w.bank, w.grad, tiled, w.records, 2, d_q_w=w.d_q_w)
    assert all(bits.same_bits(x, y) for x, y in zip(a, b, strict=True))


def test_batches_do_not_change_a_bit(monkeypatch):
    w = workloads.gds(workloads.Case(dist="zipf", hd=20, S=64))
    a = gds.run_steps(w.bank, w.grad, w.dy, w.records, 2, d_q_w=w.d_q_w)
    monkeypatch.setattr(groups, "BLOCK", 60)
    b = gds.run_steps(w.bank, w.grad, w.dy, w.records, 2, d_q_w=w.d_q_w)
    assert all(bits.same_bits(x, y) for x, y in zip(a, b, strict=True))


def test_errors():
    w = workloads.gds(workloads.Case())
    with pytest.raises(ValueError, match="expected bank rows of 128 columns, got 64"):
        gds.run(w.bank[:, :64], w.grad, w.dy, w.records)
    with pytest.raises(ValueError, match=r"within 0 \.\. 4, got range\(3, 5\)"):
        gds.run(w.bank, w.grad, w.dy, w.records, range(3, 5))
    with pytest.raises(ValueError, match="multiple of 3 chunks, got 4"):
        gds.run_steps(w.bank, w.grad, w.dy, w.records, 3)
    broken = dataclasses.replace(w.records, last=np.zeros_like(w.records.last))
    with pytest.raises(ValueError, match="FIRST before its LAST"):
        gds.run(w.bank, w.grad, w.dy, broken)


def test_layouts_carry_the_same_records():
    rng = np.random.default_rng(0)
    r = workloads.gds_records(rng, workloads.Case(invalid=0.3, dist="zipf"))
    by_16 = records.decode_qrec(records.encode_qrec(r)[1])
    by_8 = records.decode_rec8(*records.encode_rec8(r, rng))
    for got in (by_16, by_8):
        for name in ("key", "valid", "first", "last"):
            assert np.array_equal(getattr(got, name), getattr(r, name))
        for name in ("token", "lane", "scale"):
            assert np.array_equal(np.where(r.valid, got.fields[name], 0), np.where(r.valid, r.fields[name], 0))
    assert not by_8.fields["scale"][~r.valid].any()


def test_words_by_hand():
    r = records.sort_records([5, 3, 5, 9], 8, token=[0, 1, 2, 3], lane=[7, 6, 5, 4], scale=np.ones(4, np.float32))
    first, last, bit8 = 1 << 31, 1 << 30, 1 << 8
    expected = [
        6 | 1 << 9 | bit8 | first | last,
        7 | bit8 | first,
        5 | 2 << 9 | bit8 | last | 1 << 18,
        4 | 3 << 9 | bit8 | first | last | 1 << 17,
    ]
    assert records.encode_words(r).view(np.uint32).tolist() == [expected]
    with pytest.raises(ValueError, match="tokens and lanes of 0 to 255"):
        records.encode_words(records.sort_records([0], 1, token=[256], lane=[0]))


@pytest.mark.parametrize("dist", workloads.DISTRIBUTIONS)
def test_workloads_hold_what_they_say(dist):
    w = workloads.gds(workloads.Case(dist=dist, invalid=0.25))
    again = workloads.gds(workloads.Case(dist=dist, invalid=0.25))
    assert all(bits.same_bits(getattr(w, f), getattr(again, f)) for f in ("bank", "grad", "dy", "spay", "rec", "d_q_w"))
    r = w.records
    assert (~r.valid).sum() == 4 * 4 * 8
    for step in (0, 2):
        found = groups.of(r, range(step, step + 2))
        assert len(set(found.key.tolist())) == len(found)
    mean = r.valid.sum() / w.num_groups
    assert {"unique": mean == 1, "one": mean == 96, "repeat": mean > 1.5, "hot": mean > 1.5}.get(dist, mean >= 1)
    named = np.zeros((4, 16, 8), int)
    np.add.at(named, (np.arange(4)[:, None], r.fields["token"], r.fields["lane"]), 1)
    assert (named == 1).all()
    assert w.bytes_moved() > 0


def test_an_unknown_distribution():
    with pytest.raises(ValueError, match="got odd"):
        workloads.gds(workloads.Case(dist="odd"))


@pytest.mark.parametrize("name", data.NAMES)
def test_captured_records(name):
    c = data.load(name)
    assert c.spay.shape == c.slot.shape == c.scale.shape == (8, c.P, c.C * c.R)
    a, b = data.gds(name, steps=1, hd=8), data.gds(name, steps=1, hd=8, rec=8, compact=False)
    assert b.bank.shape == (c.P * c.S, 8) and a.bank.shape[0] == len(np.unique(c.slot[0]))
    first, last = records.flags(b.records.key, b.records.valid)
    assert np.array_equal(first, b.records.first) and np.array_equal(last, b.records.last)
    assert np.array_equal(a.records.first, b.records.first) and np.array_equal(np.unique(c.slot[0])[a.records.key], b.records.key)
    _, cells = gds.run_steps(a.bank, a.grad, a.dy, a.records, a.num_parallel, d_q_w=a.d_q_w)
    assert not np.isnan(cells).any()


def test_an_unknown_capture():
    with pytest.raises(ValueError, match="expected a capture of hd128, flagship, got nothing"):
        data.load("nothing")
