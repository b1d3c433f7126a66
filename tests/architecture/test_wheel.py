"""The built wheel: what is in it, and that it works where the source tree is not."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "projections", "replay", "service")
NEVER = re.compile(r"(^|/)(tests?|benchmarks|docs)/|/conftest\.py$|\.pyc$|^dev\.py$")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    ended = subprocess.run([sys.executable, *build], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`phaseledger`, installed from the wheel beside the third-party packages of this environment.

    These come by a path that is read after the wheel's and whose own .pth files are not read, so
    that an editable installation of the source tree among them has no effect.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, symlinks=True)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    (site / "third_party.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = ["-m", "pip", "--python", str(home / "bin" / "python"), "--disable-pip-version-check"]
    install = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, *pip, *install], check=True)
    return home / "bin" / "phaseledger"


def run(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ
    }
    return subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def faults(names: list[str]) -> list[str]:
    """What is missing from the wheel's list of files, and what should not be there."""
    sources = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    sources |= {f"{package}/py.typed" for package in PACKAGES}
    found = [f"missing: {name}" for name in sorted(sources - set(names))]
    if not any(re.search(r"\.dist-info/licenses/LICENSE$", name) for name in names):
        found.append("missing: LICENSE")
    for name in names:
        in_place = name.partition("/")[0] in PACKAGES or ".dist-info/" in name
        if NEVER.search(name) or not in_place:
            found.append(f"not wanted: {name}")
    return found


def test_the_wheel_holds_the_four_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert faults(archive.namelist()) == []


def test_a_fault_of_the_wheel_is_found(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    kept = [name for name in names if name != "domain/py.typed" and "licenses" not in name]
    found = faults([*kept, "tests/conftest.py", "dev.py", "domain/tests/test_cards.py"])
    assert found == [
        "missing: domain/py.typed",
        "missing: LICENSE",
        "not wanted: tests/conftest.py",
        "not wanted: dev.py",
        "not wanted: domain/tests/test_cards.py",
    ]


def test_the_installed_program_is_the_wheels(program: Path, tmp_path: Path) -> None:
    python = program.with_name("python")
    ask = "from phaseledger import domain, service; print(domain.__file__, service.__file__)"
    files = run(python, tmp_path, "-c", ask).stdout.split()
    assert len(files) == 2
    assert all(Path(file).is_relative_to(program.parents[1]) for file in files), files


def test_the_program_plays_and_audits_in_an_empty_directory(program: Path, tmp_path: Path) -> None:
    shown = run(program, tmp_path, "--help")
    assert shown.returncode == 0, shown.stderr
    for command in (
        "demo",
        "serve",
        "worker",
        "replay",
        "audit",
        "export",
        "simulate",
        "query",
        "openapi",
    ):
        assert re.search(rf"\b{command}\b", shown.stdout)
    options = "--ruleset classic --players 3 --bots greedy --games 1 --seed wheel --out game.ndjson"
    played = run(program, tmp_path, "simulate", *options.split())
    assert played.returncode == 0, played.stderr
    audited = run(program, tmp_path, "audit", "game.ndjson", "--json")
    assert audited.returncode == 0, audited.stdout + audited.stderr
    assert json.loads(audited.stdout)["sound"] is True
    assert [path.name for path in tmp_path.iterdir()] == ["game.ndjson"]


def test_the_program_describes_its_api(program: Path, tmp_path: Path) -> None:
    described = run(program, tmp_path, "openapi")
    assert described.returncode == 0, described.stderr
    assert described.stdout == (ROOT / "openapi" / "openapi.json").read_text()
