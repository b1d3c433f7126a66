"""Build hook: the kernel (`domain/kernel`) as a module of native code, where there is a C compiler.

A wheel that holds it is tagged with interpreter and system; without a compiler it is pure. An
editable installation has the module beside its sources; `python hatch_build.py` makes it anew.
"""

import shutil
import subprocess
import sys
import tempfile
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


class NoCompiler(Exception):
    """There is no C compiler, or none that finds Python's headers."""


class CompiledKernel(BuildHookInterface[Any]):
    """Adds the compiled kernel to what is built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernel: in place for an editable installation, else into the wheel."""
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


def main() -> None:
    """Compile the kernel in place."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            put_in_place(compile_kernel(ROOT / KERNEL, Path(folder)), ROOT / KERNEL)
        except NoCompiler as fault:
            print(f"The kernel stays uncompiled: {fault}", file=sys.stderr)
        except (OutsideDialect, RuntimeError) as fault:
            sys.exit(f"The kernel cannot be compiled: {fault}")


if __name__ == "__main__":
    main()
