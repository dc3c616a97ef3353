"""Drawn calls of the mover, on the host and on lanes, and drawn sums and bags on the host, byte against byte with the references.

The same examples in every run of the tests; `make fuzz` draws many new ones, and prints what draws a failure again (`conftest.py`).
"""

from unittest import mock

import numpy as np
import pytest
from hypothesis import Phase, event, find, given, settings
from hypothesis import strategies as st

import sdm
import sdm.language as sl
from drawn import running
from drawn.cases import host_cases, lanes_cases, on_host, on_lanes
from drawn.places import ORDERS, Place, Placed, bits_of
from sdm.kernels import embedding_bag_backward, gds, segment_sum
from sdm.reference import bits
from sdm.reference import embedding_bag_backward as bag_reference
from sdm.reference import records, workloads
from sdm.reference import segment_sum as sum_reference

# Each part draws other examples; parts run side by side. With ten, a profile of 1000 examples makes 10000 calls of the mover.
PARTS = range(5)


@pytest.mark.parametrize("part", PARTS)
@given(case=lanes_cases, how=on_lanes)
def test_fuzz_gds_on_lanes(part, case, how):
    left_out = running.on_lanes(case, how)
    event(f"parts of the schedule that were left out: {left_out}")


@pytest.mark.parametrize("part", PARTS)
@given(case=host_cases, how=on_host)
def test_fuzz_gds_on_the_host(part, case, how):
    running.on_host(case, how)


@sdm.kernel
def two_roundings(reads: sl.Sorted[gds.Read], bank: sl.Rows | None, tokens: sl.Rows, grad: sl.Rows | None, d_q_w: sl.Cells | None):
    for group in reads:
        m = bank[group.slot]
        acc = sl.zeros(tokens.width)
        for read in group:
            x = tokens[group.chunk, read.token]
            acc = acc + read.scale * x
            d_q_w[group.chunk, read.token, read.lane] = sl.dot(x, m)
        grad[group.slot] += acc


@sdm.kernel
def without_nans(reads: sl.Sorted[gds.Read], bank: sl.Rows | None, tokens: sl.Rows, grad: sl.Rows | None, d_q_w: sl.Cells | None):
    for group in reads:
        m = bank[group.slot]
        acc = sl.zeros(tokens.width)
        for read in group:
            x = tokens[group.chunk, read.token]
            x = sl.where(x == x, x, 0.0)
            acc = sl.fma(read.scale, x, acc)
            d_q_w[group.chunk, read.token, read.lane] = sl.dot(x, m)
        grad[group.slot] += acc


@pytest.mark.parametrize("run, strategy", ((running.on_host, st.tuples(host_cases, on_host)), (running.on_lanes, st.tuples(lanes_cases, on_lanes))))
@pytest.mark.parametrize("kernel", (two_roundings, without_nans), ids=lambda kernel: kernel.name)
def test_a_wrong_mover_is_found(kernel, run, strategy):
    def differs(example) -> bool:
        try:
            run(*example)
        except AssertionError:
            return True
        return False

    with mock.patch.object(gds, "gds", kernel):
        find(strategy, differs, settings=settings(max_examples=100, phases=[Phase.generate]))


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_written_elsewhere_is_told(order):
    rng = np.random.default_rng(0)
    values = rng.standard_normal((1, 3, 5)).repeat(4, 0).astype(np.float32)
    placed = Placed(rng, values, Place(shift=1, pad=2, order=order))
    assert placed.view.ctypes.data % 64 % 8 == 4 or order == "reversed"
    assert placed.difference() == placed.difference(values) == ""
    other = values.copy()
    bits_of(other)[2, 1, 3] ^= 1
    assert "[2, 1, 3] is 0x" in placed.difference(other) or order == "repeated"
    if placed.untouched is not None:
        placed.raw[placed.start - 1] ^= 1
        assert placed.difference(values) == "byte -1 from its start was written"


WIDTHS = st.one_of(st.integers(1, 300), st.sampled_from([512, 1000, 1024]))
DTYPES = st.sampled_from(["float32", "bfloat16"])
SHARES = st.sampled_from([0.0, 0.05, 0.5, 1.0])


@pytest.mark.long
@given(
    n=st.integers(0, 300), groups=st.integers(1, 80), width=WIDTHS, dtype=DTYPES, invalid=SHARES, seed=st.integers(0, 1 << 30)
)
def test_fuzz_segment_sum(n, groups, width, dtype, invalid, seed):
    x, keys = workloads.segment_sum(n, groups, width, dtype, invalid=invalid, special=0.02, seed=seed)
    want = sum_reference.run(x, records.sort_records(keys, groups), np.zeros((groups, width), x.dtype))
    assert bits.same_bits(segment_sum.sum_segments(x, keys, groups), want)


@pytest.mark.long
@given(n=st.integers(1, 300), rows=st.integers(1, 60), width=WIDTHS, dtype=DTYPES, seed=st.integers(0, 1 << 30))
def test_fuzz_embedding_bag_backward(n, rows, width, dtype, seed):
    keys, bag, weight, grad, table = workloads.embedding_bag(n, max(1, n // 5), rows, width, dtype, special=0.02, seed=seed)
    uses = bag_reference.sort_uses(keys, bag, rows, weight)
    want = bag_reference.run(grad, uses, np.zeros_like(table), table, np.empty(n, np.float32))
    got = embedding_bag_backward.backward(grad, keys, num_rows=rows, bags=bag, weights=weight, table=table)
    assert bits.same_bits(got[0], want[0])
    assert bits.same_bits(got[1], want[1])
