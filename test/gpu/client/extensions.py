"""The package's CUDA extensions, which it compiles at first use: all at once here, and kept for another machine of the kind.

Every extension has a folder of its own, named by what went into it, below TORCH_EXTENSIONS_DIR. What lies there already is taken as it
is, without asking ninja whether it is fresh: files that were carried have new times.
"""

from __future__ import annotations

import importlib
import io
import os
import pathlib
import pkgutil
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

PACKAGE = "sparse_delta_memory"
# What one returned or carried file may hold.
PART = 15 << 20


def folders(cache: pathlib.Path) -> None:
    """Where extensions and Triton's kernels go, unless the environment says otherwise. Before torch is imported."""
    os.environ.setdefault("TORCH_EXTENSIONS_DIR", str(cache / "torch"))
    os.environ.setdefault("TRITON_CACHE_DIR", str(cache / "triton"))


def kept() -> list[pathlib.Path]:
    return [pathlib.Path(os.environ[name]) for name in ("TORCH_EXTENSIONS_DIR", "TRITON_CACHE_DIR")]


def use_what_is_built() -> None:
    """Lets the package import an extension that lies in its folder without a look at its sources."""
    from torch.utils import cpp_extension

    compiled = cpp_extension.load

    def load(name, *arguments, build_directory=None, **options):
        if build_directory and pathlib.Path(build_directory, f"{name}.so").exists():
            return cpp_extension._import_module_from_library(name, build_directory, True)
        return compiled(name, *arguments, build_directory=build_directory, **options)

    cpp_extension.load = load


def loaders() -> list[tuple[str, str]]:
    """(module, call) of everything that builds one."""
    import sparse_delta_memory.cuda as cuda

    found = []
    for info in pkgutil.iter_modules(cuda.__path__):
        module = importlib.import_module(f"{PACKAGE}.cuda.{info.name}")
        found += [(info.name, f"{name}()") for name in ("_module", "_tail_module") if callable(getattr(module, name, None))]
        # Rows that are fetched past the L2 cache are another source text.
        found += [(info.name, "_build(True)")] if callable(getattr(module, "_build", None)) else []
    return found


def build() -> bool:
    """Builds all of them, each in a process of its own; prints a line for each; whether all were built."""
    start, jobs = time.time(), {}
    environment = {**os.environ, "MAX_JOBS": "2"}
    for module, call in loaders():
        code = f"from {PACKAGE}.cuda import {module}; {module}.{call}"
        said = tempfile.TemporaryFile()
        jobs[module, call] = said, subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=said, stderr=said)
    built = True
    for (module, call), (said, job) in jobs.items():
        if job.wait():
            built = False
            said.seek(0)
            print(f"{module}.{call} FAILED\n  " + "\n  ".join(said.read().decode(errors="replace").splitlines()[-25:]))
    libraries = strip()
    size = sum(library.stat().st_size for library in libraries)
    for library in libraries:
        print(f"{library.stem}: {library.stat().st_size / 1e6:.1f} MB")
    print(f"{len(libraries)} extensions, {size / 1e6:.1f} MB, {time.time() - start:.0f} s", flush=True)
    return built


def strip() -> list[pathlib.Path]:
    """All that is built, without symbols that nobody asks for."""
    libraries = sorted(kept()[0].glob("*/*.so"))
    if libraries and shutil.which("strip"):
        subprocess.run(["strip", "--strip-unneeded", *map(str, libraries)], check=False)
    return libraries


def pack(folder: pathlib.Path) -> None:
    """The extensions and Triton's kernels as one archive in parts of at most 15 MiB, in `folder`."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:xz", preset=2) as tar:
        for number, root in enumerate(kept()):
            for path in sorted(root.rglob("*") if number else root.glob("*/*.so")):
                if path.is_file():
                    tar.add(path, f"{number}/{path.relative_to(root)}")
    folder.mkdir(parents=True, exist_ok=True)
    data = archive.getvalue()
    for number, at in enumerate(range(0, len(data), PART)):
        (folder / f"extensions.{number}").write_bytes(data[at : at + PART])
    print(f"packed: {len(data) / 1e6:.1f} MB in {-(-len(data) // PART)} parts in {folder}", flush=True)


def unpack(folder: pathlib.Path) -> None:
    """Puts what `pack` wrote where it was. Errors: FileNotFoundError when there is no archive."""
    parts = sorted(folder.glob("extensions.*"), key=lambda path: int(path.suffix[1:]))
    if not parts:
        raise FileNotFoundError(f"{folder}: expected files extensions.0, extensions.1, ..., found none")
    with tarfile.open(fileobj=io.BytesIO(b"".join(part.read_bytes() for part in parts)), mode="r:xz") as tar:
        for number, root in enumerate(kept()):
            for member in tar.getmembers():
                if member.name.startswith(f"{number}/"):
                    member.name = member.name[2:]
                    root.mkdir(parents=True, exist_ok=True)
                    tar.extract(member, root, filter="data")
