"""Webhooks of a game, which its host registers, tries out, looks into and deletes."""

import time
from typing import Any
from uuid import UUID, uuid4

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody

from phaseledger.projections.pages import BadCursor
from phaseledger.service.api.auth import AnyRequest, Injected, Service
from phaseledger.service.api.headers import NOT_STORED, IdempotencyKey
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.pagination import Cursor, Limit, links
from phaseledger.service.api.problems import Refusal
from phaseledger.service.schemas.webhooks import (
    PING,
    Delivery,
    DeliveryPage,
    Hooks,
    NewlyMade,
    NewWebhook,
    Webhook,
)
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.messages import message_name, payload
from phaseledger.service.webhooks.registration import (
    REGISTERING,
    register,
    require_allowed,
    webhook_fields,
)
from phaseledger.service.webhooks.store import NEWEST, DeliveryRecord, Hook

HOOKING = ("webhooks_unavailable", "store_unavailable")
"""What every operation on webhooks may answer."""
FINDING = ("no_such_webhook", *HOOKING)


def _deliveries(service: Service, host: int | None, game: UUID) -> Deliveries:
    """The part that delivers, for the host alone."""
    if host is not None:
        raise Refusal("not_for_seats")
    deliveries = service.partitions.of(game).deliveries
    if deliveries is None:
        raise Refusal("webhooks_unavailable")
    return deliveries


def _shown(kept: DeliveryRecord) -> Delivery:
    told = {name: value for name, value in kept._asdict().items() if name not in ("number", "body")}
    told["id"] = str(kept.id)
    return Delivery(**told, message=message_name(kept.id), payload=kept.body)


@post(
    "/games/{game:uuid}/webhooks",
    **route_description(
        "registerWebhook",
        *REGISTERING,
        "idempotency_mismatch",
        "store_unavailable",
        caller="host",
        headers=("Location",),
    ),
)
async def register_webhook(
    game: FromPath[UUID],
    data: JSONBody[NewWebhook],
    host: Injected[int | None],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
) -> Response[NewlyMade]:
    """Have a URL told of what happens in the game from now on.

    Messages have the form of standardwebhooks.com and say what a spectator may know by then; of a
    table that nobody may watch, only that something has happened. They are tried nine times in
    some 24 hours; the same message always has the same `webhook-id`. An endpoint that answers 410,
    or fails for five days, is sent nothing more, until a ping or a replay succeeds.

    The secret is shown only here, and again to whoever repeats the request with its
    Idempotency-Key. The service keeps it, because it signs with it.
    """
    deliveries = _deliveries(service, host, game)
    await require_allowed(deliveries, (data,))
    now = await service.games.look(game)
    (made,) = await register(deliveries, game, now.version, (data,), idempotency_key)
    where = f"/v1/games/{game}/webhooks/{made.id}"
    return Response(made, headers={**NOT_STORED, "Location": where})


@get("/games/{game:uuid}/webhooks", **route_description("listWebhooks", *HOOKING, caller="host"))
async def list_webhooks(
    game: FromPath[UUID], host: Injected[int | None], service: Injected[Service]
) -> Response[Hooks]:
    """All webhooks of the game, without their secrets."""
    found = await _deliveries(service, host, game).hooks.hooks(game)
    return Response(
        Hooks(tuple(Webhook(**webhook_fields(hook)) for hook in found)), headers=NOT_STORED
    )


@get(
    "/games/{game:uuid}/webhooks/{hook:uuid}",
    **route_description("getWebhook", *FINDING, caller="host"),
)
async def get_webhook(
    game: FromPath[UUID],
    hook: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
) -> Response[Webhook]:
    """One webhook, without its secret."""
    found = await _found(_deliveries(service, host, game), game, hook)
    return Response(Webhook(**webhook_fields(found)), headers=NOT_STORED)


async def _found(deliveries: Deliveries, game: UUID, hook: UUID) -> Hook:
    found = await deliveries.hooks.hook(game, hook)
    if found is None:
        raise Refusal("no_such_webhook")
    return found


@delete(
    "/games/{game:uuid}/webhooks/{hook:uuid}",
    **route_description("deleteWebhook", *FINDING, caller="host", empty=(204,)),
)
async def delete_webhook(
    game: FromPath[UUID],
    hook: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
) -> None:
    """Forget a webhook, its secret and all its deliveries."""
    if not await _deliveries(service, host, game).hooks.delete(game, hook):
        raise Refusal("no_such_webhook")


@post(
    "/games/{game:uuid}/webhooks/{hook:uuid}/ping",
    status_code=202,
    **route_description("pingWebhook", *FINDING, caller="host"),
)
async def ping_webhook(
    game: FromPath[UUID],
    hook: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
) -> Response[Delivery]:
    """Send a message of type `ping`, to try the endpoint. A success enables a disabled webhook."""
    deliveries = _deliveries(service, host, game)
    await _found(deliveries, game, hook)
    name = uuid4()
    at = time.time_ns() // 1_000_000
    body = payload(PING, at, {"game": str(game), "webhook": str(hook)})
    await deliveries.hooks.add(hook, name, PING, body)
    return await _accepted(deliveries, game, hook, name)


async def _accepted(
    deliveries: Deliveries, game: UUID, hook: UUID, name: UUID
) -> Response[Delivery]:
    """The delivery as it is before anything becomes of it."""
    kept = await deliveries.hooks.delivery(game, hook, name)
    if kept is None:
        raise Refusal("no_such_delivery")
    deliveries.wake()
    return Response(_shown(kept), status_code=202, headers=NOT_STORED)


@get(
    "/games/{game:uuid}/webhooks/{hook:uuid}/deliveries",
    **route_description("listDeliveries", "bad_cursor", *FINDING, caller="host", headers=("Link",)),
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
    await _found(deliveries, game, hook)
    if cursor and not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 18):
        raise BadCursor("This is no cursor of the deliveries.")
    before = int(cursor) if cursor else NEWEST
    found = await deliveries.hooks.deliveries(game, hook, before, limit + 1)
    following = str(found[limit - 1].number) if len(found) > limit else None
    page = DeliveryPage(tuple(map(_shown, found[:limit])), following)
    return Response(page, headers={**NOT_STORED, **links(request, following)})


@post(
    "/games/{game:uuid}/webhooks/{hook:uuid}/deliveries/{delivery:uuid}/replay",
    status_code=202,
    **route_description("replayDelivery", "no_such_delivery", *FINDING, caller="host"),
)
async def replay_delivery(
    game: FromPath[UUID],
    hook: FromPath[UUID],
    delivery: FromPath[UUID],
    host: Injected[int | None],
    service: Injected[Service],
) -> Response[Delivery]:
    """Send a message once more, under its old `webhook-id`, whatever became of it before."""
    deliveries = _deliveries(service, host, game)
    await _found(deliveries, game, hook)
    if not await deliveries.hooks.again(game, hook, delivery):
        raise Refusal("no_such_delivery")
    return await _accepted(deliveries, game, hook, delivery)


HOOKS: list[Any] = [
    register_webhook,
    list_webhooks,
    get_webhook,
    delete_webhook,
    ping_webhook,
    list_deliveries,
    replay_delivery,
]
