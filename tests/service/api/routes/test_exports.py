"""Lists page by page, and exports of many games, over HTTP and PostgreSQL."""

import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from tests.support import forked
from tests.support.cases import looped
from tests.support.environment import plain_environment
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON, bearer
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import Served, serving

NDJSON = "application/x-ndjson"


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    folder = tmp_path_factory.mktemp("ledger")
    with own_ledger(postgres_dsn, folder) as ledger:
        yield ledger


@pytest.fixture(scope="module", params=["postgres", "memory"])
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    if request.param == "memory":
        with serving(in_memory()) as service:
            yield service
        return
    with serving(in_postgres(request.getfixturevalue("settings"))) as service:
        yield service


@pytest.fixture(scope="module")
def games(served: Served) -> dict[str, str]:
    """Games of all sorts, by what they are; all listed ones have one of these players."""
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
        ids = {
            "open": _voided(client, "Åsa"),
            "express": _voided(client, "Bo", ruleset="express"),
            "none": _voided(client, "Åsa", terms={"spectators": "none"}, begun=True),
            "private": _voided(client, "Åsa", terms={"private": True}),
            "delayed": _voided(client, "Bo", terms={"spectators": "delayed", "delay": 9}),
            "lobby": _voided(client, "åSA", over=False),
        }
        for number in range(4):
            ids[f"more {number}"] = _voided(client, f"More {number}")
        _await_views(client, len(ids) - 2)
    return ids


def _voided(
    client: httpx2.Client, name: str, *, over: bool = True, begun: bool = False, **more: Any
) -> str:
    """A game in which somebody of that name sits."""
    body = {"ruleset": "classic", "seats": [PERSON, BOT], **more}
    opened = client.post("/games", json=body).json()
    path = f"/games/{opened['game']}"
    asked = {"name": name, "code": opened["code"]} if opened.get("code") else {"name": name}
    joined = client.post(f"{path}/seats", json=asked)
    assert joined.status_code == 201, joined.text
    host = bearer(opened["host_token"])
    if begun:
        assert client.post(f"{path}/start", headers=host).status_code == 200
    if over:
        done = client.post(f"{path}/void", json={"reason": "Enough."}, headers=host)
        assert done.status_code == 200, done.text
    time.sleep(0.002)  # the order is by milliseconds
    game: str = opened["game"]
    return game


def _await_views(client: httpx2.Client, number: int) -> None:
    eventually(
        lambda: client.get("/games", params={"limit": 200}).json()["games"],
        lambda page: len(page) == number and [game["stage"] for game in page].count("lobby") == 1,
    )


def listed(client: httpx2.Client, **parameters: Any) -> list[str]:
    answer = client.get("/games", params=parameters)
    assert answer.status_code == 200, answer.text
    return [game["game"] for game in answer.json()["games"]]


def names(games: dict[str, str], ids: list[str]) -> list[str]:
    by_id = {game: name for name, game in games.items()}
    return [by_id[game] for game in ids]


MORE = ["more 3", "more 2", "more 1", "more 0"]


def test_strangers_find_neither_private_tables_nor_unwatched_games(
    client: httpx2.Client, games: dict[str, str]
) -> None:
    everything = names(games, listed(client))
    assert everything == [*MORE, "lobby", "delayed", "express", "open"]
    for name in ("private", "none"):
        assert listed(client, player="åsa", limit=200).count(games[name]) == 0


@looped(
    ("parameters", "expected"),
    [
        ({"player": "Åsa"}, ["lobby", "open"]),
        ({"player": "ÅSA"}, ["lobby", "open"]),
        ({"player": "Ås"}, []),
        ({"player": "%"}, []),
        ({"player": "åsa", "stage": "lobby"}, ["lobby"]),
        ({"ruleset": "express"}, ["express"]),
        ({"ruleset": "classic", "player": "bo"}, ["delayed"]),
        ({"stage": "lobby"}, ["lobby"]),
        ({"stage": "voided", "player": "bo"}, ["delayed", "express"]),
    ],
)
def test_filters_hold_together(
    client: httpx2.Client, games: dict[str, str], parameters: dict[str, str], expected: list[str]
) -> None:
    assert names(games, listed(client, **parameters)) == expected


def test_times_are_milliseconds_from_and_before(
    client: httpx2.Client, games: dict[str, str]
) -> None:
    whole = client.get("/games").json()["games"]
    for field, after, before in (
        ("opened_at", "opened_after", "opened_before"),
        ("finished_at", "ended_after", "ended_before"),
    ):
        timed = [game for game in whole if game[field] is not None]
        for at in {game[field] for game in timed} | {timed[0][field] + 1}:
            later = [game["game"] for game in timed if game[field] >= at]
            earlier = [game["game"] for game in timed if game[field] < at]
            assert listed(client, **{after: at}) == later
            assert listed(client, **{before: at}) == earlier
            assert listed(client, **{after: at, before: at + 1}) == [
                game["game"] for game in timed if game[field] == at
            ]
    assert client.get("/games", params={"opened_after": "2026-01-01"}).status_code == 400


@looped("size", [1, 3])
def test_links_lead_through_the_whole_list(
    served: Served, client: httpx2.Client, games: dict[str, str], size: int
) -> None:
    whole = listed(client, stage="voided", player="")
    path = f"/v1/games?limit={size}&stage=voided&player="
    first, ids = path, []
    while True:
        answer = client.get(f"{served.url}{path}")
        ids += [game["game"] for game in answer.json()["games"]]
        links = answer.links
        assert links["first"]["url"] == first
        assert ("next" in links) == (answer.json()["next"] is not None)
        if "next" not in links:
            break
        path = links["next"]["url"]
    assert ids == whole


def test_links_carry_whatever_was_asked(client: httpx2.Client, games: dict[str, str]) -> None:
    answer = client.get('/games?limit=1&player=More+0"><x>&cursor=')
    assert answer.headers["link"] == ('</v1/games?limit=1&player=More+0%22%3E%3Cx%3E>; rel="first"')
    assert client.get("/leaderboard").links["first"]["url"] == "/v1/leaderboard"


def export(client: httpx2.Client, **parameters: Any) -> list[dict[str, Any]]:
    answer = client.get("/exports/games", params=parameters)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith(NDJSON)
    assert answer.content.endswith(b"\n")
    return [json.loads(line) for line in answer.content.splitlines()]


def headers(lines: list[dict[str, Any]]) -> list[str]:
    return [line["game"] for line in lines if "events" in line]


EXPORTED = ["open", "express", "delayed", *reversed(MORE)]


def test_finished_games_are_exported_as_a_spectator_knows_them(
    client: httpx2.Client, games: dict[str, str]
) -> None:
    lines = export(client)
    assert names(games, headers(lines)) == EXPORTED
    assert lines[-1]["games"] == len(EXPORTED)
    at = 0
    for game in headers(lines):
        header, events = lines[at], client.get(f"/games/{game}/events").json()["events"]
        assert header["export"] == "p10-games/v1"
        assert lines[at + 1 : at + 1 + header["events"]] == events
        at += 1 + header["events"]
    assert at == len(lines) - 1


def test_the_auditor_reads_an_export_as_it_is(
    client: httpx2.Client, games: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "games.ndjson"
    file.write_bytes(client.get("/exports/games").content)
    audit = ("audit", file, "--json")
    done = forked.phaseledger(*audit, env=plain_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["sound"]
    assert [game["game"] for game in verdict["games"]] == [games[name] for name in EXPORTED]
    # It has to be able to fail: one letter of an event.
    file.write_bytes(file.read_bytes().replace(b'"reason":"Enough."', b'"reason":"enough."', 1))
    done = forked.phaseledger(*audit, env=plain_environment())
    assert done.returncode == 1, done.stdout + done.stderr


def test_an_export_goes_on_where_it_was_cut_off_or_ended(
    client: httpx2.Client, games: dict[str, str]
) -> None:
    lines = export(client)
    entries, cursor = [], None
    while True:
        page = export(client, limit=2, **({"cursor": cursor} if cursor else {}))
        entries += headers(page)
        cursor = page[-1]["next"]
        if page[-1]["games"] == 0:
            break
    assert entries == headers(lines)
    for number, header in enumerate(line for line in lines if "events" in line):
        rest = export(client, cursor=header["cursor"])
        assert headers(rest) == headers(lines)[number:]
    assert client.get("/exports/games", params={"cursor": "x"}).status_code == 422


def test_exports_are_filtered_like_the_list(client: httpx2.Client, games: dict[str, str]) -> None:
    assert names(games, headers(export(client, player="ÅSA"))) == ["open"]
    assert names(games, headers(export(client, ruleset="express"))) == ["express"]
    assert export(client, ended_after=2**52)[-1]["games"] == 0


@looped(
    ("asked", "packed"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("gzip;q=0", False), ("identity", False)],
)
def test_an_export_is_packed_for_who_asks(
    served: Served, client: httpx2.Client, games: dict[str, str], asked: str, packed: bool
) -> None:
    with client.stream("GET", "/exports/games", headers={"Accept-Encoding": asked}) as answer:
        raw = b"".join(answer.iter_raw())
    assert (answer.headers.get("content-encoding") == "gzip") == packed
    assert answer.headers["vary"] == "Accept-Encoding"
    plain = gzip.decompress(raw) if packed else raw
    assert plain == client.get("/exports/games", headers={"Accept-Encoding": "identity"}).content
