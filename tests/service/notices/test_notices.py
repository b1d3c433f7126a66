"""Notices over HTTP, PostgreSQL and a push service on this machine: who is told what, and when."""

import time
from collections.abc import Iterator
from uuid import uuid4

import httpx2
import psycopg
import pytest

from phaseledger.replay.formats import sealing
from phaseledger.service.app import in_postgres
from phaseledger.service.credentials.tokens import digest, public_id
from phaseledger.service.eventlog.connection import within
from phaseledger.service.notices import notices
from phaseledger.service.notices.subscriptions import MOST
from phaseledger.service.notices.web_push import LONGEST
from phaseledger.service.settings import Settings, keys_folder
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    BOT,
    PERSON,
    SHORT,
    Table,
    bearer,
    greedily,
    mover,
    open_table,
    play_on,
    play_until,
    started,
)
from tests.support.service.api_tables import answer as answer_of
from tests.support.service.problems import problem
from tests.support.service.push_service import (
    PushBrowser,
    calling_soon,
    claims,
    push_browser,
    push_endpoint,
    subscribe,
    unsubscribe,
)
from tests.support.service.server import Served, serving
from tests.support.service.stream_reader import listening
from tests.support.service.webhook_receiver import Endpoint, endpoint

CONTACT = "mailto:ops@club.example"


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    folder = tmp_path_factory.mktemp("ledger")
    options = {"webhook_allow_private": True, "push_contact": CONTACT}
    with own_ledger(postgres_dsn, folder, **options) as ledger:
        sealing.new(keys_folder(ledger))
        yield ledger


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[Served]:
    with calling_soon(settings) as service:
        yield service


@pytest.fixture
def receiver() -> Iterator[Endpoint]:
    with push_endpoint() as target:
        yield target


@pytest.fixture
def browser() -> PushBrowser:
    return push_browser()


def others_are_told(client: httpx2.Client) -> None:
    """Wait until a notice has come at another table: what was due before it has been sent."""
    with endpoint() as elsewhere:
        elsewhere.answer = lambda _: 201
        table = started(client)
        seat = 1 - mover(table)
        assert subscribe(table, seat, elsewhere.url, push_browser()).status_code == 204
        play_until(table, seat)
        elsewhere.wait(1)


def is_seen(settings: Settings, table: Table) -> bool:
    """Whether the service knows that the table's subscriber is there."""
    with psycopg.connect(settings.database_url) as conn:
        query = f"SELECT seen_at IS NOT NULL FROM {settings.schema}.webhooks WHERE game = %s"
        return conn.execute(query, (table.game,)).fetchall() == [(True,)]


def waiting(settings: Settings, table: Table) -> int:
    """The notices of the table that wait to be sent."""
    with psycopg.connect(settings.database_url) as conn:
        query = """SELECT count(*) FROM {0}.webhook_deliveries AS d JOIN {0}.webhooks AS w
            ON w.id = d.hook WHERE game = %s"""
        ((count,),) = conn.execute(within(settings.schema, query), (table.game,)).fetchall()
    return int(count)


def rows(settings: Settings, table: Table) -> list[tuple[int, ...]]:
    """The seats of the game's subscriptions."""
    with psycopg.connect(settings.database_url) as conn:
        query = f"SELECT seat FROM {settings.schema}.webhooks WHERE game = %s"
        return conn.execute(query, (table.game,)).fetchall()


def test_a_turn_is_told_once_and_in_the_players_language(
    client: httpx2.Client, receiver: Endpoint, browser: PushBrowser
) -> None:
    """The push service sees who sends it, how long it counts, and what it replaces."""
    table = started(client, (PERSON, PERSON, PERSON))
    seat = (mover(table) + 1) % 3
    assert subscribe(table, seat, receiver.url, browser, lang="de-AT, en;q=0.5").status_code == 204
    play_until(table, seat)
    (message,) = receiver.wait(1)
    others = ", ".join(f"Seat {number}" for number in range(3) if number != seat)
    assert browser.read(message) == {
        "game": table.game,
        "title": "Du bist dran: Phase 10",
        "body": f"Mit {others}",
    }
    public = client.get("/notices").json()["web_push"]
    claimed = claims(message, public)
    assert (claimed["sub"], claimed["aud"]) == (CONTACT, receiver.url.removesuffix("/hook"))
    assert 0 < claimed["exp"] - time.time() < 24 * 3600
    assert message.headers["content-encoding"] == "aes128gcm"
    assert int(message.headers["ttl"]) == notices.LASTS
    assert 0 < len(message.headers["topic"]) <= 32
    assert len(message.body) == 16 + 4 + 1 + 65 + LONGEST + 16
    assert answer_of(table, seat, greedily, 0).status_code == 200  # the turn goes on
    others_are_told(client)
    assert len(receiver.got) == 1
    play_until(table, (seat + 1) % 3)
    play_until(table, seat)
    eventually(lambda: len(receiver.got) == 2)
    assert receiver.got[1].headers["topic"] == message.headers["topic"]


def test_who_watches_the_table_is_not_told(
    client: httpx2.Client, settings: Settings, receiver: Endpoint, browser: PushBrowser
) -> None:
    """Until the stream ends, with the turn still to be played."""
    table = started(client)
    seat = 1 - mover(table)
    with listening(table, seat):
        assert subscribe(table, seat, receiver.url, browser).status_code == 204
        eventually(lambda: is_seen(settings, table), bool)
        play_until(table, seat)
        eventually(lambda: waiting(settings, table), bool)
        others_are_told(client)
        assert receiver.got == []
    (message,) = receiver.wait(1)
    assert browser.read(message)["title"] == "Your turn: Phase 10"


def test_a_turn_that_was_played_meanwhile_is_not_told(
    client: httpx2.Client, settings: Settings, receiver: Endpoint, browser: PushBrowser
) -> None:
    table = started(client)
    seat = 1 - mover(table)
    with listening(table, seat):
        assert subscribe(table, seat, receiver.url, browser).status_code == 204
        eventually(lambda: is_seen(settings, table), bool)
        play_until(table, seat)
        eventually(lambda: waiting(settings, table), bool)
        play_until(table, 1 - seat)
    eventually(lambda: not waiting(settings, table), bool)
    assert receiver.got == []


def test_the_beginning_and_the_end_are_told_and_that_is_all(
    client: httpx2.Client, settings: Settings, receiver: Endpoint, browser: PushBrowser
) -> None:
    options = {**SHORT, "initial_skip": "cover"}  # or a skip on top gives seat 1 the first turn
    table = open_table(client, (PERSON, PERSON), options=options, dealer=1)
    assert subscribe(table, 1, receiver.url, browser).status_code == 204
    assert table.start().status_code == 200
    receiver.wait(1)
    play_on(table)
    eventually(lambda: rows(settings, table) == [])
    titles = [browser.read(message)["title"] for message in receiver.got]
    assert (titles[0], titles[-1]) == ("The game begins: Phase 10", "The game is over: Phase 10")


def test_it_ends_with_the_seat(
    client: httpx2.Client, settings: Settings, receiver: Endpoint, browser: PushBrowser
) -> None:
    """Whoever sits down there next has the same device, perhaps."""
    table = open_table(client)
    assert subscribe(table, 0, receiver.url, browser).status_code == 204
    assert rows(settings, table) == [(0,)]
    left = client.post(f"{table.path}/leave", headers=bearer(table.tokens[0]))
    assert left.status_code == 200
    eventually(lambda: rows(settings, table) == [])
    assert receiver.got == []
    problem(subscribe(table, 0, receiver.url, browser), 401, "token_revoked")


def test_it_ends_with_the_token(
    client: httpx2.Client,
    served: Served,
    settings: Settings,
    receiver: Endpoint,
    browser: PushBrowser,
) -> None:
    """Whoever had a token that is revoked hears nothing more of the seat."""
    table = started(client)
    seat = 1 - mover(table)
    assert subscribe(table, seat, receiver.url, browser).status_code == 204
    revoked = public_id(digest(table.tokens[seat]))
    with psycopg.connect(settings.database_url) as conn:
        insert = """INSERT INTO {0}.revocations (game, seat, token_hash)
            SELECT game, seat, token_hash FROM {0}.credentials
            WHERE encode(token_hash, 'hex') LIKE %s"""
        conn.execute(within(settings.schema, insert), (f"{revoked}%",))
    eventually(lambda: unsubscribe(table, seat).status_code == 401, bool)
    play_until(table, seat)
    eventually(lambda: rows(settings, table) == [])
    assert receiver.got == []


@pytest.mark.parametrize("status", [404, 410])
def test_it_ends_with_the_browsers_own(
    client: httpx2.Client,
    settings: Settings,
    receiver: Endpoint,
    browser: PushBrowser,
    status: int,
) -> None:
    table = started(client)
    receiver.answer = lambda _: status
    seat = 1 - mover(table)
    assert subscribe(table, seat, receiver.url, browser).status_code == 204
    play_until(table, seat)
    receiver.wait(1)
    eventually(lambda: rows(settings, table) == [])


def test_a_device_is_switched_off_and_only_that_of_the_seat(
    client: httpx2.Client, settings: Settings, receiver: Endpoint, browser: PushBrowser
) -> None:
    """Deleting is repeated, and names nothing of another seat."""
    table = started(client)
    for seat in (0, 1):
        assert subscribe(table, seat, receiver.url, browser).status_code == 204
    assert [unsubscribe(table, 0).status_code for _ in range(2)] == [204, 204]
    assert rows(settings, table) == [(1,)]
    assert client.get(f"{table.path}/webhooks", headers=bearer(table.host)).json() == {
        "webhooks": []
    }


def test_a_seat_has_few_devices(
    client: httpx2.Client, settings: Settings, receiver: Endpoint, browser: PushBrowser
) -> None:
    table = started(client)
    for _ in range(MOST + 2):
        done = subscribe(table, 0, receiver.url, browser, device=str(uuid4()))
        assert done.status_code == 204
    assert len(rows(settings, table)) == MOST


def test_the_database_has_neither_endpoint_nor_name(
    client: httpx2.Client, settings: Settings, receiver: Endpoint, browser: PushBrowser
) -> None:
    """The keys of the ledger seal where a notice goes; what it says is read off the game later."""
    table = started(client, (PERSON, PERSON))
    seat = 1 - mover(table)
    assert subscribe(table, seat, receiver.url, browser).status_code == 204
    receiver.answer = lambda _: 500  # so that it stays in the outbox
    play_until(table, seat)
    receiver.wait(1)
    with psycopg.connect(settings.database_url) as conn:
        texts = [
            str(row)
            for name in ("webhooks", "webhook_deliveries")
            for row in conn.execute(f"SELECT t::text FROM {settings.schema}.{name} AS t")
        ]
    assert len(texts) >= 2
    hidden = (receiver.url, "/hook", browser.keys["auth"], receiver.url.encode().hex(), "Seat 0")
    assert [word for word in hidden for text in texts if word in text] == []


def test_where_nothing_would_be_sent_is_refused(
    postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory, browser: PushBrowser
) -> None:
    folder = tmp_path_factory.mktemp("ledger")
    no_point = {"p256dh": "B" + "A" * 86, "auth": "A" * 22}
    with (
        own_ledger(postgres_dsn, folder, push_contact=CONTACT) as settings,
        serving(in_postgres(settings)) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        table = open_table(client, (PERSON, BOT))
        for where, keys, says in (
            ("http://8.8.8.8/", browser.keys, "https"),
            ("https://127.0.0.1/", browser.keys, "public"),
            ("https://8.8.8.8/", no_point, "curve"),
        ):
            refused = client.put(
                f"{table.path}/notices/{uuid4()}",
                json={"endpoint": where, "keys": keys},
                headers=bearer(table.tokens[0]),
            )
            assert says in problem(refused, 422, "notice_refused").detail


def test_without_a_contact_there_are_none(
    postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory, browser: PushBrowser
) -> None:
    folder = tmp_path_factory.mktemp("ledger")
    with (
        own_ledger(postgres_dsn, folder) as settings,
        serving(in_postgres(settings)) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        assert client.get("/notices").json() == {"web_push": None}
        table = open_table(client, (PERSON, BOT))
        refused = subscribe(table, 0, "https://push.example/", browser)
        problem(refused, 404, "notices_off")
