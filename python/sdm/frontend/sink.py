"""Moves what a kernel computes before its walks into each walk that uses it: every walk is a launch of its own."""

from __future__ import annotations

from sdm.frontend.ir import Block, Operation, Value

STAYS = ("sdm.walk", "sdm.each_record", "sdm.each_row", "func.return")


def sink(body: Block) -> None:
    """Clones top-level operations to the front of the walks that need them; all of them are free of effects."""
    loose = [operation for operation in body.operations if operation.name not in STAYS]
    body.operations = [operation for operation in body.operations if operation.name in STAYS]
    if not loose:
        return
    for walk in body.operations:
        for region in walk.regions:
            _fill(region, loose)


def _fill(block: Block, loose: list[Operation]) -> None:
    needed = _used([block])
    wanted = []
    for operation in reversed(loose):
        if needed & set(operation.results):
            wanted.insert(0, operation)
            needed |= set(operation.operands) | _used(operation.regions)
    values: dict[Value, Value] = {}
    clones = [_clone(operation, values) for operation in wanted]
    _rename(block, values)
    block.operations[:0] = clones


def _used(blocks) -> set[Value]:
    return {
        value
        for block in blocks
        for operation in block.operations
        for value in (*operation.operands, *_used(operation.regions))
    }


def _clone(operation: Operation, values: dict[Value, Value]) -> Operation:
    operands = [values.get(value, value) for value in operation.operands]
    regions = []
    for region in operation.regions:
        arguments = [values.setdefault(value, Value(value.type)) for value in region.arguments]
        regions.append(Block(arguments, [_clone(inner, values) for inner in region.operations]))
    results = [values.setdefault(value, Value(value.type)) for value in operation.results]
    return Operation(operation.name, operands, results, dict(operation.attributes), regions, operation.location)


def _rename(block: Block, values: dict[Value, Value]) -> None:
    for operation in block.operations:
        operation.operands = [values.get(value, value) for value in operation.operands]
        for region in operation.regions:
            _rename(region, values)
