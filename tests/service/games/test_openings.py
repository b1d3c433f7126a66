"""What an opening adds to what is asked of it."""

from typing import Any
from uuid import uuid4

import httpx2
import pytest

from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.service.games import writer
from phaseledger.service.games.openings import TURNS_OF_BOTS
from tests.support.service.api_tables import BOT, PERSON, ok
from tests.support.service.problems import problem


def options_of(client: httpx2.Client, **body: Any) -> Any:
    """The house rules of a new table, as its opening in the log has them."""
    answer = client.post("/games", json={"start": False, **body})
    assert answer.status_code == 201, answer.text
    game = answer.json()["game"]
    (event, *_) = ok(client.get(f"/games/{game}/events"))["events"]
    return event["data"]["act"]["command"].get("options", {})


def test_a_round_of_bots_alone_has_an_end_unless_the_opening_says_so(client: httpx2.Client) -> None:
    limit = {"max_turns_per_round": TURNS_OF_BOTS}
    for ruleset in GAMES:
        bots = [BOT] * preset(ruleset).seats_max
        assert options_of(client, ruleset=ruleset, seats=bots) == limit
        assert options_of(client, ruleset=ruleset, seats=[PERSON, *bots[1:]]) == {}
    for turns in ("none", 7, 100_000):
        options = {"max_turns_per_round": turns, "run_wrap": True}
        assert options_of(client, ruleset="classic", seats=[BOT] * 2, options=options) == options


@pytest.mark.parametrize("limit", [None, 7])
def test_a_repeated_opening_is_what_was_asked(client: httpx2.Client, limit: Any) -> None:
    options = {} if limit is None else {"max_turns_per_round": limit}
    body = {"ruleset": "classic", "seats": [BOT] * 2, "options": options}
    headers = {"Idempotency-Key": str(uuid4())}
    first = client.post("/games", json=body, headers=headers)
    assert first.status_code == 201, first.text
    assert client.post("/games", json=body, headers=headers).content == first.content
    other = body | {"options": {"max_turns_per_round": 8}}
    problem(client.post("/games", json=other, headers=headers), 422, "idempotency_mismatch")


def test_a_repeated_opening_of_an_earlier_release_is_answered_again(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the options that were asked for, and no others."""
    body = {"ruleset": "classic", "seats": [BOT] * 2}
    headers = {"Idempotency-Key": str(uuid4())}
    with monkeypatch.context() as before:
        before.setattr(writer, "completed", list)
        first = client.post("/games", json=body, headers=headers)
    (event, *_) = ok(client.get(f"/games/{first.json()['game']}/events"))["events"]
    assert "options" not in event["data"]["act"]["command"]
    assert client.post("/games", json=body, headers=headers).content == first.content
