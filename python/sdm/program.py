"""A compiled kernel, loaded: packs arguments by the description, cuts a launch into tiles, starts it on the CPU or on a GPU."""

from __future__ import annotations

import functools
import struct
import threading
import weakref
from typing import NamedTuple

from sdm import tiling
from sdm.arrays import ArrayView
from sdm.compile import Artifact
from sdm.errors import OperandError
from sdm.operands import Operand

ADDRESS = (1 << 64) - 1
SCALARS = {"i1": "<i", "i32": "<i", "i64": "<q", "f32": "<f"}
_WORD, _POINTER = struct.Struct("<q"), struct.Struct("<Q")


class Grid(NamedTuple):
    """A launch but for its addresses: units are CTAs on a GPU, units of work on the CPU (which knows neither threads nor shared memory);
    parameters: offsets and values of the arguments that are its own."""

    entry: str
    parameters: tuple[tuple[int, int], ...]
    units: int
    threads: int = 0
    shared: int = 0

    def arguments(self, buffer: bytearray) -> bytearray:
        """An argument buffer with this launch's own arguments."""
        packed = bytearray(buffer)
        for offset, value in self.parameters:
            _WORD.pack_into(packed, offset, value)
        return packed


class Program:
    """An artifact in this process. `launches` are those of the description, one a walk, then those that combine slices."""

    def __init__(self, artifact: Artifact, device_index: int):
        from sdm import _sdm

        self.artifact, self.device_index = artifact, device_index
        self.description = artifact.description
        self.used: dict[str, int] = {}
        self.launches = self.description["launches"]
        if artifact.kind == "object":
            self.kernel = _sdm.HostKernel(artifact.image)
        else:
            self.kernel = _sdm.CudaKernel(artifact.image)
            self.device = _device(device_index)

    def template(self, operands: tuple[Operand, ...], scratch: tuple[ArrayView, ...], first_chunk: int) -> bytearray:
        """The argument buffer of these operands, the launch parameters still zero."""
        buffer = bytearray(self.description["size"])
        slots = self.description["arguments"]
        for slot, operand in zip(slots, operands):
            _pack(buffer, slot, operand)
        # Behind the operands, the planes of slices; their axis 1 counts chunks.
        for slot, view in zip(slots[len(operands) :], scratch):
            _pack_array(buffer, slot, view, 1, first_chunk)
        return buffer

    def rebase(self, buffer: bytearray, number: int, operand: Operand, first_chunk: int) -> None:
        """Lets axis 0 of an operand start with another chunk."""
        _pack_pointers(buffer, self.description["arguments"][number], operand, first_chunk)

    def load(self, operands: tuple[Operand, ...]) -> None:
        """Puts every entry into the device's context, so that launches load nothing (not even under capture)."""
        if self.artifact.kind != "object":
            for launch in self.launches:
                self.kernel.prepare(self.device_index, launch["entry"], self.shared(launch, operands))
                self.registers(launch["entry"])

    def registers(self, entry: str) -> int:
        """Registers of a lane; asked once, when the kernel is loaded."""
        if entry not in self.used:
            self.used[entry] = self.kernel.registers(self.device_index, entry)
        return self.used[entry]

    def shared(self, launch: dict, operands: tuple[Operand, ...]) -> int:
        """Bytes of dynamic shared memory: what the walk always needs and its resident slabs."""
        slabs = sum(_slab(item, operands) for item in launch.get("resident", ()))
        return launch.get("shared_base", 0) + slabs

    def cut(self, number: int, operands: tuple[Operand, ...], chunks: range) -> tiling.Tiling:
        """The tiles of a launch over some chunks; none where there is nothing to do."""
        from sdm import _sdm

        launch = self.launches[number]
        walked = operands[launch["operand"]].view
        by_rows = launch["domain"] == "rows"
        positions, count = walked.shape[0 if by_rows else 1], 1 if by_rows else len(chunks)
        if self.artifact.kind == "object":
            return tiling.on_host(positions, count, launch["slices"], _sdm.host_threads())
        warps, shared = launch["warps"], self.shared(launch, operands)
        multiprocessors, memory = self.device["multiprocessors"], self.device["shared_per_multiprocessor"]
        wave = tiling.wave(multiprocessors, memory, warps, shared, self.registers(launch["entry"]), "unit" in launch)
        return tiling.on_device(positions, count, launch["slices"], warps, wave)

    def start(self, number: int, buffer: bytearray, operands, chunks: range, stream: int, programmatic: bool) -> None:
        """One launch over a range of chunks; an empty one is nothing."""
        grid = self.grid(number, operands, chunks)
        if not grid.units:
            return
        arguments = grid.arguments(buffer)
        if self.artifact.kind == "object":
            self.kernel.launch(grid.entry, arguments, grid.units)
        else:
            self.kernel.launch(self.device_index, grid.entry, arguments, *grid[2:], stream, programmatic)

    def record(self, grid: Grid, buffer: bytearray, steps: int, patches: list[tuple[int, int]], programmatic: bool) -> bytes:
        """The bytes of a plan: a launch for each of so many steps, arguments at some offsets growing from step to step."""
        arguments = grid.arguments(buffer)
        if self.artifact.kind == "object":
            return self.kernel.plan(grid.entry, arguments, grid.units, steps, patches)
        return self.kernel.plan(self.device_index, grid.entry, arguments, *grid[2:], steps, patches, programmatic)

    def grid(self, number: int, operands: tuple[Operand, ...], chunks: range) -> Grid:
        """What a launch over a range of chunks is, on operands of these shapes; units 0 where there is nothing to do."""
        launch = self.launches[number]
        walked = operands[launch["operand"]]
        warps, by_rows = launch.get("warps", 1), launch["domain"] == "rows"
        first, count = (0, 1) if by_rows else (chunks.start, len(chunks))
        cut = self.cut(number, operands, chunks)
        places = self.description["launch_params"]
        values = {"first_chunk": first, "chunks": count, "tile_length": cut.length, "tiles": cut.tiles}
        parameters = tuple((places[name], value) for name, value in values.items())
        units = count * launch["slices"] * cut.tiles
        if self.artifact.kind == "object":
            return Grid(launch["entry"], parameters, units)
        if units // warps > tiling.MOST_UNITS:
            raise OperandError(f"{walked.name}: expected at most {tiling.MOST_UNITS} CTAs in a launch, got {units // warps}")
        return Grid(launch["entry"], parameters, units // warps, 32 * warps, self.shared(launch, operands))

    def pointers(self, number: int, operand: Operand) -> list[tuple[int, int]]:
        """Offsets of an operand's pointers in the argument buffer, each with the bytes from chunk to chunk."""
        return [(offset, view.strides[0]) for offset, view in _bases(self.description["arguments"][number], operand)]

    def places(self, operands: tuple[Operand, ...]) -> list[int]:
        """Offsets of all pointers in the argument buffer: of the operands' views in their order, then of the planes of slices."""
        slots = self.description["arguments"]
        own = [offset for slot, operand in zip(slots, operands) if operand.views for offset, _ in _bases(slot, operand)]
        return own + [slot["offset"] for slot in slots[len(operands) :]]


def _slab(item: dict, operands: tuple[Operand, ...]) -> int:
    """Bytes of a slab; one without rows has room for one, which is taken for records that do not count."""
    return item["row_bytes"] * max(1, operands[item["operand"]].view.shape[item["axis"]])


@functools.cache
def _device(device_index: int) -> dict:
    from sdm import _sdm

    return _sdm.device_info(device_index)


def put_address(buffer: bytearray, offset: int, address: int) -> None:
    """An address as the kernel counts from it; below 0 it wraps, and chunks that there are bring it back."""
    _POINTER.pack_into(buffer, offset, address & ADDRESS)


def _pack(buffer: bytearray, slot: dict, operand: Operand) -> None:
    if operand.records is not None:
        _WORD.pack_into(buffer, slot["positions"], operand.view.shape[1])
    elif not operand.views:
        struct.pack_into(SCALARS[slot["element"]], buffer, slot["offset"], operand.value)
        return
    else:
        _pack_axes(buffer, slot, operand.view)
    _pack_pointers(buffer, slot, operand, operand.first_chunk)


def _pack_pointers(buffer: bytearray, slot: dict, operand: Operand, first_chunk: int) -> None:
    """Pointers as if axis 0 began with chunk 0, so that the kernel indexes by the chunk's own number."""
    for offset, view in _bases(slot, operand):
        stride = view.strides[0] if view.rank else 0
        put_address(buffer, offset, view.pointer - first_chunk * stride)
    for place, view in zip(slot.get("planes", ()), operand.views):
        _WORD.pack_into(buffer, place["chunk_stride"], view.strides[0])


def _bases(slot: dict, operand: Operand) -> list[tuple[int, ArrayView]]:
    """Where each pointer of an operand goes."""
    if operand.records is None:
        return [(slot["offset"], operand.view)]
    return [(place["pointer"], view) for place, view in zip(slot["planes"], operand.views)]


def _pack_array(buffer: bytearray, slot: dict, view: ArrayView, axis: int, first: int) -> None:
    put_address(buffer, slot["offset"], view.pointer - first * view.strides[axis])
    _pack_axes(buffer, slot, view)


def _pack_axes(buffer: bytearray, slot: dict, view: ArrayView) -> None:
    for axis, (stride, extent) in enumerate(zip(slot["strides"], slot["extents"])):
        _WORD.pack_into(buffer, stride, view.strides[axis])
        _WORD.pack_into(buffer, extent, view.shape[axis])


_programs: dict[tuple[int, int], tuple[weakref.ref, Program]] = {}
_guard = threading.Lock()


def program(artifact: Artifact, device_index: int) -> Program:
    """The artifact's program for a device, loaded once in the process (artifacts live as long: `compile` keeps them)."""
    key = (id(artifact), device_index)
    with _guard:
        found = _programs.get(key)
        if found is None or found[0]() is not artifact:
            found = _programs[key] = (weakref.ref(artifact), Program(artifact, device_index))
        return found[1]
