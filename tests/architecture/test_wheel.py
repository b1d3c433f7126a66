"""The built wheel: what is in it, and that it works where the source tree is not."""

import re
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from hatch_build import KERNEL, compile_kernel
from tests.support.installation import (
    HAS_COMPILER,
    ROOT,
    build,
    environment,
    everything,
    install,
    run,
)

pytestmark = pytest.mark.system  # builds the wheel
PACKAGES = ("domain", "projections", "replay", "service")
NEVER = re.compile(r"(^|/)(tests?|benchmarks|docs)/|/conftest\.py$|\.pyc$|^dev\.py$")


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`phaseledger`, installed from the wheel beside this environment's third-party packages."""
    python = environment(tmp_path_factory.mktemp("installed"), everything())
    install(python, "--no-index", str(wheel))
    return python.with_name("phaseledger")


def faults(names: list[str]) -> list[str]:
    """What is missing from the wheel's list of files, and what should not be there."""
    sources = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
    }
    sources |= {"__init__.py", "client.py", "py.typed"}
    errors = [
        f"missing: {name}"
        for name in sorted({f"phaseledger/{name}" for name in sources} - set(names))
    ]
    if not any(re.search(r"\.dist-info/licenses/LICENSE$", name) for name in names):
        errors.append("missing: LICENSE")
    for name in names:
        in_place = name.startswith("phaseledger/") or ".dist-info/" in name
        if NEVER.search(name) or not in_place:
            errors.append(f"not wanted: {name}")
    return errors


def test_the_wheel_holds_one_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert faults(archive.namelist()) == []
        assert "phaseledger/site/search.html" in archive.namelist()
        assert faults([*archive.namelist(), "dev.py"]) == ["not wanted: dev.py"]


def compiled_in(wheel: Path) -> list[str]:
    """The modules of native code that a wheel holds."""
    with zipfile.ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if name.endswith(".so")]


@pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")
def test_the_wheel_holds_the_compiled_kernel(wheel: Path, program: Path, tmp_path: Path) -> None:
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    assert compiled_in(wheel) == [f"phaseledger/domain/kernel/compiled{suffix}"]
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{version}-{version}-" in wheel.name
    assert run(program, tmp_path, "--version").stdout.endswith(" (compiled kernel)\n")


@pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")
def test_the_kernel_is_the_same_bytes_wherever_it_is_compiled(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (compiled,) = (archive.read(name) for name in compiled_in(wheel))
    assert compile_kernel(ROOT / KERNEL, tmp_path).read_bytes() == compiled


def test_without_a_compiler_the_wheel_is_pure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "/nonexistent/cc")
    wheel = build("wheel", tmp_path)
    assert compiled_in(wheel) == []
    assert wheel.name.endswith("-py3-none-any.whl")


def test_the_installed_program_is_the_wheels(program: Path, tmp_path: Path) -> None:
    python = program.with_name("python")
    rooms = "domain, projections, replay, service"
    ask = f"from phaseledger import {rooms}\nfor room in ({rooms}): print(room.__file__)"
    files = run(python, tmp_path, "-c", ask).stdout.split()
    assert len(files) == len(PACKAGES)
    assert all(Path(file).is_relative_to(program.parents[1]) for file in files), files


def test_the_program_describes_its_api(program: Path, tmp_path: Path) -> None:
    described = run(program, tmp_path, "openapi")
    assert described.returncode == 0, described.stderr
    assert described.stdout == (ROOT / "openapi" / "openapi.json").read_text()
