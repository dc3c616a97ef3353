"""A loop over steps in C++ that knows a plan's bytes and the function's address, nothing else; compiled with the system's compiler."""

import ctypes
import functools
import os
import pathlib
import shutil
import subprocess
import tempfile

SOURCE = r"""
#include <cstdint>

using Launch = int64_t (*)(const void *, int64_t, int64_t, int64_t, void *);

extern "C" int64_t run_steps(void *address, const void *plan, int64_t bytes, int64_t steps, int64_t use, void *stream) {
  for (int64_t ti = steps - 1; ti >= 0; --ti)
    if (int64_t status = reinterpret_cast<Launch>(address)(plan, bytes, ti, use, stream))
      return status;
  return 0;
}
"""
SIGNATURE = (ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)


def compiler() -> str | None:
    names = (os.environ.get("CXX"), "c++", "g++", "clang++", "clang++-22")
    return next((path for name in names if name and (path := shutil.which(name))), None)


@functools.cache
def compiled():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="steps"))
    (folder / "steps.cpp").write_text(SOURCE)
    library = folder / "steps.so"
    subprocess.run([compiler(), "-shared", "-fPIC", "-O1", "-o", str(library), str(folder / "steps.cpp")], check=True)
    function = ctypes.CDLL(str(library)).run_steps
    function.restype = ctypes.c_int64
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p]
    return function


def _memory(plan) -> tuple[int, int]:
    if hasattr(plan, "data_ptr"):
        return plan.data_ptr(), plan.numel()
    return plan.ctypes.data, plan.size


def in_cpp(plan, address: int, steps: int, use: int = 0, stream: int = 0) -> int:
    """All steps, the last one first, by the C++ loop."""
    return compiled()(address, *_memory(plan), steps, use, stream)


def in_python(plan, address: int, steps: int, use: int = 0, stream: int = 0) -> int:
    """The same by ctypes, step by step."""
    for ti in reversed(range(steps)):
        status = one(plan, address, ti, use, stream)
        if status:
            return status
    return 0


def one(plan, address: int, ti: int, use: int = 0, stream: int = 0) -> int:
    """The function's answer for one step."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *SIGNATURE)(address)(*_memory(plan), ti, use, stream)
