"""A random kernel, its text in a file, run on the host, on lanes and by its meaning; differences are told by element."""

from __future__ import annotations

import importlib.util
import random

import numpy as np

from generated import data, kernels, trees
from generated.meaning import Meaning
from generated.program import Program
from generated.schedules import Schedule, chosen
from sdm import bind, lanes
from sdm.errors import CompilerError

# What the compiler says of a schedule that a walk cannot have.
REFUSALS = ("expected a whole walk", "expected the nest form", "expected another placement", "of shared memory", "columns in a whole walk", "rows in registers that fit")


class Difference(AssertionError):
    pass


class Case:
    def __init__(self, program: Program, folder):
        self.program, self.rng = program, np.random.default_rng(program.seed)
        path = folder / f"generated_{program.seed}.py"
        path.write_text(program.text)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.kernel = module.k
        self.items, self.decoded = data.items(self.rng, program, module.Item)
        self.tables = data.tables(self.rng, program)
        written = {statement.target for statement in trees.statements(program.walks) if isinstance(statement, trees.Store)}
        self.written = [operand for operand in program.operands if operand.name in written]

    def run(self, binder) -> dict:
        """What a run writes, by name."""
        arguments = {operand.name: data.placed(operand, self.tables[operand.name]) for operand in self.program.operands}
        bound = binder(self.kernel, self.items, **arguments)
        for part in [range(c, c + 1) for c in bound.chunks] if self.program.apart else [None]:
            bound.launch(part)
        bound.done()
        return {operand.name: arguments[operand.name] for operand in self.written}

    def meant(self) -> dict:
        arrays = {name: value.copy() if hasattr(value, "copy") else value for name, value in self.tables.items()}
        arrays = {name: np.reshape(value, 1) if isinstance(value, np.float32) else value for name, value in arrays.items()}
        Meaning(self.program, arrays, self.decoded).run()
        return {operand.name: arrays[operand.name] for operand in self.written}

    def on_lanes(self, chip: str, schedule: Schedule, seed: int) -> dict:
        """On sm_90 some of what is only read is early: it may be read before the wait for the previous kernel, nothing else may."""
        rng, read = random.Random(seed), [operand.name for operand in self.program.operands if operand.axes and operand not in self.written]
        early = [name for name in ("items", *read) if rng.random() < 0.5] if chip == "sm_90" else ()
        return self.run(lambda *a, **k: lanes.bind(*a, target=chip, schedule=schedule, seed=seed, pdl=tuple(early), **k))

    def takes(self, chip: str, schedule: Schedule) -> bool:
        """Whether a schedule is legal. Errors: any failure of the compiler that is no refusal."""
        arguments = {operand.name: data.placed(operand, self.tables[operand.name]) for operand in self.program.operands}
        try:
            lanes.bind(self.kernel, self.items, **arguments, target=chip, schedule=schedule)
        except CompilerError as error:
            if not any(refusal in str(error) for refusal in REFUSALS):
                raise
            return False
        return True

    def loaded(self) -> tuple[int, ...]:
        """The numbers of the operands whose rows the kernel loads, as the compiled kernel counts its arguments."""
        found: set[str] = set()

        def note(node) -> None:
            if node.op == "load" and node.type == "row":
                found.add(node.value)
            for part in node.args:
                note(part)

        for statement in trees.statements(self.program.walks):
            if getattr(statement, "value", None) is not None:
                note(statement.value)
            if getattr(statement, "plus", False) and self.program.find(statement.target).kind == "rows":
                found.add(statement.target)
        return tuple(number for number, operand in enumerate(self.program.operands, 1) if operand.name in found)

    def schedules(self, chip: str = "sm_90") -> list[Schedule]:
        return chosen(random.Random(self.program.seed), self.loaded(), lambda schedule: self.takes(chip, schedule))

    def compare(self, name: str, got: dict, want: dict) -> None:
        """Errors: Difference with the kernel's text and the first differing element."""
        for operand in self.written:
            mine, theirs = (np.ascontiguousarray(data.bits_of(arrays[operand.name])) for arrays in (got, want))
            at = np.argwhere(mine != theirs)
            if len(at):
                place, digits = tuple(map(int, at[0])), 2 * mine.itemsize
                raise Difference(
                    f"seed {self.program.seed}, {name}: {operand.name}{list(place)} is 0x{mine[place]:0{digits}X}, "
                    f"expected 0x{theirs[place]:0{digits}X} ({len(at)} elements differ)\n{self.told()}"
                )

    def told(self) -> str:
        program = self.program
        return f"{program.sizes} packed={program.packed} groups={program.shape} invalid={program.invalid}\n{program.text}"


def check(seed: int, folder, most: int = 1 << 30, chips=("sm_80", "sm_90"), by_meaning: bool = True) -> int:
    """Runs a kernel in every way; returns how many schedules. most: of its schedules, spread over all; each chip runs every one of
    them, or they take turns where there are few. Errors: Difference."""
    case = Case(kernels.program(seed), folder)
    try:
        want = case.run(bind.bind)
        if by_meaning:
            case.compare("host against numpy", want, case.meant())
        found = case.schedules()
        if len(found) > most:
            found = [found[number * len(found) // most] for number in range(most)]
        turns = [(number, schedule, chip) for number, schedule in enumerate(found) for chip in chips]
        if len(found) == most:
            turns = [turn for turn in turns if turn[2] == chips[turn[0] % len(chips)]]
    except Difference:
        raise
    except Exception as error:
        raise Difference(f"seed {seed}: {type(error).__name__}: {error}\n{case.told()}") from error
    for number, schedule, chip in turns:
        name = f"{chip} {' '.join(schedule)}"
        try:
            if not case.takes(chip, schedule):  # shared memory is another
                continue
            got = case.on_lanes(chip, schedule, seed + number)
        except Exception as error:
            raise Difference(f"seed {seed}, {name}: {type(error).__name__}: {error}\n{case.told()}") from error
        case.compare(name, got, want)
    return len(found)
