"""Three service processes over one PostgreSQL, none of which has anything to itself.

Every request goes to the next node, so a game changes its node at each command.
"""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats import sealing
from phaseledger.replay.formats.records.source import read_store
from tests.support.campaigns import sampled
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    SHORT,
    Table,
    answer,
    bearer,
    greedily,
    started,
)
from tests.support.service.nodes import Nodes, running
from tests.support.service.stream_reader import folded, listening, seqs, until

SCHEMA = f"three_nodes_{uuid4().hex[:8]}"
SEATS = {"classic": 2, "standard-deck": 3, "express": 2, "board": 2}
MOVES = 24


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the nodes' keys, of which the first to start makes all."""
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="module")
def nodes(postgres_dsn: str, keys: Path) -> Iterator[Nodes]:
    given = {
        "database_url": postgres_dsn,
        "schema": SCHEMA,
        "keys_dir": str(keys),
        "published_dir": str(keys / "published"),
    }
    with running(3, given) as nodes:
        yield nodes
    with psycopg.connect(postgres_dsn) as conn:
        conn.execute("SET client_min_messages = warning")
        conn.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(SCHEMA)))


def seen_by_all(nodes: Nodes, table: Table) -> None:
    """Every node tells each seat, and those without one, the same, to the byte."""
    for path in ("", "/actions", "/events"):
        for seat in (None, *table.tokens):
            if path == "/actions" and seat is None:
                continue
            answers = [table._replace(client=client).get(path, seat) for client in nodes.clients]
            contents = {
                (response.status_code, response.headers.get("ETag"), response.content)
                for response in answers
            }
            assert len(contents) == 1, (path, seat)


def asked(table: Table) -> int:
    """The person whom the game waits for, as soon as no bot is on."""
    while True:
        view = table.get().json()
        seats = [question["seat"] for question in view["table"]["waits"]]
        if all(seat in table.tokens for seat in seats):
            return seats[0] if seats else -1
        table.get(at_least=view["version"] + 1)


def audited(dsn: str, game: str, keys: Path) -> None:
    (verdict,) = audit(read_store(dsn, game, schema=SCHEMA, sealing=sealing.load(keys)))
    assert verdict.sound, verdict.findings


@pytest.mark.parametrize("ruleset", sampled(SEATS, "classic", rest="system"))
def test_a_game_goes_from_node_to_node_at_every_command(nodes, postgres_dsn, keys, ruleset):
    places = [PERSON] * (SEATS[ruleset] - 1) + [BOT]
    options = {"style": "complete_ordered"} if ruleset == "standard-deck" else {}
    table = started(nodes.around, places, ruleset=ruleset, options=options)
    for number in range(MOVES):
        if (seat := asked(table)) < 0:
            break
        done = answer(table, seat, greedily, number)
        assert done.status_code in (200, 412), done.text  # 412: a bot answered a question beside
        if number % 6 == 0:
            asked(table)
            seen_by_all(nodes, table)
    response = table.client.post(
        f"{table.path}/void", json={"reason": "enough"}, headers=bearer(table.host)
    )
    assert response.status_code == 200, response.text
    seen_by_all(nodes, table._replace(tokens={}))
    audited(postgres_dsn, table.game, keys)


def test_a_stream_on_one_node_tells_what_the_others_commit(nodes):
    table = started(nodes.around)
    with (
        listening(table._replace(client=nodes.clients[0]), 0) as stream,
        listening(table._replace(client=nodes.clients[1])) as public,
    ):
        view = folded(None, until(stream, table.version()))
        until(public, table.version())
        first = table.version()
        for number in range(12):
            assert answer(table, asked(table), greedily, number).status_code == 200
        events = until(stream, table.version())
        assert seqs(events) == list(range(first + 1, table.version() + 1))
        assert seqs(until(public, table.version())) == seqs(events)
        shown = table._replace(client=nodes.clients[2]).get(seat=0).json()
        assert folded(view, events)["table"] == shown["table"]


def test_a_clock_that_all_nodes_watch_strikes_once(nodes, postgres_dsn, keys):
    clock = {"seconds": 1, "grace": 0, "then": "bot_move"}
    table = started(nodes.around, terms={"clock": clock})
    before = table.version()
    for client in nodes.clients:  # each of them has looked, so each has set its timer
        table._replace(client=client).get()
    eventually(table.version, lambda version: version > before)
    events = table.get("/events", limit=1000).json()["events"]
    struck = [event for event in events if event["type"].startswith("TurnTimedOut/")]
    assert struck, [event["type"] for event in events]
    assert len({event["cmd"] for event in struck}) == len(struck)
    audited(postgres_dsn, table.game, keys)


def test_bots_of_a_table_that_no_node_owns_play_it_to_its_end(nodes, postgres_dsn, keys):
    opened = nodes.around.post(
        "/games",
        json={"ruleset": "classic", "seats": [BOT, BOT], "start": True, "options": SHORT},
        headers={"Idempotency-Key": KEY},
    )
    assert opened.status_code == 201, opened.text
    table = Table(nodes.around, opened.json()["game"], opened.json()["host_token"], {})
    eventually(lambda: table.get().json()["table"]["stage"], lambda stage: stage == "ended")
    seen_by_all(nodes, table)
    audited(postgres_dsn, table.game, keys)
