"""Generators make whole clients of the description, and programs over these play a game.

openapi-typescript, @hey-api/openapi-ts, orval, openapi-python-client and openapi-generator, each
with the options of its users. The programs stand in clients/, and python_program.py; they are
compiled strictly. Of openapi-generator's clients Python's is in the suite, the others are in a
campaign: those in Java and Go where their compilers are (Debian: `default-jdk-headless`,
`golang-go`, `golang-gopkg-validator.v2-dev`).
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import openapi_generator_cli
import pytest

from tests.support.node import node_modules
from tests.support.openapi_operations import Description, operations
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import Served, serving

pytestmark = pytest.mark.system  # five generators, one in Java, and compilers

BIN = Path(sys.executable).parent
CLIENTS = Path(__file__).parent / "clients"
PROGRAMS = CLIENTS / "openapi_generator"
OPENAPI = Path(__file__).parents[2] / "openapi" / "openapi.json"
TYPESCRIPT = {
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
PLAYED = re.compile(r"refused \w+\nopened classic@1\nended.*\n")
JAR = Path(openapi_generator_cli.__file__).with_name("openapi-generator.jar")
"""The generator, which brings what its clients in Java use: Jackson."""
VALIDATOR = Path("/usr/share/gocode/src/gopkg.in/validator.v2")
NO_DOCS = (
    "models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false"
)
ANNOTATION = "package javax.annotation; public @interface Generated { String[] value(); %s }"
ANNOTATION %= 'String date() default ""; String comments() default "";'


def run(folder: Path, *command: object, **environment: str) -> str:
    """What a program says; the test fails where it does not succeed."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-5000:]
    return ended.stdout


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with serving(in_memory()) as served:
        yield served


def test_programs_in_typescript_compile_and_play(tmp_path: Path, service: Served) -> None:
    """Under `strict`; each plays a whole game and is refused once."""
    modules = node_modules()
    (tmp_path / "node_modules").symlink_to(modules)
    shutil.copy(CLIENTS / "tsconfig.json", tmp_path)
    (tmp_path / "apps").mkdir()
    for program in CLIENTS.glob("*.ts"):
        shutil.copy(program, tmp_path / "apps")
    for generator, *arguments in TYPESCRIPT.values():
        printed = run(tmp_path, modules / ".bin" / str(generator), *arguments)
        assert not COMPLAINTS.search(printed), printed
    assert run(tmp_path, modules / ".bin" / "tsc") == ""
    for name in TYPESCRIPT:
        assert PLAYED.fullmatch(run(tmp_path, "node", f"built/apps/{name}.js", service.url))


def test_a_program_in_python_is_typed_and_plays(
    tmp_path: Path, service: Served, description: Description
) -> None:
    """Every schema is a class, and every refusal of every operation is a `Problem`."""
    for path in (CLIENTS / "openapi_python_client.yml", CLIENTS / "mypy.ini"):
        shutil.copy(path, tmp_path)
    shutil.copy(CLIENTS.parent / "python_program.py", tmp_path)
    printed = run(tmp_path, BIN / PYTHON[0], *PYTHON[1:])
    assert not COMPLAINTS.search(printed), printed
    client = tmp_path / "generated_client"
    classes = (client / "models" / "__init__.py").read_text()
    for name, schema in description["components"]["schemas"].items():
        assert f'"{name}"' in classes or "oneOf" in schema, name
    modules = {path.stem: path.read_text() for path in client.glob("api/*/*.py")}
    for operation in operations(description).values():
        module = modules[re.sub(r"([A-Z])", r"_\1", operation.name).lower()]
        for status in operation.answers:
            refusal = f"response_{status} = Problem.from_dict(response.json())"
            assert status[0] not in "45" or refusal in module, (operation.name, status)
    run(tmp_path, BIN / "mypy", "python_program.py", "generated_client")
    assert PLAYED.fullmatch(run(tmp_path, sys.executable, "python_program.py", service.url))


# --- openapi-generator ----------------------------------------------------------------------------


def generate(folder: Path, language: str, output: str, *options: str) -> None:
    arguments = ("-i", OPENAPI, "-g", language, "-o", output, "--global-property", NO_DOCS)
    quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    program = BIN / "openapi-generator-cli"
    printed = run(folder, program, "generate", *arguments, *options, JDK_JAVA_OPTIONS=quick)
    assert "ERROR" not in printed
    assert "collision" not in printed.lower()


def python(folder: Path, url: str) -> str:
    generate(folder, "python", "client")
    program = shutil.copy(PROGRAMS / "play.py", folder / "client")
    return run(folder, sys.executable, "-W", "error", program, url)


def typescript_fetch(folder: Path, url: str) -> str:
    modules = node_modules()
    generate(folder, "typescript-fetch", "generated")
    (folder / "apps").mkdir()
    shutil.copy(PROGRAMS / "play.ts", folder / "apps")
    (folder / "node_modules").symlink_to(modules)
    options = ("--strict", "--target", "es2022", "--module", "commonjs", "--types", "node")
    compiled = run(folder, modules / ".bin/tsc", *options, "--outDir", "built", "apps/play.ts")
    assert compiled == ""
    return run(folder, "node", "built/apps/play.js", url)


def go(folder: Path, url: str) -> str:
    if not shutil.which("go") or not VALIDATOR.exists():
        pytest.skip("no Go here: apt-get install golang-go golang-gopkg-validator.v2-dev")
    generate(folder, "go", "src/openapi")
    (folder / "src" / "play").mkdir()
    shutil.copy(PROGRAMS / "play.go", folder / "src" / "play")
    path = f"{folder}:{VALIDATOR.parents[2]}"
    inside = {"GO111MODULE": "off", "GOPATH": path, "GOCACHE": str(folder / "cache")}
    assert run(folder, "go", "vet", "openapi", "play", **inside) == ""
    return run(folder, "go", "run", "play", url, **inside)


def java(folder: Path, url: str) -> str:
    if not shutil.which("javac"):
        pytest.skip("no Java compiler here: apt-get install default-jdk-headless")
    without = "--additional-properties=openApiNullable=false"
    generate(folder, "java", "client", "--library", "native", without)
    (folder / "Generated.java").write_text(ANNOTATION)
    sources = (folder / "client/src/main").rglob("*.java")
    options = ("-nowarn", "-proc:none", "-d", "built", "-cp", JAR)
    run(folder, "javac", *options, PROGRAMS / "Play.java", "Generated.java", *sources)
    return run(folder, "java", "-cp", f"built:{JAR}", "Play", url)


CAMPAIGN = [pytest.param(c, marks=pytest.mark.campaign) for c in (typescript_fetch, go, java)]


@pytest.mark.parametrize("client", [python, *CAMPAIGN], ids=lambda client: client.__name__)
def test_a_client_compiles_and_plays(
    tmp_path: Path, service: Served, client: Callable[[Path, str], str]
) -> None:
    """It is refused once, by a `Problem`, and knows the first event by its type."""
    played = client(tmp_path, service.url)
    assert played == "refused must_draw\nopened classic@1\nended\n"
