"""openapi-generator makes clients that compile and play a game, with the options of its users.

Python's in the suite, the others in a campaign: those in Java and Go where their compilers are
(Debian: `default-jdk-headless`, `golang-go`, `golang-gopkg-validator.v2-dev`). The programs over
the clients stand in clients/openapi_generator.
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

from phaseledger.service.app import in_memory
from tests.support.node import node_modules
from tests.support.service.server import Served, serving

pytestmark = pytest.mark.system  # a generator in Java, and compilers

OPENAPI = Path(__file__).parents[2] / "openapi" / "openapi.json"
PROGRAMS = Path(__file__).parent / "clients" / "openapi_generator"
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
    ended = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-5000:]
    return ended.stdout


def generate(folder: Path, language: str, output: str, *options: str) -> None:
    generator = Path(sys.executable).with_name("openapi-generator-cli")
    arguments = ("-i", OPENAPI, "-g", language, "-o", output, "--global-property", NO_DOCS)
    quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    printed = run(folder, generator, "generate", *arguments, *options, JDK_JAVA_OPTIONS=quick)
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
    assert (
        run(folder, modules / ".bin" / "tsc", *options, "--outDir", "built", "apps/play.ts") == ""
    )
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
    sources = [
        PROGRAMS / "Play.java",
        "Generated.java",
        *(folder / "client/src/main").rglob("*.java"),
    ]
    run(folder, "javac", "-nowarn", "-proc:none", "-d", "built", "-cp", JAR, *sources)
    return run(folder, "java", "-cp", f"built:{JAR}", "Play", url)


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with serving(in_memory()) as served:
        yield served


@pytest.mark.parametrize(
    "client",
    [
        python,
        *(
            pytest.param(client, marks=pytest.mark.campaign)
            for client in (typescript_fetch, go, java)
        ),
    ],
    ids=lambda client: client.__name__,
)
def test_a_client_compiles_and_plays(
    tmp_path: Path, service: Served, client: Callable[[Path, str], str]
) -> None:
    """It is refused once, by a `Problem`, and knows the first event by its type."""
    assert re.fullmatch(
        r"refused must_draw\nopened classic@1\nended\n", client(tmp_path, service.url)
    )
