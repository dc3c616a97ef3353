#!/usr/bin/env python3
"""Runs every suite (guards, lit, GoogleTest, pytest), shows what they print, and ends with 'N passed, N failed'."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def stream(name: str, command: list[str], env: dict[str, str] | None = None) -> tuple[int, str]:
    print(f"== {name}: {' '.join(command)}", flush=True)
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = []
    for line in process.stdout:
        lines.append(line)
        print(line, end="", flush=True)
    process.wait()
    print(f"== {name}: {time.monotonic() - start:.1f} s", flush=True)
    return process.returncode, "".join(lines)


def settle(name: str, code: int, passed: int, failed: int) -> tuple[int, int]:
    """A suite that broke without counting a failure is itself one failure."""
    if code != 0 and failed == 0:
        print(f"{name}: exit status {code} without a counted failure")
        failed = 1
    return passed, failed


def number(pattern: str, text: str) -> int:
    return sum(int(found) for found in re.findall(pattern, text, re.M))


def guards() -> tuple[int, int]:
    code, text = stream("guards", ["tools/check.sh"])
    return settle("guards", code, len(re.findall(r"^ok: ", text, re.M)), len(re.findall(r"^failed: ", text, re.M)))


def lit(build: Path, jobs: int) -> tuple[int, int]:
    site = build / "test" / "lit"
    command = [str(Path(sys.executable).with_name("lit")), "-v", "--no-progress-bar", f"-j{jobs}", str(site)]
    code, text = stream("lit", command)
    # The closing table only: what tests print may hold the same words.
    table = text[max(text.rfind("Total Discovered Tests"), 0) :]
    passed = number(r"^\s*(?:Passed|Expectedly Failed)\s*:\s*(\d+)", table)
    failed = number(r"^\s*(?:Failed|Unresolved|Timed Out|Unexpectedly Passed)\s*:\s*(\d+)", table)
    return settle("lit", code, passed, failed)


def gtest(build: Path) -> tuple[int, int]:
    program = build / "bin" / "sdm-unit"
    if not program.exists():
        print("== GoogleTest: skipped, sdm-unit was not built")
        return 0, 0
    code, text = stream("GoogleTest", [str(program), "--gtest_brief=1"])
    passed = number(r"\[  PASSED  \] (\d+) tests?", text)
    failed = len(set(re.findall(r"^\[  FAILED  \] (\S+\.\S+)", text, re.M)))
    return settle("GoogleTest", code, passed, failed)


def pytest(long: bool, jobs: int) -> tuple[int, int]:
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs)]
    if not long:
        command += ["-m", "not long"]
    code, text = stream("pytest", command)
    if code == 5:  # no tests
        return 0, 0
    last = text.strip().splitlines()[-1] if text.strip() else ""
    return settle("pytest", code, number(r"(\d+) passed", last), number(r"(\d+) (?:failed|errors?)", last))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="the tests that take minutes as well")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "dev")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("suites", nargs="*", help="guards, lit, unit, python; all when left out")
    options = parser.parse_args()
    suites = {
        "guards": guards,
        "lit": lambda: lit(options.build, options.jobs),
        "unit": lambda: gtest(options.build),
        "python": lambda: pytest(options.long, options.jobs),
    }
    wanted = options.suites or list(suites)
    counts = [suites[name]() for name in wanted]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
