"""The texts that a module writes, read off its source: what a test of languages has to find."""

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

GAPS = (
    *("3", "nothing", "top", "is over and sound", "comes after the end", "{}"),
    "a:3: the bundle is cut off here",
)
"""What stands in for the parts of a text that are put in."""


def template(node: ast.AST) -> str | None:
    """The text of an expression, with ``{}`` for each part that is put in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return "".join(map(str, parts))
    return None


def texts_of_calls(path: Path, writers: Collection[str]) -> Iterator[str]:
    """Each text of several words that one of these functions or classes is called with."""
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(call, ast.Call) and _name(call.func) in writers:
            arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
            texts = map(template, arguments)
            yield from (text for text in texts if text and _is_prose(text))


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_prose(text: str) -> bool:
    return bool(re.search(r"[a-z]{2} | [a-z]{2}", text))


def filled(text: str) -> Iterator[str]:
    """The text with something in its gaps: the same in all, or a number and then words."""
    for gap in GAPS:
        yield text.replace("{}", gap)
    for first in ("3", "phase 2 (set(3))"):
        yield text.replace("{}", first, 1).replace("{}", "nothing")
        yield text.replace("{}", first, 1).replace("{}", "3")
