"""The other kernels' references against scalar loops over exact rationals."""

import numpy as np
import pytest

import exact_float32 as exact
from sdm.reference import bits, embedding_bag_backward, records, rms_norm, sddmm, segment_sum, workloads


def f32_words(rows):
    return bits.words(bits.to_f32(rows)).tolist()


def stored(words, dtype):
    name = bits.dtype(dtype).name
    return np.array([exact.convert(w, name) for w in words], f"u{bits.dtype(dtype).itemsize}").tolist()


@pytest.mark.parametrize("special", [0.0, 0.1])
@pytest.mark.parametrize("x_type, out_type", [("float32", "float32"), ("bfloat16", "bfloat16"), ("float16", "float32")])
def test_segment_sum(special, x_type, out_type):
    x, keys = workloads.segment_sum(40, 9, 6, x_type, invalid=0.2, special=special)
    out = np.full((9, 6), 7, bits.dtype(out_type))
    want, rows = bits.words(out).tolist(), f32_words(x)
    for k in sorted(set(keys.tolist()) & set(range(9))):
        acc = [0] * 6
        for i in np.flatnonzero(keys == k):
            acc = [exact.add(a, b) for a, b in zip(acc, rows[i], strict=True)]
        want[k] = stored(acc, out_type)
    got = segment_sum.run(x, records.sort_records(keys, 9), out)
    assert bits.words(got).tolist() == want


def test_segment_sum_by_chunks_and_by_a_field():
    rng = np.random.default_rng(0)
    x, keys = rng.standard_normal((2, 10, 5), np.float32), rng.integers(0, 3, (2, 10)) + np.array([[0], [3]])
    out = segment_sum.run(x, records.sort_records(keys, 6), np.zeros((6, 5), np.float32))
    for c in (0, 1):
        one = segment_sum.run(x[c], records.sort_records(keys[c], 6), np.zeros((6, 5), np.float32))
        assert bits.same_bits(out[3 * c : 3 * c + 3], one[3 * c : 3 * c + 3])
    where = rng.permutation(10)
    named = records.sort_records(keys[0], 6, row=where)
    got = segment_sum.run(x[0], named, np.zeros((6, 5), np.float32), row="row")
    assert bits.same_bits(got, segment_sum.run(x[0][where], named, np.zeros((6, 5), np.float32)))


@pytest.mark.parametrize("special", [0.0, 0.1])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_embedding_bag_backward(special, dtype):
    keys, bag, weight, grad_out, table = workloads.embedding_bag(30, 5, 6, 7, dtype, special)
    keys[3] = 99  # outside the table
    g, t, w = f32_words(grad_out), f32_words(table), bits.words(weight).tolist()
    d_table, d_weight = np.zeros_like(table), np.full(30, 5, np.float32)
    want_table, want_weight = bits.words(d_table).tolist(), [0] * 30
    for k in range(6):
        if k == 2:
            continue
        acc = [0] * 7
        for i in np.flatnonzero(keys == k).tolist():
            acc = [exact.fma(w[i], a, b) for a, b in zip(g[bag[i]], acc, strict=True)]
            want_weight[i] = exact.dot(g[bag[i]], t[k])
        want_table[k] = stored(acc, dtype) if (keys == k).any() else want_table[k]
    uses = embedding_bag_backward.sort_uses(keys, bag, 6, weight, padding_index=2)
    got = embedding_bag_backward.run(grad_out, uses, d_table, table, d_weight)
    assert bits.words(got[0]).tolist() == want_table
    assert bits.words(got[1]).tolist() == want_weight


def test_embedding_bag_backward_without_weights_and_outputs():
    keys, bag, _, grad_out, table = workloads.embedding_bag(30, 5, 6, 7, "float32")
    uses = embedding_bag_backward.sort_uses(keys, bag, 6)
    d_table, d_weight = embedding_bag_backward.run(grad_out, uses, np.zeros_like(table))
    by_segment = segment_sum.run(grad_out, uses, np.zeros_like(table), row="bag")
    assert d_weight is None and bits.same_bits(d_table, by_segment)
    assert embedding_bag_backward.run(grad_out, uses) == (None, None)
    with pytest.raises(ValueError, match="expected a table"):
        embedding_bag_backward.run(grad_out, uses, d_weight=np.zeros(30, np.float32))


@pytest.mark.parametrize("width", [5, 130])
def test_sddmm(width):
    a, b, i, j = workloads.sddmm(12, 4, 5, width, special=0.02)
    x, y = f32_words(a), f32_words(b)
    want = [exact.dot(x[p], y[q]) for p, q in zip(i.tolist(), j.tolist(), strict=True)]
    assert bits.words(sddmm.run(a, b, i, j)).tolist() == want
    valid = np.arange(12) % 3 > 0
    masked = bits.words(sddmm.run(a, b, i, j, valid)).tolist()
    assert masked == [w if v else 0 for w, v in zip(want, valid, strict=True)]
    index = np.random.default_rng(1).permutation(12)
    placed = sddmm.run(a, b, i, j, out=np.zeros(12, np.float32), index=index)
    assert bits.words(placed[index]).tolist() == want


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("width", [6, 132])
def test_rms_norm(dtype, width):
    x, weight = workloads.rms_norm(4, width, dtype)
    got = rms_norm.run(x, weight, 1e-6)
    value = bits.to_f32(x)
    for row, y in zip(value, got, strict=True):
        square = np.array([exact.dot(bits.words(row).tolist(), bits.words(row).tolist())], np.uint32).view(np.float32)[0]
        r = np.float32(1) / np.sqrt(square / np.float32(width) + np.float32(1e-6))
        columns = zip(bits.words(row).tolist(), bits.words(weight).tolist(), strict=True)
        words = [exact.mul(exact.mul(a, exact.word(float(r))), b) for a, b in columns]
        assert bits.words(y).tolist() == stored(words, dtype)
    exact_y = value / np.sqrt((value.astype(np.float64) ** 2).mean(1, keepdims=True) + 1e-6) * weight
    assert np.allclose(bits.to_f32(got), exact_y, rtol=1e-6 if dtype == "float32" else 1e-2)


def test_sorted_records():
    r = records.sort_records([4, 1, 4, -1, 1, 9], 8, valid=[1, 1, 1, 1, 0, 1], tag=np.arange(6) * 10)
    assert r.index.tolist() == [[1, 0, 2, 3, 4, 5]]
    assert r.key.tolist() == [[1, 4, 4, 0, 0, 0]]
    assert r.ordinal.tolist() == [[0, 1, 1, -1, -1, -1]]
    assert r.first.tolist() == [[True, True, False, True, True, True]]
    assert r.last.tolist() == [[True, False, True, True, True, True]]
    assert r.fields["tag"].tolist() == [[10, 0, 20, 30, 40, 50]]
