"""The operators' actions, which need the operator's token.

They are carried out on the loop that serves the games, so that they take effect there at once.
"""

import hmac
from typing import Annotated, Any
from uuid import UUID

from litestar import Litestar, Router, get, post
from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter
from litestar.types import ASGIApp
from msgspec import Struct

from phaseledger.domain.commands import Act, RejectCode, Rejected, VoidGame
from phaseledger.domain.words import Phrase
from phaseledger.projections.pages import SetAsideGame
from phaseledger.service.api.dependencies import Injected
from phaseledger.service.api.operator import applications
from phaseledger.service.api.operator.record import (
    AdminIdempotencyKey,
    Operator,
    carry_out,
    entry_of,
)
from phaseledger.service.api.problems.details import answer
from phaseledger.service.api.requests.parameters import StrictRequest
from phaseledger.service.credentials.credential import IssuedToken
from phaseledger.service.credentials.errors import NoSuchToken, TokenMissing, TokenUnknown
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.operations import AdminEvent, AdminRecord
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.schemas.games import AdminRequest

LARGEST_BODY = 16 * 1024  # bytes

TokenId = Annotated[str, PathParameter(pattern="^[0-9a-f]{16}$")]


class AdminEvents(Struct, frozen=True):
    """Entries of the record, oldest first."""

    events: tuple[AdminEvent, ...]


class Tokens(Struct, frozen=True):
    """The tokens of a game, oldest first."""

    tokens: tuple[IssuedToken, ...]


class SetAside(Struct, frozen=True):
    """The games whose record is damaged, those found first before the others."""

    games: tuple[SetAsideGame, ...]


@post("/games/{game:uuid}/void", status_code=200)
async def void(
    game: FromPath[UUID],
    data: JSONBody[AdminRequest],
    operator: Injected[Operator],
    key: AdminIdempotencyKey = "",
) -> AdminEvent:
    """Break a game off; its players read who did it, and why. One that is set aside is noted as
    void beside its log, which cannot be continued.
    """
    entry = entry_of(key, data, "void_game", game=str(game))

    async def work(event: AdminEvent) -> None:
        command = VoidGame(f"operator {data.actor}: {data.reason}")
        games = operator.service.games
        try:
            await games.send(game, Act(command), f"admin {entry.key}")
        except (GameSetAside, LogDamaged):
            # Its log cannot be continued, so that it is void stands beside it.
            if not await games.quarantine.inspect(game):
                raise
            if not await games.quarantine.void(game, data.actor, data.reason):
                raise

    return await carry_out(operator.service.parts.record, entry, work)


@post("/tokens/{token:str}/revoke", status_code=200)
async def revoke_token(
    token: TokenId,
    data: JSONBody[AdminRequest],
    operator: Injected[Operator],
    key: AdminIdempotencyKey = "",
) -> AdminEvent:
    """Revoke one token, by its public id."""
    entry = entry_of(key, data, "revoke_token", token=token)

    async def work(event: AdminEvent) -> None:
        if await operator.service.parts.credentials.revoke_token(token) is None:
            raise NoSuchToken

    return await carry_out(operator.service.parts.record, entry, work)


async def _revoke(
    game: UUID, seat: int | None, data: AdminRequest, operator: Operator, key: str
) -> AdminEvent:
    snapshot = await operator.service.games.look(game)
    if seat is not None and seat >= len(snapshot.state.seats):
        raise Rejected(
            RejectCode.NO_SUCH_SEAT,
            detail=Phrase("adds.fault.range", most=len(snapshot.state.seats) - 1),
        )
    entry = entry_of(
        key, data, "revoke_seat", game=str(game), seat=seat, before=snapshot.version + 1
    )

    async def work(event: AdminEvent) -> None:
        before = event.details["before"]
        assert isinstance(before, int)
        await operator.service.parts.credentials.revoke(game, seat, before)

    return await carry_out(operator.service.parts.record, entry, work)


@post("/games/{game:uuid}/seats/{seat:int}/revoke", status_code=200)
async def revoke_seat(
    game: FromPath[UUID],
    seat: Annotated[int, PathParameter(ge=0, le=100)],
    data: JSONBody[AdminRequest],
    operator: Injected[Operator],
    key: AdminIdempotencyKey = "",
) -> AdminEvent:
    """Revoke all tokens of the seat; a repeated join gets no other."""
    return await _revoke(game, seat, data, operator, key)


@post("/games/{game:uuid}/host/revoke", status_code=200)
async def revoke_host(
    game: FromPath[UUID],
    data: JSONBody[AdminRequest],
    operator: Injected[Operator],
    key: AdminIdempotencyKey = "",
) -> AdminEvent:
    """Revoke all tokens of the host; a repeated opening gets no other."""
    return await _revoke(game, None, data, operator, key)


@post("/drain", status_code=200)
async def drain(
    data: JSONBody[AdminRequest], operator: Injected[Operator], key: AdminIdempotencyKey = ""
) -> AdminEvent:
    """Take no new commands, in any process over this log, until undrained."""
    return await _turn_gate(entry_of(key, data, "drain"), operator)


@post("/undrain", status_code=200)
async def undrain(
    data: JSONBody[AdminRequest], operator: Injected[Operator], key: AdminIdempotencyKey = ""
) -> AdminEvent:
    """Take commands again."""
    return await _turn_gate(entry_of(key, data, "undrain"), operator)


async def _turn_gate(entry: AdminRecord, operator: Operator) -> AdminEvent:
    return await carry_out(
        operator.service.parts.record, entry, lambda _: operator.service.gate.look()
    )


@get("/events")
async def events(
    operator: Injected[Operator],
    after: Annotated[int, QueryParameter(ge=0, le=2**53 - 1)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 1000,
) -> AdminEvents:
    """What was done, oldest first."""
    return AdminEvents(tuple(await operator.service.parts.record.events(after, limit)))


@get("/set-aside")
async def set_aside(operator: Injected[Operator]) -> SetAside:
    """The games that are set aside, with the reasons."""
    await operator.service.games.quarantine.look()
    return SetAside(operator.service.games.quarantine.all())


@get("/games/{game:uuid}/tokens")
async def tokens(game: FromPath[UUID], operator: Injected[Operator]) -> Tokens:
    """The game's tokens by their public ids."""
    return Tokens(tuple(await operator.service.parts.credentials.issued(game)))


ACTIONS: list[Any] = [
    *(void, revoke_token, revoke_seat, revoke_host, drain, undrain, events, set_aside, tokens),
    *applications.ACTIONS,
]


def admin_app(operator: Operator, token: str) -> ASGIApp:
    """The application of the actions; ``token`` is the operators' bearer token."""

    def require_token(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        scheme, credential = (connection.headers.get("authorization", "") + " ").split(" ", 1)
        if not scheme:
            raise TokenMissing
        matches = hmac.compare_digest(credential.strip().encode(), token.encode())
        if scheme.lower() != "bearer" or not matches:
            raise TokenUnknown

    return Litestar(
        [Router("/admin", route_handlers=ACTIONS, guards=[require_token])],
        request_class=StrictRequest,
        request_max_body_size=LARGEST_BODY,
        exception_handlers={Exception: answer},
        dependencies={"operator": Provide(lambda: operator, sync_to_thread=False)},
        openapi_config=None,
        logging_config=None,
    )
