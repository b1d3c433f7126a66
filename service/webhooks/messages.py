"""Webhooks as Standard Webhooks has them: what is told of a game, its bytes, and its signature.

A message says no more than somebody without a seat may know at that time.
"""

import base64
import hmac
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from phaseledger.domain import events as e
from phaseledger.domain.evidence import codec
from phaseledger.domain.state import State
from phaseledger.service.eventlog.postgres import Row
from phaseledger.service.games.game import Snapshot, apply_rows
from phaseledger.service.games.spectators import visible_version
from phaseledger.service.schemas.webhooks import Message, Type

SECRET_BYTES = 32
Data: TypeAlias = dict[str, Any]


class OutgoingMessage(NamedTuple):
    """Something to tell; ``body`` is what will be signed and sent."""

    version: int
    type: str
    body: bytes


def new_secret() -> bytes:
    """A fresh key for the signatures of one webhook."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_text(secret: bytes) -> str:
    """The key as its owner gets it."""
    return "whsec_" + base64.b64encode(secret).decode()


def signature_headers(secret: bytes, name: str, at: int, body: bytes) -> dict[str, str]:
    """The headers of a message that is sent at this time, in seconds since 1970."""
    mac = hmac.digest(secret, f"{name}.{at}.".encode() + body, "sha256")
    return {
        "webhook-id": name,
        "webhook-timestamp": str(at),
        "webhook-signature": "v1," + base64.b64encode(mac).decode(),
    }


def payload(type_: str, at: int, data: Data) -> bytes:
    """The body of a message about what happened at this time, in ms since 1970."""
    time = datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
    return msgspec.json.encode(Message(type_, time.replace("+00:00", "Z"), data))


def message_name(delivery: UUID) -> str:
    """The ``webhook-id`` of a delivery: the same, however often it is sent."""
    return f"msg_{delivery.hex}"


def messages_of(
    before: Snapshot | None, rows: Sequence[Row]
) -> tuple[Snapshot, list[OutgoingMessage]]:
    """What to tell of the rows that follow ``before``, as far as it may be told by now; and the
    game as far as that.
    """
    walked: list[tuple[Snapshot | None, Row, Snapshot]] = []
    for row in rows:
        after = apply_rows(before, [row])[0]
        walked.append((before, row, after))
        before = after
    assert before is not None
    now, reached = before, walked[0][0] if walked else before
    secret = now.state.terms.spectators == "none"
    reach = now.version if secret else visible_version(now, member=False)
    found: list[OutgoingMessage] = []
    for earlier, row, later in walked:
        if row.version > reach:
            break
        record, event = codec.decode(row.topic, row.state)
        about = {"game": now.state.game}
        for type_, data in _messages(earlier.state if earlier else None, later.state, event):
            whole = about if secret else {**about, "version": row.version, **data}
            found.append(OutgoingMessage(row.version, type_, payload(type_, record.at, whole)))
        reached = later
    assert reached is not None, "the opening of a game may be told"
    return reached, found


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
"""What is told of an event: fields of its own, all of them public, and of none that are hidden."""


def _messages(before: State | None, after: State, event: e.Event) -> Iterator[tuple[Type, Data]]:
    """What the event means to whoever only watches."""
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
    for seat, asked in _asked(before, after, event).items():
        yield "turn.asked", {"seat": seat, "kind": asked}


def _asked(before: State | None, after: State, event: e.Event) -> Mapping[int, str]:
    """Seats of people who are waited for from now on, and for what first.

    Whoever is asked one thing after the other in one turn is told once.
    """
    already = {question.seat for question in before.waits} if before else set()
    if isinstance(event, e.TurnBegan):
        already.discard(event.seat)
    asked: dict[int, str] = {}
    for question in after.waits:
        seat = after.seats[question.seat]
        if question.seat not in already and seat and not (seat.bot or seat.stand_in):
            asked.setdefault(question.seat, question.kind)
    return asked
