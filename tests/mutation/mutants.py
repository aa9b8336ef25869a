"""Small faults for a module: every one a place of its syntax tree and what stands there instead.

Only functions, methods and the module's constants are changed; texts for people, annotations and decorators
are left alone. How a fault gets into running code is in `graft`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from tests.source import tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import CodeType

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
}
NAMES = {"min": "max", "max": "min", "all": "any", "any": "all", "sorted": "list"}
LEFT_ALONE = ("annotation", "returns", "decorator_list", "type_comment")
TRUTHS = (ast.Name, ast.Attribute, ast.Call)


class Mutant(NamedTuple):
    """A fault: where it is, what it says, and the code of the function, or constant's assignment, with it."""

    line: int
    was: str
    instead: str
    owner: str
    code: CodeType


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a source file; `owner` is a function's qualified name or a constant's name."""
    tree = tree_of(path)
    for statement in tree.body:
        match statement:
            case ast.FunctionDef():
                yield from _in_function(statement, statement.name, tree, path)
            case ast.ClassDef():
                for method in statement.body:
                    if isinstance(method, ast.FunctionDef):
                        yield from _in_function(method, f"{statement.name}.{method.name}", tree, path)
            case ast.Assign(targets=[ast.Name(id=name)]) if name.isupper():
                alone = ast.Module([statement], [])
                for line, was, instead in _faults(statement, constants=True):
                    yield Mutant(line, was, instead, name, compile(alone, str(path), "exec"))


def functions_of(code: CodeType) -> Iterator[CodeType]:
    """The code of a module's functions and methods, found among its constants."""
    for inner in code.co_consts:
        if hasattr(inner, "co_qualname"):
            yield inner
            yield from functions_of(inner)


def _in_function(function: ast.FunctionDef, name: str, tree: ast.Module, path: Path) -> Iterator[Mutant]:
    for line, was, instead in _faults(function, constants=False):
        whole = compile(tree, str(path), "exec")
        code = next(code for code in functions_of(whole) if code.co_qualname == name)
        yield Mutant(line, was, instead, name, code)


def _faults(node: ast.AST, constants: bool) -> Iterator[tuple[int, str, str]]:
    """Put one fault after the other into the tree below `node`; each is there until the next is asked for."""
    for field, value in ast.iter_fields(node):
        if field in LEFT_ALONE:
            continue
        places = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for at, child in places:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr) or _is_text(child):
                continue
            for other in _alternatives(child, node, field, constants):
                ast.copy_location(other, child)
                ast.fix_missing_locations(other)
                _put(node, field, at, other)
                yield getattr(child, "lineno", 0), ast.unparse(child), ast.unparse(other)
                _put(node, field, at, child)
            yield from _faults(child, constants)


def _put(node: ast.AST, field: str, at: int | None, child: ast.AST) -> None:
    if at is None:
        setattr(node, field, child)
    else:
        getattr(node, field)[at] = child


def _is_text(node: ast.AST) -> bool:
    """A docstring, or words for people."""
    if isinstance(node, ast.Expr):
        node = node.value
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value


def _alternatives(node: ast.AST, parent: ast.AST, field: str, constants: bool) -> Iterator[ast.AST]:
    if (field == "test" or (field in ("ifs", "guard"))) and isinstance(node, TRUTHS):
        yield ast.UnaryOp(ast.Not(), node)
    if constants and isinstance(node, ast.Tuple) and len(node.elts) > 1 and isinstance(parent, ast.Assign):
        for left_out in range(len(node.elts)):
            yield ast.Tuple([*node.elts[:left_out], *node.elts[left_out + 1 :]], ast.Load())
    if isinstance(node, ast.Dict) and len(node.values) > 1:
        yield ast.Dict(node.keys, [*node.values[1:], node.values[0]])
    yield from _other_operation(node)
    yield from _other_atom(node)
    yield from _other_statement(node)


def _other_operation(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=[operator]):
            for other in COMPARISONS[type(operator)]:
                yield ast.Compare(node.left, [other()], node.comparators)
        case ast.Compare(ops=[first, second]):
            yield ast.Compare(node.left, [COMPARISONS[type(first)][0](), second], node.comparators)
            yield ast.Compare(node.left, [first, COMPARISONS[type(second)][0]()], node.comparators)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)


def _other_atom(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
        case ast.Constant(value=str(word)):
            yield ast.Constant(word + "~")
        case ast.Name(id=name) if name in NAMES:
            yield ast.Name(NAMES[name], ast.Load())
        case ast.MatchOr(patterns=patterns):
            for left_out in range(len(patterns)):
                yield ast.MatchOr([*patterns[:left_out], *patterns[left_out + 1 :]])


def _other_statement(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Return(value=ast.expr() as value) if not (
            isinstance(value, ast.Constant) and value.value is None
        ):
            yield ast.Return(ast.Constant(None))
        case ast.AugAssign():
            yield ast.Pass()
            yield ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]) | ast.Raise():
            yield ast.Pass()
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Expr(value=ast.Yield() | ast.YieldFrom() as value):
            yield ast.If(ast.Constant(False), [ast.Expr(value)], [])  # still a generator
