"""The remote bot that docs/tutorials/bot.md shows, over real HTTP, against bots of the service."""

import os
import re
import sys
from pathlib import Path

import pytest

from phaseledger.domain.commands import Draw, Hit
from phaseledger.domain.rulesets import GAMES
from phaseledger.service.client.bot import play
from phaseledger.service.client.client import Client
from phaseledger.service.client.protocol import Refused
from phaseledger.service.schemas.games import BotSeat, JoinTable, OpenTable, PersonSeat
from tests.support.campaigns import sampled
from tests.support.children import run
from tests.support.service.api_tables import SHORT
from tests.support.service.server import Served

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "tutorials" / "bot.md"
BOT = ROOT / "examples" / "remote_bot.py"
SEATS = (PersonSeat(), BotSeat())


def seated(client: Client) -> Client:
    opened = client.open(OpenTable(ruleset="classic", seats=SEATS, dealer=1, options=SHORT))
    joined = client.at(opened).join(JoinTable(name="Ada"))
    client.at(opened).start()
    return client.at(joined)


@pytest.mark.parametrize("ruleset", sampled(GAMES, "express", rest="system"))
def test_the_example_plays_every_game(served: Served, ruleset: str) -> None:
    ended = run(
        [sys.executable, BOT, served.url, ruleset], env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert ended.stderr == ""
    assert ended.stdout.startswith("winners: (")


def test_the_page_shows_the_example() -> None:
    shown = re.findall(r"<!-- remote bot:.*?```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert shown == [BOT.read_text()]


def test_a_choice_that_the_rules_forbid_is_not_passed_over(served: Served) -> None:
    with Client(served.url) as client, pytest.raises(Refused) as refused:
        play(seated(client), lambda view, questions, commands: Hit(group=0, cards="R1"))
    assert refused.value.code == "must_draw"


def test_somebody_else_with_the_same_seat_does_not_confuse_the_bot(served: Served) -> None:
    """Between question and answer another program answers; the bot goes on with what is next."""
    with Client(served.url) as client, Client(served.url) as other:
        me = seated(client)
        twin = other.at(me.session.game, me.session.token)
        meddled = []

        def choose(view, questions, commands):
            if not meddled and isinstance(commands[0], Draw):
                meddled.append(twin.command(Draw()))
            return commands[0]

        assert play(me, choose).table.stage == "ended"
        assert len(meddled) == 1


def test_a_seat_that_is_handed_over_ends_the_bot(served: Served) -> None:
    with Client(served.url) as client:
        me = seated(client)

        def choose(view, questions, commands):
            me.leave()
            return commands[0]

        with pytest.raises(Refused) as refused:
            play(me, choose)
        assert refused.value.code == "seat_handed_over"
