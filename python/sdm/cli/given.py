"""A kernel and what a command line says of it: operand types, sizes, schedule. Shared by the commands that compile."""

from __future__ import annotations

import importlib.util
import math
import pathlib
import sys

import click

from sdm.frontend.specs import RowsSpec, SortedSpec

OPTIONS = (
    click.argument("kernel"),
    click.option("--target", default="sm_90", show_default=True, help="A chip (sm_80, sm_90, ...) or host."),
    click.option("--arg", "arguments", multiple=True, metavar="NAME=TYPE", help="An operand's type: bank=rows:bf16:128, eps=f32, grad=none."),
    click.option("--shape", "shapes", multiple=True, metavar="NAME=AxB", help="Extents of an operand's index axes, the last ones if fewer are given: tokens=16x64, tokens=64; of records chunks and positions."),
    click.option("--positions", type=click.IntRange(0), default=None, help="Positions (or rows) of a whole launch; 0: not known."),
    click.option("--schedule", "schedule", multiple=True, metavar="PART", help="A part of the schedule: warps=4, whole, tokens=direct."),
    click.option("--early", "early", multiple=True, metavar="NAME", help="An operand that the previous kernel does not write."),
)  # fmt: skip


def options(function):
    """Adds the options of a command that compiles."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function


def load(place: str):
    """The kernel at "FILE.py:NAME". Errors: click.ClickException."""
    file, _, name = place.rpartition(":")
    path = pathlib.Path(file)
    if path.suffix != ".py" or not path.is_file():
        raise click.ClickException(f"expected FILE.py:KERNEL with a file that exists, got {place!r}")
    # A name of its own, so that no module of the same name is replaced.
    spec = importlib.util.spec_from_file_location(f"sdm_compile_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.resolve()))  # what lies beside it can be imported, as when Python runs it
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise click.ClickException(f"{file} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    found = getattr(module, name, None)
    if not getattr(found, "is_kernel", False):
        kernels = [key for key, value in vars(module).items() if getattr(value, "is_kernel", False)]
        raise click.ClickException(f"expected the name of a kernel in {file} ({', '.join(kernels) or 'it has none'}), got {name!r}")
    return found


class Given:
    """specs: of every parameter; names: the operands in order; shapes: known extents of their index axes, by name. Errors: ValueError,
    CompileError."""

    def __init__(self, kernel, arguments=(), shapes=()):
        from sdm.failures import names_of
        from sdm.frontend.build import operand_specs

        given = dict(kernel.defaults)
        for text in arguments:
            name, _, type_text = text.partition("=")
            if name not in {parameter.name for parameter in kernel.parameters}:
                raise ValueError(f"--arg {text}: {kernel.name} has no operand {name!r}")
            given[name] = type_text
        self.kernel = kernel
        self.specs = operand_specs(kernel, given)
        self.names = names_of(self.specs.items())
        self.shapes: dict[str, tuple[int, ...]] = {}
        for name, shape in kernel.shapes.items():
            if name in self.names and len(shape) == self.axes(name):
                self.shapes[name] = tuple(shape)
        for text in shapes:
            self._shape(text)

    def axes(self, name: str) -> int:
        """How many index axes an operand has."""
        spec = self.specs[name]
        if isinstance(spec, SortedSpec):
            return 2
        return spec.rank - 1 if isinstance(spec, RowsSpec) else getattr(spec, "rank", 0)

    def _shape(self, text: str) -> None:
        name, _, sizes = text.partition("=")
        self.number(name)
        extents = sizes.split("x")
        missing = self.axes(name) - len(extents)
        if missing < 0 or not all(part.isdigit() for part in extents):
            raise ValueError(f"--shape {text}: expected {name}=AxB with at most {self.axes(name)} extents")
        before = self.shapes.get(name, (1,) * self.axes(name))
        self.shapes[name] = (*before[:missing], *map(int, extents))

    def number(self, name: str) -> int:
        """An operand's number among the arguments of the compiled function."""
        if name not in self.names:
            raise ValueError(f"expected an operand of {', '.join(self.names)}, got {name!r}")
        return self.names.index(name)

    def positions(self) -> int:
        """Positions of a launch over all chunks, or the longest operand's rows where there are no records; 0 where that is not known."""
        lists = [math.prod(shape) for name, shape in self.shapes.items() if isinstance(self.specs[name], SortedSpec)]
        rows = [shape[0] for name, shape in self.shapes.items() if isinstance(self.specs[name], RowsSpec)]
        return max(lists or rows, default=0)

    def specialisation(self, target: str, schedule=(), early=(), positions: int | None = None, extents=()):
        """What is compiled: as binding arrays of these shapes would choose it. extents: (operand, axis, extent) that override the shapes."""
        from sdm import compile as compiler
        from sdm.schedule import parts_of

        known = {(number, axis) for number, axis, _ in extents}
        found = [*extents]
        for name, shape in self.shapes.items():
            place = self.number(name), len(shape) - 1
            extent = compiler.rounded(shape[-1]) if isinstance(self.specs[name], RowsSpec) else None
            if extent is not None and place not in known:
                found.append((*place, extent))
        count = self.positions() if positions is None else positions
        return compiler.Specialisation(
            tuple(self.specs.items()),
            target,
            parts_of(schedule, self.names, self.specs),
            () if target == "host" else tuple(sorted(found)),
            tuple(self.number(name) for name in early),
            positions=compiler.rounded_positions(count),
        )
