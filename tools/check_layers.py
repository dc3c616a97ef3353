#!/usr/bin/env python3
"""Dependencies point one way: C++ rooms include only rooms below them, the front end knows nothing of the runtime."""

import ast
import re
import sys
from pathlib import Path

from repository import ROOT, files

# A room, and the rooms whose headers it may include beside its own.
ROOMS = {
    "dialect": (),
    "lib/Target": ("dialect",),
    "lib/Transforms": ("dialect", "lib/Target"),
    "lib/Conversion": ("dialect", "lib/Target", "lib/Transforms"),
    "lib/Pipelines": ("dialect", "lib/Target", "lib/Transforms", "lib/Conversion"),
    "lib/Runtime": (),
    "lib/Lanes": ("dialect", "lib/Target", "lib/Runtime"),
    "tools": ("dialect", "lib"),
    "python/src": ("dialect", "lib"),
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"((?:dialect|lib|tools|python)/[^"]+)"', re.M)

# Python files by prefix, and the modules of the package that they may not import.
RUNTIME = {"launch", "cache", "bind", "kernel", "arrays", "lanes", "promises", "sort", "cli", "demo"}
FRONT = ("python/sdm/frontend/", "python/sdm/language.py", "python/sdm/records.py", "python/sdm/dtypes.py")
# The references share no code with the compiler.
REFERENCE = "python/sdm/reference/"


def room_of(path: str) -> str | None:
    return next((room for room in ROOMS if path.startswith(room + "/")), None)


def check_includes() -> list[str]:
    faults = []
    for path in files("*.cpp", "*.h"):
        room = room_of(path.as_posix())
        if room is None:
            continue
        allowed = (room, *ROOMS[room])
        for included in INCLUDE.findall((ROOT / path).read_text(encoding="utf-8")):
            if not included.startswith(tuple(each + "/" for each in allowed)):
                faults.append(f"{path}: expected headers of {', '.join(allowed)}, got {included}")
    return faults


def imported(path: Path) -> list[tuple[int, str]]:
    """Modules of the package that a file imports, as dotted names below sdm."""
    package = path.with_suffix("").parts[2:-1]  # below python/sdm
    found = []
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name[4:]) for alias in node.names if alias.name.startswith("sdm.")]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                base = package[: len(package) - (node.level - 1)]
                module = ".".join((*base, *filter(None, [module])))
            elif module == "sdm" or module.startswith("sdm."):
                module = module[4:]
            else:
                continue
            found += [(node.lineno, ".".join(filter(None, [module, alias.name]))) for alias in node.names]
    return found


def check_imports() -> list[str]:
    faults = []
    for path in files("python/sdm/*.py"):
        name = path.as_posix()
        for line, module in imported(path):
            if name.startswith(FRONT) and module.split(".")[0] in RUNTIME:
                faults.append(f"{name}:{line}: expected a front end that knows no runtime, got an import of {module}")
            if name.startswith(REFERENCE) and not module.startswith("reference"):
                faults.append(f"{name}:{line}: expected a reference of its own, got an import of {module}")
    return faults


def main() -> int:
    faults = check_includes() + check_imports()
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
