"""This project's mover for a benchmark that gives torch tensors and asks for a step function.

A workload is a dict: case (with C, P, T), bank, grad, dy, spay, rec, d_q_w. A step marked `first` has no predecessor that launched for
it, so it starts plainly; all others may start before the one in front is done.
"""

from sdm.kernels import gds


def make_step(workload, schedule=()):
    """`step(ti, first=False)`: launches step ti of the workload on torch's current stream. schedule: as `make_gds` takes it."""
    case = workload["case"]
    launch = gds.make_gds(
        workload["bank"], workload["grad"], workload["dy"], workload["spay"], workload["rec"], workload["d_q_w"],
        chunk_size=case.C, num_parallel=case.P, steps=case.T, schedule=schedule,
    )  # fmt: skip
    pdl = launch.pdl_capable

    def step(ti, first=False):
        launch(ti, pdl=pdl and not first)

    step.geom = launch.geom
    return step
