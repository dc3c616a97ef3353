"""What a kernel takes from around it: helpers and constants, for the fingerprint that caches go by."""

from __future__ import annotations

from dataclasses import dataclass, field

from sdm.frontend.context import is_constant
from sdm.frontend.functions import Function


@dataclass
class Outside:
    """What one function names from outside, and the defaults of its parameters (`=bias`): constants, helpers, and the full names of
    all other functions, each by the name that it uses."""

    function: Function
    constants: dict[str, object] = field(default_factory=dict)
    helpers: dict[str, Function] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, found: object) -> None:
        if isinstance(found, Function):
            self.helpers[name] = found
        elif found is not None and is_constant(found):
            self.constants[name] = found
        elif callable(found):
            self.others[name] = f"{getattr(found, '__module__', '')}.{getattr(found, '__qualname__', type(found))}"


def outside(helper: Function) -> Outside:
    """What a function names (`EPS`, `tools.scale`), where Python itself would look."""
    function, found = helper.function, Outside(helper)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for path in helper.paths:
        head, *rest = path.split(".")
        if head in cells:
            try:
                value = cells[head].cell_contents
            except ValueError:  # a cell that is not filled yet
                continue
        elif head in function.__globals__:
            value = function.__globals__[head]
        else:
            continue
        for name in rest:
            value = getattr(value, name, None) if type(value).__name__ == "module" else None
        found.add(path, value)
    for position, value in enumerate(function.__defaults__ or ()):
        found.add(f"={position}", value)
    for name, value in (function.__kwdefaults__ or {}).items():
        found.add(f"={name}", value)
    return found


def reach(function: Function) -> list[Outside]:
    """A kernel and every helper that it reaches, itself first, each with what it takes from outside."""
    functions, found = [function], []
    for current in functions:  # grows while it is walked
        found.append(outside(current))
        functions.extend(helper for helper in found[-1].helpers.values() if helper not in functions)
    return found


def facts(reached: list[Outside]) -> str:
    """All that these functions mean beside their text. Two helpers may share a text (a factory's), so helpers go by number."""
    numbers = {id(part.function): number for number, part in enumerate(reached)}
    return repr(
        [
            (sorted(part.constants.items()), sorted((name, numbers[id(helper)]) for name, helper in part.helpers.items()), sorted(part.others.items()))
            for part in reached
        ]
    )
