"""The tutorials of games in files: every command is run, and prints what stands under it."""

import subprocess
from pathlib import Path

import pytest

from tests.support.cases import looped
from tests.support.replay.page_commands import commands, is_printed
from tests.support.replay.processes import ROOT, run

TUTORIALS = {
    "first-dispute": {},
    "ten-thousand-games": {"10000": "12", "1000": "3"},
    "first-analysis": {},
}
"""The numbers of games that the test plays in place of the page's."""


@looped("name", TUTORIALS)
def test_every_command_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "tutorials" / f"{name}.md").read_text()
    given = [*commands(page)]
    assert given
    for (program, *arguments), expected in given:
        if program == "sed":
            subprocess.run([" ".join([program, f"'{arguments[0]}'", *arguments[1:]])], shell=True)
            continue
        words = [TUTORIALS[name].get(word, word) for word in arguments]
        words += {"simulate": ["--jobs", "1"], "viewer": ["--worlds", "0"]}.get(words[0], [])
        done = run(*words)
        printed = done.stdout.decode().splitlines()
        assert program == "phaseledger"
        assert is_printed(expected, printed), (arguments, done.stderr, printed)
