"""Answers that are problems (RFC 9457)."""

import httpx2
import msgspec

from phaseledger.service.schemas.problem import Problem
from tests.support.service.api_tables import BOT, PERSON

TABLE = {"ruleset": "classic", "seats": [PERSON, BOT]}


def problem(answer: httpx2.Response, status: int, code: str) -> Problem:
    """The problem in an answer, which must be the expected one and well made."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = msgspec.json.decode(answer.content, type=Problem)
    assert (answer.status_code, body.status, body.code) == (status, status, code), body
    assert body.type == f"/problems/{code}"
    assert body.title.endswith(".")
    assert body.detail.endswith(".")
    return body
