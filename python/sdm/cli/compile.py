"""`python -m sdm compile FILE.py:KERNEL`: one stage of a compilation, to a file or to the terminal."""

from __future__ import annotations

import importlib.util
import pathlib
import sys

import click

from sdm.frontend.specs import RowsSpec

STAGES = ("sdm", "plan", "scheduled", "nvvm", "llvm-dialect", "llvm", "ptx", "description", "cubin", "object")


@click.command("compile")
@click.argument("kernel")
@click.option("--target", default="sm_90", show_default=True, help="A chip (sm_80, sm_90, ...) or host.")
@click.option("--emit", type=click.Choice(STAGES), default="ptx", show_default=True, help="What to write.")
@click.option("--arg", "arguments", multiple=True, metavar="NAME=TYPE", help="An operand's type: bank=rows:bf16:128, eps=f32, grad=none.")
@click.option("--extent", "extents", multiple=True, metavar="NAME:AXIS:N", help="What is known of an operand's size: tokens:1:64.")
@click.option("--schedule", "schedule", multiple=True, metavar="PART", help="A part of the schedule: warps=4, whole, tokens=direct.")
@click.option("--early", "early", multiple=True, metavar="NAME", help="An operand that the previous kernel does not write.")
@click.option("-o", "--output", default="-", show_default=True, help="A file, or - for the terminal.")
def command(kernel, target, emit, arguments, extents, schedule, early, output):
    """Compiles KERNEL, given as FILE.py:NAME, for operand types that its file declares as defaults or that --arg gives."""
    from sdm.errors import CompilerError
    from sdm.frontend.errors import CompileError

    try:
        data = compiled(load(kernel), target, emit, arguments, extents, schedule, early)
    except (CompileError, CompilerError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    if output != "-":
        _write(pathlib.Path(output), data)
    elif emit in ("cubin", "object"):
        sys.stdout.buffer.write(data)
    else:
        click.echo(data.decode(), nl=False)


def _write(path: pathlib.Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"--output {path}: {error.strerror}") from error


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


def compiled(kernel, target: str, emit: str, arguments=(), extents=(), schedule=(), early=()) -> bytes:
    """The bytes of one stage. Errors: ValueError, CompileError, CompilerError."""
    from sdm import compile as compiler, options
    from sdm.frontend.build import arguments as names_of, operand_specs

    given = dict(kernel.defaults)
    for text in arguments:
        name, _, type_text = text.partition("=")
        if name not in {parameter.name for parameter in kernel.parameters}:
            raise ValueError(f"--arg {text}: {kernel.name} has no operand {name!r}")
        given[name] = type_text
    specs = operand_specs(kernel, given)
    text = kernel.build(specs).text()
    if emit == "sdm":
        return text.encode()
    names = names_of(kernel, given)
    known = tuple(_extent(names, specs, part) for part in extents)
    parts = tuple(_numbered(names, part) for part in schedule)
    numbers = tuple(_number(names, name) for name in early)
    specialisation = compiler.Specialisation(tuple(specs.items()), target, parts, known, numbers)
    result = compiler.compile_text(text, specialisation, options.current())
    return _stage(result, emit, target)


def _stage(result: dict, emit: str, target: str) -> bytes:
    import json

    if emit == "description":
        return (json.dumps(result["description"], indent=2) + "\n").encode()
    if emit in ("cubin", "object"):
        if result["image_kind"] != emit:
            why = "ptxas was not found" if emit == "cubin" and target != "host" else f"{target} gives {result['image_kind']}"
            raise ValueError(f"--emit {emit}: there is none, because {why}")
        return result["image"]
    if emit not in result["stages"]:
        raise ValueError(f"--emit {emit}: {target} has no such stage; it has {', '.join(result['stages'])}")
    return result["stages"][emit].encode()


def _number(names: list[str], name: str) -> int:
    if name not in names:
        raise ValueError(f"expected an operand of {', '.join(names)}, got {name!r}")
    return names.index(name)


def _extent(names: list[str], specs: dict, text: str) -> tuple[int, int, int]:
    name, axis, extent = (text.split(":") + ["", ""])[:3]
    if not (axis.isdigit() and extent.isdigit()):
        raise ValueError(f"--extent {text}: expected NAME:AXIS:N")
    number, spec = _number(names, name), specs[name]
    if not isinstance(spec, RowsSpec) or int(axis) > spec.rank - 2:
        raise ValueError(f"--extent {text}: expected rows and one of their index axes")
    return number, int(axis), int(extent)


def _numbered(names: list[str], part: str) -> str:
    """A schedule's part with the operand's number for its name: tokens=direct is 2=direct."""
    name, equals, value = part.partition("=")
    return f"{names.index(name)}{equals}{value}" if name in names else part
