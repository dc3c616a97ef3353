"""Bytes that a launch must move, from what the kernel does with its operands: so many for each record, group, row."""

from __future__ import annotations

import dataclasses

from sdm.accesses import Access
from sdm.frontend.specs import CellsSpec, RowsSpec

# Of how many things an access has one, in the order in which totals name them.
UNITS = ("record", "group", "row", "distinct row", "chunk", "launch")


@dataclasses.dataclass(frozen=True)
class Move:
    """bytes for each of `unit` (UNITS): what a perfect cache would leave. note: what the kernel's text does not say."""

    operand: str
    what: str
    bytes: int
    unit: str
    note: str = ""


def of_walk(walk: int, accesses: tuple[Access, ...], names: list[str], specs: dict, walked: int) -> list[Move]:
    """What one walk of the kernel moves. names: the operands by number; walked: the operand that it walks."""
    spec = specs[names[walked]]
    moves = [] if isinstance(spec, RowsSpec) else [_records(names[walked], spec)]
    for access in accesses:
        if access.walk == walk:
            move = _move(access, names[access.operand], specs[names[access.operand]])
            if move not in moves:
                moves.append(move)
    return moves


def of_combining(names: list[str], specs: dict, walked: int, slices: int, stored: list[Access]) -> list[Move]:
    """What the launch that adds the slices' planes moves: stored: the cells that the walk gave to the planes."""
    moves = [_records(names[walked], specs[names[walked]]), Move("planes", "read", 4 * slices, "record")]
    return moves + [Move(names[access.operand], "write", 4, "record") for access in stored]


def total(moves: list[Move]) -> dict[str, int]:
    """Bytes for each unit, without those that are none."""
    sums = {unit: sum(move.bytes for move in moves if move.unit == unit) for unit in UNITS}
    return {unit: size for unit, size in sums.items() if size}


def bounds(moves: list[Move], counts: dict[str, int], rows: dict[str, int]) -> tuple[int, int]:
    """Fewest and most bytes: all records in one group that names one row; each record a group that names rows of its own, of which there
    are no more than the operands have. counts: of units that are known ("record" or "row" among them); rows: of operands, by name."""
    most = counts.get("record", counts.get("row", 0))
    groups = min([most, *(rows[move.operand] for move in moves if move.unit == "group" and move.operand in rows)])
    low = high = 0
    for move in moves:
        distinct = min(most, rows.get(move.operand, most))
        known = {**counts, "group": groups, "distinct row": distinct}
        high += move.bytes * known[move.unit]
        low += move.bytes * (known[move.unit] if move.unit in counts else min(1, most))
    return low, high


def _records(name: str, spec) -> Move:
    return Move(name, "read", sum(spec.layout.planes), "record")


def _move(access: Access, name: str, spec) -> Move:
    size = spec.bytes if isinstance(spec, RowsSpec) else spec.dtype.size
    unit, note = _unit(access)
    if isinstance(spec, CellsSpec) and unit == "distinct row":
        unit, note = "record", "at most: records that read the same cell share it"
    if access.guarded:
        note = "; ".join(filter(None, (note, "at most: under a condition")))
    return Move(name, "write" if access.store else "read", size, unit, note)


def _unit(access: Access) -> tuple[str, str]:
    kinds = {place.kind for place in access.indices}
    if access.store:
        return ("record" if access.member else "group") if "row" not in kinds else "row", ""
    if "row" in kinds:
        return "row", ""
    if kinds & {"index", "pos"}:
        return ("record" if access.member else "group"), ""
    if kinds & {"field", "other", "size", "valid"}:
        return "distinct row", "each once; read again by every " + ("record" if access.member else "group") + " that names it"
    if kinds & {"key", "ordinal"}:
        return "group", ""
    return ("chunk" if "chunk" in kinds else "launch"), ""
