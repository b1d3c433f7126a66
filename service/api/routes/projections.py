"""Routes over the projections, which follow the log a moment behind it, and the health checks."""

from collections.abc import Awaitable
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

import structlog
from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter

from phaseledger.domain.state import Stage
from phaseledger.projections import pages
from phaseledger.projections.games import Chapter
from phaseledger.projections.pages import NotReached
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.projections.table import PublicTable, table
from phaseledger.service.api.auth import Caller
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import NotReady
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.readiness import readiness
from phaseledger.service.api.requests.etags import current_tags, is_known
from phaseledger.service.api.requests.headers import REVALIDATED, AtLeast, IfVersionUnknown
from phaseledger.service.api.requests.pagination import (
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
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.errors import GameArchived, NoSuchGame
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.spectators import known_to, visible_snapshot
from phaseledger.service.readmodels.errors import VersionNotReached, ViewsBehind
from phaseledger.service.readmodels.views import scoreboard
from phaseledger.service.refusals import Occasion
from phaseledger.service.runtime.work import CURRENT, spend
from phaseledger.service.schemas.health import Alive, Ready

log = structlog.get_logger("phaseledger.views")
T = TypeVar("T")
V = TypeVar("V", PublicTable, Scoreboard)
LISTING_WORK = 0.003
"""Seconds of work that a page of a list counts as: filters may pass by many games."""
PROBE_WORK = 0.02
"""Seconds of work that a health check counts as: of one address 25 a second are enough for long."""
FAILING = "failing"
"""The key in the application's state of what failed when somebody last asked for readiness."""
VIEWED = (Occasion.VIEWING, Occasion.VIEWS, Occasion.LOG)
"""The occasions of a read of one game's projections; the log is read when a view is missing."""


@get("/games", **route_description("listGames", Occasion.VIEWS, headers=("Link",)))
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
) -> Response[pages.GamePage]:
    """The games that all parameters fit, newest first: in the order in which they were opened.

    Private tables are in no list, nor are games that nobody may watch once they are dealt.
    """
    criteria = game_filter(
        ruleset=ruleset,
        stage=None if stage == "any" else stage,
        player=player,
        opened=(opened_after, opened_before),
        ended=(ended_after, ended_before),
    )
    spend(LISTING_WORK)
    page = await service.views.games(limit, cursor or None, criteria)
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
    if_none_match: IfVersionUnknown = "",
) -> Response[PublicTable]:
    """The public table, from the projections; for spectators as late as the table's terms say."""
    service.games.quarantine.require_sound(game)
    if snapshot := await _delayed(service, game, caller, at_least):
        shown = table(snapshot.state, snapshot.version)
        return await _conditional(service, game, shown, if_none_match)
    content = await _view(service.views.table(game, at_least), service.store, game)
    if now := await _in_log(service, game, content.version):
        content = _as_in_log(game, content, table(now.state, now.version))
    return await _conditional(service, game, content, if_none_match)


@get(
    "/games/{game:uuid}/scoreboard",
    **route_description("getScoreboard", *VIEWED, caller="viewer", headers=("ETag",)),
)
async def get_scoreboard(
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    at_least: AtLeast = 0,
    if_none_match: IfVersionUnknown = "",
) -> Response[Scoreboard]:
    """Every round that is over: phases, points, who went out; for spectators as late as the
    table's terms say.
    """
    service.games.quarantine.require_sound(game)
    if snapshot := await _delayed(service, game, caller, at_least):
        board = scoreboard(await _chapter(service, game, snapshot))
        return await _conditional(service, game, board, if_none_match)
    board = await _view(service.views.scoreboard(game, at_least), service.store, game)
    if now := await _in_log(service, game, board.version):
        board = _as_in_log(game, board, scoreboard(await _chapter(service, game, now)))
    return await _conditional(service, game, board, if_none_match)


async def _delayed(service: Service, game: UUID, caller: Caller, at_least: int) -> Snapshot | None:
    """The snapshot that a spectator may see by the table's terms; None where it is the newest, or
    the game is archived.

    Raises:
        VersionNotReached: the caller may not see that version yet.

    """
    if caller.member:
        return None
    try:
        current = service.games.cached(game) or await service.games.look(game)
        if current.state.terms.spectators == "open":
            return None
        snapshot = await visible_snapshot(service.games, game, member=False, at_least=at_least)
    except GameArchived as archived:  # the views have it still, and all of it may be seen
        if isinstance(refusal := known_to(archived, member=False), NoSuchGame):
            raise refusal from None
        return None
    if snapshot.version < at_least:
        raise VersionNotReached(snapshot.version)
    return snapshot


async def _in_log(service: Service, game: UUID, version: int) -> Snapshot | None:
    """The game as its log has it, at that version or beyond; None where it is archived.

    Raises:
        NoSuchGame: the log has no such game.

    """
    try:
        return await service.games.look(game, version)
    except GameArchived:
        return None


async def _chapter(service: Service, game: UUID, now: Snapshot) -> Chapter:
    """The game's whole chapter as its log has it; raises LogDamaged."""
    return await service.games.chapters.at(game, now.version, now.chain.head)


def _as_in_log(game: UUID, stored: V, in_log: V) -> V:
    """The view as the log has it, which may be newer than the stored one.

    The log is signed and the stored views are not: whoever edits a row of them is not believed.
    """
    if stored.version >= in_log.version and stored != in_log:
        log.error("stored view differs from the log", game=str(game), version=stored.version)
    return in_log


async def _view(read: Awaitable[T | None], store: Store, game: UUID) -> T:
    """The projection's view.

    Raises:
        NoSuchGame: there is no such game.
        VersionNotReached: the game has not reached the version.
        ViewsBehind: only the projection is behind.

    """
    try:
        if (view := await read) is not None:
            return view
        at_least, not_yet = 1, None
    except NotReached as error:
        at_least, not_yet = error.at_least, error
    head = await store.head(game)
    if head == 0:
        raise NoSuchGame
    if head < at_least and not_yet is not None:
        raise VersionNotReached(head)
    raise ViewsBehind


async def _conditional(service: Service, game: UUID, content: V, if_none_match: str) -> Response[V]:
    """The view, unless the client has it. Views name no leaf, so the log is asked for it."""
    version, head = content.version, ""
    if "-" in if_none_match or service.has_gone_back:  # the tag names a leaf, or has to
        rows = await service.store.read(game, version - 1, 1)
        head = (rows[0].leaf or b"").hex() if rows else ""
    current = current_tags(version, None, head, has_gone_back=service.has_gone_back)
    headers = {**REVALIDATED, "ETag": current[0]}
    if is_known(if_none_match, *current):
        unchanged: Response[Any] = Response(None, status_code=304, headers=headers)
        return unchanged
    return Response(content, headers=headers)


@get(
    "/leaderboard",
    **route_description("getLeaderboard", Occasion.VIEWS, headers=("Link",)),
)
async def get_leaderboard(
    request: AnyRequest, service: Injected[Service], limit: Limit = 50, cursor: Cursor = ""
) -> Response[pages.Leaderboard]:
    """Players over all games that ended: most wins first, then fewest points a game.

    Private tables, and games that nobody may watch, do not count.
    """
    spend(LISTING_WORK)
    page = await service.views.leaderboard(limit, cursor or None)
    return Response(page, headers=links(request, page.next))


@get("/health/live", **route_description("getLiveness"))
async def get_liveness() -> Alive:
    """Whether the process answers."""
    spend(PROBE_WORK)
    return Alive()


@get("/health/ready", **route_description("getReadiness", raises=(NotReady,)))
async def get_readiness(service: Injected[Service], state: State) -> Ready:
    """Whether the database answers, the views keep up, the log is signed, and commands are taken.

    When one of them is not so, the answer is 503, and its `checks` tell all of them apart.
    """
    spend(PROBE_WORK)
    # A flood has limits, and costs no look each; checks without limits have one of their own.
    result = await readiness(service, state, shared=CURRENT.get() is not None)
    failing = {name: check.reason for name, check in result.checks.named() if not check.ok}
    if failing.keys() != state.get(FAILING, {}).keys():
        (log.error if failing else log.info)("readiness", failing=failing)
    state[FAILING] = failing
    if failing:
        raise NotReady(result.checks)
    return Ready(
        status="ready",
        checks=result.checks,
        log=result.log,
        views=result.views,
        lag=result.lag,
        signed=result.signed,
        keys=tuple(key.public.id for key in service.keys.signers),
    )


HANDLERS: list[Any] = [list_games, get_table, get_scoreboard, get_leaderboard]
HEALTH: list[Any] = [get_liveness, get_readiness]
