"""A guest's seat becomes a player's: the token's person, by the session or the application."""

from typing import Any

import httpx2

from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.replay.judgements import judged
from tests.support.service.api_tables import BOT, PERSON, Table, bearer, by_host, play_on, sit
from tests.support.service.applications import both, made
from tests.support.service.oidc_issuer import OidcIssuer
from tests.support.service.operator import Both
from tests.support.service.problems import problem
from tests.support.service.signed_in import issuer, settings, signed_in

__all__ = ["both", "issuer", "settings"]

SHORT = {"variant": "n_phases(1)"}


def opened(api: httpx2.Client, *seats: Any, guests: int = 1) -> Table:
    """A table at which guests sit."""
    body = {"ruleset": "classic", "seats": list(seats), "options": SHORT}
    answer = api.post("/games", json=body).raise_for_status().json()
    tokens = {}
    for number in range(guests):
        joined = sit(api, answer["game"], name=f"Guest {number}", seat=number)
        tokens[number] = joined.json()["token"]
    return Table(api, answer["game"], answer["host_token"], tokens)


def take_over(api: httpx2.Client, game: str, seat: str, session: str) -> httpx2.Response:
    body = {"player": "me", "token": seat}
    return api.post(f"/games/{game}/player", json=body, headers=bearer(session))


def statistics(api: httpx2.Client, session: str) -> list[dict[str, Any]]:
    answer = api.get("/players/me/statistics", headers=bearer(session))
    return answer.raise_for_status().json()["rulesets"]


def ratings(api: httpx2.Client, session: str) -> list[dict[str, Any]]:
    answer = api.get("/players/me/ratings", headers=bearer(session))
    return answer.raise_for_status().json()["ratings"]


def test_a_guest_takes_the_seat_along_in_the_lobby_and_during_the_game(
    both: Both, issuer: OidcIssuer
) -> None:
    api = both.api
    for begun in (False, True):
        ada = signed_in(api, issuer, "Ada")
        table = opened(api, PERSON, BOT)
        if begun:
            by_host(table, "POST", "/start").raise_for_status()
        path, seat = f"/games/{table.game}", table.tokens[0]
        done = take_over(api, table.game, seat, ada["token"])
        assert done.json()["table"]["seats"][0]["name"] == ada["player"]["pseudonym"]
        (event,) = done.json()["events"]
        facts = {"seat": 0, "name": ada["player"]["pseudonym"]}
        assert event["type"] == "SeatNamed/1"
        assert facts.items() <= event["data"].items()
        assert "idempotent-replayed" not in done.headers
        repeated = take_over(api, table.game, seat, ada["token"])
        assert repeated.headers["idempotent-replayed"] == "true"
        assert repeated.json()["version"] == done.json()["version"]
        fresh = api.post(f"{path}/tokens", json={"player": "me"}, headers=bearer(ada["token"]))
        for token in (seat, fresh.json()["token"]):
            assert api.get(path, headers=bearer(token)).json()["table"]["you"] == 0
        shown = bearer(ada["token"])
        eventually(
            lambda shown=shown: api.get("/players/me/games", headers=shown).json()["games"],
            lambda games, game=table.game: [entry["game"] for entry in games] == [game],
        )


def test_a_game_counts_and_is_rated_only_where_its_players_were_known_before(
    both: Both, issuer: OidcIssuer
) -> None:
    api = both.api
    for late in (False, True):
        people = [signed_in(api, issuer, name) for name in ("Ada", "Bob")]
        table = opened(api, PERSON, PERSON, guests=2)
        for seat in (1, 0) if late else (0, 1):
            if late and seat == 0:
                by_host(table, "POST", "/start").raise_for_status()
            token = people[seat]["token"]
            assert take_over(api, table.game, table.tokens[seat], token).is_success
        if not late:
            by_host(table, "POST", "/start").raise_for_status()
        play_on(table)
        for person in people:
            token = person["token"]
            eventually(
                lambda token=token: statistics(api, token),
                lambda records: [record["ended"] for record in records] == [1],
            )
            assert bool(ratings(api, token)) == (not late)
        content = api.get(f"/games/{table.game}/bundle").content
        assert judged(content.splitlines(keepends=True)).problems == ()


def test_only_the_seats_own_token_hands_it_to_a_player(
    both: Both, issuer: OidcIssuer, settings: Settings
) -> None:
    api = both.api
    ada, bob = (signed_in(api, issuer, name) for name in ("Ada", "Bob"))
    table, other = opened(api, PERSON, PERSON, guests=2), opened(api, PERSON, PERSON)
    game, (first, second) = table.game, (table.tokens[0], table.tokens[1])
    for token, status, code in (
        (table.host, 403, "seat_token_needed"),
        (other.tokens[0], 404, "no_such_game"),
        (ada["token"], 403, "table_token_needed"),
        (made(settings), 403, "table_token_needed"),
        ("p10s_" + "0" * 72, 401, "token_mistyped"),
        ("", 401, "token_unknown"),
    ):
        problem(take_over(api, game, token, ada["token"]), status, code)
    body = {"player": "me", "token": first}
    problem(api.post(f"/games/{game}/player", json=body), 401, "application_key_needed")
    problem(take_over(api, game, first, first), 401, "application_key_needed")
    theirs = {"json": {**body, "player": bob["player"]["id"]}, "headers": bearer(ada["token"])}
    problem(api.post(f"/games/{game}/player", **theirs), 404, "no_such_player")
    assert take_over(api, game, first, ada["token"]).is_success
    problem(take_over(api, game, first, bob["token"]), 409, "player_seated")
    problem(take_over(api, game, second, ada["token"]), 409, "player_seated")
    api.post(f"/games/{game}/leave", headers=bearer(second)).raise_for_status()
    problem(take_over(api, game, second, bob["token"]), 401, "token_revoked")


def test_an_application_has_the_seat_of_its_member_named(both: Both, settings: Settings) -> None:
    key, api = bearer(made(settings)), both.api
    api.put("/players/ada", json={"name": "Ada"}, headers=key).raise_for_status()
    table = opened(api, PERSON, BOT)
    body = {"player": "ada", "token": table.tokens[0]}
    assert api.post(f"/games/{table.game}/player", json=body, headers=key).is_success
    token = api.post(f"/games/{table.game}/tokens", json={"player": "ada"}, headers=key)
    assert token.json()["seat"] == 0
