"""The arguments of a call, matched to a kernel's parameters: what each one is, where it lies, and the type it is compiled for."""

from __future__ import annotations

import dataclasses
import inspect
import numbers
import reprlib
import struct
from collections.abc import Mapping

import numpy as np

from sdm import arrays, record_lists
from sdm.dtypes import BY_NAME, ROW_TYPES, SCALAR_TYPES
from sdm.errors import OperandError
from sdm.frontend.context import is_constant
from sdm.frontend.parameters import Parameter
from sdm.frontend.specs import AbsentSpec, CellsSpec, ConstSpec, RowsSpec, ScalarSpec, SortedSpec, Spec, scale_name
from sdm.quantized import Quantized
from sdm.record_lists import RecordList


@dataclasses.dataclass(frozen=True)
class Operand:
    """One operand that the compiled kernel takes. views: one array, or the planes of a record list; value: a scalar's number;
    first_chunk: the chunk that axis 0 starts with."""

    name: str
    spec: Spec
    views: tuple[arrays.ArrayView, ...] = ()
    value: object = None
    records: RecordList | None = None
    first_chunk: int = 0

    @property
    def view(self) -> arrays.ArrayView:
        return self.views[0]


@dataclasses.dataclass(frozen=True)
class Operands:
    """All operands of a call: `specs` for every parameter and the scales of quantized rows, `present` for those that are arguments of the
    compiled function."""

    specs: dict[str, Spec]
    present: tuple[Operand, ...]
    device: str
    uses_torch: bool

    def number(self, name: str) -> int | None:
        """The position of an operand among the function's arguments, None when it is absent or unknown."""
        return next((i for i, operand in enumerate(self.present) if operand.name == name), None)

    def numbers(self, name: str) -> tuple[int, ...]:
        """The positions of all that an argument of the call is: of quantized rows, their numbers and their scales."""
        return tuple(i for i, operand in enumerate(self.present) if operand.name in (name, scale_name(name)))


def gather(kernel, arguments: tuple, keywords: dict, first_chunk: dict[str, int] | None = None) -> Operands:
    """Operands of a call. Errors: TypeError for arguments that do not fit the signature, OperandError for one that is not what its
    parameter takes, or arrays on several devices."""
    bound = inspect.signature(kernel.function).bind(*arguments, **keywords)
    bound.apply_defaults()
    firsts = firsts_of(first_chunk)
    specs, present = {}, []
    for parameter in kernel.parameters:
        first = firsts.pop(parameter.name, 0)
        if first and parameter.kind in ("constexpr", "scalar"):
            raise OperandError(f"first_chunk: expected names of operands with a chunk axis, got {parameter.name!r}")
        for operand in _operands(parameter, bound.arguments[parameter.name], first):
            specs[operand.name] = operand.spec
            if not isinstance(operand.spec, (AbsentSpec, ConstSpec)):
                present.append(operand)
    if firsts:
        raise OperandError(f"first_chunk: expected names of operands, got {', '.join(sorted(firsts))}")
    return Operands(specs, tuple(present), _device(present), _uses_torch(present))


def firsts_of(first_chunk) -> dict[str, int]:
    """A mapping of operands' names to their first chunks. Errors: OperandError for anything else."""
    if first_chunk is not None and not isinstance(first_chunk, Mapping):
        raise OperandError(f"first_chunk: expected a dictionary from operands' names to chunks, got {first_chunk!r}")
    return {name: chunk_number(f"first_chunk of {name}", value) for name, value in (first_chunk or {}).items()}


def chunk_number(name: str, value) -> int:
    """A chunk's number: what 31 bits hold. Errors: OperandError."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not 0 <= value < 1 << 31:
        raise OperandError(f"{name}: expected a whole number from 0 to 2^31 - 1, got {value!r}")
    return int(value)


def _operands(parameter: Parameter, argument, first: int) -> list[Operand]:
    if not isinstance(argument, Quantized):
        return [_operand(parameter, argument, first)]
    name = parameter.name
    if parameter.kind != "rows":
        raise OperandError(f"{name}: expected {parameter.described()}, got quantized rows")
    view, scale = _view(name, argument.payload), _view(scale_name(name), argument.scale)
    spec = _quantized(name, view, argument)
    if scale.dtype != "f32" or scale.shape != view.shape[:-1]:
        want, got = f"one f32 scale for each row, {list(view.shape[:-1])}", f"{scale.dtype} {list(scale.shape)}"
        raise OperandError(f"{scale_name(name)}: expected {want}, got {got}")
    _aligned(scale_name(name), scale)
    return [Operand(name, spec, (view,), None, None, first), Operand(scale_name(name), spec.scale, (scale,), None, None, first)]


def _operand(parameter: Parameter, argument, first: int) -> Operand:
    name = parameter.name
    if parameter.kind == "constexpr":
        return Operand(name, ConstSpec(_constant(name, argument)))
    if argument is None:
        if not parameter.optional:
            raise OperandError(f"{name}: expected {parameter.described()}, got None")
        return Operand(name, AbsentSpec())
    if parameter.kind == "sorted":
        records = record_lists.of(name, argument, parameter.record)
        planes = record_lists.views(name, records)
        first = chunk_number(f"first_chunk of {name}", chunk_number(f"first_chunk of {name}", records.first_chunk) + first)
        return Operand(name, SortedSpec(records.layout), planes, None, records, first)
    if parameter.kind == "scalar":
        return _scalar(parameter, argument)
    view = _view(name, argument)
    spec = _rows(name, view) if parameter.kind == "rows" else _cells(name, view)
    return Operand(name, spec, (view,), None, None, first)


def _constant(name: str, value):
    """The value of a constexpr: as Python has it (numpy's numbers become Python's). Errors: OperandError."""
    value = value.item() if isinstance(value, np.generic) else value
    if not is_constant(value):
        raise OperandError(f"{name}: expected a number, a bool, a string, None, a type or a tuple of them (sl.constexpr), got {type(value).__name__}")
    return value


def can_be_staged(operand: Operand) -> bool:
    """Whether every record lies where one asynchronous copy of 16, 8 or 4 bytes finds it."""
    if operand.records is None:
        return True
    sizes = [next(size for size in (16, 8, 4) if plane % size == 0) for plane in operand.records.layout.planes]
    return all((view.pointer | view.strides[0]) % size == 0 for view, size in zip(operand.views, sizes))


def other_list(operand: Operand, records: RecordList) -> Operand:
    """The operand with other records: same layout, device and positions. Errors: OperandError."""
    if operand.records is None:
        raise OperandError(f"records: expected names of record lists, got {operand.name!r}")
    found = record_lists.of(operand.name, records, operand.records.layout.record)
    planes = record_lists.views(operand.name, found)
    if found.layout != operand.records.layout:
        raise OperandError(f"{operand.name}: expected records in the layout that was bound, got another")
    for was, now in zip(operand.views, planes):
        if (now.device, now.shape[1]) != (was.device, was.shape[1]):
            raise OperandError(f"{operand.name}: expected {was.shape[1]} records a chunk on {was.device}, got {now.described()}")
    first = chunk_number(f"first_chunk of {operand.name}", found.first_chunk)
    other = dataclasses.replace(operand, views=planes, records=found, first_chunk=first)
    if can_be_staged(operand) and not can_be_staged(other):
        raise OperandError(f"{operand.name}: expected records aligned as those that were bound, got addresses of less alignment")
    return other


def _view(name: str, argument) -> arrays.ArrayView:
    try:
        return arrays.view(argument)
    except TypeError as error:
        raise OperandError(f"{name}: {error}") from None


def _rows(name: str, view: arrays.ArrayView) -> RowsSpec:
    dtype = BY_NAME.get(view.dtype)
    if dtype not in ROW_TYPES:
        with_scale = ", or quantized ones with their scales (sdm.quantized)" if view.dtype in ("u8", "fp8") else ""
        raise OperandError(f"{name}: expected rows of f32, bf16 or f16{with_scale}, got {view.dtype}")
    _row_axes(name, view)
    return _specified(RowsSpec(dtype, view.shape[-1], view.rank), view)


def _quantized(name: str, view: arrays.ArrayView, rows: Quantized) -> RowsSpec:
    dtype, decode = BY_NAME[rows.format], BY_NAME[rows.decode]
    allowed = ("u8", "fp8") if dtype.kind == "float" else ("u8",)
    if view.dtype not in allowed:
        raise OperandError(f"{name}: expected {rows.format} numbers as bytes ({' or '.join(allowed)}), got {view.dtype}")
    _row_axes(name, view)
    return _specified(RowsSpec(dtype, view.shape[-1] * 8 // dtype.bits, view.rank, decode=decode), view)


def _specified(spec: RowsSpec, view: arrays.ArrayView) -> RowsSpec:
    """The spec with the piece of these rows, where it is not what the width gives."""
    piece = arrays.piece(view, spec.width)
    return spec if piece == arrays.natural_piece(spec.width, spec.dtype.bits) else dataclasses.replace(spec, piece=piece)


def _row_axes(name: str, view: arrays.ArrayView) -> None:
    if view.rank < 2:
        raise OperandError(f"{name}: expected rows (2 or more axes, the last one a row), got {list(view.shape)}")
    if view.shape[-1] < 1:
        raise OperandError(f"{name}: expected rows of at least one column, got {list(view.shape)}")
    if view.shape[-1] > 1 and view.size and view.strides[-1] != view.itemsize:
        raise OperandError(
            f"{name}: expected the columns of a row side by side, got a stride of {view.strides[-1]} bytes for {view.dtype}"
        )
    _aligned(name, view)


def _cells(name: str, view: arrays.ArrayView) -> CellsSpec:
    dtype = BY_NAME.get(view.dtype)
    if dtype not in SCALAR_TYPES:
        raise OperandError(f"{name}: expected cells of f32, i32 or i64, got {view.dtype}")
    _aligned(name, view)
    return CellsSpec(dtype, view.rank)


def _aligned(name: str, view: arrays.ArrayView) -> None:
    steps = [stride for stride, extent in zip(view.strides, view.shape) if extent > 1]
    if view.size and any(value % view.itemsize for value in (view.pointer, *steps)):
        raise OperandError(f"{name}: expected elements aligned to {view.itemsize} bytes, got an array at {view.pointer:#x}")


def _scalar(parameter: Parameter, argument) -> Operand:
    name, dtype = parameter.name, parameter.dtype
    if isinstance(argument, (bool, numbers.Number, np.generic)):
        return Operand(name, ScalarSpec(dtype), (), _number(name, argument, dtype))
    view = _view(name, argument)
    if view.shape:
        raise OperandError(f"{name}: expected a number or an array of no axes, got {list(view.shape)}")
    if view.dtype != dtype.name:
        raise OperandError(f"{name}: expected {dtype.name}, got {view.dtype}")
    if view.device == "cpu":
        return Operand(name, ScalarSpec(dtype), (), _number(name, argument.item(), dtype))
    return Operand(name, CellsSpec(dtype, 0), (view,))


def _number(name: str, value, dtype):
    """A Python number that the type holds. Errors: OperandError."""
    kind = "a number" if dtype.kind == "float" else "a whole number"
    refused = OperandError(f"{name}: expected {kind} ({dtype.name}), got {value!r}")
    if isinstance(value, (bool, np.bool_, complex, np.complexfloating, np.character, np.datetime64, np.timedelta64)):
        raise refused
    try:
        if dtype.kind == "float":
            struct.pack("<f", float(value))
            return float(value)
        if int(value) != value:
            raise refused
        int(value).to_bytes(dtype.size, "little", signed=True)
        return int(value)
    except OverflowError:
        raise OperandError(f"{name}: expected a number that fits {dtype.name}, got {reprlib.repr(value)}") from None
    except (TypeError, ValueError):
        raise refused from None


def _device(present: list[Operand]) -> str:
    """The one device of all arrays; a kernel without arrays runs on the CPU."""
    first = None
    for operand in present:
        for view in operand.views:
            if first is not None and view.device != first[1]:
                raise OperandError(f"{operand.name}: expected it on {first[1]} as {first[0]} is, got {view.device}")
            first = first or (operand.name, view.device)
    return first[1] if first else "cpu"


def _uses_torch(present: list[Operand]) -> bool:
    return any(arrays.is_torch(view.owner) for operand in present for view in operand.views)
