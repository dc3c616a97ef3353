"""Why a kernel runs as it does: the schedule and its reasons, what must move, what it needs of the chip, where compile time goes."""

from __future__ import annotations

import dataclasses
import math

from sdm import accesses, compile as compiler, options, traffic
from sdm.failures import named
from sdm.frontend.specs import RowsSpec, SortedSpec


@dataclasses.dataclass(frozen=True)
class Launch:
    """One launch. plan: of the description ({} for one that combines slices); shared: bytes of a CTA, None when an extent is not known;
    resources: what ptxas says, {} without it; blocks: CTAs on a multiprocessor, warps_of: warps
    that it holds at most; bytes: fewest and most that must move, None where the shapes are not known."""

    entry: str
    domain: str
    slices: int
    warps: int
    plan: dict
    loads: tuple[str, ...]
    reasons: tuple[str, ...]
    moves: tuple[traffic.Move, ...]
    bytes: tuple[int, int] | None
    shared: int | None
    resources: dict
    blocks: int | None = None
    warps_of: int = 0


@dataclasses.dataclass(frozen=True)
class Explanation:
    """kernel, target, launches in order; phases: (name, seconds); image: "cubin", "ptx" or "object"."""

    kernel: str
    target: str
    launches: tuple[Launch, ...]
    phases: tuple[tuple[str, float], ...]
    image: str


def explain(given, target: str, schedule=(), early=(), positions: int | None = None) -> Explanation:
    """Compiles for operand types and shapes (`sdm.cli.given.Given`) without any array. Errors: CompileError, ScheduleError, CompilerError."""
    from sdm import _sdm
    from sdm.frontend import build

    specialisation = given.specialisation(target, schedule, early, positions)
    text = given.kernel.build(given.specs).text(locations=True)
    read = accesses.of(build.read(given.kernel, given.specs))
    result = compiler.compile_text(text, specialisation, options.current(), given.kernel.name)
    description = {**compiler.NOTHING, **result["description"]}
    resources = {item["entry"]: item for item in result["resources"]}
    launches = []
    for number, launch in enumerate(description["launches"]):
        found = _launch(number, launch, description, given, read, resources.get(launch["entry"], {}), target)
        if target != "host":
            shared, registers = found.shared or 0, found.resources.get("registers", 0)
            blocks = _sdm.blocks_per_multiprocessor(target, found.warps, shared, registers)
            found = dataclasses.replace(found, blocks=blocks, warps_of=_sdm.chip_limits(target)["warps"])
        launches.append(found)
    return Explanation(given.kernel.name, target, tuple(launches), tuple(result["phases"]), result["image_kind"])


def _launch(number: int, launch: dict, description: dict, given, read, resources: dict, target: str) -> Launch:
    names, plans = given.names, description["plans"]
    walked = launch["operand"]
    plan = plans[number] if number < len(plans) else {}
    reasons = tuple(named(sentence, names) for sentence in description["reasons"][number]) if plan else ("adds the slices' planes, in slice order",)
    planes = len(description["scratch"])
    if plan:
        moves = traffic.of_walk(number, read, names, given.specs, walked)
        if planes and launch["slices"] > 1:
            moves = [_to_plane(move, launch["slices"]) if _is_reduced(move, given.specs) else move for move in moves]
    else:
        cells = [access for access in read if access.store and access.member and not isinstance(given.specs[names[access.operand]], RowsSpec)]
        moves = traffic.of_combining(names, given.specs, walked, max(item["slices"] for item in description["scratch"]), cells[:planes])
    return Launch(
        entry=launch["entry"], domain=launch["domain"], slices=launch["slices"], warps=launch["warps"], plan=plan,
        loads=tuple(f"{names[load['operand']]} ({load['phase']}): {load['placement']}" for load in plan.get("loads", ())) if target != "host" else (),
        reasons=reasons, moves=tuple(moves), bytes=_bytes(moves, given, walked), shared=_shared(launch, given), resources=resources,
    )  # fmt: skip


def _is_reduced(move: traffic.Move, specs: dict) -> bool:
    return move.what == "write" and not isinstance(specs[move.operand], RowsSpec)


def _to_plane(move: traffic.Move, slices: int) -> traffic.Move:
    return dataclasses.replace(move, operand=f"planes of {move.operand}", bytes=4 * slices)


def _shared(launch: dict, given) -> int | None:
    """Bytes of shared memory of a CTA: what the walk always needs, and its slabs at their extents."""
    total = launch.get("shared_base", 0)
    for slab in launch.get("resident", ()):
        shape = given.shapes.get(given.names[slab["operand"]])
        if shape is None:
            return None
        total += slab["row_bytes"] * shape[slab["axis"]]
    return total


def _bytes(moves: list[traffic.Move], given, walked: int) -> tuple[int, int] | None:
    shape = given.shapes.get(given.names[walked])
    if shape is None:
        return None
    counts = {"launch": 1, "row": shape[0]}
    if isinstance(given.specs[given.names[walked]], SortedSpec):
        counts = {"launch": 1, "record": math.prod(shape), "chunk": shape[0]}
    return traffic.bounds(moves, counts, {name: math.prod(shape) for name, shape in given.shapes.items()})
