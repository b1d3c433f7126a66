"""Each command as a process of its own: it prints and ends as it does when a test calls it."""

import json
import subprocess
from pathlib import Path

import pytest

from phaseledger.replay.cli.main import COMMANDS
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.replay.bundles import good as good_bundle
from tests.support.replay.processes import COMMAND, ENVIRON, GOOD, run, run_process

CALLS = {
    "replay": ["replay", "-", "--at", "8", "--seat", "1"],
    "viewer": ["viewer", "BUNDLE", "--public", "--lang", "de"],
    "analyse": ["analyse", "FILE"],
    "audit": ["audit", "FILE", "-", "missing"],
    "rejudge": ["rejudge", "FILE", "--option", "max_turns_per_round=1"],
    "verify": ["verify", "BUNDLE", "--quiet", "missing"],
    "explain": ["explain", "equivocate"],
    "verifier": ["verifier"],
    "export": ["export", "FILE", "--public"],
    "simulate": ["simulate", "--seed", "cup", "--option", "variant=n_phases(1)"],
    "query": ["query", "--csv", "SELECT seq, type FROM events ORDER BY seq", "-"],
    "report": ["report", "FILE", "--timelines", "0", "--jobs", "1"],
    "rules": ["rules", "show", "chess"],
    "odds": ["odds", "--phase", "4"],
}
ENDS = {"audit": 5, "rejudge": 1, "verify": 5, "explain": 2, "rules": 2}
"""The exit codes that are not 0."""


@pytest.mark.parametrize("name", sampled(COMMANDS, "audit", "verify", "query"))
def test_a_process_does_as_a_call_does(
    name: str, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.bundle").write_bytes(b"".join(good_bundle()))
    files = {"FILE": str(good), "BUNDLE": "game.bundle"}
    words = [files.get(word, word) for word in CALLS[name]]
    process, called = (start(*words, given=GOOD) for start in (run_process, run))

    assert process.returncode == ENDS.get(name, 0)
    assert (called.returncode, called.stdout, called.stderr) == (
        process.returncode, process.stdout, process.stderr,
    )  # fmt: skip
    assert process.stdout + process.stderr


@looped(
    "words",
    [
        ["rules", "list", "--json", "--lang", "de"],
        ["query", "--json", "SELECT 'Jos\xe9' AS name", "-"],
        ["viewer", "-", "--json"],
    ],
    ids=lambda words: words[0],
)
def test_json_is_utf_8_whatever_standard_output_is(words: list[str]) -> None:
    environ = {**ENVIRON, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run([*COMMAND, *words], input=GOOD, capture_output=True, env=environ)

    assert not done.stdout.isascii()
    assert json.loads(done.stdout)


def test_standard_input_may_be_a_file_that_is_named_too(good: Path) -> None:
    with good.open("rb") as stream:
        done = subprocess.run(
            [*COMMAND, "audit", "-", good], stdin=stream, capture_output=True, env=ENVIRON
        )

    assert (done.returncode, done.stdout) == (2, b"")


def test_the_list_of_commands_tells_what_each_does() -> None:
    """The program alone imports them all, for their first sentences."""
    listed = subprocess.run([*COMMAND, "--help"], capture_output=True, env=ENVIRON, check=True)
    first_words = dict(line.split()[1:3] for line in listed.stdout.decode().splitlines()
                       if line.startswith("\N{BOX DRAWINGS LIGHT VERTICAL} "))  # fmt: skip

    assert {*COMMANDS} <= {*first_words}
    assert all(word[0].isupper() for name, word in first_words.items() if name in COMMANDS)
