"""What a kernel's `bind`, `warm` and call do, in one place each."""

from __future__ import annotations

from sdm.bind import Bound, bind

__all__ = ["Bound", "bind", "call", "synchronize", "warm"]


def call(kernel, *arguments, stream=None, **options) -> None:
    """bind, launch of all chunks, done."""
    bound = bind(kernel, *arguments, **options)
    bound.launch(stream=stream, pdl=options.get("pdl", False))
    bound.done(stream)


def warm(kernel, *arguments, **options) -> None:
    """Compiles and loads for operands like these, and runs nothing; later calls then work under graph capture."""
    bind(kernel, *arguments, **options)


def synchronize(device: int = 0) -> None:
    """Waits for the device's legacy stream. On the CPU a launch is done when it returns."""
    from sdm import _sdm

    if not _sdm.cuda_missing():
        _sdm.cuda_synchronize(device)
