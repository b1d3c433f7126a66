"""Names are unique at a table, so that sentences tell people apart."""

from typing import Any

import httpx2

from tests.support.service.api_tables import BOT, PERSON, bearer, by_host, open_table, sit
from tests.support.service.problems import problem


def opened(client: httpx2.Client, seats: list[dict[str, Any]]) -> tuple[str, str]:
    answer = client.post("/games", json={"ruleset": "classic", "seats": seats})
    assert answer.status_code == 201, answer.text
    return answer.json()["game"], answer.json()["host_token"]


def names(client: httpx2.Client, game: str) -> list[str | None]:
    seats = client.get(f"/games/{game}").json()["table"]["seats"]
    return [seat and seat["name"] for seat in seats]


def test_nobody_takes_the_name_of_somebody_else(client: httpx2.Client) -> None:
    """Whatever its case, however wide its letters, whatever nobody sees between them (F5); free
    again once they have left.
    """
    game, _ = opened(client, [PERSON] * 3)
    token = sit(client, game, name="Ada").json()["token"]
    for name in ("Ada", "ADA", "ada", "\uff21da", "A\ufe0fda", "Ad\u200da"):
        problem(sit(client, game, name=name), 409, "name_taken")
    assert sit(client, game, name="Ada Maria").status_code == 201
    client.post(f"/games/{game}/leave", headers=bearer(token))
    assert sit(client, game, name="ADA").status_code == 201
    assert sit(client, game, name="Bob").status_code == 201
    problem(sit(client, game, name="Bob"), 409, "table_full")
    problem(sit(client, game, name="Bob", seat=2), 409, "seat_taken")
    problem(sit(client, game, name="Bob", seat=9), 422, "no_such_seat")


def test_what_nobody_sees_is_in_no_name(client: httpx2.Client) -> None:
    game, _ = opened(client, [PERSON] * 2)
    for hidden in ("\ufe00", "\U0001bca0", "\U0001d173", "\u0600", "\u2065"):
        problem(sit(client, game, name=f"A{hidden}da"), 422, "bad_text")
        named = {"ruleset": "classic", "seats": [{**BOT, "name": f"A{hidden}l"}, BOT]}
        problem(client.post("/games", json=named), 422, "bad_text")


def test_bots_are_called_like_nobody_else(client: httpx2.Client) -> None:
    named = [{**BOT, "name": "Greedy 2"}, BOT, BOT]
    game, _ = opened(client, named)
    assert names(client, game) == ["Greedy 2", "Greedy 3", "Greedy 4"]
    twice = {"ruleset": "classic", "seats": [{**BOT, "name": "Al"}, {**BOT, "name": "AL"}]}
    problem(client.post("/games", json=twice), 409, "name_taken")
    usual, _ = opened(client, [BOT, BOT])
    assert names(client, usual) == ["Greedy 1", "Greedy 2"]


def test_bots_that_fill_a_table_avoid_the_names_of_people(client: httpx2.Client) -> None:
    table = open_table(client, [BOT] * 2)
    game, host = opened(client, [PERSON] * 4)
    table = table._replace(game=game, host=host)
    sit(client, game, name="greedy 3")
    assert by_host(table, "POST", "/fill", json={}).status_code == 200
    assert names(client, game) == ["greedy 3", "Greedy 2", "Greedy 4", "Greedy 5"]


def test_a_name_is_recorded_in_one_form(client: httpx2.Client) -> None:
    """Typed in whatever form of Unicode, it is found and counted as one."""
    seats = [{"kind": "person"}, {"kind": "bot", "name": "Zoe\u0308"}]
    game = client.post("/games", json={"ruleset": "classic", "seats": seats}).json()["game"]
    assert sit(client, game, name="Jose\u0301").status_code == 201
    assert names(client, game) == ["Jos\u00e9", "Zo\u00eb"]
    for name in ("Jos\u00e9", "jose\u0301"):
        listed = client.get("/games", params={"player": name}).json()["games"]
        assert game in [entry["game"] for entry in listed]
