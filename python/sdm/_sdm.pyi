"""The extension module: MLIR modules and a generic IR builder, the compile service and the runtime."""

from collections.abc import Sequence
from typing import Any

Buffer = bytes | bytearray | memoryview
Site = tuple[str, int, int]  # file, line, column

class DiagnosticError(ValueError):
    """What MLIR reported. str() is the first error's message."""

    diagnostics: list[tuple[str, str, list[Site]]]
    """(severity, message, sites): the place first, then each call that led to it; a note follows its diagnostic."""

class Location: ...

class Value:
    type: str

class Operation:
    """One operation of a builder's module."""

    name: str
    results: list[Value]
    def arguments(self, region: int = 0) -> list[Value]: ...

class Builder:
    """A context, an empty module in it, and a place to insert: the module's end at first.

    A type or attribute text that does not parse is a ValueError with the text and the parser's message.
    """

    def __init__(self) -> None: ...
    def location(self, sites: Sequence[Site]) -> Location:
        """The line itself first, then each call that led to it."""
    def create(
        self,
        name: str,
        operands: Sequence[Value] = (),
        results: Sequence[str] | None = (),
        attributes: dict[str, str] = {},
        regions: Sequence[Sequence[str]] = (),
        location: Location | None = None,
    ) -> Operation:
        """Any registered operation. `results` None infers the types; the empty attribute text is the unit attribute; a region is
        one block, given by the types of its arguments."""
    def enter(self, operation: Operation, region: int = 0) -> None:
        """Inserts at the end of the region's block from here on, until `leave`."""
    def leave(self) -> None: ...
    def finish(self) -> "Module":
        """Verifies. Errors: DiagnosticError."""

class Module:
    @staticmethod
    def parse(text: str, name: str = "<mlir>") -> "Module": ...
    def text(self, locations: bool = False, generic: bool = False) -> str: ...
    def verify(self) -> None: ...
    def clone(self) -> "Module": ...
    def operation_names(self) -> list[str]:
        """All operations in program order, nested ones included."""

def run_pipeline(module: Module, text: str) -> None:
    """Runs passes ("sdm-check-kernel,sdm-plan-rows{chip=sm_90}") in place; operations and values of it are dead afterwards."""

# The compile service.

def compile(
    text: str,
    target: str,
    *,
    schedule: Sequence[str] = (),
    extents: Sequence[str] = (),
    positions: int = 0,
    early: Sequence[int] = (),
    far_strides: bool = False,
    ptxas: str = "",
    ptxas_folders: Sequence[str] = (),
    assemble: bool = True,
    name: str = "<mlir>",
    until: str = "",
    locations: bool = False,
) -> dict[str, Any]:
    """Compiles a structured module's one kernel for "sm_90", ... or "host"; runs without the interpreter's lock.

    Returns "stages" (name -> text), "description" (JSON text for the launcher), "image" (bytes) and "image_kind" ("cubin", "ptx",
    "object"). `schedule` and `extents` as sdm-plan-rows takes them; `early`: indices of the operands that the previous kernel
    does not write; `until` "scheduled": no stage after it and an empty image; `locations`: stages of MLIR with source lines. Errors:
    DiagnosticError.
    """

def run_on_lanes(
    module: Module,
    entry: str,
    arguments: Buffer,
    *,
    seed: int = 0,
    late: bool = True,
    shared_bytes: int = 0,
    ranges: Sequence[tuple[int, int, int, int]] = (),
    early: Sequence[int] = (),
    exchange_orders: bool = False,
    most_faults: int = 4,
) -> dict[str, Any]:
    """Runs one launch of a scheduled module (stage "scheduled" of a chip) on the CPU as a GPU would at its worst; stores to the memory
    that the packed arguments point to.

    `late`: copies land at the last moment that waits allow, otherwise at seeded earlier ones; `ranges`: (argument, axis, first index,
    extent) where the arguments do not say; `early`: operands that may be read before the dependency wait. Returns "faults", each
    (kind, message, operation, sites), and "operations", how many were executed.
    """

def host_machine_key() -> str: ...
def versions() -> str: ...
def targets() -> list[str]: ...
def nearest_chip(major: int, minor: int) -> tuple[str, str]:
    """The chip table's row for a device, and a note when it is not the device's own; "" when there is none."""

def chip_features(chip: str) -> list[str]:
    """What the chip table says a chip has: "bulk_copy", "griddepcontrol_default", ... Errors: ValueError for a name not in it."""

def find_ptxas(given: str = "", folders: Sequence[str] = ()) -> str:
    """Empty where there is none."""

def ptxas_version(ptxas: str) -> str: ...

# The runtime. Pointers, streams and events are integers; stream 0 is the default stream.

class HostKernel:
    """Machine code of the host target, loaded into this process."""

    def __init__(self, object: bytes) -> None: ...
    def launch(self, entry: str, arguments: Buffer, units: int, threads: int = 0) -> None:
        """Runs all units and returns when done; `threads` 0 is `host_threads()`."""
    def plan(self, entry: str, arguments: Buffer, units: int, steps: int, patches: Sequence[tuple[int, int]]) -> bytes:
        """The launch as bytes for the function at `plan_launch_address()`; patches: offsets of 8-byte arguments and what each step
        adds to them. Good while this object lives."""

class CudaKernel:
    """A cubin or PTX text, loaded once in each context that launches it."""

    def __init__(self, image: bytes) -> None: ...
    def prepare(self, device: int, entry: str, shared_bytes: int = 0) -> None:
        """Loads, so that a captured launch need not."""
    def launch(
        self,
        device: int,
        entry: str,
        arguments: Buffer,
        blocks: int,
        threads: int,
        shared_bytes: int = 0,
        stream: int = 0,
        programmatic: bool = False,
    ) -> None: ...
    def plan(
        self,
        device: int,
        entry: str,
        arguments: Buffer,
        blocks: int,
        threads: int,
        shared_bytes: int,
        steps: int,
        patches: Sequence[tuple[int, int]],
        programmatic: bool = False,
    ) -> bytes:
        """As HostKernel.plan, for the device's context that is current (else its primary one)."""
    def registers(self, device: int, entry: str) -> int: ...
    def local_bytes(self, device: int, entry: str) -> int: ...

class CudaError(RuntimeError):
    status: int

def host_threads() -> int: ...

MOST_PLAN_ARGUMENTS: int
"""Bytes of arguments that a plan can hold."""

def plan_launch_address() -> int:
    """Of the C function `int64 f(const void* plan, int64 bytes, int64 ti, int64 pdl, void* stream)`."""

def cuda_missing() -> str:
    """Why there is no CUDA here; empty when there is."""

def driver_version() -> int: ...
def device_count() -> int: ...
def current_device() -> int: ...
def device_of_pointer(pointer: int) -> int: ...
def device_info(device: int = 0) -> dict[str, Any]:
    """name, major, minor, multiprocessors, shared_per_block, shared_per_multiprocessor, memory_pools."""

def cuda_allocate(device: int, bytes: int, stream: int = 0) -> int: ...
def cuda_release(device: int, pointer: int, stream: int = 0) -> None: ...
def cuda_copy_to_device(device: int, to: int, source: int, bytes: int, stream: int = 0) -> None: ...
def cuda_copy_to_host(device: int, to: int, source: int, bytes: int, stream: int = 0) -> None: ...
def cuda_fill_bytes(device: int, to: int, value: int, bytes: int, stream: int = 0) -> None: ...
def cuda_synchronize(device: int, stream: int = 0) -> None: ...
def cuda_capturing(device: int, stream: int) -> bool: ...
def cuda_event(device: int) -> int: ...
def cuda_record(device: int, event: int, stream: int = 0) -> None: ...
def cuda_wait(device: int, stream: int, event: int) -> None:
    """Lets the stream wait for the event."""

def cuda_destroy_event(device: int, event: int) -> None: ...
def cuda_elapsed_ms(device: int, start: int, end: int) -> float: ...
