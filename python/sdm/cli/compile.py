"""`python -m sdm compile FILE.py:KERNEL`: one stage of a compilation, to a file or to the terminal."""

from __future__ import annotations

import pathlib
import sys

import click

from sdm.cli.given import Given, load, options
from sdm.frontend.specs import RowsSpec

STAGES = ("sdm", "plan", "scheduled", "nvvm", "llvm-dialect", "llvm", "ptx", "description", "cubin", "object")


@click.command("compile")
@options
@click.option("--emit", type=click.Choice(STAGES), default="ptx", show_default=True, help="What to write.")
@click.option("--extent", "extents", multiple=True, metavar="NAME:AXIS:N", help="One extent of an operand: tokens:1:64.")
@click.option("-o", "--output", default="-", show_default=True, help="A file, or - for the terminal.")
def command(kernel, target, arguments, shapes, positions, schedule, early, emit, extents, output):
    """Compiles KERNEL, given as FILE.py:NAME, for operand types and shapes that its file declares or that --arg and --shape give."""
    from sdm.errors import CompilerError
    from sdm.frontend.errors import CompileError

    try:
        data = compiled(load(kernel), target, emit, arguments, extents, schedule, early, shapes, positions)
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


def compiled(kernel, target: str, emit: str, arguments=(), extents=(), schedule=(), early=(), shapes=(), positions=None) -> bytes:
    """The bytes of one stage. Errors: ValueError, CompileError, CompilerError."""
    from sdm import compile as compiler, options

    given = Given(kernel, arguments, shapes)
    module = kernel.build(given.specs)
    if emit == "sdm":
        return module.text().encode()
    known = tuple(_extent(given, part) for part in extents)
    specialisation = given.specialisation(target, schedule, early, positions, known)
    result = compiler.compile_text(module.text(locations=True), specialisation, options.current(), kernel.name)
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


def _extent(given: Given, text: str) -> tuple[int, int, int]:
    name, axis, extent = (text.split(":") + ["", ""])[:3]
    if not (axis.isdigit() and extent.isdigit()):
        raise ValueError(f"--extent {text}: expected NAME:AXIS:N")
    number, spec = given.number(name), given.specs[name]
    if not isinstance(spec, RowsSpec) or int(axis) > spec.rank - 2:
        raise ValueError(f"--extent {text}: expected rows and one of their index axes")
    return number, int(axis), int(extent)
