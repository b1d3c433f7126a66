"""Limits: token buckets, whom they belong to, what is told of them, and that memory is bounded."""

import asyncio
import re
from contextlib import AbstractContextManager
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.service.api import health_monitor
from phaseledger.service.api.health_monitor import HealthMonitor
from phaseledger.service.api.limits.rates import (
    BYTES_A_MILLISECOND,
    WORK_UNIT,
    Limits,
    Policies,
    limits,
)
from phaseledger.service.api.requests.client_address import client
from phaseledger.service.api.stack import Stack
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.settings import Settings, SettingsError
from tests.support.cases import looped
from tests.support.polling import eventually
from tests.support.service.api_tables import bearer, open_table
from tests.support.service.bare_requests import SCOPE, keep_busy, no_body
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import client_over


def test_a_bucket_fills_at_its_rate() -> None:
    policy = RateLimitPolicy("p", rate=2, burst=3)
    left = [policy.take(b"a", 100.0) for _ in range(4)]
    assert [(turn.remaining, turn.wait) for turn in left] == [(2, 0), (1, 0), (0, 0), (0, 0.5)]
    assert [turn.full_in for turn in left] == [0.5, 1.0, 1.5, 1.5]
    assert policy.take(b"b", 100.0).wait == 0, "each key has its own"
    assert policy.take(b"a", 100.4).wait == pytest.approx(0.1)
    assert policy.take(b"a", 100.5).wait == 0
    assert policy.take(b"a", 100.5).wait == pytest.approx(0.5), "being refused costs nothing"
    assert policy.take(b"a", 1000.0).remaining == 2, "it holds no more than its burst"


def test_a_rate_below_one_a_second() -> None:
    policy = RateLimitPolicy("p", rate=0.1, burst=1)
    assert policy.field == '"p";q=1;w=10'
    assert policy.take(b"a", 0.0).wait == 0
    assert policy.take(b"a", 4.0).wait == pytest.approx(6.0)
    assert policy.take(b"a", 10.0).wait == 0


def test_the_memory_of_buckets_is_bounded() -> None:
    """The longest unused goes first; whoever is at it all the time is not forgotten."""
    policy = RateLimitPolicy("p", rate=0.001, burst=100_000, capacity=10)
    for number in range(1000):
        policy.take(b"%d" % number, 0.0)
        rest = policy.take(b"busy", 0.0).remaining
    assert (len(policy._full_at), rest) == (10, 99_000)


def test_work_is_charged_afterwards_and_may_overdraw() -> None:
    policy = RateLimitPolicy("p", rate=500, burst=1000)
    assert policy.look(b"a", 0.0) == ("p", 1000, 0, 0)
    policy.charge(b"a", 600, 0.0)
    assert policy.look(b"a", 0.0) == ("p", 400, 1.2, 0)
    policy.charge(b"a", 5_000, 0.0)
    left = policy.look(b"a", 0.0)
    assert (left.remaining, left.wait) == (0, pytest.approx(9.2))
    assert policy.look(b"b", 0.0).wait == 0, "each key has its own"
    assert policy.look(b"a", 9.3).wait == 0
    assert policy.look(b"a", 20.0).remaining == 1000


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 3_000)), max_size=60))
def test_no_key_gets_more_work_than_its_share(requests: list[tuple[float, float]]) -> None:
    """Law: up to any time it got its burst, what has filled up since, and one request more."""
    policy = RateLimitPolicy("p", rate=500, burst=1000)
    now = work = largest = 0.0
    for pause, cost in requests:
        now += pause
        if not policy.look(b"a", now).wait:
            policy.charge(b"a", cost, now)
            work += cost
            largest = max(largest, cost)
        assert work <= 1000 + 500 * now + largest + 1e-3


# --- who asks -------------------------------------------------------------------------------------

PROXIES = limits(Settings(trusted_proxies="10.0.0.0/8 192.0.2.1 2001:db8:ff::/48"))


@looped(
    ("peer", "values", "address"),
    [
        ("203.0.113.9", "198.51.100.7", "203.0.113.9"),  # no trusted proxy
        ("10.1.1.1", "198.51.100.7", "198.51.100.7"),
        ("10.1.1.1", "1.1.1.1, 198.51.100.7", "198.51.100.7"),  # made up
        ("10.1.1.1", "1.1.1.1|198.51.100.7", "198.51.100.7"),  # in two lines
        ("10.1.1.1", "1.1.1.1, 198.51.100.7, 192.0.2.1", "198.51.100.7"),
        ("10.1.1.1", "10.2.2.2, 10.3.3.3", "10.2.2.2"),
        ("10.1.1.1", "", "10.1.1.1"),
        ("10.1.1.1", "nonsense", "10.1.1.1"),
        ("10.1.1.1", "198.51.100.7, nonsense", "10.1.1.1"),
        ("10.1.1.1", "198.51.100.7:4711", "198.51.100.7"),
        ("10.1.1.1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("10.1.1.1", "2001:db8::7", "2001:db8::7"),
        ("::ffff:10.1.1.1", "::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:ff::1", "198.51.100.7", "198.51.100.7"),
        ("no address", "198.51.100.7", "None"),
        ("", "", "None"),
    ],
)
def test_only_trusted_proxies_say_for_whom_they_ask(peer: str, values: str, address: str) -> None:
    """`Forwarded` comes from the client, and is not read."""
    assert PROXIES is not None
    lines = [(b"x-forwarded-for", value.encode()) for value in values.split("|")]
    for forged in ([], [(b"forwarded", b"for=9.9.9.9")]):
        scope: Any = {"client": (peer, 1) if peer else None, "headers": lines + forged}
        assert str(client(scope, PROXIES.proxies)) == address


def test_settings_of_limits() -> None:
    assert Settings().join_guesses > 0
    assert limits(Settings(read_rate=0, write_rate=0)) is None
    usual = limits(Settings(read_rate=0))
    assert usual is not None
    assert usual.reads is None
    assert [policy.field for policy in usual.work or ()] == [
        '"address-work";q=10000;w=20;qu="work-milliseconds"',
        '"token-work";q=10000;w=20;qu="work-milliseconds"',
        '"application-work";q=200000;w=20;qu="work-milliseconds"',
    ]
    only = limits(Settings(read_rate=0, write_rate=0.5, burst_seconds=6, address_share=4))
    assert only is not None
    assert [policy.field for policy in only.writes or ()] == [
        '"address-writes";q=12;w=6',
        '"token-writes";q=3;w=6',
        '"application-writes";q=240;w=6',
    ]
    with pytest.raises(SettingsError, match=r"PHASELEDGER_TRUSTED_PROXIES.*'proxy.example'"):
        limits(Settings(trusted_proxies="10.0.0.1 proxy.example"))


# --- over HTTP ------------------------------------------------------------------------------------


def limited(given: Limits, **options: Any) -> AbstractContextManager[httpx2.Client]:
    return client_over(in_memory(), limits=given, **options)


CALLERS = ("address", "token", "application")


def _policies(kind: str, burst: int, share: int = 100) -> Policies:
    slow = 0.001  # a second: nothing fills up during a test
    shares = dict(zip(CALLERS, (share, 1, share), strict=True))
    return Policies(
        *(
            RateLimitPolicy(f"{whose}-{kind}", slow * times, burst * times)
            for whose, times in shares.items()
        )
    )


SAID = re.compile(r'"token-reads";r=(\d+);t=\d+$')


def test_a_token_runs_out_and_is_told_so() -> None:
    with limited(Limits(_policies("reads", 3), _policies("writes", 3))) as client:
        table = open_table(client)
        allowed = [table.get(seat=0) for _ in range(3)]
        assert {answer.headers["ratelimit-policy"] for answer in allowed} == {
            '"address-reads";q=300;w=3000, "token-reads";q=3;w=3000'
        }
        refused = table.get(seat=0)
        remaining = [SAID.findall(answer.headers["ratelimit"]) for answer in (*allowed, refused)]
        assert remaining == [["2"], ["1"], ["0"], ["0"]]
        problem(refused, 429, "too_many_requests")
        assert 900 < int(refused.headers["retry-after"]) <= 1000
        assert refused.headers["x-content-type-options"] == "nosniff"
        assert refused.headers["x-request-id"] == refused.json()["request_id"]
        assert table.get(seat=1).status_code == 200, "another token has its own"
        assert table.get().status_code == 200, "and so has the address"
        assert table.send(0, {"type": "pass"}).status_code == 409, "and so have writes"
        for headers in ({}, bearer("no token"), {"Authorization": f"Basic {table.tokens[0]}"}):
            missing = client.get("/nothing", headers=headers)
            problem(missing, 404, "not_found")
            assert missing.headers["ratelimit-policy"] == '"address-reads";q=300;w=3000'


def test_an_address_runs_out_whatever_tokens_it_shows() -> None:
    """Behind a trusted proxy each client has its own; a customer has 64 bits of addresses."""
    loopback = limits(Settings(trusted_proxies="127.0.0.1"))
    assert loopback is not None
    given = Limits(_policies("reads", 1_000, 1), _policies("writes", 1, 1), loopback.proxies)
    with limited(given) as client:

        def ask(forwarded: str, token: str = "") -> int:
            headers = {"X-Forwarded-For": forwarded} | (bearer(token) if token else {})
            return client.post("/games", json={}, headers=headers).status_code

        assert [ask("198.51.100.7"), ask("198.51.100.7"), ask("198.51.100.8")] == [400, 429, 400]
        assert ask("203.0.113.5, 198.51.100.7") == 429, "what a client writes itself is nothing"
        assert ask("198.51.100.7", "p10s_" + "0" * 72) == 429
        assert [ask(f"2001:db8:0:1::{subnet}") for subnet in "12"] == [400, 429]
        assert client.get("/rulesets", headers={"X-Forwarded-For": "198.51.100.7"}).is_success


def test_health_checks_have_a_share_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the work that one counts as. This machine and the proxies themselves have no limit."""
    reads, proxies = _policies("reads", 1_000, 1), limits(Settings(trusted_proxies="127.0.0.1"))
    assert proxies is not None
    looks, look = list[None](), HealthMonitor.look
    monkeypatch.setattr(HealthMonitor, "look", lambda self: looks.append(None) or look(self))
    monkeypatch.setattr(health_monitor, "SHARED", 1e9)
    with limited(Limits(reads, None, proxies.proxies, work=_work(50))) as client:

        def ask(path: str, method: str = "GET", address: str = "198.51.100.7") -> int:
            url = f"{str(client.base_url).removesuffix('/v1/')}{path}"
            headers = {"X-Forwarded-For": address} if address else {}
            return client.request(method, url, headers=headers).status_code

        probes = [ask(path, "HEAD") for path in 3 * ("/health/live", "/health/ready")]
        assert (probes[0], probes[-1], ask("/health/live")) == (200, 429, 429)
        assert ask("/v1/rulesets") == ask("/health/ready", address="198.51.100.8") == 200
        assert len(looks) == 1, "one look for all"
        assert [ask("/health/ready", address="") for _ in range(9)] == [200] * 9
    with limited(Limits(reads, None, work=_work(50))) as client:
        assert [ask("/health/ready", address="") for _ in range(9)] == [200] * 9
        proxied = [ask("/health/ready") for _ in range(6)]
        assert (proxied[0], proxied[-1]) == (200, 429), "a proxy that has no name here"


def test_preflights_are_work() -> None:
    preflight = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}
    given = Limits(_policies("reads", 1_000, 1), None, work=_work(20))
    with limited(given, allowed_origins="*") as client:
        for _ in range(12):
            assert client.options("/nothing", headers=preflight).status_code == 204
        refused = client.get("/rulesets", headers=preflight)
        assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (429, "*")


def _work(burst: int) -> Policies:
    return Policies(
        *(RateLimitPolicy(f"{whose}-work", 0.001, burst, unit=WORK_UNIT) for whose in CALLERS)
    )


def test_who_costs_too_much_waits_and_others_do_not() -> None:
    """The description of the API is long: as many bytes as several milliseconds of work."""
    proxies = limits(Settings(trusted_proxies="127.0.0.1"))
    assert proxies is not None
    reads = _policies("reads", 1_000, 1)
    with limited(Limits(reads, None, proxies.proxies, work=_work(40))) as client:

        def ask(address: str) -> httpx2.Response:
            return client.get("/openapi.json", headers={"X-Forwarded-For": address})

        answers = eventually(
            lambda: ask("198.51.100.7"), lambda answer: answer.status_code == 429, seconds=60
        )
        problem(answers, 429, "too_many_requests")
        assert int(answers.headers["retry-after"]) >= 1
        assert answers.headers["ratelimit-policy"] == (
            '"address-reads";q=1000;w=1000000, "address-work";q=40;w=40000;qu="work-milliseconds"'
        )
        assert '"address-work";r=0;t=' in answers.headers["ratelimit"]
        allowed = ask("198.51.100.8")
        assert (allowed.status_code, "work" in allowed.headers["ratelimit"]) == (200, False)
        live = f"{str(client.base_url).removesuffix('/v1/')}/health/live"
        headers = {"X-Forwarded-For": "198.51.100.7"}
        assert client.get(live, headers=headers).status_code == 200


def test_a_token_has_one_budget_at_all_addresses() -> None:
    proxies = limits(Settings(trusted_proxies="127.0.0.1"))
    assert proxies is not None
    address, token = _work(1_000_000)[0], _work(40)[1]
    with limited(Limits(None, None, proxies.proxies, work=(address, token))) as client:
        shown = bearer(open_table(client).host)
        for number in range(1, 200):
            forwarded = {"X-Forwarded-For": f"198.51.100.{number}"}
            if client.get("/openapi.json", headers={**shown, **forwarded}).status_code == 429:
                break
        assert number < 199
        assert client.get("/openapi.json", headers=forwarded).status_code == 200


@looped(
    ("held", "size", "least"), [(0.0, 100 * BYTES_A_MILLISECOND, 100), (0.1, 0, 100), (0.0, 0, 0)]
)
def test_work_is_bytes_and_time_that_the_loop_was_held(held: float, size: int, least: int) -> None:
    """Waits are free. On a busy machine, steps may take longer than their work."""
    work = _work(1_000)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        keep_busy(held)
        await asyncio.sleep(0.3)
        await send({"type": "http.response.body", "body": b" " * size})

    async def ignore(message: Any) -> None:
        pass

    stack = Stack(app, limits=Limits(None, None, work=work), clock=lambda: 0.0)
    asyncio.run(stack({**SCOPE}, no_body, ignore))
    charged = 1_000 - work[0].look(bytes([198, 51, 100, 7]), 0.0).remaining
    assert least <= charged <= least + 140
