"""Pages of other origins may call the API where the operator has allowed theirs, and no others."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from phaseledger.service.api.limits.rates import Limits, Policies
from phaseledger.service.api.middleware.cors import ANSWER_HEADERS
from phaseledger.service.api.openapi.info import HEADERS
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.settings import Settings, SettingsError, allowed_origins, embedders
from tests.support.browser import PATIENCE, driven
from tests.support.cases import looped
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import Served, serving

TABLE = "https://table.example"
ASKING = {"origin": TABLE, "access-control-request-method": "POST"}


@pytest.fixture(scope="module")
def allowing() -> Iterator[Served]:
    """A service that one origin's pages may call."""
    with serving(in_memory(), allowed_origins=TABLE) as service:
        yield service


@pytest.fixture(scope="module")
def open_service() -> Iterator[Served]:
    """A service that all pages may call."""
    with serving(in_memory(), allowed_origins="*") as service:
        yield service


def test_without_the_setting_nobody_is_told_anything(served: Served) -> None:
    for answer in (
        httpx2.get(f"{served.url}/v1/rulesets", headers={"origin": TABLE}),
        httpx2.options(f"{served.url}/v1/games", headers=ASKING),
    ):
        assert not any(name.startswith("access-control") for name in answer.headers)
        assert "Origin" not in answer.headers.get("vary", "")


def test_pages_may_read_every_header_that_is_described() -> None:
    assert {*HEADERS, "X-Request-Id"} <= set(ANSWER_HEADERS)


@looped(
    ("method", "path", "status"),
    [
        ("GET", "/v1/rulesets", 200),
        ("HEAD", "/v1/rulesets", 200),
        ("GET", "/nowhere", 404),
        ("PUT", "/v1/rulesets", 405),
        ("POST", "/v1/games", 400),
        ("GET", "/v1/games/01900000-0000-7000-8000-000000000000", 404),
        ("GET", "/" + 17_000 * "x", 414),
        ("OPTIONS", "/v1/games", 204),
        ("GET", "/health/live", 200),
    ],
)
def test_every_answer_may_be_read(allowing: Served, method: str, path: str, status: int) -> None:
    answer = httpx2.request(method, allowing.url + path, headers={"origin": TABLE})
    assert answer.status_code == status
    assert answer.headers["access-control-allow-origin"] == TABLE
    assert answer.headers["access-control-expose-headers"] == ", ".join(ANSWER_HEADERS)
    assert "Origin" in answer.headers["vary"]
    other = httpx2.request(method, allowing.url + path, headers={"origin": "https://b.example"})
    assert other.status_code == status
    assert "access-control-allow-origin" not in other.headers
    assert "Origin" in other.headers["vary"]  # or a cache would answer the one with the other's


def test_a_preflight_is_answered_and_remembered(allowing: Served) -> None:
    url = f"{allowing.url}/v1/games"
    answer = httpx2.options(url, headers=ASKING)
    assert (answer.status_code, answer.content) == (204, b"")
    assert "POST" in answer.headers["access-control-allow-methods"]
    for name in ("access-control-allow-origin", "timing-allow-origin"):
        assert answer.headers[name] == TABLE
    assert answer.headers["access-control-max-age"] == "86400"
    other = httpx2.options(url, headers=ASKING | {"origin": "https://b.example"})
    assert not any(name.startswith("access-control") for name in other.headers)
    assert other.headers["allow"] == "GET, HEAD, OPTIONS, POST"


def test_a_page_may_send_whatever_headers_it_asks_for(open_service: Served) -> None:
    asked = "authorization, baggage,cache-control,traceparent,x-requested-with"
    asking = {**ASKING, "access-control-request-headers": asked}
    for private in ({}, {"access-control-request-private-network": "true"}):
        answer = httpx2.options(f"{open_service.url}/v1/games", headers=asking | private)
        assert answer.headers["access-control-allow-headers"] == asked
        assert answer.headers["vary"] == "Access-Control-Request-Headers"
        assert ("access-control-allow-private-network" in answer.headers) == bool(private)


def test_refusals_above_the_limits_may_be_read_too() -> None:
    policies = Policies(
        *(RateLimitPolicy(whose, 0.001, 1) for whose in ("address", "token", "application"))
    )
    with serving(in_memory(), limits=Limits(policies, None), allowed_origins="*") as service:
        url = f"{service.url}/v1/rulesets"
        answers = [httpx2.get(url, headers={"origin": TABLE}) for _ in range(2)]
        preflight = httpx2.options(url, headers=ASKING)
    assert [answer.status_code for answer in answers] == [200, 429]
    assert {answer.headers["access-control-allow-origin"] for answer in answers} == {"*"}
    assert preflight.status_code == 204  # or the page would not be told why


def test_origins_are_read_with_spaces_between_them() -> None:
    text = " https://a.example  http://127.0.0.1:8080 http://[::1]:80 capacitor://localhost *"
    assert allowed_origins(Settings(allowed_origins=text)) == tuple(text.split())
    assert allowed_origins(Settings()) == ()
    for wrong in ("a.example", "https://a.example/", "https://A.example", "null", "https://*.a.b"):
        with pytest.raises(SettingsError, match="PHASELEDGER_ALLOWED_ORIGINS is not usable"):
            allowed_origins(Settings(allowed_origins=f"https://a.example {wrong}"))
    with pytest.raises(SettingsError, match="PHASELEDGER_EMBEDDERS is not usable: '\\*'"):
        embedders(Settings(embedders="https://a.example *"))


# --- in a browser ---------------------------------------------------------------------------------


class _BlankPage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>a page of another origin</title>")

    def log_message(self, *_: object) -> None:
        """Be silent."""


@contextmanager
def page_of_another_origin(started_browser: Browser) -> Iterator[Page]:
    """A page in Chromium that came from another port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _BlankPage) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            with driven(started_browser) as browser:
                page = browser.new_page()
                page.set_default_timeout(PATIENCE)
                page.goto(f"http://127.0.0.1:{server.server_port}/")
                yield page
        finally:
            server.shutdown()


OPEN_AND_READ = """async (url) => {
  const opened = await fetch(`${url}/v1/games`, {
    method: "POST",
    headers: {
      "content-type": "application/json", "idempotency-key": crypto.randomUUID(),
      baggage: "sentry-release=1", "cache-control": "no-cache",
    },
    body: JSON.stringify({ ruleset: "classic", seats: [{ kind: "bot" }, { kind: "bot" }] }),
  });
  const { game, host_token } = await opened.json();
  const headers = { authorization: `Bearer ${host_token}` };
  const read = await fetch(url + opened.headers.get("location"), { headers });
  const etag = read.headers.get("etag");
  const again = await fetch(read.url, { headers: { ...headers, "if-none-match": etag } });
  const refused = await fetch(`${url}/v1/games/${game}/start`, { method: "POST" });
  const seen = await new Promise((resolve, reject) => {
    const stream = new EventSource(`${url}/v1/games/${game}/events?once=true`);
    stream.addEventListener("state", (event) => {
      stream.close();
      resolve(JSON.parse(event.data));
    });
    stream.onerror = () => reject(new Error("no stream"));
  });
  return {
    opened: opened.status, etag, again: again.status, refused: (await refused.json()).code,
    id: refused.headers.get("x-request-id"), seen: seen.game === game,
  };
}"""


def test_a_page_of_another_origin_plays_where_it_may(
    started_browser: Browser, open_service: Served, served: Served
) -> None:
    """In Chromium: opens, reads, revalidates, is refused and follows; elsewhere it sees nothing."""
    with page_of_another_origin(started_browser) as page:
        result: dict[str, Any] = page.evaluate(OPEN_AND_READ, open_service.url)
        failed = page.evaluate(
            "(url) => fetch(`${url}/v1/rulesets`).catch((error) => error.name)", served.url
        )
    assert result.pop("id")
    expected = {"opened": 201, "etag": '"3"', "again": 304, "refused": "token_missing"}
    assert result == expected | {"seen": True}
    assert failed == "TypeError"
