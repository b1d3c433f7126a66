"""The kinds of addresses of players: one declaration, and what is refused by it."""

from collections.abc import Iterator
from typing import Any, get_args

import httpx2
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.schemas.notices import ADDRESSES, MOST_ADDRESSES, AddressOf
from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.service.api_tables import bearer
from tests.support.service.applications import done, made
from tests.support.service.operator import running
from tests.support.service.problems import problem
from tests.support.service.push_service import push_browser


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    folder = tmp_path_factory.mktemp("ledger")
    with own_ledger(postgres_dsn, folder, push_contact="mailto:ops@club.example") as ledger:
        yield ledger


def test_only_addresses_of_their_kinds_are_taken(settings: Settings) -> None:
    """Hosts of Discord and Slack alone, a browser with its keys, and zones that there are."""
    assert [*ADDRESSES] == [*get_args(AddressOf)]
    keys = push_browser().keys
    wrong = [
        ("discord", "https://discord.com.evil.example/api/webhooks/1/a"),
        ("discord", "https://discord.com@evil.example/api/webhooks/1/a"),
        ("discord", "http://discord.com/api/webhooks/1/a"),
        ("discord", "https://discord.com/api/webhooks/../users"),
        ("discord", "https://discord.com/api/webhooks/1/a\n"),
        ("discord", ADDRESSES["slack"].example),
        ("slack", "https://hooks.slack.com/services"),
        ("slack", "https://hooks.slack.com.evil.example/services/T/B/X"),
        ("web_push", "https://push.example/"),
        ("web_push", "https://127.0.0.1/"),
    ]
    with running(in_postgres(settings)) as both:
        both.api.headers.update(bearer(made(settings)))

        def put(address: dict[str, Any], **quiet: str) -> httpx2.Response:
            notices = {
                "addresses": [address] * bool(address),
                **({"quiet": quiet} if quiet else {}),
            }
            return both.api.put("/players/ada", json={"name": "Ada", "notices": notices})

        for kind, url in wrong:
            with_keys = {"keys": keys} if "127" in url else {}
            problem(put({"kind": kind, "url": url, **with_keys}), 422, "notice_refused")
        for kind in ("discord", "slack"):
            address = {"kind": kind, "url": ADDRESSES[kind].example}  # type: ignore[index]
            problem(put({**address, "keys": keys}), 422, "notice_refused")
            done(put(address))
        problem(put({}, start="22:00", end="07:00", zone="Europe/Nowhere"), 422, "notice_refused")
        problem(put({}, start="24:00", end="07:00", zone="UTC"), 400, "invalid_body")
        many = {"addresses": [address] * (MOST_ADDRESSES + 1)}
        refused = both.api.put("/players/ada", json={"name": "Ada", "notices": many})
        problem(refused, 400, "invalid_body")
