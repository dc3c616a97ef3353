"""The workloads of `python -m sdm demo`: five kernels on captured and generated records, each with the reference's answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np

from sdm import record_lists


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Sizes of the generated workloads, and how many steps of the captured ones are run."""

    tokens: int = 32
    reads: int = 16
    chunks: int = 8
    steps: int = 8
    slots: int = 4096
    width: int = 128
    rows: int = 20_000
    keys: int = 3_000
    seed: int = 0


@dataclasses.dataclass(frozen=True)
class Job:
    """One kernel on one workload. `outputs`: the arrays that it writes, as they are before; `run(place, outputs)` starts it and
    returns a function that repeats it; `expected()`: the outputs by the reference; `bytes`: the fewest that must move."""

    kernel: str
    workload: str
    records: int
    groups: int
    bytes: int
    outputs: dict[str, np.ndarray]
    run: Callable
    expected: Callable[[], dict[str, np.ndarray]]


def jobs(sizes: Sizes) -> Iterator[Callable[[], Job]]:
    """Makers of all jobs, in the order in which they run; each builds its workload when it is called."""
    from sdm import data
    from sdm.reference import workloads

    for name in data.NAMES:
        yield lambda name=name: _gds(f"captured {name}", data.gds(name, steps=sizes.steps, rec=8, seed=sizes.seed))
    case = workloads.Case(
        "generated", sizes.width, sizes.tokens, sizes.reads, sizes.chunks, sizes.steps, sizes.slots, dist="zipf", invalid=0.05, seed=sizes.seed
    )
    yield lambda: _gds("generated zipf", workloads.gds(case))
    yield lambda: _segment_sum(sizes)
    yield lambda: _embedding_bag(sizes)
    yield lambda: _sddmm(sizes)
    yield lambda: _rms_norm(sizes)


def _gds(name: str, w) -> Job:
    from sdm.kernels import gds
    from sdm.reference import gds as reference

    N, n = w.spay.shape
    steps, chunk = N // w.num_parallel, w.dy.shape[1]

    def start(place, outputs):
        launch = gds.make_gds(
            place.put(w.bank), outputs["grad"], place.put(w.dy), place.put(w.spay), place.put(w.rec), outputs["d_q_w"],
            chunk_size=chunk, num_parallel=w.num_parallel, steps=steps,
        )  # fmt: skip

        def again():
            for ti in reversed(range(steps)):
                launch(ti)

        again()
        return again

    def expected():
        grad, dots = reference.run_steps(w.bank, w.grad, w.dy, w.records, w.num_parallel, d_q_w=w.d_q_w)
        return {"grad": grad, "d_q_w": dots}

    return Job("gds", name, N * n, w.num_groups, w.bytes_moved(), {"grad": w.grad, "d_q_w": w.d_q_w}, start, expected)


def _simple(kernel, place, outputs, *operands):
    """A kernel bound to operands where they belong; strings name outputs."""
    ready = []
    for operand in operands:
        if isinstance(operand, str):
            ready.append(outputs[operand])
        elif isinstance(operand, np.ndarray):
            ready.append(place.put(operand))
        elif isinstance(operand, record_lists.RecordList):
            ready.append(place.records(operand))
        else:
            ready.append(operand)
    bound = kernel.bind(*ready)

    def again():
        bound.launch()
        bound.done()

    again()
    return again


def _listed(record, listed) -> record_lists.RecordList:
    return record_lists.of("records", listed, record)


def _counts(listed) -> tuple[int, int]:
    """Records and valid groups of a sorted list."""
    return listed.key.size, int((np.asarray(listed.ordinal).max(initial=-1)) + 1)


def _segment_sum(sizes: Sizes) -> Job:
    import sdm
    from sdm.kernels import segment_sum as host
    from sdm.reference import records, segment_sum as reference, workloads

    x, keys = workloads.segment_sum(sizes.rows, sizes.keys, sizes.width, "bfloat16", invalid=0.05, seed=sizes.seed)
    out = np.zeros((sizes.keys, sizes.width), x.dtype)
    listed = sdm.sort(keys, num_keys=sizes.keys)
    items = _listed(host.Item, listed)
    return Job(
        "segment_sum", "generated", *_counts(listed), x.nbytes + out.nbytes + 16 * keys.size, {"out": out},
        lambda place, outputs: _simple(host.segment_sum, place, outputs, items, x, "out"),
        lambda: {"out": reference.run(x, records.sort_records(keys, sizes.keys), out)},
    )  # fmt: skip


def _embedding_bag(sizes: Sizes) -> Job:
    import sdm
    from sdm.kernels import embedding_bag_backward as host
    from sdm.reference import embedding_bag_backward as reference, workloads

    bags = max(1, sizes.rows // 8)
    keys, bag, weight, grad, table = workloads.embedding_bag(sizes.rows, bags, sizes.keys, sizes.width, seed=sizes.seed)
    before = {"d_table": np.zeros_like(table), "d_weight": np.zeros((1, sizes.rows), np.float32)}
    listed = sdm.sort(keys, num_keys=sizes.keys, valid=keys != 0, bag=bag.astype(np.int32), weight=weight)
    uses = _listed(host.Use, listed)

    def expected():
        sorted_uses = reference.sort_uses(keys, bag, sizes.keys, weight, padding_index=0)
        rows, weights = reference.run(grad, sorted_uses, before["d_table"], table, before["d_weight"][0])
        return {"d_table": rows, "d_weight": weights[None]}

    return Job(
        "embedding_bag_backward", "generated", *_counts(listed), grad.nbytes + 2 * table.nbytes + 24 * keys.size, before,
        lambda place, outputs: _simple(host.embedding_bag_backward, place, outputs, uses, grad, table, "d_table", "d_weight"),
        expected,
    )  # fmt: skip


def _sddmm(sizes: Sizes) -> Job:
    import sdm
    from sdm.kernels import sddmm as host
    from sdm.reference import sddmm as reference, workloads

    a, b, i, j = workloads.sddmm(sizes.rows, sizes.keys, sizes.keys, sizes.width, seed=sizes.seed)
    before = {"out": np.zeros((1, sizes.rows), np.float32)}
    listed = sdm.sort(i, num_keys=sizes.keys, column=j)
    entries = _listed(host.Entry, listed)
    return Job(
        "sddmm", "generated", *_counts(listed), a.nbytes + b.nbytes + 24 * i.size, before,
        lambda place, outputs: _simple(host.sddmm, place, outputs, entries, a, b, "out"),
        lambda: {"out": reference.run(a, b, i, j)[None]},
    )  # fmt: skip


def _rms_norm(sizes: Sizes) -> Job:
    from sdm.kernels import rms_norm as host
    from sdm.reference import rms_norm as reference, workloads

    x, weight = workloads.rms_norm(sizes.rows, sizes.width, seed=sizes.seed)
    before = {"y": np.zeros_like(x)}
    return Job(
        "rms_norm", "generated", sizes.rows, sizes.rows, 2 * x.nbytes, before,
        lambda place, outputs: _simple(host.rms_norm, place, outputs, x, weight[None], "y", 1e-6),
        lambda: {"y": reference.run(x, weight, 1e-6)},
    )  # fmt: skip
