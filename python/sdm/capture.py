"""SDM_CAPTURE: every launch as a folder that `python -m sdm replay` runs again: the structured kernel, what it was compiled for, operands.

A folder `KERNEL.NUMBER` holds `kernel.mlir`, `capture.json` and `operands.npz`: the bytes of each array from its first to its last element,
gaps between strides included. Arrays on a GPU are read after a wait for the device, so nothing is captured inside a CUDA graph.
"""

from __future__ import annotations

import ctypes
import dataclasses
import itertools
import json
import pathlib

import numpy as np

from sdm import arrays
from sdm.compile import Specialisation
from sdm.operands import Operand

# Places of arrays within this many bytes are kept, so that code for an alignment fits again.
ALIGNMENT = 64


@dataclasses.dataclass(frozen=True)
class Capture:
    """One launch. operands: copies on the CPU that may be written; specialisation: without operand types, which are in the text."""

    name: str
    text: str
    specialisation: Specialisation
    names: tuple[str, ...]
    operands: tuple[Operand, ...]
    written: tuple[int, ...]
    walks: int
    chunks: range


def save(bound, operands, artifact, chunks: range, folder: str) -> pathlib.Path:
    """Writes a launch of a `Bound`; gives back its folder. Errors: OSError."""
    from sdm import accesses
    from sdm.bind import extents_of, positions_of
    from sdm.failures import names_of

    place = _new_folder(pathlib.Path(folder), artifact.name)
    described, bytes_of = [], {}
    for number, operand in enumerate(operands.present):
        planes = []
        for plane, view in enumerate(operand.views):
            low, end = view.bounds()
            if operand.records is not None and view.size:
                # The view of a plane has each record's first element alone.
                end += operand.records.layout.planes[plane] - view.itemsize
            bytes_of[f"{number}.{plane}"] = _bytes(view, low, end)
            planes.append(dict(dtype=view.dtype, shape=view.shape, strides=view.strides, offset=view.pointer - low, place=low % ALIGNMENT))
        described.append(dict(name=operand.name, planes=planes, value=operand.value, first_chunk=operand.first_chunk, records=operand.records is not None))
    asked = bound._specialisation(bound.early)
    facts = dict(
        kernel=artifact.name, target=asked.target, schedule=asked.schedule, extents=extents_of(operands), early=bound.early,
        far_strides=asked.far_strides, positions=positions_of(operands, bound.step), names=names_of(asked.specs), walks=artifact.walks,
        written=sorted(accesses.written(artifact.accesses)), chunks=[chunks.start, chunks.stop], operands=described,
    )  # fmt: skip
    (place / "kernel.mlir").write_text(bound.kernel.build(dict(asked.specs)).text(locations=True))
    np.savez(place / "operands.npz", **bytes_of)
    # Last, so that a folder with it is whole.
    (place / "capture.json").write_text(json.dumps(facts, indent=1) + "\n")
    return place


def load(place: pathlib.Path) -> Capture:
    """A capture with copies of its operands. Errors: OSError, ValueError for what is no capture."""
    facts = json.loads((place / "capture.json").read_text())
    with np.load(place / "operands.npz") as bytes_of:
        operands = tuple(_operand(number, item, bytes_of) for number, item in enumerate(facts["operands"]))
    specialisation = Specialisation(
        (), facts["target"], tuple(facts["schedule"]), tuple(map(tuple, facts["extents"])), tuple(facts["early"]), True,
        facts["far_strides"], facts["positions"],
    )  # fmt: skip
    return Capture(
        facts["kernel"], (place / "kernel.mlir").read_text(), specialisation, tuple(facts["names"]), operands, tuple(facts["written"]),
        facts["walks"], range(*facts["chunks"]),
    )  # fmt: skip


def folders(place: pathlib.Path) -> list[pathlib.Path]:
    """The captures in a folder, in the order in which they were made; the folder itself when it is one."""
    if (place / "capture.json").is_file():
        return [place]
    return sorted((file.parent for file in place.glob("*/capture.json")), key=lambda found: (found.stat().st_mtime_ns, found.name))


def _new_folder(folder: pathlib.Path, name: str) -> pathlib.Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number in itertools.count(len(list(folder.glob(f"{name}.*")))):
        place = folder / f"{name}.{number:04d}"
        try:
            place.mkdir()
        except FileExistsError:
            continue  # of another process
        return place
    raise AssertionError("counting ended")


def _bytes(view: arrays.ArrayView, low: int, end: int) -> np.ndarray:
    out = np.empty(end - low, np.uint8)
    if view.device == "cpu":
        ctypes.memmove(out.ctypes.data, low, out.nbytes)
    elif out.nbytes:
        from sdm import _sdm

        _sdm.cuda_synchronize(view.device_index)
        _sdm.cuda_copy_to_host(view.device_index, out.ctypes.data, low, out.nbytes)
        _sdm.cuda_synchronize(view.device_index)
    return out


def _operand(number: int, item: dict, bytes_of) -> Operand:
    from sdm.record_lists import RecordList

    views = tuple(_view(plane, bytes_of[f"{number}.{index}"]) for index, plane in enumerate(item["planes"]))
    # Its layout is in the kernel's text; launching needs the planes alone.
    records = RecordList(None, views, item["first_chunk"]) if item["records"] else None
    return Operand(item["name"], None, views, item["value"], records, item["first_chunk"])


def _view(plane: dict, data: np.ndarray) -> arrays.ArrayView:
    buffer = np.zeros(data.nbytes + 2 * ALIGNMENT, np.uint8)
    start = buffer.ctypes.data + (plane["place"] - buffer.ctypes.data) % ALIGNMENT
    ctypes.memmove(start, data.ctypes.data, data.nbytes)
    return arrays.ArrayView(start + plane["offset"], tuple(plane["shape"]), tuple(plane["strides"]), plane["dtype"], "cpu", buffer)
