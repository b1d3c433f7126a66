"""What a receiver of webhooks does with a request: check its signature, and answer the challenge.

The service sends nothing else to a URL until that has answered the first message, of type
``webhook.challenge``: with status 2xx and what `challenge_answer` returns as the body.
"""

import base64
import binascii
import hmac
import time
from collections.abc import Mapping

import msgspec

from phaseledger.service.schemas.webhook_signatures import signature
from phaseledger.service.schemas.webhooks import CHALLENGE, Message

TOLERANCE = 300
"""Seconds by which a message may be older or newer than the receiver's clock says."""


class BadMessage(Exception):
    """A request that the service has not sent with this secret, or not lately."""


def verified_message(
    body: bytes, headers: Mapping[str, str], secret: str, *, now: float | None = None
) -> Message:
    """The message in a request to a webhook, whose signature is right.

    ``secret`` is the webhook's, ``whsec_...``; ``now`` in seconds since 1970, else the clock's.

    Raises:
        BadMessage: a header is missing, the signature or the time is wrong, or it is no message.
        ValueError: the secret is none.

    """
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("that is no secret of a webhook: it begins with whsec_") from None
    lines = {name.lower(): value for name, value in headers.items()}
    try:
        name, at = lines["webhook-id"], int(lines["webhook-timestamp"])
        signatures = lines["webhook-signature"].split()
    except (KeyError, ValueError):
        raise BadMessage("its headers are not those of a webhook") from None
    expected = signature(key, name, at, body).encode()
    if not any(hmac.compare_digest(expected, shown.encode()) for shown in signatures):
        raise BadMessage("its signature is wrong")
    if abs((time.time() if now is None else now) - at) > TOLERANCE:
        raise BadMessage(f"it is not of the last {TOLERANCE} seconds")
    try:
        return msgspec.json.decode(body, type=Message)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadMessage("its body is no message") from None


def challenge_answer(message: Message) -> bytes | None:
    """The body of the answer, as JSON, to a challenge; None for any other message."""
    if message.type != CHALLENGE:
        return None
    return msgspec.json.encode({"challenge": message.data.get("challenge")})
