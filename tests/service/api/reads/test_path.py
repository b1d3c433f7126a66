"""The short route of looks: it answers what the framework's route does, in every respect."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import pytest
from litestar import Litestar
from litestar.types import ASGIApp, Scope

from phaseledger.service import app as application
from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.api.reads import path
from phaseledger.service.api.reads.path import TEMPLATE, plain_request
from phaseledger.service.app import AppOptions, create_app, routes
from phaseledger.service.components import in_memory
from phaseledger.service.quotas.token_buckets import RateLimitPolicy

LOCALHOST = bytes((127, 0, 0, 1))
ORIGIN = ("Origin", "https://a.example")


class Look(NamedTuple):
    """A request, and whether it takes the short path."""

    who: str = "seat"
    """Whose token it has: a seat's, the host's, nobody's, or a text of its own."""
    headers: tuple[tuple[str, str], ...] = ()
    query: str = ""
    path: str = "{game}"
    is_short: bool = True


LONG = "x" * 1001
LOOKS = [
    Look(),
    Look("host"),
    Look(""),
    Look("", (("Accept-Encoding", "gzip"),)),
    Look("", (("Accept-Encoding", "br, gzip"), ("If-None-Match", '"1"'))),
    Look("", (("Accept-Encoding", "identity"),)),
    Look("seat", (("Accept-Encoding", "br, gzip"),)),
    Look("", (("If-None-Match", "{tag}"),)),
    Look("", (("If-None-Match", "*"), ("Accept-Encoding", "gzip"))),
    Look("seat", (("If-None-Match", "{tag}"),)),
    Look("seat", (("If-None-Match", 'W/"7", {tag}'),)),
    Look("seat", (("If-None-Match", ""),)),
    Look("seat", (("If-None-Match", LONG),), is_short=False),
    Look(query="lang=fr"),
    Look(query="lang=de-AT"),
    Look(query="lang=", is_short=False),
    Look(query="lang=" + "a" * 36, is_short=False),
    Look(query="at_least=0"),
    Look(query="at_least=1&lang=fr"),
    Look("", query="at_least=1"),
    Look(query="at_least=999999999"),
    Look(query="at_least=-1", is_short=False),
    Look(query="at_least=1.5", is_short=False),
    Look(query="at_least=01", is_short=False),
    Look(query="at_least=1&at_least=1", is_short=False),
    Look(query="lang=en&at_least=1", is_short=False),
    Look(query="atleast=1", is_short=False),
    Look(query="&", is_short=False),
    Look("x"),
    Look("p10s_" + "0" * 72),
    Look("seat", (("Authorization", "Bearer x"),), is_short=False),
    Look("", (("Authorization", "Basic abc"),)),
    Look("", (("Authorization", "Basic abc"), ("Accept-Language", "fr"))),
    Look(path="{game}/", is_short=False),
    Look(path="/{game}", is_short=False),
    Look(path="{GAME}", is_short=False),
    Look(path="{plain}", is_short=False),
    Look("", path="{other}"),
    Look("seat", path="{other}"),
    Look("", path="{private}"),
    Look("seat", path="{private}"),
    Look("private host", path="{private}"),
    Look("", (("X-Request-Id", "mine"), ("Cookie", "a=b"))),
    Look("", (("X-Request-Id", "not mine"),)),
    Look("", (("Last-Event-ID", ""),)),
    Look("", (ORIGIN,)),
    Look("", (("Host", "x/y"),), is_short=False),
    Look("", (("Host", "my_host"),), is_short=False),
    Look("", (("X-Long", "y" * 33_000),)),
]


class Tables(NamedTuple):
    """Two applications over one log: one as it is, and one without the short route of looks."""

    app: ASGIApp
    short: httpx2.AsyncClient
    long: httpx2.AsyncClient
    game: str
    private: str
    tokens: dict[str, str]

    def asked(self, look: Look) -> tuple[str, list[tuple[str, str]]]:
        """The target and the headers of the request."""
        spelled = look.path.format(
            game=self.game,
            GAME=self.game.upper(),
            plain=self.game.replace("-", ""),
            private=self.private,
            other=uuid4(),
        )
        token = self.tokens.get(look.who, look.who)
        headers = [("Authorization", f"Bearer {token}")] if token else []
        tag = '"8.0"' if look.who == "seat" else '"8"'
        headers += [(name, value.replace("{tag}", tag)) for name, value in look.headers]
        return f"/v1/games/{spelled}{'?' if look.query else ''}{look.query}", headers


@asynccontextmanager
async def tables(monkeypatch: pytest.MonkeyPatch, **more: Any) -> AsyncIterator[Tables]:
    """The two applications, with a game that has begun."""
    made: list[Litestar] = []

    def noted(*arguments: Any) -> Litestar:
        made.append(routes(*arguments))
        return made[-1]

    parts = in_memory()
    options = AppOptions(patience=0.0, allowed_origins=(ORIGIN[1],))
    monkeypatch.setattr(application, "routes", noted)
    short = create_app(parts, options, **more)
    with monkeypatch.context() as patched:
        patched.setattr(application, "view_route", lambda _: lambda _: None)
        long = create_app(parts, options, **more)
    async with (
        made[0].lifespan(),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(short), base_url="http://t") as first,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(long), base_url="http://t") as second,
    ):
        seats = [{"kind": "person"}] * 2
        body: dict[str, Any] = {"ruleset": "classic", "seats": seats}
        opened = (await first.post("/v1/games", json=body)).json()
        table, tokens = f"/v1/games/{opened['game']}", {"host": opened["host_token"]}
        for name in ("seat", "other seat"):
            joined = await first.post(f"{table}/seats", json={"name": name})
            tokens[name] = joined.json()["token"]
        await first.post(f"{table}/start", headers={"Authorization": f"Bearer {tokens['host']}"})
        body |= {"terms": {"private": True, "spectators": "none"}}
        private = (await first.post("/v1/games", json=body)).json()
        tokens["private host"] = private["host_token"]
        yield Tables(short, first, second, opened["game"], private["game"], tokens)


def compared(answer: httpx2.Response) -> tuple[int, dict[str, str], bytes]:
    """The answer without what is of its own request alone."""
    headers = {name.lower(): value for name, value in answer.headers.items()}
    if "-" in headers["x-request-id"]:
        del headers["x-request-id"]
    content = answer.content
    if "problem" in headers.get("content-type", ""):
        problem = answer.json()
        problem.pop("request_id")
        headers.pop("content-length")
        content = json.dumps({**problem, "instance": problem["instance"][:10]}).encode()
    return answer.status_code, headers, content


def test_it_answers_as_the_framework_does(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[bool] = []

    def noted(scope: Scope) -> Any:
        request = plain_request(scope)
        taken.append(request is not None)
        return request

    monkeypatch.setattr(path, "plain_request", noted)

    async def scene() -> None:
        async with tables(monkeypatch) as both:
            statuses = set()
            for look in LOOKS:
                target, headers = both.asked(look)
                taken.clear()
                answers = [
                    compared(await client.get(target, headers=headers))
                    for client in (both.short, both.long)
                ]
                assert answers[0] == answers[1], look
                assert taken == [look.is_short], look
                statuses.add(answers[0][0])
            assert statuses >= {200, 304, 400, 401, 404, 431}

    asyncio.run(scene())


def test_other_methods_are_the_framework_s(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with tables(monkeypatch) as both:
            target, headers = both.asked(Look())
            for method in ("HEAD", "OPTIONS", "DELETE", "PUT"):
                answers = [
                    compared(await client.request(method, target, headers=headers))
                    for client in (both.short, both.long)
                ]
                assert answers[0] == answers[1], method

    asyncio.run(scene())


def test_limits_count_here_too(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = RateLimitPolicy("address-reads", 1, 5_000), RateLimitPolicy("token-reads", 0.001, 2)
    work = RateLimitPolicy("address-work", 1, 10**6), RateLimitPolicy("token-work", 1, 10**6)
    limits = Limits(reads=reads, writes=None, work=work)

    async def scene() -> None:
        async with tables(monkeypatch, limits=limits) as both:
            target, headers = both.asked(Look())
            before = work[0].used(LOCALHOST, time.monotonic())
            answers = [await both.short.get(target, headers=headers) for _ in range(3)]
            assert work[0].used(LOCALHOST, time.monotonic()) > before
            assert [answer.status_code for answer in answers] == [200, 200, 429]
            for answer in answers:
                assert '"token-reads"' in answer.headers["ratelimit"]
            assert answers[2].json()["code"] == "too_many_requests"

    asyncio.run(scene())


def test_the_framework_s_route_has_the_same_path() -> None:
    app: Litestar = routes(in_memory())
    handlers = {
        handler.operation_id: route.path_format
        for route in app.routes
        for handler in getattr(route, "route_handlers", [])
    }
    assert handlers["getGame"] == TEMPLATE
