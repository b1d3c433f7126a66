"""clients/js as its users have it: packed by npm, compiled against under `strict`, run by Node."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import phaseledger
from tests.support.children import run
from tests.support.node import node_modules
from tests.support.service.faulty_proxy import wired
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

pytestmark = pytest.mark.system  # packs, compiles, and plays on a line that breaks

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "js"
PROGRAM = Path(__file__).parent / "clients" / "npm" / "program.mts"
COMPILE = "--strict --noUncheckedIndexedAccess --target es2022 --module nodenext --types node"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a user's, where the package is installed."""
    folder, modules = tmp_path_factory.mktemp("npm"), node_modules()
    source = shutil.copytree(CLIENT, folder / "source", ignore=shutil.ignore_patterns("types"))
    path = f"{modules / '.bin'}{os.pathsep}{os.environ['PATH']}"
    packed = run(
        ["npm", "pack", "--pack-destination", folder], env={**os.environ, "PATH": path}, cwd=source
    )
    assert packed.returncode == 0, packed.stderr
    (archive,) = folder.glob("phaseledger-*.tgz")
    installed = run(["npm", "install", "--offline", archive], cwd=folder)
    assert installed.returncode == 0, installed.stderr
    for name in ("@types", "undici-types"):
        (folder / "node_modules" / name).symlink_to(modules / name)
    shutil.copy(PROGRAM, folder)
    compiled = run([modules / ".bin" / "tsc", *COMPILE.split(), PROGRAM.name], cwd=folder)
    assert compiled.stdout == ""
    return folder


def lossy() -> Any:
    """Loses the third of every four commits on a stream, and of every four answers to commands."""
    counts = {b"event: events": 0, b'"receipt"': 0}

    def loses(part: bytes) -> bool:
        for mark in counts:
            if mark in part:
                counts[mark] += 1
                return counts[mark] % 4 == 3
        return False

    return loses


def test_a_game_is_played_on_a_line_that_breaks(project: Path) -> None:
    with serving(in_memory()) as served, wired(served.url) as wire:
        wire.lose = lossy()
        ended = run(["node", "program.mjs", wire.url], cwd=project)
    assert ended.stderr == "", ended.stderr
    played = json.loads(ended.stdout)
    first, *_, last = played["seen"]
    assert played["seen"] == [*range(first, last + 1)]
    assert played["breaks"] > 1
    assert played["sent"] == len(played["own"]), played["own"]
    assert (played["stage"], played["refused"], played["ticket"]) == (
        "ended",
        [409, "must_draw"],
        True,
    )
    assert played["sentences"] > played["sent"]


def test_the_package_holds_what_it_needs_and_depends_on_nothing(project: Path) -> None:
    package = project / "node_modules" / "phaseledger"
    files = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    names = {path.stem for path in (CLIENT / "src").glob("*.js")}
    assert files == {
        *("package.json", "README.md", "LICENSE", "types/schemas.d.ts"),
        *(f"src/{name}.js" for name in names),
        *(f"types/{name}.d.ts" for name in names),
    }
    described = json.loads((package / "package.json").read_text())
    assert "dependencies" not in described
    assert described["version"] == phaseledger.__version__
