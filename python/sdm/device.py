"""Arrays on a GPU without any array library: numpy arrays up and down, for the demonstration and for tests."""

from __future__ import annotations

import dataclasses

import ml_dtypes
import numpy as np

from sdm import arrays
from sdm.streams import device_memory

NUMPY = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16), "f16": np.dtype(np.float16), "fp8": np.dtype(ml_dtypes.float8_e4m3fn), "u8": np.dtype(np.uint8), "i32": np.dtype(np.int32), "i64": np.dtype(np.int64)}


def upload(array: np.ndarray, device: int = 0, offset: int = 0) -> arrays.ArrayView:
    """A dense copy on a GPU, `offset` bytes behind an aligned address."""
    from sdm import _sdm

    array = array if array.flags.c_contiguous else array.copy()
    source = arrays.view(array)
    memory = device_memory(device, array.nbytes + offset)
    if array.nbytes:
        _sdm.cuda_copy_to_device(device, memory.pointer + offset, array.ctypes.data, array.nbytes)
        _sdm.cuda_synchronize(device)
    return dataclasses.replace(source, pointer=memory.pointer + offset, device=f"cuda:{device}", owner=memory, readonly=False)


def download(view: arrays.ArrayView) -> np.ndarray:
    """The numpy copy of a dense view; waits for the device's legacy stream."""
    from sdm import _sdm

    out = np.empty(view.shape, NUMPY[view.dtype])
    if out.nbytes:
        _sdm.cuda_copy_to_host(view.device_index, out.ctypes.data, view.pointer, out.nbytes)
    _sdm.cuda_synchronize(view.device_index)
    return out
