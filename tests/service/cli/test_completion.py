"""Completion in a shell: of commands, and of their flags."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import children, forked
from tests.support.environment import plain_environment

COMPLETE = """
. ~/.bashrc
set -- $(complete -p phaseledger)
while [ "$1" != -F ]; do shift; done
COMP_WORDS=($LINE) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$LINE COMP_POINT=${#LINE}
"$2" phaseledger "${COMP_WORDS[COMP_CWORD]}"
printf '%s ' "${COMPREPLY[@]}"
"""
"""What bash does for the tabulator key at the end of a line."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a user who has installed the completion for bash."""
    home = tmp_path_factory.mktemp("home")
    mine = plain_environment() | {"HOME": str(home)}
    done = forked.phaseledger("--install-completion", "--shell", "bash", env=mine)
    assert done.returncode == 0, done.stderr
    return home


def test_a_bash_completes_a_command_and_a_flag(home: Path) -> None:
    for line, rest in (
        ("phaseledger simu", "simulate"),
        ("phaseledger ver", "verify verifier"),
        ("phaseledger simulate --tour", "--tournament"),
        ("phaseledger admin backup --no-ch", "--no-check"),
    ):
        mine = plain_environment() | {"HOME": str(home), "LINE": line}
        done = subprocess.run(
            ["bash", "--norc", "-c", COMPLETE], env=mine, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == rest.split(), (line, done.stderr)


def test_the_script_is_made_without_the_web_framework() -> None:
    program = """
import sys
from phaseledger.service.cli.main import app
assert "--tournament" in app.generate_completion(shell="fish")
print("litestar" in sys.modules)
"""
    done = children.run([sys.executable, "-c", program], env=plain_environment())
    assert done.stdout == "False\n", done.stderr
