"""Build hook of the optional compiled wheel: what decisions run through, as native code by mypyc.

Off unless HATCH_BUILD_HOOKS_ENABLE is set, so a wheel is pure by default; an editable installation
always is. Each compiled module lies beside the .py file that it was made of: where there is no
compiled one for the interpreter, Python imports that file. pyproject.toml has the list of modules.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARY = "phaseledger.domain.compiled"
"""The library with all the native code; mypyc appends `__mypyc` to its name."""
SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(sys.argv.pop().split(), group_name=sys.argv.pop(), debug_level="0")
for module in modules:  # rounded as Python does, so that no bot decides otherwise
    module.extra_compile_args.append("-ffp-contract=off")
setup(name="phaseledger", packages=[], ext_modules=modules)
"""


class CompiledModules(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel, whose tag then names interpreter and system."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile a copy of the package in a temporary folder: the source tree stays pure."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        package = Path(self.root, "phaseledger")
        for name in ("__init__.py", "py.typed"):
            shutil.copy(package / name, _made(folder / "phaseledger") / name)
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package / "domain", folder / "phaseledger" / "domain", ignore=skipped)
        compile_modules(folder, self.config["modules"])
        for library in sorted(folder.glob("phaseledger/**/*.so")):
            build_data["force_include"][str(library)] = library.relative_to(folder).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        del build_data, artifact_path
        if version != "editable":
            self._folder.cleanup()


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def compile_modules(folder: Path, modules: list[str]) -> None:
    """Compile these modules of the package in the folder, each in its place.

    Raises RuntimeError with the compilers' own words.
    """
    paths = [f"{module.replace('.', '/')}.py" for module in modules]
    command = [sys.executable, "-c", SETUP, "build_ext", "--inplace"]
    ended = subprocess.run(
        [*command, LIBRARY, " ".join(paths)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise RuntimeError(f"mypyc ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
