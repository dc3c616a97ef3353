"""`sdm.check(kernel, *operands)`: the structured host run, several schedules on lanes, and the GPU where there is one, bit against bit."""

from __future__ import annotations

import ctypes
import dataclasses
import inspect

import numpy as np

from sdm import arrays, bind, lanes
from sdm.errors import ScheduleError
from sdm.operands import Operand, gather
from sdm.quantized import Quantized
from sdm.record_lists import RecordList
from sdm.schedule import Schedule

CHIPS = ("sm_80", "sm_90")
# Parts of schedules; (): the rule's own. One that the kernel cannot take is left out.
SCHEDULES = ((), ("nest",), ("nest", "warps=3"), ("whole",), ("flat", "unit=1", "depth=2", "warps=2"), ("flat", "unit=4", "depth=3"), ("flat", "unit=8", "depth=2"))
SEEDS = (0, 1)


def check(kernel, *operands, chunks=None, chips=CHIPS, schedules=SCHEDULES, seeds=SEEDS, first_chunk=None, **keywords) -> bool:
    """Runs a kernel on copies of CPU operands: on the host, on lanes, on the GPU; prints "equal", or the first differing element with both
    words, or a fault of the lanes. True when all is equal.

    chunks: a range, or the ranges of several launches one after the other (None: all in one launch); chips, schedules, seeds: each chip
    runs each schedule with each seed; the usual schedules also have the rows of the rule's rings wait elsewhere. Errors: as `bind`.
    """
    parts = (chunks,) if chunks is None or isinstance(chunks, range) else tuple(chunks)
    given = gather(kernel, operands, keywords, first_chunk)

    def run_of(on_gpu=False):
        return _Run(kernel, given, operands, keywords, first_chunk, parts, on_gpu)

    want = run_of()
    want.launch(bind.bind)
    runs = 0
    for chip in chips:
        others = _placed(run_of(), chip) if schedules is SCHEDULES else ()
        for schedule in (*schedules, *others):
            for seed in seeds:
                name = f"{chip} {_named(schedule)}, seed {seed}"
                run = run_of()
                try:
                    run.launch(lanes.bind, target=chip, schedule=schedule, seed=seed)
                except ScheduleError as error:
                    if not schedule:
                        raise
                    print(f"{kernel.name}: {name}: left out, {error.sentence}")
                    break
                except lanes.LanesFault as fault:
                    print(f"{kernel.name}: {name}: {fault}")
                    return False
                if not _same(kernel.name, name, want, run):
                    return False
                runs += 1
    if _has_gpu():
        run = run_of(on_gpu=True)
        run.launch(bind.bind)
        if not _same(kernel.name, "cuda:0", want, run):
            return False
        runs += 1
    print(f"{kernel.name}: equal in {runs} runs")
    return True


def _placed(run: _Run, chip: str) -> list[tuple[str, ...]]:
    """Schedules that have the rows of the rule's rings wait in registers, and in rings that bulk copies fill, where that is legal."""
    loads = [load for plan in run.bind(lanes.bind, target=chip).program.description["plans"] for load in plan["loads"]]
    rings = sorted({load["operand"] for load in loads if load["placement"] == "ring"})
    found = []
    for placement in ("registers", "bulk_ring") if rings else ():
        schedule = ("unit=2", "depth=3", *(f"{operand}={placement}" for operand in rings))
        try:
            run.bind(lanes.bind, target=chip, schedule=schedule)
        except ScheduleError:
            continue
        found.append(schedule)
    return found


def _named(schedule) -> str:
    if isinstance(schedule, str):
        return schedule
    return " ".join(schedule.parts() if isinstance(schedule, Schedule) else schedule or ()) or "by rule"


class _Run:
    """A kernel's operands copied, so that a run leaves the caller's alone. `written`: the copies, by name."""

    def __init__(self, kernel, given, operands: tuple, keywords: dict, first_chunk, parts: tuple, on_gpu: bool):
        self.kernel, self.first_chunk, self.parts, self.on_gpu = kernel, first_chunk, parts, on_gpu
        bound = inspect.signature(kernel.function).bind(*operands, **keywords)
        bound.apply_defaults()
        self.arguments, self.copies = dict(bound.arguments), {}
        for operand in given.present:
            if operand.records is not None and on_gpu:
                planes = tuple(_uploaded(arrays.view(plane)) for plane in operand.records.planes)
                self.arguments[operand.name] = RecordList(
                    operand.records.layout, planes, operand.records.first_chunk, operand.records.num_keys
                )
            elif operand.records is None and operand.views:
                self._copy(operand)

    def _copy(self, operand: Operand) -> None:
        copy = self.copies[operand.name] = _uploaded(operand.view) if self.on_gpu else _copied(operand)
        name, _, part = operand.name.partition(".")
        if isinstance(self.arguments[name], Quantized):
            copy = dataclasses.replace(self.arguments[name], **{part or "payload": copy})
        self.arguments[name] = copy

    def bind(self, binder, **options):
        return binder(self.kernel, first_chunk=self.first_chunk, **self.arguments, **options)

    def launch(self, binder, **options) -> None:
        bound = self.bind(binder, **options)
        for chunks in self.parts:
            bound.launch(chunks)
        bound.done()

    def words(self, name: str) -> np.ndarray:
        return words(_downloaded(self.copies[name]) if self.on_gpu else self.copies[name])


def _copied(operand: Operand) -> arrays.ArrayView:
    """A copy with the same strides and the same place within 64 bytes, so that it compiles to the same code."""
    view = operand.view
    low, end = view.bounds()
    buffer = np.zeros(end - low + 64, np.uint8)
    start = buffer.ctypes.data + (low - buffer.ctypes.data) % 64
    ctypes.memmove(start, low, end - low)
    return dataclasses.replace(view, pointer=start + view.pointer - low, owner=buffer, readonly=False)


def words(view: arrays.ArrayView) -> np.ndarray:
    """The elements of a view on the CPU as unsigned words."""
    if not view.size:
        return np.zeros(view.shape, np.uint8)
    low, end = view.bounds()
    raw = (ctypes.c_char * (end - low)).from_address(low)
    return np.ndarray(view.shape, f"u{view.itemsize}", raw, view.pointer - low, view.strides).copy()


def _same(kernel: str, name: str, want: _Run, got: _Run) -> bool:
    for operand in want.copies:
        theirs, mine = want.words(operand), got.words(operand)
        at = np.argwhere(theirs != mine)
        if len(at):
            place, digits = tuple(at[0]), 2 * theirs.itemsize
            print(
                f"{kernel}: {name}: {operand}[{', '.join(map(str, place))}] is 0x{mine[place]:0{digits}X}, "
                f"on the host 0x{theirs[place]:0{digits}X} ({len(at)} elements differ)"
            )
            return False
    return True


def _has_gpu() -> bool:
    from sdm import _sdm

    return not _sdm.cuda_missing()


def _uploaded(view: arrays.ArrayView) -> arrays.ArrayView:
    """A dense copy on the GPU."""
    from sdm import device

    return dataclasses.replace(device.upload(words(view)), dtype=view.dtype)


def _downloaded(view: arrays.ArrayView) -> arrays.ArrayView:
    from sdm import device

    return dataclasses.replace(arrays.view(device.download(view)), device="cpu")
