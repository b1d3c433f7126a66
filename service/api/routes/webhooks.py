"""Routes of a game's webhooks, which its host registers, inspects and deletes."""

from typing import Any
from uuid import UUID

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED, IdempotencyKey
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.webhooks import (
    Hooks,
    NewlyMade,
    NewWebhook,
    RegisteredWebhook,
)
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.errors import (
    NoSuchWebhook,
    TooManyRegistrations,
    WebhooksUnavailable,
)
from phaseledger.service.webhooks.registration import register, require_allowed, webhook_fields

WEBHOOK_PROBLEMS = (Occasion.WEBHOOKS, Occasion.LOG)
"""The occasions of all operations on webhooks."""
ONE_WEBHOOK_PROBLEMS = (Occasion.FINDING_A_WEBHOOK, *WEBHOOK_PROBLEMS)


def _deliveries(service: Service, host: int | None, game: UUID) -> Deliveries:
    """The deliveries of webhooks. Raises Rejected for a seat."""
    if host is not None:
        raise Rejected(RejectCode.NOT_FOR_SEATS)
    if service.parts.deliveries is None:
        raise WebhooksUnavailable
    return service.parts.deliveries


@post(
    "/games/{game:uuid}/webhooks",
    **route_description(
        "registerWebhook",
        Occasion.REGISTERING,
        *WEBHOOK_PROBLEMS,
        raises=(TooManyRegistrations,),
        caller="host",
        headers=("Location",),
    ),
)
async def register_webhook(
    game: FromPath[UUID],
    data: JSONBody[NewWebhook],
    host: Injected[int | None],
    service: Injected[Service],
    request: AnyRequest,
    idempotency_key: IdempotencyKey = "",
) -> Response[NewlyMade]:
    """Have a URL told of what happens in the game from now on.

    Messages have the form of standardwebhooks.com and say what a spectator may know by then; of a
    table without spectators, only that something has happened. Each is tried nine times in some 24
    hours, beside all others; the same message always has the same `webhook-id`.

    A webhook ends, and is sent nothing more, when its URL answers 410, fails for five days, or has
    never taken a message in 30 attempts. An address may register 30 a minute.

    The secret is shown only here, and again when the request is repeated with its
    Idempotency-Key. The service keeps it, because it signs with it.
    """
    deliveries = _deliveries(service, host, game)
    await require_allowed(deliveries, (data,))
    service.attempts.register(service.origin(request.scope))
    now = await service.games.look(game)
    (webhook,) = await register(deliveries, game, now.version, (data,), idempotency_key)
    location = f"/v1/games/{game}/webhooks/{webhook.id}"
    return Response(webhook, headers={**NOT_STORED, "Location": location})


@get(
    "/games/{game:uuid}/webhooks",
    **route_description("listWebhooks", *WEBHOOK_PROBLEMS, caller="host"),
)
async def list_webhooks(
    game: FromPath[UUID], host: Injected[int | None], service: Injected[Service]
) -> Response[Hooks]:
    """All webhooks of the game, without their secrets."""
    hooks = await _deliveries(service, host, game).hooks.hooks(game)
    return Response(
        Hooks(tuple(RegisteredWebhook(**webhook_fields(hook)) for hook in hooks)),
        headers=NOT_STORED,
    )


@get(
    "/games/{game:uuid}/webhooks/{hook:uuid}",
    **route_description("getWebhook", *ONE_WEBHOOK_PROBLEMS, caller="host"),
)
async def get_webhook(
    game: FromPath[UUID],
    hook: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
) -> Response[RegisteredWebhook]:
    """One webhook, without its secret."""
    for webhook in await _deliveries(service, host, game).hooks.hooks(game):
        if webhook.id == hook:
            return Response(RegisteredWebhook(**webhook_fields(webhook)), headers=NOT_STORED)
    raise NoSuchWebhook


@delete(
    "/games/{game:uuid}/webhooks/{hook:uuid}",
    **route_description("deleteWebhook", *ONE_WEBHOOK_PROBLEMS, caller="host", empty=(204,)),
)
async def delete_webhook(
    game: FromPath[UUID],
    hook: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
) -> None:
    """Forget a webhook, its secret and all its messages."""
    if not await _deliveries(service, host, game).hooks.delete(game, hook):
        raise NoSuchWebhook


HANDLERS: list[Any] = [register_webhook, list_webhooks, get_webhook, delete_webhook]
