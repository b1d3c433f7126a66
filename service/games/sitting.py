"""A sitting: a seat, and the version of its game from which the caller has it."""

from typing import NamedTuple

from phaseledger.service.games.errors import BotAnswers
from phaseledger.service.games.game import Snapshot, require_in_person
from phaseledger.service.games.time_limits import require_in_time


class Sitting(NamedTuple):
    """A seat, and since which version of the game its token counts."""

    seat: int
    since: int

    def require(self, now: Snapshot) -> None:
        """Require that nobody else has the seat by now.

        Raises:
            SeatGivenUp, BotHasSeat: somebody has.

        """
        require_in_person(now, self.seat, self.since)

    def require_to_play(self, now: Snapshot) -> None:
        """Require that nobody else has the seat by now, or answers for it, and that it is not late.

        Raises:
            SeatGivenUp, BotHasSeat, BotAnswers, Late: as they say.

        """
        self.require(now)
        sitting = now.state.seats[self.seat]
        if sitting and sitting.stand_in and any(q.seat == self.seat for q in now.state.waits):
            raise BotAnswers
        require_in_time(now, self.seat)
