"""Where tests and their helpers live: the tests mirror the packages."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
TESTS = {
    PurePosixPath(path.relative_to(ROOT / "tests")): path.read_text()
    for path in sorted((ROOT / "tests").rglob("*.py"))
}
PARTS = ("domain", "projections", "replay", "service")
PACKAGES = {
    path.parent.relative_to(ROOT).as_posix()
    for part in PARTS
    for path in (ROOT / part).rglob("__init__.py")
}
OWN_HELPERS = (
    *("architecture", "benchmarks", "compatibility", "contract", "golden", "simulation"),
    "contract/clients/openapi_generator",
)
"""Folders of tests that belong to no package: what helps them lies beside them."""
MOST = 26
"""Test modules of one folder that are still read through."""


def test_every_folder_of_tests_is_named_like_its_package() -> None:
    helpers = {"support", *(f"support/{part}" for part in PARTS)}
    folders = {file.parent.as_posix() for file in TESTS} - {"."}
    assert folders - {*PACKAGES, *helpers, *OWN_HELPERS} == set()


def test_no_folder_is_crowded() -> None:
    counts = Counter(file.parent for file in TESTS if file.name.startswith("test_"))
    assert max(counts.values()) <= MOST, counts.most_common(1)


def test_helpers_and_tests_have_their_places() -> None:
    places = ("support", *OWN_HELPERS)
    for file in TESTS:
        if file.name.startswith("test_"):
            assert file.parts[0] != "support", f"{file}: a test among the helpers"
        elif file.name != "conftest.py":
            assert file.parts[0] in places, f"{file}: a helper among the tests"


def imported_tests(source: str) -> list[str]:
    """The test modules and conftests that a module imports, in programs that are strings as well.

    What two tests share is a helper; a fixture comes by its name.
    """
    tree = ast.parse(source)
    modules = [*_imported(tree)]
    for node in ast.walk(tree):
        match node:
            case ast.Constant(str(text)) if "\n" in text and "tests" in text:
                modules += _imported_by(text)
    return [module for module in modules if _is_of_tests(module)]


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _imported_by(text: str) -> list[str]:
    try:
        return [*_imported(ast.parse(text))]
    except SyntaxError:
        return []


def _is_of_tests(module: str) -> bool:
    first, *_, last = module.split(".") if "." in module else (module, module)
    return first in ("tests", "") and (last == "conftest" or last.startswith("test_"))


def test_no_module_imports_a_test() -> None:
    named = re.compile(r"(?<!def )\b(conftest\b|test_)")
    imports = {
        str(file): imported_tests(source) for file, source in TESTS.items() if named.search(source)
    }
    assert {file: modules for file, modules in imports.items() if modules} == {}
    assert imported_tests("def late(): from tests.domain import test_laws")
    assert imported_tests("import fastapi.test_client") == []
