"""Stored views that somebody has edited: the log is believed, and they are not."""

from typing import Any

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.sealed_ledgers import settings
from tests.support.service.server import ledger_client

__all__ = ["settings"]

BOTS = [{"kind": "bot", "level": "random"}] * 2
VIEWS = ("table", "scoreboard")
EDIT = """UPDATE {}.table_views SET
  view = regexp_replace(view::text, 'Random', 'Eve')::json,
  scoreboard = regexp_replace(scoreboard::text, 'Random', 'Eve')::json"""


def test_what_is_edited_in_the_stored_views_is_not_served(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    open_sealing(settings)
    options = {"variant": "n_phases(1)", "max_turns_per_round": 4}
    asked = {"ruleset": "express", "seats": BOTS, "options": options, "start": True}

    def rows() -> list[Any]:
        with psycopg.connect(settings.database_url) as conn:
            read = SQL("SELECT view, scoreboard FROM {}.table_views")
            return conn.execute(read.format(Identifier(settings.schema))).fetchall()

    with ledger_client(settings) as client:
        game = client.post("/games", json=asked).raise_for_status().json()["game"]
        eventually(lambda: view(client, game, "scoreboard"), lambda board: board["winners"])
        # Until the follower has come to the end, views are answered from the log.
        stored = eventually(rows, lambda now: now[0][1]["winners"])
        sound = {name: view(client, game, name) for name in VIEWS}
        caplog.clear()
        with psycopg.connect(settings.database_url) as conn:
            assert conn.execute(SQL(EDIT).format(Identifier(settings.schema))).rowcount
        assert {name: view(client, game, name) for name in VIEWS} == sound
        assert f"The stored views of game {game} are made anew" in caplog.text
        eventually(rows, lambda now: now == stored)


def view(client: httpx2.Client, game: str, name: str) -> Any:
    path = f"/games/{game}/{name}?at_least=1"  # waits until the view is there
    return client.get(path).raise_for_status().json()
