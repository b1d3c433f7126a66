"""The bodies of functions: statements and expressions, as Cython takes them."""

import ast
from typing import Any

from phaseledger.domain.kernel.transpiler.meanings import ITEMS, Constant, Function, Module

BUILT_IN = {"abs", "exp", "log", "max", "min", "pow", "range", "sqrt"}
DIALECT = (
    *(ast.AnnAssign, ast.Assign, ast.AugAssign, ast.Break, ast.Continue, ast.Expr, ast.For),
    *(ast.If, ast.Pass, ast.Return, ast.While, ast.BinOp, ast.BoolOp, ast.Call, ast.Compare),
    *(ast.Constant, ast.IfExp, ast.Name, ast.Subscript, ast.Tuple, ast.UnaryOp, ast.expr_context),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift),
    *(ast.BitAnd, ast.BitOr, ast.BitXor, ast.unaryop, ast.boolop),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)
FOR_INTS = (ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor)


class FunctionBody(ast.NodeTransformer):
    """Translates statements and expressions; knows arguments and locals with their types."""

    def __init__(self, module: Module, names: dict[str, str]) -> None:
        self.module = module
        self.names = names
        self.place: ast.AST = ast.Module([], [])

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401 - as ast says
        """Translate what is in the dialect."""
        if hasattr(node, "lineno"):
            self.place = node  # also of the operator that comes next
        if not isinstance(node, DIALECT):
            raise self.module.fault(self.place, f"{type(node).__name__} is not in the dialect")
        return super().visit(node)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """Know the type of what is assigned to; an int may go where a float is."""
        match target, value:
            case ast.Name(name), _:
                given = self.type(value).replace("bool", "int")
                bound = self.names.setdefault(name, given).replace("bool", "int")
                if given in ITEMS or (bound != given and (bound, given) != ("float", "int")):
                    raise self.module.fault(target, f"{name} is bound as {bound} and as {given}")
            case ast.Tuple(targets), ast.Tuple(values) if len(targets) == len(values):
                for part, item in zip(targets, values, strict=True):
                    self.bind(part, item)
            case ast.Tuple(), _:
                raise self.module.fault(target, "a tuple stands only in a swap")

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        for target in node.targets:
            self.bind(target, node.value)
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        value = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
        self.check_operator(value)
        self.bind(node.target, value)
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:  # noqa: ANN401
        name = ast.unparse(node.target)
        if name in self.names:
            raise self.module.fault(node, f"{name} is annotated after it was bound")
        self.names[name] = self.module.type_named(node, node.annotation)
        if node.value is None:
            return ast.Pass()
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_For(self, node: ast.For) -> ast.AST:
        match node:
            case ast.For(ast.Name(), ast.Call(ast.Name("range"), given), orelse=[]):
                for part in (part for step in given[2:] for part in ast.walk(step)):
                    if isinstance(part, ast.Name) and part.id in self.names:
                        raise self.module.fault(part, "the step of a range is a constant")
                self.bind(node.target, ast.Constant(0))
                return self.generic_visit(node)
        raise self.module.fault(node, "a loop runs over a range, and has no else")

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        is_docstring = isinstance(node.value, ast.Constant)
        return ast.Pass() if is_docstring else self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        match node.value:
            case bool() | float():
                return node
            case int(number) if number < 1 << 63:
                return ast.Name(f"{number}LL")  # C would give it 32 bits
        raise self.module.fault(node, f"{ast.unparse(node)} is no number of 64 bits")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.names:
            return node
        meaning = self.module.names.get(node.id)
        if isinstance(meaning, Constant):
            return meaning.value
        raise self.module.fault(node, f"{node.id} is no local, no argument and no constant")

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node.slice:
            case ast.UnaryOp(ast.USub()):
                raise self.module.fault(node, "no array is indexed from its end")
        return self.generic_visit(node)

    def check_operator(self, node: ast.BinOp) -> None:
        """Refuse what C does otherwise."""
        if isinstance(node.op, FOR_INTS) and self.type(node) == "float":
            raise self.module.fault(node, "this operator takes ints only")
        if isinstance(node.op, ast.LShift) and self.type(node.left) == "bool":
            raise self.module.fault(node, "a bool is not shifted: it has 32 bits in C")

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.check_operator(node)
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):  # C would divide two ints as `//` does
            node.left = ast.Call(ast.Name("_float"), [node.left], [])
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        arguments = [self.visit(argument) for argument in node.args]
        match node:
            case ast.Call(ast.Name(name), keywords=[]):
                called = self.module.names.get(name)
                if isinstance(called, Function):
                    return ast.Call(ast.Name(called.name), arguments, [])
                if name in BUILT_IN:
                    return ast.Call(node.func, arguments, [])
        raise self.module.fault(node, "only functions of the kernel are called, without keywords")

    def type(self, node: ast.AST) -> str:
        """The type of an expression of the dialect."""
        parts: list[ast.AST] = [*ast.iter_child_nodes(node)]
        match node:
            case ast.Constant(value):
                return type(value).__name__
            case ast.Name(name) if name in self.names:
                return self.names[name]
            case ast.Name(name) | ast.Call(ast.Name(name)) if name in self.module.names:
                meaning = self.module.names[name]
                return meaning.result if isinstance(meaning, Function) else meaning.type
            case ast.Subscript(array):
                return ITEMS.get(self.type(array), "int")
            case ast.Compare() | ast.UnaryOp(ast.Not()):
                return "bool"
            case ast.Call(ast.Name("exp" | "log" | "pow" | "sqrt")) | ast.BinOp(op=ast.Div()):
                return "float"
            case ast.IfExp(_, first, second):
                parts = [first, second]
        return "float" if "float" in [self.type(part) for part in parts] else "int"
