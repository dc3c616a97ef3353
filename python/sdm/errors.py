"""What a call of a kernel can raise, apart from the front end's CompileError."""

from __future__ import annotations


class OperandError(ValueError):
    """An operand that the kernel cannot take: one sentence with its name, what was expected and what came. Nothing was launched."""


class CheckError(ValueError):
    """check=True found records that break their promise: kernel, operand and index are named. Nothing was written."""


class CompilerError(RuntimeError):
    """The compiler failed on a kernel that the front end accepted."""
