"""The guards find what they are for."""

import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

import check_layers  # noqa: E402
import check_messages  # noqa: E402
import run_tests  # noqa: E402


@pytest.mark.parametrize("text", ["Expected a width", "expected a width, got 3."])
def test_a_message_out_of_style(text):
    assert check_messages.faults_of([text])


@pytest.mark.parametrize("text", ["expected a width (because rows have one), got ", "LLVM cannot select this", "'sdm.dot' needs rows"])
def test_a_message_in_style(text):
    assert not check_messages.faults_of([text])


def test_a_statement_ends_at_its_semicolon_outside_quotes():
    assert check_messages.statement('emitError("a; b") << x; next', 10) == '"a; b") << x'


@pytest.mark.parametrize(
    "line, module",
    [
        ("from ..launch import run", "launch.run"),
        ("from sdm import cache", "cache"),
        ("import sdm.launch", "launch"),
        ("from . import ir", "frontend.ir"),
    ],
)
def test_imports_are_resolved(tmp_path, monkeypatch, line, module):
    path = Path("python/sdm/frontend/some.py")
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(line)
    monkeypatch.setattr(check_layers, "ROOT", tmp_path)
    assert check_layers.imported(path) == [(1, module)]


def test_a_suite_that_breaks_counts_as_one_failure(capsys):
    assert run_tests.settle("lit", 1, 3, 0) == (3, 1)
    assert run_tests.settle("lit", 1, 3, 2) == (3, 2)
    assert run_tests.settle("lit", 0, 3, 0) == (3, 0)
