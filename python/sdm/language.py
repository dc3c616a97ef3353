"""The names that a kernel is written in: `import sdm.language as sl`.

Every function here is a name for the front end (`sdm/frontend/surface.py` gives its meaning); called by
Python itself it raises OutsideKernelError. Rows are f32 vectors of `width` columns whatever their storage.
"""

from __future__ import annotations

import functools

from sdm.dtypes import DType, OutsideKernelError, bf16, f16, f32, fp8, i32, i64, int4
from sdm.records import Layout, Record, arrays, at, bits, packed

__all__ = [
    "Record", "Sorted", "Rows", "Cells", "constexpr", "Layout", "packed", "arrays", "at", "bits",
    "DType", "f32", "bf16", "f16", "fp8", "int4", "i32", "i64",
    "zeros", "full", "fma", "sqrt", "abs", "minimum", "maximum", "where", "round_to",
    "dot", "sum", "max", "min", "amax",
    "rows", "records", "static_range", "static_assert", "copy_row",
]  # fmt: skip


class SortedOf:
    """`sl.Sorted[Read]`: a parameter that takes lists of records of type `Read`."""

    def __init__(self, record: type[Record]):
        self.record = record

    def __or__(self, other):
        return NotImplemented  # records are never absent


class Sorted:
    """Annotation of record lists [chunks, n], sorted by key: `reads: sl.Sorted[Read]`.

    `for group in reads`, then `for read in group`. A group has its key (`group.key` or the key's own name), `index` (which
    group of its chunk), `size` (members), `chunk` (which list), `pos` (its first sorted position) and `valid`. A member has its fields,
    `key`, `index` (its place in the unsorted list), `chunk`, `pos` and `valid`. An invalid record is a group of one: its loads are zeros,
    what its group stores is dropped, what it stores itself is +0.
    """

    def __class_getitem__(cls, record):
        if not (isinstance(record, type) and issubclass(record, Record)):
            raise TypeError(f"sl.Sorted[...] takes a subclass of sl.Record, got {record!r}")
        return SortedOf(record)


class Rows:
    """Annotation of an array whose last axis is a row: f32, bf16 or f16, any rank from 2; or of quantized rows (`sdm.quantized`).

    `x[i, j]` is a row in f32; `x.width` its columns, `x.shape`, `x.dtype`. Quantized rows are decoded where they are read, and a row that
    is stored is encoded: payload and scale.
    """


class Cells:
    """Annotation of an array of scalars: f32, i32 or i64, any rank; `x[i, j]` is one scalar."""


class constexpr:
    """Annotation of a value known when the kernel is compiled (a number, a bool, None)."""


def surface(function):
    """Keeps name, signature and docstring; the body is the front end's."""

    @functools.wraps(function)
    def outside(*arguments, **keywords):
        raise OutsideKernelError(function.__name__)

    return outside


@surface
def zeros(width):
    """A row of `width` columns of +0; `width` is constexpr, usually `x.width`."""


@surface
def full(width, value):
    """A row of `width` columns (constexpr) that all hold the scalar `value`."""


@surface
def fma(a, b, c):
    """a * b + c with one rounding; rows of one width and scalars, which are spread over the row."""


@surface
def sqrt(x):
    """The correctly rounded square root of a row or an f32 scalar."""


@surface
def abs(x):
    """The absolute value of a row or a scalar (an integer wraps)."""


@surface
def minimum(a, b):
    """The smaller of a and b, column by column: NaN propagates, -0 < +0 (IEEE 754-2019 minimum)."""


@surface
def maximum(a, b):
    """The larger of a and b, column by column: NaN propagates, -0 < +0 (IEEE 754-2019 maximum)."""


@surface
def where(condition, a, b):
    """a where the condition (a comparison of rows or scalars) holds, else b; both are evaluated."""


@surface
def round_to(x, dtype):
    """A row or an f32 scalar as `dtype` (sl.bf16 or sl.f16, to nearest even; sl.f32: unchanged) would store it, in f32 again."""


@surface
def dot(x, m):
    """The inner product of two rows of one width: an f32 scalar, by the fixed tree of the contract."""


@surface
def sum(x):
    """The sum of a row's columns: an f32 scalar, by the fixed tree of the contract."""


@surface
def max(x):
    """The largest column of a row (NaN propagates): an f32 scalar."""


@surface
def min(x):
    """The smallest column of a row (NaN propagates): an f32 scalar."""


@surface
def amax(x):
    """The largest absolute value of a row's columns, from +0, NaN ignored: an f32 scalar."""


@surface
def rows(x):
    """`for row in sl.rows(x)`: the indices of the rows of a rank-2 `sl.Rows`; no order, no carried values."""


@surface
def records(reads):
    """`for record in sl.records(reads)`: every record, without groups; no order, no carried values."""


@surface
def static_range(start, stop=None, step=1):
    """`for i in sl.static_range(n)`: unrolled when compiled; `i` is constexpr."""


@surface
def static_assert(condition, message=""):
    """Fails to compile, with the message, unless the constexpr condition holds."""


@surface
def copy_row(row):
    """The stored bits of a row that was just loaded, for a store to an operand of the same type."""
