"""Checks of commitments: each hash against what was revealed later (docs/reference/deal.md).

Computed anew from the hash formulas alone, without asking `domain.decide`.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from phaseledger.domain import deal
from phaseledger.domain import events as e
from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.state import State
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.opening import bytes_of

Promise = tuple[str, str, str]
"""(what was committed to, the value expected, the value recorded)."""


def _game_opened(_: State | None, event: e.GameOpened) -> Promise:
    secret = event.hidden["server"].secret if "server" in event.hidden else ""
    commitment = deal.server_commit(event.game, bytes_of(secret))
    return Phrase("evidence.promise.server"), commitment, event.server_commit


def _seat_taken(state: State, event: e.SeatTaken) -> Promise | None:
    if "server" not in event.hidden:
        return None
    secret = event.hidden["server"].secret
    commitment = deal.seat_commit(state.game, event.seat, bytes_of(secret))
    return Phrase("evidence.promise.seat", seat=event.seat), commitment, event.commit


def _seat_secret_revealed(state: State, event: e.SeatSecretRevealed) -> Promise:
    seat = state.seats[event.seat] if 0 <= event.seat < len(state.seats) else None
    commitment = deal.seat_commit(state.game, event.seat, bytes_of(event.secret))
    subject = Phrase("evidence.promise.secret", seat=event.seat)
    return subject, seat.commit if seat else "", commitment


def _deal_opened(state: State, event: e.DealOpened) -> Promise:
    text = deal.transcript(
        state.game,
        state.ruleset.name,
        fingerprint(state.ruleset),
        state.server_commit,
        [(seat.commit, seat.secret) for seat in state.seats if seat],
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Phrase("evidence.promise.deal"), digest, event.transcript


def _ended(state: State, event: e.GameEnded | e.GameVoided) -> Promise:
    commitment = deal.server_commit(state.game, bytes_of(event.secret))
    return Phrase("evidence.promise.server_secret"), state.server_commit, commitment


_PROMISES: dict[type[e.Event], Callable[[Any, Any], Promise | None]] = {
    e.GameOpened: _game_opened,
    e.SeatTaken: _seat_taken,
    e.SeatSecretRevealed: _seat_secret_revealed,
    e.DealOpened: _deal_opened,
    e.GameEnded: _ended,
    e.GameVoided: _ended,
}


def broken_promise(state: State | None, event: e.Event) -> Promise | None:
    """The commitment that the event breaks in that state; None if it breaks none."""
    check = _PROMISES.get(type(event))
    if check is None or (state is None and not isinstance(event, e.GameOpened)):
        return None
    promise = check(state, event)
    return promise if promise and promise[1] != promise[2] else None
