"""CUDA's expf over float32 inputs by blocks of 2^20 bit patterns, and a hash of each block's outputs."""

import pathlib
import struct

import cuda_source
import numpy as np
import torch

KEPT = pathlib.Path(__file__).with_name("expf_blocks.npy")  # uint64 [4096], from nvcc's expf
BLOCKS, BLOCK = 4096, 1 << 20
SOURCE = r"""
extern "C" __global__ void exps(const float *in, float *out, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = expf(in[i]);
}
"""


def inputs(block: int, count: int = 1):
    """The floats whose bits are block * 2^20 and on."""
    first = block * BLOCK
    bits = torch.arange(first, first + count * BLOCK, device="cuda", dtype=torch.int64)
    return torch.where(bits >= 1 << 31, bits - (1 << 32), bits).to(torch.int32).view(torch.float32)


def hashes(outputs) -> np.ndarray:
    """One number a block: the outputs' bits, each times an odd number of its place, summed modulo 2^64."""
    bits = outputs.view(torch.int32).to(torch.int64).view(-1, BLOCK) & 0xFFFFFFFF
    # 0x9E3779B97F4A7C15 as a signed number; products and sums wrap.
    odd = (torch.arange(BLOCK, device="cuda", dtype=torch.int64) * 2 + 1) * -7046029254386353131
    return (bits * odd).sum(1).cpu().numpy().view(np.uint64)


class Nvcc:
    """expf as nvcc compiles it, without fast math."""

    def __init__(self):
        self.kernel = cuda_source.compiled(SOURCE)

    def __call__(self, x):
        out = torch.empty_like(x)
        arguments = struct.pack("<QQq", x.data_ptr(), out.data_ptr(), x.numel())
        stream = torch.cuda.current_stream().cuda_stream
        self.kernel.launch(x.device.index, "exps", arguments, -(-x.numel() // 256), 256, 0, stream)
        return out
