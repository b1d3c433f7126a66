"""The short route of commands. The framework's route of commands only describes them."""

import re
from functools import partial
from uuid import UUID

from litestar.types import Scope

from phaseledger.domain.commands import Play
from phaseledger.service.api.auth import sitting_of
from phaseledger.service.api.commands.replies import SeatCommand, reply
from phaseledger.service.api.commands.request import parsed, read_body
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.errors import MalformedJson
from phaseledger.service.api.exchange import Exchange, PlainReply, Respond, ShortRoute
from phaseledger.service.api.middleware.request_bodies import PromptBody
from phaseledger.service.api.requests.json_body import EMPTY, decode_body

TEMPLATE = "/v1/games/{game}/commands"
"""The path template, as spans tell it."""
_PATH = re.compile(
    r"/+v1/+games/+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/+commands/*", re.IGNORECASE
)
_SLASHES = re.compile("//+")


def command_route(service: Service) -> ShortRoute:
    """The route of all commands, in whatever spelling of the path."""

    def route(scope: Scope) -> Respond | None:
        match = _PATH.fullmatch(scope["path"])
        return None if match is None else partial(_carried_out, service, match[1])

    return route


async def _carried_out(service: Service, named: str, exchange: Exchange) -> PlainReply:
    """Read, decode, authenticate and carry out the command.

    Raises:
        whatever refuses it, in this order.

    """
    scope = exchange.scope
    if "//" in scope["path"] or scope["path"].endswith("/"):
        scope["path"] = _SLASHES.sub("/", scope["path"]).rstrip("/")
    request = parsed(scope)
    scope["path_template"] = TEMPLATE
    body = await read_body(request, PromptBody(scope, exchange.receive).receive)
    game = UUID(named)
    command: Play | None = decode_body(body, Play) if body else None
    sitting = await sitting_of(request.token, game, service)
    request.require_sound()
    if command is None:
        raise MalformedJson(EMPTY)
    asked = SeatCommand(
        game=game,
        sitting=sitting,
        command=command,
        key=request.key,
        if_match=request.if_match,
        signature=request.signature,
    )
    return await reply(service, asked, dry_run=request.dry_run == "true")
