"""Takes out what no store needs: dead loads, arithmetic, carried values, loops and branches.

A store to an absent operand is never built, so what only it used is dead here. Each region operation's
k-th result lives as long as its k-th yielded value: they are marked, and dropped, together.
"""

from __future__ import annotations

from sdm.frontend.ir import Block, Operation, Value

LOOP = "sdm.members"
BRANCH = "scf.if"
ROOTS = ("func.return",)


def prune(body: Block) -> None:
    """Removes dead operations from a function's body, in place."""
    live = _Liveness(body)
    _sweep(body, live.values, live.operations)


class _Liveness:
    def __init__(self, body: Block):
        self.values: set[Value] = set()
        self.operations: set[Operation] = set()
        self.needs: dict[Value, list[Value]] = {}  # value -> the values that it is made of
        self.parents: dict[Value, Operation] = {}
        self.enclosing: dict[Operation, Operation | None] = {}
        roots: list[Operation] = []
        self._index(body, None, roots)
        self.work: list[Value] = []
        for root in roots:
            self._mark_operation(root)
        while self.work:
            value = self.work.pop()
            if value in self.values:
                continue
            self.values.add(value)
            self.work.extend(self.needs.get(value, ()))
            if value in self.parents:
                self._mark_operation(self.parents[value])

    def _index(self, block: Block, parent: Operation | None, roots: list[Operation]) -> None:
        for operation in block.operations:
            self.enclosing[operation] = parent
            if operation.stores or operation.name in ROOTS:
                roots.append(operation)
            for result in operation.results:
                self.parents[result] = operation
            for region in operation.regions:
                self._index(region, operation, roots)
            self._tie(operation)

    def _tie(self, operation: Operation) -> None:
        if operation.name == LOOP:
            (body,) = operation.regions
            carried = zip(operation.results, operation.operands[1:], body.arguments[1:], _yielded(body))
            for result, initial, argument, yielded in carried:
                self.needs[result] = [initial, argument, yielded]
                self.needs[argument] = [initial, yielded, result]
            self.parents[body.arguments[0]] = operation
        elif operation.name == BRANCH:
            for position, result in enumerate(operation.results):
                self.needs[result] = [_yielded(region)[position] for region in operation.regions]
        else:
            for region in operation.regions:
                for argument in region.arguments:
                    self.parents[argument] = operation
            for result in operation.results:
                self.needs[result] = operation.operands

    def _mark_operation(self, operation: Operation | None) -> None:
        while operation is not None and operation not in self.operations:
            self.operations.add(operation)
            # A loop's initial values and a yield's operands live by their results, not by the operation.
            self.work.extend(operation.operands[:1] if operation.name == LOOP else operation.operands)
            operation = self.enclosing[operation]


def _yielded(block: Block) -> list[Value]:
    return block.operations[-1].operands


def _is_yield(operation: Operation) -> bool:
    return operation.name in ("sdm.yield", "scf.yield")


def _sweep(block: Block, values: set[Value], operations: set[Operation]) -> None:
    block.operations = [op for op in block.operations if op in operations or _is_yield(op)]
    for operation in block.operations:
        for region in operation.regions:
            _sweep(region, values, operations)
        if operation.name not in (LOOP, BRANCH):
            continue
        kept = [position for position, result in enumerate(operation.results) if result in values]
        operation.results = [operation.results[position] for position in kept]
        for region in operation.regions:
            terminator = region.operations[-1]
            terminator.operands = [terminator.operands[position] for position in kept]
        if operation.name == LOOP:
            body = operation.regions[0]
            operation.operands[1:] = [operation.operands[1 + position] for position in kept]
            body.arguments[1:] = [body.arguments[1 + position] for position in kept]
