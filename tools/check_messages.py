#!/usr/bin/env python3
"""Messages of the compiler start in lower case and end without a full stop."""

import re
import sys

from repository import ROOT, files

CALL = re.compile(r'\b(?:emitError|emitOpError|emitWarning|emitRemark|notifyMatchFailure|createStringError)\(')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def statement(text: str, start: int) -> str:
    """The source from a call to the end of its statement."""
    end = start
    inside = False
    while end < len(text):
        if text[end] == '"' and text[end - 1] != "\\":
            inside = not inside
        elif text[end] == ";" and not inside:
            break
        end += 1
    return text[start:end]


def faults_of(message: list[str]) -> list[str]:
    faults = []
    first = message[0].lstrip()
    # An acronym or a name (LLVM, NaN, SDM_PTXAS) may stand first; a capitalised word may not.
    if re.match(r"[A-Z][a-z]+\b", first):
        faults.append(f"expected a message in lower case, got '{first}'")
    if message[-1].rstrip().endswith("."):
        faults.append(f"expected a message without a full stop, got '{message[-1]}'")
    return faults


def main() -> int:
    faults = []
    for path in files("dialect/*.cpp", "lib/*.cpp", "tools/*.cpp", "python/src/*.cpp"):
        text = (ROOT / path).read_text(encoding="utf-8")
        for call in CALL.finditer(text):
            literals = [literal for literal in LITERAL.findall(statement(text, call.end())) if literal]
            line = text.count("\n", 0, call.start()) + 1
            if literals:
                faults += [f"{path}:{line}: {fault}" for fault in faults_of(literals)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
