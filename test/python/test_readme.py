"""README.md as a newcomer uses it: its Python blocks run, print what it says they print, and its commands work."""

import ast
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
# A Python block, and the text block right behind it: what it prints.
BLOCKS = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", TEXT, re.M | re.S)
COMMANDS = re.findall(r"^python -m sdm [^#\n]*", TEXT, re.M)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_block(tmp_path, number):
    code, printed = BLOCKS[number]
    path = tmp_path / "example.py"
    path.write_text(code, encoding="utf-8")
    ran = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.replace(f"{tmp_path}/", "") == printed


def test_the_mover_is_the_one_in_its_file():
    def definitions(text):
        return {node.name: node for node in ast.parse(text).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}

    shown, real = definitions(BLOCKS[0][0]), definitions((ROOT / "kernels/gds.py").read_text(encoding="utf-8"))
    assert ast.unparse(shown["gds"].args) == ast.unparse(real["gds"].args)
    assert ast.unparse(shown["gds"].body) == ast.unparse(real["gds"].body)
    assert [ast.unparse(field) for field in shown["Read"].body] == [ast.unparse(field) for field in real["Read"].body[1:]]


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command):
    ran = subprocess.run([sys.executable, *shlex.split(command)[1:]], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stdout, ran.stderr


def test_files_that_are_named_exist():
    for name in ("README.md", "CONTRIBUTING.md", "WALK.md", "dialect/Rationale.md"):
        text = re.sub(r"^```.*?^```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.M | re.S)
        for path in re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.\w+)`", text):
            assert (ROOT / path).exists(), f"{name}: {path}"
