"""The shapes of what the log stores and tells: events, and games that are not over."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.events import Event, GameEnded, GameVoided
from phaseledger.domain.evidence.codec import TOPICS, Entry, decode

FINAL = [TOPICS[GameEnded], TOPICS[GameVoided]]
"""The topics of the events that end a game."""
HEAD = 32  # bytes of a stored event in which its time stands
_AT = re.compile(rb'\{"at":([0-9]{1,15}),')


class Row(NamedTuple):
    """One event as stored; versions count from 1 within their game."""

    version: int
    topic: str
    state: bytes
    leaf: bytes | None = None
    """Its Merkle leaf hash, which follows from the bytes; None where it was not stored."""


def timed_events(rows: Iterable[Row]) -> Iterator[tuple[int, Event]]:
    """The events of the rows, each with its time in milliseconds since 1970."""
    for row in rows:
        record, event = decode(row.topic, row.state)
        yield record.at, event


def row_of(entry: Entry) -> Row:
    """The row of an event that the codec has made."""
    return Row(entry.seq, entry.topic, entry.stored, bytes.fromhex(entry.leaf))


class Notice(NamedTuple):
    """One event of the log. Positions grow in log order, and may have gaps."""

    position: int
    game: UUID
    row: Row


class UnfinishedGame(NamedTuple):
    """A game whose last event does not end it. Times are in ms since 1970; None: damaged."""

    game: UUID
    opened_at: int | None
    updated_at: int | None
    is_lobby: bool
    """Whether its table has not been sealed."""


class DueGame(NamedTuple):
    """When an unfinished game next needs the service, as its last event left it."""

    game: UUID
    version: int
    """The number of its last event."""
    leaf: bytes
    """The leaf of its last event: after another one this does not count."""
    due_at: int | None
    """In ms since 1970; None: not before a move."""


def time_of(head: bytes) -> int | None:
    """The time in the first bytes of a stored event; None where none stands there."""
    match = _AT.match(head)
    return int(match[1]) if match else None
