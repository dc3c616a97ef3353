"""install and uninstall, on a package of the same names made here: its own make_gds only notes what it is asked for."""

import sys
import types

import numpy as np
import pytest

from sdm.kernels import gds
from sdm.reference import bits, workloads
from sdm.reference.workloads import Case
from test_gds_cpu import expected, run

PACKAGE = "sparse_delta_memory"


@pytest.fixture
def package(monkeypatch):
    """The faked package's module; what was installed is taken out at the end."""
    modules = {name: types.ModuleType(name) for name in (PACKAGE, f"{PACKAGE}.cuda", f"{PACKAGE}.cuda.gx_gds_cuda")}
    top, cuda, mover = modules.values()
    top.__version__, top.__path__, cuda.__path__ = "2.0.0", [], []
    mover.asked, mover.LAST_POLICY = [], {"impl": "theirs"}

    def make_gds(bank, *arguments, **options):
        """Theirs."""
        launch = lambda ti, pdl=False: None  # noqa: E731
        launch.geom = {"impl": "theirs"}
        mover.asked.append(bank)
        return launch

    mover.make_gds = mover.own = make_gds
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    yield mover
    gds.uninstall()


def call(module, w, case, grad, dots, **changes):
    given = dict(chunk_size=case.C, num_parallel=case.P, steps=case.T, q_idx=None, valid_tokens=None, tiles_q=None)
    bank = changes.pop("bank", w.bank)
    return module.make_gds(bank, grad, w.dy.reshape(-1, case.hd), w.spay, w.rec, dots, **{**given, **changes})


def test_in_and_out(package):
    case = Case(rec=8)
    w = workloads.gds(case)
    grad, dots = w.grad.copy(), w.d_q_w.copy()
    gds.install()
    gds.install()
    assert package.make_gds is not package.own and package.make_gds.__doc__ == "Theirs."
    run(call(package, w, case, grad, dots), case.T)
    assert bits.same_bits(dots, expected(w)[1]) and not package.asked
    assert gds.LAST_POLICY["impl"] == "sdm" and package.LAST_POLICY == gds.LAST_POLICY
    gds.uninstall()
    assert package.make_gds is package.own
    gds.uninstall()
    gds.install()
    assert package.make_gds is not package.own


def test_what_is_declined_goes_to_what_was_replaced(package):
    case = Case()
    w = workloads.gds(case)
    gds.install()
    bank = w.bank.astype(np.float16)
    launch = call(package, w, case, w.grad.copy(), w.d_q_w.copy(), bank=bank)
    assert len(package.asked) == 1 and package.asked[0] is bank
    assert launch.geom == {"impl": "theirs"}
    assert gds.LAST_POLICY["impl"] == "replaced" and gds.LAST_POLICY["geom"] == {"impl": "theirs"}
    assert gds.LAST_POLICY["declined"].startswith("bank: expected bf16 or f32 rows")
    call(package, w, case, w.grad.copy(), w.d_q_w.copy())
    assert gds.LAST_POLICY["impl"] == "sdm" and "declined" not in gds.LAST_POLICY


def test_other_versions(package, monkeypatch):
    monkeypatch.setattr(sys.modules[PACKAGE], "__version__", "2.1.0")
    with pytest.raises(RuntimeError, match=r"sparse_delta_memory: expected version 2\.0\.0, got 2\.1\.0"):
        gds.install()
    monkeypatch.delattr(sys.modules[PACKAGE], "__version__")
    with pytest.raises(RuntimeError, match="got one that does not say its version"):
        gds.install()
    assert package.make_gds is package.own


def test_no_package(monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    with pytest.raises(RuntimeError, match="sparse_delta_memory: expected version 2.0.0 to be importable"):
        gds.install()


def test_no_mover_in_it(package):
    del package.make_gds
    with pytest.raises(RuntimeError, match="expected a function make_gds, got none"):
        gds.install()
    package.make_gds = package.own


def test_replaced_again(package):
    gds.install()
    ours, theirs = package.make_gds, lambda: None
    package.make_gds = theirs
    with pytest.raises(RuntimeError, match="expected the function that install"):
        gds.uninstall()
    assert package.make_gds is theirs
    package.make_gds = ours
    gds.uninstall()
    assert package.make_gds is package.own
