"""What names of the kernel mean: modules, constants, functions, and their types."""

import ast
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

C_TYPES = {
    "int": "long long",
    "bool": "bint",
    "float": "double",
    "Ints": "long long*",
    "Floats": "double*",
}
ITEMS = {"Ints": "int", "Floats": "float"}


class OutsideDialect(SyntaxError):
    """The kernel says something that is not translated; with its file and line."""


class Constant(NamedTuple):
    """A constant: what is put in its place, and its type."""

    value: ast.expr
    type: str


@dataclass
class Function:
    """A function: its name in Cython, and its types in the dialect."""

    module: "Module"
    node: ast.FunctionDef
    name: str
    arguments: dict[str, str]
    result: str
    changes: set[str] = field(default_factory=set)
    """The arrays that it changes, itself or by what it calls."""


@dataclass
class Module:
    """A module of the kernel, and what its names mean, imported ones included."""

    path: Path
    source: str
    names: dict[str, Constant | Function] = field(default_factory=dict)

    def fault(self, node: ast.AST, why: str) -> OutsideDialect:
        """What to raise where the dialect is left."""
        line: int = getattr(node, "lineno", 1)
        column: int = getattr(node, "col_offset", 0) + 1
        text = self.source.split("\n")[line - 1]
        return OutsideDialect(why, (str(self.path), line, column, text))

    def type_named(self, node: ast.AST, annotation: ast.expr | None, *more: str) -> str:
        """The type that an annotation names."""
        name = "" if annotation is None else ast.unparse(annotation)
        if name not in C_TYPES and name not in more:
            raise self.fault(node, f"not annotated as one of {', '.join((*C_TYPES, *more))}")
        return name

    def function(self, node: ast.FunctionDef) -> Function:
        """What the head of a function says."""
        plain = ast.arguments([], node.args.args, None, [], [], None, [])
        if node.decorator_list or ast.dump(node.args) != ast.dump(plain):
            raise self.fault(node, "a function has plain arguments, no defaults, no decorators")
        arguments = {arg.arg: self.type_named(arg, arg.annotation) for arg in node.args.args}
        result = self.type_named(node, node.returns, "None")
        return Function(self, node, f"{self.path.stem}__{node.name}", arguments, result)
