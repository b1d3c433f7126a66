"""The order of operands, which C leaves open: where it matters, what is said is refused."""

import ast
from collections import Counter
from collections.abc import Iterable

from phaseledger.domain.kernel.transpiler.meanings import Function, Module


def find_changes(functions: Iterable[Function]) -> None:
    """Find out which arrays each of the functions changes, itself or by what it calls."""
    before: list[set[str]] = []
    while before != [function.changes for function in functions]:
        before = [function.changes for function in functions]
        for function in functions:
            nodes = ast.walk(function.node)
            function.changes = set().union(*(changed_by(function.module, node) for node in nodes))


def changed_by(module: Module, node: ast.AST) -> set[str]:
    """The arrays that a node changes, but for its parts: where it is assigned to, or calls."""
    match node:
        case ast.Subscript(ast.Name(array), ctx=ast.Store()):
            return {array}
        case ast.Call(ast.Name(name), arguments):
            called = module.names.get(name)
            if isinstance(called, Function):
                pairs = zip(arguments, called.arguments, strict=False)
                return {ast.unparse(given) for given, name in pairs if name in called.changes}
    return set()


def check_function(function: Function) -> None:
    """Refuse a statement in which the order of operands matters."""
    for node in ast.walk(function.node):
        if isinstance(node, ast.stmt):
            check_order(function.module, node)


def check_order(module: Module, node: ast.AST) -> tuple[Counter[str], set[str]]:
    """The arrays that a statement or an expression touches, and the arrays that it changes.

    C leaves open which operand comes first: what one changes, no other may read, unless `and`, `or`
    or `if` puts them in order.
    """
    touched: Counter[str] = Counter()
    changed: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            touched_there, changed_there = check_order(module, child)
            touched.update({*touched_there})
            changed |= changed_there
    match node:
        case ast.AugAssign(ast.Subscript(ast.Name(array))):
            touched[array] += 1
    if not isinstance(node, (ast.BoolOp, ast.IfExp)):
        for array in sorted(changed):
            if touched[array] > 1:
                raise module.fault(node, f"one operand changes {array}, another one reads it")
    match node:
        case ast.Subscript(ast.Name(array), ctx=ast.Load()):
            touched[array] += 1
        case ast.Call(_, arguments):
            touched.update({given.id for given in arguments if isinstance(given, ast.Name)})
            changed |= changed_by(module, node)
    return touched, changed
