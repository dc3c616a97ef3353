"""A captured launch again: structured on the host, scheduled on lanes, from any pass on; the bits of both compared."""

from __future__ import annotations

import dataclasses
import pathlib

import numpy as np

from sdm import arrays, capture, compile, options
from sdm.capture import Capture
from sdm.lanes import LanesProgram, Scheduled
from sdm.operands import Operand
from sdm.program import Program

FIRST, LAST = "sdm-tile-walk", "sdm-lower-copies"


@dataclasses.dataclass(frozen=True)
class Difference:
    """The first element that differs, both as words."""

    operand: str
    index: tuple[int, ...]
    lanes: int
    host: int
    count: int
    digits: int

    def __str__(self) -> str:
        place = ", ".join(map(str, self.index))
        return (f"{self.operand}[{place}] is 0x{self.lanes:0{self.digits}X} on lanes, 0x{self.host:0{self.digits}X} on the host "
                f"({self.count} elements differ)")  # fmt: skip


class Replay:
    """One capture. target: the chip (default: the capture's own, sm_90 for one of the CPU); schedule: parts instead of the captured ones."""

    def __init__(self, place: pathlib.Path, target: str = "", schedule: tuple[str, ...] | None = None):
        from sdm.schedule import parts_of

        self.place, self.captured = place, capture.load(place)
        asked = self.captured.specialisation
        chip = target or (asked.target if asked.target != "host" else "sm_90")
        if schedule is not None:
            asked = dataclasses.replace(asked, schedule=parts_of(schedule, list(self.captured.names)))
        # Operand types are in the text; names make sentences.
        specs = tuple((name, None) for name in self.captured.names)
        self.asked = dataclasses.replace(asked, target=chip, specs=specs)
        self.result = self._compiled(self.captured, self.asked, until="scheduled", locations=True)

    @staticmethod
    def _compiled(captured: Capture, asked, **more) -> dict:
        return compile.compile_text(captured.text, asked, options.current(), captured.name, **more)

    @property
    def passes(self) -> list[str]:
        """The passes up to the scheduled form, as text with their options, in order."""
        return split(self.result["pipeline"])

    def choices(self) -> list[str]:
        """The passes that a replay can start behind."""
        names = [part.partition("{")[0] for part in self.passes]
        return [name for name in names[names.index(FIRST) : names.index(LAST) + 1] if name.startswith("sdm-")]

    def after(self, name: str) -> str:
        """The module as it stands behind a pass. Errors: ValueError for no such pass."""
        return self._run(self.captured.text, self.passes[: self._end(name)])

    def scheduled(self, name: str = "", text: str = "") -> str:
        """The scheduled form: the compiler's own, or what the passes behind `name` make of a module (default: of what stands there)."""
        if not name:
            return self.result["stages"]["scheduled"]
        return self._run(text or self.after(name), self.passes[self._end(name) :])

    def difference(self, scheduled: str, seed: int) -> Difference | None:
        """Runs both; None when all that the kernel writes is equal. Errors: LanesFault."""
        captured, description = self.captured, {**compile.NOTHING, **self.result["description"]}
        program = LanesProgram(Scheduled(captured.name, description, (), captured.walks, scheduled), seed, seed % 2 == 0)
        mine = capture.load(self.place).operands
        _launch(program, mine, captured)
        host = dataclasses.replace(self.asked, target="host", extents=(), early=(), positions=0)
        built = self._compiled(captured, host)
        artifact = compile.Artifact(captured.name, {**compile.NOTHING, **built["description"]}, built["image"], "object", (), captured.walks, captured.text)
        theirs = capture.load(self.place).operands
        _launch(Program(artifact, -1), theirs, captured)
        for number in captured.written:
            found = _compare(mine[number], theirs[number])
            if found is not None:
                return found
        return None

    def _end(self, name: str) -> int:
        if name not in self.choices():
            raise ValueError(f"expected a pass of {', '.join(self.choices())}, got {name!r}")
        return next(index for index, part in enumerate(self.passes) if part.partition("{")[0] == name) + 1

    def _run(self, text: str, passes: list[str]) -> str:
        from sdm import _sdm

        module = _sdm.Module.parse(text, f"{self.captured.name}.mlir")
        _sdm.run_pipeline(module, ",".join(passes))
        return module.text(locations=True)


def split(pipeline: str) -> list[str]:
    """The passes of a pipeline's text: cut at commas outside of all braces."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(pipeline):
        depth += (char in "{(") - (char in "})")
        if char == "," and depth == 0:
            parts.append(pipeline[start:index])
            start = index + 1
    return [part for part in [*parts, pipeline[start:]] if part]


def _launch(program: Program, operands: tuple[Operand, ...], captured: Capture) -> None:
    """All walks over the captured chunks, then what adds their slices."""
    if not program.launches:
        return
    chunks, walked = captured.chunks, operands[program.launches[0]["operand"]].view
    scratch = tuple(_plane((item["slices"], len(chunks), walked.shape[1])) for item in program.description["scratch"])
    buffer = program.template(operands, scratch, chunks.start)
    for number in range(len(program.launches)):
        program.start(number, buffer, operands, chunks, 0, False)


def _plane(shape: tuple[int, ...]) -> arrays.ArrayView:
    return arrays.view(np.full(shape, np.nan, np.float32))


def _compare(mine: Operand, theirs: Operand) -> Difference | None:
    from sdm.verify import words

    for left, right in zip(mine.views, theirs.views):
        a, b = words(left), words(right)
        at = np.argwhere(a != b)
        if len(at):
            place = tuple(map(int, at[0]))
            return Difference(mine.name, place, int(a[place]), int(b[place]), len(at), 2 * a.itemsize)
    return None
