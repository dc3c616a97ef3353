"""Quantized rows on a GPU, without any array library: every number decoded, samples encoded, groups under several schedules."""

import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import quantized_cases as cases  # noqa: E402
import sdm  # noqa: E402
from sdm import device  # noqa: E402
from sdm.reference import bits, quantized as reference  # noqa: E402

FORMATS = pytest.mark.parametrize("format", cases.FORMATS)
TARGETS = pytest.mark.parametrize("target", ("", "sm_80", "sm_86", "sm_89"))


def run(kernel, *operands, target=""):
    bound = kernel.bind(*operands, target=target)
    bound.launch()
    bound.done()


def uploaded(payload, scale, *more, offset=0):
    return sdm.quantized(device.upload(payload, offset=offset), device.upload(scale), *more)


@TARGETS
@FORMATS
@pytest.mark.parametrize("decode", ("bf16", "f32"))
def test_decodes_every_number(format, decode, target):
    payload = cases.all_numbers()
    out = device.upload(np.zeros((len(payload), cases.columns(format, payload)), np.float32))
    run(cases.dequantize, uploaded(payload, cases.SCALES, format, decode), out, target=target)
    want = reference.decode(payload, cases.SCALES, format, decode)
    assert bits.same_bits(device.download(out), bits.store(want, "float32"))


@TARGETS
@FORMATS
@pytest.mark.parametrize("width", (2, 6, 62, 128, 130, 132, 200, 260, 1000))
def test_encodes(format, width, target):
    x = cases.drawn(format, 400, width, seed=width)
    table = uploaded(cases.payload_of(format, 400, width), np.zeros(400, np.float32), format)
    run(cases.quantize, device.upload(x), table, target=target)
    payload, scale = reference.encode(x, format)
    assert bits.same_bits(device.download(table.scale), scale) and bits.same_bits(device.download(table.payload), payload)


@FORMATS
@pytest.mark.parametrize("offset", (1, 2, 4, 8))
def test_misaligned(format, offset):
    x = cases.drawn(format, 50, 128, seed=offset)
    table = uploaded(cases.payload_of(format, 50, 128), np.zeros(50, np.float32), format, offset=offset)
    run(cases.quantize, device.upload(x), table)
    payload, scale = reference.encode(x, format)
    assert bits.same_bits(device.download(table.payload), payload)
    out = device.upload(np.zeros_like(x))
    run(cases.dequantize, table, out)
    assert bits.same_bits(device.download(out), bits.store(reference.decode(payload, scale, format), "float32"))


@FORMATS
@pytest.mark.parametrize("width", (64, 128, 130, 256, 260))
def test_groups_as_on_the_cpu(format, width):
    """`sdm.check` runs the GPU as well, under several schedules: rings, slabs, direct."""
    n, slots = 300, 40
    rng = np.random.default_rng(width)
    uses = cases.uses(n, slots, seed=width)
    table = sdm.quantized(*reference.encode(rng.standard_normal((slots, width)).astype(np.float32), format), format)
    x = sdm.quantized(*reference.encode(rng.standard_normal((n, width)).astype(np.float32), format), format, "f32")
    dots = np.zeros((1, n), np.float32)
    assert sdm.check(cases.update, uses, table, x, dots)
    assert sdm.check(cases.spread, uses, table, sdm.quantized(cases.payload_of(format, n, width), np.zeros(n, np.float32), format))
    assert sdm.check(cases.fold, uses, table, x, np.zeros((slots, width), np.float32), dots)
