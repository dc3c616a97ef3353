"""`python -m sdm opt FILE`: passes over a file of MLIR, where no sdm-opt is at hand."""

from __future__ import annotations

import sys

import click


@click.command("opt")
@click.argument("file", type=click.File("r"))
@click.option("--pass-pipeline", "pipeline", default="", help="builtin.module(sdm-check-kernel, ...) or the passes alone.")
@click.option("--locations", is_flag=True, help="Print locations.")
@click.option("--generic", is_flag=True, help="Print the generic form.")
@click.option("-o", "--output", type=click.File("w"), default="-")
def command(file, pipeline, locations, generic, output):
    """Reads FILE (- for standard input), runs the passes, writes the module."""
    from sdm import _sdm

    inner = pipeline.strip()
    if inner.startswith("builtin.module(") and inner.endswith(")"):
        inner = inner[len("builtin.module(") : -1]
    try:
        module = _sdm.Module.parse(file.read(), file.name)
        if inner:
            _sdm.run_pipeline(module, inner)
    except (_sdm.DiagnosticError, ValueError) as error:
        click.echo(_described(error), err=True)
        sys.exit(1)
    text = module.text(locations=locations, generic=generic)
    output.write(text if text.endswith("\n") else text + "\n")


def _described(error) -> str:
    lines = []
    for severity, message, sites in getattr(error, "diagnostics", ()):
        place = ":".join(map(str, sites[0])) + ": " if sites else ""
        lines.append(f"{place}{severity}: {message}")
    return "\n".join(lines) or f"error: {error}"
