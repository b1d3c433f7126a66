"""A season of two applications, held against the exports alone; one player is forgotten in it."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.batch.inputs import HERE, rows_of
from phaseledger.service.app import in_postgres
from phaseledger.service.cli.ratings import rated_pools, results
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.readmodels.follower import rebuild
from phaseledger.service.settings import Settings, sealing_keys_of
from tests.support.polling import eventually
from tests.support.service.api_tables import PERSON, Table, bearer, play_on
from tests.support.service.applications import made
from tests.support.service.server import serving

SHORT = {"variant": "n_phases(1)", "max_turns_per_round": 60}


class Club:
    """An application and its players' pseudonyms, by its ids."""

    def __init__(self, url: str, settings: Settings, players: list[str]) -> None:
        key = bearer(made(settings))
        self.client = httpx2.Client(base_url=f"{url}/v1", headers=key, timeout=None)
        self.pseudonyms = {
            player: self.ask("PUT", f"/players/{player}", {"name": player})["pseudonym"]
            for player in players
        }

    def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        answer = self.client.request(method, path, json=body).raise_for_status()
        return answer.json() if answer.content else {}

    def kept(self) -> dict[str, Any]:
        """What the service says of each player that it knows."""
        return {
            player: {
                "ratings": self.ask("GET", f"/players/{player}/ratings")["ratings"],
                "records": self.ask("GET", f"/players/{player}/statistics")["rulesets"],
            }
            for player in self.pseudonyms
        }


def play(home: Club, away: Club, first: str, second: str) -> None:
    """A game at a table of one club, which a player of the other one joins."""
    seats = [{**PERSON, "player": first}, PERSON]
    opened = home.ask("POST", "/games", {"ruleset": "classic", "seats": seats, "options": SHORT})
    path = f"/games/{opened['game']}"
    joined = away.ask("POST", f"{path}/seats", {"player": second})
    home.client.post(f"{path}/start", headers=bearer(opened["host_token"])).raise_for_status()
    tokens = {0: opened["seats"][0]["token"], 1: joined["token"]}
    play_on(Table(home.client, opened["game"], opened["host_token"], tokens))


def from_exports(text: str, file: Path) -> tuple[dict[str, Any], Counter[str], Counter[str]]:
    """The ratings of all players, and how many games each has ended and won."""
    file.write_text(text)
    (pool,) = rated_pools(results(rows_of([str(file)], HERE))[0])
    ended, won = Counter[str](), Counter[str]()
    seats: dict[str, dict[int, str]] = {}
    for line in map(json.loads, text.splitlines()):
        names = seats.setdefault(line.get("game", ""), {})
        if line.get("type", "").startswith("SeatTaken/"):
            names[line["data"].get("seat", 0)] = line["data"]["name"]
        elif line.get("type", "").startswith("GameEnded/"):
            ended.update(names.values())
            won.update(names[seat] for seat in line["data"]["winners"])
    rated = {line.name: (line.mu, line.sigma, line.games) for line in pool.players}
    return rated, ended, won


def texts_of(settings: Settings) -> Iterator[str]:
    """Every row of every table of the ledger."""
    with psycopg.connect(settings.database_url) as conn:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = %s"
        for (table,) in conn.execute(tables, (settings.schema,)).fetchall():
            rows = SQL("SELECT t::text FROM {} AS t").format(Identifier(settings.schema, table))
            yield from (row[0] for row in conn.execute(rows))


@contextmanager
def season(settings: Settings, gone: str) -> Iterator[tuple[Club, Club]]:
    """Two clubs whose players have all played one another; one was forgotten on the way."""
    with serving(in_postgres(settings)) as served:
        home = Club(served.url, settings, [gone, "ben", "cleo"])
        away = Club(served.url, settings, ["ben", "xia"])
        for first in home.pseudonyms:
            for second in away.pseudonyms:
                play(home, away, first, second)
        home.ask("DELETE", f"/players/{gone}")
        del home.pseudonyms[gone]
        for first, second in combinations([*home.pseudonyms] * 2, 2):
            if first != second:
                play(home, home, first, second)
        with closing(home.client), closing(away.client):
            yield home, away


@pytest.mark.system
def test_a_season_is_told_by_its_exports(
    settings: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Ratings and statistics are those of a rebuild, and of a computation from the exports."""
    open_sealing(settings)
    gone = f"gone-{uuid4().hex}"
    with season(settings, gone) as (home, away):
        games = len(home.client.get("/games").json()["games"])
        text = eventually(
            lambda: home.client.get("/exports/games").text,
            lambda shown: shown.count('"GameEnded/') == games,
        )
        rated, ended, won = from_exports(text, tmp_path / "season.ndjson")
        before = [club.kept() for club in (home, away)]
        for club, kept in zip((home, away), before, strict=True):
            for player, pseudonym in club.pseudonyms.items():
                ((mine,), (record,)) = kept[player].values()
                assert (mine["mu"], mine["sigma"], mine["games"]) == rated[pseudonym]
                assert (record["ended"], record["won"]) == (ended[pseudonym], won[pseudonym])
        asyncio.run(rebuilt(settings))
        assert [club.kept() for club in (home, away)] == before
        assert gone not in text
    assert not any(gone in row for row in texts_of(settings))
    printed = capfd.readouterr()
    assert gone not in printed.out + printed.err


async def rebuilt(settings: Settings) -> None:
    dsn, schema = settings.database_url, settings.schema
    async with PostgresStore(dsn, schema=schema, sealing=sealing_keys_of(settings)) as store:
        await rebuild(store, dsn, schema=schema)
