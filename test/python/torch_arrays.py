"""numpy arrays as torch tensors and back, bit for bit (torch and numpy share no bfloat16)."""

import numpy as np

from sdm.reference.bits import BF16


def tensor(array, device="cpu", offset=0):
    """A tensor with the array's bits; `offset` elements behind an aligned address."""
    import torch

    array = np.ascontiguousarray(array)
    is_bf16 = array.dtype == BF16
    flat = torch.from_numpy((array.view(np.int16) if is_bf16 else array).reshape(-1).copy())
    if is_bf16:
        flat = flat.view(torch.bfloat16)
    room = torch.empty(flat.numel() + offset, dtype=flat.dtype, device=device)
    room[offset:] = flat
    return room[offset:].view(array.shape)


def array(tensor):
    """The numpy array with a tensor's bits."""
    import torch

    tensor = tensor.detach().cpu().contiguous()
    return tensor.view(torch.int16).numpy().view(BF16) if tensor.dtype == torch.bfloat16 else tensor.numpy()
