"""Backward of an embedding bag of mode "sum": gradients of the table's rows and, where wanted, of the weights.

Per valid group (key): acc = 0; acc = fma(weight, f32(grad_out[bag]), acc) over the members in sorted order; d_table[key] = round(acc).
Per record: d_weight[index] = dot(f32(grad_out[bag]), f32(table[key])), +0 where the record is invalid.
"""

import numpy as np

from . import bits, groups, reduce, records


def sort_uses(keys, bag, num_keys, weight=None, padding_index=None):
    """RecordArrays (fields bag, weight) of unsorted uses: keys [n] of the table, the bag [n] that each belongs to, weight f32 [n] (1.0
    where None). Uses of padding_index, and of keys outside the table, are invalid."""
    weight = np.ones(np.shape(keys), np.float32) if weight is None else weight
    valid = None if padding_index is None else np.asarray(keys) != padding_index
    return records.sort_records(keys, num_keys, valid, bag=bag, weight=np.asarray(weight, np.float32))


def run(grad_out, uses, d_table=None, table=None, d_weight=None):
    """Returns new arrays (d_table, d_weight).

    grad_out: rows [bags, width]. uses: RecordArrays of one chunk, from `sort_uses`. d_table: rows [keys, width], whose unused rows keep
    their value; None: no such output. table: rows [keys, width], needed for d_weight: f32 [n]; None: no such output.
    Errors: d_weight without a table, more than one chunk.
    """
    if uses.shape[0] != 1:
        raise ValueError(f"expected one chunk, got {uses.shape[0]}")
    if d_weight is not None and table is None:
        raise ValueError("expected a table (d_weight is a dot with its rows), got None")
    bag, weight, key, index = (a.reshape(-1) for a in (uses.fields["bag"], uses.fields["weight"], uses.key, uses.index))
    width = grad_out.shape[-1]
    rows = lambda at: bits.to_f32(grad_out[bag[at]])  # noqa: E731
    if d_table is not None:
        d_table, found = d_table.copy(), groups.of(uses)
        for which, acc in groups.fold(found, width, lambda acc, at: bits.fma(weight[at][:, None], rows(at), acc)):
            d_table[found.key[which]] = bits.store(acc, d_table.dtype)
    if d_weight is not None:
        d_weight = d_weight.copy()
        for at in groups.valid_positions(uses, None, width):
            d_weight[index[at]] = bits.store(reduce.dot(rows(at), bits.to_f32(table[key[at]])), bits.F32)
        d_weight[index[groups.invalid_positions(uses, None)]] = 0.0
    return d_table, d_weight
