"""Playing again: one new game, whoever asks and however often, with everybody one seat on."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import httpx2

from phaseledger.domain import deal
from phaseledger.service.lobby.rematch import rematch_of
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON, Table, bearer, ok, open_table
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import client_over

TERMS = {"private": True, "clock": {"seconds": 900}, "spectators": "delayed", "delay": 20}


def over(client: httpx2.Client, seats: Any = (PERSON, PERSON, BOT), **more: Any) -> Table:
    """A game that has been broken off."""
    table = open_table(client, seats, **more)
    assert table.start().status_code == 200
    assert void(table).status_code == 200
    return table


def void(table: Table) -> httpx2.Response:
    headers = bearer(table.host)
    return table.client.post(f"{table.path}/void", json={"reason": "late"}, headers=headers)


def rematch(table: Table, token: str, **body: Any) -> httpx2.Response:
    return table.client.post(f"{table.path}/rematch", json=body, headers=bearer(token))


def test_everybody_moves_on_by_one_seat(client: httpx2.Client) -> None:
    table = over(client, options={"initial_skip": "cover"}, dealer=1)
    first = rematch(table, table.tokens[1])
    assert first.status_code == 201, first.text
    place = first.json()
    assert place["game"] == str(rematch_of(UUID(table.game)))
    assert (place["seat"], place["table"]["you"]) == (2, 2)
    bots = [seat and seat["bot"] for seat in place["table"]["seats"]]
    assert bots == ["greedy", None, ""]
    other = rematch(table, table.tokens[0]).json()
    assert (other["game"], other["seat"]) == (place["game"], 1)
    host = rematch(table, table.host).json()
    assert (host["game"], host["seat"]) == (place["game"], None)
    new = Table(client, place["game"], host["token"], {2: place["token"], 1: other["token"]})
    view = ok(new.get("", 1))
    assert view["terms"]["rematch_of"] == table.game
    assert view["options"]["initial_skip"] == "cover"
    assert [seat["name"] for seat in view["table"]["seats"]] == ["Greedy 1", "Seat 0", "Seat 1"]
    assert new.start().status_code == 200
    assert ok(new.get("", 2))["table"]["hand"]
    opened = ok(new.get("/events", 1))["events"][0]["data"]
    assert opened["dealer"] == 1
    assert opened["table"] == {"rematch_of": table.game, "reserved": [1, 2]}


def test_everybody_is_told_of_the_rematch(client: httpx2.Client) -> None:
    """Who sits there, and nothing before somebody wants to play again."""
    table = over(client)
    assert ok(table.get("/rematch")) == {"game": None, "players": []}
    game = rematch(table, table.tokens[1]).json()["game"]
    bot, nobody, player = {"name": "Greedy 1", "bot": "greedy"}, None, {"name": "Seat 1", "bot": ""}
    assert ok(table.get("/rematch", 0)) == {"game": game, "players": [bot, nobody, player]}
    problem(client.get(f"/games/{UUID(int=1)}/rematch"), 404, "no_such_game")


def test_who_may_not_see_the_new_table_hears_nothing_of_it(client: httpx2.Client) -> None:
    """A table without spectators is seen by all until the first deal, and then by its players."""
    body = {"ruleset": "classic", "seats": [PERSON, PERSON], "terms": {"spectators": "none"}}
    opened = client.post("/games", json=body).json()
    table = Table(client, opened["game"], opened["host_token"], {})
    for seat in (0, 1):
        commit = deal.seat_commit(table.game, seat, bytes([seat]) * 32)
        sit = {"name": f"{seat}", "commit": commit}
        table.tokens[seat] = client.post(f"{table.path}/seats", json=sit).json()["token"]
    table.start()
    void(table)
    game, _ = (rematch(table, table.tokens[seat]).json()["game"] for seat in (0, 1))
    assert ok(client.get(f"{table.path}/rematch"))["game"] == game
    host = rematch(table, table.host).json()["token"]
    assert Table(client, game, host, {}).start().status_code == 200
    assert ok(client.get(f"{table.path}/rematch")) == {"game": None, "players": []}
    assert ok(table.get("/rematch", 0))["game"] == game


def test_terms_come_along_and_seats_are_kept(client: httpx2.Client) -> None:
    body = {"ruleset": "classic", "seats": [PERSON, PERSON], "terms": TERMS}
    opened = client.post("/games", json=body).json()
    table = Table(client, opened["game"], opened["host_token"], {})
    for seat in (0, 1):
        sit = {"name": f"{seat}", "code": opened["code"]}
        table.tokens[seat] = client.post(f"{table.path}/seats", json=sit).json()["token"]
    assert table.start().status_code == 200
    problem(rematch(table, table.host), 409, "not_over")
    assert void(table).status_code == 200
    host = rematch(table, table.host).json()
    assert host["code"] != opened["code"]
    path = f"/games/{host['game']}"
    shown = ok(client.get(path, headers=bearer(host["token"])))
    assert {**TERMS, "rematch_of": table.game, "reserved": [0, 1]}.items() <= shown["terms"].items()
    assert shown["reserved"] == [0, 1]
    stranger = {"name": "Eve", "code": host["code"]}
    problem(client.post(f"{path}/seats", json=stranger), 409, "table_full")
    problem(client.post(f"{path}/seats", json={**stranger, "seat": 0}), 409, "seat_reserved")
    fill = client.post(f"{path}/fill", json={}, headers=bearer(host["token"]))
    problem(fill, 409, "seat_reserved")
    # The host may give a kept seat to somebody else.
    ok(client.delete(f"{path}/seats/0", headers=bearer(host["token"])))
    assert client.post(f"{path}/seats", json=stranger).json()["seat"] == 0
    problem(rematch(table, table.tokens[1]), 409, "seat_not_kept")
    assert rematch(table, table.tokens[0]).json()["seat"] == 1


def test_there_is_one_rematch_however_many_ask(client: httpx2.Client) -> None:
    table = over(client, (PERSON, PERSON, PERSON))
    tokens = [*table.tokens.values(), table.host] * 3
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda token: rematch(table, token), tokens))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["game"] for answer in answers}) == 1
    seats = [answer.json()["seat"] for answer in answers]
    assert seats == [1, 2, 0, None] * 3
    assert len({answer.content for answer in answers}) == 4
    for answer in answers:
        place = answer.json()
        assert client.get(f"/games/{place['game']}", headers=bearer(place["token"])).is_success


def test_a_rematch_has_a_rematch(client: httpx2.Client) -> None:
    table = over(client, (PERSON, BOT))
    place, host = rematch(table, table.tokens[0]).json(), rematch(table, table.host).json()
    second = Table(client, place["game"], host["token"], {1: place["token"]})
    assert second.start().status_code == 200
    assert void(second).status_code == 200
    third = rematch(second, second.tokens[1]).json()
    assert third["seat"] == 0
    assert third["game"] not in (table.game, second.game)


def test_a_seat_may_bring_a_secret_again(client: httpx2.Client) -> None:
    table = over(client, (PERSON, BOT))
    commit = deal.seat_commit(str(rematch_of(UUID(table.game))), 1, b"\x07" * 32)
    place = rematch(table, table.tokens[0], commit=commit).json()
    host = rematch(table, table.host).json()
    new = Table(client, place["game"], host["token"], {1: place["token"]})
    assert new.start().status_code == 200
    ok(new.send(1, {"type": "reveal_secret", "secret": "07" * 32}))


def lost(client: httpx2.Client) -> tuple[Table, int]:
    """A game that is over, in which the third player has left, and the seat that was late."""
    clock = {"seconds": 1, "grace": 0, "then": "bot_for_good"}
    table = open_table(client, (PERSON, PERSON, PERSON), terms={"clock": clock}, dealer=2)
    assert table.start().status_code == 200
    left = client.post(f"{table.path}/leave", headers=bearer(table.tokens[2]))
    assert left.status_code == 200
    late = table.get().json()["table"]["waits"][0]["seat"]
    eventually(lambda: table.get().json()["table"]["seats"][late]["bot"] != "")
    assert void(table).status_code == 200
    return table, late


def test_who_was_late_and_lost_a_seat_to_a_bot_has_it_in_the_rematch() -> None:
    """Whoever of the table asks first; who has left has it not, and the host may free the seat."""
    with client_over(in_memory()) as client:
        for asks_first in ("late", "other", "host"):
            table, late = lost(client)
            problem(rematch(table, table.tokens[2]), 403, "seat_handed_over")
            if asks_first == "other":
                assert rematch(table, table.tokens[1 - late]).status_code == 201
            if asks_first == "host":
                host = rematch(table, table.host).json()
                path = f"/games/{host['game']}/seats/{late + 1}"
                assert client.delete(path, headers=bearer(host["token"])).is_success
                problem(rematch(table, table.tokens[late]), 409, "seat_not_kept")
                continue
            place = rematch(table, table.tokens[late])
            assert place.status_code == 201, place.text
            assert place.json()["seat"] == late + 1
            seats = place.json()["table"]["seats"]
            assert seats[late + 1]["name"] == f"Seat {late}"
            assert [bool(seat and seat["bot"]) for seat in seats] == [True, False, False]
            assert rematch(table, table.tokens[late]).json()["token"] == place.json()["token"]


def test_who_may_not_play_again(client: httpx2.Client) -> None:
    table = open_table(client, (PERSON, PERSON))
    assert table.start().status_code == 200
    left = client.post(f"{table.path}/leave", headers=bearer(table.tokens[0]))
    assert left.status_code == 200
    assert void(table).status_code == 200
    problem(rematch(table, table.tokens[0]), 403, "seat_handed_over")
    problem(client.post(f"{table.path}/rematch", json={}), 401, "token_missing")
    assert rematch(table, table.tokens[1]).json()["seat"] == 0


def test_a_table_that_never_filled_is_not_played_again(client: httpx2.Client) -> None:
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]}).json()
    table = Table(client, opened["game"], opened["host_token"], {})
    assert void(table).status_code == 200
    problem(rematch(table, table.host), 409, "not_over")
