"""Kernels over quantized rows, and operands for them that meet every number."""

from __future__ import annotations

import numpy as np

import sdm
import sdm.language as sl
from sdm import arrays
from sdm.dtypes import BY_NAME
from sdm.frontend.specs import CellsSpec, RowsSpec
from sdm.operands import Operand, Operands
from sdm.reference import bits, quantized as reference

FORMATS = ("fp8", "int4")
# Zeros, subnormals, what E rounds (ties both ways), the least scale, the largest ones, infinities, NaN.
SCALES = np.array(
    [0.0, -0.0, 1e-45, -3e-39, 1.1754944e-38, 1e-12, 0.00390625, 1.00390625, 1.01171875, 1 / 448, -2.5, 3.3e38, 3.4e38, np.inf, -np.inf, np.nan],
    np.float32,
)


class Use(sl.Record, key="slot", unique=("item",)):
    slot: sl.i32
    item: sl.i32
    weight: sl.f32


@sdm.kernel
def dequantize(table: sl.Rows, out: sl.Rows):
    for row in sl.rows(table):
        out[row] = table[row]


@sdm.kernel
def quantize(x: sl.Rows, table: sl.Rows):
    for row in sl.rows(x):
        table[row] = x[row]


@sdm.kernel
def quotients(x: sl.Rows, scales: sl.Cells, payload: sl.Rows):
    """Row r: row r % rows(x) over scale r // rows(x), in bf16."""
    for row in sl.rows(payload):
        payload[row] = sl.round_to(x[row % x.shape[0]] / scales[row // x.shape[0]], sl.bf16)


@sdm.kernel
def update(uses: sl.Sorted[Use], table: sl.Rows, x: sl.Rows, dots: sl.Cells):
    for group in uses:
        m = table[group.slot]
        total = sl.zeros(x.width)
        for use in group:
            row = x[use.item]
            total = sl.fma(use.weight, row, total)
            dots[group.chunk, use.item] = sl.dot(row, m)
        table[group.slot] += total


@sdm.kernel
def spread(uses: sl.Sorted[Use], table: sl.Rows, out: sl.Rows):
    for group in uses:
        for use in group:
            out[use.item] = table[group.slot] * use.weight


@sdm.kernel
def fold(uses: sl.Sorted[Use], table: sl.Rows, x: sl.Rows, out: sl.Rows, dots: sl.Cells):
    for group in uses:
        m = table[group.slot]
        total = sl.zeros(x.width)
        for use in group:
            row = x[use.item]
            total = sl.fma(use.weight, row, total)
            dots[group.chunk, use.item] = sl.dot(row, m)
        out[group.slot] += total


@sdm.kernel
def copies(table: sl.Rows, out: sl.Rows):
    for row in sl.rows(table):
        out[row] = sl.copy_row(table[row])


def all_numbers() -> np.ndarray:
    """A row of every byte for each scale, uint8 [scales, 256]."""
    return np.tile(np.arange(256, dtype=np.uint8), (len(SCALES), 1))


def columns(format: str, payload) -> int:
    return payload.shape[-1] * (2 if format == "int4" else 1)


def payload_of(format: str, rows: int, width: int) -> np.ndarray:
    return np.zeros((rows, width * BY_NAME[format].bits // 8), np.uint8)


def drawn(format: str, rows: int, width: int, seed: int = 0) -> np.ndarray:
    """f32 rows [rows, width] of very different magnitudes: special values, ties between numbers, rows of zeros and of NaN."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, width)) * 10.0 ** rng.integers(-16, 30, (rows, 1))
    # Quotients near and on what lies between two numbers: halves of the last place, from a scale of 1.
    halves = rng.integers(-2 * 448, 2 * 448, (rows, width)) / 2.0 ** rng.integers(1, 12, (rows, width))
    ties = rng.random(rows) < 0.4
    x = np.where(ties[:, None], halves, x)
    x[ties, 0] = 448 if format == "fp8" else 7
    with np.errstate(over="ignore"):
        x = x.astype(np.float32)
    for value in (np.nan, np.inf, -np.inf, -0.0, 1e-45):
        x[rng.random(x.shape) < 0.002] = value
    x[:4] = np.array([0.0, -0.0, np.nan, -np.inf], np.float32)[:, None]
    return x


def every_bf16() -> np.ndarray:
    """bf16 [64, 1024]: each of the 65,536 numbers once."""
    return np.arange(1 << 16, dtype=np.uint16).reshape(64, 1024).view(bits.BF16)


def every_scale() -> np.ndarray:
    """f32: every bf16 number from 1e-12, rounded, to the largest finite one."""
    least, infinity = int(bits.words(bits.store(np.float32([1e-12]), "bfloat16"))[0]), 0x7F80
    return (np.arange(least, infinity, dtype=np.uint32) << 16).view(np.float32)


def known_numbers(format: str) -> np.ndarray:
    """What each bf16 word is stored as, uint8 [65536]: a byte, of int4 its four bits."""
    x = bits.to_f32(every_bf16()).reshape(-1, 1)
    packed = reference.pack(np.repeat(x, 2, axis=1), format)
    return np.ascontiguousarray(packed[:, 0] & (15 if format == "int4" else 255))


def rows_of_every_scale(low: int) -> np.ndarray:
    """f32 [32640, 8]: a row for each finite bf16 number with `low` behind it as the largest magnitude, and a NaN in each."""
    amax = np.arange(0, 0x7F80, dtype=np.uint32) << 16
    row = np.zeros((len(amax), 8), np.uint32)
    row[:, 1], row[:, 3], row[:, 5] = amax | low, (amax >> 1) | 0x80000000, 0x7FC00000
    return row.view(np.float32)


BEHIND_BF16 = (0, 1, 0x7FFF, 0x8000, 0xFFFF)  # words that bf16 has not: nothing, the least, around its ties, the most


def numbers(format: str, x, scales, payload) -> Operands:
    """Operands of `quotients` whose payload is bare numbers without scales: what only a test asks for."""
    views = [arrays.view(array) for array in (x, scales, payload)]
    specs = [
        RowsSpec(BY_NAME[views[0].dtype], views[0].shape[-1]),
        CellsSpec(BY_NAME[views[1].dtype], 1),
        RowsSpec(BY_NAME[format], columns(format, payload)),
    ]
    present = tuple(Operand(name, spec, (view,)) for name, spec, view in zip(("x", "scales", "payload"), specs, views))
    return Operands({operand.name: operand.spec for operand in present}, present, views[0].device, arrays.is_torch(x))


def uses(rows: int, slots: int, seed: int = 0):
    """A sorted list of `rows` uses, some of no slot."""
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, slots, rows).astype(np.int32)
    keys[rng.random(rows) < 0.1] = slots
    item, weight = rng.permutation(rows).astype(np.int32), rng.standard_normal(rows).astype(np.float32)
    return sdm.sort(keys, num_keys=slots, item=item, weight=weight)
