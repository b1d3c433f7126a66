"""The route of a game's frames: the table after each event, as the caller may know it."""

from typing import Annotated, Any, NewType
from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from phaseledger.domain.words import Phrase
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.frames import Frame, FramesHeader
from phaseledger.service.api.auth import Caller, visible_game
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.openapi.portability import any_of
from phaseledger.service.api.requests.etags import is_known
from phaseledger.service.api.requests.headers import IfNoneMatch
from phaseledger.service.api.requests.invalid_parameters import of_parameters
from phaseledger.service.api.requests.languages import VARY, Lang, language
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.games.errors import CardsHidden
from phaseledger.service.games.frames import frame_lines
from phaseledger.service.games.game import Snapshot
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.problem import Fault
from phaseledger.service.schemas.versions import HEAD_DIGITS, NEWEST
from phaseledger.service.streams.sse import NDJSON

AT_ONCE = 4
"""The limit of documents that are made at once."""
AT_ONCE_EACH = 2
"""Requests of one address that are answered at once."""
CHANGING = "private, no-cache"
FOR_EVER = "private, max-age=31536000, immutable"

_Line = Annotated[dict[str, Any], any_of(FramesHeader, Frame)]
FrameLine = NewType("FrameLine", _Line)  # the framework copies what it knows of a route

SeatQuery = Annotated[
    str,
    QueryParameter(
        name="seat",
        pattern=r"^(all|spectator|[0-9]|[1-9][0-9])?$",
        description="From where the table is seen: a seat by its number, `spectator`, or `all` for "
        "every card. Left out: the caller's own seat, else `spectator`; of a game that is over, "
        "`all`.",
    ),
]
From = Annotated[
    int, QueryParameter(name="from", ge=1, le=NEWEST, description="The first event to be told.")
]
To = Annotated[
    int, QueryParameter(ge=1, le=NEWEST, description="The last event to be told, if it is there.")
]


@get(
    "/games/{game:uuid}/frames",
    media_type=NDJSON,
    **route_description(
        "getFrames", Occasion.LOG, raises=(CardsHidden,), caller="viewer", headers=("ETag",)
    ),
)
async def get_frames(
    request: AnyRequest,
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    from_seat: SeatQuery = "",
    from_: From = 1,
    to: To = NEWEST,
    lang: Lang = "",
    if_none_match: IfNoneMatch = "",
) -> Response[FrameLine]:
    """The game event by event: in words, with the moves of its cards, and the table after each.

    NDJSON: first a `FramesHeader`, then a `Frame` for each event from `from` to `to`. The first
    frame has the whole `position`, each other one a JSON Patch (RFC 6902) to the one before it, so
    a page draws a replay without knowing a rule. While the game goes on, a seat's token shows the
    frames of that seat or a spectator's, and others see what the table's terms for spectators
    allow. Once it is over, its viewers may look on from any seat, and from all at once; it
    never changes then.
    """
    caller, now = await visible_game(request.scope, service, game, caller)
    viewer, last = _viewer(from_seat, caller, now), min(to, now.version)
    spoken = language(request, lang)
    where = "spectator" if viewer is None else viewer
    tag = f'"{now.version}-{now.chain.head[:HEAD_DIGITS]}-{where}-{spoken}-{from_}-{last}"'
    headers = {
        "Cache-Control": FOR_EVER if now.revealed else CHANGING,
        "ETag": tag,
        "Vary": f"Authorization, {VARY}",
    }
    if is_known(if_none_match, tag):
        return Response(b"", status_code=304, headers=headers)  # type: ignore[arg-type]
    begin = min(from_ - 1, last)
    before = await service.games.past(game, begin) if begin else None
    rows = await service.games.rows(game, begin, last)
    async with service.slots.frames.held(service.origin(request.scope)):
        parts = [part async for part in frame_lines(now, before, rows, viewer, spoken)]
    return Response(b"".join(parts), headers=headers)  # type: ignore[arg-type]


def _viewer(seat: str, caller: Caller, now: Snapshot) -> Viewer:
    """From where the game is told.

    Raises:
        CardsHidden: the caller may not know what is seen from there.
        InvalidParameter: the table has no such seat.

    """
    if not seat:
        return "all" if now.revealed else caller.seat
    if seat == "spectator":
        return None
    if seat != "all" and int(seat) >= len(now.state.seats):
        fault = Fault("query", "seat", Phrase("adds.fault.seats", most=len(now.state.seats) - 1))
        raise of_parameters([fault])
    if not now.revealed and seat != str(caller.seat):
        raise CardsHidden
    return "all" if seat == "all" else int(seat)


HANDLERS: list[Any] = [get_frames]
