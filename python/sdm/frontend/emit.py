"""Hands a finished tree to the generic builder of `_sdm`, operation by operation; types and attributes go by their text."""

from __future__ import annotations

from sdm import _sdm
from sdm.frontend.ir import Block, Operation, Value


def to_module(function: Operation) -> _sdm.Module:
    """A verified module that holds the function; raises _sdm.DiagnosticError."""
    module = _sdm.Module(_sdm.Context())
    _Replay(module).operation(function)
    module.verify()
    return module


class _Replay:
    def __init__(self, module: _sdm.Module):
        self.context = module.context
        self.builder = _sdm.Builder(module.body)
        self.values: dict[Value, _sdm.Value] = {}
        self.locations: dict[tuple, _sdm.Location] = {}

    def operation(self, operation: Operation) -> None:
        built = self.builder.create(
            operation.name,
            [self.values[value] for value in operation.operands],
            [result.type for result in operation.results],
            operation.attributes,
            [[argument.type for argument in region.arguments] for region in operation.regions],
            self.location(operation.location),
        )
        self.values.update(zip(operation.results, built.results))
        for position, region in enumerate(operation.regions):
            self.region(built.block(position), region)
        if operation.regions:
            self.builder.after(built)

    def region(self, block: _sdm.Block, region: Block) -> None:
        self.values.update(zip(region.arguments, block.arguments))
        self.builder.to_end(block)
        for operation in region.operations:
            self.operation(operation)

    def location(self, frames: tuple) -> _sdm.Location:
        """The place of an operation: its own line, then the calls that inlined it."""
        if frames not in self.locations:
            innermost, *calls = frames
            location = self.context.file(*innermost)
            if calls:
                location = self.context.call_site(location, self.location(tuple(calls)))
            self.locations[frames] = location
        return self.locations[frames]
