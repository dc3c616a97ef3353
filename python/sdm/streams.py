"""Streams and scratch memory of whatever array library the operands come from."""

from __future__ import annotations

import math

import numpy as np

from sdm import arrays
from sdm.errors import OperandError
from sdm.operands import Operands


def current(operands: Operands, stream=None, scratch: tuple[arrays.ArrayView, ...] = ()) -> int:
    """The stream's handle: the given one, else torch's current one for torch tensors, else the device's legacy stream."""
    given = None if stream is None else _handle(stream)
    if operands.device == "cpu":
        return 0
    if given is None:
        if not operands.uses_torch:
            return 0
        import torch

        found = torch_stream(operands)
        for view in scratch:
            # Planes made on another stream must not be handed out again while this one still uses them.
            if arrays.is_torch(view.owner) and not torch.cuda.is_current_stream_capturing():
                view.owner.record_stream(found)
        return found.cuda_stream
    return given


def _handle(stream) -> int:
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    if isinstance(stream, int):
        return stream
    raise OperandError(f"stream: expected a number or a stream of torch or cupy, got {type(stream).__name__}")


def torch_stream(operands: Operands):
    """torch's current stream of the operands' device; None on the CPU and without torch tensors."""
    if operands.device == "cpu" or not operands.uses_torch:
        return None
    import torch

    return torch.cuda.current_stream(torch.device(operands.device))


class Event:
    """An event behind what a stream has now, for arrays of libraries without torch; `ptr` is the driver's handle."""

    def __init__(self, device_index: int, stream: int = 0):
        from sdm import _sdm

        self.runtime, self.device_index = _sdm, device_index
        self.ptr = _sdm.cuda_event(device_index)
        _sdm.cuda_record(device_index, self.ptr, stream)

    def __del__(self):
        if getattr(self, "ptr", 0):
            self.runtime.cuda_destroy_event(self.device_index, self.ptr)


def wait(device_index: int, event, stream: int = 0) -> None:
    """Lets a stream wait for an event: of torch, of cupy, of this module, or a handle."""
    from sdm import _sdm

    for name in ("cuda_event", "ptr"):
        if hasattr(event, name):
            event = getattr(event, name)
            break
    if not isinstance(event, int):
        raise OperandError(f"event: expected a number or an event of torch or cupy, got {type(event).__name__}")
    if event:  # torch's is 0 until it is recorded
        _sdm.cuda_wait(device_index, stream, event)


def empty(operands: Operands, shape: tuple[int, ...]) -> arrays.ArrayView:
    """Uninitialised f32 memory where the operands are."""
    if operands.device == "cpu":
        owner = np.empty(shape, np.float32)
        pointer = owner.ctypes.data
    elif operands.uses_torch:
        import torch

        owner = torch.empty(shape, dtype=torch.float32, device=operands.device)
        pointer = owner.data_ptr()
    else:
        owner = device_memory(int(operands.device.partition(":")[2]), 4 * math.prod(shape))
        pointer = owner.pointer
    strides = tuple([4 * math.prod(shape[axis + 1 :]) for axis in range(len(shape))])
    return arrays.ArrayView(pointer, shape, strides, "f32", operands.device, owner)


class Allocation:
    """Device memory of the runtime's own, given back when the last view of it goes."""

    def __init__(self, device_index: int, size: int):
        from sdm import _sdm

        self.runtime, self.device_index = _sdm, device_index
        self.pointer = _sdm.cuda_allocate(device_index, size)

    def __del__(self):
        if getattr(self, "pointer", 0):
            self.runtime.cuda_release(self.device_index, self.pointer)


def device_memory(device_index: int, size: int) -> Allocation:
    """At least `size` bytes on a GPU."""
    return Allocation(device_index, max(4, size))
