"""A game's event stream as a client follows it, without a network: what to ask for, what to tell.

The view is built from the first state and the patches after it. A lost stream is taken up where it
ended, with the version as Last-Event-ID, so that nothing is missed and nothing is told twice.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from phaseledger.service.client.protocol import (
    RETRIED_STATUSES,
    Refused,
    Reply,
    Request,
    Session,
    Unreachable,
    Unreadable,
    problem_of,
    retry_after,
    with_token,
)
from phaseledger.service.schemas.games import Actions, GameView
from phaseledger.service.schemas.json_patch import apply_patch
from phaseledger.service.schemas.streams import Delta, ExportEnd

SILENCE = 45.0
"""Seconds without a word, three heartbeats, after which a stream counts as lost."""


class Moment(NamedTuple):
    """What a stream has just told."""

    view: GameView
    """The game as the caller sees it now."""
    events: tuple[Raw, ...] = ()
    """What happened since the moment before; empty where the whole state was sent."""
    asked: Actions | None = None
    """What the caller's seat is asked."""
    over: bool = False
    """Whether this was the last moment, since the game is over."""


class GameStream:
    """One caller's way through a game; ``known`` is a view held already."""

    def __init__(self, session: Session, known: GameView | None = None) -> None:
        self.over = False
        self._session = session
        self._view = known
        self._tree: Any = msgspec.json.decode(msgspec.json.encode(known))
        self._failed = 0
        """Attempts since the last word."""
        self.pause = 0.0
        """Seconds to wait until the next request."""
        self._retry = 0.0
        """Seconds after which the server wants lost streams to come back."""

    def request(self) -> Request:
        """What to ask for next."""
        headers = with_token(self._session, {"Accept": "text/event-stream"})
        if self._view is not None:
            headers["Last-Event-ID"] = str(self._view.version)
        return Request("GET", f"{self._session.path}/events", {}, headers)

    def answered(self, reply: Reply) -> None:
        """Take in an answer that is no stream. Raises Refused."""
        if reply.status == 204:
            self.over = True
            return
        asked, retry = retry_after(reply), self._session.retry
        failure = Refused(problem_of(reply))
        if reply.status not in RETRIED_STATUSES or asked > retry.longest:
            raise failure
        self._fail(failure, asked)

    def lost(self, reason: str) -> None:
        """Take in that the connection is lost. Raises Unreachable where it was tried enough."""
        self._fail(Unreachable(reason), self._retry)

    def ended(self) -> None:
        """Take in that the server has ended the stream, before its game unless it is over."""
        if not self.over:
            self._fail(Unreachable("The stream ended before its game."), self._retry)

    def told(self, event: str, data: str, retry: int | None = None) -> Moment | None:
        """Take in one event of the stream; what there is to tell of it.

        Raises:
            Unreadable: it is nothing that this client understands.

        """
        self._failed = 0
        if retry is not None:
            self._retry = retry / 1000
        try:
            return self._taken(event, data)
        except (msgspec.DecodeError, LookupError, TypeError, ValueError) as wrong:
            raise Unreadable(f"The event {event!r} cannot be read: {wrong}.") from wrong

    def _taken(self, event: str, data: str) -> Moment | None:
        if event == "state":
            self._tree = msgspec.json.decode(data)
            return Moment(self._seen())
        if event == "events":
            delta = msgspec.json.decode(data, type=Delta)
            self._tree = apply_patch(self._tree, delta.patch)
            return Moment(self._seen(), delta.events)
        if event not in ("asked", "end"):  # an event of a newer service, or its reason to end
            return None
        assert self._view is not None
        if event == "asked":
            return Moment(self._view, asked=msgspec.json.decode(data, type=Actions))
        self.over = True
        return Moment(self._view, over=True)

    def _seen(self) -> GameView:
        self._view = msgspec.convert(self._tree, GameView)
        return self._view

    def _fail(self, failure: Refused | Unreachable, asked: float) -> None:
        self._failed += 1
        retry = self._session.retry
        if self._failed >= retry.attempts:
            raise failure
        self.pause = retry.wait(self._failed, asked)


class Export:
    """The way through an export, whose last line says that it is whole."""

    def __init__(self, wanted: Mapping[str, str | int]) -> None:
        self.request = Request("GET", "/v1/exports/games", wanted)
        self._last = ""

    def told(self, line: str) -> bytes:
        """Take in a line."""
        self._last = line
        return line.encode() + b"\n"

    def ended(self) -> None:
        """See that nothing is missing. Raises Unreachable."""
        try:
            msgspec.json.decode(self._last, type=ExportEnd)
        except msgspec.DecodeError:
            told = "The export was cut off. Go on with the cursor of the last game in it."
            raise Unreachable(told) from None
