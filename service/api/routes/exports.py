"""The route of exports: all finished games in one streaming response."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing
from typing import Annotated, Any, Literal, NewType

from litestar import Response, get
from litestar.params import HeaderParameter, QueryParameter

from phaseledger.projections.pages import FinishedPlace, finished_place
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import HistoryLost, TooManyExports
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.openapi.portability import any_of
from phaseledger.service.api.requests.pagination import (
    LATEST,
    EndedAfter,
    EndedBefore,
    OpenedAfter,
    OpenedBefore,
    PlayerFilter,
    RulesetFilter,
    game_filter,
)
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.api.responses.exports import export_lines, gzip_stream, place_of
from phaseledger.service.api.responses.streaming import StreamingResponse
from phaseledger.service.readmodels.errors import ViewsBehind
from phaseledger.service.refusals import Occasion
from phaseledger.service.runtime.content_coding import takes_gzip
from phaseledger.service.schemas.games import EventRecord
from phaseledger.service.schemas.streams import (
    ArchivedHeader,
    ExportEnd,
    GameHeader,
    SetAsideHeader,
)
from phaseledger.service.streams.sse import NDJSON

AT_ONCE = 8
"""The limit of exports open at once."""
AT_ONCE_EACH = 2
"""Exports that one address may have open."""
LARGEST_PART = 64 * 1024
"""Bytes that are sent at a time, so that a reader who takes none is not read for."""
_Line = Annotated[
    dict[str, Any], any_of(GameHeader, SetAsideHeader, ArchivedHeader, EventRecord, ExportEnd)
]
ExportLine = NewType("ExportLine", _Line)  # the framework copies what it knows of a route
AcceptEncoding = Annotated[
    str,
    HeaderParameter(
        name="Accept-Encoding", max_length=1000, description="Where it has gzip, that is sent."
    ),
]


@get(
    "/exports/games",
    media_type=NDJSON,
    **route_description(
        "exportGames", Occasion.VIEWS, raises=(HistoryLost, TooManyExports, ViewsBehind)
    ),
)
async def export_games(
    request: AnyRequest,
    service: Injected[Service],
    cursor: Annotated[
        str, QueryParameter(max_length=1000, description="`next` or `cursor` of an export before.")
    ] = "",
    limit: Annotated[
        int, QueryParameter(ge=0, le=1_000_000, description="At most so many games; 0: all.")
    ] = 0,
    format: Annotated[Literal["events"], QueryParameter()] = "events",  # noqa: A002
    ruleset: RulesetFilter = "",
    player: PlayerFilter = "",
    opened_after: OpenedAfter = 0,
    opened_before: OpenedBefore = LATEST,
    ended_after: EndedAfter = 0,
    ended_before: EndedBefore = LATEST,
    accept_encoding: AcceptEncoding = "",
) -> Response[ExportLine] | StreamingResponse:
    """All finished games that all parameters fit, with all their events, one JSON object a line.

    Before each game stands a `GameHeader`, then come its events, opened as `listEvents` has them,
    and after the last game an `ExportEnd`: without that line the export was cut off, and goes on
    with the `cursor` of the game that it was cut off in. Games come in the order in which they
    ended; a reader that comes back with `next` gets the games that have ended since. Where the
    ledger has gone back meanwhile and lost what `next` is of, that is refused with `history_lost`:
    begin anew. In place of a game whose record is damaged stands a `SetAsideHeader`, and of one
    whose events were archived an `ArchivedHeader`.

    An address may have two exports open. `phaseledger audit` reads the file as it is. Private
    tables, those for tests, and games without spectators, are left out.
    """
    place = finished_place(cursor or None)
    address = service.origin(request.scope)
    if reason := service.slots.exports.reason_to_refuse(address):
        raise TooManyExports(reason)
    await _require_place(service, place)
    criteria = game_filter(
        ruleset=ruleset,
        player=player,
        opened=(opened_after, opened_before),
        ended=(ended_after, ended_before),
    )
    parts = export_lines(
        service.parts.store,
        service.parts.views,
        criteria,
        place,
        limit,
        service.games.quarantine.suspect,
    )
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding", "X-Accel-Buffering": "no"}
    if takes_gzip(accept_encoding):
        parts, headers["Content-Encoding"] = gzip_stream(parts), "gzip"
    return StreamingResponse(
        _within_limit(parts, service.slots.exports.held(address)), NDJSON, headers
    )


async def _require_place(service: Service, place: FinishedPlace) -> None:
    """Require that the export can go on from the place; an answer that has begun can be refused no
    more.

    Raises:
        HistoryLost: the log does not have that place, or another event there.
        ViewsBehind: the views have gone back, and would lack games.

    """
    if place.leaf and await place_of(service.parts.store, place.position) != place:
        raise HistoryLost
    # A cursor is never ahead of the views that gave it out.
    if await service.parts.views.position() < place.position:
        if await service.parts.store.position() < place.position:
            raise HistoryLost
        raise ViewsBehind


async def _within_limit(
    parts: AsyncGenerator[bytes], slot: AbstractAsyncContextManager[None]
) -> AsyncGenerator[bytes]:
    """The parts in pieces of `LARGEST_PART` at most, sent while the slot is held."""
    async with slot, aclosing(parts):
        async for part in parts:
            for start in range(0, len(part), LARGEST_PART):
                yield part[start : start + LARGEST_PART]


HANDLERS: list[Any] = [export_games]
