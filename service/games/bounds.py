"""Bounds on events: how long a lobby, and a game, may become in the log."""

from collections.abc import Sequence
from typing import NamedTuple

from phaseledger.domain.commands import (
    CloseReveal,
    KickSeat,
    LeaveSeat,
    TakeSeat,
    VoidGame,
    VoidRestored,
)
from phaseledger.domain.words import Amount, Phrase
from phaseledger.service.games.errors import LobbyExhausted
from phaseledger.service.games.game import Decision, Snapshot

ENDING = (LeaveSeat, KickSeat, VoidGame, VoidRestored, CloseReveal)
"""Commands that end a table, which the number of events never refuses."""


class EventBounds(NamedTuple):
    """The most events of a lobby and of a game; 0: any number.

    They bind the service alone: a log of any length is replayed, audited and verified.
    """

    lobby: int = 0
    game: int = 0

    def require_room(self, now: Snapshot | None, decisions: Sequence[Decision]) -> None:
        """Refuse a `TakeSeat` in a lobby that has had its events; raises LobbyExhausted.

        Other commands of a lobby end by themselves: a free seat cannot be freed.
        """
        if not self.lobby or now is None or now.state.stage != "lobby":
            return
        if now.version >= self.lobby and isinstance(decisions[0].act.command, TakeSeat):
            raise LobbyExhausted(
                Phrase("adds.lobby", count=Amount(now.version), total=Amount(self.lobby))
            )

    def is_passed(self, now: Snapshot) -> bool:
        """Whether the game goes on beyond its events."""
        playing = not now.state.is_over and now.state.stage != "lobby"
        return bool(self.game) and playing and now.version >= self.game


UNBOUNDED = EventBounds()
