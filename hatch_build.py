"""Build hook: the site of the documents, and the kernel (`domain/kernel`) as native code.

The site is built where Sphinx is installed, the kernel where there is a C compiler. A wheel that
holds the kernel is tagged with interpreter and system; without it the wheel is pure. An editable
installation has both in place: `python hatch_build.py` makes the kernel anew, `python
hatch_build.py docs` the site.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
sys.path.append(str(ROOT))  # hatchling loads this file alone

from phaseledger.domain.kernel.transpiler.cython import translate  # noqa: E402
from phaseledger.domain.kernel.transpiler.meanings import OutsideDialect  # noqa: E402

KERNEL = Path("phaseledger", "domain", "kernel")
MODULE = ".".join((*KERNEL.parts, "compiled"))
NO_COMPILER = 3
SITE = Path("phaseledger", "site")
BUILDS_SITE = ("furo", "litestar", "myst_parser", "sphinx", "sphinx_copybutton")
SPHINX = ("-m", "sphinx", "-b", "html", "-W", "--keep-going", "-n", "-q", "-E")
SETUP = f"""
import sys
from Cython.Build import cythonize
from setuptools import Extension, setup
options = ["-O3", "-g0", "-ffp-contract=off"]  # floats are rounded as Python rounds them
modules = cythonize([Extension({MODULE!r}, ["compiled.pyx"], extra_compile_args=options)])
try:
    setup(name="phaseledger", ext_modules=modules, script_args=["build_ext", "--build-lib", "."])
except SystemExit as fault:
    print(fault, file=sys.stderr)
    sys.exit({NO_COMPILER})
"""


class NoSphinx(Exception):
    """What builds the site is not installed."""


class NoCompiler(Exception):
    """There is no C compiler, or none that finds Python's headers."""


class Built(BuildHookInterface[Any]):
    """Adds the site to what is built, and the compiled kernel to the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernel: in place for an editable installation, else into the wheel."""
        if version != "editable":
            self.add_site(build_data)
        if self.target_name == "wheel":
            self.add_kernel(version, build_data)

    def add_site(self, build_data: dict[str, Any]) -> None:
        """Build the site if it is not up to date and Sphinx is there."""
        try:
            build_site(Path(self.root))
        except NoSphinx as fault:
            self.app.display_warning(f"`phaseledger docs` will have no pages: {fault}")
        build_data["artifacts"].append(f"/{SITE}")

    def add_kernel(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernel where it belongs."""
        self._folder = tempfile.TemporaryDirectory()
        sources = Path(self.root, KERNEL)
        try:
            module = compile_kernel(sources, Path(self._folder.name))
        except NoCompiler as fault:
            self.app.display_warning(f"The kernel stays uncompiled: {fault}")
            return
        if version == "editable":
            put_in_place(module, sources)
            return
        build_data["force_include"][str(module)] = str(KERNEL / module.name)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        del version, build_data, artifact_path
        if self.target_name == "wheel":
            self._folder.cleanup()


def compile_kernel(sources: Path, folder: Path) -> Path:
    """Compile the kernel; the module is in the folder, as is all that it was made of.

    Raises:
        OutsideDialect: a source leaves the dialect of the kernel.
        NoCompiler: with the compiler's last words.
        RuntimeError: Cython refuses the translation; with its words.

    """
    (folder / "compiled.pyx").write_text(translate(sources))
    ended = subprocess.run(
        [sys.executable, "-c", SETUP], cwd=folder, capture_output=True, text=True, check=False
    )
    if ended.returncode == NO_COMPILER:
        raise NoCompiler("\n".join(ended.stderr.splitlines()[-5:]))
    if ended.returncode:
        raise RuntimeError(f"Cython refuses the kernel:\n{ended.stdout}{ended.stderr}")
    return next((folder / KERNEL).glob("compiled.*"))


def put_in_place(module: Path, sources: Path) -> None:
    """Put the module beside its sources; who has an older one open keeps that."""
    fresh = sources / f"{module.name}.new"
    shutil.copy(module, fresh)
    fresh.replace(sources / module.name)


def build_site(root: Path) -> None:
    """Build the site in place, unless it was built of the same pages.

    Raises:
        NoSphinx: the packages that build it are missing, and there is no site.
        RuntimeError: a page has a fault; with Sphinx's words.

    """
    if missing := [name for name in BUILDS_SITE if not find_spec(name)]:
        if (root / SITE).exists():  # as in a source distribution
            return
        raise NoSphinx(f"there is no {', '.join(missing)} (dependency group docs, extra server).")
    with tempfile.TemporaryDirectory() as folder:
        pages, made = Path(folder, "docs"), Path(folder, "site")
        run_for_site(root, "docs/declared.py", str(pages))
        files = sorted(file for file in pages.rglob("*") if file.is_file())
        digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
        stamp = root / SITE / ".pages"
        if stamp.exists() and stamp.read_text() == digest:
            return
        run_for_site(root, *SPHINX, "-d", str(Path(folder, "doctrees")), str(pages), str(made))
        shutil.rmtree(made / "_sources", ignore_errors=True)
        for file in (*made.glob("**/*.map"), made / ".buildinfo"):
            file.unlink()
        for page in pages.rglob("*.md"):
            shutil.copy(page, made / page.relative_to(pages))
        (made / ".pages").write_text(digest)
        fresh = (root / SITE).with_name("site.new")
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(made, fresh)
        shutil.rmtree(root / SITE, ignore_errors=True)
        fresh.rename(root / SITE)


def run_for_site(root: Path, *command: str) -> None:
    """Run a step of the build; raises RuntimeError with its words where it fails."""
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise RuntimeError(f"The site cannot be built:\n{ended.stdout}{ended.stderr}")


def main() -> None:
    """Compile the kernel in place, or build the site there."""
    if sys.argv[1:] == ["docs"]:
        try:
            build_site(ROOT)
        except (NoSphinx, RuntimeError) as fault:
            sys.exit(str(fault))
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            put_in_place(compile_kernel(ROOT / KERNEL, Path(folder)), ROOT / KERNEL)
        except NoCompiler as fault:
            print(f"The kernel stays uncompiled: {fault}", file=sys.stderr)
        except (OutsideDialect, RuntimeError) as fault:
            sys.exit(f"The kernel cannot be compiled: {fault}")


if __name__ == "__main__":
    main()
