"""Notices to players of an application, at receivers that behave as Discord, Slack and a push
service do: an answer without a word, no echo, and 429 where it is too much.
"""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import psycopg
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.notices.notices import KINDS
from phaseledger.service.players.store import Players
from phaseledger.service.schemas.notices import ADDRESSES
from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    PERSON,
    Table,
    bearer,
    greedily,
    mover,
    play_on,
    play_until,
)
from tests.support.service.api_tables import answer as answer_of
from tests.support.service.applications import done, made
from tests.support.service.operator import Both, running
from tests.support.service.problems import problem
from tests.support.service.push_service import claims, push_browser, soon
from tests.support.service.stream_reader import listening
from tests.support.service.webhook_receiver import Endpoint, Received, endpoint

PUBLIC = "https://cards.example"
STATUS = {"discord": 204, "slack": 200, "web_push": 201}
"""What each takes a notice with."""


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A ledger without keys that seal: what is left anywhere can be read."""
    folder = tmp_path_factory.mktemp("ledger")
    options = {"webhook_allow_private": True, "push_contact": "mailto:ops@club.example"}
    with own_ledger(postgres_dsn, folder, public_url=PUBLIC, **options) as ledger:
        yield ledger


class Clock:
    """A clock that a test sets to a time of the day; it goes on from there."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead

    def turn_to(self, seconds: float) -> None:
        """Turn it to so many seconds after midnight, in UTC."""
        self.ahead = (seconds - time.time()) % 86_400


class Club(NamedTuple):
    """An application, the service, and the service's clock for quiet hours."""

    api: httpx2.Client
    both: Both
    clock: Clock

    def put(self, player: str, *addresses: dict[str, Any], **more: Any) -> httpx2.Response:
        quiet = {"quiet": more.pop("quiet")} if "quiet" in more else {}
        body = {"name": player.title(), "notices": {"addresses": addresses, **quiet}, **more}
        return self.api.put(f"/players/{player}", json=body)

    def state(self, player: str) -> list[dict[str, Any]]:
        return done(self.api.get(f"/players/{player}"))["notices"]["addresses"]

    def table(self, *players: str, **more: Any) -> Table:
        seats = [{**PERSON, "player": player} for player in players]
        opened = done(self.api.post("/games", json={"ruleset": "classic", "seats": seats, **more}))
        tokens = {seat["seat"]: seat["token"] for seat in opened["seats"]}
        return Table(self.both.api, opened["game"], opened["host_token"], tokens)

    def waiting(self, **more: Any) -> Table:
        """A table at which Ada is asked next."""
        table = self.table("ada", "bob", start=True, dealer=1, **more)
        play_until(table, 0)
        return table


@pytest.fixture(scope="module")
def serving_club(settings: Settings) -> Iterator[tuple[Both, Clock]]:
    with soon() as patch:
        for kind, form in ADDRESSES.items():
            patch.setitem(ADDRESSES, kind, form._replace(form="http://127.0.0.1:.+"))
        parts = in_postgres(settings)
        clock = Clock()
        patch.setattr(parts.notices, "clock", clock)
        patch.setattr(parts.deliveries, "_schedule", (0.2, 0.2, 60))
        with running(parts) as both:
            yield both, clock


@pytest.fixture
def club(serving_club: tuple[Both, Clock], settings: Settings) -> Iterator[Club]:
    both, clock = serving_club
    clock.ahead = 0.0
    key = bearer(made(settings))
    with httpx2.Client(base_url=both.api.base_url, headers=key, timeout=None) as api:
        club = Club(api, both, clock)
        done(club.put("bob"))
        yield club


@contextmanager
def receiving(kind: str = "discord") -> Iterator[tuple[Endpoint, dict[str, Any]]]:
    """A receiver, and its address as an application puts it."""
    with endpoint() as target:
        target.answer = lambda _: STATUS[kind]
        yield target, {"kind": kind, "url": target.url}


def content(message: Received) -> str:
    return str(json.loads(message.body)["content"])


def test_a_turn_is_told_once_at_each_address_in_the_players_language(club: Club) -> None:
    """By the name that the other player has at the sending, with a link to the table."""
    browser = push_browser()
    with (
        receiving() as (discord, channel),
        receiving("slack") as (slack, room),
        receiving("web_push") as (push, device),
    ):
        done(club.put("ada", channel, room, {**device, "keys": browser.keys}, language="de"))
        done(club.put("bob"))
        done(club.api.put("/players/bob", json={"name": "B<o>b *"}))
        table = club.waiting()
        link = f"{PUBLIC}/play/{table.game}"
        (chat,), (text,), (notice,) = (target.wait(1) for target in (discord, slack, push))
        assert json.loads(chat.body) == {
            "content": f"Du bist dran\\: Phase 10\nMit B\\<o\\>b \\*\n{link}",
            "allowed_mentions": {"parse": []},
        }
        assert json.loads(text.body) == {
            "text": f"Du bist dran: Phase 10\nMit B&lt;o&gt;b *\n{link}",
            "mrkdwn": False,
        }
        assert browser.read(notice) == {
            "game": table.game,
            "title": "Du bist dran: Phase 10",
            "body": "Mit B<o>b *",
            "url": link,
        }
        assert claims(notice, club.api.get("/notices").json()["web_push"])
        assert answer_of(table, 0, greedily, 0).status_code == 200  # the turn goes on
        club.waiting()
        discord.wait(2)  # at the other table: what was due before it has been sent
        play_until(table, 1)
        play_until(table, 0)
        tables = [table.game in content(message) for message in discord.wait(3)]
        assert tables == [True, False, True]
    assert [state["kind"] for state in club.state("ada")] == [*STATUS]
    assert all(state["confirmed_at"] and not state["ended_at"] for state in club.state("ada"))


def test_addresses_that_come_later_are_told_of_what_waits_and_of_the_end(club: Club) -> None:
    """Of this table alone; without `notices` in the body they stay as they are."""
    quiet = {"start": "09:00", "end": "09:00", "zone": "Europe/Berlin"}
    done(club.put("ada"))
    table = club.waiting(options={"variant": "n_phases(1)"})
    with receiving() as (discord, address):
        eventually(lambda: done(club.api.get("/players/ada/games"))["games"])
        done(club.put("ada", address, quiet=quiet))
        before = club.state("ada")
        done(club.put("eve"))
        club.table("bob", "eve", start=True)
        discord.wait(1)
        renamed = done(club.api.put("/players/ada", json={"name": "Adele"}))
        assert renamed["notices"]["quiet"] == quiet
        assert [state["kind"] for state in renamed["notices"]["addresses"]] == ["discord"]
        assert address["url"] not in str(before) + str(done(club.api.get("/players")))
        play_on(table)
        eventually(lambda: "over" in content(discord.got[-1]))
        assert content(discord.got[0]).startswith("Your turn")
        assert all(table.game in content(message) for message in discord.got)


def test_who_looks_at_the_table_is_not_told(club: Club) -> None:
    with receiving() as (discord, address), receiving("slack") as (elsewhere, other):
        done(club.put("ada", address))
        done(club.put("bob", other))
        table = club.table("ada", "bob", start=True)
        watcher = 1 - mover(table)
        with listening(table, watcher):
            time.sleep(0.5)
            absent, present = (elsewhere, discord)[:: 1 - 2 * watcher]
            play_until(table, watcher)
            play_until(table, 1 - watcher)
            eventually(lambda: any(b"Your turn" in message.body for message in absent.got), bool)
            play_until(table, watcher)
            time.sleep(1)
            assert not any(b"Your turn" in message.body for message in present.got)
        eventually(lambda: any(b"Your turn" in message.body for message in present.got), bool)


def test_a_limit_of_the_receiver_is_kept_to(club: Club) -> None:
    """It is no failure."""
    with receiving() as (discord, address):
        times: list[float] = []

        def answer(_: Received) -> int:
            times.append(time.monotonic())
            return 204 if times[1:] else 429

        discord.answer, discord.headers = answer, {"Retry-After": "1.5"}
        done(club.put("ada", address))
        club.waiting()
        discord.wait(2)
        assert times[1] - times[0] >= 1.5
        (state,) = eventually(lambda: club.state("ada"), lambda now: now[0]["confirmed_at"])
        assert (state["failing_since"], state["ended_at"]) == (None, None)


@pytest.mark.parametrize("status", [404, 410])
def test_an_address_that_is_gone_ends_and_says_so(club: Club, status: int) -> None:
    """Put again it stays as it is; once it was left out, it begins anew."""
    with receiving() as (discord, address):
        discord.answer = lambda _: status
        done(club.put("ada", address))
        table = club.waiting()
        (state,) = eventually(lambda: club.state("ada"), lambda now: now[0]["ended_at"])
        assert (state["reason"], state["confirmed_at"]) == (f"it answered {status}", None)
        done(club.put("ada", address))
        assert club.state("ada") == [state]
        play_until(table, 1)
        play_until(table, 0)
        time.sleep(1)
        done(club.put("ada"))
        assert club.state("ada") == []
        assert len(discord.got) == 1
        done(club.put("ada", address))
        assert club.state("ada")[0]["ended_at"] is None


def test_what_falls_into_quiet_hours_is_told_at_their_end_once(
    club: Club, settings: Settings
) -> None:
    """If it still holds: of two turns in the night only the one that waits is told."""
    club.clock.turn_to(23 * 3600)
    outbox = f"{settings.schema}.webhook_deliveries"
    mine = f"hook IN (SELECT id FROM {settings.schema}.webhooks WHERE player = %s AND game IS NULL)"
    later = f"SELECT due_at > now() + interval '470 minutes' FROM {outbox} WHERE {mine}"
    with receiving() as (discord, address), psycopg.connect(settings.database_url) as conn:
        conn.autocommit = True
        quiet = {"start": "22:00", "end": "07:00", "zone": "UTC"}
        player = done(club.put("ada", address, quiet=quiet))["pseudonym"]

        def deferred(count: int) -> None:
            expected = [(True,)] * count
            eventually(lambda: conn.execute(later, (player,)).fetchall() == expected)

        seats = club.waiting()
        deferred(1)
        play_until(seats, 1)
        play_until(seats, 0)
        deferred(2)
        assert discord.got == []
        club.clock.turn_to(7 * 3600)
        # What is just being spread to addresses stays as it is: hurried, it would be so twice.
        conn.execute(f"UPDATE {outbox} SET due_at = now() WHERE {mine}", (player,))
        deferred(0)
        assert [content(message).partition(":")[0] for message in discord.got] == ["Your turn\\"]


def test_an_erased_player_gets_nothing_and_leaves_nothing(
    club: Club, settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither in a row, nor between the rows of a page, nor in the outbox, nor in the log."""
    with receiving() as (discord, address):
        discord.answer = lambda _: 500  # so that it stays in the outbox
        mark = f"mark{uuid4().hex}"
        done(club.put("ada", {**address, "url": f"{discord.url}/{mark}"}))
        done(club.put("ada", {**address, "url": f"{discord.url}/{mark}/later"}))
        table = club.waiting()
        discord.wait(1)
        assert holds(settings, mark), "the test sees what is stored"
        assert club.api.delete("/players/ada").status_code == 204
        assert not holds(settings, mark)
        assert mark.encode() in pages(settings), "the test sees what is left behind"
        eventually(lambda: asyncio.run(scrubbed(settings)))
        assert mark.encode() not in pages(settings)
        count = len(discord.got)
        with receiving("slack") as (slack, other):
            done(club.put("bob", other))
            for seat in (1, 0, 1):
                play_until(table, seat)
            slack.wait(1)  # what was due before it has been sent
        assert len(discord.got) <= count + 1  # one may have been under way
    assert mark not in "".join(capfd.readouterr())


TABLES = ("players", "webhooks", "webhook_deliveries", "webhook_games")


def holds(settings: Settings, mark: str) -> bool:
    """Whether a row has the text, plain or in bytes."""
    with psycopg.connect(settings.database_url) as conn:
        queries = [f"SELECT t::text FROM {settings.schema}.{name} AS t" for name in TABLES]
        texts = [text for query in queries for (text,) in conn.execute(query)]
    return any(mark in text or mark.encode().hex() in text for text in texts)


def pages(settings: Settings) -> bytes:
    """The files of the tables, as they are on the disk."""
    read = "SELECT pg_read_binary_file(pg_relation_filepath(%s::regclass))"
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        conn.execute("CHECKPOINT")
        names = [f'"{settings.schema}".{name}' for name in TABLES]
        return b"".join(bytes(conn.execute(read, (name,)).fetchall()[0][0]) for name in names)


async def scrubbed(settings: Settings) -> bool:
    async with Players(settings.database_url, schema=settings.schema) as players:
        return await players.scrub()


def test_the_operator_triggers_a_sample_for_a_player(club: Club) -> None:
    """It is marked as one, comes at any hour, and names no address."""
    quiet = {"start": "00:00", "end": "23:59", "zone": "UTC"}
    with receiving() as (discord, channel), receiving("slack") as (slack, room):
        slack.answer = lambda _: 403
        done(club.put("ada", channel, room, quiet=quiet, language="fr"))
        application = done(club.api.get("/application"))["id"]
        path, body = f"/admin/applications/{application}/samples", {"player": "ada"}
        body["type"] = "turn.asked"
        sent = done(club.both.operator.post(path, json=body))["sent"]
        assert [(s["to"], s["status"]) for s in sent] == [("discord", 204), ("slack", 403)]
        assert discord.url not in str(sent)
        assert "essai" in content(discord.got[0])
        assert [state["failing_since"] for state in club.state("ada")] == [None, None]
        for kind, count in {"seat.freed": 0, **dict.fromkeys(KINDS, 2)}.items():
            body["type"] = kind
            assert len(done(club.both.operator.post(path, json=body))["sent"]) == count
        unknown = club.both.operator.post(path, json={**body, "player": "eve"})
        problem(unknown, 404, "no_such_player")
