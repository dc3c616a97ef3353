"""GDS, gather dot scatter: the read-side backward step of Sparse Delta Memory.

Per valid group (slot s, members in sorted order): acc = 0; acc = fma(scale, dy[token], acc); grad[s] = round(f32(grad[s]) + acc).
Per record: d_q_w[token, lane] = dot(dy[token], bank[s]); an invalid record stores +0.
"""

import numpy as np

from . import bits, groups, reduce


def run(bank, grad, dy, records, chunks=None, hd=None, d_q_w=None, first_token_chunk=0):
    """One launch over `chunks` (a range; None: all), whose groups have distinct slots. Returns new arrays (grad, d_q_w).

    bank, grad: bf16, f16 or f32 [slots, hd], or None (no dots, no update). dy: f32 [chunks, C, hd], its first chunk being number
    `first_token_chunk`. records: RecordArrays [N, n] with fields token, lane, scale. hd: expected width (None: dy's). d_q_w: f32
    [N, C, R], where cells that no record names keep their value (None: +0 everywhere, R the largest lane + 1).
    Errors: widths that differ, chunks outside the records, tokens, lanes or slots out of range (IndexError).
    """
    dy = np.asarray(dy, np.float32)
    hd = dy.shape[-1] if hd is None else hd
    for name, rows in (("bank", bank), ("grad", grad), ("dy", dy)):
        if rows is not None and rows.shape[-1] != hd:
            raise ValueError(f"expected {name} rows of {hd} columns, got {rows.shape[-1]}")
    walk = _Walk(records, dy, first_token_chunk)
    if grad is not None:
        grad = _update(walk, grad.copy(), chunks, hd)
    if bank is None:
        return grad, d_q_w
    if d_q_w is None:
        lanes = int(records.fields["lane"].max(initial=-1)) + 1
        d_q_w = np.zeros((records.shape[0], dy.shape[1], lanes), np.float32)
    return grad, _dots(walk, bank, d_q_w.copy(), chunks, hd)


def run_steps(bank, grad, dy, records, num_parallel, hd=None, d_q_w=None):
    """All steps of num_parallel chunks, the last first, as the layer's backward runs them. Returns (grad, d_q_w) as `run`.

    dy: f32 [N, C, hd], or [num_parallel, C, hd] reused by every step. Errors: chunks that are no whole number of steps.
    """
    steps, rest = divmod(records.shape[0], num_parallel)
    if rest:
        raise ValueError(f"expected a multiple of {num_parallel} chunks, got {records.shape[0]}")
    reused = dy.shape[0] != records.shape[0]
    for ti in reversed(range(steps)):
        part = range(ti * num_parallel, (ti + 1) * num_parallel)
        grad, d_q_w = run(bank, grad, dy, records, part, hd, d_q_w, part.start if reused else 0)
    return grad, d_q_w


class _Walk:
    """The records' fields by flat position."""

    def __init__(self, records, dy, first_token_chunk):
        self.records, self.dy, self.first = records, dy, first_token_chunk
        self.key = records.key.reshape(-1)
        self.token, self.lane, self.scale = (records.fields[f].reshape(-1) for f in ("token", "lane", "scale"))

    def chunk(self, at):
        return at // self.records.shape[1]

    def token_rows(self, at):
        return self.dy[self.chunk(at) - self.first, self.token[at]]


def _update(walk, grad, chunks, hd):
    found = groups.of(walk.records, chunks)
    step = lambda acc, at: bits.fma(walk.scale[at][:, None], walk.token_rows(at), acc)  # noqa: E731
    for which, acc in groups.fold(found, hd, step):
        slots = found.key[which]
        with np.errstate(all="ignore"):
            grad[slots] = bits.store(bits.to_f32(grad[slots]) + acc, grad.dtype)
    return grad


def _dots(walk, bank, d_q_w, chunks, hd):
    for at in groups.valid_positions(walk.records, chunks, hd):
        value = reduce.dot(walk.token_rows(at), bits.to_f32(bank[walk.key[at]]))
        d_q_w[walk.chunk(at), walk.token[at], walk.lane[at]] = bits.store(value, bits.F32)
    at = groups.invalid_positions(walk.records, chunks)
    d_q_w[walk.chunk(at), walk.token[at], walk.lane[at]] = 0.0
    return d_q_w
