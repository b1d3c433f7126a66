"""Signatures of webhook messages, in the form of Standard Webhooks."""

import base64
import hmac


def signature(secret: bytes, name: str, at: int, body: bytes) -> str:
    """The ``webhook-signature`` of a message sent at the time ``at``, in s since 1970."""
    mac = hmac.digest(secret, f"{name}.{at}.".encode() + body, "sha256")
    return "v1," + base64.b64encode(mac).decode()
