"""What feeds the mover: sorted words from unsorted reads, tile bounds, packed records."""

from __future__ import annotations

import numpy as np

from sdm import arrays
from sdm.errors import OperandError

FIRST, LAST, INVALID = 1 << 31, 1 << 30, 1 << 17
REAL = 1 << 8  # set in every word, read by no one
FARTHEST = 4095  # the distance to the group's FIRST saturates here


def sort_reads(q_idx, valid_tokens=None):
    """Words int32 [N, C * R] of reads, sorted stably by slot within each chunk.

    q_idx: slots int32 or int64 [N, C, R]; valid_tokens: [N], how many tokens of a chunk are real (None: all). Reads of the others are
    invalid: behind all valid ones, groups of their own. numpy or torch, where the arrays lie.
    """
    view = arrays.view(q_idx)
    if view.rank != 3 or view.dtype not in ("i32", "i64"):
        raise OperandError(f"q_idx: expected int32 or int64 slots [N, C, R], got {view.described()}")
    N, C, R = view.shape
    if not 1 <= C <= 256 or not 1 <= R <= 256:
        raise OperandError(f"q_idx: expected 1 .. 256 tokens and reads, got {C} and {R}")
    xp = _library(q_idx)
    keys = xp.long(q_idx).reshape(N, C * R)
    token = xp.arange(C * R) // R
    lane = xp.arange(C * R) % R
    valid = xp.full((N, C * R), True) if valid_tokens is None else token[None, :] < xp.long(valid_tokens).reshape(N, 1)
    order = xp.stable(xp.where(valid, keys, (1 << 62)))
    take = lambda a: xp.gather(xp.expand(a, (N, C * R)), order)  # noqa: E731
    keys, valid, token, lane = take(keys), take(valid), take(token), take(lane)
    first = xp.full((N, C * R), True)
    first[:, 1:] = (keys[:, 1:] != keys[:, :-1]) | ~valid[:, 1:]
    last = xp.full((N, C * R), True)
    last[:, :-1] = first[:, 1:]
    position = xp.expand(xp.arange(C * R), (N, C * R))
    start = xp.running_max(xp.where(first, position, 0))
    distance = xp.clip(position - start, FARTHEST)
    word = lane | REAL | (token << 9) | (distance << 18)
    word = word | xp.where(valid, xp.zero(word), INVALID) | xp.where(last, LAST, 0) | xp.where(first, FIRST, 0)
    return xp.word(word)


def build_tiles(spay, tiles: int):
    """Bounds int32 [N, tiles + 1] of even tiles, each moved back to the start of the group that it falls into."""
    view = arrays.view(spay)
    if view.rank != 2 or view.dtype != "i32":
        raise OperandError(f"spay: expected int32 words [N, n], got {view.described()}")
    if tiles < 1:
        raise OperandError(f"tiles: expected at least 1, got {tiles}")
    N, n = view.shape
    xp = _library(spay)
    position = xp.expand(xp.arange(n), (N, n))
    start = xp.running_max(xp.where(spay < 0, position, 0)) if n else position
    want = xp.arange(tiles + 1) * n // tiles
    bounds = xp.full((N, tiles + 1), 0)
    bounds[:, :-1] = start[:, want[:-1]] if n else 0
    bounds[:, -1] = n
    return xp.int32(bounds)


def build_qrec(spay, q_idx, q_val, log_q):
    """Records int32 [N, n, 4] = {word, slot, scale bits, 0} of torch tensors on a GPU; see `build_rec8`."""
    words, slot, scale = _filled("build_qrec", spay, q_idx, q_val, log_q)
    return _stacked(words, slot, scale, slot.new_zeros(()).expand_as(slot))


def build_rec8(spay, q_idx, q_val, log_q):
    """Records int32 [N, n, 2] = {slot, scale bits} of torch tensors on a GPU, in the order of the words.

    spay: int32 [N, C * R]; q_idx: slots int32 or int64 [N, C, R]; q_val: f32 or bf16, log_q: f32 like it. scale = f32(q_val) * exp(log_q),
    each rounded once, exp as CUDA's expf; records of INVALID words are zeros. Errors: OperandError, for arrays on the CPU too.
    """
    _, slot, scale = _filled("build_rec8", spay, q_idx, q_val, log_q)
    return _stacked(slot, scale)


def _stacked(*planes):
    import torch

    return torch.stack(planes, dim=-1)


def _filled(name: str, spay, q_idx, q_val, log_q):
    """Words, slots and scale bits, int32 [N, n]."""
    N, n, R = _check_reads(name, spay, q_idx, q_val, log_q)
    import torch

    words = spay.reshape(N, n)
    valid = (words & INVALID) == 0
    # What an INVALID word names is not looked at; it may lie anywhere.
    place = (((words >> 9) & 255) * R + (words & 255)).clamp(max=max(n - 1, 0)).long()
    read = lambda array: array.reshape(N, n).gather(1, place)  # noqa: E731
    # torch's exp of f32 on a GPU is CUDA's expf.
    scale = read(q_val).float() * torch.exp(read(log_q))
    bits = torch.where(valid, scale, torch.zeros_like(scale)).view(torch.int32)
    slot = read(q_idx).to(torch.int32)
    return words, torch.where(valid, slot, torch.zeros_like(slot)), bits


def _check_reads(name: str, spay, q_idx, q_val, log_q) -> tuple[int, int, int]:
    """N, n and R of what a builder is given."""
    views = {}
    taken = {"spay": ("i32",), "q_idx": ("i32", "i64"), "q_val": ("f32", "bf16"), "log_q": ("f32",)}
    for (label, types), array in zip(taken.items(), (spay, q_idx, q_val, log_q)):
        view = views[label] = arrays.view(array)
        if view.device == "cpu":
            raise OperandError(f"{name}: expected CUDA arrays (the scale's exp is CUDA's expf), got {label} on the CPU")
        if not arrays.is_torch(array):
            raise OperandError(f"{name}: expected torch tensors, got {label} of {type(array).__name__}")
        if view.dtype not in types:
            raise OperandError(f"{label}: expected {' or '.join(types)}, got {view.described()}")
        if view.device != views["spay"].device:
            raise OperandError(f"{label}: expected it on {views['spay'].device} as spay is, got {view.device}")
    shape = views["q_idx"].shape
    if len(shape) != 3 or not all(1 <= extent <= 256 for extent in shape[1:]):
        raise OperandError(f"q_idx: expected slots [N, C, R] with C and R in 1 .. 256, got {list(shape)}")
    for label in ("q_val", "log_q"):
        if views[label].shape != shape:
            raise OperandError(f"{label}: expected {list(shape)} as q_idx, got {list(views[label].shape)}")
    N, n = shape[0], shape[1] * shape[2]
    if views["spay"].size != N * n or views["spay"].shape[-1] != n:
        raise OperandError(f"spay: expected words [{N}, {n}] of q_idx's reads, got {list(views['spay'].shape)}")
    return N, n, shape[2]


def _library(array):
    return _Torch(array.device) if arrays.is_torch(array) else _Numpy()


class _Numpy:
    arange = staticmethod(lambda n: np.arange(n, dtype=np.int64))
    full = staticmethod(np.full)
    where = staticmethod(np.where)
    expand = staticmethod(np.broadcast_to)
    zero = staticmethod(np.zeros_like)
    stable = staticmethod(lambda a: np.argsort(a, axis=1, kind="stable"))
    gather = staticmethod(lambda a, order: np.take_along_axis(a, order, 1))
    running_max = staticmethod(lambda a: np.maximum.accumulate(a, axis=1))
    clip = staticmethod(np.minimum)
    long = staticmethod(lambda a: np.asarray(a).astype(np.int64))
    int32 = staticmethod(lambda a: a.astype(np.int32))
    word = staticmethod(lambda a: a.astype(np.uint32).view(np.int32))


class _Torch:
    def __init__(self, device):
        import torch

        self.torch, self.device = torch, device

    def arange(self, n):
        return self.torch.arange(n, device=self.device)

    def full(self, shape, value):
        return self.torch.full(shape, value, device=self.device)

    def where(self, condition, a, b):
        return self.torch.where(condition, a, b)

    def expand(self, a, shape):
        return a.expand(shape)

    def zero(self, a):
        return self.torch.zeros_like(a)

    def stable(self, a):
        return self.torch.sort(a, dim=1, stable=True).indices

    def gather(self, a, order):
        return a.gather(1, order)

    def running_max(self, a):
        return self.torch.cummax(a, 1).values

    def clip(self, a, most):
        return a.clamp(max=most)

    def long(self, a):
        return self.torch.as_tensor(a, device=self.device).long()

    def int32(self, a):
        return a.to(self.torch.int32)

    def word(self, a):
        return self.torch.where(a >= 1 << 31, a - (1 << 32), a).to(self.torch.int32)
