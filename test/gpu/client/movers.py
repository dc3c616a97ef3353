"""The two movers in the package, taken in turns; what each of them was asked for is written down."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import time

# How a run makes the package drive the mover: from its loop in C++; from its loop in Python with records as a tensor; with records that
# are made step by step on another stream.
PLAN, LAUNCH, PROVIDER = "plan", "launch", "provider"


@dataclasses.dataclass
class Call:
    """One call of make_gds: the operands that it writes, who took it, how it was driven, host time of making and planning in us."""

    operands: dict
    policy: dict = dataclasses.field(default_factory=dict)
    records: str = ""
    planned: int = 0
    launched: int = 0
    finished: int = 0
    microseconds: float = 0.0

    @property
    def path(self) -> str:
        if self.planned and self.finished and not self.launched:
            return PLAN
        if not self.launched or self.finished:
            return f"neither (plans {self.planned}, launches {self.launched}, done {self.finished})"
        return PROVIDER if self.records == PROVIDER else LAUNCH


def module():
    from sparse_delta_memory.cuda import gx_gds_cuda

    return gx_gds_cuda


@contextlib.contextmanager
def using(ours: bool, path: str = PLAN):
    """A list of the calls of make_gds while the package runs with our mover, or with its own, along one path."""
    from sdm.kernels import gds

    calls: list[Call] = []
    if ours:
        gds.install()
    replaced = module().make_gds
    module().make_gds = _noted(replaced, ours, path, calls)
    try:
        with _provided() if path == PROVIDER else contextlib.nullcontext():
            yield calls
    finally:
        module().make_gds = replaced
        if ours:
            gds.uninstall()


@contextlib.contextmanager
def _provided():
    """The package makes its read records itself, one event a step, as it does where its first phase made none."""
    from sparse_delta_memory import movers as package_movers

    read_records = package_movers.read_records
    package_movers.read_records = lambda phase: None
    try:
        yield
    finally:
        package_movers.read_records = read_records


def _noted(make_gds, ours: bool, path: str, calls: list[Call]):
    from sdm.kernels import gds

    @functools.wraps(make_gds)
    def noting(bank, grad_bank, grad_readings, spay_q, qrec, d_q_w, **options):
        call = Call(dict(grad_bank=grad_bank, d_q_w=d_q_w, words=spay_q))
        start = time.perf_counter()
        launch = make_gds(bank, grad_bank, grad_readings, spay_q, qrec, d_q_w, **options)
        call.microseconds += (time.perf_counter() - start) * 1e6
        call.policy = dict(gds.LAST_POLICY if ours else module().LAST_POLICY)
        call.records = PROVIDER if hasattr(qrec, "get") and getattr(qrec, "events", None) is not None else "tensor"
        calls.append(call)
        return _counted(launch, call, path)

    return noting


def _counted(launch, call: Call, path: str):
    """The launcher with its calls counted; without a plan where the loop in Python is wanted."""

    def counted(ti, **options):
        call.launched += 1
        return launch(ti, **options)

    def plan(nsteps, **options):
        start = time.perf_counter()
        found = launch.plan(nsteps, **options)
        call.microseconds += (time.perf_counter() - start) * 1e6
        call.planned += found is not None
        return found

    def done():
        call.finished += 1
        launch.done()

    # Not every launcher of the package has all of them.
    for name in ("geom", "pdl_capable", "join"):
        if hasattr(launch, name):
            setattr(counted, name, getattr(launch, name))
    if path != LAUNCH and hasattr(launch, "plan"):
        counted.plan, counted.done = plan, done
    return counted


def faults(calls: list[Call], ours: bool, path: str) -> list[str]:
    """Why a run did not go as asked; nothing where it did."""
    if not calls:
        return ["make_gds was not called"]
    found = []
    for call in calls:
        who = call.policy.get("impl")
        if ours and who != "sdm":
            found.append(f"our mover was not used: impl {who!r}, {call.policy.get('declined', 'no reason given')}")
        if not ours and who not in ("gx", "da2"):
            found.append(f"the package's mover was not used: impl {who!r}")
        if call.path != path:
            found.append(f"expected the {path} path, got {call.path}")
    return sorted(set(found))


def use_matrix_kernel() -> None:
    """Before release 2.13 torch does not tell the sizes of cuBLAS's workspaces, and without them the package leaves a kernel of its step
    loop to cuBLAS. It compares that kernel's bits with cuBLAS's before it takes it, so any numbers will do."""
    import torch

    for name in ("_cuda_getCublasWorkspaceSize", "_cuda_getCublasLtWorkspaceSize"):
        if not hasattr(torch._C, name):
            setattr(torch._C, name, lambda: 0)
