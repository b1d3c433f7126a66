"""Programs on the pages run as they stand: the README's Python, and the reader of a stream."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from phaseledger.client import BotSeat, Client, OpenTable
from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from tests.support.children import run
from tests.support.service.applications import made
from tests.support.service.server import Served, serving

ROOT = Path(__file__).parents[2]


def snippet(page: str, language: str, word: str) -> str:
    """The one program on the page in that language that has the word."""
    text = (ROOT / page).read_text()
    (program,) = (
        program
        for program in re.findall(rf"```{language}\n(.*?) *```", text, re.DOTALL)
        if word in program
    )
    return program


@pytest.mark.system
def test_the_program_of_the_readme_plays_a_game(served: Served) -> None:
    program = snippet("README.md", "python", "Client(")
    assert program.count("http://127.0.0.1:8000") == 1
    program = program.replace("http://127.0.0.1:8000", served.url)
    # Whoever always does what is listed first may never go out: the README's reader may wait.
    program = program.replace("seats=(", 'options={"max_turns_per_round": 60}, seats=(')

    ended = run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert ended.stderr == ""
    assert re.fullmatch(r"\(\d(, \d)*,?\)\n", ended.stdout)


@pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here: apt-get install nodejs")
def test_the_reader_of_a_stream_reads_a_game_to_its_end(served: Served) -> None:
    program = snippet("docs/how-to/follow-a-game.md", "js", "async function follow")
    with Client(served.url) as client:
        opened = client.open(
            OpenTable(
                ruleset="classic",
                seats=(BotSeat(), BotSeat()),
                options={"max_turns_per_round": 4},
            )
        )
        client.at(opened).start()
    program += f"""
    const read = [];
    await follow("{served.url}/v1/games/{opened.game}/events", "{opened.host_token}",
      (event, data, id) => read.push([event, data.version, id.split("-")[0]]));
    console.log(JSON.stringify(read));
    """
    ended = run(["node", "--input-type=module", "-e", program])
    assert ended.stderr == ""
    first, *_, last = json.loads(ended.stdout)
    assert first[0] in ("state", "events")
    assert last[0] == "end"
    assert last[1:] == [int(last[2]), last[2]]


@pytest.mark.system
def test_the_programs_of_applications_open_tables(settings: Settings) -> None:
    with serving(in_postgres(settings)) as service:
        for page, says in (
            ("docs/how-to/connect-an-application.md", "Club "),
            (
                "docs/how-to/test-an-application.md",
                "round 2 phase 2\nBen is late, so a bot moves: greedy\n",
            ),
        ):
            program = snippet(page, "python", "Client(")
            for shown, given in (
                ("http://127.0.0.1:8000", service.url),
                ("p10k_...", made(settings)),
            ):
                assert program.count(shown) == 1
                program = program.replace(shown, given)
            ended = run(
                [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT)}
            )
            assert (ended.stderr, ended.stdout[: len(says)]) == ("", says)


@pytest.mark.system
@pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here: apt-get install nodejs")
def test_the_program_of_a_site_seats_a_member(settings: Settings) -> None:
    source = (ROOT / "clients" / "js" / "src" / "index.js").as_uri()
    with serving(in_postgres(settings), openers="applications") as service:
        program = snippet("docs/how-to/embed-a-table.md", "js", "new Phaseledger(")
        for shown, given in (
            ("https://play.example", service.url),
            ('"phaseledger"', f'"{source}"'),
        ):
            assert program.count(shown) == 1
            program = program.replace(shown, given)
        program += "console.log((await phaseledger.at(token).view(game)).table.stage);"
        ended = run(
            ["node", "--input-type=module", "-e", program],
            env={**os.environ, "PHASELEDGER_KEY": made(settings)},
        )
        assert (ended.stderr, ended.stdout) == ("", "playing\n")
