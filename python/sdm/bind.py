"""A kernel bound to operands: checked once, compiled, scratch planes owned; then launched as often as wanted."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping

from sdm import arrays, compile, operand_checks, options, streams
from sdm.combining import can_wait
from sdm.compile import Specialisation
from sdm.errors import OperandError
from sdm.frontend.specs import RowsSpec
from sdm.operands import Operands, can_be_staged, firsts_of, gather, other_list
from sdm.program import Program, program
from sdm.schedule import parts_of


class Bound:
    """Operands that fit a kernel, ready to launch. `chunks`: all chunks that the records hold; `program`: the compiled kernel; `outline`:
    operands of the same shapes, types and device, for what depends on nothing else."""

    def __init__(self, kernel, operands: Operands, *, target: str = "", schedule=(), check: bool = False, pdl=(), step=None):
        self.kernel, self.operands, self.outline, self.check = kernel, operands, operands, check
        self.target = self._target(target)
        self.schedule = parts_of(schedule, [operand.name for operand in operands.present], operands.specs)
        self.chunks = _all_chunks(operands)
        self.step = len(self.chunks) if step is None else step
        self.early = self._early(pdl)
        self.program = self._program(self.early)
        artifact = self.program.artifact
        operand_checks.check(operands, artifact.accesses)
        self.planes = self._planes()
        self.scratch = self.allocated()
        self.buffer = self.program.template(operands.present, self.scratch, self.chunks.start)
        self.program.load(operands.present)
        # Chunks whose planes are not yet added, all that were ever launched, and those that plans launch unseen.
        self.pending: list[range] = []
        self.launched: list[range] = []
        self.planned: list[range] = []
        # What plans are but for the addresses, by what was asked for.
        self.recipes: dict = {}

    def launch(self, chunks: range | None = None, stream=None, pdl=False, first_chunk=None, records=None) -> None:
        """All walks of the kernel over a range of chunks (None: all).

        stream: a number or an object of torch or cupy; None: the device's current one. pdl: the kernel may start before the previous
        one on the stream is done: True when that one writes none of the records, or names of all operands that it does not write.
        first_chunk: other first chunks than those bound, by operand; records: other lists of the same layouts, by operand.
        """
        chunks = self.chunks if chunks is None else self._range(chunks)
        loaded = self.program
        if pdl and pdl is not True:
            loaded = self._program(self._early(pdl))
        buffer, operands = self.buffer, self.operands
        if first_chunk or records:
            operands, buffer = self._moved(firsts_of(first_chunk), _lists(records))
        operand_checks.check_chunks(operands, loaded.artifact.accesses, chunks)
        if self.check:
            from sdm.promises import verify

            verify(self.kernel.name, operands, loaded.artifact.accesses, chunks)
        where = streams.current(operands, stream, self.scratch)
        if options.current().capture and len(chunks):
            from sdm import capture

            capture.save(self, operands, loaded.artifact, chunks, options.current().capture)
        for number in range(loaded.artifact.walks):
            loaded.start(number, buffer, operands.present, chunks, where, bool(pdl))
        if not self.scratch or not len(chunks):
            return
        if operands is self.operands or can_wait(self.operands, operands, loaded.artifact.accesses):
            self.pending.append(chunks)
            self.launched = joined([*self.launched, chunks])
        else:
            self._combine(chunks, buffer, operands, where)

    def done(self, stream=None) -> None:
        """What remains after the last chunk: adds the slices' planes of what was launched since the last `done`, and of all chunks of
        recorded plans (once more of all that was launched, if there is neither)."""
        if not self.scratch:
            return
        where = streams.current(self.outline, stream, self.scratch)
        for chunks in joined([*self.pending, *self.planned]) or self.launched:
            self._combine(chunks, self.buffer, self.outline, where)
        self.pending = []

    def _combine(self, chunks: range, buffer: bytearray, operands: Operands, where: int) -> None:
        """Adds the slices' planes of some chunks into the cells."""
        for number in range(self.program.artifact.walks, len(self.program.launches)):
            self.program.start(number, buffer, operands.present, chunks, where, False)

    def plan(self, chunks: range, steps: int, repeated: tuple[str, ...] = (), pdl: bool = False):
        """A launch over `chunks`, recorded once, to be issued from C or C++ for steps 0 .. steps - 1, each len(chunks) chunks further.

        Returns (plan, address): a CPU array of uint8 (a tensor where operands are tensors) and the address of
        `int64 f(const void* plan, int64 bytes, int64 ti, int64 pdl, void* stream)`, which answers 0, a negative number or the driver's
        error (`lib/Runtime/Plan.h`); None where a step is more than one launch (several walks, check mode). The plan is good in this
        process, in the context that is current now, while this object lives. On the CPU the function returns when the step is done.
        repeated: operands of which every step has the same chunks; pdl: steps may start before the previous kernel is done. `done`
        comes after the last step as after `launch`. Errors: OperandError for chunks or names that are not there.
        """
        from sdm import plans

        chunks = self._range(chunks)
        found = plans.record(self, chunks, steps, repeated, pdl)
        if found is not None and self.scratch and steps:
            self.planned = joined([*self.planned, range(chunks.start, chunks.start + steps * len(chunks))])
        return found

    def _target(self, target: str) -> str:
        """The target that was asked for, or the device's own. Errors: OperandError for code that cannot run where the arrays are."""
        device = self.operands.device
        if target and (target == "host") != (device == "cpu"):
            raise OperandError(f"target: expected {'host' if device == 'cpu' else 'a chip'} for arrays on {device}, got {target!r}")
        return target or target_of(device)

    def _program(self, early: tuple[int, ...]) -> Program:
        artifact = compile.compiled(self.kernel, self._specialisation(early))
        return program(artifact, arrays_index(self.operands.device))

    def _specialisation(self, early: tuple[int, ...]) -> Specialisation:
        extents = () if self.target == "host" else extents_of(self.operands)
        specs, own = tuple(self.operands.specs.items()), is_own_code(self.operands.device, self.target)
        staged = self.target == "host" or all(can_be_staged(operand) for operand in self.operands.present)
        schedule = self.schedule if staged else (*self.schedule, "nest")  # which reads records one by one, at any address
        positions = 0 if self.target == "host" else positions_of(self.operands, self.step)
        return Specialisation(specs, self.target, schedule, extents, early, own, _far(self.operands), positions)

    def _early(self, pdl) -> tuple[int, ...]:
        """Numbers of the operands that `pdl` names; True names the records. On the CPU there are none."""
        if not pdl:
            return ()
        if pdl is True:
            return tuple(i for i, operand in enumerate(self.operands.present) if operand.records is not None)
        numbers = []
        for name in (pdl,) if isinstance(pdl, str) else pdl:
            found = self.operands.numbers(name)
            numbers += found
            if not found and name not in self.operands.specs:
                raise OperandError(f"pdl: expected names of operands, got {name!r}")
        return () if self.target == "host" else tuple(sorted(numbers))

    def _range(self, chunks) -> range:
        if not isinstance(chunks, range) or chunks.step != 1:
            raise OperandError(f"chunks: expected a range without a step, got {chunks!r}")
        return chunks

    def _moved(self, first_chunk: dict[str, int], records: dict) -> tuple[Operands, bytearray]:
        """Operands and argument buffer with other first chunks, or other records of the same type and size."""
        present, buffer = list(self.operands.present), bytearray(self.buffer)
        for name in {**first_chunk, **records}:
            numbers = self.operands.numbers(name)
            if not numbers and name not in self.operands.specs:
                raise OperandError(f"first_chunk: expected names of operands, got {name!r}")
            for number in numbers:
                if name in records:
                    present[number] = other_list(present[number], records[name])
                if name in first_chunk:
                    present[number] = dataclasses.replace(present[number], first_chunk=first_chunk[name])
                if self.program.launches:
                    self.program.rebase(buffer, number, present[number], present[number].first_chunk)
        moved = dataclasses.replace(self.operands, present=tuple(present))
        operand_checks.check_moved(moved, self.program.artifact.accesses, {self.operands.number(name) for name in records})
        return moved, buffer

    def _planes(self) -> tuple[tuple[int, int, int], ...]:
        """The shapes of the scratch operands, each f32 [slices, chunks, n]."""
        description, first = self.program.description, len(self.operands.present)
        slices = {item["argument"]: item["slices"] for item in description["scratch"]}
        walked = self.operands.present[self.program.launches[0]["operand"]].view if slices else None
        numbers = range(first, len(description["arguments"]))
        return tuple((slices[number], len(self.chunks), walked.shape[1]) for number in numbers)

    def allocated(self) -> tuple[arrays.ArrayView, ...]:
        """New scratch operands, where the operands are."""
        return tuple([streams.empty(self.outline, shape) for shape in self.planes])


def _lists(records) -> dict:
    if records is not None and not isinstance(records, Mapping):
        raise OperandError(f"records: expected a dictionary from operands' names to record lists, got {records!r}")
    return dict(records or {})


def arrays_index(device: str) -> int:
    return -1 if device == "cpu" else int(device.partition(":")[2])


@functools.cache
def target_of(device: str) -> str:
    """The compiler's target for arrays on a device."""
    if device == "cpu":
        return "host"
    from sdm import _sdm

    info = _sdm.device_info(arrays_index(device))
    chip, note = _sdm.nearest_chip(info["major"], info["minor"])
    if not chip:
        raise OperandError(f"{device}: expected a GPU of capability 8.0 or newer, got {info['name']} of {info['major']}.{info['minor']} ({note})")
    return chip


@functools.cache
def features_of(device: str) -> frozenset[str]:
    """What the chip of a device has, by the chip table's names; nothing for the CPU."""
    from sdm import _sdm

    return frozenset() if device == "cpu" else frozenset(_sdm.chip_features(target_of(device)))


@functools.cache
def is_own_code(device: str, target: str) -> bool:
    """Whether machine code for a target runs on a device; for other chips the driver is given PTX."""
    if device == "cpu":
        return True
    from sdm import _sdm

    info = _sdm.device_info(arrays_index(device))
    return target == f"sm_{info['major']}{info['minor']}"


def _all_chunks(operands: Operands) -> range:
    lists = [operand for operand in operands.present if operand.records is not None]
    if not lists:
        return range(1)
    first = lists[0].first_chunk
    return range(first, first + lists[0].view.shape[0])


def extents_of(operands: Operands) -> tuple[tuple[int, int, int], ...]:
    """Rounded extents of the last index axis of rows: whether a slab of them can stay on chip."""
    found = []
    for number, operand in enumerate(operands.present):
        if isinstance(operand.spec, RowsSpec):
            axis = operand.spec.rank - 2
            extent = compile.rounded(operand.view.shape[axis])
            if extent is not None:
                found.append((number, axis, extent))
    return tuple(found)


def joined(ranges: list[range]) -> list[range]:
    """The same chunks in as few ranges as there can be."""
    found: list[range] = []
    for part in sorted(ranges, key=lambda r: r.start):
        if found and part.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, part.stop))
        else:
            found.append(part)
    return found


def bind(kernel, *arguments, schedule=(), check=None, first_chunk=None, pdl=(), target="", step=None, **keywords) -> Bound:
    """Checks operands, compiles, allocates scratch. Errors: OperandError, CompileError, ScheduleError; nothing is written.

    schedule: an `sdm.Schedule`, or its parts as text ("nest", "warps=4", "tokens=ring"); step: chunks of a usual launch, where that is not all of them: the schedule is picked for it.
    """
    operands = gather(kernel, arguments, keywords, first_chunk)
    check = options.current().check if check is None else bool(check)
    return Bound(kernel, operands, target=target, schedule=schedule, check=check, pdl=pdl, step=step)


def _far(operands: Operands) -> bool:
    """Whether a stride does not fit 31 bits."""
    return any(abs(stride) >= 1 << 31 for operand in operands.present for view in operand.views for stride in view.strides)


def positions_of(operands: Operands, chunks: int) -> int:
    """Positions of a launch over that many chunks, or the longest operand's rows where there are no records, rounded up."""
    lists = [operand.view.shape[1] * chunks for operand in operands.present if operand.records is not None]
    rows = [operand.view.shape[0] for operand in operands.present if isinstance(operand.spec, RowsSpec)]
    return compile.rounded_positions(max(lists or rows, default=0))
