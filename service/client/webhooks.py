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
    Delivery,
    DeliveryPage,
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
    """Forget a webhook and all its deliveries."""
    request = Request(method="DELETE", path=f"{at.path}/webhooks/{hook}")
    reply = yield from exchange(at, request)
    if reply.status != 204:
        raise unexpected(reply, "word that the webhook is gone")


def ping_webhook(at: Session, hook: str) -> Steps[Delivery]:
    """Send a message to try the endpoint; a try again may send it twice."""
    return ask(at, "POST", f"{at.path}/webhooks/{hook}/ping", Delivery)


def deliveries(
    at: Session, hook: str, *, limit: int = 50, cursor: str | None = None
) -> Steps[DeliveryPage]:
    """A page of the messages to a webhook, newest first."""
    query = {"limit": limit, "cursor": cursor}
    return ask(at, "GET", f"{at.path}/webhooks/{hook}/deliveries", DeliveryPage, query=query)


def replay_delivery(at: Session, hook: str, delivery: str) -> Steps[Delivery]:
    """Send a message once more, under its old id; a try again may send it twice."""
    path = f"{at.path}/webhooks/{hook}/deliveries/{delivery}/replay"
    return ask(at, "POST", path, Delivery)
