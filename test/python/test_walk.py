"""WALK.md shows what its commands print: in order, but for the names of values and what '...' leaves out."""

import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"^```console\n(.*?)^```$", (ROOT / "WALK.md").read_text(encoding="utf-8"), re.M | re.S)


def plain(line: str) -> str:
    """A line without names of values, spaces and line breaks."""
    return re.sub(r"\s+", "", re.sub(r"%[\w#]+", "%", line))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_block(tmp_path, block):
    lines = block.splitlines()
    commands = [line for line in lines if line.startswith("$ ")]
    (tmp_path / "kernels").symlink_to(ROOT / "kernels")
    for command in commands:
        ran = subprocess.run([sys.executable, *shlex.split(command)[2:]], cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
    printed, at = plain(ran.stdout), 0
    for part in filter(None, map(plain, "\n".join(lines[len(commands) :]).replace("...", "\n").splitlines())):
        found = printed.find(part, at)
        assert found >= 0, f"expected {part} in the output of {commands[-1]}, in its place"
        at = found + len(part)
