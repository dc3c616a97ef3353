"""One array in other forms: on one element, misaligned, with gaps between rows, said to be on a GPU."""

import dataclasses

import numpy as np

from sdm import arrays


def wide(shape, dtype=np.float32):
    """An array of any shape on one element."""
    return np.broadcast_to(np.zeros((), dtype), shape)


def odd(array, by=1):
    """The same elements, `by` bytes behind an address of 64."""
    room = np.empty(array.nbytes + 128, np.uint8)
    at = -room.ctypes.data % 64 + by
    out = room[at : at + array.nbytes].view(array.dtype).reshape(array.shape)
    out[...] = array
    return out


def elsewhere(array):
    return dataclasses.replace(arrays.view(array), device="cuda:0")


def spread(array, gap=24):
    """The same rows further apart."""
    out = np.zeros((*array.shape[:-1], array.shape[-1] + gap), array.dtype)[..., : array.shape[-1]]
    out[...] = array
    return out
