"""Versions and cursors that outlive their history: what clients hold when a standby takes over that
lacks it. Other events have come in place of the lost ones, at the same versions.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import msgspec
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.client.client import Client
from phaseledger.service.client.protocol import Refused
from phaseledger.service.schemas.games import GameView, VoidTable
from phaseledger.service.transparency import publisher
from tests.support.ledgers import prepared
from tests.support.polling import eventually
from tests.support.service.api_tables import PERSON, Table, bearer, open_table
from tests.support.service.replication import replicated
from tests.support.service.server import serving
from tests.support.service.stream_reader import SSE, at_once, opened_http

NDJSON = "application/x-ndjson"


class Failover(NamedTuple):
    """A service whose database went back, a table in it, and what a client has had of that."""

    url: str
    table: Table
    lost: GameView
    lost_id: str
    """The last id of its stream."""
    lost_cursor: str
    kept_cursor: str
    host: str

    def get(self, path: str = "", **more: Any) -> httpx2.Response:
        return self.table.client.get(f"{self.table.path}{path}", **more)


def seat(table: Table, name: str) -> None:
    done = eventually(
        lambda: table.client.post(f"{table.path}/seats", json={"name": name}),
        lambda answer: answer.status_code < 500,
    )
    assert done.status_code == 201, done.text


def exported(client: httpx2.Client, games: int) -> str:
    """The cursor behind so many finished games."""
    answer = eventually(
        lambda: client.get("/exports/games"),
        lambda answer: answer.text.count('"finished_at"') == games,
    )
    return str(msgspec.json.decode(answer.content.splitlines()[-1])["next"])


def void(client: httpx2.Client) -> None:
    table = open_table(client, (PERSON, PERSON))
    done = client.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host))
    assert done.status_code == 200


@pytest.fixture(scope="module")
def failover(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Failover]:
    folder: Path = tmp_path_factory.mktemp("ledger")
    with pytest.MonkeyPatch.context() as patches, replicated() as pair:
        patches.setattr(publisher, "BATCH", 0)  # nothing is signed, so it may be lost
        settings = prepared(pair.dsn, "phaseledger", folder)
        with serving(in_postgres(settings)) as served, opened_http(served.url) as client:
            body = {"ruleset": "classic", "seats": [PERSON] * 6}
            opened = client.post("/games", json=body).json()
            table = Table(client, opened["game"], opened["host_token"], {})
            seat(table, "Ann")
            void(client)
            kept_cursor = exported(client, 1)
            pair.await_standby()
            pair.cut_replication()
            seat(table, "Lost")
            view = client.get(table.path)
            assert view.headers["etag"] == '"3"'
            (state,) = at_once(table)
            void(client)
            lost_cursor = exported(client, 2)
            pair.fail_over()
            seat(table, "Bea")
            for _ in range(2):  # so that the log is longer than it ever was
                void(client)
            eventually(lambda: client.get(f"{table.path}/table?at_least=3").status_code == 200)
            yield Failover(
                url=served.url,
                table=table,
                lost=msgspec.json.decode(view.content, type=GameView),
                lost_id=state.full_id,
                lost_cursor=lost_cursor,
                kept_cursor=kept_cursor,
                host=opened["host_token"],
            )


def test_nothing_counts_as_unchanged_that_was_lost(failover: Failover) -> None:
    for path in ("", "/table", "/scoreboard"):
        for held in ('"3"', f'"3-{failover.lost.head[:16]}"'):
            answer = failover.get(path, headers={"If-None-Match": held})
            assert (answer.status_code, answer.json()["version"]) == (200, 3)
        held = answer.headers["etag"]
        assert held == f'"3-{failover.get().json()["head"][:16]}"'
        assert failover.get(path, headers={"If-None-Match": held}).status_code == 304


def test_a_stream_of_lost_events_is_not_gone_on_with(failover: Failover) -> None:
    events = at_once(failover.table, last=failover.lost_id)
    assert [event.name for event in events] == ["rewound", "state"]
    assert events[0].data == {"version": 3}
    assert events[1].data == failover.get().json()
    assert at_once(failover.table, last=events[1].full_id) == []
    # Who names the number alone is taken at that word, as ever.
    assert at_once(failover.table, last=3) == []


@pytest.mark.parametrize("accept", [NDJSON, "application/json"])
def test_events_after_a_lost_one_are_refused(failover: Failover, accept: str) -> None:
    for request in (
        {"params": {"after": 3, "head": failover.lost.head[:16]}},
        {"params": {"after": 9, "head": failover.lost.head[:16]}},
        {"headers": {"Last-Event-ID": failover.lost_id}},
    ):
        headers = {"Accept": accept, **request.get("headers", {})}
        answer = failover.get("/events", **{**request, "headers": headers})
        assert (answer.status_code, answer.json()["code"]) == (409, "history_lost")
    now = failover.get().json()
    after = {"after": now["version"], "head": now["head"][:16]}
    assert failover.get("/events", params=after, headers={"Accept": accept}).status_code == 200


def test_an_export_goes_on_from_what_there_is_alone(failover: Failover) -> None:
    client = failover.table.client
    for cursor in (failover.lost_cursor, str(10**9)):
        answer = client.get("/exports/games", params={"cursor": cursor})
        assert (answer.status_code, answer.json()["code"]) == (409, "history_lost")
    for cursor in (failover.kept_cursor, failover.kept_cursor.partition(".")[0]):
        rest = client.get("/exports/games", params={"cursor": cursor})
        assert rest.text.count('"finished_at"') == 2
    bad = client.get("/exports/games", params={"cursor": f"{failover.kept_cursor}0"})
    assert (bad.status_code, bad.json()["code"]) == (422, "bad_cursor")


def test_a_command_meant_for_a_lost_version_is_refused(failover: Failover) -> None:
    with Client(failover.url) as client:
        host = client.at(failover.table.game, failover.host)
        with pytest.raises(Refused) as refused:
            host.void(VoidTable("x"), if_match=failover.lost)
    assert refused.value.code == "stale_version"


def test_the_client_is_told_that_the_ledger_went_back(failover: Failover) -> None:
    with Client(failover.url) as client:
        watcher = client.at(failover.table.game)
        now = watcher.view(known=failover.lost)
        assert (now.version, now.head) == (3, failover.get().json()["head"])
        assert now.head != failover.lost.head
        with closing(watcher.follow(failover.lost)) as moments:
            moment = next(moments)
    assert moment.rewound
    assert (moment.view, moment.events) == (now, ())


def test_a_stream_that_is_resumed_is_not_called_rewound(failover: Failover) -> None:
    answer = failover.get(
        "/events",
        params={"once": "true"},
        headers={"Accept": SSE, "Last-Event-ID": f"2-{'0' * 16}"},
    )
    assert "event: rewound" in answer.text
    kept = failover.get("/events", params={"after": 2}).json()["events"][0]["prev"]
    events = at_once(failover.table, last=f"2-{kept[:16]}")
    assert [event.name for event in events] == ["events"]
