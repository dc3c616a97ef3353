"""Thousands of questions to the mover's predicates, asked of any implementation; what the hand-written mover's answer is in
predicate_answers.npz (written by test/gpu/predicate_answers.py)."""

import itertools
import math
import pathlib

import numpy as np

KEPT = pathlib.Path(__file__).with_name("predicate_answers.npz")
# Capability and shared bytes of a CTA that opts in: one GPU of each generation that is answered for differently.
GPUS = {"sm_75": (7, 5, 65536), "sm_80": (8, 0, 166912), "sm_90": (9, 0, 232448), "sm_100": (10, 0, 232448), "sm_120": (12, 0, 101376)}
BIG = 1 << 31


def _rows():
    """(bank's type, gradient's type, bank's shape, chunk_size, reads of a token)."""
    banks, grads = ("bf16", "f32", "f16", "f64", "i32"), ("bf16", "f32", "f16", "f64", "i32")
    shapes = ((1024, 128), (1024, 130), (1024, 260), (1024,), (4, 16, 128), (), (0, 128), (16, 0))
    yield from itertools.product(banks, grads, shapes, (64,), (32,))
    widths = (1, 3, 4, 64, 100, 124, 127, 128, 129, 130, 132, 192, 196, 200, 252, 256, 260, 384, 1000, 4097, 1 << 20)
    widths += ((1 << 20) + 1, (1 << 20) + 4, (1 << 20) + 128, BIG - 128, BIG - 1, BIG)
    slots = (1, 1 << 20, BIG - 1, BIG)
    yield from itertools.product(("bf16",), ("bf16",), itertools.product(slots, widths), (0, 1, 64, 129, 192, 256, 257), (0, 1, 64, 256, 257))
    # Every chunk size, where a slice's rows and the records of the warps just fit or just do not.
    shapes = tuple((4096, width) for width in (64, 100, 124, 128, 130, 132, 196, 260))
    yield from itertools.product(("bf16",), ("f32",), shapes, range(-1, 258), (16, 255, 256))


def _offsets():
    """(bank's type, gradient's type, bank's shape)."""
    shapes = ((1 << 25, 128), ((1 << 25) - 1, 128), ((1 << 25) + 1, 128), (1, 1), (0, 128), (BIG - 1, 2), (BIG, 2), (1 << 33, 1), (1, (1 << 32) - 1))
    yield from itertools.product(("bf16", "f32"), ("bf16", "f32", "f16"), shapes)


def _records():
    """(type, shape, innermost axis first in memory or last, elements between rows, address, shape of the words)."""
    for words in ((4, 128), (2, 2, 128), (0, 128), (1, 1)):
        N, n = math.prod(words[:-1]), words[-1]
        shapes = {(N, n, 4), (N, n, 2), (N * n, 4), (N * n * 2,), (N, n, 3), (N + 1, n, 4), (N, 2 * n, 2), (N, n), (N, n, 1, 4)}
        layouts = ((False, 0), (True, 0), (False, 4))
        yield from itertools.product(("i32", "i64", "f32"), sorted(shapes), layouts, range(4096, 4096 + 20, 4), (words,))


ROWS, OFFSETS, RECORDS = list(_rows()), list(_offsets()), list(_records())
WIDTHS = [*range(1, 4097), *range(65400, 65700), *range((1 << 20) - 300, (1 << 20) + 5), *range(BIG - 40, BIG)]


def layout(shape, reverse: bool, gap: int) -> tuple[int, ...]:
    """Strides in elements: dense, or first axis first, or with a gap behind each last axis."""
    strides, step = [], 1
    for axis, extent in enumerate(shape if reverse else reversed(shape)):
        strides.append(step)
        step = step * max(extent, 1) + (gap if axis == 0 else 0)
    return tuple(strides if reverse else reversed(strides))


def on_device(predicates, rows_of, type_of) -> dict[str, np.ndarray]:
    """Answers about ROWS on one device. rows_of(type, shape): a bank there; type_of(name): a type as the implementation takes it."""
    banks = {}
    found = {"admits": [], "tail_supported": [], "supported": []}
    for bank, grad, shape, chunk, width in ROWS:
        rows = banks.setdefault((bank, shape), rows_of(bank, shape))
        found["admits"].append(predicates.admits(rows, type_of(grad), chunk, width))
        found["tail_supported"].append(predicates.tail_supported(rows, chunk))
        found["supported"].append(predicates.supported(rows, banks.setdefault((grad, shape), rows_of(grad, shape)), chunk, width))
    return {name: np.packbits(answers) for name, answers in found.items()}


def anywhere(predicates, rows_of, type_of, records_of) -> dict[str, np.ndarray]:
    """Answers that no device changes. records_of(type, shape, strides in elements, address): an array."""
    wide = [predicates.wide_offsets(rows_of(bank, shape), type_of(grad)) for bank, grad, shape in OFFSETS]
    records = [
        predicates.records_ok(records_of(kind, shape, layout(shape, *place), address), records_of("i32", words, layout(words, False, 0), 4096))
        for kind, shape, place, address, words in RECORDS
    ]
    slices = np.array([predicates.slices(width) for width in WIDTHS], np.int32)
    return {"wide_offsets": np.packbits(wide), "records_ok": np.packbits(records), "slices": slices}


def different(found: np.ndarray, kept: np.ndarray, cases: list) -> list:
    """The cases that were answered otherwise."""
    if found.ndim == 1:
        found, kept = np.unpackbits(found), np.unpackbits(kept)
    return [cases[i] for i in np.flatnonzero((found != kept).reshape(len(found), -1).any(1))]
