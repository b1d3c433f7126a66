"""The contracts between rooms, in pyproject.toml: they hold, and each notices what breaks it.

What breaks them is planted in a tree of empty modules of the same names.
"""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytestmark = pytest.mark.system  # a tree for each contract; that they hold is checked beside
ROOT = Path(__file__).parents[2]
PARTS = ("domain", "projections", "replay", "service")
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
    "importlinter"
]["contracts"]


class Plant(NamedTuple):
    """An import that a contract forbids."""

    importer: str
    imported: str


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = "from importlinter.cli import lint_imports_command as c; c(['--no-cache'])"
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "COLUMNS": "1000", "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contracts_hold() -> None:
    ended = lint_imports(ROOT)
    assert ended.returncode == 0, ended.stdout


def modules() -> list[str]:
    """Every module of the project by its dotted name, packages by that of their folder."""
    files = [path for part in PARTS for path in sorted((ROOT / part).rglob("*.py"))]
    names = (path.relative_to(ROOT).with_suffix("").as_posix() for path in files)
    return ["phaseledger." + name.removesuffix("/__init__").replace("/", ".") for name in names]


def plants(contract: dict[str, Any]) -> Iterator[Plant]:
    """Imports that the contract forbids, one for each of its layers or modules."""
    if contract["type"] == "layers":
        for container in contract.get("containers", [""]):
            prefix = f"{container}." if container else ""
            layers = [
                [prefix + module for module in layer.split(" | ")] for layer in contract["layers"]
            ]
            for upper, lower in pairwise(layers):
                yield from (Plant(module, upper[0]) for module in lower)
            for layer in layers:
                yield from (Plant(*pair) for pair in pairwise(layer))
    elif contract["type"] == "forbidden":
        for source in contract["source_modules"]:
            yield Plant(source, contract["forbidden_modules"][-1])
        for forbidden in contract["forbidden_modules"]:
            yield Plant(contract["source_modules"][-1], forbidden)
    else:
        names = contract["modules"]
        if names[0].endswith(".*"):
            names = [name for name in modules() if name.startswith(names[0][:-1])]
        assert len(names) > 2
        yield from (Plant(*pair) for pair in pairwise([*names, names[0]]))


def planted_in(folder: Path, imports: list[Plant]) -> subprocess.CompletedProcess[str]:
    """The contracts of the project over a tree of its modules, which hold these imports only."""
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    names = ["phaseledger", *modules()]
    for name in names:
        place = folder.joinpath(*name.split("."))
        is_package = any(other.startswith(f"{name}.") for other in names)
        file = place / "__init__.py" if is_package else place.with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"import {plant.imported}\n" for plant in imports if plant.importer == name]
        file.write_text("".join(lines))
    return lint_imports(folder)


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["name"])
def test_an_import_that_a_contract_forbids_is_found(
    contract: dict[str, Any], tmp_path: Path
) -> None:
    imports = list(plants(contract))
    assert imports
    ended = planted_in(tmp_path, imports)
    assert ended.returncode == 1
    assert f"{contract['name']} BROKEN" in ended.stdout
    unnoticed = [
        plant
        for plant in imports
        if f"{plant.importer} -> {plant.imported} (l." not in ended.stdout
    ]
    assert unnoticed == [], ended.stdout


def test_no_contract_is_broken_by_empty_modules(tmp_path: Path) -> None:
    assert planted_in(tmp_path, []).returncode == 0


@pytest.mark.parametrize("part", ["domain", "replay", "service", "service/api"])
def test_a_room_without_a_layer_is_found(part: str, tmp_path: Path) -> None:
    planted_in(tmp_path, [])
    (tmp_path / "phaseledger" / part / "attic.py").touch()
    ended = lint_imports(tmp_path)
    assert ended.returncode == 1
    assert f"phaseledger.{part.replace('/', '.')}.attic" in ended.stdout
