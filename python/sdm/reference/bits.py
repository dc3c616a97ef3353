"""f32 arithmetic of the contract, bit by bit: fma, IEEE 754-2019 maximum and minimum, and rounding to storage types.

Plain `+ - * /` and `np.sqrt` of float32 arrays are already correctly rounded, so they have no function here.
"""

import ml_dtypes
import numpy as np

BF16 = np.dtype(ml_dtypes.bfloat16)
F16 = np.dtype(np.float16)
F32 = np.dtype(np.float32)
NAN_F32 = np.uint32(0x7FFFFFFF)
NAN_16 = np.uint16(0x7FFF)
DTYPES = {"bfloat16": BF16, "float16": F16, "float32": F32}

_SMALLEST_NORMAL = 2.0**-126
_BELOW_F32 = np.int64(0x1FFFFFFF)  # the bits of an f64 mantissa that f32 has not
_HALF_ULP = np.int64(0x10000000)


def dtype(name):
    """The numpy dtype of a storage type given by name ("bfloat16", "float16", "float32") or by dtype."""
    return DTYPES[name] if isinstance(name, str) and name in DTYPES else np.dtype(name)


def fma(x, y, z):
    """x * y + z for float32 arrays (broadcast), rounded once, to nearest even; every input, NaN payloads apart.

    The product is exact in f64. Adding z there rounds once too often, which shows only where the f64 sum lies on a midpoint of
    f32, or where the result is subnormal; those elements are redone with the sum rounded to odd.
    """
    with np.errstate(all="ignore"):
        p = np.asarray(x, np.float32).astype(np.float64) * np.asarray(y, np.float32)
        z = np.asarray(z, np.float32)
        s = np.asarray(p + z)
        out = s.astype(np.float32)
        doubtful = (s.view(np.int64) & _BELOW_F32) == _HALF_ULP
        doubtful |= (np.abs(s) < _SMALLEST_NORMAL) & (s != 0)
        if doubtful.any():
            p, z = (np.broadcast_to(v, s.shape)[doubtful].astype(np.float64) for v in (p, z))
            out[doubtful] = _sum_to_odd(p, z).astype(np.float32)
    return out


def _sum_to_odd(a, b):
    """a + b in f64, rounded to odd: an inexact sum takes the neighbour whose last bit is set."""
    s = a + b
    b_part = s - a
    error = (a - (s - b_part)) + (b - b_part)
    word = s.view(np.int64)
    fix = np.isfinite(s) & (error != 0) & (word & 1 == 0)
    away = np.where((error > 0) == (s > 0), 1, -1)  # magnitudes are ordered as their words
    return np.where(fix, word + away, word).view(np.float64)


def maximum(a, b):
    """IEEE 754-2019 maximum of float32 arrays: NaN wins, -0 < +0."""
    a, b = np.broadcast_arrays(np.asarray(a, np.float32), np.asarray(b, np.float32))
    take_a = (a > b) | ((a == b) & ~np.signbit(a))
    return _with_nan(np.where(take_a, a, b), a, b)


def minimum(a, b):
    """IEEE 754-2019 minimum of float32 arrays: NaN wins, -0 < +0."""
    a, b = np.broadcast_arrays(np.asarray(a, np.float32), np.asarray(b, np.float32))
    take_a = (a < b) | ((a == b) & np.signbit(a))
    return _with_nan(np.where(take_a, a, b), a, b)


def _with_nan(value, a, b):
    return np.where(np.isnan(a) | np.isnan(b), np.float32(np.nan), value)


def to_f32(x):
    """Storage to f32, exact. x: bf16, f16 or f32 array; bf16 words are shifted, so NaN payloads stay."""
    x = np.asarray(x)
    if x.dtype == BF16:
        return (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return x.astype(np.float32)


def store(x, to):
    """f32 to storage type `to`, nearest even, every NaN as 0x7FFFFFFF or 0x7FFF. Errors: a `to` that is no storage type."""
    x, to = np.ascontiguousarray(x, np.float32).reshape(np.shape(x)), dtype(to)
    nan = np.isnan(x)
    word = x.view(np.uint32)
    if to == F32:
        return np.where(nan, NAN_F32, word).view(np.float32)
    if to == BF16:
        half = np.uint32(0x7FFF) + ((word >> 16) & 1)
        return np.where(nan, NAN_16, ((word + half) >> 16).astype(np.uint16)).view(BF16)
    if to == F16:
        with np.errstate(all="ignore"):
            return np.where(nan, NAN_16, x.astype(np.float16).view(np.uint16)).view(np.float16)
    raise ValueError(f"expected bfloat16, float16 or float32, got {to}")


def words(x):
    """The bits of an array as unsigned integers of the same width."""
    x = np.ascontiguousarray(x)
    return x.view(f"u{x.dtype.itemsize}")


def same_bits(a, b):
    """Whether two arrays have one dtype, one shape and the same bits."""
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and bool(np.array_equal(words(a), words(b)))
