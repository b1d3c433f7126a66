"""What a receiver of webhooks checks: signature, time and shape, against the reference library."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from standardwebhooks import Webhook

from phaseledger.client import BadMessage, challenge_answer, verified_message
from phaseledger.service.webhooks.messages import (
    challenge_payload,
    new_secret,
    payload,
    secret_text,
    signature_headers,
)

SECRET = new_secret()
BODY = payload("game.ended", 1_700_000_000_000, {"game": "g"})
NOW = 1_795_219_200


def test_a_message_is_taken_as_the_reference_library_takes_it() -> None:
    signed = Webhook(secret_text(SECRET)).sign(
        "msg_1", datetime.fromtimestamp(NOW, UTC), BODY.decode()
    )
    headers = signature_headers(SECRET, "msg_1", NOW, BODY)
    assert headers["webhook-signature"] == signed
    shouted = {name.upper(): value for name, value in headers.items()}
    for lines in (headers, shouted, {**headers, "webhook-signature": f"v1,no v1a,x {signed}"}):
        message = verified_message(BODY, lines, secret_text(SECRET), now=NOW + 200)
        assert (message.type, message.data) == ("game.ended", {"game": "g"})
        assert challenge_answer(message) is None


@pytest.mark.parametrize(
    ("body", "changes", "now", "reason"),
    [
        (BODY + b" ", {}, NOW, "signature"),
        (BODY, {"webhook-id": "msg_2"}, NOW, "signature"),
        (BODY, {"webhook-timestamp": str(NOW + 1)}, NOW, "signature"),
        (BODY, {"webhook-signature": "v1,"}, NOW, "signature"),
        (BODY, {"webhook-signature": "v1,\xe9"}, NOW, "signature"),
        (BODY, {"webhook-signature": ""}, NOW, "signature"),
        (BODY, {"webhook-signature": "v1,\udcff"}, NOW, "headers"),
        (BODY, {"webhook-id": "\udcff"}, NOW, "headers"),
        (BODY, {"webhook-timestamp": "soon"}, NOW, "headers"),
        (BODY, {"webhook-timestamp": "\udcff"}, NOW, "headers"),
        (BODY, {"webhook-timestamp": "\u0661"}, NOW, "headers"),
        (BODY, {"webhook-timestamp": "9" * 5_000}, NOW, "headers"),
        (BODY, signature_headers(SECRET, "msg_1", 10**400, BODY), NOW + 0.5, "300 seconds"),
        (BODY, signature_headers(SECRET, "msg_1", -NOW, BODY), NOW, "300 seconds"),
        (BODY, {}, NOW + 301, "300 seconds"),
        (BODY, {}, NOW - 301, "300 seconds"),
    ],
)
def test_another_message_is_refused(
    body: bytes, changes: dict[str, str], now: float, reason: str
) -> None:
    headers = {**signature_headers(SECRET, "msg_1", NOW, BODY), **changes}
    with pytest.raises(BadMessage, match=reason):
        verified_message(body, headers, secret_text(SECRET), now=now)


def test_what_is_no_message_is_refused() -> None:
    for body in (b"[]", b"{", b"\xff"):
        headers = signature_headers(SECRET, "msg_1", NOW, body)
        with pytest.raises(BadMessage, match="no message"):
            verified_message(body, headers, secret_text(SECRET), now=NOW)
    with pytest.raises(BadMessage, match="headers"):
        verified_message(BODY, {}, secret_text(SECRET))


SECRETS = ["", "whsec_", " ", "whsec_?", "\xe9", "whsec_c2hvcnQ=", None, b""]


@pytest.mark.parametrize("secret", SECRETS, ids=repr)
def test_no_message_is_taken_under_what_is_no_secret(secret: Any) -> None:
    """As an unset variable: anybody can sign by the empty key."""
    headers = signature_headers(b"", "msg_1", NOW, BODY)
    with pytest.raises(ValueError, match="no secret of a webhook"):
        verified_message(BODY, headers, secret, now=NOW)


def test_a_body_may_be_text() -> None:
    headers = signature_headers(SECRET, "msg_1", NOW, BODY)
    assert verified_message(BODY.decode(), headers, secret_text(SECRET), now=NOW)


def test_a_challenge_is_answered_by_what_it_holds() -> None:
    body = challenge_payload(1_700_000_000_000, UUID(int=1), UUID(int=2))
    headers = signature_headers(SECRET, "msg_1", NOW, body)
    message = verified_message(body, headers, secret_text(SECRET), now=NOW)
    answer = challenge_answer(message)
    assert answer is not None
    assert msgspec.json.decode(answer) == {"challenge": message.data["challenge"]}
    assert len(message.data["challenge"]) == 32
    assert challenge_payload(0, UUID(int=1), UUID(int=2)) != challenge_payload(
        0, UUID(int=1), UUID(int=2)
    )
