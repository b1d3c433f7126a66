"""Routes that only read: the table as the caller sees it, legal commands, events."""

from collections.abc import AsyncIterator
from typing import Annotated, Any
from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath, HeaderParameter, PathParameter, QueryParameter
from litestar.response import Stream
from msgspec import Raw

from domain import codec
from domain.legal import legal
from domain.view import view
from replay.receipts import Receipt
from service.callers import AnyRequest, Injected, Service
from service.deadlines import due_at
from service.description import described
from service.game import Snapshot
from service.receipts import find_receipt
from service.schemas import (
    Actions,
    EventPage,
    EventRecord,
    GameView,
)
from service.store import Row
from service.transport import is_known, tag

NDJSON = "application/x-ndjson"
NEWEST = 2**53 - 1

IfNoneMatch = Annotated[
    str,
    HeaderParameter(
        name="If-None-Match", max_length=1000, description="An ETag held already: 304 if current."
    ),
]
AtLeast = Annotated[
    int,
    QueryParameter(ge=0, le=NEWEST, description="Wait some seconds for the game's version."),
]
SEEN = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


@get("/games/{game:uuid}", **described("getGame", 503, caller="viewer", headers=("ETag",)))
async def get_game(
    game: FromPath[UUID],
    viewer: Injected[int | None],
    service: Injected[Service],
    at_least: AtLeast = 0,
    if_none_match: IfNoneMatch = "",
) -> Response[GameView]:
    """The table as the caller sees it: a seat its own hand, anybody else no hand at all.

    With `at_least` one past the version held, this is a long poll: it answers as soon as the game
    gets there, and with what there is after about ten seconds.
    """
    now = await service.games.look(game, at_least)
    current = tag(now.version, viewer)
    headers = {**SEEN, "ETag": current}
    if is_known(if_none_match, current):
        return _unchanged(headers)
    state = now.state
    seen = GameView(
        game=str(game),
        version=now.version,
        server_commit=state.server_commit,
        options=state.ruleset.options,
        table=view(state, viewer),
        head=now.chain.head,
        reveal_by=due_at(now, service.reveal_seconds),
    )
    return Response(seen, headers=headers)


def _unchanged(headers: dict[str, str]) -> Response[Any]:
    return Response(None, status_code=304, headers=headers)


@get(
    "/games/{game:uuid}/actions",
    **described("listActions", 403, 503, caller="seat", headers=("ETag",)),
)
async def list_actions(
    game: FromPath[UUID], seat: Injected[int], service: Injected[Service]
) -> Response[Actions]:
    """What the caller is asked, and every command that may answer it now.

    Lays are listed at their least size and hits one card at a time; a secret that is due cannot
    be listed.
    """
    now = await service.games.look(game)
    questions = tuple(question for question in now.state.waits if question.seat == seat)
    commands: Any = tuple(legal(now.state, seat))  # to a question, so each of them is a Play
    return Response(
        Actions(now.version, now.chain.head, questions, commands),
        headers={**SEEN, "ETag": tag(now.version, seat)},
    )


@get(
    "/games/{game:uuid}/events",
    **described("listEvents", 503, caller="viewer", also={NDJSON: EventRecord}),
)
async def list_events(
    request: AnyRequest,
    game: FromPath[UUID],
    viewer: Injected[int | None],
    service: Injected[Service],
    after: Annotated[
        int, QueryParameter(ge=0, le=NEWEST, description="The version the client has.")
    ] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 200,
) -> Response[EventPage] | Stream:
    """Events as the caller may know them; all of them open up when the game is over.

    `Accept: application/x-ndjson` streams everything after `after`, one event a line.
    """
    now = await service.games.look(game)
    if NDJSON in request.headers.get("accept", ""):
        rows = service.games.events(game, after, None)
        return Stream(_lines(rows, now, viewer), media_type=NDJSON, headers=SEEN)
    rows = service.games.events(game, after, limit)
    events = [Raw(_redact(row, now, viewer)) async for row in rows]
    last = after + len(events)
    page = EventPage(str(game), tuple(events), last if events and last < now.version else None)
    return Response(page, headers=SEEN)


def _redact(row: Row, now: Snapshot, viewer: int | None) -> bytes:
    return codec.redact(row.state, now.chain.key, viewer, opened=now.opened)


async def _lines(
    rows: AsyncIterator[Row], now: Snapshot, viewer: int | None
) -> AsyncIterator[bytes]:
    async for row in rows:
        yield _redact(row, now, viewer) + b"\n"


@get(
    "/games/{game:uuid}/receipts/{seq:int}",
    **described("getReceipt", 503, caller="viewer"),
)
async def get_receipt(
    game: FromPath[UUID],
    seq: Annotated[int, PathParameter(ge=1, le=NEWEST, description="A command's last event.")],
    viewer: Injected[int | None],
    service: Injected[Service],
) -> Response[Receipt]:
    """The operator's signed word for the command that ends with this event.

    Whoever keeps it can prove later that the log was cut off or rewritten. It is the one that the
    command's answer had, unless the operator signs with a newer key by now.
    """
    now = await service.games.look(game)
    receipt = await find_receipt(service.store, game, now, seq, service.keys.current)
    return Response(receipt, headers=SEEN)


READS: list[Any] = [get_game, list_actions, list_events, get_receipt]
