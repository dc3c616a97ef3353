"""Element types, shared by the language, the record layouts and the launcher."""

from __future__ import annotations


class OutsideKernelError(RuntimeError):
    """A name of `sdm.language` was called by Python itself, not inside a kernel."""

    def __init__(self, name: str):
        super().__init__(
            f"sl.{name} has a meaning only inside a function marked @sdm.kernel or @sdm.function"
        )


class DType:
    """One element type: its name, its bits, and MLIR's name where that is another.

    As an annotation it declares a scalar operand or a record field; called inside a kernel it converts
    a scalar: `sl.f32(group.size)`.
    """

    def __init__(self, name: str, bits: int, kind: str, element: str = ""):
        self.name = name
        self.bits = bits
        self.kind = kind  # "int" or "float"
        self.element = element or name

    @property
    def size(self) -> int:
        """Bytes of one element; not of int4, of which a byte holds two."""
        return self.bits // 8

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


f32 = DType("f32", 32, "float")
bf16 = DType("bf16", 16, "float")
f16 = DType("f16", 16, "float")
fp8 = DType("fp8", 8, "float", "f8E4M3FN")
int4 = DType("int4", 4, "int", "i4")
i32 = DType("i32", 32, "int")
i64 = DType("i64", 64, "int")

BY_NAME = {dtype.name: dtype for dtype in (f32, bf16, f16, fp8, int4, i32, i64)}
ROW_TYPES = (f32, bf16, f16)
QUANTIZED_TYPES = (fp8, int4)
SCALAR_TYPES = (f32, i32, i64)
