"""The program while it is being read: operations, blocks and values as plain Python objects.

The front end builds this tree first because it must look back: a loop is read again when a carried
value turns out absent, two branches are compared, dead operations go (`prune.py`). `emit.py` hands it to MLIR.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(eq=False)
class Value:
    """One SSA value and its MLIR type."""

    type: str


@dataclass(eq=False)
class Block:
    """The one block of a region; the last operation is its terminator."""

    arguments: list[Value] = field(default_factory=list)
    operations: list["Operation"] = field(default_factory=list)


@dataclass(eq=False)
class Operation:
    """`location` is a tuple of (file, line, column), innermost first; attributes are name -> text (empty: a unit attribute)."""

    name: str
    operands: list[Value]
    results: list[Value]
    attributes: dict[str, str]
    regions: list[Block]
    location: tuple

    @property
    def stores(self) -> bool:
        return self.name.startswith("sdm.store")


def holds(blocks: list[Block], prefix: str) -> bool:
    """True when an operation whose name starts with `prefix` lies anywhere in the blocks."""
    return any(
        operation.name.startswith(prefix) or holds(operation.regions, prefix)
        for block in blocks
        for operation in block.operations
    )
