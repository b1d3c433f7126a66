"""The fast path of commands: answers plainly written ones without the framework.

By the framework's route a command takes 1.27 times as long (530 us of processor time instead of
425, log in memory; `benchmarks/command_paths.py`), so both ways are kept; `api.commands` is theirs.

A request written in any other way goes to the framework and its route, which does the same, so
refusals of form are made in one place.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import ASGIApp, Receive, Scope, Send

from phaseledger.domain.commands import Play
from phaseledger.service.api.auth import Service, sitting_of
from phaseledger.service.api.commands import answer_command
from phaseledger.service.api.headers import LONGEST_IF_MATCH
from phaseledger.service.api.invalid_parameters import COMMAND_KEY, ENTITY_TAGS, SIGNATURE
from phaseledger.service.api.json_body import decode_body
from phaseledger.service.api.limits.rates import refuse
from phaseledger.service.api.requests import LARGEST_BODY

TEMPLATE = "/v1/games/{game}/commands"
"""The route's path template, as the framework reports it to spans."""

_PATH = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/commands")
_HOST = re.compile(rb"[0-9A-Za-z.:-]+")  # the framework refuses other hosts that make no URL
_KEY, _TAGS, _SIGNATURE = (re.compile(pattern) for pattern in (COMMAND_KEY, ENTITY_TAGS, SIGNATURE))


class _PlainCommand(NamedTuple):
    """The path and the headers of a plainly written command."""

    game: UUID
    token: str | None
    key: str
    if_match: str
    signature: str


def _plain_command(scope: Scope) -> _PlainCommand | None:
    """The request parsed as a plain command; None where the framework has to handle it."""
    if scope.get("method") != "POST" or scope["query_string"] or scope.get("root_path"):
        return None
    path = _PATH.fullmatch(scope["path"])
    if path is None:
        return None
    lines = list(scope["headers"])
    headers = dict(lines)
    if len(headers) < len(lines) or not _is_plain_json(headers):  # a header is repeated
        return None
    key, if_match, signature = (
        headers.get(name, b"").decode("latin-1")
        for name in (b"idempotency-key", b"if-match", b"command-signature")
    )
    is_wellformed = _KEY.search(key) and _TAGS.search(if_match) and _SIGNATURE.search(signature)
    if (
        not is_wellformed
        or len(if_match) > LONGEST_IF_MATCH
        or not _HOST.fullmatch(headers[b"host"])
    ):
        return None
    authorization = headers.get(b"authorization")
    token = None if authorization is None else authorization.decode("latin-1")
    return _PlainCommand(
        game=UUID(path[1]), token=token, key=key, if_match=if_match, signature=signature
    )


def _is_plain_json(headers: Mapping[bytes, bytes]) -> bool:
    """Whether the headers have a host, and announce a JSON body within the size limit."""
    length = headers.get(b"content-length", b"")
    return (
        headers.get(b"content-type") == b"application/json"
        and b"content-encoding" not in headers
        and b"host" in headers
        and len(length) < 10
        and length.isdigit()
        and 0 < int(length) <= LARGEST_BODY
    )


async def _body(receive: Receive) -> bytes:
    parts, size, more_body = [], 0, True
    while more_body:
        message = await receive()  # it raises where the client breaks off
        assert message["type"] == "http.request"
        parts.append(message.get("body", b""))
        size, more_body = size + len(parts[-1]), message.get("more_body", False)
        if size > LARGEST_BODY:
            raise RequestEntityTooLarge
    return b"".join(parts)


def with_plain_commands(app: ASGIApp, service: Service) -> ASGIApp:
    """Middleware that answers plainly written commands, and passes on all other requests."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        command = _plain_command(scope)
        if command is None:
            await app(scope, receive, send)
            return
        scope["path_template"] = TEMPLATE
        try:
            data = decode_body(await _body(receive), Play)
            sitting = await sitting_of(command.token, command.game, service)
            result = await answer_command(
                service,
                command.game,
                sitting,
                data,
                key=command.key,
                if_match=command.if_match,
                signature=command.signature,
            )
            response = result.to_asgi_response()
        except Exception as error:  # noqa: BLE001 - as the framework does
            await refuse(scope, receive, send, error)
        else:
            await response(scope, receive, send)

    return answer
