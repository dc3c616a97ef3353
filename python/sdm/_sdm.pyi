"""The extension module: MLIR contexts and modules, a generic IR builder, the compile service and the runtime.

Types and attributes are given as MLIR text ("vector<1x128xf32>", "dense<0.0> : vector<1x128xf32>") or as handles made once by
`Context.type` and `Context.attribute`; parsed text is cached per context. Where an attribute is expected, True is the unit
attribute and an int is an i64. Every handle keeps its context and module alive. One context is used by one thread at a time.
"""

from collections.abc import Sequence
from typing import Any

class Diagnostic:
    severity: str  # "error", "warning", "remark", "note"
    message: str
    file: str  # empty where nothing is known
    line: int
    column: int
    calls: list[tuple[str, int, int]]  # call sites that led here, innermost first
    notes: list["Diagnostic"]

class DiagnosticError(ValueError):
    """What MLIR reported. str() is the first error's message."""

    diagnostics: list[Diagnostic]

class Location: ...
class Type: ...
class Attribute: ...

class Context:
    def __init__(self) -> None: ...
    def type(self, text: str) -> Type: ...
    def attribute(self, text: str) -> Attribute: ...
    def string(self, text: str) -> Attribute: ...
    def file(self, file: str, line: int, column: int) -> Location: ...
    def call_site(self, callee: Location, caller: Location) -> Location: ...

class Value:
    type: str
    location: Location
    def replace_all_uses_with(self, other: "Value") -> None: ...
    def has_uses(self) -> bool: ...

class Block:
    arguments: list[Value]
    operations: list["Operation"]
    def add_argument(self, type: str | Type, location: Location | None = None) -> Value: ...

class Operation:
    name: str
    results: list[Value]
    result: Value  # the only one
    operands: list[Value]
    location: Location
    def block(self, region: int = 0, index: int = 0) -> Block: ...
    def add_block(self, region: int = 0, types: Sequence[str | Type] = ()) -> Block: ...
    def attribute(self, name: str) -> str | None: ...
    def set_attribute(self, name: str, value: str | Attribute | Type | bool | int) -> None: ...
    def erase(self) -> None: ...
    def verify(self) -> None: ...

class Module:
    context: Context
    body: Block
    operation: Operation
    def __init__(self, context: Context) -> None: ...
    @staticmethod
    def parse(context: Context, text: str, name: str = "<mlir>") -> "Module": ...
    def text(self, locations: bool = False, generic: bool = False) -> str: ...
    def verify(self) -> None: ...
    def clone(self) -> "Module": ...
    def operation_names(self) -> list[str]:
        """Names of all operations in program order, nested ones included."""

class Builder:
    """Creates operations at an insertion point: a block's end unless moved."""

    location: Location | None  # used where `create` gets none
    def __init__(self, block: Block) -> None: ...
    def to_end(self, block: Block) -> None: ...
    def to_start(self, block: Block) -> None: ...
    def before(self, operation: Operation) -> None: ...
    def after(self, operation: Operation) -> None: ...
    def create(
        self,
        name: str,
        operands: Sequence[Value] = (),
        results: Sequence[str | Type] | None = (),
        attributes: dict[str, str | Attribute | Type | bool | int] = {},
        regions: Sequence[Sequence[str | Type] | None] = (),
        location: Location | None = None,
    ) -> Operation:
        """`results` None infers the types. One entry of `regions` per region: the types of its first block's arguments, or
        None for a region without a block. The insertion point stays behind the new operation."""

def run_pipeline(module: Module, text: str) -> None:
    """Runs passes ("sdm-check-kernel,sdm-plan-rows{chip=sm_90}") over the module. Handles into it are dead afterwards."""
