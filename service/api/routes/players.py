"""Routes of players: an application's users, their games, and the names behind pseudonyms."""

from typing import Annotated, Any

from litestar import Response, delete, get, put
from litestar.params import JSONBody, QueryParameter

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.domain.names import PSEUDONYM, hides, is_name
from phaseledger.projections.pages import GamePage
from phaseledger.service.api.auth import Acting, player_of
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED
from phaseledger.service.api.requests.pagination import (
    LISTING_WORK,
    Cursor,
    Limit,
    RulesetFilter,
    StageFilter,
    game_filter,
    links,
)
from phaseledger.service.api.requests.parameters import AnyRequest, PlayerPath
from phaseledger.service.applications.application import Application
from phaseledger.service.players.errors import NoSuchPlayer, PlayerNameTaken
from phaseledger.service.refusals import Occasion
from phaseledger.service.runtime.work import spend
from phaseledger.service.schemas.players import (
    PLAYER_ID,
    PlayerInfo,
    PlayerNames,
    PlayerPage,
    PlayerResult,
    PlayerStatistics,
    PutPlayer,
)

MOST_NAMES = 100
Pseudonyms = Annotated[
    str,
    QueryParameter(
        pattern=rf"^{PSEUDONYM}(,{PSEUDONYM}){{0,{MOST_NAMES - 1}}}\Z",
        description=f"Pseudonyms, as they stand in seats, up to {MOST_NAMES}, parted by commas.",
    ),
]


@put(
    "/players/{player:str}",
    **route_description(
        "putPlayer",
        Occasion.LOG,
        raises=(PlayerNameTaken, RejectCode.BAD_TEXT),
        caller="application",
    ),
)
async def put_player(
    player: PlayerPath,
    data: JSONBody[PutPlayer],
    application: Injected[Application],
    service: Injected[Service],
) -> Response[PlayerInfo]:
    """Name a player of your application, by your own id; the same id again changes the name.

    No two players of an application have names that look alike. The name stands in no game: there
    the player has a pseudonym, which `getNames` turns into the name as it is then.
    """
    application.require("seat")
    if not is_name(data.name) or hides(data.name):
        raise Rejected(RejectCode.BAD_TEXT)
    content = await service.parts.players.put(application.id, player, data.name, data.language)
    return Response(content, headers=NOT_STORED)


@get(
    "/players/{player:str}",
    **route_description("getPlayer", Occasion.LOG, raises=(NoSuchPlayer,), caller="player"),
)
async def get_player(
    player: PlayerPath, acting: Injected[Acting], service: Injected[Service]
) -> Response[PlayerInfo]:
    """A player of your application; with a session `me` is its own, here and below."""
    content = await player_of(service, acting, player, "read")
    return Response(content, headers=NOT_STORED)


@delete(
    "/players/{player:str}",
    **route_description(
        "erasePlayer", Occasion.LOG, raises=(NoSuchPlayer,), caller="player", empty=(204,)
    ),
)
async def erase_player(
    player: PlayerPath, acting: Injected[Acting], service: Injected[Service]
) -> None:
    """Forget a player for good: the name and your id. Games keep a pseudonym that leads nowhere.

    Running games go on under their tokens. The same id named again is another player.
    """
    named = await player_of(service, acting, player, "erase")
    await service.parts.players.erase(named.pseudonym)


@get(
    "/players",
    **route_description("listPlayers", Occasion.LOG, caller="application", headers=("Link",)),
)
async def list_players(
    request: AnyRequest,
    application: Injected[Application],
    service: Injected[Service],
    limit: Limit = 50,
    cursor: Annotated[
        str,
        QueryParameter(pattern=rf"^({PLAYER_ID})?\Z", description="`next` of the page before."),
    ] = "",
) -> Response[PlayerPage]:
    """The players of your application, in the order of their ids."""
    application.require("read")
    listed = await service.parts.players.all(application.id, cursor, limit + 1)
    page = tuple(listed[:limit])
    content = PlayerPage(page, page[-1].id if len(listed) > limit else None)
    return Response(content, headers={**NOT_STORED, **links(request, content.next)})


@get(
    "/players/{player:str}/games",
    **route_description(
        "listPlayerGames",
        Occasion.VIEWS,
        Occasion.LOG,
        raises=(NoSuchPlayer,),
        caller="player",
        headers=("Link",),
    ),
)
async def list_player_games(
    request: AnyRequest,
    player: PlayerPath,
    acting: Injected[Acting],
    service: Injected[Service],
    limit: Limit = 50,
    cursor: Cursor = "",
    ruleset: RulesetFilter = "",
    stage: StageFilter = "any",
    result: Annotated[
        PlayerResult, QueryParameter(description="What games that ended brought the player.")
    ] = "any",
) -> Response[GamePage]:
    """The games in which the player has a seat, private ones among them, newest first.

    `result` is of games that ended: a seat that a bot has taken over wins for no player.
    """
    named = await player_of(service, acting, player, "read")
    criteria = game_filter(ruleset=ruleset, stage=stage, player=named.pseudonym)
    spend(LISTING_WORK)
    won = None if result == "any" else result == "won"
    page = await service.parts.views.games(limit, cursor or None, criteria, unlisted=True, won=won)
    return Response(page, headers={**NOT_STORED, **links(request, page.next)})


@get(
    "/players/{player:str}/statistics",
    **route_description(
        "getPlayerStatistics",
        Occasion.VIEWS,
        Occasion.LOG,
        raises=(NoSuchPlayer,),
        caller="player",
    ),
)
async def get_player_statistics(
    player: PlayerPath, acting: Injected[Acting], service: Injected[Service]
) -> Response[PlayerStatistics]:
    """How the player fared, by rule set; private tables count too, and tables for tests do not."""
    named = await player_of(service, acting, player, "read")
    spend(LISTING_WORK)
    records = await service.parts.views.records_of(named.pseudonym)
    return Response(PlayerStatistics(tuple(records)), headers=NOT_STORED)


@get("/names", **route_description("getNames", Occasion.LOG))
async def get_names(of: Pseudonyms, service: Injected[Service]) -> Response[PlayerNames]:
    """The names of players whose pseudonyms you have read at a table.

    A pseudonym that is left out is of a player who is forgotten, or of none. Ask again rather than
    keep a name for long: a player may be forgotten at any time.
    """
    content = PlayerNames(dict(await service.parts.players.names(of.split(","))))
    return Response(content, headers=NOT_STORED)


HANDLERS: list[Any] = [
    *(put_player, get_player, erase_player, list_players, list_player_games),
    *(get_player_statistics, get_names),
]
