"""What a store of quantized rows divides and rounds, for every bf16 number and every bf16 scale from 1e-12 on, against torch's division and
a table from numpy."""

import pathlib
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
if not torch.cuda.is_available():
    pytest.skip("torch sees no CUDA device", allow_module_level=True)
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import quantized_cases as cases  # noqa: E402
import sdm  # noqa: E402
from sdm.bind import Bound  # noqa: E402
from sdm.reference import bits, quantized as reference  # noqa: E402
from torch_arrays import tensor  # noqa: E402

SCALES = 512  # of a launch: 2^25 quotients


def scales():
    """Every finite scale, in launches of `SCALES`; the last ones again where the count does not divide."""
    found = cases.every_scale()
    return torch.from_numpy(np.append(found, found[: -len(found) % SCALES]).reshape(-1, SCALES)).cuda()


@pytest.mark.parametrize("format", cases.FORMATS)
def test_every_number_over_every_scale(format):
    x = tensor(cases.every_bf16(), "cuda")
    wide, known, all_scales = x.float(), tensor(cases.known_numbers(format), "cuda"), scales()
    payload = torch.empty(SCALES * 64, 1024 if format == "fp8" else 512, dtype=torch.uint8, device="cuda")
    one = torch.empty(SCALES, device="cuda")
    bound = Bound(cases.quotients, cases.numbers(format, x, one, payload))
    for part in all_scales:
        one.copy_(part)
        bound.launch()
        quotients = (wide[None] / part[:, None, None]).to(torch.bfloat16)
        want = known[quotients.view(torch.int16).long() & 0xFFFF].view(SCALES * 64, 1024)
        if format == "int4":
            want = want[:, 0::2] << 4 | want[:, 1::2]
        assert torch.equal(payload, want), part[(payload != want).view(SCALES, -1).any(1)][:4].tolist()


@pytest.mark.parametrize("format", cases.FORMATS)
def test_every_scale_of_a_row(format):
    for low in cases.BEHIND_BF16:
        x = cases.rows_of_every_scale(low)
        payload = tensor(cases.payload_of(format, *x.shape), "cuda")
        scale = torch.zeros(len(x), device="cuda")
        cases.quantize(tensor(x, "cuda"), sdm.quantized(payload, scale, format))
        want = reference.encode(x, format)
        assert bits.same_bits(scale.cpu().numpy(), want[1]) and bits.same_bits(payload.cpu().numpy(), want[0])


def test_e4m3_tensors():
    x = torch.randn(500, 256, device="cuda", generator=torch.Generator("cuda").manual_seed(1))
    payload, scale = torch.zeros(500, 256, dtype=torch.float8_e4m3fn, device="cuda"), torch.zeros(500, device="cuda")
    cases.quantize(x, sdm.quantized(payload, scale))
    want = reference.encode(x.cpu().numpy(), "fp8")
    assert bits.same_bits(payload.view(torch.uint8).cpu().numpy(), want[0]) and bits.same_bits(scale.cpu().numpy(), want[1])
    out = torch.empty(500, 256, device="cuda")
    cases.dequantize(sdm.quantized(payload, scale, decode="f32"), out)
    assert torch.equal(out, payload.float() * scale[:, None])


def test_capture_and_replay():
    x = torch.randn(100, 128, device="cuda", generator=torch.Generator("cuda").manual_seed(2))
    payload, scale = torch.zeros(100, 64, dtype=torch.uint8, device="cuda"), torch.zeros(100, device="cuda")
    bound = cases.quantize.bind(x, sdm.quantized(payload, scale, "int4"))
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        bound.launch()
    torch.cuda.synchronize()
    assert not payload.any()
    graph.replay()
    want = reference.encode(x.cpu().numpy(), "int4")
    assert bits.same_bits(payload.cpu().numpy(), want[0]) and bits.same_bits(scale.cpu().numpy(), want[1])
