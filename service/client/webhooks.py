"""Operations on the webhooks of a host's game, or without a game of the application whose key the
client has; see `service.client.operations`.
"""

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
    RotatedSecret,
    RotateSecret,
)


def webhooks(at: Session) -> Steps[Hooks]:
    """All webhooks."""
    return ask(at, "GET", _path(at), Hooks)


def webhook(at: Session, hook: str) -> Steps[RegisteredWebhook]:
    """One webhook."""
    return ask(at, "GET", f"{_path(at)}/{hook}", RegisteredWebhook)


def register_webhook(at: Session, hook: NewWebhook, *, key: str = "") -> Steps[NewlyMade]:
    """Register a URL for messages; only this answer has the secret."""
    headers = {"Idempotency-Key": key or new_key()}
    return ask(at, "POST", _path(at), NewlyMade, headers=headers, body=hook)


def rotate_secret(
    at: Session, hook: str, *, keep: float = 24, key: str = ""
) -> Steps[RotatedSecret]:
    """Have another secret, beside which the present one signs for some hours."""
    headers = {"Idempotency-Key": key or new_key()}
    body = RotateSecret(keep=keep)
    return ask(at, "POST", f"{_path(at)}/{hook}/secret", RotatedSecret, headers=headers, body=body)


def delete_webhook(at: Session, hook: str) -> Steps[None]:
    """Forget a webhook and all its messages."""
    request = Request(method="DELETE", url=f"{_path(at)}/{hook}")
    reply = yield from exchange(at, request)
    if reply.status != 204:
        raise unexpected(reply, "word that the webhook is gone")


def _path(at: Session) -> str:
    return f"{at.path if at.game else '/v1/application'}/webhooks"
