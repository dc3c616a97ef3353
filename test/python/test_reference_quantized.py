"""The reference of quantized rows: its fp8 against ml_dtypes, its encoding against a search over all numbers."""

import ml_dtypes
import numpy as np
import pytest

import quantized_cases as cases
from sdm.reference import bits, quantized

E4M3 = np.dtype(ml_dtypes.float8_e4m3fn)


def test_decodes_every_e4m3():
    codes = np.arange(256, dtype=np.uint8)
    assert bits.same_bits(bits.store(quantized.numbers(codes, "fp8"), "float32"), bits.store(codes.view(E4M3).astype(np.float32), "float32"))


def test_decodes_every_pair_of_nibbles():
    got = quantized.numbers(np.arange(256, dtype=np.uint8)[:, None], "int4")
    for byte in range(256):
        want = [half - 16 if half > 7 else half for half in divmod(byte, 16)]
        assert got[byte].tolist() == want


def test_rounds_to_e4m3_as_ml_dtypes_where_that_does_not_overflow():
    values = bits.to_f32(cases.every_bf16()).reshape(-1)
    inside = values[np.abs(values) <= 464]
    with np.errstate(all="ignore"):
        want = inside.astype(E4M3).view(np.uint8)
    assert (quantized.pack(inside, "fp8") == want).all() and len(inside) > 30_000
    assert (quantized.pack(np.float32([464.5, 1e30, np.inf]), "fp8") == 0x7E).all()
    assert (quantized.pack(np.float32([-480, -np.inf]), "fp8") == 0xFE).all()
    assert (quantized.pack(np.array([0x7FC00000, 0xFFC00000], np.uint32).view(np.float32), "fp8") == 0x7F).all()


def test_rounds_to_nibbles():
    pairs = {(0.5, -0.5): 0x00, (1.5, 2.5): 0x22, (6.5, 7.5): 0x67, (-8.5, -7.5): 0x88, (1e30, -1e30): 0x78, (np.nan, -np.inf): 0x78}
    for pair, byte in pairs.items():
        assert quantized.pack(np.float32(pair), "int4").tolist() == [byte], pair


@pytest.mark.parametrize("format", cases.FORMATS)
def test_scales(format):
    """By the contract's sentence, in Python's own numbers; the product is exact in f64, and rounded once."""
    x = cases.drawn(format, 300, 8, seed=5)
    _, scale = quantized.encode(x, format)
    inverse = np.float32(1 / quantized.LARGEST[format])
    for row, found in zip(x, scale):
        with np.errstate(all="ignore"):
            amax = max([0.0, *(abs(float(v)) for v in row if not np.isnan(v))])
            product = np.float32(amax * float(inverse))
        assert found == np.float32(max(product, np.float32(1e-12)).astype(ml_dtypes.bfloat16)), row
    assert (scale >= np.float32(1e-12).astype(ml_dtypes.bfloat16).astype(np.float32)).all()


@pytest.mark.parametrize("format", cases.FORMATS)
@pytest.mark.parametrize("decode", ("bf16", "f32"))
def test_what_is_encoded_decodes_near_the_row(format, decode):
    """Half of a number's last place, and 2^-9 for each of three roundings to bf16 (the scale's, the quotient's, the product's)."""
    x = np.random.default_rng(1).standard_normal((50, 64)).astype(np.float32)
    payload, scale = quantized.encode(x, format)
    back = quantized.decode(payload, scale, format, decode)
    near, absolute = (2.0**-4, 2.0**-10) if format == "fp8" else (0, 0.5)
    bound = np.abs(x) * (near + 3.1 * 2.0**-9) + scale[:, None] * absolute * (1 + 2.0**-8)
    assert back.shape == x.shape and (np.abs(back - x) <= bound).all()
