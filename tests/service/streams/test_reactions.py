"""Reactions: told to every open stream of the game on every node, once, and stored nowhere."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service.app import in_postgres
from phaseledger.service.client.client import Client
from phaseledger.service.schemas.streams import React, Reacted
from phaseledger.service.settings import Settings
from phaseledger.service.streams import reactions
from tests.support.ledgers import own_ledger
from tests.support.service.api_tables import Table, bearer, play_on, started
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, client_over, serving
from tests.support.service.stream_reader import (
    StreamEvent,
    at_once,
    listening,
    opened_http,
    until,
)

COUNTED = "SELECT count(*) FROM {}.{}"


@pytest.fixture
def settings(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    with own_ledger(postgres_dsn, tmp_path, projections=False) as ledger:
        yield ledger


def react(table: Table, seat: int, code: Any = "ouch") -> httpx2.Response:
    path, headers = f"{table.path}/reactions", bearer(table.tokens[seat])
    return table.client.post(path, json={"reaction": code}, headers=headers)


def void(table: Table) -> None:
    why = {"reason": "The club closes."}
    assert table.client.post(f"{table.path}/void", json=why, headers=bearer(table.host)).is_success


def next_reaction(stream: Iterator[StreamEvent]) -> StreamEvent:
    """The next reaction of the stream."""
    return next(event for event in stream if event.name == "reaction")


def test_a_reaction_reaches_the_streams_of_all_nodes_and_no_table_of_the_database(settings):
    with (
        serving(in_postgres(settings)) as service,
        serving(in_postgres(settings)) as other,
        opened_http(service.url) as here,
        opened_http(other.url) as there,
        psycopg.connect(settings.database_url, autocommit=True) as conn,
    ):
        table = started(here)
        away = table._replace(client=there)
        other_table = started(there)
        version = table.version()
        with (
            listening(table, 0) as own,
            listening(away, 1) as others,
            listening(away) as public,
            listening(other_table, 0) as elsewhere,
        ):
            for stream in (own, others, public):
                until(stream, version)
            before = sizes(conn, settings.schema)
            # Two of one seat on two nodes, each of which counts for itself.
            for place, code in ((away, "thanks"), (table, "ouch")):
                sent = react(place, 0, code)
                assert (sent.status_code, sent.content) == (204, b"")
                for stream in (own, others, public):
                    event = next_reaction(stream)
                    assert (event.full_id, event.data) == ("", {"seat": 0, "reaction": code})
            assert sizes(conn, settings.schema) == before
            assert table.version() == version
            play_on(table, 1)
            assert [event.name for event in until(others, table.version())] == ["events"]
            play_on(other_table, 1)
            assert "reaction" not in {e.name for e in until(elsewhere, other_table.version())}
        # A stream that comes back gets what it missed, and no reaction.
        resumed = at_once(away, 1, version)
        assert "reaction" not in {event.name for event in resumed}
        assert version + 1 in {event.id for event in resumed}


def sizes(conn: psycopg.Connection[Any], schema: str) -> dict[str, int]:
    """The rows of every table that the service writes for a game."""
    names = conn.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = %s", (schema,)
    ).fetchall()
    counts = {name: SQL(COUNTED).format(Identifier(schema), Identifier(name)) for (name,) in names}
    return {name: conn.execute(count).fetchall()[0][0] for name, count in counts.items()}


def test_who_may_react_and_to_what(served: Served, client: httpx2.Client) -> None:
    table = started(client)
    path = f"{table.path}/reactions"
    body = {"reaction": "thanks"}
    problem(client.post(path, json=body), 401, "token_missing")
    problem(client.post(path, json=body, headers=bearer(table.host)), 403, "seat_token_needed")
    own = bearer(table.tokens[0])
    for wrong in ({"reaction": "hello"}, {"reaction": None}, {**body, "text": "Hello."}):
        problem(client.post(path, json=wrong, headers=own), 400, "invalid_body")
    foreign = started(client)
    headers = bearer(foreign.tokens[0])
    problem(client.post(path, json=body, headers=headers), 404, "no_such_game")


def test_a_seat_reacts_three_times_at_once_and_others_are_not_held_up() -> None:
    with client_over(in_memory()) as client:
        table = started(client)
        assert [react(table, 0).status_code for _ in range(3)] == [204] * 3
        refused = react(table, 0)
        problem(refused, 429, "too_many_reactions")
        assert 1 <= int(refused.headers["retry-after"]) <= 5
        assert react(table, 1).status_code == 204
        assert react(started(client), 0).status_code == 204
        assert table.send(0, {"type": "draw", "source": "stock"}).status_code != 429


def test_after_the_end_players_react_for_a_while(served, client, monkeypatch) -> None:
    """A stream that lingers hears them, also one that comes back; others end with the game."""
    table = started(client)
    with (
        listening(table, 0, linger="true") as lingering,
        listening(table, 1) as plain,
    ):
        until(lingering, table.version())
        void(table)
        assert [event.name for event in plain if event.name][-1] == "end"
        assert react(table, 1, "well_played").status_code == 204
        assert next_reaction(lingering).data == {"seat": 1, "reaction": "well_played"}
    version = table.get("/events", after=0).json()["events"][-1]["seq"]
    head = table.get().json()["head"]
    with listening(table, 1, f"{version}-{head[:16]}", linger="true") as resumed:
        assert next(event for event in resumed if event.name).name == "end"
        assert react(table, 0, "thanks").status_code == 204
        assert next_reaction(resumed).data["seat"] == 0
    monkeypatch.setattr(reactions, "AFTERWARDS", 0)
    problem(react(table, 1), 409, "game_over")
    headers = {"Accept": "text/event-stream", "Last-Event-ID": f"{version}-{head[:16]}"}
    late = client.get(f"{table.path}/events?linger=true", headers=headers)
    assert late.status_code == 204


@pytest.mark.parametrize(("spectators", "delay"), [("delayed", 7), ("round", 0)])
def test_who_sees_the_game_late_hears_no_reaction(client, spectators, delay) -> None:
    """An "Ouch" would tell of what may not be seen yet."""
    table = started(client, terms={"spectators": spectators, "delay": delay})
    with listening(table) as late, listening(table, 1) as player:
        until(player, table.version())
        next(late)
        react(table, 0)
        assert next_reaction(player).data["seat"] == 0
        void(table)
        assert "reaction" not in {event.name for event in late}


def test_the_client_reacts_and_hears(served: Served, client: httpx2.Client) -> None:
    table = started(client)
    with Client(served.url) as program:
        first, second = (program.at(table.game, table.tokens[seat]) for seat in (0, 1))
        moments = second.follow()
        next(moments)
        first.react(React("good_luck"))
        heard = next(moment for moment in moments if moment.reaction)
        assert heard.reaction == Reacted(0, "good_luck")
        assert (heard.events, heard.over, heard.asked) == ((), False, None)
        moments.close()


def test_what_others_write_on_the_channel_breaks_no_stream(settings) -> None:
    """Any session of the database may notify."""
    with serving(in_postgres(settings)) as service, opened_http(service.url) as client:
        table = started(client)
        with listening(table, 0) as stream, psycopg.connect(settings.database_url) as conn:
            until(stream, table.version())
            for payload in ("", "{}", '{"game":"x","reacted":{"seat":0,"reaction":"ouch"}}'):
                conn.execute("SELECT pg_notify(%s, %s)", (reactions.CHANNEL, payload))
            conn.commit()
            assert react(table, 1).status_code == 204
            assert next_reaction(stream).data["seat"] == 1
