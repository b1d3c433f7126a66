"""A seat's command: the caller's sitting, and deadlines enforced before the command."""

from collections.abc import Collection
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.commands import Act, Rejected, RevealSecret
from phaseledger.service.games.errors import BotAnswers
from phaseledger.service.games.game import Answer, Snapshot, require_in_person
from phaseledger.service.games.overdue import claim, close_if_due
from phaseledger.service.games.time_limits import Late, require_in_time
from phaseledger.service.games.writer import GameService
from phaseledger.service.schemas.versions import KnownVersion


class Sitting(NamedTuple):
    """A seat, and since which version of the game its token counts."""

    seat: int
    since: int

    def require(self, now: Snapshot) -> None:
        """Require that the seat is still the caller's; raises SeatGivenUp, BotHasSeat."""
        require_in_person(now, self.seat, self.since)

    def require_to_play(self, now: Snapshot) -> None:
        """Require that the caller has the seat, plays it in person, and is in time.

        Raises:
            SeatGivenUp, BotHasSeat, BotAnswers, Late: one of these does not hold.

        """
        self.require(now)
        sitting = now.state.seats[self.seat]
        if sitting and sitting.stand_in and any(q.seat == self.seat for q in now.state.waits):
            raise BotAnswers
        require_in_time(now, self.seat)


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
    """Carry out a seat's command, after the time-out of each deadline that has passed.

    ``reveal_seconds`` is the wait for secrets where `TableSealed` names none.

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
        with suppress(Rejected):  # another process timed the seat out
            await claim(games, await games.look(game), game, sitting.seat)
        return await send()
