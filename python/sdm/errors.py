"""What a call of a kernel can raise, apart from the front end's CompileError."""

from __future__ import annotations


class OperandError(ValueError):
    """An operand that the kernel cannot take: one sentence with its name, what was expected and what came. Nothing was launched."""


class CheckError(ValueError):
    """check=True found records that break their promise: kernel, operand and index are named. Nothing was written."""


class CompilerError(RuntimeError):
    """The compiler failed on a kernel that the front end accepted. `reproducer`: a file that `sdm-opt --run-reproducer` runs, empty
    where there is none."""

    def __init__(self, message: str, reproducer: str = ""):
        super().__init__(message)
        self.reproducer = reproducer


class ScheduleError(CompilerError):
    """No schedule: what was asked for breaks a rule, which the sentence names, or nothing fits the chip. With the kernel's line, where
    the rule is about one. `sentence`: without the line."""

    def __init__(self, sentence: str, message: str = ""):
        super().__init__(message or sentence)
        self.sentence = sentence
