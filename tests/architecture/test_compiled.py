"""The compiled wheel: off by default, of modules that mypyc takes as they are, and in the image.

What is compiled has to behave alike. mypyc takes no keywords of a class, so a frozen Struct would
be mutable; and it makes a generator expression a list, so a lazy one would be eager.
"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from phaseledger import is_compiled

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
SOURCES = {
    module: ROOT / "phaseledger" / f"{module.removeprefix('phaseledger.').replace('.', '/')}.py"
    for module in HOOK["modules"]
}
AT_ONCE = {
    *("all", "any", "bytes", "dict", "frozenset", "join", "list", "max", "min", "next"),
    *("set", "sorted", "sum", "tuple"),
}
"""What consumes a generator expression before anything else happens."""


def faults(source: str) -> Iterator[str]:
    """What a compiled module would do otherwise than the pure one."""
    tree = ast.parse(source)
    consumed: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(_, name), [*given]) if name in AT_ONCE:
                consumed |= {id(argument) for argument in given}
            case ast.Starred(value):
                consumed.add(id(value))
            case ast.ClassDef(name=name, keywords=[_, *_]):
                yield f"{name} has keywords"
    for node in ast.walk(tree):
        if isinstance(node, ast.GeneratorExp) and id(node) not in consumed:
            yield f"{ast.unparse(node)} is a list"


@pytest.mark.parametrize("module", SOURCES)
def test_a_compiled_module_does_what_the_pure_one_does(module: str) -> None:
    assert list(faults(SOURCES[module].read_text())) == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("class Form(Struct, frozen=True): ...", "Form has keywords"),
        ("keys = (key for key in keys)", "(key for key in keys) is a list"),
        ("def lazy(): return (n for n in count())", "(n for n in count()) is a list"),
        ("taken = islice((n for n in count()), 3)", "(n for n in count()) is a list"),
    ],
)
def test_a_difference_is_found(source: str, fault: str) -> None:
    assert list(faults(source)) == [fault]


@pytest.mark.parametrize(
    "source",
    ["class Draft: ...", "any(n for n in x)", "b''.join(n for n in x)", "[*(n for n in x)]"],
)
def test_what_is_no_difference_is_let_through(source: str) -> None:
    assert list(faults(source)) == []


def test_what_is_installed_without_asking_for_it_is_pure() -> None:
    """An extension module in the source tree would be imported in place of its source."""
    assert HOOK["enable-by-default"] is False
    for package in ("domain", "projections", "replay", "service"):
        assert not [*(ROOT / package).rglob("*.so"), *(ROOT / package).rglob("*.pyd")]
    assert not is_compiled()


def test_it_is_built_with_what_the_project_requires() -> None:
    (values,) = (line for line in HOOK["dependencies"] if line.startswith("msgspec"))
    assert values in PROJECT["project"]["dependencies"]
    (compiler,) = (line for line in HOOK["dependencies"] if line.startswith("mypy"))
    assert compiler in PROJECT["dependency-groups"]["lint"]
    assert "hatch_build.py" in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]


@pytest.mark.campaign
@pytest.mark.timeout(1_200)
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_domain_passes_its_tests_compiled() -> None:
    """Golden games, perft, vectors, lists of legal commands and refusals, as of the sources."""
    command = [sys.executable, "benchmarks/compiled.py", "--test"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-4_000:] + ended.stderr[-4_000:]
    assert " passed" in ended.stdout


def image_faults(dockerfile: str) -> list[str]:
    """Why the image would run what is not compiled for it, or keep what compiled it."""
    build, final = re.split(r"^FROM ", dockerfile, flags=re.MULTILINE)[1:]
    bases = {stage.split()[0] for stage in (build, final)}
    enabled = re.search(r"HATCH_BUILD_HOOKS_ENABLE=1 +(\S+ +)*wheel ", build)
    copied = re.search(r"^COPY .*\bhatch_build\.py\b", build, re.MULTILINE)
    checked = "assert phaseledger.is_compiled()" in build
    return [
        *(["two Pythons"] if len(bases) > 1 else []),
        *([] if enabled else ["a pure wheel"]),
        *([] if copied else ["no hook"]),
        *([] if re.search(r"apt-get install .*\bgcc\b", build) else ["no compiler"]),
        *(["a compiler in the image"] if "gcc" in final else []),
        *([] if checked else ["nobody looks"]),
    ]


def test_the_image_runs_compiled() -> None:
    assert image_faults((ROOT / "Dockerfile").read_text()) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("python:3.14-slim AS build", "python:3.13-slim AS build", "two Pythons"),
        ("HATCH_BUILD_HOOKS_ENABLE=1 ", "", "a pure wheel"),
        (" hatch_build.py", "", "no hook"),
        (" gcc", "", "no compiler"),
        ("RUN useradd", "RUN apt-get install gcc && useradd", "a compiler in the image"),
        ("assert phaseledger.is_compiled()", "print(0)", "nobody looks"),
    ],
)
def test_a_fault_of_the_image_is_found(old: str, new: str, fault: str) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert old in dockerfile
    assert image_faults(dockerfile.replace(old, new)) == [fault]
