"""Every reason to reject a kernel: one table, code to sentence, and the exception that prints it.

A sentence says what is wrong and what would be allowed. `{names}` are filled in by the raiser.
"""

from __future__ import annotations

from dataclasses import dataclass

TABLE = {
    # the function
    "no-source": "the source of kernel '{name}' cannot be read; define it in a file, not in a REPL or by exec",
    "stale-source": "the file has changed since '{name}' was defined; import it again",
    "not-a-def": "expected a function defined by 'def' (a kernel is not a lambda or a class)",
    "no-annotation": "parameter '{name}' needs an annotation: sl.Sorted[Record], sl.Rows, sl.Cells, sl.constexpr or a scalar type such as sl.f32",
    "bad-annotation": "the annotation of '{name}' is not one that a kernel knows; use sl.Sorted[Record], sl.Rows, sl.Cells, sl.constexpr or a scalar type such as sl.f32",
    "bad-parameter": "a kernel takes plain parameters only, not '*{name}' or '**{name}'",
    "missing-operand": "no type was given for operand '{name}'; name one, for example {name}={example}",
    "wrong-operand": "operand '{name}' is {expected}, got {got}",
    "layout-record": "operand '{name}' takes records of type {expected}, got a layout of {got}",
    # statements and expressions
    "statement": "a kernel cannot hold {kind}; allowed are assignments, for, if, pass, break, continue, assert and calls of @sdm.function helpers",
    "expression": "a kernel cannot hold {kind}; allowed are numbers, names, arithmetic, comparisons, indexing, attributes, calls and tuples",
    "expression-statement": "this value is not used; store it, as in 'out[index] = value', or give it a name",
    "operator": "the operator '{operator}' has no meaning for {left} and {right}; rows and f32 scalars take + - * /, integers + - * // % and & | ^ << >>",
    "unary-operator": "the operator '{operator}' has no meaning for {operand}; use - on numbers and rows, ~ on integers, 'not' on conditions",
    "integer-division": "'/' of two integers has no meaning here; use '//' or convert one with sl.f32(x)",
    "division-by-zero": "a constant is divided by zero; give it another divisor",
    "comparison": "'{operator}' cannot compare {left} with {right}; compare numbers with numbers or rows, and 'is' takes None only",
    "condition": "expected a condition (a comparison, a flag or a constant), got {got}",
    "width": "rows of {left} and {right} columns do not go together; both must have one width",
    "assign-target": "cannot assign to {kind}; assign to a name, a tuple of names or an indexed operand",
    "unpack": "cannot unpack {got} into {count} names; the right side must be a tuple of {count} values",
    "constant": "constant {value} does not fit {type}; use a number in range or a wider type",
    # names
    "undefined": "name '{name}' is not defined here; use a parameter, an earlier assignment, a module-level number, an @sdm.function or a name of sdm.language",
    "after-loop": "name '{name}' belongs to the loop on line {line} and ends with it; give it a value before the loop to carry it out",
    "one-branch": "name '{name}' is assigned in only one branch of the 'if' on line {line}; assign it in both or before",
    "not-constant": "'{name}' is a {got} from outside the kernel; only numbers, bools, None, tuples of them and @sdm.function helpers can be used",
    # records
    "field": "records of type {record} have no field '{name}'; it has {fields}",
    "group-field": "'{name}' differs from member to member, so a group has none; read it from a member ('for member in group'), or use {fields}",
    "no-place": "the layout of {record} given here has no {place}, which '{name}' needs; bind records from sdm.sort or a layout that carries it",
    "attribute": "{got} has no attribute '{name}'; it has {attributes}",
    # operands
    "absent-load": "operand '{name}' is absent here, so it cannot be read; ask 'if {name} is not None' first or pass it",
    "index-count": "'{name}' has {expected} index axes, got {got} indices; an index for each gives {what}",
    "index-type": "an index must be an i32 or i64 scalar, got {got}",
    "not-indexable": "{got} cannot be indexed; sl.Rows, sl.Cells, shapes and tuples can",
    "slice": "slices have no meaning here; name one index for each axis",
    "store-type": "cannot store {got} to '{name}'; it takes {expected}",
    "store-scalar": "cannot store to {got}; only operands of type sl.Rows and sl.Cells are written",
    "copy-row": "sl.copy_row takes a row straight from an operand, as in sl.copy_row(x[i]), stored to an operand of the same type",
    # control
    "for-iterable": "cannot loop over {got}; loop over records ('for group in reads'), a group, sl.rows(x), sl.records(reads) or sl.static_range(n)",
    "for-target": "the variable of this loop must be a plain name",
    "for-else": "'else' on a loop has no meaning here; write it after the loop",
    "walk-place": "a walk over {got} must stand at the kernel's top level, not inside another loop or 'if'",
    "members-place": "the members of a group are walked in that group's own body, not inside another member loop",
    "rows-rank": "sl.rows takes rows of rank 2, got rank {rank}; walk records for the others",
    "top-level": "this needs a walk around it: at the kernel's top level only constants, 'for' walks and 'if' on constants are allowed",
    "carried-walk": "'{name}' has a value from outside this walk; nothing is carried from group to group, so give it another name",
    "carried-type": "'{name}' is {before} before the loop and {after} after one turn; a carried value keeps its type",
    "carried-kind": "'{name}' is {got}, which a loop cannot carry; carried values are rows and scalars",
    "branch-type": "'{name}' is {left} in one branch and {right} in the other; both must give one type",
    "branches": "the two sides of this choice are {left} and {right}; both must give one type",
    "jump": "'{kind}' has a meaning only in a loop over the members of a group or in sl.static_range under a constant 'if'",
    "return": "'return' is allowed only as the last statement of an @sdm.function helper",
    "static": "{what} must be known when the kernel is compiled, got {got}",
    "assertion": "assertion failed: {message}",
    "too-deep": "this is nested too deeply to be read; give parts of it names, or use a loop",
    "index-negative": "an index counts from 0 (there is none from the end), got {got}",
    "unroll": "sl.static_range unrolls {count} turns; at most {limit} are allowed",
    # calls
    "not-callable": "{got} cannot be called; call names of sdm.language, @sdm.function helpers, or min, max, abs, len, int, float, bool",
    "python-call": "'{name}' is Python's and does not run inside a kernel; use a name of sdm.language or mark the helper with @sdm.function",
    "kernel-call": "kernel '{name}' cannot be called from a kernel; mark shared code with @sdm.function",
    "arguments": "{name}{signature} got arguments that do not fit: {reason}",
    "star": "'*' and '**' have no meaning in a call here; pass each argument by itself",
    "argument-type": "{name} takes {expected}, got {got}",
    "recursion": "helpers are inlined, so '{name}' cannot call itself; unroll with sl.static_range",
    # the dialect's verifier and gate, on a kernel's line
    "verifier": "{message}",
}  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """One place in a file: line from 1, columns from 0, end exclusive; `text` is the source line."""

    file: str
    line: int
    column: int
    end: int
    text: str

    @property
    def location(self) -> tuple[str, int, int]:
        return (self.file, self.line, self.column + 1)

    def print(self) -> str:
        if not self.text:
            return ""
        # Tabs stay tabs under the source line, so that the caret stands where it should.
        indent = "".join("\t" if char == "\t" else " " for char in self.text[: self.column])
        return f"{self.text}\n{indent}{'^' + '~' * (self.end - self.column - 1)}"


class CompileError(Exception):
    """A kernel was rejected. `frames[0]` is the place, the rest the calls that inlined it, innermost first.

    `code` is a key of TABLE; `sentence` is what the table says. The text has file, line, column, the source
    line, a caret and the call chain.
    """

    def __init__(self, code: str, frames: list[Frame], **fields):
        self.code = code
        self.frames = list(frames)
        self.sentence = TABLE[code].format(**fields)
        super().__init__(self._print())

    @property
    def line(self) -> int:
        return self.frames[0].line

    @property
    def column(self) -> int:
        return self.frames[0].column + 1

    def _print(self) -> str:
        place, *calls = self.frames
        parts = [f"{place.file}:{place.line}:{place.column + 1}: error: {self.sentence}", place.print()]
        for call in calls:
            parts += [f"{call.file}:{call.line}:{call.column + 1}: called from here", call.print()]
        return "\n".join(part for part in parts if part)


def from_diagnostics(diagnostics) -> CompileError | None:
    """The first error of `_sdm` diagnostics, (severity, message, places), as a CompileError; None where none has a place in a file."""
    for severity, message, places in diagnostics:
        if severity == "error" and places:
            return CompileError("verifier", [_frame(*place) for place in places], message=message)
    return None


def _frame(file: str, line: int, column: int) -> Frame:
    import linecache

    text = linecache.getline(file, line).rstrip("\n")
    return Frame(file, line, max(column - 1, 0), max(column, 1), text)
