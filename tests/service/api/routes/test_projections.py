"""Stored views that somebody has edited: the log is believed, and they are not."""

from typing import Any

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from structlog.testing import capture_logs

from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.sealed_ledgers import settings
from tests.support.service.server import ledger_client

__all__ = ["settings"]

BOTS = [{"kind": "bot", "level": "random"}] * 2
VIEWS = ("table", "scoreboard")
EDITS = {
    "table": "UPDATE {}.table_views SET view = regexp_replace(view::text, 'Random', 'Eve')::json",
    "scoreboard": "UPDATE {}.scoreboard_rounds SET out = 1 - out",
}


@pytest.mark.parametrize("edited", VIEWS)
def test_what_is_edited_in_the_stored_views_is_not_served(settings: Settings, edited: str) -> None:
    asked = {"ruleset": "express", "seats": BOTS, "start": True}
    with ledger_client(settings) as client:
        game = client.post("/games", json=asked).raise_for_status().json()["game"]
        eventually(lambda: view(client, game, "scoreboard"), lambda board: board["rounds"])
        eventually(lambda: view(client, game, "scoreboard"), lambda board: board["winners"])
        with capture_logs() as records:
            sound = {name: view(client, game, name) for name in VIEWS}
            assert not warnings(records)
            with psycopg.connect(settings.database_url) as conn:
                statement = SQL(EDITS[edited]).format(Identifier(settings.schema))
                assert conn.execute(statement).rowcount
            assert {name: view(client, game, name) for name in VIEWS} == sound
            (warning,) = warnings(records)
    assert warning["game"] == game


def view(client: httpx2.Client, game: str, name: str) -> Any:
    path = f"/games/{game}/{name}?at_least=1"  # waits until the view is there
    return client.get(path).raise_for_status().json()


def warnings(records: list[Any]) -> list[Any]:
    return [record for record in records if "stored view" in record["event"]]
