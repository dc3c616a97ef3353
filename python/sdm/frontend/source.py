"""Where a kernel was written: its syntax tree with absolute lines, and the characters of each node."""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass

from sdm.frontend.errors import CompileError, Frame


@dataclass(frozen=True)
class Source:
    """The text of one function: its file, its lines (from `first`) and its parsed `def`."""

    file: str
    first: int
    lines: tuple[str, ...]
    definition: ast.FunctionDef

    @staticmethod
    def of(function) -> "Source":
        """Reads a Python function; raises CompileError where its source cannot be had (a REPL, exec)."""
        try:
            lines, first = inspect.getsourcelines(function)
            file = inspect.getsourcefile(function) or function.__code__.co_filename
        except (OSError, TypeError):
            code = function.__code__
            frame = Frame(code.co_filename, code.co_firstlineno, 0, 1, "")
            raise CompileError("no-source", [frame], name=function.__name__) from None
        text = "".join(lines)
        # An indented function is parsed inside an `if`, which leaves its columns as they are.
        nested = text[:1].isspace()
        whole = Frame(file, first, 0, len(lines[0].rstrip()), lines[0].rstrip("\n"))
        try:
            tree = ast.parse("if True:\n" + text if nested else text)
        except SyntaxError:  # a lambda's lines are no statement of their own
            raise _no_function(function, whole) from None
        ast.increment_lineno(tree, first - 1 - nested)
        definition = tree.body[0].body[0] if nested else tree.body[0]
        if not isinstance(definition, ast.FunctionDef) or definition.name != function.__code__.co_name:
            raise _no_function(function, whole)
        return Source(file, first, tuple(line.rstrip("\n") for line in lines), definition)

    @property
    def text(self) -> str:
        return textwrap.dedent("\n".join(self.lines))

    def frame(self, node: ast.AST) -> Frame:
        """The node's place; columns count characters (the syntax tree counts bytes)."""
        line = getattr(node, "lineno", self.first)
        index = line - self.first
        text = self.lines[index] if 0 <= index < len(self.lines) else ""
        start = _characters(text, getattr(node, "col_offset", 0))
        same_line = getattr(node, "end_lineno", line) == line
        end = _characters(text, node.end_col_offset) if same_line and hasattr(node, "end_col_offset") else len(text)
        return Frame(self.file, line, start, max(end, start + 1), text)


def _no_function(function, place: Frame) -> CompileError:
    """Why a function's lines are not its 'def': it is of another kind, or the file is another by now."""
    if function.__name__ == "<lambda>" or inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return CompileError("not-a-def", [place])
    return CompileError("stale-source", [place], name=function.__name__)


def _characters(text: str, byte: int) -> int:
    return len(text.encode()[:byte].decode(errors="ignore"))
