"""Where tests and their helpers live: the tests mirror the packages.

Each check is a function over paths, or over source text, so that a planted defect can show that it
works.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath

from tests.support.cases import looped

ROOT = Path(__file__).parents[2]
TESTS = {
    path.relative_to(ROOT / "tests").as_posix(): path.read_text()
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


def is_test(file: str) -> bool:
    return PurePosixPath(file).name.startswith("test_")


def is_conftest(file: str) -> bool:
    return PurePosixPath(file).name == "conftest.py"


# --- folders --------------------------------------------------------------------------------------


def unknown_folders(files: Iterable[str], packages: Collection[str]) -> list[str]:
    """Folders that are neither a package's mirror nor one of the others that there are."""
    folders = {PurePosixPath(file).parent.as_posix() for file in files} - {"."}
    helpers = {"support", *(f"support/{part}" for part in PARTS)}
    return sorted(folders - {*packages, *helpers, *OWN_HELPERS})


def test_every_folder_of_tests_is_named_like_its_package() -> None:
    assert unknown_folders(TESTS, PACKAGES) == []


@looped(
    "file",
    [
        "service/routes/test_games.py",
        "service/bots/test_games.py",
        "unit/test_cards.py",
        "support/games/table.py",
        "golden/old/test_golden.py",
    ],
)
def test_a_folder_that_mirrors_nothing_is_found(file: str) -> None:
    packages = {"domain", "domain/bots", "service", "service/api", "service/api/routes"}
    right = ["conftest.py", "domain/bots/test_x.py", "service/api/routes/test_x.py", "golden/x.py"]
    assert unknown_folders([*right, file], packages) == [PurePosixPath(file).parent.as_posix()]


def crowded_folders(files: Iterable[str]) -> list[str]:
    """Folders that hold more test modules than anybody reads through."""
    counts = Counter(PurePosixPath(file).parent.as_posix() for file in files if is_test(file))
    return [folder for folder, count in counts.items() if count > MOST]


def test_no_folder_is_crowded() -> None:
    assert crowded_folders(TESTS) == []


def test_a_crowded_folder_is_found() -> None:
    many = [f"service/test_{number}.py" for number in range(MOST)]
    assert crowded_folders([*many, "service/helper.py"]) == []
    assert crowded_folders([*many, "service/test_one_more.py"]) == ["service"]


# --- helpers --------------------------------------------------------------------------------------


def misplaced_helpers(files: Iterable[str]) -> list[str]:
    """Modules that are no tests, and lie neither in `support` nor where helpers may lie beside."""
    places = ("support", *OWN_HELPERS)
    return [
        file
        for file in files
        if not is_test(file)
        and not is_conftest(file)
        and PurePosixPath(file).parts[0] not in places
    ]


def misplaced_tests(files: Iterable[str]) -> list[str]:
    """Tests among the helpers, where nobody looks for them."""
    return [file for file in files if is_test(file) and PurePosixPath(file).parts[0] == "support"]


def test_helpers_have_their_places() -> None:
    assert misplaced_helpers(TESTS) == []
    assert misplaced_tests(TESTS) == []


@looped("file", ["table.py", "service/nodes.py", "replay/evidence/audit/games.py"])
def test_a_misplaced_helper_is_found(file: str) -> None:
    right = ["conftest.py", "service/conftest.py", "support/table.py", "golden/games.py"]
    assert misplaced_helpers([*right, file]) == [file]


def test_a_test_among_the_helpers_is_found() -> None:
    files = ["support/table.py", "support/test_table.py", "domain/test_table.py"]
    assert misplaced_tests(files) == ["support/test_table.py"]


# --- imports --------------------------------------------------------------------------------------


def imported_tests(source: str) -> list[str]:
    """The test modules and conftests that a module imports, in programs that are strings as well.

    What two tests share is a helper; a fixture comes by its name.
    """
    tree = ast.parse(source)
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    modules = [*_imported(tree)]
    for text in texts:
        if "\n" in text and "tests" in text:
            modules += _imported_by(text)
    return [module for module in modules if _is_of_tests(module)]


def _imported(tree: ast.AST) -> Iterable[str]:
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
        file: imported_tests(source) for file, source in TESTS.items() if named.search(source)
    }
    assert {file: modules for file, modules in imports.items() if modules} == {}


@looped(
    ("source", "modules"),
    [
        (
            "from tests.service.test_serve import launched",
            ["tests.service.test_serve"],
        ),
        ("from tests.service.conftest import serving", ["tests.service.conftest"]),
        ("import tests.domain.test_laws as laws", ["tests.domain.test_laws"]),
        ("from tests.domain import test_laws", ["tests.domain.test_laws"]),
        ("from .conftest import serving", [".conftest"]),
        ("def late(): from tests.conftest import store", ["tests.conftest"]),
        (r"PROGRAM = 'import os\nfrom tests.x.test_pool import square'", ["tests.x.test_pool"]),
        ("from tests.support.table import test_table", ["tests.support.table.test_table"]),
    ],
)
def test_an_import_of_a_test_is_found(source: str, modules: list[str]) -> None:
    right = "from tests.support.table import table\nfrom litestar.testing import TestClient\n"
    assert imported_tests(right) == []
    assert imported_tests(right + source) == modules


def test_other_projects_are_left_alone() -> None:
    assert imported_tests("import fastapi.test_client") == []
    assert imported_tests(repr("from tests that are\nno program")) == []
