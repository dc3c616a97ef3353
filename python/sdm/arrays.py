"""One view of arrays from anywhere: pointer, shape, strides in bytes, element type, device.

numpy (ml_dtypes' bfloat16 included) by pointer and strides; torch the same way, and only when an operand is a torch tensor; everything else
(cupy, jax, ...) by DLPack. No copies are made and nothing waits for a device.
"""

from __future__ import annotations

import dataclasses
import math
import sys

import numpy as np

from sdm.frontend.slices import slice_count, slice_width

# numpy's and torch's names of element types, and ours.
NAMES = {
    "float32": "f32", "bfloat16": "bf16", "float16": "f16", "float64": "f64", "int32": "i32", "int64": "i64", "int8": "i8",
    "uint8": "u8", "int16": "i16", "bool": "bool", "uint32": "u32", "uint64": "u64", "uint16": "u16",
}  # fmt: skip
SIZES = {"bf16": 2, "f16": 2, "bool": 1, **{f"{kind}{8 * size}": size for kind in "iu" for size in (1, 2, 4, 8)}, "f32": 4, "f64": 8}
# The exact overlap test gives up after this much work and then answers by ranges alone.
OVERLAP_WORK = 100_000
SELF_OVERLAP_ELEMENTS = 1 << 22


@dataclasses.dataclass(frozen=True)
class ArrayView:
    """An array where it lies. strides in bytes; device "cpu" or "cuda:0"; owner keeps the memory alive."""

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str
    device: str
    owner: object = None
    readonly: bool = False

    @property
    def itemsize(self) -> int:
        return SIZES[self.dtype]

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def device_index(self) -> int:
        """The ordinal of a CUDA device, -1 for the CPU."""
        return -1 if self.device == "cpu" else int(self.device.partition(":")[2])

    def bounds(self) -> tuple[int, int]:
        """First byte and the byte past the last one; equal when there are no elements."""
        if not self.size:
            return self.pointer, self.pointer
        reach = [(extent - 1) * stride for extent, stride in zip(self.shape, self.strides)]
        low = self.pointer + sum(r for r in reach if r < 0)
        return low, self.pointer + sum(r for r in reach if r > 0) + self.itemsize

    def described(self) -> str:
        return f"{self.dtype} {list(self.shape)} on {self.device}"


def view(array) -> ArrayView:
    """The view of an array object. Errors: TypeError for what is no array, or has an element type without a name here."""
    if isinstance(array, ArrayView):
        return array
    if isinstance(array, np.ndarray):
        return _from_numpy(array)
    if is_torch(array):
        return _from_torch(array)
    if hasattr(array, "__dlpack__"):
        from sdm import dlpack

        return dlpack.view(array)
    raise TypeError(f"expected a numpy array, a torch tensor or an object with __dlpack__, got {type(array).__name__}")


def moved(view: ArrayView, pointer: int, owner) -> ArrayView:
    """The view at another address, of another owner."""
    return ArrayView(pointer, view.shape, view.strides, view.dtype, view.device, owner, view.readonly)


def is_torch(array) -> bool:
    """Whether an object is a torch tensor; torch is never imported for the question."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def _from_numpy(array: np.ndarray) -> ArrayView:
    name = NAMES.get(array.dtype.name)
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("expected an array without a mask, got a masked array (give its data and, to sdm.sort, valid=)")
    if name is None or not array.dtype.isnative:
        raise TypeError(f"expected an array of f32, bf16, f16, i32 or i64 in this machine's byte order, got {array.dtype}")
    return ArrayView(array.ctypes.data, array.shape, array.strides, name, "cpu", array, not array.flags.writeable)


def _from_torch(tensor) -> ArrayView:
    name = NAMES.get(str(tensor.dtype).rpartition(".")[2])
    if name is None or tensor.device.type not in ("cpu", "cuda") or tensor.is_sparse or tensor.is_quantized:
        raise TypeError(f"expected a dense tensor of f32, bf16, f16, i32 or i64 on cpu or cuda, got {tensor.dtype} on {tensor.device}")
    size = tensor.element_size()
    strides = tuple(stride * size for stride in tensor.stride())
    device = "cpu" if tensor.device.type == "cpu" else f"cuda:{tensor.device.index or 0}"
    return ArrayView(tensor.data_ptr(), tuple(tensor.shape), strides, name, device, tensor)


class _Bytes:
    """A view as numpy sees it, byte by byte; its memory is never touched."""

    def __init__(self, array: ArrayView):
        self.__array_interface__ = {
            "data": (array.pointer, True),
            "shape": (*array.shape, array.itemsize),
            "strides": (*array.strides, 1),
            "typestr": "|u1",
            "version": 3,
        }


def overlap(a: ArrayView, b: ArrayView) -> bool:
    """Whether two views share a byte; where that is too hard to say, whether their ranges meet."""
    if a.device != b.device or not a.size or not b.size:
        return False
    (a_low, a_end), (b_low, b_end) = a.bounds(), b.bounds()
    if a_end <= b_low or b_end <= a_low:
        return False
    try:
        return bool(np.shares_memory(np.asarray(_Bytes(a)), np.asarray(_Bytes(b)), max_work=OVERLAP_WORK))
    except np.exceptions.TooHardError:
        return True


def overlaps_itself(array: ArrayView) -> bool:
    """Whether two indices give one address (stride 0, windows). Exact up to 4 million elements, else careful: it may say yes."""
    axes = sorted((abs(stride), extent) for stride, extent in zip(array.strides, array.shape) if extent > 1)
    if not array.size:
        return False
    reach = array.itemsize
    for stride, extent in axes:
        if stride < reach:
            break
        reach = stride * (extent - 1) + reach
    else:
        return False
    if any(stride < array.itemsize for stride, _ in axes) or array.size > SELF_OVERLAP_ELEMENTS:
        return True
    offsets = np.zeros(1, np.int64)
    for stride, extent in axes:
        offsets = (offsets[:, None] + stride * np.arange(extent)).reshape(-1)
    offsets.sort()
    return bool((np.diff(offsets) < array.itemsize).any())


def natural_piece(width: int, itemsize: int) -> int:
    """Bytes that one access of a row may move when base and strides allow any: 16, 8, 4, or one element."""
    slices, columns = slice_count(width), slice_width(width)
    lengths = (width * itemsize, columns * itemsize, (width - (slices - 1) * columns) * itemsize)
    return next((p for p in (16, 8, 4) if p >= itemsize and all(length % p == 0 for length in lengths)), itemsize)


def piece(array: ArrayView) -> int:
    """The piece of rows where they lie: what divides the base and the strides of the index axes as well."""
    found = natural_piece(array.shape[-1], array.itemsize)
    strides = [stride for stride, extent in zip(array.strides[:-1], array.shape[:-1]) if extent > 1]
    while found > array.itemsize and any(value % found for value in (array.pointer, *strides)):
        found //= 2
    return found if found >= 4 else array.itemsize
