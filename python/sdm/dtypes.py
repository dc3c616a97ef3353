"""Element types, shared by the language, the record layouts and the launcher."""

from __future__ import annotations


class OutsideKernelError(RuntimeError):
    """A name of `sdm.language` was called by Python itself, not inside a kernel."""

    def __init__(self, name: str):
        super().__init__(
            f"sl.{name} has a meaning only inside a function marked @sdm.kernel or @sdm.function"
        )


class DType:
    """One element type: its MLIR name and its size in bytes.

    As an annotation it declares a scalar operand or a record field; called inside a kernel it converts
    a scalar: `sl.f32(group.size)`.
    """

    def __init__(self, name: str, size: int, kind: str):
        self.name = name
        self.size = size
        self.kind = kind  # "int" or "float"

    def __repr__(self) -> str:
        return f"sl.{self.name}"

    def __or__(self, other):
        if other is not None:
            return NotImplemented
        return Optional(self)

    def __call__(self, value):
        raise OutsideKernelError(self.name)


class Optional:
    """`sl.f32 | None`: an operand that may be absent."""

    def __init__(self, annotation):
        self.annotation = annotation


f32 = DType("f32", 4, "float")
bf16 = DType("bf16", 2, "float")
f16 = DType("f16", 2, "float")
i32 = DType("i32", 4, "int")
i64 = DType("i64", 8, "int")

BY_NAME = {dtype.name: dtype for dtype in (f32, bf16, f16, i32, i64)}
ROW_TYPES = (f32, bf16, f16)
SCALAR_TYPES = (f32, i32, i64)
