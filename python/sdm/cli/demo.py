"""`python -m sdm demo`: every kernel in every place, its bits against the reference's."""

from __future__ import annotations

import dataclasses
import pathlib
import sys
import tempfile

import click

from sdm.demo import Sizes

HELP = {
    "tokens": "Tokens of a chunk (generated mover workload).", "reads": "Reads of a token.", "chunks": "Chunks of a step.",
    "steps": "Steps, of the captured records too (they hold 8).", "slots": "Slots of a chunk.", "width": "Columns of a row.",
    "rows": "Records of the other kernels.", "keys": "Keys of the other kernels.", "seed": "Seed of all random numbers.",
}  # fmt: skip


def sized(function):
    """A flag for each of the sizes."""
    for field in reversed(dataclasses.fields(Sizes)):
        low = 0 if field.name == "seed" else 1
        kind = click.IntRange(low, {"tokens": 256, "reads": 256, "steps": 8}.get(field.name))
        function = click.option(f"--{field.name}", type=kind, default=field.default, show_default=True, help=HELP[field.name])(function)
    return function


@click.command("demo")
@sized
@click.option("--only", default="", help="A kernel's name: run this one alone.")
@click.option("--ptx", "folder", default="", help="Where PTX is written (default: a folder among the temporary files).")
def command(only, folder, **sizes):
    """Runs five kernels on records captured from a public layer's run and on generated ones, on the CPU and on each GPU, and compares
    every output with a plain numpy reference, bit by bit. Exit status 1 when one bit differs."""
    from rich.console import Console

    from sdm import demo

    console = Console()
    places = demo.places()
    makers = list(demo.jobs(Sizes(**sizes)))
    results = _run(console, demo, makers, places, only)
    if not results:
        raise click.ClickException(f"there is no kernel {only!r}")
    _table(console, results)
    for line in verdicts(results):
        click.echo(line)
    try:
        files = demo.write_ptx(pathlib.Path(folder or pathlib.Path(tempfile.gettempdir()) / "sdm-demo"))
        click.echo("PTX: " + ", ".join(map(str, files)))
    except Exception as error:
        click.echo(f"PTX was not written: {error}")
        sys.exit(1)
    if not all(result.equal for result in results):
        sys.exit(1)


def _run(console, demo, makers, places, only: str) -> list:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<44}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    results = []
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("making workloads", total=len(makers) * (len(places) + 1))
        for make in makers:
            job = make()
            if only and job.kernel != only:
                progress.advance(task, len(places) + 1)
                continue
            progress.update(task, description=f"{job.kernel}, {job.workload}: reference")
            expected = job.expected()
            progress.advance(task)
            for place in places:
                progress.update(task, description=f"{job.kernel}, {job.workload}: {place.name}")
                results.append(demo.run(job, place, expected))
                progress.advance(task)
    return results


def _table(console, results) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for name in ("kernel", "workload", "target"):
        table.add_column(name, no_wrap=True)
    for name in ("records", "groups", "ms", "GB/s"):
        table.add_column(name, justify="right", no_wrap=True)
    for result in results:
        job, milliseconds = result.job, result.seconds * 1e3
        table.add_row(
            job.kernel, job.workload, result.place, f"{job.records:,}", f"{job.groups:,}", f"{milliseconds:.3f}",
            f"{job.bytes / result.seconds / 1e9:.1f}",
        )  # fmt: skip
    console.print(table)


def verdicts(results) -> list[str]:
    """One line for each kernel and target; "no" names what differs."""
    lines = {}
    for result in results:
        wrong = lines.setdefault((result.job.kernel, result.place), [])
        if not result.equal:
            wrong.append(f"{result.job.workload}: {result.different}")
    return [
        f"{kernel} {place} bit-equal to the reference: " + (f"no ({'; '.join(wrong)})" if wrong else "yes")
        for (kernel, place), wrong in lines.items()
    ]
