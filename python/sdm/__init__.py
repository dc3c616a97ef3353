"""sdm: kernels over sorted groups of records, with the same bits on every target.

Importing sdm loads numpy, never another array library; MLIR is loaded by the first kernel that compiles.
"""

from __future__ import annotations

import importlib

from sdm._version import __version__
from sdm.dtypes import OutsideKernelError
from sdm.errors import CheckError, CompilerError, OperandError, ScheduleError
from sdm.frontend.errors import CompileError

# Some names are a function's and a file's: bound here, so that the function wins whoever imports the file.
from sdm.kernel import Kernel, function, kernel
from sdm.quantized import quantized
from sdm.schedule import Schedule
from sdm.sort import sort

_LATER = {"bound": "sdm.record_lists", "check": "sdm.verify", "synchronize": "sdm.launch"}

__all__ = [
    "CheckError", "CompileError", "CompilerError", "Kernel", "OperandError", "OutsideKernelError",
    "Schedule", "ScheduleError", "__version__", "function", "kernel", "quantized", "sort", *_LATER,
]  # fmt: skip


def __getattr__(name: str):
    if name not in _LATER:
        raise AttributeError(f"module 'sdm' has no attribute {name!r}")
    return getattr(importlib.import_module(_LATER[name]), name)
