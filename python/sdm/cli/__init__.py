"""The command line, one file a command; commands load what they need when they run."""

from __future__ import annotations

import importlib

import click

from sdm._version import __version__

COMMANDS = {"demo": "runs all kernels and compares them with the reference", "compile": "compiles a kernel and prints a stage of it",
            "explain": "says how a kernel runs on a chip, and why", "replay": "runs captured launches on lanes, from any pass on",
            "opt": "runs passes over a file of MLIR", "doctor": "says what this machine can do, and why not"}  # fmt: skip


class _Commands(click.Group):
    def list_commands(self, context):
        return list(COMMANDS)

    def get_command(self, context, name):
        if name not in COMMANDS:
            return None
        return importlib.import_module(f"sdm.cli.{name}").command


@click.group(cls=_Commands)
@click.version_option(__version__, prog_name="sdm")
def main():
    """Deterministic sorted-group kernels, from Python to PTX and to the CPU."""
