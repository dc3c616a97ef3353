"""Small launches of the mover under every placement of its rows, and of a walk over whole rows; bits against the references.

Made for compute-sanitizer, which wants little work and every kind of access:
`compute-sanitizer --tool memcheck python test/gpu/placements.py` (and racecheck, synccheck, initcheck). Exit status 1 if one bit differs.
"""

import sys

import numpy as np

from sdm import device, record_lists
from sdm.bind import features_of
from sdm.kernels import gds, rms_norm
from sdm.reference import bits, gds as reference, rms_norm as norm_reference, workloads

SHAPES = ((128, "bfloat16", "bfloat16"), (130, "bfloat16", "float32"), (200, "float32", "float32"), (260, "bfloat16", "bfloat16"))
# On a chip that has bulk copies; rows in pieces of 16 bytes.
BULK_SHAPES = (SHAPES[0], SHAPES[2], (260, "float32", "float32"))
BULK = (("1=bulk_ring", "3=bulk_ring"), ("unit=2", "depth=3", "1=bulk_ring", "2=ring", "3=registers"), ("depth=1", "2=bulk_ring", "3=bulk_ring"))
SCHEDULES = ((), ("nest",), ("1=direct", "2=ring"), ("unit=2", "depth=3"), ("1=direct", "2=direct", "3=direct"),
             ("1=registers", "3=registers"), ("unit=2", "depth=3", "1=registers", "2=registers", "3=ring"))


def moved(hd: int, bank: str, grad: str, schedule: tuple[str, ...]) -> bool:
    """Whether one launch of the mover gives the reference's bits."""
    w = workloads.gds(workloads.Case(hd=hd, bank=bank, grad=grad, C=8, R=8, P=2, T=1, S=96, invalid=0.2))
    want = reference.run_steps(w.bank, w.grad, w.dy, w.records, 2)
    rows, dots = device.upload(w.grad), device.upload(np.zeros_like(w.d_q_w))
    reads = record_lists.bound(gds.QREC, device.upload(w.rec))
    bound = gds.gds.bind(reads, device.upload(w.bank), device.upload(w.dy), rows, dots, schedule=schedule)
    bound.launch()
    bound.done()
    return bits.same_bits(device.download(rows), want[0]) and bits.same_bits(device.download(dots), want[1])


def normed(width: int) -> bool:
    """Whether a walk over whole rows gives the reference's bits."""
    x, weight = workloads.rms_norm(40, width, "bfloat16")
    y = device.upload(np.zeros_like(x))
    rms_norm.rms_norm(device.upload(x), device.upload(weight[None]), y, 1e-5)
    return bits.same_bits(device.download(y), norm_reference.run(x, weight, 1e-5))


def main() -> int:
    runs = [(shape, schedule) for shape in SHAPES for schedule in SCHEDULES]
    if "bulk_copy" in features_of("cuda:0"):
        runs += [(shape, schedule) for shape in BULK_SHAPES for schedule in BULK]
    results = {f"gds {shape} {','.join(schedule) or 'default'}": moved(*shape, schedule) for shape, schedule in runs}
    results["rms_norm 300"] = normed(300)
    for name, equal in results.items():
        print(f"{name}: {'equal' if equal else 'DIFFERENT'}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
