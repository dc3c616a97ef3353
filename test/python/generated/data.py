"""Operands of a random program: lists of records, rows with special values, places of any alignment."""

from __future__ import annotations

import numpy as np

import sdm
import sdm.language as sl
from generated.program import Operand, Program
from sdm.reference import workloads


def keys(rng, program: Program) -> np.ndarray:
    """[chunks, n]; the keys of a chunk are its own."""
    sizes = program.sizes
    shape, most = (sizes.chunks, sizes.n), sizes.keys
    found = rng.integers(0, most, shape)
    if program.shape == "one":
        found[:] = most // 2
    if program.shape == "hot":
        found = np.where(rng.random(shape) < 0.7, most // 2, found)
    if program.shape == "unique":
        found = np.stack([rng.permutation(max(most, sizes.n))[: sizes.n] for _ in range(sizes.chunks)]) % most
    if program.shape == "repeat":
        found = np.minimum(np.arange(sizes.n) // 2, most - 1)[None].repeat(sizes.chunks, 0)
    return found + np.arange(sizes.chunks)[:, None] * most


def items(rng, program: Program, record):
    """(what the kernel takes, the sorted fields as arrays [chunks, n])."""
    sizes = program.sizes
    shape, total = (sizes.chunks, sizes.n), sizes.chunks * sizes.keys
    key = keys(rng, program).astype(np.int32 if program.key == "i32" else np.int64)
    valid = rng.random(shape) >= program.invalid
    place = np.stack([rng.permutation(sizes.n) for _ in range(sizes.chunks)])
    fields = {
        "a": rng.integers(0, sizes.a, shape), "b": rng.integers(0, sizes.b, shape), "u": place // sizes.lanes, "v": place % sizes.lanes,
    }  # fmt: skip
    if program.garbage:
        for name, high in (("a", 256), ("b", 256)):
            fields[name] = np.where(valid, fields[name], rng.integers(0, high, shape))
    fields = {name: value.astype(np.int32) for name, value in fields.items()}
    fields["w"] = workloads.rows(rng, shape, "float32", program.special)
    made = sdm.sort(key, num_keys=total, valid=valid, **fields)
    flags = made.flags.view(np.uint32)
    first, last, invalid = (flags >> 31 & 1, flags >> 30 & 1, flags >> 29 & 1)
    decoded = {**made.payload, "key": made.key, "index": made.index, "ordinal": made.ordinal, "valid": invalid == 0, "first": first == 1}
    if not program.packed:
        return made, decoded
    p = {name: value.view(np.uint32) for name, value in made.payload.items()}
    ignored = rng.integers(0, 1 << 12, shape).astype(np.uint32) << 18
    word = p["a"] | p["b"] << 8 | ignored | invalid << 17 | last << 30 | first << 31
    wide = program.key == "i64"
    words = np.zeros((*shape, 6 if wide else 4), np.uint32)
    words[..., 0], words[..., 1], words[..., 4 if wide else 2] = word, p["u"] | p["v"] << 16, p["w"]
    words[..., 2:4] = made.key.astype(np.int64)[..., None].view(np.uint32) if wide else words[..., 2:4]
    if not wide:
        words[..., 3] = made.key.view(np.uint32)
    layout = sl.packed(
        record, (24 if wide else 16,), slot=sl.at(8 if wide else 12, type=sl.i64 if wide else None), w=sl.at(16 if wide else 8),
        a=sl.bits(0, 7), b=sl.bits(8, 15), u=sl.bits(0, 15, 4), v=sl.bits(16, 23, 4),
        first=sl.bits(31, 31), last=sl.bits(30, 30), invalid=sl.bits(17, 17),
    )  # fmt: skip
    return sdm.bound(layout, words.view(np.int32)), decoded


def array(rng, program: Program, operand: Operand):
    if not operand.axes:
        return np.float32(rng.standard_normal()) if operand.kind == "f32" else int(rng.integers(0, 9))
    shape = tuple(program.sizes.extent(axis) for axis in operand.axes)
    if operand.kind == "rows":
        shape = (*shape, operand.width)
    if operand.dtype.startswith("int"):
        values = rng.integers(-(1 << 31), 1 << 31, shape).astype(operand.dtype)
    else:
        values = workloads.rows(rng, shape, operand.dtype, program.special)
    return values[:1].repeat(shape[0], 0) if operand.strides == "repeated" else values


def placed(operand: Operand, values):
    """A copy at the operand's alignment, pitch and strides."""
    if not operand.axes:
        return values
    if operand.strides == "repeated":
        once = _dense(operand, values[:1])
        return np.lib.stride_tricks.as_strided(once, values.shape, (0, *once.strides[1:]))
    if operand.strides == "swapped":
        return _dense(operand, values.swapaxes(0, 1)).swapaxes(0, 1)
    return _dense(operand, values[::-1])[::-1] if operand.strides == "reversed" else _dense(operand, values)


def _dense(operand: Operand, values):
    width = values.shape[-1] + operand.pad
    size = int(np.prod(values.shape[:-1], dtype=np.int64)) * width
    raw = np.zeros(size * values.itemsize + 128 + operand.shift * values.itemsize, np.uint8)
    start = -raw.ctypes.data % 64 + operand.shift * values.itemsize
    view = raw[start : start + size * values.itemsize].view(values.dtype).reshape(*values.shape[:-1], width)[..., : values.shape[-1]]
    bits_of(view)[...] = bits_of(values)
    return view


def bits_of(view):
    """The elements of any strided array as unsigned words."""
    return view.view(f"u{view.itemsize}")


def tables(rng, program: Program) -> dict:
    return {operand.name: array(rng, program, operand) for operand in program.operands}


