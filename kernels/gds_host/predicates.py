"""What callers ask before they choose this mover: answers by shape, dtype and device alone, as the hand-written mover gives them.

`make_gds` itself takes more: any width, any device, the CPU too.
"""

from __future__ import annotations

import functools

import numpy as np

from sdm import arrays
from sdm.bind import features_of
from sdm.errors import OperandError
from sdm.frontend.slices import slice_count, slice_width

PAIRS = (("bf16", "bf16"), ("bf16", "f32"), ("f32", "f32"))
WIDEST_READ = 256
LARGEST_SLAB = 96 * 1024


def slices(hd: int) -> tuple[int, int, bool]:
    """(slices of a row, columns of a slice, whether they are uneven or end within a group of four columns)."""
    count, width = slice_count(hd), slice_width(hd)
    return count, width, count * width != hd


def supported(bank, grad_bank, chunk_size: int, width: int) -> bool:
    """`admits` with the gradient rows at hand."""
    return admits(bank, arrays.view(grad_bank).dtype, chunk_size, width)


def admits(bank, grad_dtype, chunk_size: int, width: int, quant: str = "none") -> bool:
    """A CUDA bank [slots, hd] and a gradient type that go together, with chunk_size tokens of `width` reads whose rows fit on chip."""
    view = arrays.view(bank)
    if view.rank != 2 or (view.dtype, dtype_name(grad_dtype)) not in PAIRS or not _device(view):
        return False
    if not 1 <= chunk_size <= 256 or not 1 <= width <= WIDEST_READ:
        return False
    if not 0 < view.shape[1] < 1 << 31 or view.shape[0] >= 1 << 31:
        return False
    if slices(view.shape[1])[2] and not tail_supported(bank, chunk_size, quant):
        return False
    return _fits(view, chunk_size, width)


def tail_supported(bank, chunk_size: int, quant: str = "none") -> bool:
    """Whether uneven slices are taken: rows of at most 2^20 columns on a CUDA device, chunks that it can hold."""
    view = arrays.view(bank)
    family = _device(view)
    if not family or view.rank != 2 or view.dtype not in ("bf16", "f32"):
        return False
    if not 1 <= chunk_size <= (256 if family in ("modern", "ampere") else 128):
        return False
    if not 1 <= view.shape[1] <= 1 << 20 or view.shape[0] >= 1 << 31:
        return False
    return _fits(view, chunk_size, WIDEST_READ)


def records_ok(qrec, spay_q) -> bool:
    """A provider, or dense int32 records of 16 or 8 bytes, aligned to their size, one for each word of spay_q."""
    if qrec is None:
        return False
    if callable(getattr(qrec, "get", None)):
        return True
    try:
        records, words = arrays.view(qrec), arrays.view(spay_q)
    except TypeError:
        return False
    if records.dtype != "i32" or not _dense(records):
        return False
    width = next((width for width in (4, 2) if records.size == words.size * width), 0)
    return bool(width) and records.pointer % (4 * width) == 0


def wide_offsets(bank, grad_dtype) -> bool:
    """Whether a row's offset can pass 2^32 elements' worth of the small form: f32 rows, or 2^32 elements and more."""
    view = arrays.view(bank)
    return (view.dtype, dtype_name(grad_dtype)) != ("bf16", "bf16") or view.size >= 1 << 32


def dtype_name(dtype) -> str:
    """Our name of torch's, numpy's or our own dtype, or of a type of numpy's scalars; "" when there is none."""
    if isinstance(dtype, type) and issubclass(dtype, np.generic):
        dtype = np.dtype(dtype)
    text = getattr(dtype, "name", None) or str(dtype).rpartition(".")[2]
    return arrays.NAMES.get(text, text if text in arrays.SIZES else "")


def _dense(view: arrays.ArrayView) -> bool:
    step = view.itemsize
    if not view.size:
        return True
    for extent, stride in zip(reversed(view.shape), reversed(view.strides)):
        if extent > 1 and stride != step:
            return False
        step *= extent
    return True


def _device(view: arrays.ArrayView) -> str:
    """"modern" (programmatic launches), "consumer" (bulk copies without), "ampere" (neither), "" for the CPU and what is older."""
    try:
        features = features_of(view.device)
    except OperandError:
        return ""
    if "griddepcontrol_default" in features:
        return "modern"
    return "consumer" if "bulk_copy" in features else "ampere" if "cp_async" in features else ""


@functools.cache
def _info(index: int) -> dict:
    from sdm import _sdm

    return _sdm.device_info(index)


def _fits(view: arrays.ArrayView, chunk_size: int, width: int) -> bool:
    """A slice's token rows (f32) and two staged batches of records for each warp, against the shared memory of a CTA."""
    _, columns, tail = slices(view.shape[1])
    slab = chunk_size * columns * 4
    warps = 8 if tail or (slab <= LARGEST_SLAB and width < WIDEST_READ) else 16 if slab > LARGEST_SLAB else 4
    staged = -(-(slab + 64) // 128) * 128
    return staged + warps * 64 * 16 + 16 <= _info(view.device_index)["shared_per_block"]
