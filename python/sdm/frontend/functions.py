"""The objects that decorators make: a helper that is inlined where a kernel calls it."""

from __future__ import annotations

import functools

from sdm.dtypes import OutsideKernelError
from sdm.frontend.source import Source


class Function:
    """A Python function marked with @sdm.function: kernels and other helpers call it, and it is inlined there."""

    def __init__(self, function):
        self.function = function
        functools.update_wrapper(self, function, updated=())

    @functools.cached_property
    def source(self) -> Source:
        """Raises CompileError where the source cannot be read."""
        return Source.of(self.function)

    def __call__(self, *arguments, **keywords):
        raise OutsideKernelError(self.function.__name__)
