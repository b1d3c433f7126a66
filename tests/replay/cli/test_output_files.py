"""Where the commands write to: files, links, pipes and devices, and places that take nothing."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from phaseledger.replay.cli.main import EXIT_CODES
from tests.support.children import finished
from tests.support.replay.bundles import game
from tests.support.replay.operator_games import bundled
from tests.support.replay.processes import COMMAND, ENVIRON, ROOT, run

WRITERS = {
    "export": ["export", "GAMES", "--out"],
    "report": ["report", "GAMES", "--jobs", "1", "-o"],
    "verifier": ["verifier", "--out"],
    "verify": ["verify", "BUNDLE", "--report"],
}
"""The commands that put a file in the place of the one before."""

SIMULATE = ["simulate", "--seed", "cup", "--players", "2", "--out"]
ALL = {**WRITERS, "simulate": SIMULATE}


@pytest.fixture(params=ALL)
def writing(request: pytest.FixtureRequest, good: Path, tmp_path: Path) -> list[str]:
    """A command but for the name of the file that it writes."""
    bundle = tmp_path / "game.bundle"
    bundle.write_bytes(b"".join(bundled(game("classic"))))
    given = {"GAMES": str(good), "BUNDLE": str(bundle)}
    return [given.get(word, word) for word in ALL[request.param]]


@pytest.fixture
def written(writing: list[str], tmp_path: Path) -> bytes:
    """What it writes."""
    assert run(*writing, tmp_path / "plain").returncode == 0
    return (tmp_path / "plain").read_bytes()


# --- places that take nothing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("no/x", b"No such file or directory"),
        ("good.ndjson/x", b"Not a directory"),
        ("x" * 300, b"File name too long"),
        pytest.param(
            "/dev/full",
            b"No space left on device",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux"),
        ),
    ],
)
def test_an_output_that_cannot_be_written(
    writing: list[str], out: str, why: bytes, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    done = run(*writing, tmp_path / out)

    assert (done.returncode, done.stdout) == (5, b"")
    assert done.stderr.startswith(f"{tmp_path / out}: cannot be written: ".encode() + why)
    assert sorted(tmp_path.iterdir()) == before


def test_the_help_and_the_documents_say_the_same() -> None:
    words = "5 unreadable or damaged input, or output that cannot be written"

    assert words in EXIT_CODES
    assert words in " ".join((ROOT / "docs" / "replay.md").read_text().split())
    assert words in " ".join((ROOT / "docs" / "evidence.md").read_text().replace("|", "").split())


# --- links, pipes and standard output -------------------------------------------------------------


@pytest.mark.parametrize("before", [None, "older"])
def test_a_link_stays_and_what_it_leads_to_is_written(
    before: str | None, writing: list[str], written: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    link = tmp_path / "link"
    link.symlink_to("folder/file")
    if before and writing != SIMULATE:  # which replaces nothing
        (folder / "file").write_text(before)
    done = run(*writing, link)

    assert (done.returncode, link.readlink()) == (0, Path("folder/file"))
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


@pytest.mark.parametrize("name", ["pipe", "link"])
def test_a_pipe_is_written_to(
    name: str, writing: list[str], written: bytes, tmp_path: Path
) -> None:
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
