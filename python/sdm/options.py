"""What a user may set from outside: one frozen set of options, read from the environment here and nowhere else."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib


@dataclasses.dataclass(frozen=True)
class Options:
    """SDM_CACHE_DIR: where compiled kernels are kept; SDM_CACHE_BYTES: at most this many (0 keeps none on disk); SDM_CHECK: check
    records before every launch; SDM_PTXAS: the assembler to use; SDM_DUMP: where every stage of a compile is written, and what reproduces a
    failure; SDM_CAPTURE: where every launch is written, for `python -m sdm replay`."""

    cache_dir: str = ""
    cache_bytes: int = 1 << 30
    check: bool = False
    ptxas: str = ""
    dump: str = ""
    capture: str = ""

    @property
    def code(self) -> tuple:
        """The options that change machine code: part of the cache key."""
        return (self.ptxas,)


def from_environment(environment=os.environ) -> Options:
    """Options as the environment sets them. Errors: a size that is not a number."""
    size = environment.get("SDM_CACHE_BYTES", str(Options.cache_bytes))
    if not size.isdigit():
        raise ValueError(f"expected SDM_CACHE_BYTES to be a number of bytes, got {size!r}")
    return Options(
        cache_dir=environment.get("SDM_CACHE_DIR", ""),
        cache_bytes=int(size),
        check=environment.get("SDM_CHECK", "") not in ("", "0"),
        ptxas=environment.get("SDM_PTXAS", ""),
        dump=environment.get("SDM_DUMP", ""),
        capture=environment.get("SDM_CAPTURE", ""),
    )


@functools.cache
def current() -> Options:
    """The process's options, read at the first use."""
    return from_environment()


def cache_directory(options: Options) -> pathlib.Path:
    """The folder of compiled kernels: SDM_CACHE_DIR, else the user's cache folder."""
    if options.cache_dir:
        return pathlib.Path(options.cache_dir)
    import platformdirs

    # A user without a home (a container's bare number) keeps nothing on disk.
    nowhere = pathlib.Path(os.devnull) / "sdm-lang"
    try:
        folder = pathlib.Path(platformdirs.user_cache_dir("sdm-lang"))
    except RuntimeError:
        return nowhere
    return folder if folder.is_absolute() else nowhere
