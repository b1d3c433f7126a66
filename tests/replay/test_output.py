"""Where the commands write to: files, links, pipes and devices, and places that take nothing."""

from pathlib import Path

import pytest

from replay.cli import EXIT_CODES
from tests.replay.processes import ROOT, run
from tests.replay.staged import bundled
from tests.replay.test_bundle import game

WRITERS = {
    "export": ["export", "GAMES", "--out"],
    "report": ["report", "GAMES", "--jobs", "1", "-o"],
    "verifier": ["verifier", "--out"],
    "verify": ["verify", "BUNDLE", "--report"],
}
"""The commands that put a file in the place of the one before."""


@pytest.fixture(params=WRITERS)
def writing(request: pytest.FixtureRequest, good: Path, tmp_path: Path) -> list[str]:
    """A command but for the name of the file that it writes."""
    bundle = tmp_path / "game.bundle"
    bundle.write_bytes(b"".join(bundled(game("classic"))))
    given = {"GAMES": str(good), "BUNDLE": str(bundle)}
    return [given.get(word, word) for word in WRITERS[request.param]]


# --- places that take nothing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("no/x", b"No such file or directory"),
        ("good.ndjson/x", b"Not a directory"),
        (".", b"Is a directory"),
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
    assert done.stderr == f"{tmp_path / out}: cannot be written: ".encode() + why + b".\n"
    assert sorted(tmp_path.iterdir()) == before


def test_the_help_and_the_readme_say_the_same() -> None:
    words = "5 unreadable or damaged input, or output that cannot be written"

    assert words in EXIT_CODES
    assert words in " ".join((ROOT / "README.md").read_text().split())
    assert words in " ".join((ROOT / "docs" / "evidence.md").read_text().replace("|", "").split())
