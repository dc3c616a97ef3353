"""What a kernel takes from around it: helpers and constants, for the fingerprint that caches go by."""

from __future__ import annotations

from sdm.frontend.context import is_constant
from sdm.frontend.functions import Function


def outside(helper: Function) -> tuple[dict[str, object], dict[str, Function]]:
    """Constants and helpers that a function names (`EPS`, `tools.scale`), by the name it uses."""
    function = helper.function
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    constants, helpers = {}, {}
    for path in helper.paths:
        head, *rest = path.split(".")
        if head in cells:
            try:
                found = cells[head].cell_contents
            except ValueError:  # a cell that is not filled yet
                continue
        elif head in function.__globals__:
            found = function.__globals__[head]
        else:
            continue
        for name in rest:
            found = getattr(found, name, None) if type(found).__name__ == "module" else None
        if isinstance(found, Function):
            helpers[path] = found
        elif found is not None and is_constant(found):
            constants[path] = found
    return constants, helpers


def collect(function: Function) -> tuple[dict[str, object], list[Function]]:
    """All constants, by `function.name`, and all functions that a kernel reaches, itself first."""
    constants: dict[str, object] = {}
    reached = [function]
    for current in reached:  # grows while it is walked
        own, helpers = outside(current)
        constants.update({f"{current.function.__qualname__}.{name}": value for name, value in own.items()})
        reached.extend(helper for helper in helpers.values() if helper not in reached)
    return constants, reached
