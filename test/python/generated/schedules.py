"""Schedules of a random kernel: all direct, each load alone in each legal placement, and a pairwise cover of the mixes."""

from __future__ import annotations

import itertools
import random
from typing import Callable

PLACEMENTS = ("direct", "resident", "ring", "registers", "bulk_ring")
AHEAD = PLACEMENTS[2:]
UNITS, DEPTHS, WARPS = (1, 2, 4, 8), (1, 2, 3), (1, 2, 4, 8)
MOST = 32

Schedule = tuple[str, ...]


def parts(choice: dict) -> Schedule:
    """A choice of every factor as parts of a schedule. A form or slices of "" are the rule's own, walk by walk; no walk in nest form has
    rows that come ahead."""
    nest = choice["form"] == "nest"
    numbers = () if nest else (f"unit={choice['unit']}", f"depth={choice['depth']}")
    placements = sorted((number, placement) for number, placement in choice.items() if isinstance(number, int))
    placed = (f"{number}={'direct' if nest and placement in AHEAD else placement}" for number, placement in placements)
    return (*filter(None, (choice["form"], choice["slices"])), f"warps={choice['warps']}", *numbers, *placed)


def chosen(rng: random.Random, loaded: tuple[int, ...], takes: Callable[[Schedule], bool]) -> list[Schedule]:
    """Schedules that the kernel takes, at most MOST. loaded: the numbers of the operands whose rows are loaded."""
    direct = tuple(f"{operand}=direct" for operand in loaded)
    flat = "flat" if takes(("flat", *direct)) else ""
    split = "split" if takes(("split",)) else ""
    found = [(), ("nest", *direct), (*filter(None, (flat,)), "unit=4", "warps=2", *direct)]
    legal: dict[int, list[str]] = {}
    for operand in loaded:
        rest = tuple(f"{other}=direct" for other in loaded if other != operand)
        legal[operand] = ["direct"]
        for placement in PLACEMENTS[1:]:
            one = (*filter(None, (flat,)), f"warps={rng.choice((2, 4))}", f"{operand}={placement}", *rest)
            if takes(one):
                legal[operand].append(placement)
                found.append(one)
    factors = {"form": ("nest", flat), "slices": ("whole", split), "unit": UNITS, "depth": DEPTHS, "warps": WARPS, **legal}
    return [*found, *_cover(rng, factors, takes, MOST - len(found))][:MOST]


def _cover(rng: random.Random, factors: dict, takes, most: int) -> list[Schedule]:
    """Mixes until every pair of values was met, or `most` of them."""
    missing = {((a, x), (b, y)) for a, b in itertools.combinations(factors, 2) for x in factors[a] for y in factors[b]}
    found: list[Schedule] = []
    for _ in range(4 * most):
        if len(found) >= most or not missing:
            break
        tries = [{name: rng.choice(values) for name, values in factors.items()} for _ in range(12)]
        best = max(tries, key=lambda choice: len(missing & _pairs(choice)))
        missing -= _pairs(best)  # also where it is refused: another mix has its legal pairs
        if parts(best) not in found and takes(parts(best)):
            found.append(parts(best))
    return found


def _pairs(choice: dict) -> set:
    return set(itertools.combinations(choice.items(), 2))
