"""Times the mover under several schedules on one GPU, with the bits of each against the reference kernel.

Needs the timing program's folder on PYTHONPATH (`gds_bench`, `workloads`) and GDS_REFERENCE, as the comparison itself does.

  python bench/schedules.py --cases real-hd128,bf16-128-zipf --schedules "nest;unit=2;unit=4,warps=16"

An empty schedule is the rule's own. Exit status 1 when one bit differs or a schedule fails.
"""

import argparse
import statistics
import sys

import adapter_ours
import gds_bench
import torch
from workloads import CASES, build


def microseconds(step, case) -> float:
    graph, launches = gds_bench.graph_of(step, case.T)
    return statistics.median(gds_bench.replay_us(graph, launches, 7) for _ in range(2))


def outputs(step, w, start) -> tuple:
    """grad and d_q_w after all steps from the start."""
    w["grad"].copy_(start)
    w["d_q_w"].fill_(float("nan"))
    for ti in reversed(range(w["case"].T)):
        step(ti, first=True)
    torch.cuda.synchronize()
    return w["grad"].clone(), w["d_q_w"].clone()


def run_case(case, schedules, peak: float) -> bool:
    w = build(case)
    start = w["grad"].clone()
    reference = gds_bench.ref_step(w)
    want = outputs(reference, w, start)
    base = microseconds(reference, case)
    good = True
    for schedule in schedules:
        name = ",".join(schedule) or "default"
        try:
            step = adapter_ours.make_step(w, schedule)
            got = outputs(step, w, start)
            equal = all(torch.equal(gds_bench.bits(x), gds_bench.bits(y)) for x, y in zip(got, want))
            us = microseconds(step, case)
        except Exception as error:  # one schedule failing leaves the others their turn
            print(f"{case.name:15} {name:30} failed: {str(error)[:160]}", flush=True)
            good = False
            continue
        good &= equal
        share = w["bytes_per_step"] / us / 1e3 / peak
        print(f"{case.name:15} {name:30} {us:8.2f} us {base / us:5.2f}x {share:6.1%} {'bitwise' if equal else 'DIFFERENT'} "
              f"{step.geom['nw']} warps, tiles of {step.geom['ppw']}", flush=True)  # fmt: skip
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", required=True)
    parser.add_argument("--schedules", default="", help="schedules apart by ';', the parts of one by ','")
    chosen = parser.parse_args()
    schedules = [tuple(part for part in text.split(",") if part) for text in chosen.schedules.split(";")]
    peak = gds_bench.copy_bandwidth()
    good = True
    for case in CASES:
        if case.name in chosen.cases.split(","):
            good &= run_case(case, schedules, peak)
            torch.cuda.empty_cache()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
