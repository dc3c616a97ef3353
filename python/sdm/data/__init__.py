"""Captured records: what a public Sparse Delta Memory layer's own backward handed to the GDS mover. Integers and floats only, no rows.

`flagship.npz` (rows of 1,024 columns, 8 steps of 2 chunks) and `hd128.npz` (rows of 128, 8 steps of 8 chunks) hold:

- spay int32 [steps, P, n]: record words sorted by slot (layout: `sdm.reference.records`), n = C * R;
- slot int32 [steps, P, n]: the absolute row of each record; chunk p of a step uses S * p .. S * (p + 1);
- scale float32 [steps, P, n]: each record's factor;
- meta int32 [7]: C tokens a chunk, R reads a token, P chunks a step, hd columns, S slots of a chunk, then two numbers of the
  capturing run that are not used here.

Every chunk names each (token, lane) once, nothing is padding, and nearly all groups have one member.
"""

import dataclasses
import pathlib

import numpy as np

NAMES = ("hd128", "flagship")


@dataclasses.dataclass(frozen=True)
class Capture:
    """Captured lists: spay, slot int32 and scale float32, [steps, P, n]; C, R, P, hd, S as in the module's text."""

    name: str
    spay: np.ndarray
    slot: np.ndarray
    scale: np.ndarray
    C: int
    R: int
    P: int
    hd: int
    S: int


def load(name):
    """The capture called `name`. Errors: a name that is not in NAMES."""
    if name not in NAMES:
        raise ValueError(f"expected a capture of {', '.join(NAMES)}, got {name}")
    with np.load(pathlib.Path(__file__).with_name(f"{name}.npz")) as file:
        C, R, P, hd, S = (int(v) for v in file["meta"][:5])
        return Capture(name, file["spay"], file["slot"], file["scale"], C, R, P, hd, S)


def gds(name, steps=None, rec=16, bank="bfloat16", grad="bfloat16", hd=None, compact=True, seed=0):
    """A `sdm.reference.workloads.Gds` of a capture's first `steps` steps (None: all), with generated rows (normal, fixed seed).

    rec: 16 (qrec) or 8 (rec8 beside the words). hd: another width than the capture's. compact: slots are numbered anew, in order, so that
    bank and grad hold only rows that are used; otherwise they have P * S rows, as the captured run had.
    """
    from ..reference import workloads  # the captures themselves need no reference

    c = load(name)
    pick = lambda a: np.ascontiguousarray(a[:steps]).reshape(-1, c.C * c.R)  # noqa: E731
    spay, slot, scale = pick(c.spay), pick(c.slot), pick(c.scale).view(np.int32)
    num_rows = c.P * c.S
    if compact:
        used, dense = np.unique(slot, return_inverse=True)
        slot, num_rows = dense.reshape(slot.shape).astype(np.int32), len(used)
    packed = [slot, scale] if rec == 8 else [spay, slot, scale, np.zeros_like(slot)]
    case = workloads.Case(name, hd or c.hd, c.C, c.R, c.P, len(spay) // c.P, c.S, bank, grad, rec, seed=seed)
    return workloads.gds_from_words(np.random.default_rng(seed), spay, np.stack(packed, -1), case, num_rows)
