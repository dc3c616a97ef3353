"""One wait, barrier, mask or publication of a scheduled module removed or weakened at a time."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import Iterator

# Operations without results: gone as a whole.
REMOVED = (
    "sdm.commit", "sdm.wait_group", "sdm.wait_parity", "sdm.cta_barrier", "sdm.warp_barrier", "sdm.barrier_init", "sdm.expect_tx",
    "sdm.dependency_wait", "sdm.copy_record", "sdm.copy_shared", "sdm.copy_bulk", "sdm.copy_async",
)  # fmt: skip
TRUE, FALSE = "%mutated_true", "%mutated_false"
NUMBERS = ("%mutated_zero", "%mutated_one")


def mutants(text: str) -> Iterator[tuple[str, str]]:
    """(name, module text). Names count the operations of a kind from 0: "remove sdm.warp_barrier 1"."""
    lines = text.splitlines()
    counts: Counter[str] = Counter()
    for at, line in enumerate(lines):
        name = next((word for word in ("scf.if", "sdm.store_cell", *REMOVED) if line.lstrip().startswith(word + " ") or line.strip() == word), None)
        name = name or ("sdm.load_piece" if " = sdm.load_piece " in line and " where " in line else None)
        if name is None:
            continue
        number = counts[name]
        counts[name] += 1
        for what, changed in _changes(name, line):
            yield f"{what} {name} {number}", "\n".join(_with_constants([*lines[:at], changed, *lines[at + 1 :]]))


def _with_constants(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if line.lstrip().startswith("func.func @"):
            yield from (f"    {TRUE} = arith.constant true", f"    {FALSE} = arith.constant false")
            yield from (f"    {name} = arith.constant {number} : i32" for number, name in enumerate(NUMBERS))


def _changes(name: str, line: str) -> Iterator[tuple[str, str]]:
    if name in REMOVED:
        yield "remove", ""
    if name == "sdm.wait_group":
        yield "weaken", re.sub(r"wait_group (\d+)", lambda m: f"wait_group {int(m[1]) + 1}", line)
    if name == "sdm.wait_parity":
        for number, value in enumerate(NUMBERS):
            yield f"parity {number} in", re.sub(r", %[\w#]+", f", {value}", line)
    if name == "sdm.store_cell" and " where " in line:
        yield "unmask", re.sub(r" where %\w+", "", line)
    if name == "sdm.load_piece":
        for what, value in (("open", TRUE), ("close", FALSE)):
            yield f"{what} mask of", re.sub(r" where %[\w#]+", f" where {value}", line)
    if name == "sdm.copy_record":
        yield "unmask", re.sub(r"exists %\w+", f"exists {TRUE}", line)
    if name == "sdm.copy_shared":
        masks = re.search(r" where ((?:%[\w#]+(?:, )?)+)", line)
        found = masks[1].split(", ")
        pieces, first = re.search(r"pieces = array<i64: ([\d, ]+)>", line)[1], int(re.search(r"first = (\d+)", line)[1])
        starts = [0, *itertools.accumulate(map(int, pieces.split(", ")))]
        for number in range(len(found)):
            if starts[number] >= first + 32 or starts[number + 1] <= first:
                continue  # this instruction moves none of the row
            for what, value in (("open", TRUE), ("close", FALSE)):
                changed = ", ".join([*found[:number], value, *found[number + 1 :]])
                yield f"{what} mask {number} of", line.replace(masks[0], f" where {changed}")
    if name == "scf.if":
        condition = re.match(r"\s*scf\.if (%[\w#]+)", line)
        yield "always", line.replace(f"scf.if {condition[1]} ", f"scf.if {TRUE} ", 1)
        yield "never", line.replace(f"scf.if {condition[1]} ", f"scf.if {FALSE} ", 1)
