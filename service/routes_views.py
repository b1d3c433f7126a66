"""Routes over the projections, which follow the log a moment behind it, and the health checks."""

from collections.abc import Awaitable
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter

from domain.state import Stage
from projections import pages
from projections.pages import NotYet
from projections.scoreboard import Scoreboard
from projections.table import Table
from service.callers import Injected, Service
from service.description import described
from service.game import NoSuchGame
from service.problems import Refusal
from service.routes_read import SEEN, AtLeast, IfNoneMatch
from service.schemas import Alive, Ready
from service.store import Store
from service.transport import is_known, tag

T = TypeVar("T")
STOPPED = "projections_stopped"
"""The key in the application's state that is true once its own projections have stopped."""
UNSIGNED = "log_unsigned"
"""The key that is true once nobody here signs the public log, or stands by for it."""

Limit = Annotated[int, QueryParameter(ge=1, le=200)]
Cursor = Annotated[str, QueryParameter(max_length=1000, description="`next` of the page before.")]


@get("/games", **described("listGames", 422, 503))
async def list_games(
    service: Injected[Service],
    limit: Limit = 50,
    cursor: Cursor = "",
    ruleset: Annotated[
        str, QueryParameter(max_length=60, description="A rule set's name or full id.")
    ] = "",
    stage: Annotated[Stage | Literal["any"], QueryParameter()] = "any",
) -> pages.Games:
    """All games, newest first."""
    return await service.views.games(
        limit, cursor or None, ruleset or None, None if stage == "any" else stage
    )


@get("/games/{game:uuid}/table", **described("getTable", 404, 409, 503, headers=("ETag",)))
async def get_table(
    game: FromPath[UUID],
    service: Injected[Service],
    at_least: AtLeast = 0,
    if_none_match: IfNoneMatch = "",
) -> Response[Table]:
    """The public table, from the projections."""
    table = await _found(service.views.table(game, at_least), service.store, game)
    return _unless_known(table, table.version, if_none_match)


@get(
    "/games/{game:uuid}/scoreboard",
    **described("getScoreboard", 404, 409, 503, headers=("ETag",)),
)
async def get_scoreboard(
    game: FromPath[UUID],
    service: Injected[Service],
    at_least: AtLeast = 0,
    if_none_match: IfNoneMatch = "",
) -> Response[Scoreboard]:
    """Every round that is over: phases, points, who went out."""
    board = await _found(service.views.scoreboard(game, at_least), service.store, game)
    return _unless_known(board, board.version, if_none_match)


async def _found(read: Awaitable[T | None], store: Store, game: UUID) -> T:
    """The view; a refusal that says whether the game, its version, or only the view is missing."""
    try:
        if (found := await read) is not None:
            return found
        wanted, late = 1, None
    except NotYet as behind:
        wanted, late = behind.at_least, behind
    head = await store.head(game)
    if head == 0:
        raise NoSuchGame
    if head < wanted and late is not None:
        raise NotYet(game, wanted, head)
    raise Refusal("views_behind")


def _unless_known(content: T, version: int, if_none_match: str) -> Response[T]:
    headers = {**SEEN, "ETag": tag(version)}
    if is_known(if_none_match, tag(version)):
        unchanged: Response[Any] = Response(None, status_code=304, headers=headers)
        return unchanged
    return Response(content, headers=headers)


@get("/leaderboard", **described("getLeaderboard", 422, 503))
async def get_leaderboard(
    service: Injected[Service], limit: Limit = 50, cursor: Cursor = ""
) -> pages.Leaderboard:
    """Players over all games that ended: most wins first, then fewest points a game."""
    return await service.views.leaderboard(limit, cursor or None)


@get("/health/live", **described("getLiveness"))
async def get_liveness() -> Alive:
    """Whether the process answers."""
    return Alive()


@get("/health/ready", **described("getReadiness", 503))
async def get_readiness(service: Injected[Service], state: State) -> Ready:
    """Whether the database answers, how far the views are behind, and what is signed."""
    if state.get(STOPPED):
        raise Refusal("views_behind", "the projections have stopped, and the server's log says why")
    if state.get(UNSIGNED):
        raise Refusal("log_unsigned")
    log, reached = await service.store.position(), await service.views.position()
    newest = await service.log.tree.newest()
    return Ready(
        "ready",
        log,
        reached,
        max(0, log - reached),
        newest.size if newest else 0,
        tuple(key.public.id for key in service.keys.signers),
    )


VIEWS: list[Any] = [list_games, get_table, get_scoreboard, get_leaderboard]
HEALTH: list[Any] = [get_liveness, get_readiness]
