"""The references' f32 arithmetic against exact rationals."""

import ml_dtypes
import numpy as np
import pytest

import exact_float32 as exact
from sdm.reference import bits

SPECIAL = [0x0, 0x1, 0x007FFFFF, 0x00800000, 0x00800001, 0x3F800000, 0x3F800001, 0x3F7FFFFF, 0x33800000, 0x33000000, 0x4B800000]
SPECIAL += [0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FFFFFFF, 0x20000000, 0x1F800000, 0x5F800000, 0x00400000, 0x34000000, 0x7F000000]
SPECIAL += [w | 0x80000000 for w in SPECIAL]


def canonical(x):
    return bits.words(bits.store(x, "float32")).tolist()


def floats(words):
    return np.asarray(words, np.uint32).view(np.float32)


def check_fma(a, b, c):
    got = canonical(bits.fma(floats(a), floats(b), floats(c)))
    for x, y, z, w in zip(a, b, c, got, strict=True):
        assert w == exact.fma(x, y, z), f"fma({x:08x}, {y:08x}, {z:08x}) gave {w:08x}"


def test_fma_of_special_values():
    grid = np.stack(np.meshgrid(SPECIAL, SPECIAL, SPECIAL)).reshape(3, -1)[:, ::3].tolist()
    check_fma(*grid)


def test_fma_of_random_words():
    rng = np.random.default_rng(1)
    check_fma(*rng.integers(0, 1 << 32, (3, 4000)).tolist())


def test_fma_with_near_cancellation_and_ties():
    rng = np.random.default_rng(2)
    a, b = (rng.integers(0x3F000000, 0x40000000, 4000) for _ in range(2))
    near = (-(floats(a).astype(np.float64) * floats(b))).astype(np.float32).view(np.uint32).astype(np.int64)
    check_fma(a.tolist(), b.tolist(), (near + rng.integers(-2, 3, 4000)).tolist())
    # A product far below half an ulp of z's midpoint: rounding twice would lose its sign.
    tiny = rng.integers(0x00000001, 0x20000000, 4000) | (rng.integers(0, 2, 4000) << 31)
    odd = [0x3F800001] * 4000
    check_fma(tiny.tolist(), [0x33800000] * 4000, odd)


def test_fma_where_rounding_twice_is_wrong():
    # The product is 2^-24 (1 - 2^-46): the exact sum lies just below a midpoint, the f64 sum on it.
    a, b, c = np.float32(2**-24 * (1 + 2**-23)), np.float32(1 - 2**-23), np.float32(1 + 2**-23)
    assert np.float32(np.float64(a) * np.float64(b) + np.float64(c)) == 1 + 2**-22
    assert bits.fma(a, b, c) == c
    check_fma(*([exact.word(float(v))] for v in (a, b, c)))


def test_fma_of_subnormal_results():
    rng = np.random.default_rng(3)
    a = rng.integers(0x1E000000, 0x21000000, 4000) | (rng.integers(0, 2, 4000) << 31)
    b = rng.integers(0x1E000000, 0x21000000, 4000)
    c = rng.integers(0, 0x00800000, 4000) | (rng.integers(0, 2, 4000) << 31)
    check_fma(a.tolist(), b.tolist(), c.tolist())


def test_fma_broadcasts_and_takes_scalars():
    out = bits.fma(np.float32(2), np.ones((3, 1), np.float32), np.arange(4, dtype=np.float32))
    assert out.shape == (3, 4) and out.dtype == np.float32 and out[2, 3] == 5


@pytest.mark.parametrize("fmt", ["bfloat16", "float16", "float32"])
def test_store_rounds_to_nearest_even(fmt):
    rng = np.random.default_rng(4)
    ties = (rng.integers(0, 1 << 16, 2000) << 16) | 0x8000
    f16_ties = (rng.integers(0x38000000 >> 13, 0x47800000 >> 13, 1000) << 13) | 0x1000
    words = np.concatenate([rng.integers(0, 1 << 32, 4000), ties, f16_ties, rng.integers(0x33000000, 0x38900000, 2000), SPECIAL])
    got = bits.words(bits.store(floats(words), fmt)).tolist()
    for w, g in zip(words.tolist(), got, strict=True):
        assert g == exact.convert(w, fmt), f"{w:08x} gave {g:x}"


@pytest.mark.parametrize("fmt", ["bfloat16", "float16"])
def test_every_storage_word_extends_exactly(fmt):
    words = np.arange(1 << 16)
    values = bits.to_f32(words.astype(np.uint16).view(bits.dtype(fmt)))
    back = bits.words(bits.store(values, fmt))
    nan = np.isnan(values)
    assert (back[~nan] == words[~nan]).all() and (back[nan] == 0x7FFF).all()
    for w in words[:: 257 if fmt == "bfloat16" else 97].tolist():
        value = exact.decode(w, fmt)
        if isinstance(value, tuple):
            assert exact.decode(int(bits.words(values[w : w + 1])[0])) == value


def test_store_refuses_other_types():
    with pytest.raises(ValueError, match="expected bfloat16, float16 or float32, got int32"):
        bits.store(np.zeros(1, np.float32), np.int32)


def test_maximum_and_minimum():
    a, b = np.meshgrid(SPECIAL, SPECIAL)
    a, b = a.reshape(-1), b.reshape(-1)
    for ours, theirs in ((bits.maximum, exact.maximum), (bits.minimum, exact.minimum)):
        assert canonical(ours(floats(a), floats(b))) == [theirs(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]


def test_same_bits_tells_zeros_apart_and_equal_nans_not():
    x = np.array([0.0, np.nan], np.float32)
    assert bits.same_bits(x, x.copy())
    assert not bits.same_bits(x, np.array([-0.0, np.nan], np.float32))
    assert not bits.same_bits(x, x.astype(ml_dtypes.bfloat16))
