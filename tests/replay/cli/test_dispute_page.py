"""docs/how-to/settle-a-dispute.md: every command is run, and prints what stands under it."""

import re
from pathlib import Path

import pytest

from phaseledger.replay.evidence.verify.codes import CODES
from tests.support.cases import looped
from tests.support.replay.disputed_games import write_files
from tests.support.replay.page_commands import commands, is_printed
from tests.support.replay.processes import ROOT, run

PAGE = (ROOT / "docs" / "how-to" / "settle-a-dispute.md").read_text()
COMPLAINTS = (
    "The server cheated",
    "I never made that move",
    "My move was dropped",
    "They timed me out",
)


def test_every_command_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    count = 0
    for (program, *arguments), expected in commands(PAGE):
        done = run(*arguments)
        printed = done.stdout.decode().splitlines()
        assert program == "phaseledger"
        assert is_printed(expected, printed), (arguments, expected, printed)
        is_sound = not expected or expected[0].startswith(("SOUND", "NOTHING WRONG"))
        assert (done.returncode == 0) == is_sound or "--dispute" in arguments, arguments
        count += 1
    assert count == 11


def test_the_position_that_the_page_speaks_of(tmp_path: Path) -> None:
    write_files(tmp_path)
    (command,) = re.findall(r"`phaseledger (replay .+? --at \d+)`", PAGE)
    name, *arguments = command.split()[1:]

    assert b"Round 1 ends" in run("replay", tmp_path / name, *arguments).stdout


@looped("complaint", COMPLAINTS)
def test_each_complaint_is_settled_by_one_command(complaint: str) -> None:
    section = PAGE.partition(f'## "{complaint}"\n')[2].partition("\n## ")[0]
    first = section.partition("```\n")[2].partition("```")[0]

    assert first.count("$ phaseledger verify ") == 1


def test_the_codes_of_the_page_are_explained() -> None:
    assert {"equivocation", "cut_off"} <= {*re.findall(r"`(\w+)`", PAGE)} & {*CODES}


def test_another_output_would_be_noticed() -> None:
    printed = ["SOUND: yes", "  a", "  b"]
    assert is_printed(["SOUND: ...", "  b"], printed)
    for other in (["WRONG"], ["  a"], ["SOUND: yes", "  b", "  a"], ["SOUND: yes", "  c"]):
        assert not is_printed(other, printed)
