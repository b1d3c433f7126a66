"""Bots that play over the network: all that one needs to say is how it chooses."""

from collections.abc import Callable, Sequence
from contextlib import aclosing, closing
from typing import TypeAlias

from phaseledger.domain.commands import Play
from phaseledger.domain.state import Question
from phaseledger.service.client import operations as calls
from phaseledger.service.client.client import AsyncClient, Client, Moment, Refused
from phaseledger.service.client.protocol import Session, Steps
from phaseledger.service.schemas.games import GameView

Strategy: TypeAlias = Callable[[GameView, Sequence[Question], Sequence[Play]], Play]
"""The game as the seat sees it, what the seat is asked, and the legal answers, to one of them. Lays
are listed at their least size and hits one card at a time; what else is legal may be answered too.
"""

_GONE_ON = frozenset({"stale_version", "bot_answers", "game_over"})
"""Refusals after which something else is asked, or nothing any more."""


def play(client: Client, choose: Strategy) -> GameView:
    """Play a seat until its game is over, and return the last view of it.

    The client is at its seat: ``client.at(joined)``. A guard's secret is revealed when it is due.

    Raises:
        Refused: the rules do not allow what was chosen, or a bot has the seat for good.
        Unreachable: the service stays away for longer than the client's patience.

    """
    view = None
    with closing(client.follow()) as moments:
        for now in moments:
            view = now.view
            client.carry_out(_answer(client.session, now, choose))
    return view or client.view()


async def play_async(client: AsyncClient, choose: Strategy) -> GameView:
    """`play`, for asyncio."""
    view = None
    async with aclosing(client.follow()) as moments:
        async for now in moments:
            view = now.view
            await client.carry_out(_answer(client.session, now, choose))
    return view or await client.view()


def _answer(session: Session, now: Moment, choose: Strategy) -> Steps[None]:
    """Answer what is asked, if anything is, and nothing else has happened since."""
    if now.asked is None:
        return
    version, questions, commands = now.asked.version, now.asked.questions, now.asked.commands
    try:
        if any(question.kind == "reveal" for question in questions):
            yield from calls.reveal(session)
        elif commands:
            chosen = choose(now.view, questions, commands)
            yield from calls.command(session, chosen, if_match=version)
    except Refused as refused:
        if refused.code not in _GONE_ON:
            raise
