"""The clock of a table for tests, turned on: what would be due later happens now.

The events are the ones that the clock's own work would have written, with the times at which it
would have: such a game is ahead of the ledger's time from then on, and an audit finds in it what it
would find had the time passed. Nothing else remembers that the clock was turned, so each turn
counts from the present, and what a time-out leads to has its full time again.
"""

from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.commands import Act, CloseReveal, RejectCode, Rejected
from phaseledger.service.automation.table_expiry import NEVER, Lifetimes, expire
from phaseledger.service.games.errors import NoTestTable
from phaseledger.service.games.game import Answer, Snapshot, require_version
from phaseledger.service.games.overdue import REVEAL_CLOSED, not_overdue, time_out
from phaseledger.service.games.time_limits import due_at, dues
from phaseledger.service.games.writer import GameService
from phaseledger.service.schemas.versions import KnownVersion


class _Event(NamedTuple):
    """What happens at a time (ms since 1970) if no seat and no host acts before."""

    at: int
    happen: Callable[[], Awaitable[Answer]]


async def turn_clock(
    games: GameService,
    game: UUID,
    seconds: int,
    lifetimes: Lifetimes,
    versions: Collection[KnownVersion] | None = None,
) -> Answer:
    """Let happen what would be due within these seconds if nothing else did; the last answer.

    Raises:
        NoTestTable: the table was opened to be played at.
        StaleVersion: the game is at none of ``versions``.
        Rejected: nothing is due by then, or ever; the detail has the time left.
        LedgerTimeUnknown: the ledger's time is not known.

    """
    now = await games.look(game)
    if not now.state.terms.test:
        raise NoTestTable
    require_version(now, versions)
    if now.revealed:
        raise Rejected(RejectCode.GAME_OVER)
    until = now.clock.now() + 1_000 * seconds
    coming = sorted(await _coming(games, game, now, lifetimes), key=lambda event: event.at)
    if not coming:
        raise Rejected(RejectCode.NO_CLOCK)
    if coming[0].at > until:
        raise not_overdue(coming[0].at - now.clock.now())
    answer = None
    for event in coming:
        if event.at <= until and not (answer and answer.state.is_over):
            answer = await event.happen()
    assert answer is not None
    return answer


async def _coming(
    games: GameService, game: UUID, now: Snapshot, lifetimes: Lifetimes
) -> list[_Event]:
    """What the table's clock, or the service's, will do: to late seats, else to an idle table."""
    coming = [
        _Event(
            due.grace_until,
            partial(time_out, games, game, due.seat, now.marks.asked[due.seat], due.grace_until),
        )
        for due in dues(now)
    ]
    if (closes_at := due_at(now, games.reveal_seconds)) is not None:
        close = partial(games.send, game, Act(CloseReveal()), REVEAL_CLOSED, at=closes_at)
        coming.append(_Event(closes_at, close))
    if not coming:
        for idle in await games.store.unfinished_games([game]):
            ends_at = lifetimes.look_at(idle, NEVER)
            if reason := lifetimes.reason(idle, ends_at):
                happen = partial(expire, games, idle, lifetimes, reason, ends_at)
                coming.append(_Event(ends_at, happen))
    return coming
