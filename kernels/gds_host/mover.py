"""`make_gds`: the mover as a step launcher, a drop-in for the hand-written one. Steps run backwards, the last one first."""

from __future__ import annotations

import dataclasses
import functools
import re

import numpy as np

from sdm import arrays, record_lists
from sdm.bind import features_of
from sdm.errors import CheckError, OperandError
from sdm.kernels.gds_host import known, operands, provider

# What the last `make_gds` decided: implementation, tile shape, kind of records, row types.
LAST_POLICY: dict = {}


def make_gds(
    bank, grad_bank, grad_readings, spay_q, qrec, d_q_w, *,
    chunk_size, num_parallel, steps, q_idx=None, valid_tokens=None, tiles_q=None, schedule=(),
):  # fmt: skip
    """A launcher `launch(ti, pdl=False)` of step ti, which walks chunks ti * P .. ti * P + P - 1.

    bank, grad_bank: bf16 or f32 [slots, hd]; grad_readings: rows of any numbers [steps * P * C, hd], or [P * C, hd] that every step reads; spay_q:
    int32 [N, C * R]; qrec: int32 [N, C * R, 4], or [N, C * R, 2] beside spay_q, or a provider with get(ti); d_q_w: f32 [N, C, R]. None
    for bank and d_q_w: no dots; None for grad_bank: no update. q_idx, valid_tokens and tiles_q are accepted and not needed: tiles are cut
    at group starts by the kernel. schedule: as `bind` takes it. `launch.geom`, `.pdl_capable`, `.join` as callers of such launchers expect them; `launch.plan(nsteps,
    pdl=False)` is steps 0 .. nsteps - 1 as (plan, address, use) for a loop in C (`Mover.plan`), `launch.done()` comes behind that loop.
    Errors: OperandError, before anything is launched or written.
    """
    if (bank is None) != (d_q_w is None):
        raise OperandError("d_q_w: expected it with a bank and absent without one (dots are of bank rows)")
    call = known.Call(bank, grad_bank, grad_readings, spay_q, qrec, d_q_w, (chunk_size, num_parallel, steps), schedule)
    mover = call.again(Mover)
    if mover is None:
        mover = Mover(
            *(None if array is None else operands.view_of(name, array) for name, array in (("bank", bank), ("grad_bank", grad_bank))),
            grad_readings, spay_q, qrec, d_q_w, chunk_size, num_parallel, steps, schedule,
        )  # fmt: skip
        call.keep(mover)

    def launch(ti, pdl=False):
        mover.launch(operands.whole("ti", ti), bool(pdl))

    launch.geom = dict(mover.geometry)
    launch.pdl_capable = mover.pdl_capable
    launch.join = None
    launch.plan = mover.plan
    launch.done = lambda: mover.bound.done()
    LAST_POLICY.clear()
    LAST_POLICY.update(launch.geom, records=mover.kind, rows=mover.row_types)
    return launch


def warm(bank, grad_bank, grad_readings, spay_q, qrec, d_q_w, *, chunk_size, num_parallel, steps, **others) -> None:
    """Compiles and loads for arrays like these; `make_gds` and its launches then work under graph capture. Nothing is written."""
    make_gds(
        bank, grad_bank, grad_readings, spay_q, qrec, d_q_w, chunk_size=chunk_size, num_parallel=num_parallel, steps=steps, **others
    )


def _callers_names(function):
    """What the kernel says of its operands comes in the names that the caller knows."""

    @functools.wraps(function)
    def renaming(*arguments, **keywords):
        try:
            return function(*arguments, **keywords)
        except OperandError as error:
            raise OperandError(_renamed(str(error))) from None
        except CheckError as error:
            kernel_name, colon, sentence = str(error).partition(": ")
            raise CheckError(f"{kernel_name}{colon}{_renamed(sentence)}") from None

    return renaming


class Mover:
    """One bound kernel and what changes from step to step: chunks, the readings' first chunk, a provider's records."""

    def __init__(self, bank, grad, readings, spay_q, qrec, d_q_w, chunk_size, num_parallel, steps, schedule=()):
        spay = operands.view_of("spay_q", spay_q)
        operands.check_rows(bank, grad)
        self.shapes = s = operands.shapes(bank, grad, spay, chunk_size, num_parallel, steps)
        self.bank, self.grad, self.schedule = bank, grad, schedule
        self.row_types = tuple(None if rows is None else rows.dtype for rows in (bank, grad))
        self.words = operands.words(spay, s)
        self.dots = None if d_q_w is None else operands.dots(operands.view_of("d_q_w", d_q_w), s)
        self.readings, self.converted = _readings(readings)
        tokens, self.reused = operands.token_rows(operands.view_of("grad_readings", self.readings), s)
        self.tokens = tokens
        self.provider, fixed = provider.split(qrec)
        self.kind = "provider" if self.provider else None
        self.has_plan = not self.provider and tokens.dtype == "f32" and self.converted is None
        self.pdl_capable = False
        if fixed is None and self.provider is None:
            raise OperandError("qrec: expected records (an int32 array or a provider with get(ti)), got None")
        if fixed is not None:
            fixed_list = self.list_of("qrec", fixed, s.N, 0)
            self.kind = self.kind or ("qrec" if len(fixed_list.planes) == 1 else "rec8")
            self.bound = self.bind(fixed_list)
            self.pdl_capable = self.has_plan and _has_pdl(tokens.device)
        else:
            # A provider's records are known at their first step; compiled for 8-byte ones now, outside any capture.
            self.bound = self.bind(self.beside(self.stand_in(2), s.N, 0))

    @_callers_names
    def bind(self, reads):
        from sdm.kernels.gds import gds

        return gds.bind(
            reads, self.bank, self.tokens, self.grad, self.dots, pdl=("reads", "tokens"), step=self.shapes.P, schedule=self.schedule
        )

    def list_of(self, name: str, array, chunks: int, first: int):
        """Records as an operand: qrec alone, or rec8 beside the words."""
        from sdm.kernels.gds import QREC, REC8

        rec = operands.records(name, operands.view_of(name, array), chunks, self.shapes)
        if rec.shape[2] == 4:
            return record_lists.bound(QREC, rec, first_chunk=first)
        if self.words.device != rec.device:
            raise OperandError(f"spay_q: expected it on {rec.device} as {name} is, got {self.words.device}")
        return record_lists.bound(REC8, _chunks(self.words, first, chunks), rec, first_chunk=first)

    def beside(self, rec: arrays.ArrayView, chunks: int, first: int):
        """A provider's records, with the words from spay_q: what `done` reads of them is then there for all chunks."""
        from sdm.kernels.gds import QREC_BESIDE, REC8

        layout = QREC_BESIDE if rec.shape[2] == 4 else REC8
        return record_lists.bound(layout, _chunks(self.words, first, chunks), rec, first_chunk=first)

    def stand_in(self, width: int, offset: int = 0) -> arrays.ArrayView:
        """Records that are never read (an address where nothing lies): each launch brings its own pointer, no less aligned."""
        s = self.shapes
        return dataclasses.replace(self.words, pointer=4096 + offset, shape=(s.N, s.n, width), strides=(0, 4 * width, 4))

    @property
    def most(self) -> int:
        """Steps that there are operands for."""
        s = self.shapes
        return s.N // s.P if self.reused else min(s.steps, s.N // s.P)

    @_callers_names
    def launch(self, ti: int, pdl: bool) -> None:
        s = self.shapes
        if not self.most:
            raise OperandError(f"num_parallel: expected at most the {s.N} chunks that there are, got {s.P}")
        if not 0 <= ti < self.most:
            raise OperandError(f"ti: expected a step of 0 .. {self.most - 1}, got {ti}")
        if self.converted is not None:
            with np.errstate(all="ignore"):  # f64 past the largest f32 is inf
                self.readings[...] = self.converted
        chunks = range(ti * s.P, (ti + 1) * s.P)
        first_chunk = {"tokens": chunks.start} if self.reused else None
        if self.provider is None:
            self.bound.launch(chunks, pdl=pdl and self.pdl_capable, first_chunk=first_chunk)
        else:
            self.provided(ti, chunks, first_chunk)
        if ti == 0:
            self.bound.done()

    def provided(self, ti: int, chunks: range, first_chunk) -> None:
        """One step on a provider's records, which may hold all chunks or this step's alone."""
        array = self.provider.take(ti, self.bound.operands)
        rec, whole = operands.provided(operands.view_of("qrec", array), self.shapes)
        reads = self.beside(rec, rec.shape[0], 0 if whole else chunks.start)
        bound, size = self.bound.operands.present[0], 4 * rec.shape[2]
        offset = 4 if (rec.pointer | rec.strides[0]) % size else 0
        if reads.layout != bound.records.layout or (offset and not bound.views[1].pointer % size):
            # The other planes of dots belong to the other binding: what is in them is added first.
            if self.bound.pending:
                self.bound.done()
            self.bound = self.bind(self.beside(self.stand_in(rec.shape[2], offset), self.shapes.N, 0))
        self.bound.launch(chunks, first_chunk=first_chunk, records={"reads": reads})
        self.provider.give_back(ti, self.bound.operands)

    @_callers_names
    def plan(self, nsteps: int, pdl: bool = False):
        """Steps 0 .. nsteps - 1 for a loop in C: (plan, address, use) as `Bound.plan` gives them, use 1 when the loop may pass pdl = 1.

        None, and nothing is recorded: a provider, readings that are not f32, steps that there are no operands for, check mode.
        """
        s, nsteps = self.shapes, operands.whole("nsteps", nsteps)
        if not self.has_plan or not 1 <= nsteps <= self.most:
            return None
        repeated = ("tokens",) if self.reused else ()
        found = self.bound.plan(range(s.P), nsteps, repeated, self.pdl_capable)
        return None if found is None else (*found, int(bool(pdl) and self.pdl_capable))

    @functools.cached_property
    def geometry(self) -> dict:
        """Warps, positions of a tile, CTAs of a chunk, slices; the schedule's form, unit and depth."""
        cut = self.bound.program.cut(0, self.bound.operands.present, range(self.shapes.P))
        launch = self.bound.program.launches[0]
        plan = self.bound.program.description["plans"][0]
        warps = 1 if self.bound.target == "host" else launch["warps"]
        return dict(
            impl="sdm", nw=warps, ppw=cut.length, K=cut.tiles // warps, nsl=launch["slices"],
            pdl_capable=self.pdl_capable, target=self.bound.target, form=plan["form"], unit=plan["unit"], depth=plan["depth"],
        )  # fmt: skip


def _renamed(sentence: str) -> str:
    for kernel_name, name in (("reads.", ""), ("reads", "qrec"), ("tokens", "grad_readings"), ("grad", "grad_bank")):
        word = re.escape(kernel_name)
        places = rf"^{word}(?=\W|(?<=\.))", rf"(?<=memory that ){word}(?= uses)", rf"(?<= as ){word}(?= is,)", rf"(?<= of ){word}(?=\),)"
        sentence = re.sub("|".join(places), name, sentence)
    return sentence


def _chunks(view: arrays.ArrayView, first: int, count: int) -> arrays.ArrayView:
    shape = (count, *view.shape[1:])
    return dataclasses.replace(view, pointer=view.pointer + first * view.strides[0], shape=shape)


def _readings(readings):
    """(readings as rows that the kernel reads, what to convert from at each launch or None). f32, bf16 and f16 rows are read as they
    are, for a conversion to f32 of those is exact; all other numbers are rounded to f32."""
    view = operands.view_of("grad_readings", readings)
    if view.dtype in ("f32", "bf16", "f16"):
        return readings, None
    if arrays.is_torch(readings):
        import torch

        return torch.empty(readings.shape, dtype=torch.float32, device=readings.device), readings
    if not isinstance(readings, np.ndarray):
        raise OperandError(f"grad_readings: expected f32, bf16 or f16 rows (numpy and torch convert others), got {view.described()}")
    return np.empty(view.shape, np.float32), readings


def _has_pdl(device: str) -> bool:
    """Whether kernels for a device hold the instructions of programmatic launches."""
    return "griddepcontrol_default" in features_of(device)
