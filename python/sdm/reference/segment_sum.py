"""Sum of rows by segment: out[key] = the rows of the key's members, added in sorted order from +0, rounded once."""

import numpy as np

from . import bits, groups


def run(x, records, out, chunks=None, row=None):
    """Returns a new out, storage rows [keys, width]; rows of keys without records keep their value.

    x: rows [n, width] (one chunk) or [N, n, width], taken at member.index, or at the field named `row`. records: RecordArrays from
    `sort_records`. chunks: a range, whose groups have distinct keys. Errors: widths that differ.
    """
    x = x[None] if x.ndim == 2 else x
    if x.shape[-1] != out.shape[-1]:
        raise ValueError(f"expected out rows of {x.shape[-1]} columns, got {out.shape[-1]}")
    where = (records.index if row is None else records.fields[row]).reshape(-1)
    out = out.copy()

    def add(acc, at):
        with np.errstate(all="ignore"):
            return acc + bits.to_f32(x[at // records.shape[1], where[at]])

    found = groups.of(records, chunks)
    for which, acc in groups.fold(found, x.shape[-1], add):
        out[found.key[which]] = bits.store(acc, out.dtype)
    return out
