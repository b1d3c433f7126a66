"""Routes of applications: what a key is good for, and the tables that were opened with it."""

from typing import Any
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from phaseledger.projections.pages import game_cursor, game_place
from phaseledger.service.api.auth import Acting, player_of
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED
from phaseledger.service.api.requests.pagination import Cursor, Limit, links
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.applications.application import Application
from phaseledger.service.applications.errors import ApplicationKeyNeeded
from phaseledger.service.credentials.errors import NoFreshToken
from phaseledger.service.games.errors import NoSuchGame
from phaseledger.service.games.game import require_in_person
from phaseledger.service.players.errors import NoSuchPlayer, PlayerNotSeated
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.applications import ApplicationInfo, OpenedTables
from phaseledger.service.schemas.players import TableToken, TokenFor

OPENING = 1
"""The first version of a game: since then the host has the table."""


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
        raises=(NoFreshToken, NoSuchPlayer, PlayerNotSeated),
        caller="player",
    ),
)
async def issue_token(
    game: FromPath[UUID],
    data: JSONBody[TokenFor],
    acting: Injected[Acting],
    service: Injected[Service],
) -> Response[TableToken]:
    """A fresh token, at any time: of a player's seat, or of the host of a table of your own.

    So your application has to keep none. Earlier tokens stay valid. Once the operator has revoked
    those of the seat or of the host, there is no other.
    """
    application = acting if isinstance(acting, Application) else None
    owner = await service.parts.applications.owner(game)
    is_owner = application is not None and owner == application.id
    if data.player is None:
        if application is None:
            raise ApplicationKeyNeeded
        application.require("open")
        if not is_owner:
            raise NoSuchGame
        await service.games.look(game)
        seat, since = None, OPENING
    else:
        player = await player_of(service, acting, data.player, "seat")
        now = await service.games.look(game)
        seats = [
            n for n, sits in enumerate(now.state.seats) if sits and sits.name == player.pseudonym
        ]
        if not seats:
            raise PlayerNotSeated if is_owner else NoSuchGame
        seat, since = seats[0], max(OPENING, now.marks.freed.get(seats[0], 0))
        require_in_person(now, seat, since)
    token = await service.parts.credentials.issue(game, seat, since)
    return Response(TableToken(game, seat, token), headers=NOT_STORED)


HANDLERS: list[Any] = [get_application, list_opened_tables, issue_token]
