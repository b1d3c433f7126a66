"""The lists of commands: each says what every command is for."""

import re

import pytest

from phaseledger.service.cli.main import app


@pytest.mark.parametrize("group", ["admin", "keys", "projections"])
def test_every_command_of_a_list_has_its_sentence(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        app([group, "--help"])
    text = capsys.readouterr().out

    assert re.findall(r"│ ([a-z-]+) +\S", text)
    assert re.findall(r"│ ([a-z-]+) +│", text) == []
