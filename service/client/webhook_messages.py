"""What a receiver of webhooks does with a request: check its signature, and read the message."""

from collections.abc import Mapping

import msgspec
from standardwebhooks import Webhook, WebhookVerificationError
from standardwebhooks.webhooks import EmptyWebhookSecretError

from phaseledger.service.schemas.webhooks import Message


class BadMessage(Exception):
    """A request that the service has not sent with this secret, or not lately."""


def verified_message(body: bytes | str, headers: Mapping[str, str], secret: str) -> Message:
    """The message in a request to a webhook, whose signature is right and no older than 5 minutes.

    Raises:
        BadMessage: a header is missing, the signature or the time is wrong, or it is no message.
        ValueError: the secret has no such form, as an unset variable.

    """
    try:
        webhook = Webhook(secret)
    except (EmptyWebhookSecretError, ValueError):
        raise ValueError("that is no secret of a webhook: whsec_ and base64") from None
    try:
        webhook.verify(body, dict(headers), json_parse=False)
        return msgspec.json.decode(body, type=Message)
    except WebhookVerificationError as wrong:
        raise BadMessage(str(wrong)) from None
    except (ValueError, msgspec.DecodeError) as error:
        raise BadMessage(f"it is no message of a webhook: {error}") from None
