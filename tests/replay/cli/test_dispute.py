"""`verify --dispute`, and what `verify` says to the file."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from phaseledger.replay.evidence.verify.evidence import Document
from tests.support.replay.operator_games import OPERATOR
from tests.support.replay.processes import ENVIRON, ROOT, run
from tests.support.replay.two_stories import kept_receipts, story_bundle


class Files:
    """Both sides' bundles, one side's receipts, and a club's policy."""

    def __init__(self, folder: Path) -> None:
        self.hers, self.his = folder / "hers.bundle", folder / "his.bundle"
        self.receipts, self.policy = folder / "hers.ndjson", folder / "club.toml"
        self.dispute = folder / "table.dispute"
        self.hers.write_bytes(story_bundle(other_move=False))
        self.his.write_bytes(story_bundle(other_move=True))
        self.receipts.write_bytes(kept_receipts(self.hers.read_bytes()))
        self.policy.write_text(f'keys = ["{OPERATOR.public}"]\n')


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_one_file_settles_it(files: Files) -> None:
    given = ["--policy", files.policy, "--json"]
    apart = run(
        "verify",
        files.hers,
        files.his,
        "--receipt",
        files.receipts,
        "--dispute",
        files.dispute,
        *given,
    )
    together = run("verify", files.dispute, *given)
    assert (apart.returncode, together.returncode) == (6, 6)
    before, after = (msgspec.json.decode(done.stdout, type=Document) for done in (apart, together))
    for document, folder in ((before, files.hers.parent), (after, files.dispute)):
        (parting,) = document.stories
        sources = [side.source for side in parting.sides]
        assert sources == [f"{folder}/hers.bundle", f"{folder}/his.bundle"]
        assert parting.conclusion.startswith("The operator has signed both")
        assert parting.receipts[0].first > 10
    for first, second in zip(before.bundles, after.bundles, strict=True):
        assert first.problems
        assert [(problem.code, problem.seq) for problem in first.problems] == [
            (problem.code, problem.seq) for problem in second.problems
        ]


def test_where_the_stories_part_is_said_first(files: Files, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    done = run("verify", files.hers, files.his, "--policy", files.policy, "--report", report)
    lines = done.stdout.decode().splitlines()

    assert lines[0].startswith("TWO STORIES of game ")
    assert "the same up to event 9" in lines[0]
    assert "Two stories of one game" in report.read_text()


def test_a_dispute_by_standard_input(files: Files) -> None:
    run("verify", files.hers, "--receipt", files.receipts, "--dispute", files.dispute)
    done = subprocess.run(
        [sys.executable, "-m", "phaseledger.replay.cli.main", "verify", "-"],
        cwd=ROOT,
        env=ENVIRON,
        input=files.dispute.read_bytes(),
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0
    assert b"receipts that were kept fit the events" in done.stdout
    assert b"-/hers.bundle" in done.stdout


def test_a_damaged_side_does_not_silence_the_other(files: Files) -> None:
    files.his.write_bytes(files.his.read_bytes()[:-1])
    made = run(
        "verify", files.hers, files.his, "--receipt", files.receipts, "--dispute", files.dispute
    )
    done = run("verify", files.dispute)

    assert (made.returncode, done.returncode) == (5, 5)
    assert f"{files.dispute}/his.bundle:".encode() in done.stderr
    assert b"receipts that were kept fit the events" in done.stdout


def test_a_dispute_file_that_was_changed_is_refused(files: Files) -> None:
    run("verify", files.hers, "--dispute", files.dispute)
    files.dispute.write_bytes(files.dispute.read_bytes().replace(b"Seat 1", b"Seat 7"))
    done = run("verify", files.dispute)

    assert (done.returncode, done.stdout) == (5, b"")
    assert b"the dispute file is damaged: hers.bundle is not what was written" in done.stderr


def test_what_cannot_be_put_into_a_dispute(files: Files, tmp_path: Path) -> None:
    run("verify", files.hers, "--dispute", files.dispute)
    second = tmp_path / "again.dispute"

    assert run("verify", files.dispute, "--dispute", second).returncode == 2
    assert run("verify", "-", "--dispute", second, given=b"").returncode == 2
    assert run("verify", tmp_path / "missing", "--dispute", second).returncode == 5
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run("verify", pipe, "--dispute", second).returncode == 2
    assert not second.exists()


@pytest.mark.parametrize("name", ["hers", "receipts"])
def test_no_file_is_replaced_by_the_dispute_about_it(files: Files, name: str) -> None:
    path: Path = getattr(files, name)
    before = path.read_bytes()
    done = run("verify", files.hers, "--receipt", files.receipts, "--dispute", path)

    assert (done.returncode, path.read_bytes()) == (2, before)
    assert b"is named twice" in done.stderr


@pytest.mark.parametrize("name", ["hers", "dispute"])
def test_a_pipe_is_read_once(files: Files, name: str) -> None:
    """As with <(curl ...): what was looked at cannot be read again."""
    run("verify", files.hers, "--dispute", files.dispute)
    pipe = files.hers.with_name("pipe")
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[getattr(files, name).read_bytes()])
    writer.start()
    done = run("verify", pipe)
    writer.join()

    assert (done.returncode, done.stderr) == (0, b"")
