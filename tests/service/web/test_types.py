"""The modules of the pages under the strictest checks of TypeScript, as they are.

The types of the API are those of its description.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from phaseledger.replay.web.joiner import WEB
from phaseledger.service.web.assets import Part
from tests.support.node import node_modules
from tests.support.page_types import GENERATED, generated_types

ENTRIES = [
    *(f"{part}/main.js" for part in get_args(Part)),
    *("play/sw.js", "play/offline.js", "client/index.js", "client/element.js"),
]
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
    "skipLibCheck": True,  # the compiler's own descriptions of the browser
}


FAULTY = "/** @param {number} count */\nexport const twice = (count) => count.length;\n"


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the compiler says of all modules, and of one that is faulty, in one run."""
    folder = tmp_path_factory.mktemp("types")
    (folder / "faulty.js").write_text(FAULTY)
    files = [*(str((WEB / entry).resolve()) for entry in ENTRIES), "faulty.js"]
    project = folder / "tsconfig.json"
    project.write_text(json.dumps({"compilerOptions": OPTIONS, "files": files}))
    command = [node_modules() / ".bin" / "tsc", "-p", project, "--listFiles", "--pretty", "false"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return ended.stdout.splitlines()


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_module_is_sound(complaints: list[str], entry: str) -> None:
    """The entry was read with all that it imports, and nothing is wrong but the planted fault."""
    assert str((WEB / entry).resolve()) in complaints
    assert [line for line in complaints if ": error TS" in line and "faulty.js" not in line] == []


def test_a_fault_is_found(complaints: list[str]) -> None:
    assert any("faulty.js" in line and "error TS2339" in line for line in complaints)


def test_types_of_the_api_are_those_described(tmp_path: Path) -> None:
    """Read the difference, and then write the file anew with ``GOLDEN=write``."""
    generated = generated_types(tmp_path)
    if os.environ.get("GOLDEN") == "write":
        GENERATED.write_text(generated, "utf-8")
    assert GENERATED.read_text("utf-8") == generated
