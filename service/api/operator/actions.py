"""The operators' actions, which need the operator's token.

They are carried out on the loop that serves the games, so that they take effect there at once.
"""

import hmac
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, NamedTuple
from uuid import UUID, uuid5

import structlog
from litestar import Litestar, Router, get, post
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, HeaderParameter, JSONBody, PathParameter, QueryParameter
from litestar.types import ASGIApp
from msgspec import Struct
from uuid_utils.compat import uuid7

from phaseledger.domain.commands import Act, RejectCode, Rejected, VoidGame
from phaseledger.domain.words import Phrase
from phaseledger.projections.pages import SetAsideGame
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.problems.details import answer, as_refusal
from phaseledger.service.api.requests.parameters import StrictRequest
from phaseledger.service.credentials.credential import IssuedToken
from phaseledger.service.credentials.errors import NoSuchToken, TokenMissing, TokenUnknown
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.games.errors import KeyReused, LogDamaged
from phaseledger.service.operations import AdminEvent, AdminLog, AdminRecord, Details
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.schemas.games import AdminRequest

LARGEST_BODY = 16 * 1024  # bytes

log = structlog.get_logger("phaseledger.admin")


class Operator(NamedTuple):
    """The listener's dependencies: the service and the application's state."""

    service: Service
    state: State


AdminIdempotencyKey = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=r"^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?$",
        description="A UUID: repeated with it, the action is carried out once.",
    ),
]
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
    entry = _entry(key, data, "void_game", game=str(game))

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
    entry = _entry(key, data, "revoke_token", token=token)

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
    entry = _entry(key, data, "revoke_seat", game=str(game), seat=seat, before=snapshot.version + 1)

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
    return await _turn_gate(_entry(key, data, "drain"), operator)


@post("/undrain", status_code=200)
async def undrain(
    data: JSONBody[AdminRequest], operator: Injected[Operator], key: AdminIdempotencyKey = ""
) -> AdminEvent:
    """Take commands again."""
    return await _turn_gate(_entry(key, data, "undrain"), operator)


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


def _entry(key: str, data: AdminRequest, action: Any, **details: str | int | None) -> AdminRecord:  # noqa: ANN401
    return AdminRecord(
        key=UUID(key) if key else uuid7(),
        actor=data.actor,
        action=action,
        reason=data.reason,
        details=details,
    )


ACTIONS: list[Any] = [
    *(void, revoke_token, revoke_seat, revoke_host, drain, undrain, events, set_aside, tokens),
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


async def carry_out(
    record: AdminLog, entry: AdminRecord, work: Callable[[AdminEvent], Awaitable[Any]]
) -> AdminEvent:
    """Record the entry and do the work; when it is refused, record that too, and raise.

    A failure of the database is not recorded as refused: a retry under the same key does it.

    Raises:
        KeyReused: the key belongs to another action.

    """
    event = await record.note(entry)
    if _identity(event) != _identity(entry):
        raise KeyReused
    try:
        await work(event)
    except StoreUnavailable:
        raise
    except Exception as error:
        details: Details = {"about": event.id, "code": as_refusal(error).code}
        key = uuid5(entry.key, "refused")
        await record.note(
            AdminRecord(
                key=key, actor=entry.actor, action="refused", reason=entry.reason, details=details
            )
        )
        raise
    log.info("admin", action=entry.action, actor=entry.actor, id=event.id)
    return event


def _identity(entry: AdminRecord | AdminEvent) -> tuple[object, ...]:
    """The identity of the action under its key; the version is from the first try."""
    target = {name: value for name, value in entry.details.items() if name != "before"}
    return entry.actor, entry.action, entry.reason, target
