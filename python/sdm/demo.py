"""What `python -m sdm demo` does with its jobs: runs them on the CPU and on every GPU, compares, times, writes PTX."""

from __future__ import annotations

import dataclasses
import time

import numpy as np

from sdm import record_lists
from sdm.demo_jobs import Job, Sizes, jobs
from sdm.reference import bits

__all__ = ["Device", "Host", "Job", "Result", "Sizes", "jobs", "places", "run", "write_ptx"]

ROUNDS = 3


class Host:
    """The CPU as a place to run: operands are the numpy arrays themselves."""

    name = "cpu"

    def put(self, array):
        return array

    def records(self, listed):
        return listed

    def fetch(self, operand):
        return operand

    def seconds(self, again) -> float:
        return min(_timed(again) for _ in range(ROUNDS))


class Device:
    """A GPU as a place to run: operands are copied there and back by the runtime, without any array library."""

    def __init__(self, index: int, target: str):
        self.index, self.name = index, target

    def put(self, array):
        from sdm import device

        return device.upload(array, self.index)

    def records(self, listed: record_lists.RecordList):
        return dataclasses.replace(listed, planes=tuple(self.put(plane) for plane in listed.planes))

    def fetch(self, operand):
        from sdm import device

        return device.download(operand)

    def seconds(self, again) -> float:
        from sdm import _sdm

        start, end = _sdm.cuda_event(self.index), _sdm.cuda_event(self.index)
        found = []
        for _ in range(ROUNDS):
            _sdm.cuda_record(self.index, start)
            again()
            _sdm.cuda_record(self.index, end)
            _sdm.cuda_synchronize(self.index)
            found.append(_sdm.cuda_elapsed_ms(self.index, start, end) / 1e3)
        return min(found)


def _timed(again) -> float:
    start = time.perf_counter()
    again()
    return time.perf_counter() - start


def places() -> list:
    """The CPU and every GPU that the compiler has a target for."""
    from sdm import _sdm
    from sdm.bind import target_of

    found: list = [Host()]
    if not _sdm.cuda_missing():
        for index in range(_sdm.device_count()):
            info = _sdm.device_info(index)
            if _sdm.nearest_chip(info["major"], info["minor"])[0]:
                found.append(Device(index, target_of(f"cuda:{index}")))
    return found


@dataclasses.dataclass(frozen=True)
class Result:
    """A job's run in one place."""

    job: Job
    place: str
    seconds: float
    equal: bool
    different: str


def run(job: Job, place, expected: dict[str, np.ndarray]) -> Result:
    """Runs a job once for its bits, then again for its time."""
    outputs = {name: place.put(array.copy()) for name, array in job.outputs.items()}
    again = job.run(place, outputs)
    got = {name: place.fetch(operand) for name, operand in outputs.items()}
    wrong = [name for name, array in got.items() if not bits.same_bits(np.asarray(array), expected[name])]
    return Result(job, place.name, place.seconds(again), not wrong, ", ".join(wrong))


def write_ptx(folder, targets=("sm_80", "sm_90")) -> list:
    """The mover's PTX for both kinds of chip, for rows of 128 columns; returns the files."""
    import pathlib

    from sdm.cli.compile import compiled
    from sdm.kernels.gds import gds

    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for target in targets:
        path = folder / f"gds.{target}.ptx"
        path.write_bytes(compiled(gds, target, "ptx", extents=("tokens:1:64",), early=("reads", "tokens")))
        files.append(path)
    return files
