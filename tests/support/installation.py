"""The project as users install it: built, and put into virtual environments of their own."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from textwrap import dedent

from tests.support.environment import plain_environment

ROOT = Path(__file__).parents[2]
_COMPILER = os.environ.get("CC") or str(sysconfig.get_config_var("CC"))
HAS_COMPILER = (
    shutil.which(_COMPILER.split()[0]) is not None
    and Path(sysconfig.get_path("include"), "Python.h").exists()
)
"""Whether there is a C compiler, and Python's headers."""


def build(kind: str, folder: Path) -> Path:
    """Build the ``wheel`` or the ``sdist`` of the source tree into the folder."""
    command = ["-m", "build", f"--{kind}", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    ended = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (built,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


def environment(home: Path, packages: str) -> Path:
    """The interpreter of a new environment, which also sees the packages of that folder.

    They come by a path that is read after the environment's own and whose .pth files are not read,
    so that an editable installation of the source tree among them has no effect.
    """
    venv.create(home, symlinks=True)
    bases = {"base": str(home), "platbase": str(home)}
    site = Path(sysconfig.get_path("purelib", "venv", bases))
    (site / "third_party.pth").write_text(packages + "\n")
    return home / "bin" / "python"


def everything() -> str:
    """The folder of this environment's packages."""
    return sysconfig.get_path("purelib")


def only(names: Iterable[str], folder: Path) -> str:
    """A folder of links to those of this environment's packages, and what they require."""
    folder.mkdir()
    for package in _required(names):
        roots = {file.parts[0] for file in package.files or () if ".." not in file.parts}
        for root in roots - {"__pycache__"}:
            link = folder / root
            if not link.exists():
                link.symlink_to(Path(str(package.locate_file(root))))
    return str(folder)


def _required(names: Iterable[str]) -> Iterator[Distribution]:
    pending, met = list(names), set[str]()
    while pending:
        name = re.split(r"[^\w.-]", pending.pop())[0]
        if name.lower() in met:
            continue
        met.add(name.lower())
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # required on other systems only
        yield package
        pending += [line for line in package.requires or () if "extra ==" not in line]


def install(python: Path, *arguments: str) -> None:
    """Install with pip, without what is required, from wherever pip takes packages from."""
    pip = [
        "-m",
        "pip",
        "--python",
        str(python),
        "--disable-pip-version-check",
        "install",
        "--no-compile",
    ]
    command = [sys.executable, *pip, "--quiet", "--no-deps", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def run(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an installed program in that folder, with an environment of the least."""
    return subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def usage(face: str) -> str:
    """The program in the docstring of a public module, such as ``phaseledger.verify``."""
    text = ast.get_docstring(ast.parse((ROOT / "phaseledger" / f"{face}.py").read_text())) or ""
    program = text.partition("::\n")[2]
    return dedent(re.sub(r"(?m)^(?! {4}).+\n?", "", program))
