"""A browser's side of Web Push: its keys, what it subscribes with, and what it reads."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import http_ece
import httpx2
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from phaseledger.service.app import in_postgres
from phaseledger.service.notices import notices
from phaseledger.service.settings import Settings
from phaseledger.service.webhooks import store
from tests.support.service.api_tables import Table, bearer
from tests.support.service.server import Served, serving
from tests.support.service.webhook_receiver import Endpoint, Received, endpoint

DEVICE = "7d9f2f6a-9c5c-4f6b-8b0e-0d5f3a1c2b3d"

# The browser of RFC 8291.
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SUBSCRIPTION = {
    "endpoint": "http://127.0.0.1:9/",
    "keys": {"p256dh": PUBLIC, "auth": AUTH},
}
"""Where nobody hears of it."""


class PushBrowser(NamedTuple):
    """A browser with a key of its own."""

    private: ec.EllipticCurvePrivateKey
    auth: bytes

    @property
    def keys(self) -> dict[str, str]:
        form = serialization.PublicFormat.UncompressedPoint
        point = self.private.public_key().public_bytes(serialization.Encoding.X962, form)
        return {"p256dh": base64url(point), "auth": base64url(self.auth)}

    def read(self, message: Received) -> dict[str, Any]:
        """The message as the browser's service worker gets it."""
        plain = http_ece.decrypt(message.body, private_key=self.private, auth_secret=self.auth)
        notice: dict[str, Any] = json.loads(plain.rstrip(b"\0\2"))
        return notice


@contextmanager
def soon() -> Iterator[pytest.MonkeyPatch]:
    """Have notices sent soon, to players who are away for a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notices, "GRACE", 0.2)
        patch.setattr(notices, "EVERY", 0.1)
        for module in (notices, store):
            patch.setattr(module, "AWAY", 1.0)
        yield patch


@contextmanager
def calling_soon(settings: Settings) -> Iterator[Served]:
    """A service that sends notices soon."""
    with soon(), serving(in_postgres(settings)) as service:
        yield service


@contextmanager
def push_endpoint() -> Iterator[Endpoint]:
    """A push service that takes every message."""
    with endpoint() as target:
        target.answer = lambda _: 201
        yield target


def push_browser() -> PushBrowser:
    return PushBrowser(ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef")


def subscribe(
    table: Table,
    seat: int,
    endpoint: str,
    browser: PushBrowser,
    device: str = DEVICE,
    lang: str = "en",
) -> httpx2.Response:
    return table.client.put(
        f"{table.path}/notices/{device}",
        json={"endpoint": endpoint, "keys": browser.keys},
        headers={**bearer(table.tokens[seat]), "Accept-Language": lang},
    )


def unsubscribe(table: Table, seat: int, device: str = DEVICE) -> httpx2.Response:
    path = f"{table.path}/notices/{device}"
    return table.client.delete(path, headers=bearer(table.tokens[seat]))


def claims(message: Received, public: str) -> dict[str, Any]:
    """What the sender claims, once its signature is found to be of the public key."""
    scheme, _, parameters = message.headers["authorization"].partition(" ")
    named = dict(part.strip().split("=", 1) for part in parameters.split(","))
    assert (scheme, named["k"]) == ("vapid", public)
    head, body, signature = named["t"].split(".")
    assert json.loads(plain_bytes(head)) == {"typ": "JWT", "alg": "ES256"}
    both = plain_bytes(signature)
    numbers = (int.from_bytes(both[:32]), int.from_bytes(both[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), plain_bytes(public))
    signed = f"{head}.{body}".encode()
    key.verify(encode_dss_signature(*numbers), signed, ec.ECDSA(hashes.SHA256()))
    claimed: dict[str, Any] = json.loads(plain_bytes(body))
    return claimed


def base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def plain_bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
