"""Routes of webhooks: a game's, which its host registers, inspects, rotates and deletes, and those
of an application for all its tables.
"""

from typing import Any
from uuid import UUID

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED, IdempotencyKey
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.applications.application import Application
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.applications import Scope
from phaseledger.service.schemas.webhooks import (
    Hooks,
    NewlyMade,
    NewWebhook,
    RegisteredWebhook,
    RotatedSecret,
    RotateSecret,
)
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.errors import (
    NoSuchWebhook,
    TooManyRegistrations,
    WebhooksUnavailable,
)
from phaseledger.service.webhooks.messages import secret_text
from phaseledger.service.webhooks.registration import (
    register,
    register_for,
    require_allowed,
    webhook_fields,
)

WEBHOOK_PROBLEMS = (Occasion.WEBHOOKS, Occasion.LOG)
"""The occasions of all operations on webhooks."""
ONE_WEBHOOK_PROBLEMS = (Occasion.FINDING_A_WEBHOOK, *WEBHOOK_PROBLEMS)


def _deliveries(service: Service, host: int | None) -> Deliveries:
    """The deliveries of webhooks. Raises Rejected for a seat."""
    if host is not None:
        raise Rejected(RejectCode.NOT_FOR_SEATS)
    if service.parts.deliveries is None:
        raise WebhooksUnavailable
    return service.parts.deliveries


def _deliveries_of(service: Service, application: Application, scope: Scope) -> Deliveries:
    """The same for an application, whose key has to be good for it. Raises ScopeMissing."""
    application.require(scope)
    return _deliveries(service, None)


async def _listed(deliveries: Deliveries, owner: UUID) -> Response[Hooks]:
    hooks = await deliveries.hooks.hooks(owner)
    shown = tuple(RegisteredWebhook(**webhook_fields(hook)) for hook in hooks)
    return Response(Hooks(shown), headers=NOT_STORED)


async def _shown(deliveries: Deliveries, owner: UUID, hook: UUID) -> Response[RegisteredWebhook]:
    for webhook in await deliveries.hooks.hooks(owner):
        if webhook.id == hook:
            return Response(RegisteredWebhook(**webhook_fields(webhook)), headers=NOT_STORED)
    raise NoSuchWebhook


async def _rotated(
    deliveries: Deliveries, owner: UUID, hook: UUID, wanted: RotateSecret, key: str
) -> Response[RotatedSecret]:
    rotated = await deliveries.hooks.rotate(owner, hook, key, 3600 * wanted.keep)
    content = RotatedSecret(secret_text(rotated.secret), rotated.earlier_until)
    return Response(content, headers=NOT_STORED)


async def _deleted(deliveries: Deliveries, owner: UUID, hook: UUID) -> None:
    if not await deliveries.hooks.delete(owner, hook):
        raise NoSuchWebhook


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
    deliveries = _deliveries(service, host)
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
    return await _listed(_deliveries(service, host), game)


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
    return await _shown(_deliveries(service, host), game, hook)


@post(
    "/games/{game:uuid}/webhooks/{hook:uuid}/secret",
    **route_description("rotateSecret", *ONE_WEBHOOK_PROBLEMS, caller="host"),
)
async def rotate_secret(
    game: FromPath[UUID],
    hook: FromPath[UUID],
    data: JSONBody[RotateSecret],
    host: Injected[int | None],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
) -> Response[RotatedSecret]:
    """Have another secret. For `keep` hours messages are signed with both, so that none is refused
    while the receiver changes over; one that was still kept from before ends at once.
    """
    return await _rotated(_deliveries(service, host), game, hook, data, idempotency_key)


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
    await _deleted(_deliveries(service, host), game, hook)


# --- of an application ----------------------------------------------------------------------------


@post(
    "/application/webhooks",
    **route_description(
        "registerWebhookOfApplication",
        Occasion.REGISTERING,
        *WEBHOOK_PROBLEMS,
        raises=(TooManyRegistrations,),
        caller="application",
        headers=("Location",),
    ),
)
async def register_webhook_of_application(
    data: JSONBody[NewWebhook],
    application: Injected[Application],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
) -> Response[NewlyMade]:
    """Have a URL told of what happens from now on at all tables that your application has opened
    or opens.

    Messages, secret and end are those of a table's webhook (`registerWebhook`). Messages of tables
    for tests have `test`. While no key of the application is valid, it is told nothing.
    """
    deliveries = _deliveries_of(service, application, "open")
    await require_allowed(deliveries, (data,))
    service.attempts.register(application.id.bytes)
    webhook = await register_for(deliveries, application.id, data, idempotency_key)
    location = f"/v1/application/webhooks/{webhook.id}"
    return Response(webhook, headers={**NOT_STORED, "Location": location})


@get(
    "/application/webhooks",
    **route_description("listWebhooksOfApplication", *WEBHOOK_PROBLEMS, caller="application"),
)
async def list_webhooks_of_application(
    application: Injected[Application], service: Injected[Service]
) -> Response[Hooks]:
    """All webhooks of the application, without their secrets."""
    return await _listed(_deliveries_of(service, application, "read"), application.id)


@get(
    "/application/webhooks/{hook:uuid}",
    **route_description("getWebhookOfApplication", *ONE_WEBHOOK_PROBLEMS, caller="application"),
)
async def get_webhook_of_application(
    hook: FromPath[UUID], application: Injected[Application], service: Injected[Service]
) -> Response[RegisteredWebhook]:
    """One webhook of the application, without its secret."""
    return await _shown(_deliveries_of(service, application, "read"), application.id, hook)


@post(
    "/application/webhooks/{hook:uuid}/secret",
    **route_description("rotateSecretOfApplication", *ONE_WEBHOOK_PROBLEMS, caller="application"),
)
async def rotate_secret_of_application(
    hook: FromPath[UUID],
    data: JSONBody[RotateSecret],
    application: Injected[Application],
    service: Injected[Service],
    idempotency_key: IdempotencyKey = "",
) -> Response[RotatedSecret]:
    """Have another secret, as `rotateSecret`."""
    deliveries = _deliveries_of(service, application, "open")
    return await _rotated(deliveries, application.id, hook, data, idempotency_key)


@delete(
    "/application/webhooks/{hook:uuid}",
    **route_description(
        "deleteWebhookOfApplication", *ONE_WEBHOOK_PROBLEMS, caller="application", empty=(204,)
    ),
)
async def delete_webhook_of_application(
    hook: FromPath[UUID], application: Injected[Application], service: Injected[Service]
) -> None:
    """Forget a webhook of the application, its secret and all its messages."""
    await _deleted(_deliveries_of(service, application, "open"), application.id, hook)


HANDLERS: list[Any] = [
    *(register_webhook, list_webhooks, get_webhook, rotate_secret, delete_webhook),
    *(register_webhook_of_application, list_webhooks_of_application),
    *(get_webhook_of_application, rotate_secret_of_application, delete_webhook_of_application),
]
