"""f32 arithmetic by exact rationals and scalar loops, for tests of the references: slow, and written from the contract a second time."""

import math
import struct
from fractions import Fraction

NAN = 0x7FFFFFFF
FORMATS = {"float32": (8, 23), "bfloat16": (8, 7), "float16": (5, 10)}


def decode(word, fmt="float32"):
    """A word as nan, +-inf, or an exact (Fraction, negative) pair."""
    exponent_bits, mantissa_bits = FORMATS[fmt]
    top = (1 << exponent_bits) - 1
    negative = bool(word >> (exponent_bits + mantissa_bits))
    exponent = (word >> mantissa_bits) & top
    mantissa = word & ((1 << mantissa_bits) - 1)
    if exponent == top:
        return math.nan if mantissa else (-math.inf if negative else math.inf)
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent:
        mantissa |= 1 << mantissa_bits
    value = Fraction(mantissa) * Fraction(2) ** (max(exponent, 1) - bias - mantissa_bits)
    return (-value if negative else value), negative


def encode(value, negative_zero=False, fmt="float32"):
    """The word nearest to a Fraction, ties to even; a zero's sign is given."""
    exponent_bits, mantissa_bits = FORMATS[fmt]
    bias = (1 << (exponent_bits - 1)) - 1
    negative = value < 0 or (value == 0 and negative_zero)
    magnitude, sign = abs(value), int(negative) << (exponent_bits + mantissa_bits)
    if magnitude == 0:
        return sign
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    while Fraction(2) ** exponent > magnitude:
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= magnitude:
        exponent += 1
    exponent = max(exponent, 1 - bias)
    units = round(magnitude / Fraction(2) ** (exponent - mantissa_bits))  # Fraction rounds ties to even
    word = ((exponent + bias - 1) << mantissa_bits) + units  # a carry, and a missing hidden bit, move the exponent by themselves
    return sign | min(word, ((1 << exponent_bits) - 1) << mantissa_bits)


def fma(a, b, c):
    """Words in, word out; every NaN as 0x7FFFFFFF."""
    x, y, z = decode(a), decode(b), decode(c)
    if not all(isinstance(v, tuple) for v in (x, y, z)):
        f = [v if isinstance(v, float) else (-1.0 if v[1] else 1.0) * (v[0] != 0) for v in (x, y, z)]
        # Finite values matter by sign and zeroness only; Python's own product of infinity and zero is NaN too.
        result = f[0] * f[1] + f[2]
        return NAN if math.isnan(result) else (0xFF800000 if result < 0 else 0x7F800000)
    value = x[0] * y[0] + z[0]
    product_negative = x[1] != y[1]
    exact_zero_negative = product_negative and z[1] if x[0] * y[0] == 0 and z[0] == 0 else False
    return encode(value, exact_zero_negative)


def add(a, b):
    return fma(a, 0x3F800000, b)


def mul(a, b):
    """A product is an fma with a zero of the product's own sign."""
    return fma(a, b, (a ^ b) & 0x80000000)


def convert(word, fmt):
    """An f32 word to a storage word, every NaN as 0x7FFF or 0x7FFFFFFF."""
    value = decode(word)
    exponent_bits, mantissa_bits = FORMATS[fmt]
    if isinstance(value, tuple):
        return encode(*value, fmt=fmt)
    if math.isnan(value):
        return NAN if fmt == "float32" else 0x7FFF
    infinity = ((1 << exponent_bits) - 1) << mantissa_bits
    return infinity | (int(value < 0) << (exponent_bits + mantissa_bits))


def slice_starts(hd):
    """Slice boundaries, the last one hd."""
    n = math.ceil(hd / 128)
    if hd % n == 0 and (hd // n) % 4 == 0:
        width = hd // n
    else:
        width = 4 * math.ceil(math.ceil(hd / 4) / n)
    return [min(k * width, hd) for k in range(n)] + [hd]


def tree(partials, op):
    """The butterfly, all 32 lanes of it."""
    for d in (16, 8, 4, 2, 1):
        partials = [op(partials[lane], partials[lane ^ d]) for lane in range(32)]
    assert len(set(partials)) == 1
    return partials[0]


def dot(x, m):
    """Words of two rows to the word of their dot product."""
    starts, total = slice_starts(len(x)), None
    for begin, end in zip(starts, starts[1:], strict=False):
        at = lambda row, column: row[column] if column < end else 0  # noqa: B023, E731
        partials = []
        for lane in range(32):
            c = begin + 4 * lane
            p = mul(at(x, c), at(m, c))
            for k in (1, 2, 3):
                p = fma(at(x, c + k), at(m, c + k), p)
            partials.append(p)
        value = tree(partials, add)
        total = value if total is None else add(total, value)
    return total


def reduce(x, op, identity):
    """Words of a row to the word of its reduction by op, identity past the slices."""
    starts, total = slice_starts(len(x)), None
    for begin, end in zip(starts, starts[1:], strict=False):
        cut = [x[c] if c < end else identity for c in range(begin, begin + 128)]
        partials = [op(op(op(cut[4 * k], cut[4 * k + 1]), cut[4 * k + 2]), cut[4 * k + 3]) for k in range(32)]
        value = tree(partials, op)
        total = value if total is None else op(total, value)
    return total


def order(word):
    """An integer that orders words as IEEE 754-2019 maximum does: -0 below +0."""
    return -(word & 0x7FFFFFFF) - 1 if word >> 31 else word


def is_nan(word):
    return word & 0x7FFFFFFF > 0x7F800000


def maximum(a, b):
    return NAN if is_nan(a) or is_nan(b) else max(a, b, key=order)


def minimum(a, b):
    return NAN if is_nan(a) or is_nan(b) else min(a, b, key=order)


def amax(a, b):
    a, b = (0 if is_nan(v) else v & 0x7FFFFFFF for v in (a, b))
    return max(a, b)


def word(value):
    """The word of a Python float that f32 holds."""
    return struct.unpack("<I", struct.pack("<f", value))[0]
