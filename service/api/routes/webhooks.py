"""Routes of a game's webhooks, which its host registers, tests, inspects and deletes."""

import time
from typing import Any
from uuid import UUID, uuid4

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED, IdempotencyKey
from phaseledger.service.api.requests.pagination import Cursor, Limit, links
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.readmodels.errors import CursorUnknown
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.webhooks import (
    CHALLENGE,
    PING,
    Delivery,
    DeliveryPage,
    Hooks,
    NewlyMade,
    NewWebhook,
    RegisteredWebhook,
)
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.errors import (
    NoSuchDelivery,
    NoSuchWebhook,
    TooManyPings,
    WebhooksUnavailable,
)
from phaseledger.service.webhooks.messages import challenge_payload, message_name, payload
from phaseledger.service.webhooks.registration import register, require_allowed, webhook_fields
from phaseledger.service.webhooks.store import NEWEST, DeliveryRecord, Hook

WEBHOOK_PROBLEMS = (Occasion.WEBHOOKS, Occasion.LOG)
"""The occasions of all operations on webhooks."""
ONE_WEBHOOK_PROBLEMS = (Occasion.FINDING_A_WEBHOOK, *WEBHOOK_PROBLEMS)


def _deliveries(service: Service, host: int | None, game: UUID) -> Deliveries:
    """The deliveries of webhooks. Raises Rejected for a seat."""
    if host is not None:
        raise Rejected(RejectCode.NOT_FOR_SEATS)
    if service.deliveries is None:
        raise WebhooksUnavailable
    return service.deliveries


def _delivery_of(delivery: DeliveryRecord) -> Delivery:
    members = {
        name: value for name, value in delivery._asdict().items() if name not in ("number", "body")
    }
    members["id"] = str(delivery.id)
    return Delivery(**members, message=message_name(delivery.id), payload=delivery.body)


@post(
    "/games/{game:uuid}/webhooks",
    **route_description(
        "registerWebhook",
        Occasion.REGISTERING,
        *WEBHOOK_PROBLEMS,
        raises=(TooManyPings,),
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

    It is first sent a signed message of type `webhook.challenge`, and nothing else until it has
    answered that with 2xx and a body that is the `challenge`: as plain text, or as a member of a
    JSON object, `{"challenge": "..."}`, of 4 KiB at most. What happens meanwhile is sent
    afterwards. If all nine attempts fail, or more than 100 messages wait, the webhook is disabled
    and they are dropped; a ping sends a new challenge. A table may register as many a minute as it
    may send pings, and so may an address.

    Messages have the form of standardwebhooks.com and say what a spectator may know by then; of a
    table that nobody may watch, only that something has happened. They are tried nine times in
    some 24 hours; the same message always has the same `webhook-id`. An endpoint that answers 410,
    or fails for five days, is sent nothing more, until a ping or a replay succeeds.

    The secret is shown only here, and again to whoever repeats the request with its
    Idempotency-Key. The service keeps it, because it signs with it.
    """
    deliveries = _deliveries(service, host, game)
    await require_allowed(deliveries, (data,))
    service.attempts.challenge(service.origin(request.scope), game)
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
    webhook = await _hook(_deliveries(service, host, game), game, hook)
    return Response(RegisteredWebhook(**webhook_fields(webhook)), headers=NOT_STORED)


async def _hook(deliveries: Deliveries, game: UUID, hook: UUID) -> Hook:
    webhook = await deliveries.hooks.hook(game, hook)
    if webhook is None:
        raise NoSuchWebhook
    return webhook


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
    """Forget a webhook, its secret and all its deliveries."""
    if not await _deliveries(service, host, game).hooks.delete(game, hook):
        raise NoSuchWebhook


@post(
    "/games/{game:uuid}/webhooks/{hook:uuid}/ping",
    status_code=202,
    **route_description(
        "pingWebhook", *ONE_WEBHOOK_PROBLEMS, raises=(TooManyPings,), caller="host"
    ),
)
async def ping_webhook(
    request: AnyRequest,
    game: FromPath[UUID],
    hook: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
) -> Response[Delivery]:
    """Send a message of type `ping`, to try the endpoint. A success enables a disabled webhook.

    A webhook whose URL has not answered its challenge is sent a new one instead.

    A table has a number of pings and replays a minute, and so has an address.
    """
    deliveries = _deliveries(service, host, game)
    webhook = await _hook(deliveries, game, hook)
    service.attempts.ping(service.origin(request.scope), game)
    message = uuid4()
    at = time.time_ns() // 1_000_000
    if webhook.confirmed_at is None:
        await deliveries.hooks.add(hook, message, CHALLENGE, challenge_payload(at, game, hook))
    else:
        body = payload(PING, at, {"game": str(game), "webhook": str(hook)})
        await deliveries.hooks.add(hook, message, PING, body)
    return await _accepted(deliveries, game, hook, message)


async def _accepted(
    deliveries: Deliveries, game: UUID, hook: UUID, name: UUID
) -> Response[Delivery]:
    """The response 202 with the delivery as it was queued."""
    accepted = await deliveries.hooks.delivery(game, hook, name)
    if accepted is None:
        raise NoSuchDelivery
    deliveries.wake()
    return Response(_delivery_of(accepted), status_code=202, headers=NOT_STORED)


@get(
    "/games/{game:uuid}/webhooks/{hook:uuid}/deliveries",
    **route_description("listDeliveries", *ONE_WEBHOOK_PROBLEMS, caller="host", headers=("Link",)),
)
async def list_deliveries(
    request: AnyRequest,
    game: FromPath[UUID],
    hook: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response[DeliveryPage]:
    """What was sent to a webhook or is to be sent, newest first, with every attempt.

    Deliveries that are over are kept for 30 days.
    """
    deliveries = _deliveries(service, host, game)
    await _hook(deliveries, game, hook)
    if cursor and not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 18):
        raise CursorUnknown
    before = int(cursor) if cursor else NEWEST
    rows = await deliveries.hooks.deliveries(game, hook, before, limit + 1)
    following = str(rows[limit - 1].number) if len(rows) > limit else None
    page = DeliveryPage(tuple(map(_delivery_of, rows[:limit])), following)
    return Response(page, headers={**NOT_STORED, **links(request, following)})


@post(
    "/games/{game:uuid}/webhooks/{hook:uuid}/deliveries/{delivery:uuid}/replay",
    status_code=202,
    **route_description(
        "replayDelivery",
        *ONE_WEBHOOK_PROBLEMS,
        raises=(NoSuchDelivery, TooManyPings),
        caller="host",
    ),
)
async def replay_delivery(
    request: AnyRequest,
    game: FromPath[UUID],
    hook: FromPath[UUID],
    delivery: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
) -> Response[Delivery]:
    """Send a message once more, under its old `webhook-id`, whatever became of it before."""
    deliveries = _deliveries(service, host, game)
    await _hook(deliveries, game, hook)
    service.attempts.ping(service.origin(request.scope), game)
    if not await deliveries.hooks.restart(game, hook, delivery):
        raise NoSuchDelivery
    return await _accepted(deliveries, game, hook, delivery)


HANDLERS: list[Any] = [
    register_webhook,
    list_webhooks,
    get_webhook,
    delete_webhook,
    ping_webhook,
    list_deliveries,
    replay_delivery,
]
