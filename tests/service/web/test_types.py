"""The modules of the pages under the strictest checks of TypeScript, as they are."""

import json
import subprocess
from pathlib import Path

import pytest

from phaseledger.service.web.assets import FOLDER, REPLAY
from tests.support.node import node_modules

OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "noEmit": True,
    "target": "es2022",
    "lib": ["es2023", "dom", "dom.iterable"],
    "module": "es2022",
    "moduleResolution": "bundler",
    "types": [],
}


def complaints(folder: Path, module: Path) -> str:
    """What the compiler says of a module and all that it imports."""
    project = folder / "tsconfig.json"
    project.write_text(json.dumps({"compilerOptions": OPTIONS, "files": [str(module.resolve())]}))
    compiler = node_modules() / ".bin" / "tsc"
    ended = subprocess.run([compiler, "-p", project], capture_output=True, text=True, check=False)
    return ended.stdout


@pytest.mark.parametrize("entry", ["main.js", REPLAY])
def test_every_module_is_sound(tmp_path: Path, entry: str) -> None:
    assert complaints(tmp_path, FOLDER / entry) == ""


def test_a_fault_is_found(tmp_path: Path) -> None:
    module = tmp_path / "faulty.js"
    module.write_text(
        "/** @param {number} count */\nexport const twice = (count) => count.length;\n"
    )
    assert "TS2339" in complaints(tmp_path, module)
