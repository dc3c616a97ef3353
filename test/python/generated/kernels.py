"""A random program from a seed: operands first as they are wanted, then the walks that use them."""

from __future__ import annotations

import random

from generated import bodies, trees
from generated.program import Operand, Program, Sizes

WIDTHS = (1, 3, 5, 31, 64, 64, 100, 127, 128, 128, 128, 130, 132, 200, 256, 260, 300)
LENGTHS = (1, 2, 3, 7, 20, 33, 64, 64, 100, 150, 400)
SHAPES = ("uniform", "uniform", "repeat", "one", "unique", "hot")


def program(seed: int) -> Program:
    rng = random.Random(seed)
    chunks, n = rng.choice((1, 1, 2, 3)), rng.choice(LENGTHS)
    sizes = Sizes(chunks, n, rng.choice((1, 5, 17, 40)), rng.randint(1, 9), rng.randint(1, 30), rng.choice((1, 9, 50)), rng.choice((1, 2, 5)))
    made = Program(
        seed,
        sizes,
        packed=rng.random() < 0.3,
        key=rng.choice(("i32", "i32", "i64")),
        shape=rng.choice(SHAPES),
        invalid=rng.choice((0.0, 0.0, 0.1, 0.1, 0.4, 1.0 if rng.random() < 0.3 else 0.2)),
        special=rng.choice((0.0, 0.02, 0.02, 0.2)),
        garbage=rng.random() < 0.4,
        apart=chunks > 1 and rng.random() < 0.3,
    )
    builder = bodies.Bodies(made, rng, rng.choice(WIDTHS) if rng.random() < 0.95 else 0)
    kind = rng.choice(("groups", "groups", "groups", "groups", "records", "rows"))
    builder.walk(kind)
    if not made.apart and rng.random() < 0.25:
        builder.walk(rng.choice(("groups", "records", "rows")))
    _drop_unused(made)
    return made


def _drop_unused(made: Program) -> None:
    used = {walk.over for walk in made.walks}

    def note(node: trees.Expr) -> None:
        used.add(node.value)
        for part in node.args:
            note(part)

    for statement in trees.statements(made.walks):
        for node in (getattr(statement, "value", None), getattr(statement, "condition", None), *getattr(statement, "indices", ())):
            if node is not None:
                note(node)
        used.add(getattr(statement, "target", None))
    made.operands = [operand for operand in made.operands if operand.name in used]


def operand(made: Program, rng: random.Random, kind: str, axes: tuple[str, ...], width: int, written: bool, dtype: str = "") -> Operand:
    dtype = dtype or rng.choice(("float32", "float32", "bfloat16", "bfloat16", "float16") if kind == "rows" else ("float32", "int32"))
    new = Operand(f"{'y' if written else 'x'}{len(made.operands)}", kind, dtype, axes, width if kind == "rows" else 0, written)
    if kind == "rows" and rng.random() < 0.2:
        new.shift, new.pad = rng.choice((1, 2, 3, 4)), rng.choice((0, 0, 1, 4))
    if rng.random() < 0.15:
        new.strides = rng.choice(("reversed", "swapped" if len(axes) > 1 else "reversed", "reversed" if written else "repeated"))
    made.operands.append(new)
    return new
