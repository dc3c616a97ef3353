"""`@sdm.kernel` and `@sdm.function`: what the decorators make of a Python function."""

from __future__ import annotations

import functools
import hashlib
import types

from sdm.frontend.functions import Function


class Kernel(Function):
    """A kernel: read when it is first needed, so that importing a file of kernels costs nothing.

    `name`; `parameters` (what the annotations declare); `constants` (module-level numbers that it uses);
    `defaults` and `shapes` (operand types, and extents of their index axes, for compiling alone, see `kernels/gds.py`). Calling, `bind` and `warm` belong to `sdm.launch`.
    """

    is_kernel = True

    def __init__(self, function, defaults: dict[str, object] | None = None, shapes: dict[str, tuple[int, ...]] | None = None):
        super().__init__(function)
        self.name = function.__name__
        self.defaults = dict(defaults or {})
        self.shapes = dict(shapes or {})

    @functools.cached_property
    def parameters(self):
        """A tuple of `sdm.frontend.parameters.Parameter`; raises CompileError."""
        from sdm.frontend.parameters import read_parameters

        return read_parameters(self.function, self.source)

    @property
    def constants(self) -> dict[str, object]:
        """Constants from outside, of the kernel and of every helper that it reaches, by function and name."""
        from sdm.frontend.names import reach

        return {
            f"{part.function.function.__qualname__}.{name}": value
            for part in reach(self)
            for name, value in part.constants.items()
            if not name.startswith("=")
        }

    def fingerprint(self) -> str:
        """A digest of everything that the module depends on besides operand types: sources, and what stands behind their names."""
        from sdm.frontend.names import facts, reach

        reached = reach(self)
        digest = hashlib.sha256()
        for part in reached:
            # The file and line are part of it: locations are in the module.
            source = part.function.source
            digest.update(f"{source.file}:{source.first}\n{source.text}\n".encode())
        digest.update(facts(reached).encode())
        return digest.hexdigest()

    def build(self, spec: dict[str, object] | None = None):
        """The structured module for operand types (`defaults` where none are given): a verified `_sdm.Module`."""
        from sdm.frontend.build import build

        return build(self, self.defaults if spec is None else spec)

    def bind(self, *operands, **options):
        """Checks operands once and owns what launches share; `.launch(chunks=, stream=, pdl=)`, `.done()`."""
        from sdm import launch

        return launch.bind(self, *operands, **options)

    def warm(self, *operands, **options):
        """Compiles for these operands without running."""
        from sdm import launch

        return launch.warm(self, *operands, **options)

    def __call__(self, *operands, **options):
        """bind, launch of all chunks, done."""
        from sdm import launch

        return launch.call(self, *operands, **options)


def kernel(function=None, *, defaults: dict[str, object] | None = None, shapes: dict[str, tuple[int, ...]] | None = None):
    """Marks a kernel: `@sdm.kernel`, or `@sdm.kernel(defaults={"bank": "rows:bf16:128"}, shapes={"bank": (1 << 20,)})`. Both are for
    compiling without arrays; a shape is that of an operand's index axes, of records (chunks, positions)."""
    if function is None:
        return lambda found: Kernel(_plain("sdm.kernel", found), defaults, shapes)
    return Kernel(_plain("sdm.kernel", function), defaults, shapes)


def function(helper) -> Function:
    """Marks a helper that kernels call: it is inlined."""
    return Function(_plain("sdm.function", helper))


def _plain(decorator: str, found):
    """The function itself. Errors: TypeError for anything else, a kernel or a class among them."""
    if not isinstance(found, types.FunctionType):
        raise TypeError(f"@{decorator} marks a function that 'def' makes, got {found!r}")
    if hasattr(found, "__wrapped__"):
        raise TypeError(f"@{decorator} reads the source of {found.__name__!r}, so a decorator below it would have no effect; put it above")
    return found
