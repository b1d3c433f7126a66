"""Routes that change games: open, join, start, play, void. Answers carry the caller's new view."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, post
from litestar.params import FromPath, JSONBody
from litestar.types import Scope
from msgspec import UNSET
from msgspec.structs import replace

from phaseledger.domain.commands import (
    Act,
    Play,
    RejectCode,
    Start,
    VoidGame,
)
from phaseledger.domain.terms import Terms
from phaseledger.domain.view import view
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.signing.presences import Presence
from phaseledger.service.api.auth import SEATING, Acting, joining, seated, sitting_of
from phaseledger.service.api.commands.replies import SeatCommand, reply
from phaseledger.service.api.commands.request import CommandParameters, parsed, read_body
from phaseledger.service.api.dependencies import Injected, Service, receive_of, service_of
from phaseledger.service.api.errors import MalformedJson
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.etags import expected_versions, tag
from phaseledger.service.api.requests.headers import (
    NOT_STORED,
    IdempotencyKey,
    IfMatch,
    SignatureHeader,
    TokenKey,
)
from phaseledger.service.api.requests.json_body import EMPTY, decode_body
from phaseledger.service.api.requests.parameters import READY, AnyRequest, require_canonical
from phaseledger.service.api.responses.commands import command_answer, join_answer, repeated
from phaseledger.service.api.responses.ready import ReadyAnswer
from phaseledger.service.applications.application import Application
from phaseledger.service.applications.errors import ApplicationKeyNeeded
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.games.errors import BadSignature, StaleVersion
from phaseledger.service.games.play import Sitting
from phaseledger.service.games.presences import presence
from phaseledger.service.games.receipts import receipt_for
from phaseledger.service.lobby.errors import SeatReserved
from phaseledger.service.lobby.join_codes import publish_code
from phaseledger.service.lobby.joining import join, take_seat_command
from phaseledger.service.lobby.opening import SeatRequest, new_key, opening, unused_game
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.games import (
    BotSeat,
    Done,
    Joined,
    JoinTable,
    Opened,
    OpenTable,
    PersonSeat,
    Present,
    VoidTable,
)
from phaseledger.service.schemas.players import PlayerSeat
from phaseledger.service.webhooks.errors import TooManyRegistrations
from phaseledger.service.webhooks.registration import opening_key, register, require_allowed


@post(
    "/games",
    **route_description(
        "openGame",
        Occasion.OPENING,
        Occasion.LOG,
        raises=(TooManyRegistrations, *SEATING),
        shows=(RejectCode.BAD_TERMS, RejectCode.SEATS_OPEN),
        caller="opener",
        headers=("ETag", "Location"),
    ),
)
async def open_game(
    data: JSONBody[OpenTable],
    request: AnyRequest,
    service: Injected[Service],
    opener: Injected[Acting | None],
    idempotency_key: TokenKey = "",
) -> Response[Opened]:
    """Open a table.

    Bots sit down at once, and so do players whom an application names, or the one of a session as
    `me`; other people join. The host's token starts the game or breaks it off, and is told only
    here, or to the application that opens the table (`issueToken`), which shows its key as a bearer
    token. Some operators let applications alone open tables, and only applications open those with
    `test` (401). Repeated with its Idempotency-Key, the answer is the same, with a fresh token only
    where that has expired or was revoked by itself.
    """
    application = opener if isinstance(opener, Application) else None
    if opener is not None:
        idempotency_key = opener.own(idempotency_key)
    if data.test is not None and application is None:
        raise ApplicationKeyNeeded(Phrase("adds.test_table"))
    game = await unused_game(service.parts.store, idempotency_key, service.settings.ledger)
    await require_allowed(service.parts.deliveries, data.webhooks)
    places = await _places(service, opener, data.seats)
    terms = msgspec.convert(data.terms, Terms, from_attributes=True)
    terms = replace(terms, test=data.test is not None)
    acts = opening(
        game,
        data.ruleset,
        places,
        options=data.options,
        dealer=data.dealer,
        start=data.start,
        terms=terms,
        script=data.test.deals if data.test else (),
    )
    key = opening_key(idempotency_key or new_key(), data.webhooks)
    bots = all(place.bot for place in places)
    whose = service.opener(request.scope, application.id if application else None)
    if data.webhooks and not await service.parts.store.head(game):  # a repetition registers none
        service.attempts.register(whose.key, len(data.webhooks))
    players = [place.name for place in places if place.name and not place.bot]
    async with service.quotas.opening(whose, game, bots=bots, players=players):
        if application is not None:
            await service.parts.applications.claim(game, application.id)
        answer = await service.games.open(acts, game, key)
    state, issue = answer.state, service.parts.credentials.issue
    seats = [
        PlayerSeat(number, seat.player, await issue(game, number, answer.version, idempotency_key))
        for number, seat in enumerate(data.seats)
        if isinstance(seat, PersonSeat) and seat.player
    ]
    payload = Opened(
        game=str(game),
        version=answer.version,
        host_token=await issue(game, None, answer.version, idempotency_key),
        ruleset=state.ruleset.id,
        server_commit=state.server_commit,
        table=view(state, None),
        head=answer.head,
        receipt=receipt_for(answer, service.parts.keys.current),
        code=await publish_code(service.parts.codes, state),
        webhooks=await register(service.parts.deliveries, game, 0, data.webhooks, idempotency_key),
        seats=tuple(seats) or UNSET,
    )
    headers = {**NOT_STORED, "ETag": tag(answer.version), "Location": f"/v1/games/{game}"}
    headers |= service.attempts.join_fields(*players)
    return Response(payload, headers={**headers, **repeated(answer)})


async def _places(
    service: Service, opener: Acting | None, seats: Sequence[PersonSeat | BotSeat]
) -> list[SeatRequest]:
    """What the opening asks for each seat.

    Raises:
        ApplicationKeyNeeded, ScopeMissing: a player is named, and the opener may seat none.
        NoSuchPlayer: its application has none with that id.
        TooManyJoins: a player may take no seat for now.

    """
    places = []
    for seat in seats:
        if isinstance(seat, BotSeat):
            places.append(SeatRequest(seat.level, seat.name or ""))
        elif seat.player is None:
            places.append(SeatRequest())
        elif opener is None:
            raise ApplicationKeyNeeded
        else:
            places.append(SeatRequest(name=await seated(service, opener, seat.player)))
    return places


@post(
    "/games/{game:uuid}/seats",
    **route_description(
        "takeSeat",
        Occasion.JOINING,
        Occasion.LOG,
        raises=SEATING,
        shows=(SeatReserved, RejectCode.NO_SUCH_SEAT),
        headers=("ETag",),
    ),
)
async def take_seat(
    request: AnyRequest,
    game: FromPath[UUID],
    data: JSONBody[JoinTable],
    service: Injected[Service],
    idempotency_key: TokenKey = "",
    command_signature: SignatureHeader = "",
) -> Response[Joined]:
    """Sit down at a table that has not started.

    A player who brings a secret reveals it after the start. The token is told only here; repeated
    with its Idempotency-Key, the answer is the same, with a fresh token only where the first has
    expired or was revoked by itself. A private table asks for its code; an address has a number of
    wrong ones a minute.

    A player who registers a key and names the seat may sign the joining, too, for the newest event:
    then the game's evidence shows that the owner of the key sat down.
    """
    name, idempotency_key = await joining(request, service, data, idempotency_key)
    command, key = take_seat_command(data, name), idempotency_key or new_key()
    code = data.code or ""
    guess = service.attempts.guess(service.origin(request.scope)) if code else nullcontext()
    with guess:
        answer = await join(
            service.games, game, data.seat, command, key, code=code, sig=command_signature
        )
    return await join_answer(answer, service, idempotency_key)


@post(
    "/games/{game:uuid}/start",
    status_code=200,
    **route_description(
        "startGame",
        Occasion.STARTING,
        Occasion.HOSTING,
        Occasion.LOG,
        caller="host",
        headers=("ETag",),
        answer=Done,
    ),
)
async def start_game(
    game: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
    if_match: IfMatch = "",
) -> ReadyAnswer:
    """Start the game: no player joins any more, and the first round is dealt.

    Where seats have brought secrets, the deal waits until these are revealed.
    """
    expected = expected_versions(if_match, None)
    answer = await service.games.send(
        game, Act(Start(), host), idempotency_key or new_key(), expected
    )
    return command_answer(answer, None, service)


@post(
    "/games/{game:uuid}/void",
    status_code=200,
    **route_description(
        "voidGame",
        Occasion.VOIDING,
        Occasion.HOSTING,
        Occasion.LOG,
        caller="host",
        headers=("ETag",),
        answer=Done,
    ),
)
async def void_game(
    game: FromPath[UUID],
    data: JSONBody[VoidTable],
    host: Injected[int | None],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
    if_match: IfMatch = "",
) -> ReadyAnswer:
    """Break the game off without a winner; its secrets are revealed all the same."""
    expected = expected_versions(if_match, None)
    act = Act(VoidGame(data.reason), host)
    answer = await service.games.send(game, act, idempotency_key or new_key(), expected)
    return command_answer(answer, None, service)


@post(
    "/games/{game:uuid}/commands",
    status_code=200,
    **route_description(
        "sendCommand",
        Occasion.PLAYING,
        Occasion.LOG,
        shows=(RejectCode.NOT_YOUR_TURN, RejectCode.SIGNATURE_NEEDED, StoreUnavailable),
        caller="seat",
        headers=("ETag",),
        empty=(204,),
        answer=Done,
        body=Play,
        takes=CommandParameters,
    ),
    **READY,
)
async def send_command(game: FromPath[UUID], scope: Scope) -> ReadyAnswer:
    """Play: answer a question that your seat is asked, with one of the commands of its kind.

    Answered after the events are stored for good. `look` shows the face of a joker that the
    command drew: only a repeat with the same Idempotency-Key shows it to its owner again.

    Some operators refuse commands without If-Match (428); If-Match: * is taken for any version.

    Where several seats answer `keep` at once, each answer moves the version on: leave If-Match
    out there, or expect 412, read the table again and retry.

    At a table with a clock, what comes after the grace is too late, also without a claim:
    what the clock has in store happens first, and the command is refused by what the game is then.

    A seat that has registered a key signs each command for the event that it saw last; when another
    player has moved since, it signs anew. A repeat with the same Idempotency-Key is repeated with
    its signature too.

    With `dry_run=true` nothing is carried out and nothing is stored: 204 says that the command
    would be taken now, and a refusal why it would not be. No card is shown by it.
    """
    require_canonical(scope)
    service, request = service_of(scope), parsed(scope)
    body = await read_body(request, receive_of(scope))
    command: Play | None = decode_body(body, Play) if body else None
    sitting = await sitting_of(request.token, game, service)
    request.require_sound()
    if command is None:
        raise MalformedJson(EMPTY)
    asked = SeatCommand(
        game=game,
        sitting=sitting,
        command=command,
        key=request.key,
        if_match=request.if_match,
        signature=request.signature,
    )
    return await reply(service, asked, dry_run=request.dry_run == "true")


@post(
    "/games/{game:uuid}/presence",
    status_code=200,
    **route_description(
        "confirmPresence", Occasion.LOG, raises=(StaleVersion, BadSignature), caller="seat"
    ),
)
async def confirm_presence(
    game: FromPath[UUID],
    data: JSONBody[Present],
    sitting: Injected[Sitting],
    service: Injected[Service],
) -> Response[Presence]:
    """Say that your seat is there, and up to where it has seen the game; changes nothing.

    The answer is the operator's signed word that it was told so, and when, with no later event in
    the game. Keep it with your receipts: `phaseledger verify --receipt` holds the times of events,
    and so of time-outs, against it.
    """
    confirmed = await presence(
        service.games,
        game,
        sitting,
        (data.version, data.head),
        data.signature,
        service.parts.keys.current,
    )
    return Response(confirmed, headers=NOT_STORED)


HANDLERS: list[Any] = [
    *(open_game, take_seat, start_game, void_game, send_command),
    confirm_presence,
]
