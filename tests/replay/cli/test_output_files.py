"""Where the commands write to: files, links, pipes and devices, and places that take nothing."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from phaseledger.replay.cli.main import EXIT_CODES
from tests.support.cases import looped
from tests.support.children import finished
from tests.support.replay.bundles import game
from tests.support.replay.operator_games import bundled
from tests.support.replay.processes import COMMAND, ENVIRON, GOOD, ROOT, run

WRITERS = {
    "export": ["export", "GAMES", "--out"],
    "report": ["report", "GAMES", "--jobs", "1", "-o"],
    "verifier": ["verifier", "--out"],
    "verify": ["verify", "BUNDLE", "--report"],
}
"""The commands that put a file in the place of the one before."""

SIMULATE = ["simulate", "--seed", "cup", "--players", "2", "--out"]
ALL = {**WRITERS, "simulate": SIMULATE}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files lie that the commands read."""
    path = tmp_path_factory.mktemp("read")
    (path / "good.ndjson").write_bytes(GOOD)
    (path / "game.bundle").write_bytes(b"".join(bundled(game("classic"))))
    return path


@pytest.fixture(scope="module", params=ALL)
def writing(request: pytest.FixtureRequest, folder: Path) -> list[str]:
    """A command but for the name of the file that it writes."""
    given = {"GAMES": str(folder / "good.ndjson"), "BUNDLE": str(folder / "game.bundle")}
    return [given.get(word, word) for word in ALL[request.param]]


@pytest.fixture(scope="module")
def written(writing: list[str], folder: Path) -> bytes:
    """What it writes."""
    plain = folder / f"{writing[0]}.plain"
    assert run(*writing, plain).returncode == 0
    return plain.read_bytes()


# --- places that take nothing ---------------------------------------------------------------------

PLACES = [
    ("no/x", b"No such file or directory"),
    ("file/x", b"Not a directory"),
    ("x" * 300, b"File name too long"),
    *([("/dev/full", b"No space left on device")] if Path("/dev/full").exists() else []),
]


@looped(("out", "why"), PLACES)
def test_an_output_that_cannot_be_written(
    writing: list[str], out: str, why: bytes, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    done = run(*writing, tmp_path / out)

    assert (done.returncode, done.stdout) == (5, b"")
    assert done.stderr.startswith(f"{tmp_path / out}: cannot be written: ".encode() + why)
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


def test_the_help_and_the_documents_say_the_same() -> None:
    words = "5 unreadable or damaged input, or output that cannot be written"

    assert words in EXIT_CODES
    assert words in " ".join(
        (ROOT / "docs" / "how-to" / "replay-and-simulate.md").read_text().split()
    )
    assert words in " ".join(
        (ROOT / "docs" / "reference" / "verify.md").read_text().replace("|", "").split()
    )


# --- links, pipes and standard output -------------------------------------------------------------


@looped("before", ["", "older"])
def test_a_link_stays_and_what_it_leads_to_is_written(
    before: str, writing: list[str], written: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / f"folder{before}"
    folder.mkdir()
    link = folder.with_suffix(".link")
    link.symlink_to(f"{folder.name}/file")
    if before and writing != SIMULATE:  # which replaces nothing
        (folder / "file").write_text(before)
    done = run(*writing, link)

    assert (done.returncode, link.readlink()) == (0, Path(f"{folder.name}/file"))
    assert [path.name for path in folder.iterdir()] == ["file"]
    assert (folder / "file").read_bytes() == written


@contextmanager
def read_into(file: Path, pipe: Path) -> Iterator[None]:
    """Read all of a pipe meanwhile, by a process that is not left behind."""
    with file.open("wb") as copy, subprocess.Popen(["cat", pipe], stdout=copy) as process:
        try:
            yield
            finished(process)
        finally:
            process.kill()


@looped("name", ["pipe", "link"])
def test_a_pipe_is_written_to(
    name: str, writing: list[str], written: bytes, tmp_path: Path
) -> None:
    if name == "pipe":
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "link").symlink_to("pipe")
    with read_into(tmp_path / "read", tmp_path / "pipe"):
        done = run(*writing, tmp_path / name)

    assert done.returncode == 0
    assert (tmp_path / "read").read_bytes() == written
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link").is_symlink()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux")
def test_standard_output_by_name_loses_nothing(
    writing: list[str], written: bytes, tmp_path: Path
) -> None:
    """A link of our own: code that goes wrong could replace /dev/stdout."""
    link, log = tmp_path / "stdout", tmp_path / "log"
    link.symlink_to("/proc/self/fd/1")
    log.write_bytes(b"before\n")
    with log.open("ab") as file:
        subprocess.run([*COMMAND, *writing, link], stdout=file, env=ENVIRON, check=True)

    assert log.read_bytes().startswith(b"before\n" + written)
    assert link.is_symlink()
