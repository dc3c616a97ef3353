"""From a kernel and the types of its operands to machine code: memory first, then disk, then the compiler."""

from __future__ import annotations

import dataclasses
import functools
import json
import pathlib
import threading

from sdm import accesses, cache, options
from sdm._version import __version__
from sdm.accesses import Access
from sdm.frontend.specs import Spec

# Index axes of rows longer than this are never kept on chip, so their length is no part of a specialisation.
LONGEST_SLAB = 4096
# More positions than this are as many to the rule that plans.
MOST_POSITIONS = 1 << 31
# What the description of a kernel without a store (all its outputs are absent) leaves out.
NOTHING = {"size": 0, "arguments": [], "launches": [], "plans": [], "reasons": [], "scratch": [], "launch_params": {}}


@dataclasses.dataclass(frozen=True)
class Specialisation:
    """What one compilation depends on besides the kernel: operand types, target, schedule, rounded extents, early operands.

    extents: (operand number, axis, extent); early: numbers of operands that the previous kernel on the stream does not write;
    assemble: machine code where ptxas is found, else PTX, which newer chips take as well; far_strides: an operand has a stride of 2^31 bytes
    or more; positions: of a whole launch (rows, where rows are walked), rounded up to a power of two, 0 where that is not known.
    """

    specs: tuple[tuple[str, Spec], ...]
    target: str
    schedule: tuple[str, ...] = ()
    extents: tuple[tuple[int, int, int], ...] = ()
    early: tuple[int, ...] = ()
    assemble: bool = True
    far_strides: bool = False
    positions: int = 0


@dataclasses.dataclass(frozen=True)
class Artifact:
    """A compiled kernel: `description` for the launcher, `image` of kind "object", "cubin" or "ptx", what the kernel does with its
    operands, how many walks it has (launches past that number combine slices), the structured text."""

    name: str
    description: dict
    image: bytes
    kind: str
    accesses: tuple[Access, ...]
    walks: int
    text: str


def rounded(extent: int) -> int | None:
    """An extent as part of a specialisation: up to a power of two; None when it is too long to matter."""
    return None if extent > LONGEST_SLAB else 1 << max(0, extent - 1).bit_length()


def rounded_positions(count: int) -> int:
    """Positions of a launch as part of a specialisation: up to a power of two, at most MOST_POSITIONS; 0 stays 0."""
    return 1 << (min(count, MOST_POSITIONS) - 1).bit_length() if count else 0


_memo: dict[tuple, Artifact] = {}
_locks: dict[tuple, threading.Lock] = {}
_guard = threading.Lock()


def compiled(kernel, specialisation: Specialisation) -> Artifact:
    """The artifact of a kernel for a specialisation. Errors: CompileError (the kernel), ScheduleError (its schedule), CompilerError (the compiler)."""
    memo_key = (kernel.fingerprint(), kernel.name, specialisation)
    with _guard:
        found = _memo.get(memo_key)
        if found is not None:
            return found
        lock = _locks.setdefault(memo_key, threading.Lock())
    with lock:
        if memo_key not in _memo:
            _memo[memo_key] = _from_disk_or_compiler(kernel, specialisation)
        return _memo[memo_key]


def _from_disk_or_compiler(kernel, specialisation: Specialisation) -> Artifact:
    from sdm.frontend import build, emit

    tree = build.read(kernel, dict(specialisation.specs))
    module = kernel.build(dict(specialisation.specs))
    text = module.text()
    walks = sum(operation.name in ("sdm.walk", "sdm.each_row", "sdm.each_record") for operation in tree.regions[0].operations)
    chosen = options.current()
    disk = cache.DiskCache.of(chosen)
    name = cache.key(__version__, _build_key(), text, specialisation.target, _machine(specialisation.target),
                     specialisation.schedule, specialisation.extents, specialisation.early, specialisation.assemble, specialisation.far_strides, specialisation.positions, chosen.code)  # fmt: skip
    # Who asks for the stages gets them of a kernel that is on disk, too.
    entry = None if chosen.dump else disk.load(name)
    if entry is None:
        with disk.building(name):
            entry = None if chosen.dump else disk.load(name)
            if entry is None:
                result = compile_text(module.text(locations=True), specialisation, chosen, kernel.name)
                entry = ({"kind": result["image_kind"], "description": result["description"]}, result["image"])
                disk.store(name, *entry)
    facts, image = entry
    description = {**NOTHING, **facts["description"]}
    return Artifact(kernel.name, description, image, facts["kind"], accesses.of(tree), walks, text)


def compile_text(text: str, specialisation: Specialisation, chosen: options.Options, name: str, **more) -> dict:
    """Runs the compiler on the kernel `name`: {"stages": {name: text}, "description": dict, "image": bytes, "image_kind": str, "phases":
    [(name, seconds)], "pipeline": str, "resources": [dict]} (`lib/Pipelines/Compile.h`). more: `until` and `locations` of the service.
    Errors: ScheduleError, CompilerError."""
    from sdm import _sdm
    from sdm.failures import failure

    try:
        result = _sdm.compile(
            text,
            specialisation.target,
            schedule=list(specialisation.schedule),
            extents=[f"{number}:{axis}:{extent}" for number, axis, extent in specialisation.extents],
            early=list(specialisation.early),
            far_strides=specialisation.far_strides,
            positions=specialisation.positions,
            assemble=specialisation.assemble,
            ptxas=chosen.ptxas,
            ptxas_folders=ptxas_folders(),
            **more,
        )
    except _sdm.DiagnosticError as error:
        dump(chosen, name, specialisation.target, dict(error.stages))
        raise failure(error, name, text, specialisation, chosen) from error
    found = dict(result)
    dump(chosen, name, specialisation.target, found["stages"])
    if isinstance(found["description"], str):
        found["description"] = json.loads(found["description"]) if found["description"] else {}
    return found


def ptxas_folders() -> list[str]:
    """Where the wheel nvidia-cuda-nvcc keeps ptxas, if it is installed."""
    import importlib.util

    folders = []
    for package in ("nvidia.cu13", "nvidia.cuda_nvcc"):
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            continue
        for place in (spec.submodule_search_locations or []) if spec else []:
            folders.append(str(pathlib.Path(place) / "bin"))
    return folders


@functools.cache
def _build_key() -> tuple:
    """What tells one build of the compiler from another; in a checkout the versions alone do not, so the file's size and time too."""
    from sdm import _sdm

    stat = pathlib.Path(_sdm.__file__).stat()
    return (_sdm.versions(), stat.st_size, stat.st_mtime_ns)


def _machine(target: str) -> str:
    """Machine code for the host is good for this processor alone; cubins need the assembler that made them only when they are made."""
    from sdm import _sdm

    return _sdm.host_machine_key() if target == "host" else ""


def dump(chosen: options.Options, name: str, target: str, stages: dict[str, str]) -> None:
    """Writes every stage to SDM_DUMP, when set."""
    if not chosen.dump:
        return
    folder = pathlib.Path(chosen.dump)
    folder.mkdir(parents=True, exist_ok=True)
    for number, (stage, text) in enumerate(stages.items()):
        (folder / f"{name}.{target}.{number}.{stage}").write_text(text)
