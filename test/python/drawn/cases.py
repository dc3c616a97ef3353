"""Strategies: what a call of the mover is given, and how it is run. Data come from a seed, so that an example is a few numbers."""

from __future__ import annotations

import dataclasses

from hypothesis import strategies as st

from drawn.lists import KINDS
from drawn.places import Place
from sdm.reference import slices

BF16, F16, F32, F64 = "bfloat16", "float16", "float32", "float64"
PAIRS = ((BF16, BF16), (BF16, F32), (F32, F32), (BF16, None), (F32, None), (None, BF16), (None, F32))
# Even slices, a narrower last one, columns that are no multiple of 4, one of each count; mostly these, so that compiled kernels are used again.
WIDTHS = (1, 2, 3, 5, 64, 66, 100, 127, 128, 129, 130, 132, 196, 200, 256, 257, 260, 384, 390, 1000, 1024, 1100)
CHIPS = ("sm_80", "sm_90", "sm_86", "sm_89", "sm_100", "sm_103", "sm_120")
SHIFTS, PADS = (0, 1, 2, 3, 4, 8), (0, 1, 2, 4, 12)


@dataclasses.dataclass(frozen=True)
class Case:
    """chunks: of each, the kind of its groups' sizes and the share of INVALID records. bank, grad: types of rows, None: absent. readings: type,
    as rows of 2 axes or of 3, and whether every step reads the same. records: "qrec" or "rec8"; holder: the array itself, a factory whose array counts as such, or a
    provider of all chunks, of one step's, of both kinds in turns. high: slots are the last ones below 2^31. coarse: few bits in
    readings and scales, so that sums lie halfway between two numbers of a storage type."""

    hd: int
    C: int
    R: int
    P: int
    T: int
    chunks: tuple[tuple[str, float], ...]
    bank: str | None
    grad: str | None
    readings: str
    axes: int
    reused: bool
    high: bool
    records: str
    holder: str
    tiles: int | None
    noise: bool
    garbage: bool
    special: float
    coarse: bool
    places: dict[str, Place]
    seed: int


@dataclasses.dataclass(frozen=True)
class OnHost:
    threads: int
    tile: int
    schedule: tuple[str, ...]
    by_plan: bool
    checked: bool


@dataclasses.dataclass(frozen=True)
class OnLanes:
    chip: str
    schedule: tuple[str, ...]
    tile: int
    early: tuple[str, ...]
    seed: int


def _place(orders: tuple[str, ...]) -> st.SearchStrategy:
    return st.builds(Place, st.sampled_from(SHIFTS), st.sampled_from(PADS), st.sampled_from(("dense", "dense", *orders)))


PLACES = {
    "bank": _place(("reversed", "repeated", "far", "farther")),
    "grad": _place(("reversed", "far", "farther")),
    "readings": _place(("reversed", "repeated", "swapped", "far", "farther")),
    "spay": _place(("reversed", "far", "farther")),
    "records": _place(("reversed", "far", "farther")),
    "dots": _place(("reversed", "swapped", "turned", "far", "farther")),
}
places = st.one_of(st.just({}), st.just({}), st.fixed_dictionaries({}, optional=PLACES))
chunk = st.tuples(st.sampled_from(KINDS), st.sampled_from((0.0, 0.0, 0.1, 0.5, 1.0)))


@st.composite
def cases(draw, cells: tuple[int, ...], least: int = 1):
    """cells: what all records times the columns of their rows (`least` at the least) come to, at most; one of these."""
    hd = draw(st.one_of(*[st.sampled_from(WIDTHS)] * 3, st.integers(1, 1100)))
    P, T = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    most = max(1, draw(st.sampled_from(cells)) // (P * T * max(hd, least)))
    C = draw(st.one_of(st.integers(1, min(most, 6)), st.integers(1, min(most, 256)), st.just(min(most, 256))))
    R = draw(st.integers(1, min(most // C, 256)))
    bank, grad = draw(st.sampled_from(PAIRS))
    records = draw(st.sampled_from(("qrec", "rec8")))
    return Case(
        hd, C, R, P, T, draw(st.tuples(*[chunk] * (P * T))), bank, grad,
        readings=draw(st.sampled_from((F32, F32, F32, BF16, F64, F16))),
        axes=draw(st.sampled_from((2, 3))),
        reused=draw(st.booleans()),
        high=draw(st.sampled_from((False, False, False, True))),
        records=records,
        holder=draw(st.sampled_from(("array", "array", "all", "step", "turns", "array" if records == "qrec" else "factory"))),
        tiles=draw(st.sampled_from((None, 1, 3, 40))),
        noise=draw(st.booleans()),
        garbage=draw(st.booleans()),
        special=draw(st.sampled_from((0.0, 0.02, 0.3))),
        coarse=draw(st.booleans()),
        places=draw(places),
        seed=draw(st.integers(0, 1 << 30)),
    )  # fmt: skip


tile_lengths = st.one_of(st.sampled_from((1, 2, 7, 8, 32, 64, 1000)), st.integers(1, 100))
on_host = st.builds(
    OnHost,
    threads=st.integers(1, 4),
    tile=tile_lengths,
    schedule=st.sampled_from(((), (), (), ("split",), ("whole",))),
    by_plan=st.booleans(),
    checked=st.sampled_from((False, False, False, True)),
)


@st.composite
def schedules(draw):
    """Parts that the rules allow by and large; what is refused all the same is left out by whoever runs it, from the end on."""
    form = draw(st.sampled_from(("", "nest", "flat", "flat", "flat")))
    parts = [form, draw(st.sampled_from(("", "", "split", "whole")))]
    parts += [f"warps={draw(st.sampled_from((1, 2, 3, 4, 8, 16)))}"] * draw(st.booleans())
    waits = ("direct",)
    if form == "flat":
        parts += [f"unit={draw(st.sampled_from((1, 2, 4, 8, 16, 32)))}", f"depth={draw(st.integers(1, 4))}"]
        waits = ("direct", "ring")
    parts += [f"{name}={draw(st.sampled_from(waits))}" for name in ("bank", "grad") if draw(st.booleans())]
    if draw(st.booleans()):
        parts.append(f"tokens={draw(st.sampled_from((*waits, 'resident')))}")
    return tuple(filter(None, parts))


on_lanes = st.builds(
    OnLanes,
    chip=st.sampled_from(CHIPS),
    schedule=schedules(),
    tile=tile_lengths,
    early=st.sampled_from(((), ("reads",), ("reads", "tokens"))),
    seed=st.integers(0, 1 << 20),
)


# A large example of each is rare, as they take most of the time. On lanes a record of a slice costs the same however wide the slice is.
host_cases = cases((2_000, 20_000, 20_000, 20_000, 200_000))
lanes_cases = cases(tuple(records * slices.WIDEST for records in (16, 64, 64, 64, 256)), slices.WIDEST)
