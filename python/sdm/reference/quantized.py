"""Quantized rows in numpy, from the contract: fp8 e4m3 and int4 numbers with one f32 scale a row."""

import numpy as np

from sdm.reference import bits

LARGEST = {"fp8": 448.0, "int4": 7.0}


def _e4m3(code):
    """The number of an e4m3 code without its sign: 4 bits of exponent, 3 of fraction, no infinity."""
    exponent, fraction = code >> 3, code & 7
    return (8 + fraction) * 2.0 ** (exponent - 10) if exponent else fraction * 2.0**-9


E4M3 = np.array([_e4m3(code) for code in range(127)])  # f64; code 127 is NaN
_BETWEEN = (E4M3[1:] + E4M3[:-1]) / 2


def numbers(payload, format):
    """The numbers of a payload as f32 [..., hd]. payload: uint8 [..., hd], or [..., hd / 2] of int4, a byte's high half first."""
    payload = np.asarray(payload).view(np.uint8)
    if format == "fp8":
        table = np.append(E4M3, np.nan)
        return np.concatenate([table, -table]).astype(np.float32)[payload]
    halves = np.stack([payload >> 4, payload & 15], axis=-1).reshape(*payload.shape[:-1], -1)
    return np.where(halves < 8, halves.astype(np.float32), halves.astype(np.float32) - 16)


def decode(payload, scale, format, to="bf16"):
    """Rows as f32 [..., hd], each a value of `to` ("bf16" or "f32"): to(number * to(scale)). scale: f32 [...]."""
    with np.errstate(all="ignore"):
        return _as(numbers(payload, format) * _as(np.asarray(scale, np.float32), to)[..., None], to)


def encode(x, format):
    """(payload, scale) of f32 rows x [..., hd]; hd is even for int4."""
    x = np.asarray(x, np.float32)
    largest = np.float32(LARGEST[format])
    with np.errstate(all="ignore"):
        amax = np.fmax.reduce(np.abs(x), axis=-1, initial=np.float32(0))
        scale = _as(np.maximum(amax * (np.float32(1) / largest), np.float32(1e-12)), "bf16")
        return pack(_as(x / scale[..., None], "bf16"), format), scale


def pack(q, format):
    """The payload of f32 numbers q [..., hd]: to nearest even, saturating; NaN is 0x7F in fp8, 7 in int4."""
    nan = np.isnan(q)
    if format == "fp8":
        size = np.minimum(np.where(nan, 0, np.abs(q)).astype(np.float64), 448)
        code = np.searchsorted(_BETWEEN, size)
        tie = (code < 126) & (size == _BETWEEN[np.minimum(code, 125)])
        code = code + (tie & (code % 2 == 1))
        return np.where(nan, 0x7F, code | np.where(np.signbit(q), 0x80, 0)).astype(np.uint8)
    whole = np.clip(np.rint(np.where(nan, 7, q)), -8, 7).astype(np.int64) & 15
    return (whole[..., 0::2] << 4 | whole[..., 1::2]).astype(np.uint8)


def _as(x, to):
    return x if to == "f32" else bits.to_f32(bits.store(x, bits.BF16))
