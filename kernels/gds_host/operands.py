"""The mover's arrays as the kernel takes them: chunks along the first axis, no copies. Every check has its sentence here."""

from __future__ import annotations

import dataclasses
import operator

from sdm import arrays
from sdm.arrays import ArrayView
from sdm.errors import OperandError
from sdm.reshape import reshape

PAIRS = (("bf16", "bf16"), ("bf16", "f32"), ("f32", "f32"))


@dataclasses.dataclass(frozen=True)
class Shapes:
    """N chunks of C tokens with R reads each, P chunks a step, rows of hd columns; n = C * R records a chunk."""

    N: int
    C: int
    R: int
    P: int
    steps: int
    hd: int

    @property
    def n(self) -> int:
        return self.C * self.R


def view_of(name: str, array) -> ArrayView:
    try:
        return arrays.view(array)
    except TypeError as error:
        raise OperandError(f"{name}: {error}") from None


def shapes(bank, grad, spay: ArrayView, chunk_size: int, num_parallel: int, steps: int) -> Shapes:
    """The call's numbers, from the words' last axis and the given sizes."""
    C, P, steps = (_count(*pair) for pair in (("chunk_size", chunk_size), ("num_parallel", num_parallel), ("steps", steps)))
    if spay.dtype != "i32" or not spay.rank:
        raise OperandError(f"spay_q: expected int32 words [chunks, n], got {spay.described()}")
    n = spay.shape[-1]
    if not 1 <= C <= 256 or n % C or not 1 <= n // C <= 256:
        raise OperandError(f"spay_q: expected chunks of chunk_size * R records with both in 1 .. 256, got {n} for chunk_size {C}")
    N = spay.size // n
    if N >= 1 << 31:
        raise OperandError(f"spay_q: expected fewer than 2^31 chunks, got {N}")
    rows = bank if bank is not None else grad
    if rows is None or rows.rank != 2:
        raise OperandError(f"bank: expected rows [slots, hd], got {'None' if rows is None else rows.described()}")
    return Shapes(N, C, n // C, P, steps, rows.shape[1])


def _count(name: str, value) -> int:
    number = whole(name, value)
    if number < 1:
        raise OperandError(f"{name}: expected a number of at least 1, got {value}")
    return number


def whole(name: str, value) -> int:
    """Any kind of integer, as Python's. Errors: OperandError."""
    try:
        return operator.index(value)
    except TypeError:
        raise OperandError(f"{name}: expected a whole number, got {value!r}") from None


def check_rows(bank: ArrayView | None, grad: ArrayView | None) -> None:
    """bank and grad: rows of one shape, types that go together."""
    for name, rows in (("bank", bank), ("grad_bank", grad)):
        if rows is None:
            continue
        if rows.rank != 2 or rows.dtype not in ("bf16", "f32"):
            raise OperandError(f"{name}: expected bf16 or f32 rows [slots, hd], got {rows.described()}")
        if not 1 <= rows.shape[1] < 1 << 31 or rows.shape[0] >= 1 << 31:
            raise OperandError(f"{name}: expected fewer than 2^31 slots and 1 .. 2^31 - 1 columns, got {list(rows.shape)}")
    if bank is None or grad is None:
        return
    if bank.shape != grad.shape:
        raise OperandError(f"grad_bank: expected the bank's shape {list(bank.shape)}, got {list(grad.shape)}")
    if (bank.dtype, grad.dtype) not in PAIRS:
        raise OperandError(f"grad_bank: expected bf16 or f32 beside a bf16 bank, f32 beside f32, got {grad.dtype} beside {bank.dtype}")


def token_rows(readings: ArrayView, s: Shapes) -> tuple[ArrayView, bool]:
    """Readings as [chunks, C, hd], and whether each step reads the same P chunks."""
    for chunks, reused in ((s.steps * s.P, False), (s.P, True)):
        if readings.size == chunks * s.C * s.hd:
            rows = reshape(readings, (chunks, s.C, s.hd))
            if rows is None:
                raise OperandError(f"grad_readings: expected rows that need no copy, got strides {list(readings.strides)}")
            return rows, reused
    raise OperandError(
        f"grad_readings: expected {s.steps * s.P * s.C} rows (steps * num_parallel * chunk_size) or {s.P * s.C} of {s.hd} columns, "
        f"got {list(readings.shape)}"
    )


def words(spay: ArrayView, s: Shapes) -> ArrayView:
    """The words [N, n], where they lie; of axes that do not fold into chunks a copy, as they are now."""
    if reshape(spay, (s.N, s.n)) is None and hasattr(spay.owner, "reshape"):
        spay = view_of("spay_q", spay.owner.reshape(s.N, s.n))
    return _reshaped("spay_q", spay, (s.N, s.n))


def dots(d_q_w: ArrayView, s: Shapes) -> ArrayView:
    """d_q_w as f32 [N, C, R]."""
    if d_q_w.dtype != "f32" or d_q_w.size != s.N * s.n:
        raise OperandError(f"d_q_w: expected f32 [{s.N}, {s.C}, {s.R}], got {d_q_w.described()}")
    return _reshaped("d_q_w", d_q_w, (s.N, s.C, s.R))


def records(name: str, array: ArrayView, chunks: int, s: Shapes) -> ArrayView:
    """qrec [chunks, n, 4] or rec8 [chunks, n, 2] of a number of chunks."""
    for width in (4, 2):
        if array.dtype == "i32" and array.size == chunks * s.n * width:
            return _reshaped(name, array, (chunks, s.n, width))
    raise OperandError(f"{name}: expected int32 [{chunks}, {s.n}, 4] (qrec) or [{chunks}, {s.n}, 2] (rec8), got {array.described()}")


def provided(array: ArrayView, s: Shapes) -> tuple[ArrayView, bool]:
    """A provider's records [chunks, n, 2 or 4], and whether they are of all chunks (else of one step's P)."""
    if array.rank > 1 and (array.rank != 3 or array.shape[1] == s.n):
        for chunks, whole in ((s.N, True), (s.P, False)):
            # The first axis decides: N chunks of 8 bytes can be as many words as P of 16.
            if array.shape[0] == chunks and array.size in (chunks * s.n * 2, chunks * s.n * 4):
                return records("qrec", array, chunks, s), whole
    raise OperandError(
        f"qrec: expected int32 [{s.P}, {s.n}, 4] (qrec) or [{s.P}, {s.n}, 2] (rec8) of a step, or of all {s.N} chunks, "
        f"from the provider, got {array.described()}"
    )


def _reshaped(name: str, view: ArrayView, shape: tuple[int, ...]) -> ArrayView:
    found = reshape(view, shape)
    if found is None:
        raise OperandError(f"{name}: expected an array that is {list(shape)} without a copy, got strides {list(view.strides)}")
    return found
