"""Generators make whole clients of the description, and programs over these play a game.

openapi-typescript, @hey-api/openapi-ts, orval and openapi-python-client, each as its users run it.
The programs in clients/, and python_program.py, are compiled strictly, and then play at a service.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from phaseledger.service.app import in_memory
from tests.support.node import node_modules
from tests.support.openapi_operations import Description, operations
from tests.support.service.server import Served, serving

pytestmark = pytest.mark.system  # four generators, and compilers of two languages

BIN = Path(sys.executable).parent
CLIENTS = Path(__file__).parent / "clients"
OPENAPI = Path(__file__).parents[2] / "openapi" / "openapi.json"
GENERATORS = {
    "typescript": ("openapi-typescript", OPENAPI, "--output", "generated/typescript.d.ts"),
    "hey": ("openapi-ts", "--input", OPENAPI, "--output", "generated/hey", "--no-log-file"),
    "orval": (
        *("orval", "--input", OPENAPI, "--output", "generated/orval.ts"),
        *("--client", "fetch", "--mode", "single", "--fail-on-warnings"),
    ),
}
PYTHON = (
    *("openapi-python-client", "generate", "--path", OPENAPI, "--meta", "none"),
    *("--config", "openapi_python_client.yml", "--output-path", "generated_client"),
    "--fail-on-warning",
)
COMPLAINTS = re.compile(r"warn|error|skip|omit|unable|cannot|can't|fail", re.IGNORECASE)


class Ended(NamedTuple):
    """How a program ended."""

    code: int
    output: str


class Workshop(NamedTuple):
    """A folder with the clients that were generated, and what each generator wrote."""

    folder: Path
    runs: dict[str, Ended]


def ended(process: subprocess.Popen[str]) -> Ended:
    output, _ = process.communicate()
    return Ended(process.returncode, output)


def begin(folder: Path, program: Path | str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(program), *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The clients in TypeScript, and the programs over them."""
    modules = node_modules()
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(modules)
    shutil.copy(CLIENTS / "tsconfig.json", folder)
    (folder / "apps").mkdir()
    for program in CLIENTS.glob("*.ts"):
        shutil.copy(program, folder / "apps")
    started = {
        name: begin(folder, modules / ".bin" / program, *arguments)
        for name, (program, *arguments) in GENERATORS.items()
    }
    return Workshop(folder, {name: ended(process) for name, process in started.items()})


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The client in Python, and the program over it."""
    folder = tmp_path_factory.mktemp("python")
    for name in ("openapi_python_client.yml", "mypy.ini"):
        shutil.copy(CLIENTS / name, folder)
    shutil.copy(CLIENTS.parent / "python_program.py", folder)
    program, *arguments = PYTHON
    return Workshop(folder, {"python": ended(begin(folder, BIN / program, *arguments))})


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with serving(in_memory()) as served:
        yield served


@pytest.mark.parametrize("name", GENERATORS)
def test_no_generator_complains(typescript: Workshop, name: str) -> None:
    code, output = typescript.runs[name]
    assert code == 0, output
    assert not COMPLAINTS.search(output), output


def test_programs_in_typescript_compile_and_play(typescript: Workshop, service: Served) -> None:
    """All three at once, under `strict`; each plays a whole game and is refused once."""
    compiler = node_modules() / ".bin" / "tsc"
    assert ended(begin(typescript.folder, compiler)) == Ended(0, "")
    playing = [
        begin(typescript.folder, "node", f"built/apps/{name}.js", service.url)
        for name in GENERATORS
    ]
    for process in playing:
        code, output = ended(process)
        assert code == 0, output
        assert re.fullmatch(r"refused \w+\nopened classic@1\nended .+\n", output), output


def test_the_generator_of_python_drops_nothing(python: Workshop, description: Description) -> None:
    """Every schema is a class, and every refusal of every operation is a `Problem`."""
    code, output = python.runs["python"]
    assert code == 0, output
    assert not COMPLAINTS.search(output), output
    client = python.folder / "generated_client"
    classes = (client / "models" / "__init__.py").read_text()
    missing = {
        name
        for name, schema in description["components"]["schemas"].items()
        if f'"{name}"' not in classes and "oneOf" not in schema
    }
    assert missing == set()
    modules = {path.stem: path.read_text() for path in client.glob("api/*/*.py")}
    for operation in operations(description).values():
        module = modules[re.sub(r"([A-Z])", r"_\1", operation.name).lower()]
        refusals = [status for status in operation.answers if status[0] in "45"]
        for status in refusals:
            assert f"response_{status} = Problem.from_dict(response.json())" in module


def test_a_program_in_python_is_typed_and_plays(python: Workshop, service: Served) -> None:
    checked = ended(begin(python.folder, BIN / "mypy", "python_program.py", "generated_client"))
    assert checked.code == 0, checked.output
    code, output = ended(begin(python.folder, sys.executable, "python_program.py", service.url))
    assert code == 0, output
    assert re.fullmatch(r"refused \w+\nopened classic@1\nended\n", output), output
