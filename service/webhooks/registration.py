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
    """Register a game's webhooks, which are allowed; the same key again changes nothing.

    Raises:
        TooManyWebhooks, KeyReused: as `Webhooks.register` says.

    """
    if service is None or not wanted:
        return ()
    new = [_registration(game, webhook, key, number) for number, webhook in enumerate(wanted)]
    hooks = await service.hooks.register(game, since, new)
    service.wake()
    return tuple(map(_newly_made, hooks))


async def register_for(
    service: Deliveries, application: UUID, wanted: NewWebhook, key: str
) -> NewlyMade:
    """Register a webhook, which is allowed, for all tables of an application; as `register`."""
    new = _registration(application, wanted, key, 0)
    return _newly_made(await service.hooks.register_for(application, new))


def _registration(owner: UUID, wanted: NewWebhook, key: str, number: int) -> HookRegistration:
    hook = uuid5(owner, f"webhook {key} {number}") if key else uuid4()
    return HookRegistration(hook, wanted.url, _types(wanted), new_secret())


def _newly_made(hook: Hook) -> NewlyMade:
    """The first answer about a webhook, which is repeated as it was, also by later releases."""
    fields = webhook_fields(hook._replace(failing_since=None, disabled_at=None, reason=""))
    del fields["confirmed_at"], fields["earlier_until"]
    return NewlyMade(**fields, secret=secret_text(hook.secret))


def webhook_fields(hook: Hook) -> dict[str, Any]:
    """The public fields of a webhook."""
    fields = {**hook._asdict(), "id": str(hook.id)}
    return {name: value for name, value in fields.items() if name != "secret"}
