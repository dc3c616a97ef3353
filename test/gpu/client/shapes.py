"""Layers of the package at the sizes that matter for the mover, and tensors to run them on."""

from __future__ import annotations

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Shape:
    """heads * batch chunks a step; tokens a sequence (not always whole chunks); slots a head: a square number."""

    name: str
    head_dim: int
    heads: int = 2
    batch: int = 1
    chunk: int = 64
    reads: int = 64
    writes: int = 64
    tokens: int = 1024
    slots: int = 65536
    dtype: str = "bfloat16"
    grad_bank_fp32: bool = False
    repeated: float = 0.0  # a token is the one before it with this probability, so its slots are as well
    seed: int = 0

    def quick(self) -> Shape:
        """The same kind of shape, small."""
        ragged = self.tokens % self.chunk
        return dataclasses.replace(self, tokens=2 * self.chunk + ragged, slots=max(1024, 4 * self.reads))


SHAPES = (
    Shape("hd128", 128, heads=4, batch=2, reads=32, writes=32),
    Shape("hd1024", 1024),
    Shape("f32-256", 256, dtype="float32"),
    Shape("f32grad", 1024, grad_bank_fp32=True),
    Shape("even-200", 200),
    Shape("tail-132", 132),
    Shape("elem-130", 130),
    Shape("elem-130-f32grad", 130, grad_bank_fp32=True),
    Shape("c256", 128, heads=8, chunk=256, reads=32, writes=32, tokens=2048),
    Shape("c256-hd256", 256, heads=4, chunk=256, tokens=2048),
    Shape("repeat", 1024, repeated=0.53),
    Shape("repeat-hd128", 128, heads=8, reads=32, writes=32, repeated=0.95),
    Shape("one-head", 128, heads=1, reads=32, writes=32, slots=4096, tokens=1024 - 51),
    Shape("w256-r256", 128, heads=8, reads=256, writes=256, tokens=512),
    Shape("flagship-long", 1024, tokens=8192),
)


def layer(shape: Shape, graphs: bool, device: str = "cuda"):
    """A layer with parameters that depend on the shape alone; graphs: it replays CUDA graphs of its own."""
    import sparse_delta_memory as package
    import torch

    arguments = package.SparseDeltaMemoryArgs(
        dim=shape.heads * shape.head_dim, num_heads=shape.heads, num_writes=shape.writes, num_reads=shape.reads,
        slots_per_head=shape.slots, chunk_size=shape.chunk, grad_bank_fp32=shape.grad_bank_fp32, cuda_graph=graphs,
    )  # fmt: skip
    assert math.isqrt(shape.slots) ** 2 == shape.slots
    torch.manual_seed(shape.seed)
    with torch.device(device):
        made = package.SparseDeltaMemory(arguments, layer_id=0)
        made.init_weights()
    return made.to(getattr(torch, shape.dtype)).train()


def inputs(shape: Shape, device: str = "cuda"):
    """(x, gradient of the output), both [batch, tokens, dim]."""
    import torch

    generator = torch.Generator(device).manual_seed(shape.seed + 1)
    size = (shape.batch, shape.tokens, shape.heads * shape.head_dim)
    x, dy = (torch.randn(size, generator=generator, device=device) for _ in range(2))
    if shape.repeated:
        new = torch.rand(size[:2], generator=generator, device=device) >= shape.repeated
        new[:, 0] = True
        position = torch.arange(shape.tokens, device=device).expand(size[:2])
        source = torch.where(new, position, torch.zeros_like(position)).cummax(1).values
        x = x.gather(1, source[:, :, None].expand(size))
    dtype = getattr(torch, shape.dtype)
    return x.to(dtype), dy.to(dtype)
