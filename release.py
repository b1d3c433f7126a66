"""A release: the last commit built into dist/, by `python3 dev.py release`.

Source distribution, compiled and pure wheel, bill of materials, and the sums of all. A clone of the
commit is built, with the commit's time: the same commit and tools give the same bytes.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
DIST = ROOT / "dist"
NO_COMPILER = os.devnull
"""In the place of a C compiler: the wheel is pure."""


def main() -> None:
    """Build a clone of the commit; ends with a sentence where that cannot be."""
    if git("status", "--porcelain"):
        sys.exit("A release is built from a commit, and there are changes that are in none.")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": git("log", "-1", "--format=%ct").strip()}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "phaseledger")
        git("clone", "--quiet", str(ROOT), str(source))
        build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, source]
        step([*build, "--sdist", "--wheel"], environment)
        step([*build, "--wheel"], environment | {"CC": NO_COMPILER})
        write_sbom(Path(folder), environment)
    files = sorted(DIST.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (DIST / "SHA256SUMS").write_text("".join(sums))
    print("".join(sums), end="")


def write_sbom(folder: Path, environment: dict[str, str]) -> None:
    """Write the bill of materials of the service, of what pip installs with it here and now."""
    (wheel,) = DIST.glob("*-none-any.whl")
    name, version = wheel.name.split("-")[:2]
    installed, described = folder / "installed", folder / "pyproject.toml"
    venv.create(installed, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", installed, "install", "--quiet", "--no-compile"]
    step([*pip, "--no-index", "--no-deps", "--find-links", DIST, name], environment)
    step([*pip, f"{name}[server]=={version}"], environment)
    project = (ROOT / "pyproject.toml").read_text()
    described.write_text(project.replace('dynamic = ["version"]', f'version = "{version}"'))
    options = ["--output-reproducible", "--pyproject", described]
    output = ["--output-file", DIST / f"{name}-{version}.cdx.json"]
    sbom = [sys.executable, "-m", "cyclonedx_py", "environment", *options, *output, installed]
    step(sbom, environment)


def git(*arguments: str) -> str:
    """What git says of the project; it ends the command where it fails."""
    return subprocess.run(
        ["git", "-C", ROOT, *arguments],  # noqa: S607
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def step(command: Sequence[object], environment: dict[str, str]) -> None:
    """Run a step of the release, silent unless it fails."""
    words = [str(word) for word in command]
    ended = subprocess.run(
        words,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ended.returncode:
        sys.exit(f"{ended.stdout}\n{' '.join(words)} failed; its own words are above.")


if __name__ == "__main__":
    main()
