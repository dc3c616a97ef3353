"""What a kernel does with its operands: each load and store, with a word for every index.

Read off the front end's tree, so that binding can say which operands are written, which axis counts chunks, and which record
fields must stay inside which extents.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdm.frontend import ir


@dataclass(frozen=True)
class Place:
    """One index: kind "key", "field", "chunk", "index" (unsorted position), "ordinal", "pos", "row", "constant" or "other"; the field's
    name or the constant's value; the operand number of the records that it comes from, -1 for none."""

    kind: str
    name: object = None
    records: int = -1


@dataclass(frozen=True)
class Access:
    """One load or store: operand number, its indices, and the operand number of the list or rows that is walked; guarded: it stands
    under a condition; walk: which of the kernel's walks."""

    operand: int
    store: bool
    indices: tuple[Place, ...]
    walked: int
    member: bool
    guarded: bool = False
    walk: int = 0


OTHER = Place("other")


def of(function: ir.Operation) -> tuple[Access, ...]:
    """All accesses of a kernel's tree (its `func.func`), in program order."""
    return tuple(_Reader(function).accesses)


def written(accesses: tuple[Access, ...]) -> set[int]:
    """Operand numbers that some walk stores to."""
    return {access.operand for access in accesses if access.store}


def by_chunk(accesses: tuple[Access, ...]) -> set[int]:
    """Operand numbers whose first axis counts chunks."""
    return {access.operand for access in accesses if access.indices and access.indices[0].kind == "chunk"}


class _Reader:
    def __init__(self, function: ir.Operation):
        body = function.regions[0]
        self.numbers = {argument: number for number, argument in enumerate(body.arguments)}
        self.places: dict[ir.Value, Place] = {}
        self.handles: dict[ir.Value, int] = {}
        self.accesses: list[Access] = []
        self.walked = self.walk = -1
        self.branches = 0
        self.block(body, False)

    def block(self, block: ir.Block, member: bool) -> None:
        for operation in block.operations:
            self.operation(operation, member)

    def operation(self, operation: ir.Operation, member: bool) -> None:
        name, operands = operation.name, operation.operands
        if name in ("sdm.load_row", "sdm.load_cell"):
            self.access(False, operands[0], operands[1:], member)
        elif name in ("sdm.store_row", "sdm.store_cell"):
            self.access(True, operands[1], operands[2:], member)
        elif name in ("sdm.walk", "sdm.each_record", "sdm.each_row"):
            self.walked, self.walk = self.numbers[operands[0]], self.walk + 1
            self.enter(operation, name)
            self.block(operation.regions[0], name != "sdm.walk")
            return
        elif name == "sdm.members":
            self.handles[operation.regions[0].arguments[0]] = self.handles[operands[0]]
            member = True
        elif operation.results:
            self.places[operation.results[0]] = self.place(operation)
        conditional = operation.name == "scf.if"
        self.branches += conditional
        for region in operation.regions:
            self.block(region, member)
        self.branches -= conditional

    def enter(self, operation: ir.Operation, name: str) -> None:
        handle = operation.regions[0].arguments[0]
        if name == "sdm.each_row":
            self.places[handle] = Place("row", records=self.walked)
        else:
            self.handles[handle] = self.walked

    def access(self, store: bool, target: ir.Value, indices: list[ir.Value], member: bool) -> None:
        places = tuple(self.places.get(index, OTHER) for index in indices)
        self.accesses.append(Access(self.numbers[target], store, places, self.walked, member, self.branches > 0, self.walk))

    def place(self, operation: ir.Operation) -> Place:
        """The word for an operation's result; what is computed is "other", a change of width is not."""
        source = operation.operands[0] if operation.operands else None
        records = self.handles.get(source, -1)
        if operation.name == "sdm.key":
            return Place("key", records=records)
        if operation.name == "sdm.field":
            return Place("field", operation.attributes["name"].strip('"'), records)
        if operation.name == "sdm.property":
            return Place(_property(operation, source), records=records)
        if operation.name in ("arith.extsi", "arith.trunci", "arith.index_cast"):
            return self.places.get(source, OTHER)
        if operation.name == "arith.constant":
            return Place("constant", _number(operation.attributes["value"]))
        return OTHER


def _number(text: str) -> int | None:
    """The integer that an arith.constant's text begins with; None for what is no index."""
    head = text.partition(" ")[0]
    return int(head) if head.lstrip("-").isdigit() else None


def _property(operation: ir.Operation, record: ir.Value) -> str:
    text = " ".join(operation.attributes.values())
    for kind in ("chunk", "size", "pos", "valid"):
        if kind in text:
            return kind
    return "ordinal" if record.type == "!sdm.group" else "index"
