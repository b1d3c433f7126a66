"""Commands as nearly every client writes them, past the framework: it would take longer than they.

Whatever is written in any other way is left to the framework and its route, which does the same:
what is refused for how it is written is refused in one place.
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
from phaseledger.service.api.rate_limits import refuse
from phaseledger.service.api.requests import LARGEST_BODY

TEMPLATE = "/v1/games/{game}/commands"
"""The path of the route, as the framework tells spans."""

_PATH = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/commands")
_HOST = re.compile(rb"[0-9A-Za-z.:-]+")  # of other hosts the framework finds what makes no URL
_KEY, _TAGS, _SIGNED = (re.compile(shape) for shape in (COMMAND_KEY, ENTITY_TAGS, SIGNATURE))


class _Plain(NamedTuple):
    """What a request says before its body."""

    game: UUID
    token: str | None
    key: str
    if_match: str
    signature: str


def _plain(scope: Scope) -> _Plain | None:
    """What a plainly written command says; None where the framework has to look at it."""
    if scope.get("method") != "POST" or scope["query_string"] or scope.get("root_path"):
        return None
    path = _PATH.fullmatch(scope["path"])
    if path is None:
        return None
    lines = list(scope["headers"])
    headers = dict(lines)
    if len(headers) < len(lines) or not _is_plain_json(headers):  # something is said twice
        return None
    key, if_match, signature = (
        headers.get(name, b"").decode("latin-1")
        for name in (b"idempotency-key", b"if-match", b"command-signature")
    )
    fits = _KEY.search(key) and _TAGS.search(if_match) and _SIGNED.search(signature)
    if not fits or len(if_match) > LONGEST_IF_MATCH or not _HOST.fullmatch(headers[b"host"]):
        return None
    given = headers.get(b"authorization")
    token = None if given is None else given.decode("latin-1")
    return _Plain(UUID(path[1]), token, key, if_match, signature)


def _is_plain_json(headers: Mapping[bytes, bytes]) -> bool:
    """Whether there is a body of JSON that is not too large, and a host."""
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
    parts, size, more = [], 0, True
    while more:
        message = await receive()  # it raises where the client breaks off
        assert message["type"] == "http.request"
        parts.append(message.get("body", b""))
        size, more = size + len(parts[-1]), message.get("more_body", False)
        if size > LARGEST_BODY:
            raise RequestEntityTooLarge
    return b"".join(parts)


def with_plain_commands(app: ASGIApp, service: Service) -> ASGIApp:
    """Answer plainly written commands here, and leave all else to the application."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        said = _plain(scope)
        if said is None:
            await app(scope, receive, send)
            return
        scope["path_template"] = TEMPLATE
        try:
            data = decode_body(await _body(receive), Play)
            sitting = await sitting_of(said.token, said.game, service)
            response = await answer_command(
                service, said.game, sitting, data, said.key, said.if_match, said.signature
            )
            told = response.to_asgi_response()
        except Exception as error:  # noqa: BLE001 - as the framework does
            await refuse(scope, receive, send, error)
        else:
            await told(scope, receive, send)

    return answer
