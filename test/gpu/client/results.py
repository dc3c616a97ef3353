"""One step of a layer, everything that comes out of it, and the comparison of two such results bit by bit."""

from __future__ import annotations

import functools

NAMES = ("k_idx", "k_val", "v", "beta", "g", "q_idx", "q_val")


class Client:
    """A layer whose write and read is watched: gradients of the operation's own operands are kept beside the parameters'."""

    def __init__(self, layer, x, dy):
        self.layer, self.x, self.dy = layer, x.detach().clone().requires_grad_(), dy
        self.seen: dict = {}
        self._watch("gated_write_read", lambda memory, *inputs: {"bank": memory, **dict(zip(NAMES, inputs))})
        self._watch("_graphed_write_read", lambda x, param, cache, inputs: {"bank": param, **dict(zip(NAMES, inputs))})

    def _watch(self, name: str, named) -> None:
        called = getattr(self.layer, name)

        @functools.wraps(called)
        def watched(*arguments):
            operands = named(*arguments)
            for operand, tensor in operands.items():
                if tensor is not None and tensor.requires_grad:
                    tensor.register_hook(functools.partial(self.seen.__setitem__, f"gradient of {operand}"))
            if name == "gated_write_read":
                self.seen["bank behind the backward"] = operands["bank"].detach()
            return called(*arguments)

        setattr(self.layer, name, watched)

    def step(self, calls=()) -> dict:
        """Forward and backward once: {name: tensor}. calls: those of the mover, whose last operands are among the results."""
        self.seen = {}
        self.x.grad = None
        for parameter in self.layer.parameters():
            parameter.grad = None
        output, _ = self.layer(self.x)
        output.backward(self.dy)
        found = {"output": output.detach(), **self.seen, "gradient of x": self.x.grad}
        found.update((f"gradient of {name}", parameter.grad) for name, parameter in self.layer.named_parameters())
        if calls:
            found.update({name: calls[-1].operands[name].detach().clone() for name in ("grad_bank", "d_q_w")})
        return {name: tensor for name, tensor in found.items() if tensor is not None}


def words(tensor):
    """A tensor's bits."""
    import torch

    kinds = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return tensor.detach().contiguous().view(kinds[tensor.element_size()])


def difference(found: dict, expected: dict) -> str:
    """The first tensor that differs, with how much of it and where; "" where every bit is equal."""
    import torch

    if found.keys() != expected.keys():
        return f"other results: {sorted(found.keys() ^ expected.keys())}"
    for name, tensor in found.items():
        other = expected[name]
        if tensor.shape != other.shape or tensor.dtype != other.dtype:
            return f"{name}: {tensor.dtype} {list(tensor.shape)} beside {other.dtype} {list(other.shape)}"
        unequal = words(tensor) != words(other)
        count = int(unequal.sum())
        if count:
            at = tuple(int(i) for i in torch.nonzero(unequal)[0])
            return f"{name}: {count} of {tensor.numel()} elements, first at {list(at)}: {tensor[at].item()!r} beside {other[at].item()!r}"
    return ""


def emptiness(results: dict) -> str:
    """Why a comparison of these would say little; "" where it says something."""
    import torch

    for name in ("grad_bank", "d_q_w", "output"):
        if name in results and not int(torch.count_nonzero(results[name])):
            return f"{name} is zero everywhere"
        if name in results and not bool(torch.isfinite(results[name]).all()):
            return f"{name} is not finite everywhere"
    return ""


def members_of_a_group(words_of_reads) -> float:
    """Reads a slot has in a chunk on average, from the record words."""
    valid = (words_of_reads & (1 << 17)) == 0
    groups = (valid & (words_of_reads < 0)).sum()
    return float(valid.sum()) / max(1.0, float(groups))
