"""`python -m sdm doctor`: what this machine can do, and why not."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform

import click


@click.command("doctor")
def command():
    """Lists the compiler, its targets, the CPU, the GPUs, the assembler, array libraries and the cache."""
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in report():
        table.add_row(name, text)
    Console(soft_wrap=False).print(table)


def report() -> list[tuple[str, str]]:
    """Pairs of a name and a sentence or number."""
    from sdm._version import __version__

    lines = [("sdm", f"{__version__} on Python {platform.python_version()}, {platform.system()} {platform.machine()}")]
    try:
        from sdm import _sdm
    except ImportError as error:
        return [*lines, ("compiler", f"missing: the extension sdm._sdm cannot be loaded ({error}); build it or install the wheel")]
    lines.append(("compiler", _sdm.versions()))
    lines.append(("targets", ", ".join(_sdm.targets())))
    triple, processor = (_sdm.host_machine_key().split() + ["", ""])[:2]
    lines.append(("host", f"{processor} ({triple}), {_sdm.host_threads()} threads (SDM_NUM_THREADS sets them)"))
    lines.append(("assembler", _assembler(_sdm)))
    lines += _gpus(_sdm)
    lines += [(name, _library(name)) for name in ("numpy", "ml_dtypes", "torch")]
    lines.append(("cache", _cache()))
    return lines


def _assembler(_sdm) -> str:
    from sdm import compile as compiler, options

    try:
        path = _sdm.find_ptxas(options.current().ptxas, compiler.ptxas_folders())
        if path:
            return f"{path} ({_sdm.ptxas_version(path)})"
    except Exception as error:
        return f"not usable: {error}"
    return "no ptxas (looked at SDM_PTXAS, CUDA_HOME, PATH, the nvidia-cuda-nvcc wheel); PTX goes to the driver as it is"


def _gpus(_sdm) -> list[tuple[str, str]]:
    missing = _sdm.cuda_missing()
    if missing:
        return [("GPU", f"none: {missing}; kernels are compiled for every chip and run on the CPU")]
    version = _sdm.driver_version()
    lines = [("driver", f"CUDA {version // 1000}.{version % 1000 // 10}")]
    for index in range(_sdm.device_count()):
        info = _sdm.device_info(index)
        chip, note = _sdm.nearest_chip(info["major"], info["minor"])
        what = f"compiled as {chip}" if chip else "not supported"
        extra = f" ({note})" if note else ""
        text = f"{info['name']}, capability {info['major']}.{info['minor']}, {info['multiprocessors']} SMs: {what}{extra}"
        lines.append((f"GPU {index}", text))
    return lines


def _library(name: str) -> str:
    if importlib.util.find_spec(name) is None:
        return "not installed" + ("; numpy, cupy and jax arrays work without it" if name == "torch" else "")
    return importlib.metadata.version(name)


def _cache() -> str:
    from sdm import cache, options

    disk = cache.DiskCache.of(options.current())
    entries = disk.entries()
    size = sum(size for _, size, _ in entries)
    return f"{disk.folder}: {len(entries)} kernels, {size / 1e6:.1f} of at most {disk.limit / 1e6:.0f} MB (SDM_CACHE_DIR, SDM_CACHE_BYTES)"
