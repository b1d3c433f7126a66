"""What has many fields is built by name: two of one type side by side are easily swapped."""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
ASKED = (ast.ClassDef, ast.ImportFrom, ast.Call)
MOST = 4
"""Fields that a reader keeps apart by their place."""
HOT = {
    *("CheckedGroup", "Group", "GroupView", "HandValue"),
    *("Chapter", "EventRow", "GameRow", "RoundRow", "SourceRow", "TurnRow"),
}
"""Structs made for every decision or event, for which names would cost time."""
ROWS = {"Declaration"}
"""Rows of a table, whose code, sentence and ground nobody takes for each other."""


def fields_of(nodes: Sequence[ast.AST]) -> dict[str, int]:
    """The number of fields of each NamedTuple and Struct in a module, by its name."""
    return {
        node.name: sum(isinstance(line, ast.AnnAssign) for line in node.body)
        for node in nodes
        if isinstance(node, ast.ClassDef)
        and any(
            isinstance(base, ast.Name) and base.id in ("NamedTuple", "Struct")
            for base in node.bases
        )
    }


def imported_from(nodes: Sequence[ast.AST]) -> dict[str, tuple[str, str]]:
    """The module and the name there of each name that a module imports."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def built_by_place(modules: Mapping[str, str]) -> list[str]:
    """Where one of more fields gets one by its place; where a row is spread, it may."""
    read = {
        module: [node for node in ast.walk(ast.parse(source)) if isinstance(node, ASKED)]
        for module, source in modules.items()
    }
    sizes = {
        (module, name): size
        for module, nodes in read.items()
        for name, size in fields_of(nodes).items()
    }
    places = []
    for module, nodes in read.items():
        names = imported_from(nodes)
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            match node.func:
                case ast.Name(name):
                    home = names.get(name, (module, name))
                case ast.Attribute(ast.Name(owner), name) if owner in names:
                    home = (".".join(names[owner]), name)
                case _:
                    continue
            spread = any(isinstance(argument, ast.Starred) for argument in node.args)
            if node.args and not spread and sizes.get(home, 0) > MOST and home[1] not in HOT | ROWS:
                places.append(f"{module}:{node.lineno} {home[1]}")
    return places


def test_what_has_many_fields_is_built_by_name() -> None:
    files = [
        path
        for part in ("domain", "projections", "replay", "service")
        for path in sorted((ROOT / part).rglob("*.py"))
    ]
    modules = {
        "phaseledger." + ".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text()
        for path in files
    }
    assert built_by_place(modules) == []


def test_what_is_built_by_place_is_found() -> None:
    fields = "\n".join(f"    {name}: int" for name in "abcde")
    five = f"class Five(NamedTuple):\n{fields}\nFive(1, 2, 3, 4, 5)\nFive(*row)\nFive(a=1)\n"
    other = "from home import Five as Many\nMany(1, b=2, c=3, d=4, e=5)\n"
    assert built_by_place({"home": five, "other": other}) == ["home:7 Five", "other:2 Five"]
