"""Random shapes, storage types, key distributions and values, host against reference; `make fuzz` draws new ones each time."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sdm.kernels import embedding_bag_backward, gds, segment_sum
from sdm.reference import bits
from sdm.reference import embedding_bag_backward as bag_reference
from sdm.reference import gds as gds_reference
from sdm.reference import records, workloads
from sdm.reference import segment_sum as sum_reference

pytestmark = pytest.mark.long

WIDTHS = st.one_of(st.integers(1, 300), st.sampled_from([512, 1000, 1024]))
DTYPES = st.sampled_from(["float32", "bfloat16"])
SHARES = st.sampled_from([0.0, 0.05, 0.5, 1.0])
slow = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

CASES = st.builds(
    workloads.Case,
    hd=WIDTHS,
    C=st.sampled_from([1, 3, 16, 64]),
    R=st.integers(1, 40),
    P=st.integers(1, 3),
    T=st.integers(1, 3),
    S=st.just(64 * 40),  # enough for chunks without a repeated slot
    bank=DTYPES,
    grad=DTYPES,
    rec=st.sampled_from([8, 16]),
    dist=st.sampled_from(workloads.DISTRIBUTIONS),
    invalid=SHARES,
    special=st.sampled_from([0.0, 0.05]),
    noise=st.booleans(),
    seed=st.integers(0, 1 << 30),
).filter(lambda case: case.bank == "bfloat16" or case.grad == "float32")  # the pairs that the mover takes


@slow
@given(CASES)
def test_fuzz_gds(case):
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    launch = gds.make_gds(
        w.bank, grad, w.dy.reshape(-1, case.hd), w.spay, w.rec, dots, chunk_size=case.C, num_parallel=case.P, steps=case.T
    )
    for step in reversed(range(case.T)):
        launch(step)
    want = gds_reference.run_steps(w.bank, w.grad, w.dy, w.records, w.num_parallel, d_q_w=w.d_q_w)
    assert bits.same_bits(grad, want[0])
    assert bits.same_bits(dots, want[1])


@slow
@given(
    n=st.integers(0, 300), groups=st.integers(1, 80), width=WIDTHS, dtype=DTYPES, invalid=SHARES, seed=st.integers(0, 1 << 30)
)
def test_fuzz_segment_sum(n, groups, width, dtype, invalid, seed):
    x, keys = workloads.segment_sum(n, groups, width, dtype, invalid=invalid, special=0.02, seed=seed)
    want = sum_reference.run(x, records.sort_records(keys, groups), np.zeros((groups, width), x.dtype))
    assert bits.same_bits(segment_sum.sum_segments(x, keys, groups), want)


@slow
@given(n=st.integers(1, 300), rows=st.integers(1, 60), width=WIDTHS, dtype=DTYPES, seed=st.integers(0, 1 << 30))
def test_fuzz_embedding_bag_backward(n, rows, width, dtype, seed):
    keys, bag, weight, grad, table = workloads.embedding_bag(n, max(1, n // 5), rows, width, dtype, special=0.02, seed=seed)
    uses = bag_reference.sort_uses(keys, bag, rows, weight)
    want = bag_reference.run(grad, uses, np.zeros_like(table), table, np.empty(n, np.float32))
    got = embedding_bag_backward.backward(grad, keys, num_rows=rows, bags=bag, weights=weight, table=table)
    assert bits.same_bits(got[0], want[0])
    assert bits.same_bits(got[1], want[1])
