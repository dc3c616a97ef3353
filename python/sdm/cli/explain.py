"""`python -m sdm explain FILE.py:KERNEL`: each launch's schedule, its reasons, what it moves and needs; time per compile phase."""

from __future__ import annotations

import click

from sdm.cli.given import Given, load, options


@click.command("explain")
@options
def command(kernel, target, arguments, shapes, positions, schedule, early):
    """Compiles KERNEL, given as FILE.py:NAME, and says how it will run, and why. No array and no GPU is needed."""
    from rich.console import Console

    from sdm.errors import CompilerError
    from sdm.explain import explain
    from sdm.frontend.errors import CompileError

    try:
        given = Given(load(kernel), arguments, shapes)
        found = explain(given, target, schedule, early, positions)
    except (CompileError, CompilerError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]{found.kernel}[/] for {target}")
    for name, shape in given.shapes.items():
        console.print(f"  {name}: {' x '.join(map(str, shape))}", markup=False)
    if not found.launches:
        console.print("nothing to launch: no operand is written")
    for launch in found.launches:
        _print(console, launch, found)
    _table(console, "compile time", ("phase", "ms"), [(name, f"{seconds * 1e3:.1f}") for name, seconds in found.phases])


def _table(console, title: str, columns, rows) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, title=title, title_justify="left", title_style="bold", show_header=any(columns))
    for name in columns:
        table.add_column(name, justify="right" if name in ("bytes", "ms") else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _print(console, launch, found) -> None:
    rows = [("schedule", _schedule(launch))]
    rows += [("" if index else "rows", text) for index, text in enumerate(launch.loads)]
    rows += [("" if index else "why", reason) for index, reason in enumerate(launch.reasons)]
    if found.target != "host":
        rows.append(("shared memory", "not known: a slab's extent is not (--shape)" if launch.shared is None else f"{launch.shared} bytes a CTA"))
        rows += _registers(launch, found.image)
    console.print()
    _table(console, launch.entry, ("", ""), rows)
    _table(console, "bytes that must move", ("operand", "", "bytes", "for each", ""),
           [(move.operand, move.what, str(move.bytes), move.unit, move.note) for move in launch.moves])  # fmt: skip
    for line in _totals(launch):
        console.print(line)
    console.print()


def _schedule(launch) -> str:
    plan = launch.plan
    parts = [plan.get("form", "nest"), plan.get("slices", "whole"), f"{launch.warps} warps"]
    if plan.get("form") == "flat":
        parts += [f"unit {plan['unit']}", f"depth {plan['depth']}"]
    return ", ".join([*parts, f"over {launch.domain}", *([f"{launch.slices} slices"] if launch.slices > 1 else [])])


def _registers(launch, image: str) -> list[tuple[str, str]]:
    figures = launch.resources
    if not figures:
        return [("registers", f"not known: the image is {image}, ptxas was not found"), ("occupancy", _occupancy(launch) + " (registers not counted)")]
    spills = figures["spill_stores"] + figures["spill_loads"]
    return [
        ("registers", f"{figures['registers']} a lane"),
        ("spills", f"{figures['spill_stores']} bytes stored, {figures['spill_loads']} loaded" if spills else f"none; {figures['stack']} bytes of stack"),
        ("occupancy", _occupancy(launch)),
    ]  # fmt: skip


def _occupancy(launch) -> str:
    return f"{launch.blocks} CTAs, {launch.blocks * launch.warps} of {launch.warps_of} warps of a multiprocessor"


def _totals(launch) -> list[str]:
    from sdm.traffic import total

    sums = total(launch.moves)
    plural = {unit: unit + ("es" if unit.endswith("ch") else "s") for unit in sums}
    lines = ["total: " + (" + ".join(f"{size} x {plural[unit]}" for unit, size in sums.items()) or "nothing")]
    if launch.bytes:
        low, high = map(_size, launch.bytes)
        lines.append(f"here: {high}" if low == high else f"here: {low} (one group) to {high} (groups and rows as many as can be)")
    return lines


def _size(count: int) -> str:
    return f"{count / 1e6:.3f} MB"
