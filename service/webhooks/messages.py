"""Webhook messages in the form of Standard Webhooks: their content and bytes.

A message says no more than a spectator may know at that time.
"""

import base64
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

import msgspec

from phaseledger.domain import events as e
from phaseledger.domain.evidence import codec
from phaseledger.domain.state import State
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.game import Snapshot, apply_rows
from phaseledger.service.games.spectators import visible_version
from phaseledger.service.schemas.webhooks import Message, Type

SECRET_BYTES = 32
Data: TypeAlias = dict[str, Any]


class OutgoingMessage(NamedTuple):
    """A message about an event; ``body`` is what will be signed and sent."""

    version: int
    type: str
    body: str


def new_secret() -> bytes:
    """A fresh signing secret for one webhook."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_text(secret: bytes) -> str:
    """The signing secret as its owner gets it, in the form of Standard Webhooks."""
    return "whsec_" + base64.b64encode(secret).decode()


def payload(type_: str, at: int, data: Data) -> str:
    """The JSON body of a message about an event ``at`` this time, in ms since 1970."""
    time = datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
    return msgspec.json.encode(Message(type_, time.replace("+00:00", "Z"), data)).decode()


def messages_of(
    before: Snapshot | None, rows: Sequence[Row]
) -> tuple[Snapshot, list[OutgoingMessage], Snapshot]:
    """The messages about the rows that follow ``before``, as far as spectators may see them by now,
    the snapshot at that version, and the last one.
    """
    steps: list[tuple[Snapshot | None, Row, Snapshot]] = []
    for row in rows:
        after = apply_rows(before, [row])[0]
        steps.append((before, row, after))
        before = after
    assert before is not None
    now, reached = before, steps[0][0] if steps else before
    secret = now.state.terms.spectators == "none"
    reach = now.version if secret else visible_version(now, member=False)
    messages: list[OutgoingMessage] = []
    for earlier, row, later in steps:
        if row.version > reach:
            break
        record, event = codec.decode(row.topic, row.state)
        subject: Data = {"game": now.state.game}
        if now.state.terms.test:
            subject["test"] = True
        for type_, data in _messages(earlier.state if earlier else None, later.state, event):
            content = subject if secret else {**subject, "version": row.version, **data}
            messages.append(OutgoingMessage(row.version, type_, payload(type_, record.at, content)))
        reached = later
    assert reached is not None, "the opening of a game may be told"
    return reached, messages, now


_FIELDS: dict[type[e.Event], tuple[Type, tuple[str, ...]]] = {
    e.SeatTaken: ("seat.taken", ("seat", "name", "bot")),
    e.SeatFreed: ("seat.freed", ("seat", "by")),
    e.SeatHandedOver: ("seat.handed_over", ("seat", "bot", "why")),
    e.DealOpened: ("game.started", ()),
    e.RoundDealt: ("round.started", ("round", "dealer")),
    e.TurnTimedOut: ("turn.timed_out", ("seat", "then")),
    e.RoundEnded: ("round.ended", ("round", "out")),
    e.GameEnded: ("game.ended", ("winners",)),
    e.GameVoided: ("game.voided", ("reason", "owing")),
}
"""The type and fields of the message about an event; all of them are public."""


def _messages(before: State | None, after: State, event: e.Event) -> Iterator[tuple[Type, Data]]:
    """The types and data of the messages about the event."""
    if type(event) in _FIELDS:
        kind, fields = _FIELDS[type(event)]
        data: Data = {name: getattr(event, name) for name in fields}
        if isinstance(event, e.DealOpened):
            data["ruleset"] = after.ruleset.id
            data["players"] = [seat.name if seat else None for seat in after.seats]
        elif isinstance(event, e.RoundEnded):
            data["results"] = [
                {"points": r.points, "total": r.total, "laid": r.laid, "phase": r.phase}
                for r in event.results
            ]
        yield kind, data
    for seat, question_kind in _newly_asked(before, after, event).items():
        yield "turn.asked", {"seat": seat, "kind": question_kind}


def _newly_asked(before: State | None, after: State, event: e.Event) -> Mapping[int, str]:
    """By seat of a person, the kind of the first question that the event has opened.

    A seat that is asked several questions in one turn gets one message.
    """
    waiting = {question.seat for question in before.waits} if before else set()
    if isinstance(event, e.TurnBegan):
        waiting.discard(event.seat)
    kinds: dict[int, str] = {}
    for question in after.waits:
        seat = after.seats[question.seat]
        if question.seat not in waiting and seat and not (seat.bot or seat.stand_in):
            kinds.setdefault(question.seat, question.kind)
    return kinds
