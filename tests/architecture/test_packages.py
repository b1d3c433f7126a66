"""Each package says in its docstring what it is for, where to enter it, and what it may import."""

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("domain", "projections", "replay", "service")
DOCSTRINGS = {
    path.parent.relative_to(ROOT).as_posix(): ast.get_docstring(ast.parse(path.read_text())) or ""
    for part in PARTS
    for path in sorted((ROOT / part).rglob("__init__.py"))
}
PACKAGES = [*DOCSTRINGS]
OF_EQUALS = {
    "replay/pages": "a module for each thing that is drawn",
    "replay/evidence/verify/checks": "a module for each check",
    "service/api/middleware": "a module for each concern, entered by its ``with_...``",
    "service/api/reference": "a module for each kind of page",
    "service/api/routes": "a module for each part of the API, entered by its `HANDLERS`",
    "service/client": "`phaseledger.client` has its public names",
    "service/runtime": "a module for each of logs, metrics, tracing, tasks and process",
    "service/schemas": "a module for each kind of body",
}
"""Packages without an entry that comes before the others, and why."""
QUOTED = re.compile(r"``?([A-Za-z_][\w.]*)``?")


def entries(package: str, docstring: str) -> list[str]:
    """The modules and definitions of the package that the docstring names."""
    folder = ROOT / package
    names = {path.stem for path in folder.iterdir() if not path.name.startswith(("_", "."))}
    for node in ast.parse((folder / "__init__.py").read_text()).body:
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                names.add(name)
            case ast.AnnAssign(ast.Name(name)) | ast.Assign([ast.Name(name)]):
                names.add(name)
    return [name for name in QUOTED.findall(docstring) if name.partition(".")[0] in names]


def test_a_package_names_its_entries_and_what_it_may_import() -> None:
    for package in PACKAGES:
        docstring = DOCSTRINGS[package]
        assert re.search(r"\bimports?\b|nothing else", docstring), f"what may {package} import?"
        is_entered = bool(entries(package, docstring))
        assert is_entered == (package not in OF_EQUALS), f"where is {package} entered?"


def test_a_layered_package_lists_its_layers() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    for container in ("replay", "service", "service/api"):
        (layers,) = (
            contract["layers"]
            for contract in tool["importlinter"]["contracts"]
            if contract.get("containers") == [f"phaseledger.{container.replace('/', '.')}"]
        )
        members = {name.strip() for layer in layers for name in layer.split("|")}
        named = {name.partition(".")[0] for name in QUOTED.findall(DOCSTRINGS[container])}
        assert members - named == set(), container
