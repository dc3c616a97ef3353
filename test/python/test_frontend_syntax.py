"""Every kind of Python statement and expression has a meaning in a kernel or is an error of the table."""

import ast

import pytest
from frontend_cases import PRELUDE, SPEC, in_group, load

from sdm import CompileError
from sdm.frontend.build import read
from sdm.frontend.context import EXPRESSIONS, STATEMENTS
from sdm.frontend.errors import TABLE

# One program, as statements of a group's body, for each node class of Python 3.10 to 3.13.
STATEMENT = {
    "FunctionDef": "def f():\n    pass",
    "AsyncFunctionDef": "async def f():\n    pass",
    "ClassDef": "class C:\n    pass",
    "Return": "return",
    "Delete": "del row",
    "Assign": "z = row",
    "TypeAlias": "type Z = int",
    "AugAssign": "row += 1.0",
    "AnnAssign": "z: sl.f32 = 1",
    "For": "for read in group:\n    pass",
    "AsyncFor": None,
    "While": "while True:\n    pass",
    "If": "if n > 0:\n    pass",
    "With": "with row:\n    pass",
    "AsyncWith": None,
    "Match": "match n:\n    case _:\n        pass",
    "Raise": "raise ValueError",
    "Try": "try:\n    pass\nfinally:\n    pass",
    "TryStar": "try:\n    pass\nexcept* ValueError:\n    pass",
    "Assert": "assert x.width == 128",
    "Import": "import math",
    "ImportFrom": "from math import pi",
    "Global": "global z",
    "Nonlocal": None,
    "Expr": "None",
    "Pass": "pass",
    "Break": "break",
    "Continue": "continue",
}
EXPRESSION = {
    "BoolOp": "n > 0 and n < 5",
    "NamedExpr": "(w := n)",
    "BinOp": "n + 1",
    "UnaryOp": "-n",
    "Lambda": "lambda: 0",
    "IfExp": "1 if n > 0 else 2",
    "Dict": "{1: 2}",
    "Set": "{1, 2}",
    "ListComp": "[i for i in (1, 2)]",
    "SetComp": "{i for i in (1, 2)}",
    "DictComp": "{i: i for i in (1, 2)}",
    "GeneratorExp": "(i for i in (1, 2))",
    "Await": None,
    "Yield": "(yield)",
    "YieldFrom": "(yield from row)",
    "Compare": "0 < n < 5",
    "Call": "sl.sqrt(row)",
    "FormattedValue": "f'{n}'",
    "JoinedStr": "f'{n}'",
    "TemplateStr": "t'{n}'",
    "Interpolation": "t'{n}'",
    "Constant": "1",
    "Attribute": "x.width",
    "Subscript": "x[0]",
    "Starred": "(*row, 1)",
    "Name": "n",
    "List": "[1]",
    "Tuple": "(1, n)",
    "Slice": "x[0:1]",
}
# Only in an async function, which a kernel is not; `nonlocal` needs a function around.
ELSEWHERE = {"AsyncFor", "AsyncWith", "Await", "Nonlocal"}
ASYNC = {"AsyncFor": "async for z in x:\n    pass", "AsyncWith": "async with x:\n    pass", "Await": "z = await x", "Nonlocal": "nonlocal z"}


def classes(base):
    """Node classes of the base, without those that the parser no longer makes."""
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "ExtSlice", "Index"}
    return {found.__name__ for found in base.__subclasses__()} - old


def verdict(directory, body):
    """'meaning', or the error's code."""
    module = load(directory, PRELUDE + in_group(body))
    try:
        read(module.k, {"reads": module.PACKED, **SPEC})
    except CompileError as error:
        assert error.code in TABLE
        assert ": error: " in str(error) and "^" in str(error)
        return error.code
    return "meaning"


def test_the_programs_cover_the_grammar():
    assert classes(ast.stmt) <= set(STATEMENT)
    assert classes(ast.expr) <= set(EXPRESSION)


@pytest.mark.parametrize("name", sorted(classes(ast.stmt) - ELSEWHERE))
def test_statement(tmp_path, name):
    found = verdict(tmp_path, STATEMENT[name])
    if getattr(ast, name) not in STATEMENTS:
        assert found == "statement"
    else:
        assert found in ("meaning", "return", "jump")


@pytest.mark.parametrize("name", sorted(classes(ast.expr) - ELSEWHERE))
def test_expression(tmp_path, name):
    found = verdict(tmp_path, f"z = {EXPRESSION[name]}")
    if name in ("Starred", "Slice"):
        assert found in ("star", "slice")
    elif getattr(ast, name) not in EXPRESSIONS:
        assert found == "expression"
    else:
        assert found == "meaning"


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_async_syntax_is_read_without_a_crash(tmp_path, name):
    """The parser of Python refuses these in a plain function; their nodes are put into the tree by hand."""
    module = load(tmp_path, PRELUDE + in_group("pass"))
    text = "async def outer():\n" + "".join(f"    {line}\n" for line in ASYNC[name].split("\n"))
    (statement,) = ast.parse(text).body[0].body
    loop = module.k.source.definition.body[0]
    loop.body[-1] = ast.copy_location(statement, loop.body[-1])
    ast.fix_missing_locations(loop)
    with pytest.raises(CompileError) as error:
        read(module.k, {"reads": module.PACKED, **SPEC})
    assert error.value.code in ("statement", "expression")


OPERATORS = [node for base in (ast.operator, ast.unaryop, ast.cmpop, ast.boolop) for node in base.__subclasses__()]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda node: node.__name__)
@pytest.mark.parametrize("sides", [("n", "2"), ("eps", "2.0"), ("row", "row"), ("row", "eps"), ("3", "2"), ("None", "1"), ("group", "x")])
def test_operator(tmp_path, operator, sides):
    """Any operator between any two values is computed or refused by an error of the table."""
    left, right = (ast.parse(side, mode="eval").body for side in sides)
    if issubclass(operator, ast.operator):
        node = ast.BinOp(left, operator(), right)
    elif issubclass(operator, ast.unaryop):
        node = ast.UnaryOp(operator(), left)
    elif issubclass(operator, ast.cmpop):
        node = ast.Compare(left, [operator()], [right])
    else:
        node = ast.BoolOp(operator(), [left, right])
    verdict(tmp_path, f"z = {ast.unparse(node)}")


