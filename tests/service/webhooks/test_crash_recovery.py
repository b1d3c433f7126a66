"""Webhooks through kills and beside rivals: nothing is lost, and a repeat has its old id."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import msgspec
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service.settings import Settings
from tests.support.polling import ENDLESS, eventually
from tests.support.ports import await_answer, free_port
from tests.support.service.api_tables import BOT, bearer
from tests.support.service.applications import made
from tests.support.service.webhook_receiver import Endpoint, endpoint
from tests.support.service.webhook_service import settings

pytestmark = pytest.mark.system

__all__ = ["settings"]

PROGRAM = """
import asyncio, os, sys
from granian.server.embed import Server
from phaseledger.service.app import create_app, in_postgres
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.settings import load
from phaseledger.service.webhooks.store import Webhooks

settings = load(os.environ)
parts = in_postgres(settings)
hooks = Webhooks(settings.database_url, schema=settings.schema)
deliveries = Deliveries(parts.store, hooks, Sender(allow_private=True), schedule=(0.2,) * 50,
                        lease=float(sys.argv[1]))
app = create_app(parts._replace(deliveries=deliveries), settings)
server = Server(app, port=settings.port, interface="asgi", log_enabled=False, websockets=False)
asyncio.run(server.serve())
"""
"""The service as it is, but with waits that a test has the time for."""


@contextmanager
def process(
    settings: Settings, lease: float = 3.0
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    given = {
        f"PHASELEDGER_{name.upper()}": str(getattr(settings, name))
        for name in ("database_url", "schema", "keys_dir", "published_dir")
    }
    plain = {name: text for name, text in os.environ.items() if "PHASELEDGER" not in name}
    with free_port() as port:
        env = {**plain, **given, "PHASELEDGER_PORT": str(port)}
        program = [sys.executable, "-c", PROGRAM, str(lease)]
        service = subprocess.Popen(program, env=env, stdout=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{port}"
        try:
            await_answer(f"{url}/health/live")
            yield service, url
        finally:
            service.kill()
            service.wait()


def open_games(url: str, receiver: Endpoint, number: int, key: str) -> dict[str, str]:
    """Games that bots play, to the secrets of the webhooks that are told of them: the last one's
    is its application's.
    """
    secrets = {}
    hook, headers = {"url": f"{receiver.url}/game"}, bearer(key)
    where = f"{url}/v1/application/webhooks"
    of_all = httpx2.post(where, json=hook, headers=headers, timeout=None).json()
    for left in range(number - 1, -1, -1):
        body = {
            "ruleset": "classic",
            "seats": [BOT, BOT, BOT],
            "options": {"variant": "n_phases(3)"},
            "start": True,
        }
        own = {"json": {**body, "webhooks": [hook]}} if left else {"json": body, "headers": headers}
        opened = httpx2.post(f"{url}/v1/games", **own, timeout=None).json()
        secrets[opened["game"]] = (opened["webhooks"] or [of_all])[0]["secret"]
    return secrets


KINDS = {
    "SeatTaken/1": "seat.taken",
    "DealOpened/1": "game.started",
    "RoundDealt/1": "round.started",
    "RoundEnded/1": "round.ended",
    "GameEnded/1": "game.ended",
}


def in_log(settings: Settings, game: str) -> Counter[tuple[str, int]]:
    """What the log holds of the game that is told: type and version."""
    table = Identifier(settings.schema, "stored_events")
    with psycopg.connect(settings.database_url) as conn:
        rows = conn.execute(
            SQL("SELECT topic, originator_version FROM {} WHERE originator_id = %s").format(table),
            (game,),
        ).fetchall()
    return Counter((KINDS[topic], version) for topic, version in rows if topic in KINDS)


def settle(settings: Settings, games: dict[str, str]) -> None:
    """Wait until the games are over, and all that is to be told of them is delivered."""
    pending = SQL("SELECT count(*) FROM {0}").format(
        Identifier(settings.schema, "webhook_deliveries")
    )
    up_to_date = SQL(
        "SELECT count(*) FROM {0} AS g WHERE game = ANY(%s) AND told = (SELECT "
        "max(originator_version) FROM {1} WHERE originator_id = game) AND EXISTS (SELECT FROM "
        "{1} WHERE originator_id = game AND topic = 'GameEnded/1')"
    ).format(
        Identifier(settings.schema, "webhook_games"), Identifier(settings.schema, "stored_events")
    )
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        names = list(games)
        eventually(
            lambda: (
                conn.execute(up_to_date, (names,)).fetchone(),
                conn.execute(pending).fetchone(),
            ),
            lambda counts: counts == ((len(names),), (0,)),
        )


def messages_of(receiver: Endpoint, games: dict[str, str]) -> dict[str, dict[str, Any]]:
    """The distinct messages that came, by id, each verified."""
    messages: dict[str, dict[str, Any]] = {}
    for request in receiver.got:
        game = msgspec.json.decode(request.body)["data"]["game"]
        message = request.verified(games[game])
        assert messages.setdefault(request.id, message) == message
    return messages


def test_kills_lose_nothing_and_repeat_only_under_the_same_id(settings: Settings) -> None:
    with endpoint() as receiver:

        def slowly(_: object) -> int:
            time.sleep(0.03)
            return 204

        receiver.answer = slowly
        with process(settings) as (first, url):
            games = open_games(url, receiver, 3, made(settings))
            receiver.wait(5)
            first.send_signal(signal.SIGKILL)
            first.wait()
        for kill_after in (14, 24):
            with process(settings) as (second, _):
                receiver.wait(kill_after)
                second.send_signal(signal.SIGKILL)
                second.wait()
        with process(settings):
            settle(settings, games)
        messages = messages_of(receiver, games)
    for game in games:
        counts = Counter(
            (message["type"], message["data"]["version"])
            for message in messages.values()
            if message["data"]["game"] == game
        )
        assert counts == in_log(settings, game)
    assert len(receiver.got) < 3 * len(messages)  # a repeat was on its way at a kill


def test_two_processes_deliver_each_message_once(settings: Settings) -> None:
    with (
        endpoint() as receiver,
        # A message changes hands when its process is held up for longer than this.
        process(settings, lease=ENDLESS) as (_, url),
        process(settings, lease=ENDLESS) as (_, other_url),
    ):
        games = {
            **open_games(url, receiver, 2, made(settings)),
            **open_games(other_url, receiver, 2, made(settings)),
        }
        settle(settings, games)
        messages = messages_of(receiver, games)
        assert len(receiver.got) == len(messages)
        for game in games:
            counts = Counter(
                (message["type"], message["data"]["version"])
                for message in messages.values()
                if message["data"]["game"] == game
            )
            assert counts == in_log(settings, game)
