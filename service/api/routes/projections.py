"""Routes over the projections, which follow the log a moment behind it, and the health checks."""

from collections.abc import Awaitable
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter

from phaseledger.domain.state import Stage
from phaseledger.projections import pages
from phaseledger.projections.pages import NotReached
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.projections.table import Table, table
from phaseledger.service.api.auth import AnyRequest, Caller, Injected, Service
from phaseledger.service.api.etags import is_known, tag
from phaseledger.service.api.headers import REVALIDATED, AtLeast, IfNoneMatch
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.openapi.problem_sets import UNREADY, VIEWED
from phaseledger.service.api.pagination import (
    LATEST,
    Cursor,
    EndedAfter,
    EndedBefore,
    Limit,
    OpenedAfter,
    OpenedBefore,
    PlayerFilter,
    RulesetFilter,
    game_filter,
    links,
)
from phaseledger.service.api.problems import NotReady, Refusal
from phaseledger.service.api.readiness import readiness
from phaseledger.service.eventlog.protocols import GameStore
from phaseledger.service.games.errors import NoSuchGame
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.spectators import visible_snapshot
from phaseledger.service.readmodels.views import scoreboard_at
from phaseledger.service.schemas.health import Alive, Ready

T = TypeVar("T")


@get(
    "/games", **route_description("listGames", "bad_cursor", "views_unavailable", headers=("Link",))
)
async def list_games(
    request: AnyRequest,
    service: Injected[Service],
    limit: Limit = 50,
    cursor: Cursor = "",
    ruleset: RulesetFilter = "",
    stage: Annotated[Stage | Literal["any"], QueryParameter()] = "any",
    player: PlayerFilter = "",
    opened_after: OpenedAfter = 0,
    opened_before: OpenedBefore = LATEST,
    ended_after: EndedAfter = 0,
    ended_before: EndedBefore = LATEST,
) -> Response[pages.Games]:
    """The games that all parameters fit, newest first: in the order in which they were opened.

    Private tables are in no list, nor are games that nobody may watch once they are dealt.
    """
    found = game_filter(
        ruleset=ruleset,
        stage=None if stage == "any" else stage,
        player=player,
        opened=(opened_after, opened_before),
        ended=(ended_after, ended_before),
    )
    page = await service.views.games(limit, cursor or None, found)
    return Response(page, headers=links(request, page.next))


@get(
    "/games/{game:uuid}/table",
    **route_description("getTable", *VIEWED, caller="viewer", headers=("ETag",)),
)
async def get_table(
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    at_least: AtLeast = 0,
    if_none_match: IfNoneMatch = "",
) -> Response[Table]:
    """The public table, from the projections; for spectators as late as the table's terms say."""
    if late := await _late(service, game, caller, at_least):
        return _unless_known(table(late.state, late.version), late.version, if_none_match)
    found = await _found(service.views.table(game, at_least), service.store, game)
    return _unless_known(found, found.version, if_none_match)


@get(
    "/games/{game:uuid}/scoreboard",
    **route_description("getScoreboard", *VIEWED, caller="viewer", headers=("ETag",)),
)
async def get_scoreboard(
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    at_least: AtLeast = 0,
    if_none_match: IfNoneMatch = "",
) -> Response[Scoreboard]:
    """Every round that is over: phases, points, who went out; for spectators as late as the
    table's terms say.
    """
    if late := await _late(service, game, caller, at_least):
        told = await scoreboard_at(service.store, game, late.version)
        return _unless_known(told, late.version, if_none_match)
    board = await _found(service.views.scoreboard(game, at_least), service.store, game)
    return _unless_known(board, board.version, if_none_match)


async def _late(service: Service, game: UUID, caller: Caller, at_least: int) -> Snapshot | None:
    """The game as far as the caller may see it; None where that is all of it.

    Raises:
        NotYet: the caller may not see that version yet.

    """
    if caller.member:
        return None
    now = service.games.known(game) or await service.games.look(game)
    if now.state.terms.spectators == "open":
        return None
    shown = await visible_snapshot(service.games, game, member=False, at_least=at_least)
    if shown.version < at_least:
        raise NotReached(game, at_least, shown.version)
    return shown


async def _found(read: Awaitable[T | None], store: GameStore, game: UUID) -> T:
    """The view; a refusal that says whether the game, its version, or only the view is missing."""
    try:
        if (found := await read) is not None:
            return found
        wanted, late = 1, None
    except NotReached as behind:
        wanted, late = behind.at_least, behind
    head = await store.head(game)
    if head == 0:
        raise NoSuchGame
    if head < wanted and late is not None:
        raise NotReached(game, wanted, head)
    raise Refusal("views_behind")


def _unless_known(content: T, version: int, if_none_match: str) -> Response[T]:
    headers = {**REVALIDATED, "ETag": tag(version)}
    if is_known(if_none_match, tag(version)):
        unchanged: Response[Any] = Response(None, status_code=304, headers=headers)
        return unchanged
    return Response(content, headers=headers)


@get(
    "/leaderboard",
    **route_description("getLeaderboard", "bad_cursor", "views_unavailable", headers=("Link",)),
)
async def get_leaderboard(
    request: AnyRequest, service: Injected[Service], limit: Limit = 50, cursor: Cursor = ""
) -> Response[pages.Leaderboard]:
    """Players over all games that ended: most wins first, then fewest points a game.

    Private tables, and games that nobody may watch, do not count.
    """
    page = await service.views.leaderboard(limit, cursor or None)
    return Response(page, headers=links(request, page.next))


@get("/health/live", **route_description("getLiveness"))
async def get_liveness() -> Alive:
    """Whether the process answers."""
    return Alive()


@get("/health/ready", **route_description("getReadiness", *UNREADY))
async def get_readiness(service: Injected[Service], state: State) -> Ready:
    """Whether the database answers, the views keep up, the log is signed, and commands are taken.

    When one of them is not so, the answer is 503, and its `checks` tell all of them apart. Of
    several partitions one is enough: `partitions` tells which are away.
    """
    found = await readiness(service, state)
    if not all(check.ok for _, check in found.checks.named()):
        raise NotReady(found.checks)
    return Ready(
        "ready",
        found.checks,
        found.log,
        found.views,
        found.lag,
        found.signed,
        tuple(key.public.id for key in service.keys.signers),
        found.partitions,
    )


VIEWS: list[Any] = [list_games, get_table, get_scoreboard, get_leaderboard]
HEALTH: list[Any] = [get_liveness, get_readiness]
