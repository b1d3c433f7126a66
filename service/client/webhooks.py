"""A host's operations on its game's webhooks; see `service.client.operations`."""

from phaseledger.service.client.protocol import (
    Request,
    Session,
    Steps,
    ask,
    exchange,
    new_key,
    unexpected,
)
from phaseledger.service.schemas.webhooks import (
    Hooks,
    NewlyMade,
    NewWebhook,
    RegisteredWebhook,
)


def webhooks(at: Session) -> Steps[Hooks]:
    """All webhooks of the game."""
    return ask(at, "GET", f"{at.path}/webhooks", Hooks)


def webhook(at: Session, hook: str) -> Steps[RegisteredWebhook]:
    """One webhook."""
    return ask(at, "GET", f"{at.path}/webhooks/{hook}", RegisteredWebhook)


def register_webhook(at: Session, hook: NewWebhook, *, key: str = "") -> Steps[NewlyMade]:
    """Register a URL for messages about the game; only this answer has the secret."""
    headers = {"Idempotency-Key": key or new_key()}
    return ask(at, "POST", f"{at.path}/webhooks", NewlyMade, headers=headers, body=hook)


def delete_webhook(at: Session, hook: str) -> Steps[None]:
    """Forget a webhook and all its messages."""
    request = Request(method="DELETE", url=f"{at.path}/webhooks/{hook}")
    reply = yield from exchange(at, request)
    if reply.status != 204:
        raise unexpected(reply, "word that the webhook is gone")
