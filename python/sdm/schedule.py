"""`sdm.Schedule`: parts of a schedule that a caller gives; the rule (`sdm-plan-rows`) fills in the rest. Results never depend on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sdm.errors import ScheduleError

FORMS, SLICES, PLACEMENTS = ("nest", "flat"), ("split", "whole"), ("direct", "resident", "ring", "registers", "bulk_ring")
NUMBERS = ("warps", "unit", "depth")


@dataclasses.dataclass(frozen=True)
class Schedule:
    """form: a warp loops over groups ("nest") or streams positions through a pipeline ("flat"); slices: computed apart ("split") or by
    one warp ("whole"); warps: of a CTA; unit: positions that a flat walk takes at a time; depth: units under way; placement: where an
    operand's rows wait, by its name: nowhere ("direct", loaded where they are used), in shared memory for the whole CTA ("resident"), or,
    asked for some units ahead, in a warp's "ring", in one that the copy engine fills ("bulk_ring", on chips that have it) or in "registers". None: the rule picks. Errors: ScheduleError for what is no such word or number."""

    form: str | None = None
    slices: str | None = None
    warps: int | None = None
    unit: int | None = None
    depth: int | None = None
    placement: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        _expect("form", self.form, FORMS)
        _expect("slices", self.slices, SLICES)
        for name in NUMBERS:
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise ScheduleError(f"{name}: expected a whole number or None in a schedule, got {value!r}")
        if not isinstance(self.placement, Mapping):
            raise ScheduleError(f"placement: expected a dictionary from operands' names to placements, got {self.placement!r}")
        for name, value in self.placement.items():
            _expect(f"placement of {name}", value, PLACEMENTS)
        object.__setattr__(self, "placement", MappingProxyType(dict(self.placement)))

    def __hash__(self) -> int:
        return hash(self.parts())

    def __reduce__(self):
        values = (self.form, self.slices, self.warps, self.unit, self.depth, dict(self.placement))
        return Schedule, values

    def parts(self) -> tuple[str, ...]:
        """Its text forms: ("flat", "unit=4", "tokens=ring")."""
        words = tuple(word for word in (self.form, self.slices) if word)
        numbers = tuple(f"{name}={getattr(self, name)}" for name in NUMBERS if getattr(self, name) is not None)
        return words + numbers + tuple(f"{name}={value}" for name, value in self.placement.items())


def _expect(name: str, value, words: tuple[str, ...]) -> None:
    if value is not None and (not isinstance(value, str) or value not in words):
        raise ScheduleError(f"{name}: expected {', '.join(words)} or None in a schedule, got {value!r}")


def parts_of(schedule, names: list[str], absent: Iterable[str] = ()) -> tuple[str, ...]:
    """What the pass takes, from a Schedule, one text, several or None: operands' numbers for their names. `names`: the operands in order;
    `absent`: those that are not there, whose placement means nothing. Errors: ScheduleError for other names."""
    if schedule is None:
        return ()
    if isinstance(schedule, Schedule):
        texts: Iterable = schedule.parts()
    elif isinstance(schedule, str):
        texts = (schedule,)
    elif isinstance(schedule, Iterable) and not isinstance(schedule, Mapping):
        texts = tuple(schedule)
    else:
        raise ScheduleError(f"schedule: expected sdm.Schedule or texts, got {schedule!r}")
    return tuple(part for text in texts for part in _part(text, names, set(absent)))


def _part(text, names: list[str], absent: set[str]) -> tuple[str, ...]:
    if not isinstance(text, str):
        raise ScheduleError(f"schedule: expected texts such as 'flat' and 'warps=4', got {text!r}")
    name, _, value = text.partition("=")
    if name in names:
        return (f"{names.index(name)}={value}",)
    if name in absent:
        return ()
    if value in PLACEMENTS and not name.isdigit():
        raise ScheduleError(f"schedule: expected an operand of {', '.join(names)}, got {name!r}")
    return (text,)
