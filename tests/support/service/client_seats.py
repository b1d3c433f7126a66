"""What the tests of the client share: seats at tables, and choices."""

from collections.abc import Callable

import msgspec
import pytest

from phaseledger.domain.commands import Lay
from phaseledger.service.client.client import Client
from phaseledger.service.client.protocol import Refused, Retry
from phaseledger.service.schemas.games import BotSeat, JoinTable, OpenTable, PersonSeat
from tests.support.polling import eventually

PERSON, BOT = PersonSeat(), BotSeat()
QUICK = Retry(attempts=4, first=0.01)


def seated(client: Client, *, ruleset: str = "classic", start: bool = True) -> Client:
    """A client at seat 0, which begins, against a bot."""
    opened = client.open(OpenTable(ruleset=ruleset, seats=(PERSON, BOT), dealer=1))
    joined = client.at(opened).join(JoinTable(name="Ada"))
    me = client.at(joined)
    if start:
        client.at(opened).start()
        # A first card that is a skip passes the bot the first turn.
        eventually(lambda: me.view().table.active, lambda seat: seat != 1)
    return me


def seqs(events: tuple[msgspec.Raw, ...]) -> list[int]:
    return [msgspec.json.decode(event)["seq"] for event in events]


def first(view, questions, commands):
    return next((command for command in commands if isinstance(command, Lay)), commands[0])


def refused(call: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refusal:
        call()
    return refusal.value
