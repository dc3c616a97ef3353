"""The CPU as a GPU at its worst: a kernel compiled for a chip, its scheduled form run lane by lane on numpy operands.

Every fault (a missing wait or barrier, two writers, an access out of bounds, ...) is reported by operation and source line; see `lib/Lanes`.
"""

from __future__ import annotations

import dataclasses
import random
import threading

from sdm import accesses, compile, options, tiling
from sdm.bind import Bound
from sdm.compile import Specialisation
from sdm.operands import Operand, gather
from sdm.program import Program

# Tiles of a launch, at most: enough for several CTAs, few enough to be quick.
MOST_TILES = 48
TILE_LENGTHS = (1, 2, 5, 8, 19, 32, 64, 200)


@dataclasses.dataclass(frozen=True)
class Fault:
    """kind: "in flight", "refill", ... (`lib/Lanes/Faults.h`); sites: (file, line, column), the place itself first."""

    kind: str
    message: str
    operation: str
    sites: tuple[tuple[str, int, int], ...]

    def __str__(self) -> str:
        place = ", ".join(f"{file}:{line}" for file, line, _ in self.sites) or "?"
        return f"{place}: {self.kind}: {self.message}\n    {self.operation}"


class LanesFault(RuntimeError):
    """A scheduled kernel did what a GPU does not forgive. `faults`: all that were found before the run ended."""

    def __init__(self, entry: str, seed: int, faults: tuple[Fault, ...]):
        super().__init__("\n".join([f"{entry}, seed {seed}:", *map(str, faults)]))
        self.entry, self.seed, self.faults = entry, seed, faults


@dataclasses.dataclass(frozen=True)
class Scheduled:
    """A kernel compiled up to its scheduled form: what `compile.Artifact` is to machine code."""

    name: str
    description: dict
    accesses: tuple[accesses.Access, ...]
    walks: int
    text: str
    kind: str = "lanes"


def scheduled(kernel, specialisation: Specialisation) -> Scheduled:
    """Compiles without assembling. Errors: CompileError (the kernel), ScheduleError (its schedule), CompilerError (the compiler)."""
    from sdm.frontend import build

    tree = build.read(kernel, dict(specialisation.specs))
    text = kernel.build(dict(specialisation.specs)).text(locations=True)
    walks = sum(operation.name in ("sdm.walk", "sdm.each_row", "sdm.each_record") for operation in tree.regions[0].operations)
    chosen = options.current()
    result = compile.compile_text(text, specialisation, chosen, kernel.name, until="scheduled", locations=True)
    description = {**compile.NOTHING, **result["description"]}
    return Scheduled(kernel.name, description, accesses.of(tree), walks, result["stages"]["scheduled"])


class LanesProgram(Program):
    """A scheduled kernel with the interpreter as its device. seed: order of CTAs and warps, tile lengths; late: copies land at the last
    moment that waits allow, otherwise at a seeded earlier one. module: another scheduled form of the same kernel."""

    def __init__(self, artifact: Scheduled, seed: int, late: bool, module=None, most_faults: int = 4):
        from sdm import _sdm

        self.artifact, self.device_index = artifact, -1
        self.description = artifact.description
        self.launches = self.description["launches"]
        self.module = module or _sdm.Module.parse(artifact.text, f"{artifact.name}.mlir")
        self.seed, self.late, self.most_faults = seed, late, most_faults
        self.scratch_ranges: list[tuple[int, int, int, int]] = []
        self.operations = 0

    def template(self, operands, scratch, first_chunk):
        numbers = range(len(operands), len(operands) + len(scratch))
        self.scratch_ranges = [(number, 1, first_chunk, view.shape[1]) for number, view in zip(numbers, scratch)]
        return super().template(operands, scratch, first_chunk)

    def load(self, operands) -> None:
        pass

    def cut(self, number: int, operands, chunks: range) -> tiling.Tiling:
        """Tiles of a seeded length, so that groups are cut at other places with each seed."""
        launch = self.launches[number]
        by_rows = launch["domain"] == "rows"
        positions, count = operands[launch["operand"]].view.shape[0 if by_rows else 1], 1 if by_rows else len(chunks)
        if positions <= 0 or count <= 0:
            return tiling.Tiling(1, 0)
        length = max(random.Random(self.seed * 7919 + number).choice(TILE_LENGTHS), -(-positions // MOST_TILES))
        warps = launch["warps"]
        return tiling.Tiling(length, -(-(-(-positions // length)) // warps) * warps)

    def start(self, number: int, buffer: bytearray, operands, chunks: range, stream: int, programmatic: bool) -> None:
        from sdm import _sdm

        grid = self.grid(number, operands, chunks)
        if not grid.units:
            return
        result = _sdm.run_on_lanes(
            self.module,
            grid.entry,
            grid.arguments(buffer),
            seed=self.seed,
            late=self.late,
            shared_bytes=grid.shared,
            ranges=[*_ranges(operands), *self.scratch_ranges],
            early=self.description.get("early", []),
            most_faults=self.most_faults,
        )
        self.operations += result["operations"]
        if result["faults"]:
            found = tuple(Fault(kind, message, text, tuple(sites)) for kind, message, text, sites in result["faults"])
            raise LanesFault(grid.entry, self.seed, found)


def _ranges(operands: tuple[Operand, ...]) -> list[tuple[int, int, int, int]]:
    """The first axis of each array: the chunks that it holds, or all its rows."""
    return [
        (number, 0, operand.first_chunk, operand.view.shape[0])
        for number, operand in enumerate(operands)
        if operand.views and operand.view.rank
    ]


_memo: dict[tuple, Scheduled] = {}
_guard = threading.Lock()


class LanesBound(Bound):
    """A kernel bound to CPU operands that runs on lanes: `launch` and `done` as `Bound`. Errors of both: LanesFault."""

    def __init__(self, kernel, operands, *, target: str, schedule=(), seed: int = 0, late: bool | None = None, module=None, **options):
        self.seed, self.module = seed, module
        self.late = seed % 2 == 0 if late is None else late
        super().__init__(kernel, operands, target=target, schedule=schedule, **options)

    def _target(self, target: str) -> str:
        return target

    def _program(self, early: tuple[int, ...]) -> LanesProgram:
        specialisation = self._specialisation(early)
        key = (self.kernel.fingerprint(), self.kernel.name, specialisation)
        with _guard:
            if key not in _memo:
                _memo[key] = scheduled(self.kernel, specialisation)
        return LanesProgram(_memo[key], self.seed, self.late, self.module)


def bind(kernel, *arguments, target: str = "sm_90", schedule=(), seed: int = 0, late: bool | None = None, first_chunk=None, pdl=(),
         module=None, **keywords) -> LanesBound:  # fmt: skip
    """Binds CPU operands. late None: even seeds land copies at the last moment, odd ones earlier. Errors: as `sdm.bind.bind`."""
    operands = gather(kernel, arguments, keywords, first_chunk)
    return LanesBound(kernel, operands, target=target, schedule=schedule, seed=seed, late=late, pdl=pdl, module=module)


def run(kernel, *arguments, chunks: range | None = None, **options) -> LanesBound:
    """bind, launch, done; what the kernel writes is written in place. Returns the bound kernel. Errors: LanesFault."""
    bound = bind(kernel, *arguments, **options)
    bound.launch(chunks)
    bound.done()
    return bound
