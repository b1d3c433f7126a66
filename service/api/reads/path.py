"""The short route of looks at games."""

import re
from functools import lru_cache, partial
from typing import NamedTuple
from uuid import UUID

from litestar.types import HTTPResponseStartEvent, Scope

from phaseledger.domain.words import Language
from phaseledger.service.api.auth import presented_by, visible_game
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.exchange import Exchange, PlainReply, Respond, ShortRoute
from phaseledger.service.api.middleware.compression import LEAST, compress
from phaseledger.service.api.requests.headers import LONGEST_IF_NONE_MATCH
from phaseledger.service.api.requests.languages import in_language
from phaseledger.service.api.responses.views import view_reply

TEMPLATE = "/v1/games/{game}"
"""The path template, as spans tell it."""
_PATH = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_QUERY = re.compile(rb"(?:at_least=(0|[1-9][0-9]{0,8}))?(?:(?:^|&)lang=([A-Za-z-]{1,35}))?")
_game = lru_cache(4_096)(UUID)  # to make one costs as much as to look its game up
_HOST = re.compile(rb"[0-9A-Za-z.:-]+")


class ViewRequest(NamedTuple):
    """A look at a game that has nothing unusual in its head."""

    game: UUID
    token: str | None
    """The value of its Authorization header; None without one."""
    at_least: int
    lang: Language
    if_none_match: str


def view_route(service: Service) -> ShortRoute:
    """The route of looks whose path, query and headers have no fault."""

    def route(scope: Scope) -> Respond | None:
        request = plain_request(scope)
        return None if request is None else partial(_view, service, request)

    return route


def plain_request(scope: Scope) -> ViewRequest | None:
    """The look that the head is; None where it is something else, or the framework may refuse it
    or read it otherwise.
    """
    path = _PATH.fullmatch(scope["path"])
    query = _QUERY.fullmatch(scope["query_string"])
    if path is None or query is None:
        return None
    lines = [*scope["headers"]]
    headers = dict(lines)
    if_none_match = headers.get(b"if-none-match", b"")
    if (
        len(headers) < len(lines)  # one is repeated
        or _HOST.fullmatch(headers.get(b"host", b"")) is None
        or len(if_none_match) > LONGEST_IF_NONE_MATCH
    ):
        return None
    token, (at_least, lang) = headers.get(b"authorization"), query.groups()
    return ViewRequest(
        game=_game(path[1]),
        token=None if token is None else token.decode("latin-1"),
        at_least=int(at_least or 0),
        lang=in_language(lang.decode()) if lang else "en",
        if_none_match=if_none_match.decode("latin-1"),
    )


async def _view(service: Service, request: ViewRequest, exchange: Exchange) -> PlainReply:
    """The game as the caller sees it.

    Raises:
        what `presented_by` and `visible_game` do.

    """
    scope = exchange.scope
    scope["path_template"] = TEMPLATE
    presented = await presented_by(request.token, request.game, service)
    caller, now = await visible_game(scope, service, request.game, presented, request.at_least)
    reply = view_reply(service, request.game, now, caller.seat, request.lang, request.if_none_match)
    if request.token is None and len(reply.body) > LEAST:
        start: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": reply.status,
            "headers": reply.headers,
        }
        body = await compress(scope, start, reply.body)
        return PlainReply(reply.status, [*start["headers"]], body)
    return reply
