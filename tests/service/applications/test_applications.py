"""Applications: their keys, the tables that they open, and whose limits these go by."""

import asyncio
import zlib
from typing import Any
from uuid import uuid4

import httpx2

from phaseledger.service.app import in_postgres
from phaseledger.service.applications.application import SCOPES
from phaseledger.service.applications.store import Applications
from phaseledger.service.credentials.tokens import digest, public_id
from phaseledger.service.settings import Settings
from tests.support.cases import looped
from tests.support.polling import comes_about, eventually
from tests.support.service.api_tables import BOT, PERSON, bearer, sit
from tests.support.service.applications import done, made
from tests.support.service.operator import ANN, Both, running
from tests.support.service.problems import problem

TABLE = {"ruleset": "classic", "seats": [PERSON, PERSON]}


def make(both: Both, **more: Any) -> dict[str, Any]:
    body = {**ANN, "name": f"Club {uuid4()}"[:40], **more}
    return done(both.operator.post("/admin/applications", json=body))


def keys_of(both: Both, application: str) -> list[dict[str, Any]]:
    listed = both.operator.get("/admin/applications").json()["applications"]
    return next(entry["keys"] for entry in listed if entry["id"] == application)


def test_a_key_is_shown_to_whoever_makes_it_and_never_again(both: Both) -> None:
    body, key = {**ANN, "name": "Chess club"}, {"Idempotency-Key": str(uuid4())}
    first = done(both.operator.post("/admin/applications", json=body, headers=key))
    repeated = done(both.operator.post("/admin/applications", json=body, headers=key))
    assert repeated == first, "a request whose answer was lost gets it"
    assert first["key"].startswith("p10k_")
    listed = both.operator.get("/admin/applications")
    recorded = both.operator.get("/admin/events")
    assert first["key"] not in listed.text + recorded.text
    (shown,) = keys_of(both, first["application"])
    assert shown["id"] == public_id(digest(first["key"]))
    assert (shown["scopes"], shown["is_valid"]) == ([*SCOPES], True)
    event = both.record()[-1]
    assert (event["action"], event["actor"]) == ("make_application", "ann")
    assert event["details"] == {"name": "Chess club", "scopes": " ".join(SCOPES)}
    taken = both.operator.post("/admin/applications", json=body)
    problem(taken, 409, "application_name_taken")


@looped(
    "wrong",
    [{"name": ""}, {"name": "a\n"}, {"scopes": []}, {"scopes": ["all"]}, {"name": "x" * 41}],
)
def test_no_application_is_made_of_a_wrong_request(both: Both, wrong: dict[str, Any]) -> None:
    before = both.operator.get("/admin/applications").json()
    body = {**ANN, "name": "Wrong", **wrong}
    problem(both.operator.post("/admin/applications", json=body), 400, "invalid_body")
    assert both.operator.get("/admin/applications").json() == before


def test_other_keys_end_after_a_rotation_and_all_at_a_revocation(both: Both) -> None:
    first = make(both)
    path = f"/admin/applications/{first['application']}"
    kept = done(both.operator.post(f"{path}/keys", json={**ANN, "keep": 1}))
    for key in (first["key"], kept["key"]):
        assert both.api.get("/application", headers=bearer(key)).status_code == 200
    last = done(both.operator.post(f"{path}/keys", json={**ANN, "keep": 0, "scopes": ["read"]}))
    for key in (first["key"], kept["key"]):
        problem(both.api.get("/application", headers=bearer(key)), 401, "token_revoked")
    shown = both.api.get("/application", headers=bearer(last["key"])).json()
    assert (shown["id"], shown["scopes"]) == (first["application"], ["read"])
    assert both.operator.post(f"{path}/revoke", json=ANN).status_code == 200
    problem(both.api.get("/application", headers=bearer(last["key"])), 401, "token_revoked")
    assert not any(key["is_valid"] for key in keys_of(both, first["application"]))
    for path in (f"/admin/applications/{uuid4()}", f"/admin/applications/{'0' * 16}"):
        problem(both.operator.post(f"{path}/revoke", json=ANN), 404, "no_such_application")
    missing = both.operator.post(f"/admin/applications/{uuid4()}/keys", json=ANN)
    problem(missing, 404, "no_such_application")


def test_a_rotation_keeps_the_scopes_unless_it_names_others(both: Both) -> None:
    first = make(both, scopes=["read"])
    path = f"/admin/applications/{first['application']}/keys"
    for more, scopes in (({}, ["read"]), ({"scopes": ["open"]}, ["open"]), ({}, ["open"])):
        key = done(both.operator.post(path, json={**ANN, **more}))["key"]
        assert both.api.get("/application", headers=bearer(key)).json()["scopes"] == scopes


def test_a_late_repetition_of_a_rotation_ends_no_newer_key(both: Both) -> None:
    path = f"/admin/applications/{make(both)['application']}/keys"
    earlier = {"json": {**ANN, "keep": 0}, "headers": {"Idempotency-Key": str(uuid4())}}
    done(both.operator.post(path, **earlier))
    newest = done(both.operator.post(path, json={**ANN, "keep": 0}))["key"]
    both.operator.post(path, **earlier)
    assert both.api.get("/application", headers=bearer(newest)).status_code == 200


def test_one_key_is_ended_by_its_public_id(both: Both) -> None:
    first = make(both)
    path = f"/admin/applications/{first['application']}/keys"
    other = done(both.operator.post(path, json={**ANN, "keep": 1}))["key"]
    named = f"/admin/applications/{public_id(digest(first['key']))}/revoke"
    assert both.operator.post(named, json=ANN).status_code == 200
    problem(both.api.get("/application", headers=bearer(first["key"])), 401, "token_revoked")
    assert both.api.get("/application", headers=bearer(other)).status_code == 200


def test_a_scope_that_a_key_lacks_is_named(both: Both) -> None:
    key = make(both, scopes=["open"])["key"]
    opened = done(both.api.post("/games", json=TABLE, headers=bearer(key)))
    listed = both.api.get("/application/tables", headers=bearer(key))
    assert problem(listed, 403, "scope_missing").detail.endswith(": it lacks read.")
    read = both.api.get(f"/games/{opened['game']}", headers=bearer(key))
    assert problem(read, 403, "scope_missing").detail.endswith(": it lacks read.")
    reader = make(both, scopes=["read"])["key"]
    refused = both.api.post("/games", json=TABLE, headers=bearer(reader))
    assert problem(refused, 403, "scope_missing").detail.endswith(": it lacks open.")


def test_a_key_that_is_none_opens_nothing(both: Both) -> None:
    key = make(both)["key"]
    for shown, code in (
        (key[:-1], "token_mistyped"),
        (key[:-1] + ("0" if key[-1] != "0" else "1"), "token_mistyped"),
    ):
        problem(both.api.post("/games", json=TABLE, headers=bearer(shown)), 401, code)
    host = done(both.api.post("/games", json=TABLE))["host_token"]
    assert both.api.post("/games", json=TABLE, headers=bearer(host)).status_code == 201
    problem(both.api.get("/application", headers=bearer(host)), 401, "application_key_needed")


def test_tables_are_the_applications_own(both: Both) -> None:
    """It reads them as their host does, gets the host's token anew, and nobody else does."""
    key, stranger = make(both)["key"], make(both)["key"]
    private = {**TABLE, "terms": {"private": True, "spectators": "none"}}
    opened = done(both.api.post("/games", json=private, headers=bearer(key)))
    path = f"/games/{opened['game']}"
    assert both.api.get(path, headers=bearer(key)).status_code == 200
    problem(both.api.get(path, headers=bearer(stranger)), 404, "no_such_game")
    tokens = f"{path}/tokens"
    problem(both.api.post(tokens, json={}, headers=bearer(stranger)), 404, "no_such_game")
    problem(both.api.post(f"{path}/start", headers=bearer(key)), 403, "table_token_needed")
    fresh = done(both.api.post(tokens, json={}, headers=bearer(key)))["token"]
    assert fresh != opened["host_token"]
    for token in (fresh, opened["host_token"]):
        filled = both.api.post(f"{path}/fill", json={}, headers=bearer(token))
        assert filled.status_code in (200, 409)
    assert both.api.post(f"{path}/void", json={"reason": "x"}, headers=bearer(fresh)).is_success
    rematch = done(both.api.post(f"{path}/rematch", json={}, headers=bearer(fresh)))
    listed = both.api.get("/application/tables", headers=bearer(key)).json()["tables"]
    assert [row["game"] for row in listed] == [rematch["game"], opened["game"]], (
        "a rematch is the application's too"
    )
    assert both.api.get("/application/tables", headers=bearer(stranger)).json()["tables"] == []


def test_the_host_that_the_operator_has_revoked_gets_no_other_token(both: Both) -> None:
    key = bearer(make(both)["key"])
    game = done(both.api.post("/games", json=TABLE, headers=key))["game"]
    assert both.operator.post(f"/admin/games/{game}/host/revoke", json=ANN).is_success
    done(sit(both.api, game, name="Ada"))
    problem(both.api.post(f"/games/{game}/tokens", json={}, headers=key), 409, "no_fresh_token")


def test_a_rematch_that_is_refused_is_in_no_list(both: Both) -> None:
    key = bearer(make(both)["key"])
    opened = done(both.api.post("/games", json=TABLE, headers=key))
    host = bearer(opened["host_token"])
    refused = both.api.post(f"/games/{opened['game']}/rematch", json={}, headers=host)
    problem(refused, 409, "not_over")
    listed = both.api.get("/application/tables", headers=key).json()["tables"]
    assert [row["game"] for row in listed] == [opened["game"]]


def test_an_ended_key_is_told_so_wherever_it_is_shown(both: Both) -> None:
    made_one = make(both)
    key = bearer(made_one["key"])
    game = done(both.api.post("/games", json=TABLE, headers=key))["game"]
    revoke = f"/admin/applications/{made_one['application']}/revoke"
    assert both.operator.post(revoke, json=ANN).is_success
    problem(both.api.post(f"/games/{game}/start", headers=key), 401, "token_revoked")
    problem(both.api.get(f"/games/{game}", headers=key), 401, "token_revoked")


def test_a_stream_of_an_application_ends_with_its_key(both: Both) -> None:
    made_one = make(both)
    key = bearer(made_one["key"])
    game = done(both.api.post("/games", json=TABLE, headers=key))["game"]
    asking = {"Accept": "text/event-stream", **key}
    with both.api.stream("GET", f"/games/{game}/events", headers=asking) as stream:
        lines = stream.iter_lines()
        assert "event: state" in (next(lines), next(lines), next(lines), next(lines))
        revoke = f"/admin/applications/{made_one['application']}/revoke"
        assert both.operator.post(revoke, json=ANN).is_success
        done(sit(both.api, game, name="Ada"))
        rest = [*lines]
    assert "event: closed" in rest
    assert any('"token_revoked"' in line for line in rest)


def test_the_list_of_tables_goes_on_from_page_to_page(both: Both) -> None:
    key = make(both)["key"]
    opened = [done(both.api.post("/games", json=TABLE, headers=bearer(key)))["game"] for _ in "abc"]
    first = both.api.get("/application/tables", params={"limit": 2}, headers=bearer(key)).json()
    more = {"limit": 2, "cursor": first["next"]}
    last = both.api.get("/application/tables", params=more, headers=bearer(key)).json()
    games = [row["game"] for page in (first, last) for row in page["tables"]]
    assert (games, last["next"]) == (opened[::-1], None)


def test_two_applications_may_use_one_idempotency_key(both: Both) -> None:
    idempotent = {"Idempotency-Key": str(uuid4())}
    mine, theirs = (bearer(make(both)["key"]) | idempotent for _ in range(2))
    first = done(both.api.post("/games", json=TABLE, headers=mine))
    assert done(both.api.post("/games", json=TABLE, headers=mine)) == first
    games = {
        first["game"],
        done(both.api.post("/games", json=TABLE, headers=theirs))["game"],
        done(both.api.post("/games", json=TABLE, headers=idempotent))["game"],
    }
    assert len(games) == 3


def test_limits_are_the_applications_and_not_its_addresss(settings: Settings) -> None:
    limits = {"read_rate": 1.0, "write_rate": 1.0, "burst_seconds": 1.0, "address_share": 1}
    with running(in_postgres(settings), application_share=3, **limits) as both:
        key = bearer(make(both)["key"])
        answers = [both.api.get("/application", headers=key) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[0].headers["ratelimit-policy"].startswith('"application-reads";q=3;')
        anybody = both.api.get("/rulesets")
        assert anybody.status_code == 200, "the address has its own"
        assert anybody.headers["ratelimit-policy"].startswith('"address-reads"')


def test_quotas_of_tables_are_the_applications(settings: Settings) -> None:
    with running(
        in_postgres(settings), write_rate=10.0, tables_per_write=0.1, application_share=2
    ) as both:
        done(both.api.post("/games", json=TABLE))
        refused = problem(both.api.post("/games", json=TABLE), 429, "too_many_tables")
        assert refused.whose == "address"
        key = bearer(make(both)["key"])
        for _ in range(2):
            done(both.api.post("/games", json=TABLE, headers=key))
        refused = problem(both.api.post("/games", json=TABLE, headers=key), 429, "too_many_tables")
        assert refused.whose == "application"


def test_only_applications_open_tables_where_the_operator_says_so(settings: Settings) -> None:
    with running(in_postgres(settings)) as both:
        earlier = done(both.api.post("/games", json={**TABLE, "seats": [BOT, PERSON]}))
    with running(in_postgres(settings), openers="applications") as both:
        refused = both.api.post("/games", json=TABLE)
        problem(refused, 401, "application_key_needed")
        assert refused.headers["www-authenticate"] == 'Bearer realm="phaseledger"'
        opened = done(both.api.post("/games", json=TABLE, headers=bearer(make(both)["key"])))
        done(sit(both.api, opened["game"], name="Ada"))  # people join without one
        path, host = f"/games/{earlier['game']}", bearer(earlier["host_token"])
        done(sit(both.api, earlier["game"], name="Ada"))
        done(both.api.post(f"{path}/start", headers=host))
        done(both.api.post(f"{path}/void", json={"reason": "x"}, headers=host))
        done(both.api.post(f"{path}/rematch", json={}, headers=host))  # of an earlier table


@looped(
    ("given", "opens"),
    [
        ({}, True),
        ({"host": "localhost"}, True),
        ({"host": "::1"}, True),
        ({"host": "0.0.0.0"}, False),
        ({"host": "cards.example"}, False),
        ({"host": "0.0.0.0", "openers": "everyone"}, True),
        ({"openers": "applications"}, False),
    ],
)
def test_everyone_opens_tables_on_ones_own_machine(given: dict[str, Any], opens: bool) -> None:
    assert Settings(**given).opens_to_everyone is opens


async def test_another_process_learns_of_keys_and_of_their_end(settings: Settings) -> None:
    stores = [Applications(settings.database_url, schema=settings.schema) for _ in range(2)]
    for store in stores:
        await store.open()
    try:
        application = uuid4()
        await stores[0].register(application, f"Club {application}"[:40])
        key = await stores[0].issue(application, ("open",), application)
        assert (await stores[1].find(key)).id == application
        await stores[0].revoke(str(application))
        await comes_about(lambda: asyncio.to_thread(stores[1].valid, key), lambda shown: not shown)
    finally:
        for store in stores:
            await store.close()


def test_a_guessed_key_has_no_bucket_of_its_own(settings: Settings) -> None:
    """Each would have as many requests as an application, from one address."""
    limits = {"read_rate": 1.0, "write_rate": 1.0, "burst_seconds": 1.0, "address_share": 1}
    key = made(settings)
    with running(in_postgres(settings), application_share=100, **limits) as both:
        shown = eventually(
            lambda: both.api.get("/application", headers=bearer(key)),
            lambda answer: answer.status_code == 200,
        )
        assert "application-reads" in shown.headers["ratelimit-policy"]
        with httpx2.Client(base_url=both.api.base_url) as api:
            body = "p10k_" + "a" * 64
            forged = bearer(f"{body}{zlib.crc32(body.encode()):08x}")
            answers = [api.get("/application", headers=forged) for _ in range(3)]
            assert [answer.status_code for answer in answers][-1] == 429
