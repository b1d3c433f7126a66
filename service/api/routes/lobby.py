"""Routes of the lobby: joining by code, the host's powers, leaving, claims, the rematch."""

from contextlib import suppress
from typing import Annotated, Any
from uuid import UUID

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody, PathParameter
from msgspec.structs import replace

from phaseledger.domain.commands import Act, KickSeat, LeaveSeat, RejectCode, Rejected
from phaseledger.domain.view import view
from phaseledger.projections.scoreboard import players
from phaseledger.service.api.auth import SEATING, Caller, joining, token_in, visible_game
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.etags import expected_versions, tag
from phaseledger.service.api.requests.headers import (
    NOT_STORED,
    IdempotencyKey,
    IfMatch,
    SignatureHeader,
    TokenKey,
)
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.api.responses.commands import command_answer, join_answer
from phaseledger.service.api.responses.ready import ReadyAnswer
from phaseledger.service.automation.table_expiry import Lifetimes
from phaseledger.service.automation.turned_clocks import turn_clock
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.games.errors import GameArchived, NoSpectators, NoSuchGame, NoTestTable
from phaseledger.service.games.overdue import claim
from phaseledger.service.games.play import Sitting
from phaseledger.service.games.receipts import receipt_for
from phaseledger.service.games.spectators import visible_snapshot
from phaseledger.service.lobby.errors import NoSuchCode, NotOver, SeatReserved
from phaseledger.service.lobby.join_codes import publish_code
from phaseledger.service.lobby.joining import fill, join, take_seat_command
from phaseledger.service.lobby.opening import new_key
from phaseledger.service.lobby.rematch import open_rematch, rematch_of, returning, sit_again
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.games import Done, Joined
from phaseledger.service.schemas.lobby import (
    Again,
    Claim,
    FillTable,
    Following,
    JoinByCode,
    PlayAgain,
    TurnClock,
)


@post(
    "/joins",
    **route_description(
        "joinByCode",
        Occasion.JOINING,
        Occasion.LOG,
        raises=(NoSuchCode, *SEATING),
        shows=(SeatReserved, RejectCode.NO_SUCH_SEAT),
        headers=("ETag",),
    ),
)
async def join_by_code(
    request: AnyRequest,
    data: JSONBody[JoinByCode],
    service: Injected[Service],
    idempotency_key: TokenKey = "",
) -> Response[Joined]:
    """Sit down at the private table that has this code, as `takeSeat` does.

    An address has a number of wrong codes a minute.
    """
    name, idempotency_key = await joining(request, service, data, idempotency_key)
    command, key = take_seat_command(data, name), idempotency_key or new_key()
    with service.attempts.guess(service.origin(request.scope)):
        for game in await service.parts.codes.find(data.code):
            try:
                now = await service.games.look(game)
            except GameArchived:
                continue  # its code has ended long ago
            if now.state.stage == "lobby" or idempotency_key:
                try:
                    answer = await join(
                        service.games, game, data.seat, command, key, code=data.code
                    )
                except Rejected as refused:
                    if refused.code not in (RejectCode.NOT_IN_LOBBY, RejectCode.GAME_OVER):
                        raise
                    continue  # its code has ended with the lobby
                return await join_answer(answer, service, idempotency_key)
        raise NoSuchCode


@delete(
    "/games/{game:uuid}/seats/{number:int}",
    status_code=200,
    **route_description(
        "kickSeat",
        Occasion.KICKING,
        Occasion.HOSTING,
        Occasion.LOG,
        caller="host",
        headers=("ETag",),
        answer=Done,
    ),
)
async def kick_seat(
    game: FromPath[UUID],
    number: Annotated[int, PathParameter(ge=0, le=15, description="The seat, counted from 0.")],
    host: Injected[int | None],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
    if_match: IfMatch = "",
) -> ReadyAnswer:
    """Free a seat before the start: its person or bot loses it, and the token with it.

    At a rematch, a seat that is kept for a player is free for all from then on.
    """
    expected = expected_versions(if_match, None)
    act = Act(KickSeat(number), host)
    answer = await service.games.send(game, act, idempotency_key or new_key(), expected)
    return command_answer(answer, None, service)


@post(
    "/games/{game:uuid}/fill",
    status_code=200,
    **route_description(
        "fillSeats",
        Occasion.FILLING,
        Occasion.LOG,
        shows=(RejectCode.GAME_OVER,),
        caller="host",
        headers=("ETag",),
        answer=Done,
    ),
)
async def fill_seats(
    game: FromPath[UUID],
    data: JSONBody[FillTable],
    host: Injected[int | None],
    request: AnyRequest,
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
) -> ReadyAnswer:
    """Let bots sit down in all free seats, but the ones that a rematch keeps for players."""
    if host is not None:
        raise Rejected(RejectCode.NOT_FOR_SEATS)
    now = await service.games.look(game)
    owner = await service.parts.applications.owner(game)
    service.quotas.require_bots(service.opener(request.scope, owner), now.state)
    answer = await fill(service.games, game, data.level, idempotency_key or new_key())
    return command_answer(answer, None, service)


@post(
    "/games/{game:uuid}/leave",
    status_code=200,
    **route_description(
        "leaveSeat", Occasion.LEAVING, Occasion.LOG, caller="seat", headers=("ETag",), answer=Done
    ),
)
async def leave_seat(
    game: FromPath[UUID],
    sitting: Injected[Sitting],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
    if_match: IfMatch = "",
    command_signature: SignatureHeader = "",
) -> ReadyAnswer:
    """Give your seat up. Before the start it is free again; after it a bot has it for good.

    The answer shows the game as it is now, and no hand. A seat that has a key signs the command
    `{"type":"leave_seat"}`.
    """
    expected = expected_versions(if_match, sitting.seat)
    act, key = Act(LeaveSeat(), sitting.seat, command_signature), idempotency_key or new_key()
    answer = await service.games.send(game, act, key, expected, sitting.require, sitting.since)
    return command_answer(answer, None, service)


@post(
    "/games/{game:uuid}/claims",
    status_code=200,
    **route_description(
        "claimTimeOut",
        Occasion.CLAIMING,
        Occasion.LOG,
        shows=(RejectCode.NOT_OVERDUE, StoreUnavailable),
        caller="seat",
        headers=("ETag",),
        answer=Done,
    ),
)
async def claim_time_out(
    game: FromPath[UUID],
    data: JSONBody[Claim],
    sitting: Injected[Sitting],
    service: Injected[Service],
) -> ReadyAnswer:
    """Claim that a player at the table is overdue: what the clock has in store for that happens.

    It happens without a claim too, as long as the service runs; a claim makes sure of it.
    """
    now = await service.games.look(game)
    sitting.require(now)
    return command_answer(await claim(service.games, now, game, data.seat), sitting.seat, service)


@post(
    "/games/{game:uuid}/clock",
    status_code=200,
    **route_description(
        "turnClock",
        Occasion.CLAIMING,
        Occasion.LOG,
        raises=(NoTestTable,),
        shows=(RejectCode.NOT_OVERDUE, StoreUnavailable),
        caller="host",
        headers=("ETag",),
        answer=Done,
    ),
)
async def turn_table_clock(
    game: FromPath[UUID],
    data: JSONBody[TurnClock],
    host: Injected[int | None],
    service: Injected[Service],
    if_match: IfMatch = "",
) -> ReadyAnswer:
    """Turn the clock of a table for tests on: what is due by then without an answer happens now.

    Late seats are timed out, secrets that were not revealed void the table, and a lobby or an idle
    table is closed. The answer has the events of the last of these. Nothing is kept of a turn: the
    next one counts from now, and who is asked after a time-out has all the time again. If nothing
    is due by then, the refusal says how long there is left.
    """
    if host is not None:
        raise Rejected(RejectCode.NOT_FOR_SEATS)
    settings, versions = service.settings, expected_versions(if_match, None)
    lifetimes = Lifetimes(settings.lobby_hours, settings.idle_days)
    answer = await turn_clock(service.games, game, data.seconds, lifetimes, versions)
    return command_answer(answer, None, service)


@post(
    "/games/{game:uuid}/rematch",
    **route_description(
        "openRematch",
        Occasion.REMATCHING,
        Occasion.LOG,
        shows=(NotOver, RejectCode.BAD_KEY),
        caller="member",
        headers=("ETag", "Location"),
    ),
)
async def open_again(
    game: FromPath[UUID],
    data: JSONBody[PlayAgain],
    former: Injected[Caller],
    request: AnyRequest,
    service: Injected[Service],
) -> Response[Again]:
    """Play again, once a game is over: the same rules, terms and bots, each seat moved on by one.

    The first call opens the one rematch of the game. A seat's token gets its seat there and a token
    to play it with; the host's gets the host's. The other people's seats are kept for them, also of
    those who were late and lost theirs to a bot; a seat that was left stays the bot's.
    Repeated with the same token, the answer is the same, with a fresh token only where the first
    has expired or was revoked by itself.
    """
    now = await service.games.look(game)
    if former.seat is not None:
        seat = now.state.seat(former.seat)
        command = take_seat_command(replace(data, key=data.key or seat.key or None), seat.name)
    bots = not returning(now)
    owner = await service.parts.applications.owner(game)
    whose = service.opener(request.scope, owner)
    async with service.quotas.opening(whose, rematch_of(game), bots=bots):
        if owner is not None and now.revealed:
            await service.parts.applications.claim(rematch_of(game), owner)
        rematch = await open_rematch(service.games, game, now)
    code = await publish_code(service.parts.codes, rematch.state)
    if former.seat is None:
        answer = rematch
    else:
        answer = await sit_again(service.games, game, now.state, former.seat, command)
    number = answer.seat if former.seat is not None else None
    # The request has no Idempotency-Key, and needs none to be known again: it shows a token.
    token = token_in(request.headers["authorization"])
    payload = Again(
        game=str(answer.game),
        seat=number,
        token=await service.parts.credentials.issue(answer.game, number, answer.version, token),
        version=answer.version,
        table=view(answer.state, number),
        head=answer.head,
        receipt=receipt_for(answer, service.parts.keys.current),
        code=code if number is None else None,
    )
    location = f"/v1/games/{answer.game}"
    headers = {**NOT_STORED, "ETag": tag(answer.version, number), "Location": location}
    return Response(payload, headers=headers)


@get("/games/{game:uuid}/rematch", **route_description("getRematch", Occasion.LOG, caller="viewer"))
async def get_rematch(
    game: FromPath[UUID], caller: Injected[Caller], request: AnyRequest, service: Injected[Service]
) -> Response[Following]:
    """Whether a player of the game has asked to play again, and who sits there already.

    A caller that may not see the new table hears nothing of it. Members of the old one may.
    """
    caller, _ = await visible_game(request.scope, service, game, caller)
    content = Following(None, ())
    with suppress(NoSuchGame, NoSpectators, GameArchived):
        now = await visible_snapshot(service.games, rematch_of(game), member=caller.member)
        content = Following(now.state.game, players(now.state))
    return Response(content, headers=NOT_STORED)


HANDLERS: list[Any] = [
    *(join_by_code, kick_seat, fill_seats, leave_seat, claim_time_out, open_again),
    *(turn_table_clock, get_rematch),
]
