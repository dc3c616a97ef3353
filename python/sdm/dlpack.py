"""DLPack read by hand: what an array object exports, as a view. numpy's own reader knows no bfloat16 and no CUDA."""

from __future__ import annotations

import ctypes

from sdm.arrays import SIZES, ArrayView

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
READ_ONLY = 1
KINDS = {0: "i", 1: "u", 2: "f", 4: "bf", 6: "bool", 10: "fp"}  # the last one is e4m3 alone


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def view(array) -> ArrayView:
    """The view of an object with `__dlpack__`; the capsule, which is never consumed, keeps the memory alive.

    Errors: TypeError for another device than the CPU or CUDA, for vector types, and for what refuses to be exported.
    """
    try:
        capsule = _capsule(array)
        tensor, readonly = _opened(capsule)
    except (BufferError, RuntimeError, ValueError, AttributeError) as error:
        raise TypeError(f"expected an array that DLPack can export, got {type(array).__name__} ({error})") from None
    if tensor.device_type not in (CPU, CUDA, CUDA_HOST, CUDA_MANAGED):
        raise TypeError(f"expected an array on the CPU or on CUDA, got DLPack device {tensor.device_type}")
    kind = KINDS.get(tensor.code)
    if kind is None or tensor.lanes != 1:
        raise TypeError(f"expected an array of f32, bf16, f16, i32 or i64, got DLPack type {tensor.code}")
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    size, name = tensor.bits // 8, kind if kind == "bool" else f"{kind}{tensor.bits}"
    if name not in SIZES:
        raise TypeError(f"expected an array of f32, bf16, f16, i32 or i64, got DLPack type {tensor.code} of {tensor.bits} bits")
    if tensor.strides:
        strides = tuple(tensor.strides[axis] * size for axis in range(tensor.ndim))
    else:
        strides = _dense(shape, size)
    on_gpu = tensor.device_type in (CUDA, CUDA_MANAGED)
    return ArrayView(
        (tensor.data or 0) + tensor.byte_offset,
        shape,
        strides,
        name,
        f"cuda:{tensor.device_id}" if on_gpu else "cpu",
        (capsule, array),
        readonly,
    )


def _capsule(array):
    """The newest kind of capsule that an object makes: only that one can tell that an array is read-only."""
    try:
        return array.__dlpack__(max_version=(1, 0))
    except TypeError:  # it knows the first kind alone
        return array.__dlpack__()


def _opened(capsule) -> tuple[_Tensor, bool]:
    """The tensor in a capsule, and whether it must not be written."""
    if _is_valid(capsule, b"dltensor_versioned"):
        managed = _Versioned.from_address(_pointer_of(capsule, b"dltensor_versioned"))
        return managed.tensor, bool(managed.flags & READ_ONLY)
    return _Tensor.from_address(_pointer_of(capsule, b"dltensor")), False


def _dense(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    strides = []
    for extent in reversed(shape):
        strides.append(size)
        size *= max(extent, 1)
    return tuple(reversed(strides))
