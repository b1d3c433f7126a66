"""When a game next needs the service, noted so that a process that starts need not look at all.

A note is a cache. It names the leaf of the event after which it holds, so one that was never
written, is lost, or is behind its game makes a process look at a game, and no more than that; it
is written some seconds after the commit, beside the commands.
"""

import asyncio
from uuid import UUID

import structlog

from phaseledger.service.automation.bots import seat_to_move
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import DueGame
from phaseledger.service.games.bounds import EventBounds
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.log_times import AHEAD
from phaseledger.service.games.time_limits import due_at, dues
from phaseledger.service.games.writer import GameService

EVERY = 5.0  # seconds between notes; a crashed process loses the notes since the last
AT_ONCE = 200  # games noted by one statement
NOW = 0
"""The time of a game that has to be looked at at once."""

log = structlog.get_logger("phaseledger.due_games")


def next_due(now: Snapshot, bounds: EventBounds) -> int | None:
    """When the game needs the service, in ms since 1970; None: not before a player moves.

    It is `NOW` for a game that waits for a bot, is overlong, or whose deadline follows from more
    than its log: from a setting, or from when an event was seen that claims to be yet to come.
    """
    state, marks = now.state, now.marks
    if seat_to_move(state) is not None or bounds.is_passed(now):
        return NOW
    try:
        is_ahead = marks.at > now.clock.estimate() + AHEAD
    except StoreUnavailable:
        return NOW
    if state.stage == "sealed":
        due = due_at(now, 0) if marks.reveal_seconds else None
        return NOW if due is None or is_ahead else due
    deadlines = [due.grace_until for due in dues(now)]
    return NOW if deadlines and is_ahead else min(deadlines, default=None)


class DueNotes:
    """Notes in one store when the games that this process reads and writes are due."""

    def __init__(self, games: GameService, store: Store) -> None:
        self._games = games
        self._store = store
        self._pending: dict[UUID, Snapshot] = {}

    def note(self, game: Game) -> None:
        """Note the game before long; returns at once."""
        if game.now is not None:
            self._pending[game.id] = game.now

    async def run(self) -> None:
        """Note games until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.flush()

    async def flush(self) -> None:
        """Note all games that wait for it, or drop them where the store is away: it is a cache."""
        while self._pending:
            ids = [*self._pending][:AT_ONCE]
            games = {game: self._pending.pop(game) for game in ids}
            over = [game for game, now in games.items() if now.state.is_over]
            noted = [
                DueGame(game, now.version, bytes.fromhex(now.chain.head), due)
                for game, now in games.items()
                if not now.state.is_over
                if (due := next_due(now, self._games.bounds)) != NOW
            ]
            if not noted and not over:
                continue
            try:
                await self._store.note_due(noted, over)
            except StoreUnavailable as away:
                log.warning("due games are not noted", games=len(games), reason=str(away))
