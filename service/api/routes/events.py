"""The route of a game's events: as a page, as NDJSON, or as server-sent events (SSE)."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, Literal, cast
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath, HeaderParameter, QueryParameter

from phaseledger.domain.words import Language, Phrase
from phaseledger.service.api.auth import Caller, reader, token_in, visible_game
from phaseledger.service.api.auth import caller as caller_of
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import HistoryLost
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED
from phaseledger.service.api.requests.invalid_parameters import of_parameters
from phaseledger.service.api.requests.pagination import links
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.api.responses.events import (
    HEADERS,
    PAGE,
    EventStreamResponse,
    StreamRequest,
    has_version,
)
from phaseledger.service.credentials.errors import (
    TicketUnknown,
    TokenRefused,
    TokenRevoked,
    TokenUnknown,
)
from phaseledger.service.credentials.tokens import APPLICATION, digest
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.games.spectators import visible_version
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.games import EventPage, EventRecord
from phaseledger.service.schemas.problem import Fault
from phaseledger.service.schemas.streams import StreamCloseCode, Ticket
from phaseledger.service.schemas.versions import (
    HEAD_DIGITS,
    NAMED_VERSION,
    NEWEST,
    KnownVersion,
    known_version,
)
from phaseledger.service.streams import sse
from phaseledger.service.streams.feed import redacted_rows
from phaseledger.service.streams.reactions import seconds_left
from phaseledger.service.streams.subscription import Stream

JSON = "application/json"
TICKET_SECONDS = 30
"""In which a ticket has to be used: a page opens its stream at once."""

VERSION_NUMBER = {"type": "integer", "minimum": 0, "maximum": NEWEST}
VERSION_TEXT = {"type": "string", "pattern": f"^$|{NAMED_VERSION}"}

After = Annotated[
    int, QueryParameter(ge=0, le=NEWEST, description="The version the client has; 0 for none.")
]
EventLimit = Annotated[
    int, QueryParameter(ge=1, le=1000, description="How many events a page has at most.")
]
FollowQuery = Annotated[
    Literal["false", "true"],
    QueryParameter(description="Whether lines go on with the game, until it is over."),
]
Once = Annotated[
    Literal["false", "true"],
    QueryParameter(description="Whether server-sent events end after what there is now."),
]
LinesQuery = Annotated[
    Literal[Language, "none"],
    QueryParameter(
        description="The language in which server-sent events tell the game's events besides, as "
        "`lines`; `none` for not at all."
    ),
]
LingerQuery = Annotated[
    Literal["false", "true"],
    QueryParameter(
        description="Whether server-sent events go on after `end`, while players may still react."
    ),
]
HeadQuery = Annotated[
    str,
    QueryParameter(
        pattern=rf"^([0-9a-f]{{{HEAD_DIGITS}}})?$",
        description=f"The first {HEAD_DIGITS} digits of the `head` at `after`: then a ledger that "
        "went back is told from one that went on.",
    ),
]
TicketQuery = Annotated[
    str,
    QueryParameter(
        max_length=100,
        description="What `newTicket` answered, for server-sent events in place of the header "
        "`Authorization`.",
    ),
]
LastEventId = Annotated[
    str,
    HeaderParameter(
        name="Last-Event-ID",
        max_length=40,
        description="The `id` that a stream ended with, so the version the client has, `-` and the "
        f"first {HEAD_DIGITS} digits of its `head`; or the version alone. Goes before `after` and "
        "`head`. An empty one counts as none.",
        schema_extra={"anyOf": [VERSION_NUMBER, VERSION_TEXT]},
    ),
]


@post(
    "/games/{game:uuid}/tickets",
    **route_description("newTicket", Occasion.LOG, caller="member"),
)
async def new_ticket(
    request: AnyRequest,
    game: FromPath[UUID],
    member: Injected[Caller],
    service: Injected[Service],
) -> Response[Ticket]:
    """A ticket for one event stream, within 30 seconds, for whatever cannot send a header.

    A browser's `EventSource` is one: `?ticket=` stands for the token there, once, and for nothing
    else. The stream is the token's, and ends with it. A ticket is no secret of the game: what
    a web server or a history keeps of an address opens nothing any more.
    """
    token = token_in(request.headers["authorization"])
    ticket = await service.parts.credentials.issue_ticket(token, game, TICKET_SECONDS)
    return Response(Ticket(ticket, TICKET_SECONDS), headers=NOT_STORED)


@get(
    "/games/{game:uuid}/events",
    **route_description(
        "listEvents",
        Occasion.STREAMING,
        Occasion.LOG,
        caller="viewer",
        also={sse.NDJSON: EventRecord, sse.SSE: sse.EventStream},
        headers=("Link",),
        empty=(204,),
        raises=(HistoryLost, TicketUnknown),
    ),
)
async def list_events(
    request: AnyRequest,
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    after: After = 0,
    limit: EventLimit = 200,
    follow: FollowQuery = "false",
    once: Once = "false",
    head: HeadQuery = "",
    lines: LinesQuery = "none",
    linger: LingerQuery = "false",
    ticket: TicketQuery = "",
    last_event_id: LastEventId = "",
) -> Response[EventPage] | EventStreamResponse:
    """Events as the caller may know them; all of them open up when the game is over.

    By `Accept`: a page as JSON, or everything after a version, one event a line, as
    `application/x-ndjson`; with `follow=true` the lines go on with the game, an empty one now and
    then showing that the stream is alive.

    `Accept: text/event-stream` follows a game as server-sent events. First comes `state`, the
    game as `getGame` has it, or for a client that names the version it has, what it missed since;
    then, with each commit, `events`: the events and a JSON Patch of the game, and with `lines`
    the events in words, with the moves of their cards; the `legend` then speaks that language too.
    Whenever the caller's seat is asked something, `asked` has what `listActions` has. `end` comes
    when the game is over; a client that comes back after that gets a 204 and should not come again.
    `closed` says why the server ends a stream before that, and a comment now and then that the
    stream is alive. `reaction` has what a player says with `sendReaction`; it has no `id`, stands
    in no log, comes once, and not to viewers who see the game late. With `linger=true` the stream
    goes on after `end` for the five minutes in which players still react.
    `id` names the version: a client that comes back with it as `Last-Event-ID` misses nothing and
    gets nothing twice, or, when it is more than some hundred events behind, the state again. Where
    the ledger has gone back meanwhile and lost that version, `rewound` says so, and the state
    follows. A page, or lines, after such a version are refused with `history_lost`; a client that
    names a version by its number alone is not told.

    A client that cannot send a header shows a `ticket` of `newTicket` in its place. That opens one
    stream, so a client that comes back asks for another one, and names its version by `after` and
    `head`.

    One address may have 256 streams and long polls at once; more get `too_many_streams`.
    """
    media_type = request.accept.best_match([JSON, sse.NDJSON, sse.SSE], JSON)
    shown = request.headers.get("authorization", "").partition(" ")[2].strip()
    token_hash = digest(shown) if shown else b""
    if ticket:
        _require_in_place(request, media_type)
        token_hash = await service.parts.credentials.redeem(ticket, game)
        caller = await _holder(service, game, token_hash)
    caller, now = await visible_game(request.scope, service, game, caller)
    viewer, member = caller.seat, caller.member
    since = _client_version(last_event_id)
    if not since.number:
        since = KnownVersion(after, head if after else "")
    if media_type != sse.SSE and not await has_version(service.parts.store, game, since):
        raise HistoryLost
    if media_type == JSON:
        missing = max(0, min(limit, now.version - since.number))
        last = since.number + missing
        rows = await service.games.rows(game, since.number, last) if missing else []
        page = EventPage(
            str(game),
            redacted_rows(rows, now, viewer),
            last if rows and last < now.version else None,
        )
        return Response(page, headers={**HEADERS, **links(request, page.next, "after")})
    form: Any = "sse" if media_type == sse.SSE else "ndjson"
    follows = follow == "true" if form == "ndjson" else once == "false"
    lingers = linger == "true" and form == "sse" and follows
    is_known = now.revealed and since.fits(now.version, now.chain.head)
    if form == "sse" and is_known and not (lingers and seconds_left(now)):
        return Response(None, status_code=204, headers=HEADERS)  # type: ignore[arg-type]
    # Another player may have sat down between the two looks at the table.
    present = _holder(service, game, token_hash) if ticket else caller_of(request, game, service)
    if await present != caller:
        raise TokenRevoked(Phrase("adds.seat_other"))
    find: Callable[[], Awaitable[object]]
    find = partial(service.parts.credentials.find_hash, token_hash)
    if shown.startswith(APPLICATION):
        find = partial(service.parts.applications.find, shown)
    check = partial(_token_fault, find) if token_hash else None
    stream = Stream(form, check, service.origin(request.scope), lingers=lingers)
    sees_all = member or now.state.terms.spectators == "open"
    reach = None if sees_all else partial(visible_version, member=False)
    # Damage that the first lines meet is a refusal; later it breaks the answer off.
    begin, end = since.number, min(since.number + PAGE, now.version)
    rows = await service.games.rows(game, begin, end) if form == "ndjson" and begin < end else ()
    stream_request = StreamRequest(
        game=game,
        viewer=viewer,
        since=since,
        follow=follows,
        lines=None if lines == "none" else lines,
        rows=rows,
    )
    return EventStreamResponse(service.streams, service.games, stream, stream_request, now, reach)


def _require_in_place(request: AnyRequest, media_type: str) -> None:
    """Check that a ticket is shown where it counts. Raises TicketUnknown."""
    if media_type != sse.SSE:
        raise TicketUnknown(Phrase("adds.ticket.sse"))
    if "authorization" in request.headers:
        raise TicketUnknown(Phrase("adds.ticket.beside"))


async def _holder(service: Service, game: UUID, token_hash: bytes) -> Caller:
    """The caller whose token a ticket stood for. Raises TicketUnknown, TokenRefused."""
    credential = await service.parts.credentials.find_hash(token_hash)
    if credential is None:
        raise TicketUnknown  # the database has lost its token
    return await reader(credential, game, service)


def _client_version(last_event_id: str) -> KnownVersion:
    try:
        return known_version(last_event_id or "0")
    except ValueError as error:
        reason = Phrase("adds.fault.event_id", value="`id`")
        raise of_parameters([Fault("header", "last-event-id", reason)]) from error


async def _token_fault(find: Callable[[], Awaitable[object]]) -> StreamCloseCode | None:
    """The reason why what the token stands for is not found any more; None while it is."""
    try:
        return None if await find() else "token_unknown"
    except (TokenRefused, TokenUnknown) as error:
        return cast(StreamCloseCode, error.code)
    except StoreUnavailable:
        return None  # nothing is known against it


HANDLERS: list[Any] = [new_ticket, list_events]
