"""The texts that a module writes, read off its source: what a test of languages has to find."""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

Named = Mapping[str, ast.expr]
"""Texts that a function gives a name, by that."""


def template(node: ast.AST, names: Named = MappingProxyType({}), form: int = 0) -> str | None:
    """The text of an expression, with ``{}`` for each part that is put in.

    Of what has two forms, as of words for one and for others, it is the first or the second.
    """
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.Name(name) if name in names:
            return template(names[name], names, form)
        case ast.IfExp():
            return template((node.body, node.orelse)[form], names, form)
        case ast.FormattedValue(value) if not isinstance(value, ast.Constant):
            return template(value, names, form)
        case ast.JoinedStr(values):
            return "".join(template(value, names, form) or "{}" for value in values)
    return None


def _named(function: ast.AST) -> Named:
    """The texts that are given a name there, but for those of names that are given twice."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                pairs += zip(targets, values, strict=True)
            case ast.Assign([target], value):
                pairs.append((target, value))
    named = [(target.id, value) for target, value in pairs if isinstance(target, ast.Name)]
    counts = Counter(name for name, _ in named)
    return {name: value for name, value in named if counts[name] == 1}


def texts_of_calls(path: Path, writers: Collection[str]) -> Iterator[str]:
    """Each text of several words that one of these functions or classes is called with.

    Or that a name among them stands for. With ``return`` among them, what functions return and
    generators yield is found, too.
    """
    tree = ast.parse(path.read_text("utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            names = _named(function)
            for node in _written(function, writers):
                texts = {template(node, names, form) for form in (0, 1)}
                yield from sorted(text for text in texts if text and _is_prose(text))


def _written(function: ast.AST, writers: Collection[str]) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _name(node.func) in writers:
            yield from (*node.args, *(keyword.value for keyword in node.keywords))
        elif isinstance(node, ast.Assign) and _name(node.targets[0]) in writers:
            yield node.value
        elif isinstance(node, ast.Yield | ast.Return) and node.value and "return" in writers:
            yield from node.value.elts if isinstance(node.value, ast.Tuple) else (node.value,)


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_prose(text: str) -> bool:
    return bool(re.search(r"[a-z]{2} | [a-z]{2}", text))
