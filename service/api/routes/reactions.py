"""The route of reactions: six things that a player may say at the table, stored nowhere."""

from typing import Any
from uuid import UUID

from litestar import post
from litestar.params import FromPath, JSONBody

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.games.play import Sitting
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.streams import React, Reacted
from phaseledger.service.streams.errors import TooManyReactions
from phaseledger.service.streams.reactions import ReactionNotice, seconds_left


@post(
    "/games/{game:uuid}/reactions",
    status_code=204,
    **route_description(
        "sendReaction",
        Occasion.LOG,
        raises=(TooManyReactions, RejectCode.GAME_OVER),
        caller="seat",
        empty=(204,),
    ),
)
async def send_reaction(
    game: FromPath[UUID],
    data: JSONBody[React],
    sitting: Injected[Sitting],
    service: Injected[Service],
) -> None:
    """Say one of six things at the table: all open streams of the game are told.

    It is no part of the game: no log, receipt or replay has it, and a stream that is resumed does
    not repeat it. A seat may react three times at once and twelve times a minute, until five
    minutes after the end of the game.
    """
    now = await service.games.look(game)
    sitting.require(now)
    if now.revealed and not seconds_left(now):
        raise Rejected(RejectCode.GAME_OVER)
    service.attempts.react(game, sitting.seat)
    notice = ReactionNotice(str(game), Reacted(sitting.seat, data.reaction))
    if service.parts.announce is None:
        service.streams.tell(game, notice.reacted)
    else:
        await service.parts.announce(notice)


HANDLERS: list[Any] = [send_reaction]
