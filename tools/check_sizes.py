#!/usr/bin/env python3
"""No source file is longer than 500 lines, and none hides in a file of odds and ends."""

import sys

from repository import ROOT, files

END = 500
VAGUE = {"utils", "util", "misc", "common", "helpers", "helper"}


def main() -> int:
    faults = []
    for path in files("*.py", "*.cpp", "*.h", "*.td", "*.mlir", "*.sh", "*.cmake", "*CMakeLists.txt"):
        lines = (ROOT / path).read_text(encoding="utf-8").count("\n")
        if lines > END:
            faults.append(f"{path}: expected at most {END} lines, got {lines}")
        if path.stem.lower() in VAGUE:
            faults.append(f"{path}: expected a name that says the file's idea, got {path.stem}")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
