"""Times without the host: the package's step loop in a CUDA graph of its own, and the backward graphs that the package captures."""

from __future__ import annotations

import contextlib
import statistics
import sys

REPLAYS = 20


class Loop:
    """The step loop of one backward as a graph; it holds what the loop reads and writes. own_product: its matrix product is a kernel of
    the package's."""

    def __init__(self, run, arguments, options, held):
        import torch

        self.held = (arguments, options, held)
        self.own_product = arguments[1] is not None
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, capture_error_mode="thread_local"):
            run(*arguments, **options)


@contextlib.contextmanager
def loops():
    """A list of the step loops in C++ that run meanwhile, each captured behind its own run (replays write over its results)."""
    from sparse_delta_memory.cuda import bwd_steps_cuda as package

    run, found = package.run, []

    def captured(*arguments, **options):
        run(*arguments, **options)
        # Plans hold bare addresses: the tensors are locals of the two callers.
        held = (dict(sys._getframe(1).f_locals), dict(sys._getframe(2).f_locals))
        found.append(Loop(run, arguments, options, held))

    package.run = captured
    try:
        yield found
    finally:
        package.run = run


def replay_us(graph) -> float:
    """Microseconds of one replay, over replays in a row."""
    import torch

    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(REPLAYS):
        graph.replay()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e3 / REPLAYS


def in_turns(graphs: dict, rounds: int) -> tuple[dict, float]:
    """({name: median microseconds}, median of the first's time over the second's, round by round)."""
    times: dict = {name: [] for name in graphs}
    for graph in graphs.values():
        replay_us(graph)
    for _ in range(rounds):
        for name, graph in graphs.items():
            times[name].append(replay_us(graph))
    first, second = times.values()
    return {name: statistics.median(all_of_it) for name, all_of_it in times.items()}, statistics.median(a / b for a, b in zip(first, second))
