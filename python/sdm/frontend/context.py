"""The state while a kernel is read, and the tables that give each kind of syntax its meaning."""

from __future__ import annotations

import ast
from contextlib import contextmanager

from sdm.frontend import ir
from sdm.frontend.errors import CompileError, Frame
from sdm.frontend.scope import Scope
from sdm.frontend.source import Source
from sdm.frontend.values import Callee, Const, Missing, Typed

EXPRESSIONS: dict[type, object] = {}  # ast.expr subclass -> handler(context, node) -> Typed
STATEMENTS: dict[type, object] = {}  # ast.stmt subclass -> handler(context, node)
CALLS: dict[object, object] = {}  # callable object -> handler(context, arguments) -> Typed


def meaning(*keys):
    """Registers a handler in the table that its keys belong to."""

    def register(handler):
        for key in keys:
            if isinstance(key, type) and issubclass(key, ast.expr):
                EXPRESSIONS[key] = handler
            elif isinstance(key, type) and issubclass(key, ast.stmt):
                STATEMENTS[key] = handler
            else:
                CALLS[key] = handler
        return handler

    return register


class Context:
    """Reads one function; an inlined helper gets its own context over the same blocks.

    `nest` says what surrounds the current statement, outermost first: 'walk', 'members', 'branch', 'turn'.
    """

    def __init__(self, source: Source, function, block: ir.Block, caller: "Context | None" = None):
        self.source = source
        self.function = function  # the Python function, for the names outside
        self.block = block
        self.scope = Scope()
        self.nest: list[str] = list(caller.nest) if caller else []
        self.depth = len(self.nest)  # what of the nest belongs to the callers
        self.calls: tuple[Frame, ...] = caller.here() if caller else ()
        self.chain: tuple = (*(caller.chain if caller else ()), function)
        self.node: ast.AST = source.definition
        self.result: Typed | None = None
        self.flow: str | None = None  # 'return', 'break' or 'continue' once one was met

    # Places and errors.

    def here(self, node: ast.AST | None = None) -> tuple[Frame, ...]:
        """The node's place and the calls that inlined it, innermost first."""
        return (self.source.frame(node or self.node), *self.calls)

    def error(self, code: str, node: ast.AST | None = None, **fields) -> CompileError:
        return CompileError(code, list(self.here(node)), **fields)

    def need(self, value: Typed) -> None:
        """Refuses a value that comes from an absent operand, at the place where that was read."""
        if isinstance(value, Missing):
            raise CompileError("absent-load", list(value.frames), name=value.name)

    # Reading.

    def expression(self, node: ast.expr) -> Typed:
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            raise self.error("expression", node, kind=_kind(node))
        with self.at(node):
            return handler(self, node)

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            handler = STATEMENTS.get(type(statement))
            if handler is None:
                raise self.error("statement", statement, kind=_kind(statement))
            with self.at(statement):
                handler(self, statement)
            if self.flow:
                return

    @contextmanager
    def at(self, node: ast.AST):
        before, self.node = self.node, node
        yield
        self.node = before

    @contextmanager
    def inside(self, kind: str, block: ir.Block | None = None, scope: Scope | None = None):
        """Reads into another block and level of names, restored afterwards."""
        saved = self.block, self.scope
        self.block, self.scope = block or self.block, scope or self.scope
        self.nest.append(kind)
        try:
            yield
        finally:
            self.nest.pop()
            self.block, self.scope = saved

    # Building.

    def emit(self, name: str, operands=(), types=(), attributes=None, regions=()) -> ir.Operation:
        results = [ir.Value(type) for type in types]
        location = tuple(frame.location for frame in self.here())
        operation = ir.Operation(name, list(operands), results, attributes or {}, list(regions), location)
        self.block.operations.append(operation)
        return operation

    def value(self, name: str, operands, type: str, attributes=None) -> ir.Value:
        """Emits an operation with one result and returns it."""
        return self.emit(name, operands, [type], attributes).results[0]

    def outside(self, name: str) -> Typed | None:
        """A name from around the function: closure, module or builtins."""
        code, closure = self.function.__code__, self.function.__closure__ or ()
        cells = dict(zip(code.co_freevars, closure))
        builtins = self.function.__globals__.get("__builtins__", {})
        builtins = builtins if isinstance(builtins, dict) else vars(builtins)
        for names in (cells, self.function.__globals__, builtins):
            if name in names:
                found = names[name].cell_contents if names is cells else names[name]
                return self.wrap(found, name)
        return None

    def wrap(self, object: object, name: str) -> Typed:
        """A Python object as a value of the front end."""
        if is_constant(object):
            return Const(object)
        if callable(object) or type(object).__name__ == "module":
            return Callee(object, name)
        raise self.error("not-constant", name=name, got=type(object).__name__)


def same_constant(left, right) -> bool:
    """Whether two constants are one, to the bit: 1, 1.0 and True differ, and so do 0.0 and -0.0."""
    return type(left) is type(right) and repr(left) == repr(right)


def is_constant(object: object) -> bool:
    from sdm.dtypes import DType

    if isinstance(object, tuple):
        return all(is_constant(item) for item in object)
    return object is None or isinstance(object, (bool, int, float, str, DType))


# What Python's classes of syntax are called in a sentence; the others go by their own words.
WORDS = {
    "AnnAssign": "an annotated assignment without a type of sdm.language", "AsyncFor": "an 'async for'",
    "AsyncFunctionDef": "an 'async def'", "AsyncWith": "an 'async with'", "Await": "an 'await'", "ClassDef": "a class",
    "Delete": "a 'del'", "Dict": "a dictionary", "DictComp": "a dictionary comprehension", "FunctionDef": "a function definition",
    "GeneratorExp": "a generator", "ImportFrom": "an import", "Import": "an import", "JoinedStr": "a formatted string",
    "Lambda": "a lambda", "ListComp": "a list comprehension", "NamedExpr": "an assignment inside an expression",
    "SetComp": "a set comprehension", "TemplateStr": "a template string", "TryStar": "a 'try'", "TypeAlias": "a type alias",
    "YieldFrom": "a 'yield'", "Yield": "a 'yield'",
}  # fmt: skip


def _kind(node: ast.AST) -> str:
    name = type(node).__name__
    if isinstance(node, ast.stmt):
        return WORDS.get(name, f"a '{name.lower()}'")
    return WORDS.get(name, f"a {name.lower()}")
