"""Metrics, readiness and security headers: what they tell, and that it is no secret."""

import asyncio
import re
from http import HTTPStatus
from typing import Any, get_args
from uuid import uuid4

import httpx2
import psycopg
from prometheus_client.parser import text_string_to_metric_families
from psycopg.sql import SQL, Composed, Identifier
from structlog.testing import capture_logs

from phaseledger.domain.commands import Command
from phaseledger.service.api.operator.actions import ACTIONS
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.api.stack import Stack
from phaseledger.service.app import in_postgres, routes
from phaseledger.service.runtime import request_metrics
from phaseledger.service.schemas.problem import Problem
from phaseledger.service.settings import Settings
from tests.support.service.api_tables import BOT, KEY, PERSON, bearer, mover, started
from tests.support.service.bare_requests import SCOPE
from tests.support.service.memory_ledger import in_memory
from tests.support.service.operator import ANN, Both
from tests.support.service.problems import problem
from tests.support.service.secret_markers import BROUGHT, require_none
from tests.support.service.server import FREE, Served, serving

DRAW = {"type": "draw"}
CHECKS = {"database", "projections", "log_key", "commands", "writer", "clock"}


def sample(both: Both, name: str, **labels: str) -> float:
    """The value of one series, 0 where there is none yet."""
    text = both.operator.get("/metrics").text
    for family in text_string_to_metric_families(text):
        for series in family.samples:
            if series.name == name and series.labels == labels:
                return series.value
    return 0.0


def test_commands_are_counted_by_what_became_of_them(both: Both) -> None:
    table = started(both.api)
    seat, version = mover(table), table.version()

    def count() -> dict[str, float]:
        name = "phaseledger_commands_total"
        outcomes = (
            *("stored", "repeated", "rejected", "denied"),
            *("stale_version", "idempotency_mismatch"),
        )
        return {outcome: sample(both, name, type="draw", outcome=outcome) for outcome in outcomes}

    before = count()
    problem(table.send(seat, DRAW, If_Match='"1"'), 412, "stale_version")
    problem(table.send(1 - seat, DRAW), 409, "not_your_turn")
    assert table.send(seat, DRAW, Idempotency_Key=KEY).status_code == 200
    assert table.send(seat, DRAW, Idempotency_Key=KEY).status_code == 200
    other = {"type": "draw", "source": "discard"}
    problem(table.send(seat, other, Idempotency_Key=KEY), 422, "idempotency_mismatch")
    assert both.api.post(f"{table.path}/leave", headers=bearer(table.tokens[seat])).is_success
    problem(table.send(seat, DRAW), 403, "seat_handed_over")
    more = {outcome: number - before[outcome] for outcome, number in count().items()}
    # Bots of other games in this process may draw at the same time.
    assert more.pop("stored") >= 1
    assert more == dict.fromkeys(more, 1.0)
    assert table.version() > version


def test_appends_problems_and_the_log_are_measured(both: Both) -> None:
    def look() -> dict[str, float]:
        names = ("seconds_count", "batch_commands_sum", "batch_events_sum")
        appends = {name: sample(both, f"phaseledger_append_{name}") for name in names}
        code = sample(both, "phaseledger_problems_total", code="no_such_ruleset")
        return {**appends, "no_such_ruleset": code}

    before = look()
    table = started(both.api)
    problem(both.api.get("/rulesets/chess"), 404, "no_such_ruleset")
    after = look()
    assert after["seconds_count"] - before["seconds_count"] == 4
    assert after["batch_commands_sum"] - before["batch_commands_sum"] == 4
    assert after["batch_events_sum"] - before["batch_events_sum"] == table.version()
    assert after["no_such_ruleset"] - before["no_such_ruleset"] == 1
    assert sample(both, "phaseledger_log_position") == table.version()
    assert table.get("/table", at_least=table.version()).status_code == 200
    assert sample(both, "phaseledger_projection_lag_events") == 0
    for check in CHECKS:
        assert sample(both, "phaseledger_ready", check=check) == 1
    both.operator.post("/admin/drain", json=ANN)
    assert sample(both, "phaseledger_ready", check="commands") == 0


METHODS = {*request_metrics.METHODS, request_metrics.NONE}
ROUTES = {
    request_metrics.NONE,
    *(route.path_format for route in routes(in_memory(), FREE).routes),
    *(re.sub(r":\w+", "", f"/admin{path}") for action in ACTIONS for path in action.paths),
}
BOUNDED: dict[str, dict[str, set[str]]] = {
    "phaseledger_commands": {
        "type": {str(command.__struct_config__.tag) for command in get_args(Command)},
        "outcome": {"stored", "repeated", "rejected", "stale_version", "idempotency_mismatch"}
        | {"bad_signature", "denied", "no_such_game", "table_full", "unavailable", "archived"}
        | {"set_aside", "failed"},
    },
    "phaseledger_problems": {"code": {*REFUSALS}},
    "phaseledger_webhook_attempts": {"outcome": {"delivered", "failed", "gone", "postponed"}},
    "phaseledger_ready": {"check": CHECKS},
    "phaseledger_http_request_seconds": {"method": METHODS, "route": ROUTES},
    "phaseledger_http_requests": {
        "method": METHODS,
        "route": ROUTES,
        "status": {str(status.value) for status in HTTPStatus},
    },
    "phaseledger_pool_connections": {"state": {"used", "idle"}},
}
"""All values that the labels of a family may have, whoever plays and whatever is sent. Other tests
of this process may have left any of them; a family that is not here has no label.
"""


def test_answers_are_counted_by_route_and_health_checks_are_not(both: Both) -> None:
    at = {"method": "GET", "route": "/v1/games/{game}/scoreboard"}

    def counts() -> tuple[float, float, float]:
        name = "phaseledger_http_requests_total"
        latency = sample(both, "phaseledger_http_request_seconds_count", **at)
        return latency, *(sample(both, name, **at, status=status) for status in ("200", "404"))

    table, before = started(both.api), counts()
    assert table.get("/scoreboard").status_code == 200
    problem(both.api.get(f"/games/{uuid4()}/scoreboard"), 404, "no_such_game")
    assert [more - less for more, less in zip(counts(), before, strict=True)] == [2, 1, 1]
    both.api.get("../health/ready")
    assert "/health" not in both.operator.get("/metrics").text


def test_no_label_grows_and_no_secret_is_told(both: Both) -> None:
    body = {"ruleset": "classic", "seats": [PERSON, PERSON, BOT]}
    opened = both.api.post("/games", json=body, headers={"Idempotency-Key": KEY})
    game, host = opened.json()["game"], opened.json()["host_token"]
    tokens = [
        both.api.post(f"/games/{game}/seats", json={"name": f"CanaryName{n}"}).json()["token"]
        for n in range(2)
    ]
    both.api.post(f"/games/{game}/start", headers=bearer(host))
    for token in ("nonsense", "p10s_canary", *tokens):
        for path in ("", "/actions", "/canary-path", "/events?limit=canary"):
            both.api.get(f"/games/{game}{path}", headers=bearer(token))
        for sent in (DRAW, {"type": "canary"}, {"type": "reveal_secret", "secret": BROUGHT}):
            both.api.post(f"/games/{game}/commands", json=sent, headers=bearer(token))
        both.api.request("CANARY", f"/games/{game}")
    both.operator.post(f"/admin/games/{game}/void", json={"actor": "canary", "reason": "canary"})
    text = both.operator.get("/metrics").text
    for family in text_string_to_metric_families(text):
        for series in family.samples:
            for label, value in series.labels.items():
                if family.name.startswith("phaseledger_") and label != "le":
                    assert value in BOUNDED[family.name][label], (family.name, label, value)
    assert "canary" not in text.lower()
    assert game not in text
    secrets = {
        "a key": KEY,
        "the host's token": host,
        **{f"token {n}": t for n, t in enumerate(tokens)},
    }
    require_none(secrets, text, "the metrics")


# --- readiness ------------------------------------------------------------------------------------


def _checks(unready: Problem) -> dict[str, tuple[bool, str]]:
    assert unready.checks is not None
    return {name: (check.ok, check.reason) for name, check in unready.checks.named()}


def _ready(url: str) -> Problem:
    return problem(httpx2.get(f"{url}/health/ready", timeout=None), 503, "not_ready")


def test_each_check_fails_by_itself(settings: Settings) -> None:
    """Views that are too far behind, and a log that nobody signs, with all others well."""
    parts = in_postgres(settings)._replace(follow=None)
    with (
        serving(parts, ready_lag=3) as served,
        httpx2.Client(base_url=f"{served.url}/v1") as client,
    ):
        assert httpx2.get(f"{served.url}/health/ready").status_code == 200
        table = started(client)
        with capture_logs() as lines:
            for _ in range(3):
                shown = httpx2.get(f"{served.url}/health/ready", timeout=None).raise_for_status()
        named = shown.json()["checks"].items()
        behind = {name: (check["ok"], check["reason"]) for name, check in named}
        (failing,) = (line["failing"] for line in lines if line["log_level"] == "error")
        assert list(failing) == ["projections"], "once, however often somebody asks"
        version = table.version()
        assert behind.pop("projections") == (
            False,
            f"the views are {version} events behind; 3 are allowed",
        )
        assert behind == dict.fromkeys(CHECKS - {"projections"}, (True, ""))


def _renamed(settings: Settings, name: str, new: str) -> Composed:
    """The statement that renames a table, or a view."""
    return SQL("ALTER TABLE {} RENAME TO {}").format(
        Identifier(settings.schema, name), Identifier(new)
    )


def test_a_database_that_is_away_is_told_apart_and_nothing_is_lost(settings: Settings) -> None:
    """The log is gone for a while: 503 with Retry-After everywhere, then all is there."""
    names = ("stored_events", "logged_events")
    away = SQL("; ").join(_renamed(settings, name, f"{name}_elsewhere") for name in names)
    back = SQL("; ").join(_renamed(settings, f"{name}_elsewhere", name) for name in names)
    with (
        serving(in_postgres(settings)) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
        psycopg.connect(settings.database_url, autocommit=True) as conn,
    ):
        table = started(client)
        seat, version = mover(table), table.version()
        conn.execute(away)
        try:
            checks = _checks(_ready(served.url))
            assert not checks["database"][0]
            assert not checks["projections"][0]
            assert checks["log_key"] == (True, "")
            assert checks["commands"] == (True, "")
            for refused in (
                table.send(seat, DRAW, Idempotency_Key=KEY),
                client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]}),
                table.get(),
            ):
                problem(refused, 503, "store_unavailable")
                assert int(refused.headers["retry-after"]) > 0
        finally:
            conn.execute(back)
        assert table.version() == version
        assert table.send(seat, DRAW, Idempotency_Key=KEY).status_code == 200


# --- security headers -----------------------------------------------------------------------------


def test_every_answer_has_security_headers(client: httpx2.Client, served: Served) -> None:
    for answer in (
        started(client).get(seat=0),
        client.get("/nothing"),
        client.request("OPTIONS", "/games"),
        client.head("/rulesets"),
        client.post("/games", content=b"{"),
        client.get("/openapi.json"),
        httpx2.get(f"{served.url}/health/live"),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        policies = answer.headers.get_list("content-security-policy")
        assert policies == ["default-src 'none'; frame-ancestors 'none'"]
        assert "strict-transport-security" not in answer.headers


def test_a_routes_own_header_goes_first() -> None:
    sent: list[Any] = []

    async def page(scope: Any, receive: Any, send: Any) -> None:
        own = [(b"Content-Security-Policy", b"script-src 'self'")]
        await send({"type": "http.response.start", "status": 200, "headers": own})

    async def send(message: Any) -> None:
        sent.append(message)

    unused: Any = None
    asyncio.run(Stack(page)({**SCOPE}, unused, send))
    names = [name.lower() for name, _ in sent[0]["headers"]]
    assert names.count(b"content-security-policy") == 1
    assert b"x-content-type-options" in names
