"""A seat's command, with deadlines that have passed enforced before it."""

from collections.abc import Collection
from contextlib import suppress
from uuid import UUID

from phaseledger.domain.commands import Act, Rejected, RevealSecret
from phaseledger.service.games.game import Answer
from phaseledger.service.games.overdue import claim, close_if_due
from phaseledger.service.games.sitting import Sitting
from phaseledger.service.games.time_limits import Late
from phaseledger.service.games.writer import GameService
from phaseledger.service.schemas.versions import KnownVersion


async def play(
    games: GameService,
    game: UUID,
    act: Act,
    key: str,
    *,
    sitting: Sitting,
    versions: Collection[KnownVersion] | None,
    reveal_seconds: int,
) -> Answer:
    """Carry out a seat's command, after the time-out or end of any deadline that has passed.

    ``reveal_seconds`` is for a table that does not say how long it waits for secrets.

    Raises:
        what `GameService.send` does.

    """
    if isinstance(act.command, RevealSecret):
        await close_if_due(games, game, reveal_seconds)

    async def send() -> Answer:
        return await games.send(game, act, key, versions, sitting.require_to_play, sitting.since)

    try:
        return await send()
    except Late:
        with suppress(Rejected):  # somebody else was faster
            await claim(games, await games.look(game), game, sitting.seat)
        return await send()
