"""Record builders on a GPU: the exponential's bits, and what stands where."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
if not torch.cuda.is_available():
    pytest.skip("torch sees no CUDA device", allow_module_level=True)

import cuda_source  # noqa: E402
import expf  # noqa: E402

from sdm.errors import OperandError  # noqa: E402
from sdm.kernels import gds  # noqa: E402
from torch_arrays import array  # noqa: E402

# Exponents 2^-24 to 2^7 of either sign, between which the result is neither 1 nor 0 nor inf; the smallest inputs; infinities and NaNs.
SAMPLED = [*range(8 * 103 + 3, 8 * 135, 8), *range(2048 + 8 * 103 + 3, 2048 + 8 * 135, 8), 0, 2040, 2044, 4088]


def test_exponential_in_sampled_blocks():
    kept = np.load(expf.KEPT)
    for block in SAMPLED:
        assert expf.hashes(torch.exp(expf.inputs(block))) == kept[block], block


@pytest.mark.long
def test_exponential_of_all_inputs():
    kept = np.load(expf.KEPT)
    for block in range(0, expf.BLOCKS, 64):
        found = expf.hashes(torch.exp(expf.inputs(block, 64)))
        assert (found == kept[block : block + 64]).all(), block


@pytest.mark.skipif(not cuda_source.nvcc(), reason="no nvcc")
def test_the_kept_hashes_are_of_nvccs_expf():
    exps, kept = expf.Nvcc(), np.load(expf.KEPT)
    for block in SAMPLED:
        assert expf.hashes(exps(expf.inputs(block))) == kept[block], block


@pytest.mark.parametrize("index", (torch.int32, torch.int64))
@pytest.mark.parametrize("value", (torch.float32, torch.bfloat16))
def test_records(index, value):
    rng = np.random.default_rng(5)
    N, C, R = 3, 16, 8
    q_idx = torch.from_numpy(rng.integers(0, 100, (N, C, R))).to("cuda", index)
    q_val = torch.from_numpy(rng.standard_normal((N, C, R))).to("cuda", value)
    log_q = torch.from_numpy(rng.uniform(-100, 3, (N, C, R))).to("cuda", torch.float32)
    q_val[0, 0, :3] = torch.tensor([float("inf"), float("nan"), -0.0])
    valid = torch.tensor([16, 9, 0], device="cuda")
    spay = gds.sort_reads(q_idx, valid)
    rec, small = gds.build_qrec(spay, q_idx, q_val, log_q), gds.build_rec8(spay, q_idx, q_val, log_q)
    assert rec.dtype == small.dtype == torch.int32 and rec.is_contiguous() and small.is_contiguous()
    assert rec.shape == (N, C * R, 4) and (rec[..., 1:3] == small).all()
    assert (rec[..., 0] == spay).all() and not rec[..., 3].any()
    words = array(spay)
    token, lane, invalid = (words >> 9) & 255, words & 255, (words >> 17) & 1
    chunk = np.arange(N)[:, None]
    scale = array((q_val.float() * torch.exp(log_q)).view(torch.int32))[chunk, token, lane]
    assert (array(small[..., 1]) == np.where(invalid, 0, scale)).all()
    assert (array(small[..., 0]) == np.where(invalid, 0, array(q_idx)[chunk, token, lane])).all()
    assert gds.records_ok(rec, spay) and gds.records_ok(small, spay)


BAD = [
    ("q_idx", lambda t: t.float(), "q_idx: expected i32 or i64"),
    ("q_idx", lambda t: t[0], r"q_idx: expected slots \[N, C, R\]"),
    ("q_val", lambda t: t.double(), "q_val: expected f32 or bf16"),
    ("log_q", lambda t: t.bfloat16(), "log_q: expected f32"),
    ("log_q", lambda t: t[:1], r"log_q: expected \[2, 4, 2\] as q_idx"),
    ("spay", lambda t: t[:1], r"spay: expected words \[2, 8\]"),
    ("q_val", lambda t: t.cpu(), "build_rec8: expected CUDA arrays .*, got q_val on the CPU"),
]


@pytest.mark.parametrize("name, change, sentence", BAD)
def test_sentences(name, change, sentence):
    q_idx = torch.zeros(2, 4, 2, dtype=torch.int32, device="cuda")
    given = dict(q_idx=q_idx, q_val=q_idx.float(), log_q=q_idx.float(), spay=gds.sort_reads(q_idx))
    given[name] = change(given[name])
    with pytest.raises(OperandError, match=sentence):
        gds.build_rec8(**given)


def test_capture():
    q_idx = torch.arange(16, dtype=torch.int32, device="cuda").view(1, 4, 4)
    spay, ones = gds.sort_reads(q_idx), torch.ones(1, 4, 4, device="cuda")
    want = gds.build_rec8(spay, q_idx, ones, ones)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = gds.build_rec8(spay, q_idx, ones, ones)
    graph.replay()
    assert (found == want).all()
