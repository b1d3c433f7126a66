"""The client's side of a game's event stream, without I/O: its requests, and its decoding.

The view is built from the first state and the patches after it. A lost stream is resumed at its
end, with the version and its head as Last-Event-ID, so that no event is missed or repeated, and a
ledger that went back does not go on from events that it has lost.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from phaseledger.replay.formats.json_patch import apply_patch
from phaseledger.service.client.protocol import (
    RETRIED_STATUSES,
    Refused,
    Reply,
    Request,
    Session,
    Unreachable,
    Unreadable,
    decoder,
    retry_after,
    shown,
    unexpected,
    with_token,
)
from phaseledger.service.schemas.games import Actions, GameView
from phaseledger.service.schemas.streams import Delta, ExportEnd, Reacted
from phaseledger.service.schemas.versions import named

SILENCE = 45.0
"""Seconds without data, three heartbeats, after which a stream counts as lost."""


class Moment(NamedTuple):
    """One update of a followed game."""

    view: GameView
    """The game as the caller sees it now."""
    events: tuple[Raw, ...] = ()
    """The events since the moment before; empty where the whole state was sent."""
    asked: Actions | None = None
    """The questions to the caller's seat, with the legal commands."""
    over: bool = False
    """Whether this was the last moment, since the game is over."""
    rewound: bool = False
    """Whether the ledger has gone back: the view replaces earlier ones, whose end is lost."""
    reaction: Reacted | None = None
    """What a player said at the table; the view is as it was."""


class GameStream:
    """The state of following one game; ``known`` is the view to start from."""

    def __init__(self, session: Session, known: GameView | None = None) -> None:
        self.over = False
        self._session = session
        self._view = known
        self._tree: Any = msgspec.json.decode(msgspec.json.encode(known))
        self._failures = 0
        """Failed attempts since the last event."""
        self.pause = 0.0
        """Seconds to wait until the next request."""
        self._is_rewound = False
        """Whether the state to come replaces one whose last events are lost."""
        self._retry = 0.0
        """The reconnection time that the server set, in seconds."""

    def request(self) -> Request:
        """The next request for the stream."""
        headers = with_token(self._session, {"Accept": "text/event-stream"})
        if self._view is not None:
            headers["Last-Event-ID"] = str(named(self._view.version, self._view.head))
        return Request(method="GET", url=f"{self._session.path}/events", headers=headers)

    def answered(self, reply: Reply) -> None:
        """Handle a response that is no stream. Raises Refused, Unreadable."""
        if reply.status == 204:
            self.over = True
            return
        delay, retry = retry_after(reply), self._session.retry
        failure = unexpected(reply, "event stream")
        if (
            isinstance(failure, Unreadable)
            or reply.status not in RETRIED_STATUSES
            or delay > retry.longest
        ):
            raise failure
        self._fail(failure, delay)

    def lost(self, reason: str) -> None:
        """Handle a lost connection. Raises Unreachable after the last attempt."""
        self._fail(Unreachable(reason), self._retry)

    def ended(self) -> None:
        """Handle the end of the stream, which is a failure unless the game is over."""
        if not self.over:
            self._fail(
                Unreachable(f"The stream {self._session.path}/events ended before its game."),
                self._retry,
            )

    def handle(self, event: str, data: str, retry: int | None = None) -> Moment | None:
        """Handle one event of the stream; returns its moment, if any.

        Raises:
            Unreadable: the event cannot be decoded by this client.

        """
        self._failures = 0
        if retry is not None:
            self._retry = retry / 1000
        try:
            return self._moment(event, data)
        except (msgspec.DecodeError, LookupError, TypeError, ValueError) as error:
            at, excerpt = f"{self._session.path}/events", shown(data.encode())
            reason = (
                f"The event {event!r} of {at} cannot be read: {error}. It begins with {excerpt}."
            )
            raise Unreadable(reason) from error

    def _moment(self, event_name: str, data: str) -> Moment | None:
        if event_name == "state":
            self._tree = msgspec.json.decode(data)
            rewound, self._is_rewound = self._is_rewound, False
            return Moment(view=self._new_view(), rewound=rewound)
        if event_name == "events":
            delta = decoder(Delta).decode(data)
            self._tree = apply_patch(self._tree, delta.patch)
            return Moment(view=self._new_view(), events=delta.events)
        if event_name == "rewound":
            self._is_rewound = True
        if event_name not in (
            "asked",
            "end",
            "reaction",
        ):  # an event of a newer service, or its reason to end
            return None
        assert self._view is not None
        if event_name == "asked":
            return Moment(view=self._view, asked=decoder(Actions).decode(data))
        if event_name == "reaction":
            return Moment(view=self._view, reaction=decoder(Reacted).decode(data))
        self.over = True
        return Moment(view=self._view, over=True)

    def _new_view(self) -> GameView:
        decoder(GameView)  # prepares the type for the first thread
        self._view = msgspec.convert(self._tree, GameView)
        return self._view

    def _fail(self, failure: Refused | Unreachable, delay: float) -> None:
        self._failures += 1
        retry = self._session.retry
        if self._failures >= retry.attempts:
            raise failure
        self.pause = retry.wait(self._failures, delay)


class Export:
    """The state of an export, whose last line marks it as complete."""

    def __init__(self, wanted: Mapping[str, str | int]) -> None:
        self.request = Request(method="GET", url="/v1/exports/games", params=wanted)
        self._last_line = ""

    def handle(self, line: str) -> bytes:
        """Handle one line; its bytes with a newline."""
        self._last_line = line
        return line.encode() + b"\n"

    def ended(self) -> None:
        """Check that the export is complete. Raises Unreachable."""
        try:
            decoder(ExportEnd).decode(self._last_line)
        except msgspec.DecodeError:
            message = f"The export of {self.request.url} was cut off."
            advice = "Go on with the cursor of the last game in it."
            raise Unreachable(f"{message} {advice}") from None
