"""Runs a case on the host and on lanes, and compares every byte with the reference."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from unittest import mock

import numpy as np
import step_loop

from drawn import lists
from drawn.cases import Case, OnHost, OnLanes
from drawn.places import Place, Placed, bits_of
from sdm import arrays, lanes, options, tiling
from sdm.errors import ScheduleError
from sdm.kernels import gds
from sdm.kernels.gds_host.mover import Mover
from sdm.operands import gather
from sdm.reference import bits, gds as reference, workloads

NAMES = ("bank", "grad", "readings", "spay", "dots")
MOST_SLOTS = (1 << 31) - 1
MOST_WHOLE = 1024  # columns of a row that one unit of work holds


def coarsened(values, steps: int):
    """Multiples of 1 / steps; infinities and NaNs as they are, the largest numbers too."""
    with np.errstate(all="ignore"):
        wide = values.astype(np.float32)
        return np.where(np.abs(wide) < 1000, np.rint(wide * steps) / np.float32(steps), wide).astype(values.dtype)


class Factory:
    """Built all its records before the loop: they count as an array."""

    events = None

    def __init__(self, rec8):
        self.rec8 = rec8

    def get(self, ti):
        raise AssertionError("expected rec8 to be used")


class Provider:
    def __init__(self, arrays_of_steps):
        self.arrays, self.asked, self.released = arrays_of_steps, [], []

    def get(self, ti):
        self.asked.append(ti)
        return self.arrays[ti], None

    def release(self, ti, event):
        self.released.append(ti)


class Call:
    """The operands of a case where they lie, and what must come out."""

    def __init__(self, case: Case):
        self.case, rng = case, np.random.default_rng(case.seed)
        self.rng, self.placed = rng, {}
        found, slots = lists.lists(rng, case.C, case.R, case.P, case.chunks, case.special)
        N, steps = len(case.chunks), 1 if case.reused else case.T
        if case.coarse:
            found = dataclasses.replace(found, fields={**found.fields, "scale": coarsened(found.fields["scale"], 16)})
        before = MOST_SLOTS - slots if case.high else 0
        spay, qrec, rec8 = lists.words(rng, found, before, case.noise, case.garbage)
        self.rows("bank", case.bank, (slots, case.hd), before)
        self.rows("grad", case.grad, (slots, case.hd), before)
        lying = self.at("readings").order
        tokens = (steps * case.P, case.C) if case.axes == 3 or lying == "swapped" else (steps * case.P * case.C,)
        dy = self.rows("readings", case.readings, (*tokens, case.hd)).reshape(-1, case.C, case.hd)
        dots = self.rows("dots", "float32" if case.bank else None, (N, case.C, case.R))
        self.put("spay", spay)
        self.records = self.held(qrec, rec8)
        with np.errstate(all="ignore"):
            dy = dy.astype(np.float32) if case.readings == "float64" else bits.to_f32(dy)
        given = [self.placed[name].view if name in self.placed else None for name in ("bank", "grad")]
        grad, dots = reference.run_steps(*given, dy, found, case.P, d_q_w=dots)
        self.want = {"grad": grad, "dots": dots}

    def at(self, name: str) -> Place:
        return self.case.places.get(name, Place())

    def rows(self, name: str, dtype: str | None, shape: tuple[int, ...], before: int = 0):
        if dtype is None:
            return None
        values = workloads.rows(self.rng, shape, "float32" if dtype == "float64" else dtype, self.case.special)
        if name == "readings" and self.case.coarse:
            values = coarsened(values, 32)
        if dtype == "float64":
            with np.errstate(all="ignore"):
                values = values * (1 + 1e-8 * self.rng.random(shape))
        if self.at(name).order == "repeated":
            bits_of(values)[...] = bits_of(values)[:1]
        return self.put(name, values, name, before)

    def put(self, name: str, values, place: str = "", before: int = 0):
        self.placed[name] = Placed(self.rng, values, self.at(place or name), before)
        return values

    def array(self, name: str, values):
        """Records [chunks, n, words] at their place: chunks may be apart, records may not."""
        self.put(name, values.reshape(len(values), -1), "records")
        return self.placed[name].view.reshape(values.shape)

    def held(self, qrec, rec8):
        case = self.case
        both = {"qrec": qrec, "rec8": rec8}
        whole = lambda: self.array("records", both[case.records])  # noqa: E731
        if case.holder == "array":
            return whole()
        if case.holder == "factory":
            return Factory(whole())
        if case.holder == "all":
            return Provider([whole()] * case.T)
        kinds = [case.records] * case.T
        if case.holder == "turns":
            kinds = [("qrec", "rec8")[(ti + (case.records == "rec8")) % 2] for ti in range(case.T)]
        parts = [both[kind][ti * case.P : (ti + 1) * case.P] for ti, kind in enumerate(kinds)]
        return Provider([self.array(f"records of step {ti}", part) for ti, part in enumerate(parts)])

    @property
    def arguments(self) -> tuple:
        """bank, grad_bank, grad_readings, spay_q, qrec, d_q_w as `make_gds` takes them."""
        bank, grad, readings, spay, dots = (self.placed[name].whole if name in self.placed else None for name in NAMES)
        return bank, grad, readings, spay, self.records, dots

    @property
    def sizes(self) -> dict:
        return dict(chunk_size=self.case.C, num_parallel=self.case.P, steps=self.case.T)

    def compare(self) -> None:
        for name, placed in self.placed.items():
            difference = placed.difference(self.want.get(name))
            assert not difference, f"{name}: {difference}"
        if isinstance(self.records, Provider):
            backwards = list(reversed(range(self.case.T)))
            assert self.records.asked == self.records.released == backwards


def on_host(case: Case, how: OnHost) -> None:
    """Errors: AssertionError with the first difference."""
    call = Call(case)
    tiles = None if case.tiles is None else gds.build_tiles(call.placed["spay"].view, case.tiles)
    with _host_as(how):
        launch = gds.make_gds(*call.arguments, **call.sizes, tiles_q=tiles, schedule=how.schedule if case.hd <= MOST_WHOLE else ())
        plan = launch.plan(case.T) if how.by_plan else None
        if how.by_plan:
            has_one = case.holder in ("array", "factory") and case.readings == "float32" and not how.checked
            assert (plan is not None) == has_one
        if plan is not None:
            assert step_loop.in_python(*plan[:2], case.T) == 0
            launch.done()
        else:
            for ti in reversed(range(case.T)):
                launch(ti)
    call.compare()


@contextlib.contextmanager
def _host_as(how: OnHost):
    def cut(positions, chunks, *_):
        return tiling.Tiling(how.tile, -(-positions // how.tile)) if positions > 0 and chunks > 0 else tiling.NOTHING

    chosen = dataclasses.replace(options.current(), check=how.checked)
    with mock.patch.dict(os.environ, SDM_NUM_THREADS=str(how.threads)), mock.patch.object(tiling, "on_host", cut):
        with mock.patch.object(options, "current", lambda: chosen):
            yield


class LanesMover(Mover):
    """The mover with lanes as its device. `left_out`: how many parts of the schedule the planner refused."""

    def __init__(self, how: OnLanes, call: Call):
        self.how, self.left_out = how, 0
        bank, grad, *others, dots = call.arguments
        rows = [None if array is None else arrays.view(array) for array in (bank, grad)]
        super().__init__(*rows, *others, dots, *call.sizes.values(), how.schedule)

    def bind(self, reads):
        given = gather(gds.gds, (reads, self.bank, self.tokens, self.grad, self.dots), {})
        while True:
            try:
                return lanes.LanesBound(
                    gds.gds, given, target=self.how.chip, schedule=self.schedule, seed=self.how.seed, pdl=self.how.early, step=self.shapes.P
                )
            except ScheduleError:
                if not self.schedule:
                    raise
                self.schedule, self.left_out = self.schedule[:-1], self.left_out + 1


def on_lanes(case: Case, how: OnLanes) -> int:
    """How many parts of the schedule were refused. Errors: LanesFault; AssertionError with the first difference."""
    call = Call(case)
    with mock.patch.object(lanes, "TILE_LENGTHS", (how.tile,)):
        mover = LanesMover(how, call)
        for ti in reversed(range(case.T)):
            mover.launch(ti, False)
    call.compare()
    return mover.left_out
