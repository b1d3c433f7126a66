"""The lobby over HTTP: private tables and their codes, the host's powers, leaving, spectators."""

import asyncio
import json
from typing import Any
from uuid import UUID

import httpx2
import pytest

from phaseledger.domain.state import State
from phaseledger.service.games.game import apply_rows
from phaseledger.service.lobby.join_codes import code_of, plain
from tests.support.polling import ENDLESS
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    Table,
    bearer,
    by_host,
    mover,
    ok,
    open_table,
    sit,
    started,
)
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, client_over

UUID_KEY = "5f0e0000-0000-4000-8000-00000000000"


def opened(client: httpx2.Client, terms: dict[str, Any], seats: int = 2, **more: Any) -> Any:
    body = {"ruleset": "classic", "seats": [PERSON] * seats, "terms": terms, **more}
    answer = client.post("/games", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def at_table(client: httpx2.Client, terms: dict[str, Any], seats: int = 2) -> Table:
    """A table with these terms at which all seats are taken."""
    answer = opened(client, terms, seats)
    table = Table(client, answer["game"], answer["host_token"], {})
    code = {"code": answer["code"]} if answer.get("code") else {}
    for seat in range(seats):
        table.tokens[seat] = sit(client, table.game, name=f"Seat {seat}", **code).json()["token"]
    return table


# --- how much may happen -----------------------------------------------------------------------


def test_a_lobby_that_has_had_its_events_takes_nobody_more() -> None:
    """Who sits there may get up or begin, and a repeated request is answered as before."""
    with client_over(in_memory(), lobby_events=6) as client:
        table = open_table(client, [PERSON, PERSON])
        join = {"json": {"name": "Eve", "seat": 1}, "headers": {"Idempotency-Key": UUID_KEY + "8"}}
        ok(by_host(table, "DELETE", "/seats/1"))
        seated = client.post(f"{table.path}/seats", **join)
        assert (seated.status_code, table.version()) == (201, 5)
        ok(by_host(table, "DELETE", "/seats/0"))
        refused = problem(sit(client, table.game), 409, "lobby_exhausted")
        assert refused.detail.endswith(": it has had 6 of 6 events.")
        problem(by_host(table, "POST", "/fill", json={"level": "greedy"}), 409, "lobby_exhausted")
        assert client.post(f"{table.path}/seats", **join).content == seated.content
        problem(table.start(), 409, "seats_open")
        ok(by_host(table, "DELETE", "/seats/1"))
        ok(by_host(table, "POST", "/void", json={"reason": "enough"}))
        problem(sit(client, table.game), 409, "game_over")


# --- private tables -------------------------------------------------------------------------------


def test_a_private_table_is_joined_by_its_code(client: httpx2.Client) -> None:
    answer = opened(client, {"private": True})
    game, code = answer["game"], answer["code"]
    assert game not in client.get("/games", params={"limit": 200}).text
    problem(sit(client, game), 403, "join_code_needed")
    problem(sit(client, game, code="0000-0000"), 403, "bad_join_code")
    assert sit(client, game, code=code).json()["seat"] == 0
    typed = code.lower().replace("-", "").replace("0", "o").replace("1", "l")
    join = {"json": {"name": "Bob", "code": typed}, "headers": {"Idempotency-Key": UUID_KEY + "7"}}
    joined = client.post("/joins", **join)
    assert (joined.status_code, joined.json()["game"], joined.json()["seat"]) == (201, game, 1)
    assert client.post("/joins", **join).content == joined.content
    problem(client.post("/joins", json={"name": "Eve", "code": code}), 409, "table_full")
    problem(client.post("/joins", json={"name": "Eve", "code": "ZZZZ-ZZZZ"}), 404, "no_such_code")
    problem(client.post("/joins", json={"name": "Eve", "code": "short"}), 400, "invalid_body")


def test_the_code_is_in_no_answer_but_the_hosts(client: httpx2.Client, served: Served) -> None:
    table = at_table(client, {"private": True, "clock": {"seconds": 60}})
    (code,) = {code_of(asyncio.run(_state(served, table.game)))}
    assert table.start().status_code == 200
    texts = [
        table.get(path, seat).text for path in ("", "/events", "/bundle") for seat in (0, None)
    ]
    for text in texts:
        assert code not in text
        assert plain(code) not in text


async def _state(served: Served, game: str) -> State:
    return apply_rows(None, await served.parts.store.read(UUID(game)))[0].state


def test_a_repeated_opening_has_the_same_code(client: httpx2.Client) -> None:
    body = {"ruleset": "classic", "seats": [PERSON, PERSON], "terms": {"private": True}}
    first, second = (
        client.post("/games", json=body, headers={"Idempotency-Key": UUID_KEY + "1"}).json()
        for _ in range(2)
    )
    assert first["code"] == second["code"]
    assert first["game"] == second["game"]


def test_a_private_game_without_spectators_looks_absent(client: httpx2.Client) -> None:
    created = opened(client, {"private": True, "spectators": "none"})
    game, absent = created["game"], "00000000-0000-4000-8000-000000000000"
    joined = sit(client, game, code=created["code"]).json()
    paths = ["", "/events", "/table", "/scoreboard", "/bundle", "/receipts/1"]
    same = {"X-Request-Id": "one"}
    for path in paths:
        there, nowhere = (
            client.get(f"/games/{game_id}{path}", headers=same) for game_id in (game, absent)
        )
        problem(there, 404, "no_such_game")
        assert there.text.replace(game, absent) == nowhere.text
    for body in ({"name": "Eve"}, {"name": "Eve", "code": "0000-0000"}):
        there, nowhere = (
            client.post(f"/games/{game_id}/seats", json=body, headers=same)
            for game_id in (game, absent)
        )
        problem(there, 404, "no_such_game")
        assert there.text.replace(game, absent) == nowhere.text
    inclusion = client.get("/log/inclusion", params={"game": game, "seq": 1})
    assert inclusion.status_code == 404
    for token in (joined["token"], created["host_token"]):
        for path in paths:
            answer = client.get(f"/games/{game}{path}", headers=bearer(token))
            assert answer.status_code in (200, 404), path
            assert "no_such_game" not in answer.text


# --- the host -------------------------------------------------------------------------------------


def test_a_kicked_seat_is_free_and_its_token_dead(client: httpx2.Client) -> None:
    table = open_table(client)
    kicked = table.tokens[0]
    done = ok(by_host(table, "DELETE", "/seats/0"))
    assert done["table"]["seats"][0] is None
    for path in ("", "/actions", "/events"):
        answer = client.get(table.path + path, headers=bearer(kicked))
        problem(answer, 401, "token_revoked")
    problem(by_host(table, "DELETE", "/seats/0"), 409, "nobody_there")
    problem(by_host(table, "DELETE", "/seats/7"), 422, "no_such_seat")
    problem(table.start(), 409, "seats_open")
    table.tokens[0] = sit(client, table.game).json()["token"]
    assert table.start().status_code == 200
    problem(by_host(table, "DELETE", "/seats/0"), 409, "not_in_lobby")
    # Whoever sits there now has the hand; the old token shows nothing of it.
    assert table.get("", 0).json()["table"]["hand"]
    problem(client.get(table.path, headers=bearer(kicked)), 401, "token_revoked")
    command = {"type": "draw", "source": "stock"}
    answer = client.post(f"{table.path}/commands", json=command, headers=bearer(kicked))
    problem(answer, 401, "token_revoked")


def test_bots_fill_the_free_seats(client: httpx2.Client) -> None:
    answer = opened(client, {}, seats=4)
    table = Table(client, answer["game"], answer["host_token"], {})
    table.tokens[0] = sit(client, table.game, seat=2).json()["token"]
    body, key = {"level": "random"}, {"Idempotency-Key": KEY}
    done = ok(by_host(table, "POST", "/fill", json=body, headers=key))
    assert [seat["bot"] for seat in done["table"]["seats"]] == ["random", "random", "", "random"]
    assert ok(by_host(table, "POST", "/fill", json=body, headers=key))["version"] == done["version"]
    problem(
        by_host(table, "POST", "/fill", json={"level": "greedy"}, headers=key),
        422,
        "idempotency_mismatch",
    )
    problem(by_host(table, "POST", "/fill", json=body), 409, "table_full")
    assert table.start().status_code == 200
    problem(by_host(table, "POST", "/fill", json=body), 409, "not_in_lobby")


# --- leaving --------------------------------------------------------------------------------------


def test_who_leaves_the_lobby_frees_the_seat(client: httpx2.Client) -> None:
    table = open_table(client)
    left = client.post(f"{table.path}/leave", headers=bearer(table.tokens[1]))
    assert ok(left)["table"]["seats"][1] is None
    problem(table.get("", 1), 401, "token_revoked")
    newcomer = sit(client, table.game).json()
    assert newcomer["seat"] == 1
    assert newcomer["token"] != table.tokens[1]


def test_who_leaves_the_game_hands_the_seat_to_a_bot(client: httpx2.Client) -> None:
    table = started(client, terms={"stand_in": "random"})
    seat = mover(table)
    hand = table.get("", seat).json()["table"]["hand"]
    done = ok(client.post(f"{table.path}/leave", headers=bearer(table.tokens[seat])))
    assert done["table"]["seats"][seat]["bot"] == "random"
    assert hand not in json.dumps(done)
    shown = table.get("", seat).json()["table"]
    assert (shown["you"], shown["hand"]) == (None, None)
    problem(table.get("/actions", seat), 403, "seat_handed_over")
    problem(table.send(seat, {"type": "draw"}), 403, "seat_handed_over")
    problem(
        client.post(f"{table.path}/leave", headers=bearer(table.tokens[seat])),
        403,
        "seat_handed_over",
    )
    # The bot plays on until the other one is asked.
    other = 1 - seat
    for _ in range(50):
        waits = table.get("", other, at_least=table.version() + 1).json()["table"]["waits"]
        if waits[0]["seat"] == other:
            break
    else:
        pytest.fail("the bot does not play")


# --- spectators -----------------------------------------------------------------------------------


def play(table: Table, turns: int) -> None:
    """Let the people draw from the stock and throw their first card away."""
    for _ in range(turns):
        seat = mover_of(table)
        ok(table.send(seat, {"type": "draw", "source": "stock"}))
        offered = ok(table.get("/actions", seat))["commands"]
        ok(table.send(seat, next(command for command in offered if command["type"] == "discard")))


def mover_of(table: Table) -> int:
    waits = ok(table.get("", 0))["table"]["waits"]
    return int(waits[0]["seat"])


def test_late_spectators(client: httpx2.Client) -> None:
    table = at_table(client, {"spectators": "delayed", "delay": 6})
    # Before the first deal everybody may see who sits there.
    assert table.version() == 3
    assert table.start().status_code == 200
    types = [event["type"] for event in ok(table.get("/events", 0))["events"]]
    lobby = types.index("RoundDealt/1")
    assert table.version() == lobby == len(ok(table.get("/events"))["events"])
    play(table, 4)
    now = ok(table.get("", 0))["version"]
    for path in ("", "/table", "/scoreboard"):
        answer = table.get(path)
        assert ok(answer)["version"] == now - 6
        assert answer.headers["ETag"] == f'"{now - 6}"'
    page = ok(table.get("/events"))
    assert [event["seq"] for event in page["events"]] == [*range(1, now - 5)]
    assert page["next"] is None
    lines = table.get("/bundle").text.splitlines()
    assert json.loads(lines[0])["bundle"]["events"] == now - 6
    problem(table.get(f"/receipts/{now}"), 404, "no_such_receipt")
    assert table.get(f"/receipts/{now}", 0).status_code == 200
    problem(client.get(f"{table.path}/table", params={"at_least": now}), 409, "version_not_reached")
    headers = bearer(table.host)
    assert ok(client.get(table.path, headers=headers))["version"] == now
    ok(by_host(table, "POST", "/void", json={"reason": "enough"}))
    assert ok(table.get())["version"] == now + 1


def test_spectators_of_rounds_that_are_over(client: httpx2.Client) -> None:
    terms = {"spectators": "round"}
    table = at_table(client, terms)
    assert table.start().status_code == 200
    version = table.version()
    play(table, 5)
    assert table.version() == version
    assert ok(table.get())["table"]["round"] == 0
    assert ok(table.get("/table"))["table"]["round"] == 0
    assert ok(table.get("", 1))["version"] > version + 5
    (line,) = (g for g in ok(client.get("/games"))["games"] if g["game"] == table.game)
    assert (line["round"], line["version"], line["updated_at"]) == (0, 1, line["opened_at"])


def test_no_spectators(client: httpx2.Client) -> None:
    table = at_table(client, {"spectators": "none"})
    assert table.get().status_code == 200
    assert table.start().status_code == 200
    for path in ("", "/events", "/table", "/scoreboard", "/bundle", "/receipts/1"):
        problem(table.get(path), 403, "no_spectators")
        assert table.get(path, 0).status_code in (200, 404)
    for form in ("text/event-stream", "application/x-ndjson"):
        answer = client.get(f"{table.path}/events", headers={"Accept": form})
        problem(answer, 403, "no_spectators")


def test_who_may_not_watch_does_not_wait_for_the_refusal() -> None:
    """It would tell a hidden table from none, and when it ends."""
    with client_over(in_memory(), patience_seconds=ENDLESS) as client:
        hidden = at_table(client, {"spectators": "none", "private": True})
        public = at_table(client, {"spectators": "none"})
        assert public.start().status_code == 200
        for path in ("", "/table", "/scoreboard"):
            problem(hidden.get(path, at_least=99), 404, "no_such_game")
            problem(public.get(path, at_least=99), 403, "no_spectators")


def test_terms_that_make_no_table(client: httpx2.Client) -> None:
    for terms in ({"spectators": "delayed"}, {"delay": 3}):
        body = {"ruleset": "classic", "seats": [PERSON, BOT], "terms": terms}
        problem(client.post("/games", json=body), 422, "bad_terms")
    for terms in ({"clock": {"seconds": 0}}, {"spectators": "all"}, {"reserved": [0]}):
        body = {"ruleset": "classic", "seats": [PERSON, BOT], "terms": terms}
        problem(client.post("/games", json=body), 400, "invalid_body")
