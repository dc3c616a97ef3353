"""`sdm.quantized`: rows stored as small numbers with one scale a row, for a parameter of `sl.Rows`."""

from __future__ import annotations

import dataclasses

from sdm.dtypes import QUANTIZED_TYPES
from sdm.errors import OperandError

FORMATS = tuple(dtype.name for dtype in QUANTIZED_TYPES)
DECODES = ("bf16", "f32")


@dataclasses.dataclass(frozen=True)
class Quantized:
    """payload: an array of bytes, its last axis a row; scale: an f32 array of the axes in front of it."""

    payload: object
    scale: object
    format: str
    decode: str


def quantized(payload, scale, format: str | None = None, decode: str = "bf16") -> Quantized:
    """Rows of fp8 or int4 with a scale each, as an operand: `kernel(..., sdm.quantized(payload, scale, "fp8"))`.

    payload: uint8 [..., hd] with the bits of e4m3 (also an array of float8_e4m3fn, which needs no format); for int4 uint8 [..., hd / 2],
    columns 2i and 2i + 1 in the high and the low half of byte i, as two's complement; scale: float32 [...]. decode: "bf16" or "f32", the
    type E that a row is decoded to: E(number * E(scale)). Where a kernel stores a row, payload and scale are both written: the scale is
    bf16(amax / 448) (of int4 / 7) and at least 1e-12, the numbers are bf16(x / scale), to nearest even and saturating.
    Errors: OperandError for another format or decode type; arrays are looked at when a kernel is called.
    """
    if format is None and _is_fp8(payload):
        format = "fp8"
    if not isinstance(format, str) or format not in FORMATS:
        raise OperandError(f"quantized: expected a format of {' or '.join(map(repr, FORMATS))}, got {format!r}")
    if not isinstance(decode, str) or decode not in DECODES:
        raise OperandError(f"quantized: expected decode as {' or '.join(map(repr, DECODES))}, got {decode!r}")
    return Quantized(payload, scale, format, decode)


def _is_fp8(payload) -> bool:
    """Whether the array's own type says e4m3: numpy's by ml_dtypes, torch's, a view's."""
    return str(getattr(payload, "dtype", "")).rpartition(".")[2] in ("float8_e4m3fn", "fp8")
