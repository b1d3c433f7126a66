"""The lists of commands: each says what every command is for."""

import re
import sys

import pytest

from phaseledger.service.cli.main import MOVED, app, main


def test_every_command_of_a_list_has_its_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for group in (["admin"], ["admin", "keys"]):
        with pytest.raises(SystemExit):
            app([*group, "--help"])
        text = capsys.readouterr().out

        assert re.findall(r"│ ([a-z-]+) +\S", text)
        assert re.findall(r"│ ([a-z-]+) +│", text) == []


def test_an_earlier_spelling_says_where_the_command_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, now in MOVED.items():
        assert app["admin"][now]
        monkeypatch.setattr(sys, "argv", ["phaseledger", name, "--a-flag"])
        with pytest.raises(SystemExit, match="2"):
            main()
        assert capsys.readouterr().err == f"phaseledger: It is `phaseledger admin {now}` now.\n"
