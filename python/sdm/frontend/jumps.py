"""`break` and `continue` of member loops, rewritten into flags and conditions.

A warp's control flow stays uniform and a loop has one way through: a jump clears a flag, and what follows it
stands under `if flag`. `$turn` holds for the rest of this turn, `$loop` for the turns to come.
"""

from __future__ import annotations

import ast

TURN, LOOP = "$turn", "$loop"


def has_jump(statements: list[ast.stmt]) -> bool:
    """True when the statements hold a jump of their own loop, not one of a loop inside."""
    return any(_jumps(statement) for statement in statements)


def _jumps(node: ast.stmt) -> bool:
    if isinstance(node, (ast.Break, ast.Continue)):
        return True
    return isinstance(node, ast.If) and (has_jump(node.body) or has_jump(node.orelse))


def without_jumps(statements: list[ast.stmt]) -> tuple[list[ast.stmt], list[str]]:
    """The loop's body without jumps, and the flags that must hold True before the loop."""
    body = _rewritten(statements)
    first = statements[0]
    begin = _set(first, TURN, True)
    if not any(isinstance(node, ast.Break) for statement in statements for node in ast.walk(statement)):
        return [begin, *body], []
    return [_under(first, LOOP, [begin, *body])], [LOOP]


def _rewritten(statements: list[ast.stmt]) -> list[ast.stmt]:
    done: list[ast.stmt] = []
    for at, statement in enumerate(statements):
        if isinstance(statement, (ast.Break, ast.Continue)):
            done.append(_set(statement, TURN, False))
            if isinstance(statement, ast.Break):
                done.append(_set(statement, LOOP, False))
            return done
        if _jumps(statement):
            branches = (_rewritten(statement.body), _rewritten(statement.orelse))
            done.append(ast.copy_location(ast.If(statement.test, *branches), statement))
            rest = _rewritten(statements[at + 1 :])
            return done + ([_under(statement, TURN, rest)] if rest else [])
        done.append(statement)
    return done


def _set(place: ast.AST, name: str, value: bool) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), place)
    constant = ast.copy_location(ast.Constant(value), place)
    return ast.copy_location(ast.Assign([target], constant), place)


def _under(place: ast.AST, name: str, body: list[ast.stmt]) -> ast.stmt:
    test = ast.copy_location(ast.Name(name, ast.Load()), place)
    return ast.copy_location(ast.If(test, body, []), place)
