"""What a receiver of webhooks checks: signature, time and shape."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from standardwebhooks import Webhook

from phaseledger.client import BadMessage, verified_message
from phaseledger.service.webhooks.messages import new_secret, payload, secret_text

SECRET = secret_text(new_secret())
BODY = payload("game.ended", 1_700_000_000_000, {"game": "g"})


def signed(body: str = BODY, age: int = 0) -> dict[str, str]:
    at = datetime.now(UTC) - timedelta(seconds=age)
    return {
        "Webhook-Id": "msg_1",
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(SECRET).sign("msg_1", at, body),
    }


def test_a_message_is_taken_as_text_or_bytes() -> None:
    for body in (BODY, BODY.encode()):
        message = verified_message(body, signed(), SECRET)
        assert (message.type, message.data) == ("game.ended", {"game": "g"})


def test_another_message_is_refused() -> None:
    bad: list[tuple[str | bytes, dict[str, str]]] = [
        (BODY + " ", signed()),
        (BODY, signed(age=400)),
        (BODY, signed(age=-400)),
        (BODY, {}),
        ("[]", signed("[]")),
        ("{", signed("{")),
        (b"\xff", signed()),
    ]
    for name, value in (
        ("Webhook-Id", "msg_2"),
        ("Webhook-Id", "\udcff"),
        ("webhook-timestamp", "soon"),
        ("webhook-timestamp", "9" * 5_000),
        ("webhook-signature", "v1,"),
        ("webhook-signature", "v1"),
        ("webhook-signature", "v1,\udcff"),
    ):
        bad.append((BODY, {**signed(), name: value}))
    for body, headers in bad:
        with pytest.raises(BadMessage):
            verified_message(body, headers, SECRET)


def test_no_message_is_taken_under_what_is_no_secret() -> None:
    """As an unset variable: anybody can sign by the empty key."""
    secrets: list[Any] = ["", "whsec_", " ", "whsec_?", "\xe9", None, b""]
    for secret in secrets:
        with pytest.raises(ValueError, match="no secret of a webhook"):
            verified_message(BODY, signed(), secret)
