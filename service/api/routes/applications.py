"""Routes of applications: what a key is good for, and the tables that were opened with it."""

from typing import Any
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from phaseledger.projections.pages import game_cursor, game_place
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED
from phaseledger.service.api.requests.pagination import Cursor, Limit, links
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.applications.application import Application
from phaseledger.service.credentials.errors import NoFreshToken
from phaseledger.service.games.errors import NoSuchGame
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.applications import ApplicationInfo, HostToken, OpenedTables

OPENING = 1
"""The version since which the host has the table."""


@get("/application", **route_description("getApplication", Occasion.LOG, caller="application"))
async def get_application(application: Injected[Application]) -> Response[ApplicationInfo]:
    """The application of the key, and what the key is good for."""
    info = ApplicationInfo(application.id, application.name, application.scopes)
    return Response(info, headers=NOT_STORED)


@get(
    "/application/tables",
    **route_description("listOpenedTables", Occasion.LOG, caller="application", headers=("Link",)),
)
async def list_opened_tables(
    request: AnyRequest,
    application: Injected[Application],
    service: Injected[Service],
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response[OpenedTables]:
    """The tables that the application has opened, private ones among them, newest first.

    One may be of an opening that failed, and have no game. Rematches of its tables are its own.
    """
    application.require("read")
    before = game_place(cursor or None)
    rows = await service.parts.applications.opened(application.id, before, limit + 1)
    page, has_more = rows[:limit], len(rows) > limit
    content = OpenedTables(
        tuple(table for _, table in page), game_cursor(page[-1][0]) if has_more else None
    )
    return Response(content, headers={**NOT_STORED, **links(request, content.next)})


@post(
    "/games/{game:uuid}/tokens",
    **route_description(
        "issueToken",
        Occasion.LOG,
        raises=(NoFreshToken,),
        caller="application",
    ),
)
async def issue_token(
    game: FromPath[UUID], application: Injected[Application], service: Injected[Service]
) -> Response[HostToken]:
    """A fresh token of the host, to the application that has opened the table, at any time.

    So it has to keep none. Earlier tokens stay valid. Once the operator has revoked those of the
    host, there is no other.
    """
    application.require("open")
    if await service.parts.applications.owner(game) != application.id:
        raise NoSuchGame
    await service.games.look(game)
    token = await service.parts.credentials.issue(game, None, OPENING)
    return Response(HostToken(game, token), headers=NOT_STORED)


HANDLERS: list[Any] = [get_application, list_opened_tables, issue_token]
