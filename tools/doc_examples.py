#!/usr/bin/env python3
"""Runs the examples in the descriptions of operations and passes: what they show is what the tools print.

A block of MLIR in a .td file is one of three. Lines that begin with `#name =` are declarations that every example may use. A
pass's block has a part `// before` and a part `// after` (`// after, with {options}`): the pass turns the first into the
second. Any other block is read and verified; a first line `// %x: type, ...` names the values that it is given.

In the part after, `...` stands for any lines, or within a line for any words; values may have other names than the tool
prints. A name stands for one value from its definition on.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass, field

from repository import ROOT, files

BLOCK = re.compile(r"^[ ]*```mlir\n(.*?)^[ ]*```", re.S | re.M)
PASS = re.compile(r'^def \w+ : Pass<"([\w-]+)"', re.M)
PARTS = re.compile(r"// before\n(.*)// after(?:, with \{(.*?)\})?\n(.*)", re.S)
GIVEN = re.compile(r"// (%.*)\n")
TOKEN = re.compile(r'"[^"]*"|%[\w.-]+(?:#\d+)?|\^[\w]+|\.\.\.|[\w.$-]+|\S')
DEFINERS = {"for", "walk", "each_record", "each_row", "members", "sdm.walk", "sdm.each_record", "sdm.each_row", "sdm.members", "scf.for"}


def dedent(text: str) -> str:
    lines = text.split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:] for line in lines).strip() + "\n"


def lines_of(text: str) -> list[list[str]]:
    """The words of each line, without declarations and without the module around them."""
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if line and not re.match(r"#\w+ =", line)]
    if lines[:1] == ["module {"]:
        lines = lines[1:-1]
    return [TOKEN.findall(line) for line in lines]


@dataclass
class Names:
    """Which printed name each name of an example has now, and back."""

    forth: dict[str, str] = field(default_factory=dict)
    back: dict[str, str] = field(default_factory=dict)

    def bound(self, shown: str, printed: str, defined: bool) -> Names | None:
        if not defined and shown in self.forth:
            return self if self.forth[shown] == printed and self.back.get(printed) == shown else None
        names = Names(dict(self.forth), dict(self.back))
        names.forth[shown], names.back[printed] = printed, shown
        return names


def is_definition(words: list[str], at: int) -> bool:
    """Whether the value at a word is defined there: before `=`, after a loop's name, or as an argument `%x: type`."""
    rest = words[at + 1 :]
    first = words[0].startswith("%") and "=" in words and at < words.index("=") and "(" not in words[: words.index("=")]
    return first or rest[:1] in (["="], [":"]) and "(" in words[:at] or words[at - 1] in DEFINERS


def match_words(shown: list[str], printed: list[str], names: Names, i: int = 0, j: int = 0) -> Names | None:
    if i == len(shown):
        return names if j == len(printed) else None
    if shown[i] == "...":
        for skip in range(j, len(printed) + 1):
            if (found := match_words(shown, printed, names, i + 1, skip)) is not None:
                return found
        return None
    if j == len(printed):
        return None
    a, b = shown[i], printed[j]
    if a[0] == b[0] == "%":
        (value, _, result), (other, _, index) = a.partition("#"), b.partition("#")
        bound = names.bound(value, other, is_definition(printed, j)) if result == index else None
        return bound and match_words(shown, printed, bound, i + 1, j + 1)
    if a != b and not a[0] == b[0] == "^":
        return None
    return match_words(shown, printed, names, i + 1, j + 1)


def match(shown: list[list[str]], printed: list[list[str]], names: Names, i: int = 0, j: int = 0) -> tuple[bool, int]:
    """Whether the printed lines are the shown ones, and how far they were."""
    if i == len(shown):
        return j == len(printed), i
    if shown[i] == ["..."]:
        farthest = i
        for skip in range(j, len(printed) + 1):
            good, reached = match(shown, printed, names, i + 1, skip)
            farthest = max(farthest, reached)
            if good:
                return True, reached
        return False, farthest
    if j == len(printed) or (bound := match_words(shown[i], printed[j], names)) is None:
        return False, i
    return match(shown, printed, bound, i + 1, j + 1)


@dataclass
class Example:
    place: str
    text: str
    name: str = ""  # of the pass; empty where the example is only read

    def run(self, opt: str, declarations: str) -> str:
        """What is wrong with the example, or nothing."""
        if self.name:
            return self.run_pass(opt, declarations)
        given = GIVEN.match(self.text)
        if given:
            self.text = f"func.func @example({given[1]}) {{\n{self.text[given.end():]}return\n}}\n"
        done = tool([opt, "-o", "/dev/null"], declarations + self.text)
        return done.stderr if done.returncode else ""

    def run_pass(self, opt: str, declarations: str) -> str:
        parts = PARTS.fullmatch(self.text)
        if not parts:
            return "expected a part '// before' and a part '// after'"
        before, options, after = parts[1], parts[2] or "", parts[3]
        pipeline = f"builtin.module({self.name}{{{options}}})" if options else f"builtin.module({self.name})"
        done = tool([opt, f"--pass-pipeline={pipeline}"], declarations + before)
        if done.returncode:
            return done.stderr
        shown = lines_of(after)
        good, reached = match(shown, lines_of(done.stdout), Names())
        at = " ".join(shown[reached]) if reached < len(shown) else "the end"
        return "" if good else f"expected the part after, up to '{at}', got\n{done.stdout}"


def tool(command: list[str], text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=text, capture_output=True, text=True)


def examples() -> tuple[list[Example], str]:
    found, declarations = [], ""
    for path in files("dialect/*.td", "lib/*.td"):
        source = (ROOT / path).read_text(encoding="utf-8")
        for block in BLOCK.finditer(source):
            text = dedent(block[1])
            place = f"{path}:{source.count(chr(10), 0, block.start()) + 1}"
            passes = PASS.findall(source, 0, block.start())
            if text.startswith("#"):
                declarations += text
            else:
                found.append(Example(place, text, passes[-1] if passes else ""))
    return found, declarations


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", default="sdm-opt", help="the tool that reads and runs the examples")
    options = parser.parse_args()
    failed = 0
    found, declarations = examples()
    for example in found:
        fault = example.run(options.opt, declarations)
        failed += bool(fault)
        print(f"{'failed' if fault else 'ok'}: {example.place} {example.name}".rstrip())
        if fault:
            print("  " + fault.replace("\n", "\n  "))
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
