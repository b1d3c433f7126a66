"""Secrets that can be told apart from everything else, and the search for them."""

import base64
import re

BROUGHT = "ca" * 31 + "11"
"""The secret of a seat that brings one."""


def spellings(secret: str) -> list[str]:
    """How 32 bytes may turn up, and a text."""
    forms = [secret, secret.upper()]
    if re.fullmatch("[0-9a-f]{64}", secret):
        raw = bytes.fromhex(secret)
        forms += [base64.b64encode(raw).decode()[:42], base64.urlsafe_b64encode(raw).decode()[:42]]
        forms += [repr(raw)[2:-1], raw.decode("latin-1")]
    return forms


def require_none(secrets: dict[str, str], text: str, where: str) -> None:
    """See that none of the secrets, by their names, is in the text."""
    leaked = [
        name
        for name, secret in secrets.items()
        if any(spelling in text for spelling in spellings(secret))
    ]
    assert leaked == [], where
