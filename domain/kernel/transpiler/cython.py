"""The Cython source of the kernel."""

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from phaseledger.domain.kernel.transpiler.bodies import FunctionBody
from phaseledger.domain.kernel.transpiler.meanings import C_TYPES, ITEMS, Constant, Function, Module
from phaseledger.domain.kernel.transpiler.order import check_function, find_changes

ENTRIES = "entries"
PACKAGE = "phaseledger.domain.kernel"
FOREIGN = {"collections.abc", "math", "typing"}
PRELUDE = """\
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
from cpython cimport array
from libc.math cimport exp, log, pow, sqrt

SOURCE = {digest!r}
MODULES = {modules!r}

cdef array.array INTS = array.array("q")
cdef array.array FLOATS = array.array("d")

cdef inline double _float(double number) noexcept nogil:
    return number

cdef inline void* _items(array.array given, array.array sample) except? NULL:
    if given is None or given.ob_descr != sample.ob_descr:
        raise TypeError(f"an array of {{sample.typecode!r}} is needed")
    return given.data.as_voidptr
"""


@dataclass
class Kernel:
    """The modules of the kernel in a folder, by name, each after the modules that it imports."""

    folder: Path
    modules: dict[str, Module] = field(default_factory=dict)

    def read(self, name: str) -> Module:
        """A module, and before it the modules that it imports; of the entry points nothing else."""
        if name not in self.modules:
            path = self.folder.joinpath(*name.split(".")).with_suffix(".py")
            module = Module(path, path.read_text())
            for node in ast.parse(module.source).body:
                is_import = isinstance(node, ast.ImportFrom) and node.module != PACKAGE
                if is_import or name != ENTRIES:
                    self.bind(module, node)
            self.modules[name] = module
        return self.modules[name]

    def bind(self, module: Module, node: ast.stmt) -> None:
        """Give the names that a statement of a module binds their meanings."""
        meanings: dict[str, Constant | Function] = {}
        match node:
            case ast.Expr(ast.Constant(str())) | ast.AnnAssign(_, ast.Name("TypeAlias")):
                pass
            case ast.ImportFrom(package) if package in FOREIGN:
                pass
            case ast.ImportFrom(str(package), names) if package.startswith(f"{PACKAGE}."):
                there = self.read(package.removeprefix(f"{PACKAGE}.")).names
                kept = [alias for alias in names if alias.name not in ITEMS]
                meanings = {alias.asname or alias.name: there[alias.name] for alias in kept}
            case ast.AnnAssign(ast.Name(name), ast.Name("Final"), ast.expr() as value):
                body = FunctionBody(module, {})
                meanings[name] = Constant(value=body.visit(value), type=body.type(value))
            case ast.FunctionDef(name):
                meanings[name] = module.function(node)
            case _:
                raise module.fault(node, "no import of the kernel, no constant and no function")
        for name in meanings.keys() & module.names.keys():
            raise module.fault(node, f"{name} is bound twice")
        module.names.update(meanings)

    def functions(self) -> list[Function]:
        """The functions of all modules."""
        return [
            meaning
            for module in self.modules.values()
            for meaning in module.names.values()
            if isinstance(meaning, Function) and meaning.module is module
        ]


def _c_function(function: Function) -> Iterator[str]:
    body = FunctionBody(function.module, dict(function.arguments))
    statements: list[ast.stmt] = [body.visit(node) for node in function.node.body]
    given = ", ".join(f"{C_TYPES[type_]} {name}" for name, type_ in function.arguments.items())
    result = C_TYPES.get(function.result, "void")
    yield f"cdef {result} {function.name}({given}) noexcept nogil:"
    for name, type_ in body.names.items():
        if name not in function.arguments:
            yield f"    cdef {C_TYPES[type_]} {name}"
    text = ast.unparse(ast.Module(statements, []))
    yield from (f"    {line}" for line in text.splitlines())


def _entry(name: str, function: Function) -> Iterator[str]:
    """A function that Python calls, with an `array.array` for each array."""
    arrays = {argument for argument, type_ in function.arguments.items() if type_ in ITEMS}
    given = [
        f"{'array.array' if argument in arrays else C_TYPES[type_]} {argument}"
        for argument, type_ in function.arguments.items()
    ]
    yield f"def {name}({', '.join(given)}):"
    for argument in sorted(arrays):
        type_ = function.arguments[argument]
        c_type = C_TYPES[type_]
        yield f"    cdef {c_type} {argument}_ = <{c_type}> _items({argument}, {type_.upper()})"
    passed = [f"{argument}_" if argument in arrays else argument for argument in function.arguments]
    call = f"{function.name}({', '.join(passed)})"
    if function.result == "None":
        yield from ("    with nogil:", f"        {call}")
    else:
        yield f"    cdef {C_TYPES[function.result]} result"
        yield from ("    with nogil:", f"        result = {call}", "    return result")


def translate(folder: Path) -> str:
    """The Cython source of the kernel in the folder."""
    kernel = Kernel(folder)
    entries = kernel.read(ENTRIES)
    source = "".join(module.source for module in kernel.modules.values())
    digest = hashlib.sha256(source.encode()).hexdigest()
    lines = [PRELUDE.format(digest=digest, modules=(*kernel.modules,))]
    functions = kernel.functions()
    find_changes(functions)
    for function in functions:
        check_function(function)
        lines += ["", *_c_function(function)]
    for name, meaning in entries.names.items():
        if isinstance(meaning, Function):
            lines += ["", *_entry(name, meaning)]
    return "\n".join([*lines, ""])
