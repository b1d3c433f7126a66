"""Response bodies that several operations share: to a command, and to joining a seat."""

from collections.abc import Mapping

import msgspec
from litestar import Response
from msgspec import Raw

from phaseledger.domain.events import CardTurned
from phaseledger.domain.evidence import codec
from phaseledger.domain.names import is_pseudonym
from phaseledger.domain.view import face_seen, view
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.requests.etags import tag
from phaseledger.service.api.requests.headers import NOT_STORED, REPEATED
from phaseledger.service.api.responses.ready import ReadyAnswer, json_answer, lines_of
from phaseledger.service.games.game import Answer
from phaseledger.service.games.receipts import receipt_for
from phaseledger.service.schemas.games import Done, Joined

_encode = msgspec.json.Encoder().encode


def redacted_events(answer: Answer, viewer: int | None, *, opened: bool) -> tuple[Raw, ...]:
    """The events of an answer, redacted for the viewer."""
    if answer.entries:
        redact = codec.redact_entry
        return tuple([Raw(redact(entry, viewer, opened=opened)) for entry in answer.entries])
    key = answer.key
    return tuple(Raw(codec.redact(event, key, viewer, opened=opened)) for event in answer.stored)


def done(answer: Answer, viewer: int | None, service: Service) -> Done:
    """What a command led to, redacted for the viewer."""
    opened = answer.state.is_over
    return Done(
        version=answer.version,
        events=redacted_events(answer, viewer, opened=opened),
        table=view(answer.state, viewer),
        look=face_seen(codec.events_of(CardTurned, answer.stored), answer.seat),
        head=answer.head,
        receipt=receipt_for(answer, service.parts.keys.current),
    )


def command_answer(answer: Answer, viewer: int | None, service: Service) -> ReadyAnswer:
    """The response to a command, redacted for the viewer."""
    headers = {**state_headers(answer.version, viewer), **repeated(answer)}
    return json_answer(lines_of(headers), _encode(done(answer, viewer, service)))


def state_headers(version: int, viewer: int | None) -> dict[str, str]:
    """The headers of an answer that holds at a version."""
    return {**NOT_STORED, "ETag": tag(version, viewer)}


def repeated(answer: Answer) -> Mapping[str, str]:
    """The headers that tell a repeated answer from a first one."""
    return REPEATED if answer.is_repeated else {}


async def join_answer(answer: Answer, service: Service, key: str) -> Response[Joined]:
    """The response to joining a seat, with the token derived from the idempotency key."""
    assert answer.seat is not None
    payload = Joined(
        game=str(answer.game),
        seat=answer.seat,
        token=await service.parts.credentials.issue(answer.game, answer.seat, answer.version, key),
        version=answer.version,
        table=view(answer.state, answer.seat),
        head=answer.head,
        receipt=receipt_for(answer, service.parts.keys.current),
    )
    headers = {**state_headers(answer.version, answer.seat), **repeated(answer)}
    if is_pseudonym(name := answer.state.seat(answer.seat).name):
        headers |= service.attempts.join_fields(name)
    return Response(payload, headers=headers)
