"""Registering webhooks, at the opening of a table or later."""

import hashlib
from typing import Any
from uuid import UUID, uuid4, uuid5

import msgspec

from phaseledger.service.schemas.webhooks import TYPES, NewlyMade, NewWebhook
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.egress import AddressRefused
from phaseledger.service.webhooks.errors import TooManyWebhooks, WebhookRefused, WebhooksUnavailable
from phaseledger.service.webhooks.messages import new_secret, secret_text
from phaseledger.service.webhooks.store import LIMIT, MOST, Hook, HookRegistration


async def require_allowed(service: Deliveries | None, wanted: tuple[NewWebhook, ...]) -> None:
    """Require that messages may be sent to the URLs.

    Raises:
        WebhooksUnavailable: this service sends none.
        TooManyWebhooks: there are more than `MOST`.
        WebhookRefused: nothing would be sent to a URL.

    """
    if not wanted:
        return
    if service is None:
        raise WebhooksUnavailable
    if len(wanted) > MOST:
        raise TooManyWebhooks(LIMIT)
    for webhook in wanted:
        try:
            await service.sender.checked(webhook.url)
        except AddressRefused as refused:
            raise WebhookRefused(str(refused)) from None


def opening_key(key: str, wanted: tuple[NewWebhook, ...]) -> str:
    """The key under which the log knows an opening: with other webhooks it is another one."""
    if not wanted:
        return key
    asked = msgspec.json.encode([(webhook.url, _types(webhook)) for webhook in wanted])
    return f"{key} webhooks {hashlib.sha256(asked).hexdigest()}"


def _types(wanted: NewWebhook) -> tuple[str, ...]:
    return tuple(kind for kind in TYPES if kind in (wanted.types or TYPES))


async def register(
    service: Deliveries | None, game: UUID, since: int, wanted: tuple[NewWebhook, ...], key: str
) -> tuple[NewlyMade, ...]:
    """Register the webhooks, which are allowed. Again with the same key, they are as they were.

    Raises:
        TooManyWebhooks, KeyReused: as `Webhooks.register` says.

    """
    if service is None or not wanted:
        return ()
    ids = [
        uuid5(game, f"webhook {key} {number}") if key else uuid4()
        for number, _ in enumerate(wanted)
    ]
    new = [
        HookRegistration(hook, webhook.url, _types(webhook), new_secret())
        for hook, webhook in zip(ids, wanted, strict=True)
    ]
    hooks = await service.hooks.register(game, since, new)
    service.wake()
    return tuple(map(_newly_made, hooks))


def _newly_made(hook: Hook) -> NewlyMade:
    """The first answer about a webhook, which is repeated as it was, also by later releases."""
    fields = webhook_fields(hook._replace(failing_since=None, disabled_at=None, reason=""))
    del fields["confirmed_at"]
    return NewlyMade(**fields, secret=secret_text(hook.secret))


def webhook_fields(hook: Hook) -> dict[str, Any]:
    """The public fields of a webhook."""
    fields = {**hook._asdict(), "id": str(hook.id)}
    return {name: value for name, value in fields.items() if name != "secret"}
