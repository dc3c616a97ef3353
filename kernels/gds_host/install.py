"""The mover inside the published package `sparse_delta_memory`: its `make_gds` replaced, and put back."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import threading

from sdm.errors import CompilerError, OperandError
from sdm.frontend.errors import CompileError
from sdm.kernels.gds_host import mover

PACKAGE, DISTRIBUTION, VERSION = "sparse_delta_memory", "sparse-delta-memory", "2.0.0"
# Its backward looks `make_gds` up there at each call.
MODULE = f"{PACKAGE}.cuda.gx_gds_cuda"
_guard = threading.Lock()
_installed: dict = {}  # the package's module: our function in it


def install() -> None:
    """Puts this project's `make_gds` in the place of the package's own, from its next backward on; once is enough.

    What it replaced is kept and called, with the same arguments, for what this one declines. `LAST_POLICY` says who took the last call:
    impl "sdm"; or impl "replaced" and declined, why. Errors: RuntimeError when the package is not there or is another version.
    """
    module = _module()
    with _guard:
        if module not in _installed:
            _installed[module] = module.make_gds = _around(module, module.make_gds)


def uninstall() -> None:
    """Puts back what `install` replaced; nothing where nothing is installed. Errors: RuntimeError when someone else has replaced
    `make_gds` since."""
    with _guard:
        for module, ours in list(_installed.items()):
            if module.make_gds is not ours:
                raise RuntimeError(f"{MODULE}.make_gds: expected the function that install() put there, got {module.make_gds!r}")
            module.make_gds = ours.replaced
            del _installed[module]


def _module():
    """The package's module. Errors: RuntimeError, with what was expected and what is there."""
    try:
        package = importlib.import_module(PACKAGE)
    except ImportError as error:
        raise RuntimeError(f"{PACKAGE}: expected version {VERSION} to be importable, got {error}") from error
    version = getattr(package, "__version__", None) or _distributed()
    if version != VERSION:
        raise RuntimeError(f"{PACKAGE}: expected version {VERSION}, got {version or 'one that does not say its version'}")
    module = importlib.import_module(MODULE)
    if not callable(getattr(module, "make_gds", None)):
        raise RuntimeError(f"{MODULE}: expected a function make_gds, got none")
    return module


def _distributed() -> str | None:
    try:
        return importlib.metadata.version(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return None


def _around(module, replaced):
    """make_gds with the one that it replaces behind it."""
    from sdm import _sdm

    declines = (OperandError, CompileError, CompilerError, _sdm.CudaError)

    @functools.wraps(replaced)
    def make_gds(*arguments, **options):
        try:
            launch = mover.make_gds(*arguments, **options)
        except declines as error:
            launch = replaced(*arguments, **options)
            mover.LAST_POLICY.clear()
            mover.LAST_POLICY.update(impl="replaced", declined=str(error), geom=dict(getattr(launch, "geom", None) or {}))
            return launch
        # Who asks the package itself for its last decision gets ours.
        if isinstance(getattr(module, "LAST_POLICY", None), dict):
            module.LAST_POLICY.clear()
            module.LAST_POLICY.update(mover.LAST_POLICY)
        return launch

    make_gds.replaced = replaced
    return make_gds
