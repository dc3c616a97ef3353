"""`python -m sdm replay DIR`: launches that SDM_CAPTURE wrote, again, on lanes and on the host."""

from __future__ import annotations

import pathlib
import sys

import click


@click.command("replay")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=pathlib.Path))
@click.option("--after", default="", metavar="PASS", help="Start with the module as it stands behind this pass, and run those that follow.")
@click.option("--module", type=click.File("r"), default=None, help="With --after: this module in its place, perhaps an edited one.")
@click.option("--save", type=click.File("w"), default=None, help="With --after: write the module that stands there.")
@click.option("--target", default="", help="A chip [default: the captured one; sm_90 for launches on the CPU].")
@click.option("--schedule", "schedule", multiple=True, metavar="PART", help="Parts of a schedule instead of the captured ones.")
@click.option("--seed", "seeds", type=click.IntRange(0), multiple=True, default=(0,), show_default=True, help="Order of CTAs and warps, tile lengths; with odd ones copies land early.")  # fmt: skip
def command(folder, after, module, save, target, schedule, seeds):
    """Runs each launch in FOLDER structured on the host and scheduled on lanes, and compares every bit that it writes. Exit status 1 when
    one differs or the lanes find a fault."""
    from sdm import capture
    from sdm.errors import CompilerError

    places = capture.folders(folder)
    if not places:
        raise click.ClickException(f"expected a folder that SDM_CAPTURE wrote, got {folder}")
    if (module or save) and (not after or len(places) > 1):
        raise click.ClickException("--module and --save: expected --after and the folder of one launch")
    given = module.read() if module else ""
    equal = True
    for place in places:
        try:
            equal &= _replay(place, after, given, save, target, schedule or None, seeds)
        except (CompilerError, ValueError, KeyError, OSError) as error:
            raise click.ClickException(f"{place}: {error}") from error
    if not equal:
        sys.exit(1)


def _replay(place, after, given, save, target, schedule, seeds) -> bool:
    from sdm.lanes import LanesFault
    from sdm.replay import Replay

    replay = Replay(place, target, schedule)
    if save:
        save.write(replay.after(after))
    scheduled = replay.scheduled(after, given)
    behind = f" behind {after}" if after else ""
    for seed in seeds:
        try:
            found = replay.difference(scheduled, seed)
        except LanesFault as fault:
            found = fault
        click.echo(f"{place.name}: {replay.asked.target}{behind}, seed {seed}: {found or 'equal'}")
        if found:
            return False
    return True
