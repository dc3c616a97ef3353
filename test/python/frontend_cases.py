"""Kernels as text for the front end's tests: «» mark the characters that an error must point at."""

from __future__ import annotations

import importlib.util
import itertools
import textwrap
from dataclasses import dataclass

from sdm import CompileError

PRELUDE = '''\
import math

import sdm
import sdm.language as sl

SCALE = 0.5
ITEMS = [1, 2]


class Read(sl.Record, key="slot", unique=("token", "lane")):
    slot: sl.i32
    token: sl.i32
    lane: sl.i32
    scale: sl.f32 = 1.0


class Other(sl.Record, key="slot"):
    slot: sl.i32


PACKED = sl.packed(
    Read, (16,), slot=sl.at(4), token=sl.bits(9, 16), lane=sl.bits(0, 7), scale=sl.at(8),
    first=sl.bits(31, 31), last=sl.bits(30, 30), invalid=sl.bits(17, 17),
)
SORTED = sl.arrays(Read)


def plain(x):
    return x


'''

KERNEL = '''\
@sdm.kernel
def k(reads: sl.Sorted[Read], x: sl.Rows, y: sl.Rows, c: sl.Cells, i: sl.Cells, g: sl.Rows | None, n: sl.i32, eps: sl.f32):
    for group in reads:
        row = x[group.slot]
'''

SPEC = {"x": "rows:f32:128", "y": "rows:f32:64", "c": "cells:f32:2", "i": "cells:i32:2", "g": "none", "n": "i32", "eps": "f32"}

_count = itertools.count()


def load(directory, text: str):
    """Writes the text to a file and imports it."""
    path = directory / f"case_{next(_count)}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_group(body: str) -> str:
    """A whole kernel from statements of a group's body."""
    return KERNEL + textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8) + "\n"


@dataclass
class Marked:
    """Text without its marks, and where they were: line from 1, column from 1, the marked characters."""

    text: str
    line: int
    column: int
    token: str


def unmarked(text: str) -> Marked:
    start = text.index("«")
    token = text[start + 1 : text.index("»")]
    line = text[:start].count("\n") + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    return Marked(text.replace("«", "").replace("»", ""), line, column, token)


def rejected(directory, text: str, spec: dict | None = None) -> tuple[CompileError, Marked]:
    """The error that building `k` of the marked text gives."""
    marked = unmarked(PRELUDE + text)
    module = load(directory, marked.text)
    operands = {"reads": module.PACKED, **SPEC} if spec is None else spec
    operands = {name: vars(module).get(value, value) if isinstance(value, str) else value for name, value in operands.items()}
    try:
        module.k.build(operands)
    except CompileError as error:
        return error, marked
    raise AssertionError("the kernel was accepted")


def accepted(directory, text: str, spec: dict | None = None):
    """The module that `k` becomes, before the gate: these programs need not have one writer."""
    from sdm.frontend.build import read
    from sdm.frontend.emit import to_module

    module = load(directory, PRELUDE + text)
    operands = {"reads": module.PACKED, **SPEC} if spec is None else spec
    operands = {name: vars(module).get(value, value) if isinstance(value, str) else value for name, value in operands.items()}
    return to_module(read(module.k, operands))
