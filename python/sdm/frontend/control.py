"""Loops and branches: walks, member loops with carried values, unrolled loops, `if`."""

from __future__ import annotations

import ast

from sdm.frontend import ir
from sdm.frontend.branches import as_type, branch, joined_type, typed, value_type
from sdm.frontend.context import Context, meaning
from sdm.frontend.expressions import condition
from sdm.frontend.jumps import has_jump, without_jumps
from sdm.frontend.scope import Ended, Scope, assigned_names, assigned_nodes
from sdm.frontend.values import Const, Domain, Group, Member, Missing, Records, Row, Scalar, Tuple, Typed


@meaning(ast.For)
def loop(context: Context, node: ast.For) -> None:
    if node.orelse:
        raise context.error("for-else", node.orelse[0])
    if not isinstance(node.target, ast.Name):
        raise context.error("for-target", node.target)
    over = context.expression(node.iter)
    if isinstance(over, Group):
        _members(context, node, over)
    elif isinstance(over, Records):
        _walk(context, node, "sdm.walk", over)
    elif isinstance(over, Domain) and over.kind == "records":
        _walk(context, node, "sdm.each_record", over.over)
    elif isinstance(over, Domain) and over.kind == "rows":
        _walk(context, node, "sdm.each_row", over.over)
    elif isinstance(over, Domain):
        _unrolled(context, node, [Const(turn) for turn in over.turns])
    elif isinstance(over, Tuple):
        _unrolled(context, node, over.items)
    elif isinstance(over, Const) and isinstance(over.value, tuple):
        _unrolled(context, node, [Const(item) for item in over.value])
    else:
        context.need(over)
        raise context.error("for-iterable", node.iter, got=over.described())


# Walks: one launch each.


def _walk(context: Context, node: ast.For, operation: str, over) -> None:
    if {"walk", "branch"} & set(context.nest):
        raise context.error("walk-place", node.iter, got=over.described())
    for name in assigned_nodes(node.body):
        if context.scope.value(name.id) is not None:
            raise context.error("carried-walk", name, name=name.id)
    block, scope = ir.Block(), Scope(context.scope)
    if operation == "sdm.walk":
        handle = ir.Value("!sdm.group")
        variable: Typed = Group(handle, over)
    elif operation == "sdm.each_record":
        handle = ir.Value("!sdm.member")
        variable = Member(handle, over)
    else:
        handle = ir.Value("i32")
        variable = Scalar(handle)
    block.arguments.append(handle)
    scope.assign(node.target.id, variable)
    with context.inside("walk", block, scope):
        context.body(node.body)
        context.emit("sdm.yield")
    context.emit(operation, [over.ssa], regions=[block])
    _end(context, node)


def _end(context: Context, node: ast.For, carried=()) -> None:
    """The loop's variable and what it alone assigned end with it."""
    for name in (node.target.id, *assigned_names(node.body)):
        if name not in carried:
            context.scope.end(name, "after-loop", node.lineno)


# Member loops: carried values become iter_args.


def _members(context: Context, node: ast.For, group: Group) -> None:
    if "members" in context.nest:
        raise context.error("members-place", node.iter)
    body = node.body
    if has_jump(body):
        body, flags = without_jumps(body)
        for flag in flags:
            context.scope.assign(flag, Const(True))
    names = [name for name in assigned_names(body) if context.scope.value(name) is not None]
    absent: dict[str, Missing] = {}
    mark = len(context.block.operations)
    while True:
        # A value that turns out to come from an absent operand is not carried: read the loop again without it.
        found = _turn(context, node, body, group, [name for name in names if name not in absent], absent)
        if not found:
            break
        absent.update(found)
        del context.block.operations[mark:]
    for name, value in absent.items():
        context.scope.assign(name, value)
    _end(context, node, names)


def _turn(context: Context, node: ast.For, body, group: Group, names: list[str], absent) -> dict[str, Missing]:
    """Builds the loop over these carried names; returns those that became absent instead (then nothing counts)."""
    before = {name: context.scope.value(name) for name in names}
    became = {name: value for name, value in before.items() if isinstance(value, Missing)}
    if became:
        return became
    types = {name: value_type(value) for name, value in before.items()}
    carried = [name for name in names if types[name] is not None]
    initial = [as_type(context, before[name], types[name]) for name in carried]
    handle = ir.Value("!sdm.member")
    block, scope = ir.Block([handle]), Scope(context.scope)
    for name in carried:
        argument = ir.Value(types[name].type)
        block.arguments.append(argument)
        scope.assign(name, typed(argument, types[name]))
    for name, value in absent.items():
        scope.assign(name, value)
    scope.assign(node.target.id, Member(handle, group.records))
    with context.inside("members", block, scope):
        context.body(body)
        after = {name: scope.value(name) for name in names}
        became = {name: value for name, value in after.items() if isinstance(value, Missing)}
        if became:
            return became
        _same_kind(context, node, before, after, types)
        yielded = [_kept(context, node, name, before, after, types) for name in carried]
        context.emit("sdm.yield", yielded)
    operation = context.emit("sdm.members", [group.ssa, *initial], [types[name].type for name in carried], regions=[block])
    for name, result in zip(carried, operation.results):
        context.scope.assign(name, typed(result, types[name]))
    return {}


def _same_kind(context: Context, node: ast.For, before, after, types) -> None:
    """What is no number may stand around the loop only unchanged."""
    for name, type in types.items():
        if type is None and after[name] is not before[name]:
            raise context.error("carried-kind", _where(node, name), name=name, got=before[name].described())


def _kept(context: Context, node: ast.For, name: str, before, after, types) -> ir.Value:
    value = as_type(context, after[name], types[name]) if value_type(after[name]) else None
    if value is None:
        raise context.error(
            "carried-type", _where(node, name), name=name,
            before=_carried(before[name], types[name]), after=after[name].described(),
        )  # fmt: skip
    return value


def _carried(value: Typed, type) -> str:
    return value.described() if isinstance(value, (Row, Scalar)) else f"{value.described()} ({type.type})"


def _where(node: ast.For | ast.If, name: str) -> ast.AST:
    """The last assignment of the name in the statement: what gave it its other type."""
    nodes = [found for found in assigned_nodes([*node.body, *node.orelse]) if found.id == name]
    return nodes[-1] if nodes else node


# Unrolled loops.


def _unrolled(context: Context, node: ast.For, turns: list[Typed]) -> None:
    known = [name for name in assigned_names(node.body) if context.scope.value(name) is not None]
    for turn in turns:
        context.scope.assign(node.target.id, turn)
        with context.inside("turn"):
            context.body(node.body)
        flow, context.flow = context.flow, None
        if flow == "return":
            context.flow = flow
            return
        if flow == "break":
            break
    _end(context, node, known)


@meaning(ast.Break, ast.Continue)
def jump(context: Context, node: ast.Break | ast.Continue) -> None:
    # Those of member loops were rewritten before; here only unrolled loops under constant conditions are left.
    kind = "break" if isinstance(node, ast.Break) else "continue"
    own = context.nest[context.depth :]
    if not own or own[-1] != "turn":
        raise context.error("jump", kind=kind)
    context.flow = kind


# Branches.


@meaning(ast.If)
def decide(context: Context, node: ast.If) -> None:
    test = condition(context, node.test, context.expression(node.test))
    if isinstance(test, Const):
        context.body(node.body if test.value else node.orelse)
        return
    blocks, scopes = (ir.Block(), ir.Block()), (Scope(context.scope), Scope(context.scope))
    for statements, block, scope in zip((node.body, node.orelse), blocks, scopes):
        with context.inside("branch", block, scope):
            context.body(statements)
    _join(context, node, test, blocks, scopes)


def _join(context: Context, node: ast.If, test: Scalar, blocks, scopes) -> None:
    """Names assigned in either branch become results, where both sides have one type."""
    names, types, values = [], [], ([], [])
    for name in dict.fromkeys(assigned_names(node.body) + assigned_names(node.orelse)):
        sides = [scope.value(name) for scope in scopes]
        if None in sides:
            missing = [scope.find(name) for scope in scopes]
            if any(side is not None for side in missing):
                _ended(context, node, name, sides, missing)
            continue
        kind = joined_type(*sides)
        if kind is None:
            raise context.error(
                "branch-type", _where(node, name), name=name, left=sides[0].described(), right=sides[1].described()
            )
        if isinstance(kind, Typed):
            context.scope.assign(name, kind)
            continue
        names.append(name)
        types.append(kind)
        for side, block, column in zip(sides, blocks, values):
            with context.inside("branch", block):
                column.append(as_type(context, side, kind))
    operation = branch(context, test, blocks, list(values))
    for name, result, kind in zip(names, operation.results, types):
        context.scope.assign(name, typed(result, kind))


def _ended(context: Context, node: ast.If, name: str, sides, found) -> None:
    """A name with a value on one side only ends as such; one that a loop ended inside stays ended by it."""
    ended = next((side for side in found if isinstance(side, Ended)), None)
    if any(side is not None for side in sides) or ended is None:
        context.scope.end(name, "one-branch", node.lineno)
    else:
        context.scope.end(name, ended.code, ended.line)
