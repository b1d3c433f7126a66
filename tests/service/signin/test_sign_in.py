"""Signing in with an ID token or a browser, and what a session may do: its own player's things."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2
import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.client import Client, JoinTable, Refused, SignInWith
from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from phaseledger.service.signin.attempt import SignInAttempt
from tests.support.cases import looped
from tests.support.service.api_tables import PERSON, bearer
from tests.support.service.applications import both, made
from tests.support.service.oidc_issuer import CLIENT, SECRET, OidcIssuer, oidc_issuer
from tests.support.service.operator import Both, running
from tests.support.service.problems import problem
from tests.support.service.signed_in import browser, issuer, oidc_settings, settings, signed_in

__all__ = ["both", "issuer", "settings"]


@pytest.fixture(autouse=True)
def as_before(issuer: OidcIssuer) -> Iterator[None]:
    usual = OidcIssuer(issuer.url)
    yield
    issuer.person, issuer.claims, issuer.header = usual.person, {}, {}


def opened(both: Both, *players: str | None, token: str = "", **more: Any) -> httpx2.Response:
    seats = [{**PERSON, **({"player": player} if player else {})} for player in players]
    body = {"ruleset": "classic", "seats": seats, **more}
    return both.api.post("/games", json=body, headers=bearer(token) if token else {})


def test_an_id_token_is_exchanged_for_a_session_of_the_same_player(
    both: Both, issuer: OidcIssuer
) -> None:
    first = signed_in(both.api, issuer, "Ada", "ada")
    assert first["token"].startswith("p10u_")
    assert first["player"]["name"] == "Ada"
    assert first["player"]["id"].startswith("oidc:")
    second = signed_in(both.api, issuer, "Ada", "ada")
    assert second["player"] == first["player"]
    assert second["token"] != first["token"]
    for token in (first["token"], second["token"]):
        own = both.api.get("/players/me", headers=bearer(token))
        assert own.json() == first["player"]
        assert own.headers["cache-control"] == "no-store"


@looped(
    ("claims", "name", "language"),
    [
        ({"nickname": " Grace\u200b  Hopper\n"}, "Grace Hopper", "en"),
        ({"nickname": "x" * 60}, "x" * 40, "en"),
        ({"preferred_username": "bob@club.example", "name": "Bob"}, "Bob", "en"),
        ({"nickname": "player-aaaaaaaaaaaaaaaaaaaa", "locale": "de-AT"}, "Player", "de"),
        ({"nickname": "\u200b", "locale": "fr_FR"}, "Player 2", "fr"),
        ({"nickname": {"first": "Eve"}, "locale": ["de"]}, "Player 3", "en"),
        ({"username": "GRACE hopper"}, "GRACE hopper 2", "en"),
    ],
)
def test_a_name_is_made_of_the_claims(
    both: Both, issuer: OidcIssuer, claims: dict[str, Any], name: str, language: str
) -> None:
    person = {"sub": f"person of {claims}", "preferred_username": None, **claims}
    for _ in range(2):  # the same the next time
        answer = both.api.post("/sign-in", json={"id_token": issuer.id_token(**person)})
        player = answer.json()["player"]
        assert (player["name"], player["language"]) == (name, language)


def test_a_browser_signs_in_with_a_code(both: Both, issuer: OidcIssuer) -> None:
    issuer.person = {"sub": "browser", "preferred_username": "Browser"}
    with browser(both.api) as surfer:
        begun = surfer.begin()
        cookie = begun.headers["set-cookie"].lower()
        for part in ("httponly", "samesite=strict", "path=/v1/sign-in", "max-age=600"):
            assert part in cookie, part
        assert begun.headers["cache-control"] == "no-store"
        returned = surfer.returned()
        assert issuer.sent["scope"] == "openid profile"
        assert issuer.sent["redirect_uri"] == "http://127.0.0.1:8000/play/signed-in"
        assert issuer.sent["tenant"] == "club", "what the endpoint's address has stays"
        answer = surfer.sign_in(returned)
        assert answer.json()["player"]["name"] == "Browser"
        assert "max-age=0" in answer.headers["set-cookie"].lower()
        secrets = {answer.json()["token"], issuer.exchanged["code_verifier"]}
        assert not any(secret in str(issuer.sent) for secret in secrets)


def test_a_code_counts_once_in_the_browser_that_began(both: Both, issuer: OidcIssuer) -> None:
    with browser(both.api) as surfer, browser(both.api) as other:
        returned = surfer.returned()
        cookie = surfer.http.cookies["p10_sign_in"]
        problem(other.sign_in(returned), 403, "sign_in_refused")
        other.begin()
        problem(other.sign_in(returned), 403, "sign_in_refused")
        problem(surfer.sign_in({**returned, "state": "x"}), 403, "sign_in_refused")
        assert surfer.sign_in(returned).status_code == 201
        kept = {"Cookie": f"p10_sign_in={cookie}"}
        repeated = both.api.post("/sign-in", json=returned, headers=kept)
        problem(repeated, 403, "sign_in_refused")
        # An issuer that gives another code for the state does not help either.
        returned["code"] = "another"
        issuer._codes["another"] = dict(issuer.sent)
        repeated = both.api.post("/sign-in", json=returned, headers=kept)
        problem(repeated, 403, "sign_in_refused")


def test_a_sign_in_takes_ten_minutes_at_most(both: Both, issuer: OidcIssuer) -> None:
    with browser(both.api) as surfer:
        surfer.returned()
        for begun in ("1700000000", "", "x", "99999999999999999999"):
            late = SignInAttempt(f"{begun}.{'0' * 64}")
            issuer._codes["late"] = {"code_challenge": late.challenge, "nonce": late.nonce}
            body = {"code": "late", "state": late.state}
            kept = {"Cookie": f"p10_sign_in={late.cookie}"}
            problem(both.api.post("/sign-in", json=body, headers=kept), 403, "sign_in_refused")


def test_a_code_of_another_attempt_does_not_count(both: Both, issuer: OidcIssuer) -> None:
    """What a thief puts into the address of somebody's browser was given for another verifier."""
    with browser(both.api) as victim, browser(both.api) as thief:
        stolen, own = thief.returned(), victim.returned()
        problem(victim.sign_in({**own, "code": stolen["code"]}), 403, "sign_in_refused")


@looped(
    "body",
    [
        {},
        {"code": "x"},
        {"state": "x"},
        {"id_token": "x", "code": "x", "state": "y"},
    ],
)
def test_a_body_is_one_or_the_other(both: Both, body: dict[str, Any]) -> None:
    refused = problem(both.api.post("/sign-in", json=body), 403, "sign_in_refused")
    assert refused.detail.endswith("it takes an ID token, or a code with its state.")


def test_a_body_of_another_shape_is_refused(both: Both) -> None:
    problem(both.api.post("/sign-in", json={"id_token": 7}), 400, "invalid_body")


def test_a_session_opens_and_joins_for_its_own_player(both: Both, issuer: OidcIssuer) -> None:
    ada, bob = (signed_in(both.api, issuer, name) for name in ("Ada", "Bob"))
    table = opened(both, "me", None, token=ada["token"]).json()
    (seat,) = table["seats"]
    assert table["table"]["seats"][0]["name"] == ada["player"]["pseudonym"]
    path = f"/games/{table['game']}"
    joined = both.api.post(
        f"{path}/seats", json={"player": "me"}, headers=bearer(bob["token"])
    ).json()
    assert joined["table"]["seats"][1]["name"] == bob["player"]["pseudonym"]
    own = {"json": {"player": ada["player"]["id"]}, "headers": bearer(ada["token"])}
    fresh = both.api.post(f"{path}/tokens", **own).json()
    assert (fresh["seat"], fresh["token"] != seat["token"]) == (0, True)
    for token in (fresh["token"], seat["token"]):
        assert both.api.get(path, headers=bearer(token)).json()["table"]["you"] == 0
    games = both.api.get("/players/me/games", headers=bearer(bob["token"])).json()
    assert [entry["game"] for entry in games["games"]] in ([table["game"]], [])


def test_a_session_is_no_key_and_no_seats_token(
    both: Both, issuer: OidcIssuer, settings: Settings
) -> None:
    ada, bob = (signed_in(both.api, issuer, name) for name in ("Ada", "Bob"))
    show = {"headers": bearer(ada["token"])}
    table = opened(both, "me", None, token=ada["token"]).json()
    path = f"/games/{table['game']}"
    for refused in (
        both.api.post(f"{path}/start", **show),
        both.api.get(path, **show),
        both.api.post(f"{path}/leave", **show),
    ):
        problem(refused, 403, "table_token_needed")
    for refused in (
        both.api.get("/application", **show),
        both.api.get("/players", **show),
        both.api.put("/players/me", json={"name": "Eve"}, **show),
        both.api.post(f"{path}/tokens", json={}, **show),
        opened(both, None, None, token=ada["token"], test={}),
    ):
        problem(refused, 401, "application_key_needed")
    other = bob["player"]["id"]
    for refused in (
        *(
            both.api.get(f"/players/{other}{more}", **show)
            for more in ("", "/games", "/statistics")
        ),
        both.api.get(f"/players/{other}/ratings", **show),
        both.api.delete(f"/players/{other}", **show),
        both.api.post(f"{path}/seats", json={"player": other}, **show),
        both.api.post(f"{path}/tokens", json={"player": other}, **show),
        opened(both, other, None, token=ada["token"]),
        both.api.get("/players/me", headers=bearer(made(settings))),
    ):
        problem(refused, 404, "no_such_player")
    theirs = {"json": {"player": "me"}, "headers": bearer(bob["token"])}
    problem(both.api.post(f"{path}/tokens", **theirs), 404, "no_such_game")


def test_where_applications_alone_open_tables_a_session_opens_none(
    settings: Settings, issuer: OidcIssuer
) -> None:
    with running(in_postgres(settings), openers="applications") as both:
        ada = signed_in(both.api, issuer, "Ada")
        problem(opened(both, "me", None, token=ada["token"]), 401, "application_key_needed")


def test_a_session_ends_by_signing_out(both: Both, issuer: OidcIssuer) -> None:
    first, second = (signed_in(both.api, issuer, "Ada", "ada") for _ in range(2))
    show = {"headers": bearer(first["token"])}
    assert both.api.delete("/sign-in", **show).status_code == 204
    problem(both.api.get("/players/me", **show), 401, "token_expired")
    problem(both.api.delete("/sign-in", **show), 401, "token_expired")
    problem(both.api.delete("/sign-in"), 401, "session_needed")
    assert both.api.get("/players/me", headers=bearer(second["token"])).is_success


def test_a_session_ends_with_its_time(both: Both, settings: Settings, issuer: OidcIssuer) -> None:
    ada = signed_in(both.api, issuer, "Ada")
    with psycopg.connect(settings.database_url) as conn:
        table = Identifier(settings.schema, "player_sessions")
        conn.execute(SQL("UPDATE {} SET expires_at = now()").format(table))
    problem(both.api.get("/players/me", headers=bearer(ada["token"])), 401, "token_expired")


def test_a_session_ends_with_its_player(both: Both, settings: Settings, issuer: OidcIssuer) -> None:
    ada = signed_in(both.api, issuer, "Ada", "forgotten")
    show = {"headers": bearer(ada["token"])}
    assert both.api.delete("/players/me", **show).status_code == 204
    problem(both.api.get("/players/me", **show), 401, "token_unknown")
    anew = signed_in(both.api, issuer, "Ada", "forgotten")
    assert anew["player"]["pseudonym"] != ada["player"]["pseudonym"]
    both.api.get("/players/me", headers=bearer(anew["token"])).raise_for_status()


def test_no_token_and_no_name_is_stored_in_clear(
    both: Both, settings: Settings, issuer: OidcIssuer
) -> None:
    ada = signed_in(both.api, issuer, "Ada", "subject-of-ada")
    with psycopg.connect(settings.database_url) as conn:
        table = Identifier(settings.schema, "player_sessions")
        rows = str(conn.execute(SQL("SELECT * FROM {}").format(table)).fetchall())
        players = Identifier(settings.schema, "players")
        rows += str(conn.execute(SQL("SELECT * FROM {}").format(players)).fetchall())
    assert ada["player"]["pseudonym"] in rows
    assert ada["token"] not in rows
    assert "subject-of-ada" not in rows


def test_people_of_an_issuer_like_discord_sign_in(settings: Settings) -> None:
    """The secret, the scope `identify`, no nonce, and a name that userinfo alone has."""
    secret = Path(settings.keys_dir) / "oidc.secret"
    secret.write_text(f"{SECRET}\n")
    secret.chmod(0o600)
    try:
        with oidc_issuer() as discord:
            discord.like_discord()
            own = replace(settings, **oidc_settings(discord))
            with running(in_postgres(own)) as both, browser(both.api) as surfer:
                signed = surfer.sign_in(surfer.returned()).json()
                assert discord.sent["scope"] == "openid identify"
                name, _, password = _basic(discord.exchanged["authorization"]).partition(":")
                assert (name, unquote(password)) == (CLIENT, SECRET)
                assert (signed["player"]["name"], signed["player"]["language"]) == ("nelly", "de")
                discord.userinfo = {"id": "80351110224678912", "username": "nelly"}
                assert surfer.sign_in(surfer.returned()).json()["player"]["name"] == "nelly"
                discord.userinfo = {"sub": "another", "username": "eve"}
                problem(surfer.sign_in(surfer.returned()), 403, "sign_in_refused")
    finally:
        secret.unlink()


def _basic(authorization: str) -> str:
    return base64.b64decode(authorization.removeprefix("Basic ")).decode()


def test_without_an_issuer_there_is_no_sign_in(settings: Settings) -> None:
    off = dict.fromkeys(oidc_settings(OidcIssuer("")), "")
    with running(in_postgres(replace(settings, **off))) as both:
        problem(both.api.post("/sign-in", json={"id_token": "x"}), 404, "no_sign_in")
        with browser(both.api) as surfer:
            assert surfer.begin().status_code == 404
    with running(in_postgres(settings), web=False) as both, browser(both.api) as surfer:
        assert surfer.begin().status_code == 404


def test_a_program_signs_in_and_sits_down_by_the_client(both: Both, issuer: OidcIssuer) -> None:
    url = str(both.api.base_url).removesuffix("/v1/")
    game = opened(both, None, None).json()["game"]
    with Client(url) as guest:
        way = SignInWith(id_token=issuer.id_token(sub="program", nickname="Program"))
        session = guest.sign_in(way)
    with Client(url, key=session.token) as own:
        joined = own.at(game, session.token).join(JoinTable(player="me"))
        assert own.at(game, own.table_token(game, "me").token).view().table.you == joined.seat
        assert own.player("me").name == "Program"
        own.sign_out()
        with pytest.raises(Refused, match="expired"):
            own.player("me")
