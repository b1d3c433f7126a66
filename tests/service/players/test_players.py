"""Players of applications: their names, seats, tokens, games and statistics."""

import asyncio
import base64
import hashlib
from typing import Any
from uuid import uuid4

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service.app import in_postgres
from phaseledger.service.players.store import Players
from phaseledger.service.schemas.notices import ADDRESSES
from phaseledger.service.settings import Settings
from tests.support.cases import looped
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON, Table, bearer, play_on, sit
from tests.support.service.applications import done, made
from tests.support.service.operator import ANN, Both, running
from tests.support.service.problems import problem

SHORT = {"variant": "n_phases(1)"}


@pytest.fixture
def club(both: Both, settings: Settings) -> "Club":
    return Club(both.api, bearer(made(settings)))


class Club:
    """An application that asks."""

    def __init__(self, api: httpx2.Client, key: dict[str, str]) -> None:
        self.api, self.key = api, key

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> httpx2.Response:
        return self.api.request(method, path, json=body, params=query, headers=self.key)

    def named(self, *players: str) -> list[dict[str, Any]]:
        return [done(self.ask("PUT", f"/players/{p}", {"name": p.capitalize()})) for p in players]

    def opened(self, *players: str | None, **more: Any) -> dict[str, Any]:
        seats = [{**PERSON, "player": player} if player else BOT for player in players]
        return done(self.ask("POST", "/games", {"ruleset": "classic", "seats": seats, **more}))


def test_a_player_is_named_renamed_and_listed(club: Club) -> None:
    (ada,) = club.named("ada")
    renamed = done(club.ask("PUT", "/players/ada", {"name": "Ada L.", "language": "fr"}))
    assert renamed == {**ada, "name": "Ada L.", "language": "fr"}, "the pseudonym stays"
    assert done(club.ask("GET", "/players/ada")) == renamed
    club.named("bob", "cy")
    first = done(club.ask("GET", "/players", limit=2))
    rest = done(club.ask("GET", "/players", limit=2, cursor=first["next"]))
    assert [p["id"] for p in first["players"] + rest["players"]] == ["ada", "bob", "cy"]
    assert rest["next"] is None
    problem(club.ask("GET", "/players", cursor="\0"), 400, "invalid_parameter")


def test_a_pseudonym_can_be_opened_by_who_keeps_its_salt(club: Club) -> None:
    application = done(club.ask("GET", "/application"))["id"]
    (ada,) = club.named("user-17")
    text = f"p10-player/v1\n{ada['salt']}\n{application}\nuser-17"
    letters = base64.b32encode(hashlib.sha256(text.encode()).digest()).decode().lower()
    assert ada["pseudonym"] == f"player-{letters[:20]}"


@looped(
    ("name", "status", "code"),
    [
        ("", 400, "invalid_body"),
        (" Ada", 422, "bad_text"),
        ("A\u200bda", 422, "bad_text"),
        ("Ada\n", 400, "invalid_body"),
        ("x" * 41, 400, "invalid_body"),
        ("player-abcdefghijklmnopqrst", 400, "invalid_body"),
    ],
)
def test_a_name_that_hides_something_is_refused(
    club: Club, name: str, status: int, code: str
) -> None:
    problem(club.ask("PUT", "/players/ada", {"name": name}), status, code)
    problem(club.ask("GET", "/players/ada"), 404, "no_such_player")


def test_ids_are_plain(club: Club) -> None:
    for wrong in ("%20", "a%2Fb", "x" * 101, "%C3%A9"):
        answer = club.ask("PUT", f"/players/{wrong}", {"name": "Ada"})
        assert answer.status_code in (400, 404), wrong
    for right in ("7", "auth0|7".replace("|", ":"), "a.b~c@d+e-f_g"):
        assert done(club.ask("PUT", f"/players/{right}", {"name": right}))["id"] == right


def test_no_two_names_of_an_application_look_alike(
    club: Club, both: Both, settings: Settings
) -> None:
    club.named("ada")
    for name in ("ADA", "\uff21da", "A\u200dda"):
        problem(club.ask("PUT", "/players/other", {"name": name}), 409, "player_name_taken")
    other = Club(both.api, bearer(made(settings)))
    assert other.named("ada")[0]["pseudonym"] != club.named("ada")[0]["pseudonym"]


def test_players_sit_down_under_pseudonyms_and_have_tokens(club: Club) -> None:
    ada, bob = club.named("ada", "bob")
    opened = club.opened("ada", "bob", start=True)
    names = [seat["name"] for seat in opened["table"]["seats"]]
    assert names == [ada["pseudonym"], bob["pseudonym"]]
    assert [seat["player"] for seat in opened["seats"]] == ["ada", "bob"]
    path = f"/games/{opened['game']}"
    anew = done(club.ask("POST", f"{path}/tokens", {"player": "bob"}))
    assert (anew["seat"], anew["token"] == opened["seats"][1]["token"]) == (1, False)
    for token in (anew["token"], opened["seats"][1]["token"]):
        view = done(club.api.get(path, headers=bearer(token)))
        assert view["table"]["you"] == 1
    log = club.api.get(f"{path}/events", headers=bearer(opened["host_token"])).text
    assert ada["pseudonym"] in log
    assert "Ada" not in log
    assert done(club.api.get("/names", params={"of": ",".join(names)}))["names"] == {
        names[0]: "Ada",
        names[1]: "Bob",
    }


def test_an_opening_is_repeated_with_the_same_tokens(club: Club) -> None:
    club.named("ada")
    body = {"ruleset": "classic", "seats": [{**PERSON, "player": "ada"}, BOT]}
    headers = {**club.key, "Idempotency-Key": str(uuid4())}
    first, repeated = (done(club.api.post("/games", json=body, headers=headers)) for _ in "12")
    assert (repeated["game"], repeated["seats"]) == (first["game"], first["seats"])


def test_a_player_joins_a_table_of_others(club: Club, both: Both, settings: Settings) -> None:
    """Of whoever opened it; only its own application has its token, and nobody takes its name."""
    host = Club(both.api, bearer(made(settings)))
    table = {"ruleset": "classic", "seats": [PERSON, PERSON]}
    game = done(host.ask("POST", "/games", table))["game"]
    (ada,) = club.named("ada")
    problem(sit(both.api, game, name=ada["pseudonym"]), 400, "invalid_body")
    problem(host.ask("POST", f"/games/{game}/tokens", {"player": "ada"}), 404, "no_such_player")
    problem(club.ask("POST", f"/games/{game}/tokens", {"player": "ada"}), 404, "no_such_game")
    joined = done(club.ask("POST", f"/games/{game}/seats", {"player": "ada"}))
    assert joined["table"]["seats"][joined["seat"]]["name"] == ada["pseudonym"]
    taken = club.ask("POST", f"/games/{game}/seats", {"player": "ada"})
    problem(taken, 409, "name_taken")
    assert done(club.ask("POST", f"/games/{game}/tokens", {"player": "ada"}))["seat"] == 0
    host.named("hal")
    problem(host.ask("POST", f"/games/{game}/tokens", {"player": "hal"}), 404, "player_not_seated")


def test_a_seat_has_a_name_or_a_player(club: Club) -> None:
    club.named("ada")
    game = done(club.ask("POST", "/games", {"ruleset": "classic", "seats": [PERSON] * 2}))["game"]
    for body in ({}, {"name": "Ada", "player": "ada"}):
        problem(club.ask("POST", f"/games/{game}/seats", body), 422, "name_or_player")
    problem(club.ask("POST", f"/games/{game}/seats", {"player": "eve"}), 404, "no_such_player")
    without = club.api.post(f"/games/{game}/seats", json={"player": "ada"})
    problem(without, 401, "application_key_needed")
    seats = [{**PERSON, "player": "ada"}, BOT]
    answer = club.api.post("/games", json={"ruleset": "classic", "seats": seats})
    problem(answer, 401, "application_key_needed")


def test_scopes_are_told_apart(club: Club, both: Both, settings: Settings) -> None:
    """Naming and seating take `seat`, looking takes `read`, erasing takes `erase`."""
    named = {"name": "Ada"}
    asked = {
        "seat": [("PUT", "/players/ada", named)],
        "read": [("GET", f"/players{path}", None) for path in ("", "/ada", "/ada/games")],
        "erase": [("DELETE", "/players/ada", None)],
    }
    for scope, requests in asked.items():
        others = [other for other in (*asked, "open") if other != scope]
        weak = Club(both.api, bearer(made(settings, scopes=others)))  # type: ignore[arg-type]
        for request in requests:
            problem(weak.ask(*request), 403, "scope_missing")


def test_a_seat_that_was_given_up_has_no_token(club: Club) -> None:
    club.named("ada", "bob")
    opened = club.opened("ada", "bob", start=True)
    path, token = f"/games/{opened['game']}", opened["seats"][0]["token"]
    done(club.api.post(f"{path}/leave", headers=bearer(token)))
    problem(club.ask("POST", f"{path}/tokens", {"player": "ada"}), 403, "seat_handed_over")


def test_revoked_tokens_of_a_seat_are_not_replaced(club: Club, both: Both) -> None:
    club.named("ada", "bob")
    opened = club.opened("ada", "bob", start=True)
    game = opened["game"]
    assert both.operator.post(f"/admin/games/{game}/seats/0/revoke", json=ANN).is_success
    problem(club.ask("POST", f"/games/{game}/tokens", {"player": "ada"}), 409, "no_fresh_token")


def played(club: Club, *players: str | None, **more: Any) -> dict[str, Any]:
    """A game that ended; its last view."""
    opened = club.opened(*players, options=SHORT, start=True, **more)
    tokens = {seat["seat"]: seat["token"] for seat in opened["seats"]}
    return play_on(Table(club.api, opened["game"], opened["host_token"], tokens))


def test_games_and_statistics_are_the_players_own(club: Club) -> None:
    """Private ones too; a seat that a bot plays to its end has won nothing for the player, and
    tables for tests count for nothing.
    """
    club.named("ada", "bob")
    ended = [played(club, "ada", "bob", terms={"private": n == 1}) for n in range(2)]
    left = club.opened("ada", "bob", options={**SHORT, "max_turns_per_round": 50}, start=True)
    for seat in left["seats"]:
        path = f"/games/{left['game']}/leave"
        done(club.api.post(path, headers=bearer(seat["token"])))
    tested = played(club, "ada", "bob", test={})
    running = club.opened("ada", "bob")

    def counted() -> dict[str, Any]:
        (record,) = done(club.ask("GET", "/players/ada/statistics"))["rulesets"] or [{}]
        return record

    won = sum(view["winners"] == [0] for view in ended)
    expected = {"ruleset": "classic", "unfinished": 1, "ended": 3, "won": won, "voided": 0}
    eventually(counted, lambda record: record == expected)
    listed = done(club.ask("GET", "/players/ada/games"))["games"]
    assert listed[0]["game"] == running["game"]
    assert len(listed) == 5
    assert [game["game"] for game in listed if game.get("test")] == [tested["game"]]
    won += tested["winners"] == [0]
    for result, count in (("won", won), ("lost", 4 - won)):
        assert len(done(club.ask("GET", "/players/ada/games", result=result))["games"]) == count
    for query, count in (({"stage": "lobby"}, 1), ({"ruleset": "board"}, 0), ({"limit": 3}, 3)):
        assert len(done(club.ask("GET", "/players/ada/games", **query))["games"]) == count
    problem(club.ask("GET", "/players/eve/games"), 404, "no_such_player")


def test_a_game_of_players_is_rated(club: Club) -> None:
    club.named("ada", "bob")
    view = played(club, "ada", "bob")

    def rated() -> list[dict[str, Any]]:
        return done(club.ask("GET", "/players/ada/ratings"))["ratings"]

    (rating,) = eventually(rated)
    assert (rating["ruleset"], rating["seats"], rating["games"]) == ("classic@1", 2, 1)
    where = {"ruleset": rating["digest"], "seats": 2}
    (step,) = done(club.ask("GET", "/players/ada/ratings/history", **where))["steps"]
    assert (step["game"], step["mu"]) == (view["game"], rating["mu"])
    assert (
        done(club.ask("GET", "/players/ada/ratings/history", **{**where, "seats": 3}))["steps"]
        == []
    )
    assert (step["place"] == 1) == (view["winners"] == [0])


def test_one_player_does_not_use_up_what_the_application_may(settings: Settings) -> None:
    """The player's tables and seats are bounded, however it comes to sit there; others go on."""
    with running(in_postgres(settings), write_rate=50.0, player_tables=2, player_joins=5) as both:
        club = Club(both.api, bearer(made(settings)))
        club.named("ada", "bob", "cy")
        tables = [club.opened("ada", "bob"), club.opened("ada", None)]
        body = {"ruleset": "classic", "seats": [PERSON, PERSON]}
        host = done(both.api.post("/games", json=body))
        place, ada = f"/games/{host['game']}/seats", {"player": "ada"}
        for refused in (
            club.ask("POST", "/games", {**body, "seats": [{**PERSON, **ada}, BOT]}),
            club.ask("POST", place, ada),
        ):
            shown = problem(refused, 429, "too_many_tables")
            assert (shown.whose, shown.detail[-37:]) == (
                "player",
                "2 may be open at once for one player.",
            )
        done(club.ask("POST", place, {"player": "bob"}))
        path, token = f"/games/{tables[1]['game']}", bearer(tables[1]["host_token"])
        done(both.api.post(f"{path}/void", json={"reason": "x"}, headers=token))
        joined = club.ask("POST", place, ada)
        assert joined.is_success, joined.text
        policies = joined.headers["ratelimit-policy"]
        assert '"player-joins";q=5;w=60' in policies
        assert '"application-writes"' in policies
        assert '"player-joins";r=0' in joined.headers["ratelimit"]
        spent = club.ask("POST", place, ada)
        assert problem(spent, 429, "too_many_joins").whose == "player"
        assert '"player-joins";r=0' in spent.headers["ratelimit"]
        club.opened("cy", None)


def test_an_erased_player_leaves_a_pseudonym(club: Club) -> None:
    """Running games go on; the same id named again is another player."""
    (ada, _) = club.named("ada", "bob")
    opened = club.opened("ada", "bob", start=True)
    assert club.ask("DELETE", "/players/ada").status_code == 204
    problem(club.ask("DELETE", "/players/ada"), 404, "no_such_player")
    problem(club.ask("GET", "/players/ada"), 404, "no_such_player")
    assert done(club.api.get("/names", params={"of": ada["pseudonym"]}))["names"] == {}
    problem(
        club.ask("POST", f"/games/{opened['game']}/tokens", {"player": "ada"}),
        404,
        "no_such_player",
    )
    token = opened["seats"][0]["token"]
    assert club.api.get(f"/games/{opened['game']}", headers=bearer(token)).is_success
    assert club.named("ada")[0]["pseudonym"] != ada["pseudonym"]


def test_players_whom_no_table_has_had_for_long_are_erased(club: Club, settings: Settings) -> None:
    """And what the outbox has of their addresses."""
    club.named("idle", "busy", "new")
    address = {"kind": "slack", "url": ADDRESSES["slack"].example}
    body = {"name": "Idle", "notices": {"addresses": [address]}}
    idle = done(club.ask("PUT", "/players/idle", body))["pseudonym"]
    club.opened("busy", None)
    games = "/players/busy/games"
    eventually(lambda: done(club.ask("GET", games))["games"], lambda listed: len(listed) == 1)
    with psycopg.connect(settings.database_url) as conn:
        aged = "UPDATE {} SET seen_at = now() - interval '2 days' WHERE id <> 'new'"
        conn.execute(SQL(aged).format(Identifier(settings.schema, "players")))

    async def expired() -> int:
        async with Players(settings.database_url, schema=settings.schema) as store:
            return await store.expire(1)

    assert asyncio.run(expired()) >= 1
    problem(club.ask("GET", "/players/idle"), 404, "no_such_player")
    with psycopg.connect(settings.database_url) as conn:
        left = SQL("SELECT count(*) FROM {} WHERE player = %s")
        query = left.format(Identifier(settings.schema, "webhooks"))
        assert conn.execute(query, (idle,)).fetchone() == (0,)
    for kept in ("busy", "new"):
        done(club.ask("GET", f"/players/{kept}"))


def test_no_page_of_the_table_holds_what_was_erased(club: Club, settings: Settings) -> None:
    """Once it is scrubbed: a vacuum alone would leave a name between the rows of a page."""
    marks = [f"mark-{uuid4().hex}" for _ in range(3)]
    for mark in marks:
        done(club.ask("PUT", f"/players/{mark}", {"name": mark}))
    done(club.ask("PUT", f"/players/{marks[0]}", {"name": "Renamed"}))
    done(club.ask("DELETE", f"/players/{marks[1]}"))

    def pages() -> bytes:
        name = f'"{settings.schema}".players'
        with psycopg.connect(settings.database_url, autocommit=True) as conn:
            conn.execute("CHECKPOINT")
            read = "SELECT pg_read_binary_file(pg_relation_filepath(%s::regclass))"
            rows = conn.execute(read, (name,)).fetchall()
        return bytes(rows[0][0])

    async def scrub() -> bool:
        async with Players(settings.database_url, schema=settings.schema) as store:
            return await store.scrub()

    assert marks[1].encode() in pages(), "the test sees what is left behind"
    eventually(lambda: asyncio.run(scrub()))  # the server counts dead rows a moment later
    assert [mark.encode() in pages() for mark in marks] == [True, False, True]
    assert b"Renamed" in pages()
    eventually(lambda: not asyncio.run(scrub()))  # it counts the last of them as late
    with psycopg.connect(settings.database_url) as conn:
        sampled = "SELECT string_agg(pg_stats::text, '') FROM pg_stats WHERE tablename = 'players'"
        assert not any(mark in conn.execute(sampled).fetchone()[0] for mark in marks)  # type: ignore[index]
