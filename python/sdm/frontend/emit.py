"""Hands a finished tree to the generic builder of `_sdm`, operation by operation; types and attributes go by their text."""

from __future__ import annotations

from sdm import _sdm
from sdm.frontend.ir import Operation, Value


def to_module(function: Operation) -> _sdm.Module:
    """A verified module that holds the function; raises _sdm.DiagnosticError."""
    builder = _sdm.Builder()
    _Replay(builder).operation(function)
    return builder.finish()


class _Replay:
    def __init__(self, builder: _sdm.Builder):
        self.builder = builder
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
            self.values.update(zip(region.arguments, built.arguments(position)))
            self.builder.enter(built, position)
            for inner in region.operations:
                self.operation(inner)
            self.builder.leave()

    def location(self, frames: tuple) -> _sdm.Location:
        if frames not in self.locations:
            self.locations[frames] = self.builder.location(frames)
        return self.locations[frames]
