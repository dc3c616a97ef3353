"""What test/gpu/client says of a run: who took make_gds and along which path, on a package of the same names made here."""

import pathlib
import sys

import pytest
import step_loop

from sdm.reference import workloads
from sdm.reference.workloads import Case
from test_install import call, package  # noqa: F401

CASE = Case(rec=8)


@pytest.fixture
def movers(monkeypatch):
    monkeypatch.syspath_prepend(pathlib.Path(__file__).parents[1] / "gpu" / "client")
    import movers

    yield movers
    del sys.modules["movers"]


def drive(launch):
    """A backward's step loop: the plan's where there is one."""
    plan = getattr(launch, "plan", None)
    recorded = plan(CASE.T, pdl=False) if plan else None
    if recorded is None:
        for ti in reversed(range(CASE.T)):
            launch(ti)
        return
    recorded, address, _ = recorded
    assert step_loop.in_python(recorded, address, CASE.T) == 0
    launch.done()


def ran(movers, package, path, **changes):
    """The calls of one run with our mover."""
    w = workloads.gds(CASE)
    with movers.using(True, path) as calls:
        drive(call(package, w, CASE, w.grad.copy(), w.d_q_w.copy(), **changes))
    return calls


@pytest.mark.parametrize("path", ("plan", "launch"))
def test_the_path_that_was_taken(movers, package, path):  # noqa: F811
    own = package.make_gds
    calls = ran(movers, package, path)
    assert package.make_gds is own and calls[0].policy["impl"] == "sdm" and calls[0].microseconds > 0
    assert not movers.faults(calls, True, path)
    other = {"plan": "launch", "launch": "plan"}[path]
    assert movers.faults(calls, True, other) == [f"expected the {other} path, got {path}"]
    assert "the package's mover was not used: impl 'sdm'" in movers.faults(calls, False, path)


def test_who_did_not_take_it(movers, package):  # noqa: F811
    assert movers.faults([], True, "plan") == ["make_gds was not called"]
    calls = ran(movers, package, "launch", chunk_size=7)
    assert movers.faults(calls, True, "launch")[0].startswith("our mover was not used: impl 'replaced', spay_q: expected chunks of")


def test_a_loop_that_was_not_finished(movers, package):  # noqa: F811
    w = workloads.gds(CASE)
    with movers.using(True) as calls:
        call(package, w, CASE, w.grad.copy(), w.d_q_w.copy()).plan(CASE.T, pdl=False)
    assert movers.faults(calls, True, "plan") == ["expected the plan path, got neither (plans 1, launches 0, done 0)"]
