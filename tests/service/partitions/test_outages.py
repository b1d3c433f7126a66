"""A ledger on three PostgreSQL servers, one of which goes away and comes back."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import httpx2
import pytest

from phaseledger.replay.records.partitions import number_of
from phaseledger.service.database.embedded import embedded_postgres
from tests.support import forked
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.api_tables import BOT, Table, bearer, ok, open_table, play_on
from tests.support.service.nodes import await_ready, client_of, node
from tests.support.service.partition_ledgers import listed, settings_of

pytestmark = pytest.mark.system

OURS = 2
"""The partition that goes away."""


class Servers(NamedTuple):
    folder: Path
    homes: list[Path]
    running: list[ExitStack]

    def start(self, number: int) -> str:
        stack = ExitStack()
        self.running[number - 1] = stack
        return stack.enter_context(embedded_postgres(self.homes[number - 1]))

    def stop(self, number: int) -> None:
        self.running[number - 1].close()


@pytest.fixture
def servers(short_dir: Path) -> Iterator[Servers]:
    made = Servers(short_dir, [short_dir / f"s{n}" for n in (1, 2, 3)], [ExitStack()] * 3)
    yield made
    for stack in made.running:
        stack.close()


def run(given: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {
        "PATH": "/usr/bin:/bin",
        "PHASELEDGER_PARTITIONS": given["partitions"],
        "PHASELEDGER_KEYS_DIR": given["keys_dir"],
    }
    return forked.phaseledger(*arguments, env=environ)


def tables(client: httpx2.Client) -> dict[int, Table]:
    by_number: dict[int, Table] = {}
    for _ in range(60):
        table = open_table(client)
        if number_of(UUID(table.game)) not in by_number:
            ok(table.start())
            by_number[number_of(UUID(table.game))] = table
        if len(by_number) == 3:
            return by_number
    raise AssertionError(f"new games go to {set(by_number)} only")


def ready(port: int) -> dict[str, Any]:
    answer = httpx2.get(f"http://127.0.0.1:{port}/health/ready", timeout=None)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def ended(client: httpx2.Client, name: str) -> str:
    seats = [{**BOT, "name": name}, {**BOT, "name": f"{name} too"}]
    body = {"ruleset": "classic", "seats": seats, "start": True}
    game: str = client.post("/games", json=body).json()["game"]
    look = partial(client.get, f"/games/{game}")
    eventually(lambda: look().json()["table"]["stage"], lambda stage: stage == "ended")
    return game


def exported(client: httpx2.Client) -> set[str]:
    lines = client.get("/exports/games").text.splitlines()
    return {json.loads(line)["game"] for line in lines if '"finished_at"' in line}


def all_are_there(port: int) -> bool:
    return all(partition["ok"] for partition in ready(port)["partitions"])


def places(games: Sequence[str]) -> set[int]:
    return {number_of(UUID(game)) for game in games}


def at_once(ask, questions):
    """The answers to questions that wait side by side, since each may wait for the server."""
    with ThreadPoolExecutor(12) as pool:
        return list(pool.map(ask, questions))


def test_a_server_that_is_away_takes_its_own_games_along_and_no_others(servers):
    entries = [{"database_url": servers.start(number)} for number in (1, 2, 3)]
    given = settings_of(listed(servers.folder / "partitions.toml", entries), servers.folder)
    with free_port() as port, node(port, given) as process:
        await_ready(process, port)
        client = client_of(port)
        games = tables(client)
        for table in games.values():
            play_on(table, 4)
        played: list[str] = []
        while len(played) < 6 or len(places(played)) < 2:
            played.append(ended(client, "Spanning"))

        servers.stop(OURS)
        lost = games[OURS]
        for number, table in games.items():
            if number != OURS:
                play_on(table, 6)
        paths = ("", "/events", "/table", "/scoreboard")
        for path, answer in zip(paths, at_once(lost.get, paths), strict=True):
            assert answer.status_code == 503, (path, answer.text)
            assert int(answer.headers["Retry-After"]) > 0
        refused = lost.send(0, {"type": "draw", "source": "stock"})
        assert refused.status_code == 503, refused.text
        assert int(refused.headers["Retry-After"]) > 0
        report = ready(port)
        assert [partition["ok"] for partition in report["partitions"]] == [True, False, True]
        assert report["partitions"][1]["reason"] == "partition 2 does not answer"
        paths = ("/games", "/leaderboard", "/exports/games")
        for path, answer in zip(paths, at_once(client.get, paths), strict=True):
            assert (answer.status_code, answer.json()["code"]) == (503, "views_unavailable"), path
        assert run(given, "audit", "--all", "--quiet").returncode == 3
        table = {"ruleset": "classic", "seats": [BOT, BOT]}
        opened: list[str] = []
        while len(places(opened)) < 2:  # as chance has it
            sent = at_once(lambda _: client.post("/games", json=table), range(12))
            assert {response.status_code for response in sent} <= {201, 503}
            opened += [response.json()["game"] for response in sent if response.status_code == 201]
        assert places(opened) == {1, 3}

        servers.start(OURS)
        eventually(lambda: all_are_there(port))
        for table in games.values():
            play_on(table, 4)
            void = {"reason": "enough"}
            ok(client.post(f"{table.path}/void", json=void, headers=bearer(table.host)))

        def spanning() -> list[int]:
            board = client.get("/leaderboard", params={"limit": 200}).json()["standings"]
            return [line["games"] for line in board if line["name"].startswith("Spanning")]

        eventually(spanning, lambda counts: counts == [len(played)] * 2)
        # The views may be behind the games that were ended last.
        expected = {*played, *(table.game for table in games.values())}
        eventually(lambda: exported(client), lambda now: now >= expected)
        client.close()
    audited = run(given, "audit", "--all", "--quiet", "--json")
    assert audited.returncode == 0, audited.stderr
    assert all(json.loads(line)["sound"] for line in audited.stdout.splitlines())


def test_a_node_starts_without_one_of_its_servers_and_finds_it_later(servers):
    entries = [{"database_url": servers.start(number)} for number in (1, 2, 3)]
    given = settings_of(listed(servers.folder / "partitions.toml", entries), servers.folder)
    migrated = run(given, "migrate")
    assert migrated.returncode == 0, (
        migrated.stderr + (servers.homes[0] / "cluster/log").read_text()
    )
    with free_port() as port, node(port, given) as process:
        await_ready(process, port)
        client = client_of(port)
        games = tables(client)
        client.close()
    servers.stop(OURS)
    with free_port() as port, node(port, given) as process:
        await_ready(process, port)
        client = client_of(port)
        assert [partition["ok"] for partition in ready(port)["partitions"]] == [True, False, True]
        assert games[OURS].game
        for number, table in games.items():
            here = table._replace(client=client)
            if number == OURS:
                assert here.get().status_code == 503
            else:
                play_on(here, 2)
        servers.start(OURS)
        eventually(lambda: all_are_there(port))
        play_on(games[OURS]._replace(client=client), 4)
        client.close()
