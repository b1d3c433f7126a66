"""Routes over the projections, which follow the log a moment behind it, and the health checks."""

from typing import Any
from uuid import UUID

import msgspec
import structlog
from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath

from phaseledger.projections import pages
from phaseledger.projections.games import PublicTable, scoreboard, table, whole
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.service.api.auth import Caller
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import NotReady
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.readiness import readiness
from phaseledger.service.api.requests.etags import current_tags, is_known
from phaseledger.service.api.requests.headers import AtLeast, IfVersionUnknown
from phaseledger.service.api.requests.pagination import (
    LATEST,
    LISTING_WORK,
    Cursor,
    EndedAfter,
    EndedBefore,
    Limit,
    OpenedAfter,
    OpenedBefore,
    PlayerFilter,
    RulesetFilter,
    StageFilter,
    game_filter,
    links,
)
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.api.responses.ready import ReadyAnswer
from phaseledger.service.api.responses.views import tagged
from phaseledger.service.eventlog.rows import timed_events
from phaseledger.service.games.errors import GameArchived, NoSuchGame
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.spectators import known_to, visible_snapshot
from phaseledger.service.readmodels.errors import VersionNotReached
from phaseledger.service.readmodels.views import Viewed
from phaseledger.service.refusals import Occasion
from phaseledger.service.runtime.work import CURRENT, beside_loop, spend
from phaseledger.service.schemas.health import Alive, Ready

log = structlog.get_logger("phaseledger.views")
_encode = msgspec.json.Encoder().encode
PROBE_WORK = 0.02
"""Seconds of work that a health check counts as: of one address 25 a second are enough for long."""
FAILING = "failing"
"""The key in the application's state of what failed at the last request for readiness."""
VIEWED = (Occasion.VIEWING, Occasion.VIEWS, Occasion.LOG)
"""The occasions of a read of one game's projections; the log is read when a view is missing."""


@get("/games", **route_description("listGames", Occasion.VIEWS, headers=("Link",)))
async def list_games(
    request: AnyRequest,
    service: Injected[Service],
    limit: Limit = 50,
    cursor: Cursor = "",
    ruleset: RulesetFilter = "",
    stage: StageFilter = "any",
    player: PlayerFilter = "",
    opened_after: OpenedAfter = 0,
    opened_before: OpenedBefore = LATEST,
    ended_after: EndedAfter = 0,
    ended_before: EndedBefore = LATEST,
) -> Response[pages.GamePage]:
    """The games that all parameters fit, newest first: in the order in which they were opened.

    Private tables are in no list, nor are games without spectators once they are dealt.
    """
    criteria = game_filter(
        ruleset=ruleset,
        stage=stage,
        player=player,
        opened=(opened_after, opened_before),
        ended=(ended_after, ended_before),
    )
    spend(LISTING_WORK)
    page = await service.parts.views.games(limit, cursor or None, criteria)
    return Response(page, headers=links(request, page.next))


@get(
    "/games/{game:uuid}/table",
    **route_description(
        "getTable", *VIEWED, caller="viewer", headers=("ETag",), answer=PublicTable
    ),
)
async def get_table(
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    at_least: AtLeast = 0,
    if_none_match: IfVersionUnknown = "",
) -> ReadyAnswer:
    """The public table, from the projections; for spectators as late as the table's terms say."""
    service.games.quarantine.require_sound(game)
    now = await _delayed(service, game, caller, at_least)
    viewed = None if now else await service.parts.views.table(game, at_least)
    if viewed is None:
        now = now or await service.games.look(game)
        viewed = Viewed(table(now.state, now.version), now.chain.head)
    return _conditional(service, viewed, if_none_match)


@get(
    "/games/{game:uuid}/scoreboard",
    **route_description(
        "getScoreboard", *VIEWED, caller="viewer", headers=("ETag",), answer=Scoreboard
    ),
)
async def get_scoreboard(
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    at_least: AtLeast = 0,
    if_none_match: IfVersionUnknown = "",
) -> ReadyAnswer:
    """Every round that is over: phases, points, who went out; for spectators as late as the
    table's terms say.
    """
    service.games.quarantine.require_sound(game)
    now = await _delayed(service, game, caller, at_least)
    viewed = None if now else await service.parts.views.scoreboard(game, at_least)
    if viewed is None:
        now = now or await service.games.look(game)
        rows = await service.games.rows(game, 0, now.version)
        board = await beside_loop(
            lambda: scoreboard(whole(1, len(rows), timed_events(rows))), len(rows)
        )
        viewed = Viewed(board, now.chain.head)
    return _conditional(service, viewed, if_none_match)


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


def _conditional(
    service: Service, viewed: Viewed[PublicTable] | Viewed[Scoreboard], if_none_match: str
) -> ReadyAnswer:
    """The view, unless the client has it."""
    content, leaf = viewed
    tags = current_tags(content.version, None, leaf, has_gone_back=service.has_gone_back)
    body = None if is_known(if_none_match, *tags) else _encode(content)
    return tagged(tags[0], body)


@get(
    "/leaderboard",
    **route_description("getLeaderboard", Occasion.VIEWS, headers=("Link",)),
)
async def get_leaderboard(
    request: AnyRequest, service: Injected[Service], limit: Limit = 50, cursor: Cursor = ""
) -> Response[pages.Leaderboard]:
    """Players over all games that ended: most wins first, then fewest points a game.

    Private tables, and games without spectators, do not count.
    """
    spend(LISTING_WORK)
    page = await service.parts.views.leaderboard(limit, cursor or None)
    return Response(page, headers=links(request, page.next))


BESIDE_PLAY = frozenset({"projections", "log_key"})
"""Checks that no proxy is to leave a node for: what fails there fails at all nodes at once."""


@get("/health/live", **route_description("getLiveness"))
async def get_liveness() -> Alive:
    """Whether the process answers."""
    spend(PROBE_WORK)
    return Alive()


@get("/health/ready", **route_description("getReadiness", raises=(NotReady,)))
async def get_readiness(service: Injected[Service], state: State) -> Ready:
    """Whether games can be played: the database answers and can be written, and commands are taken.

    When that is not so, the answer is 503, and its `checks` tell all of them apart. Views that are
    behind and a log that is not signed are told in `checks` of a 200: play goes on without them.
    """
    spend(PROBE_WORK)
    # A flood has limits, and costs no look each; checks without limits have one of their own.
    result = await readiness(service, state, shared=CURRENT.get() is not None)
    failing = {name: check.reason for name, check in result.checks.named() if not check.ok}
    if failing.keys() != state.get(FAILING, {}).keys():
        (log.error if failing else log.info)("readiness", failing=failing)
    state[FAILING] = failing
    if failing.keys() - BESIDE_PLAY:
        raise NotReady(result.checks)
    assert result.figures is not None, "the database has answered"
    return Ready(
        status="ready",
        checks=result.checks,
        log=result.figures.log,
        views=result.figures.views,
        lag=result.figures.lag,
        signed=result.figures.signed_position,
        keys=tuple(key.public.id for key in service.parts.keys.signers),
    )


HANDLERS: list[Any] = [list_games, get_table, get_scoreboard, get_leaderboard]
HEALTH: list[Any] = [get_liveness, get_readiness]
