"""A webhook receiver's checks of a request: its signature, and the answer to the challenge.

The service sends nothing else to a URL until that has answered the first message, of type
``webhook.challenge``: with status 2xx and what `challenge_answer` returns as the body.
"""

import base64
import hmac
import time
from collections.abc import Mapping
from contextlib import suppress

import msgspec

from phaseledger.service.schemas.webhook_signatures import signature
from phaseledger.service.schemas.webhooks import CHALLENGE, Message

SHORTEST_KEY = 24
"""Bytes of a secret, by Standard Webhooks; the service's secrets have 32."""
TOLERANCE = 300
"""The largest difference, in seconds, of a message's time from the receiver's clock."""


class BadMessage(Exception):
    """A request that the service has not sent with this secret, or not lately."""


def verified_message(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, now: float | None = None
) -> Message:
    """The message in a request to a webhook, whose signature is right.

    ``secret`` is the webhook's, ``whsec_...``; ``now`` in seconds since 1970, else the clock's.

    Raises:
        BadMessage: a header is missing, the signature or the time is wrong, or it is no message.
        ValueError: the secret has no such form, as an unset variable.

    """
    key = _key(secret)
    lines = {name.lower(): value for name, value in headers.items()}
    try:
        name, signatures = lines["webhook-id"], lines["webhook-signature"].encode().split()
        at = int(lines["webhook-timestamp"].encode("ascii"))
        content = body.encode() if isinstance(body, str) else body
        expected = signature(key, name, at, content).encode()
    except (KeyError, ValueError):
        raise BadMessage("its headers are not those of a webhook") from None
    if not any(hmac.compare_digest(expected, shown) for shown in signatures):
        raise BadMessage("its signature is wrong")
    if abs(int(time.time() if now is None else now) - at) > TOLERANCE:
        raise BadMessage(f"it is not of the last {TOLERANCE} seconds")
    try:
        return msgspec.json.decode(content, type=Message)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadMessage("its body is no message") from None


def _key(secret: str) -> bytes:
    """The key of the signatures; raises ValueError for a text that is no secret of a webhook."""
    with suppress(ValueError):
        if isinstance(secret, str):
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
            if len(key) >= SHORTEST_KEY:
                return key
    raise ValueError("that is no secret of a webhook: whsec_ and the base64 of 24 bytes or more")


def challenge_answer(message: Message) -> bytes | None:
    """The body of the answer, as JSON, to a challenge; None for any other message."""
    if message.type != CHALLENGE:
        return None
    return msgspec.json.encode({"challenge": message.data.get("challenge")})
