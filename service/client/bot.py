"""Bots over the network: they play a seat with a function that chooses its commands."""

from collections.abc import Callable, Sequence
from contextlib import aclosing, closing
from typing import TypeAlias

from phaseledger.domain.commands import Play
from phaseledger.domain.state import Question
from phaseledger.service.client import operations as calls
from phaseledger.service.client.client import AsyncClient, Client
from phaseledger.service.client.protocol import Refused, Session, Steps
from phaseledger.service.client.stream import Moment
from phaseledger.service.schemas.games import GameView

Strategy: TypeAlias = Callable[[GameView, Sequence[Question], Sequence[Play]], Play]
"""A bot's strategy: from the seat's view, its open questions and the legal commands, one command.
Lays are listed at their least size and hits one card at a time; other legal commands may be
returned too.
"""

_OVERTAKEN = frozenset({"stale_version", "bot_answers", "game_over"})
"""Codes of refusals after which the game has moved on: there is another question, or none."""


def play(client: Client, choose: Strategy) -> GameView:
    """Play a seat until its game is over, and return the last view of it.

    The client is at its seat: ``client.at(joined)``. A guard's secret is revealed when it is due.

    Raises:
        Refused: the rules refuse the chosen command, or a bot has the seat for good.
        Unreachable: the service stays away for longer than the client's patience.

    """
    view = None
    with closing(client.follow()) as moments:
        for moment in moments:
            view = moment.view
            client.carry_out(_answer(client.session, moment, choose))
    return view or client.view()


async def play_async(client: AsyncClient, choose: Strategy) -> GameView:
    """`play`, for asyncio."""
    view = None
    async with aclosing(client.follow()) as moments:
        async for moment in moments:
            view = moment.view
            await client.carry_out(_answer(client.session, moment, choose))
    return view or await client.view()


def _answer(session: Session, moment: Moment, choose: Strategy) -> Steps[None]:
    """The steps that answer the moment's question, unless the game has moved on since."""
    if moment.asked is None:
        return
    asked, questions, commands = moment.asked, moment.asked.questions, moment.asked.commands
    try:
        if any(question.kind == "reveal" for question in questions):
            if session.guard is None or (yield from calls.owes_secret(session)):
                yield from calls.reveal(session)
        elif commands:
            command = choose(moment.view, questions, commands)
            yield from calls.command(session, command, if_match=asked)
    except Refused as error:
        if error.code not in _OVERTAKEN:
            raise
