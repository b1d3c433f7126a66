"""The service behind Debian's proxies: as `deploy/` has them, below a path, and compressed."""

import re
import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import httpx2
import pytest
from playwright.sync_api import Browser

from phaseledger.client import Client, JoinTable, play
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.errors import TooManyRequests
from phaseledger.service.settings import Settings, SettingsError, load
from tests.support.browser import driven
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.api_tables import BOT, PERSON, SHORT, bearer, mover, open_table, started
from tests.support.service.http2 import status_over_http2
from tests.support.service.memory_ledger import in_memory
from tests.support.service.proxies import DEPLOY, certificate, deployed, nginx, running
from tests.support.service.server import serving
from tests.support.service.table_pages import Clicking, open_against_bots, window

pytestmark = pytest.mark.system

APACHE = """ServerName localhost
PidFile {0}/pid
DefaultRuntimeDir {0}
User nobody
Listen 127.0.0.1:{1}
ErrorLog /dev/stderr
{2}
ProxyPass / http://{3}/
SetOutputFilter {4}
"""
HEAD = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{"
"""A request whose body does not come."""
MODULES = ("mpm_event", "authz_core", "filter", "deflate", "brotli", "proxy", "proxy_http")


class Front(NamedTuple):
    """A proxy before a service, and the clients' addresses that the service has been shown."""

    program: str
    url: str
    verified: ssl.SSLContext
    addresses: list[bytes]

    def client(self, address: str = "127.0.0.1", **more: Any) -> httpx2.Client:
        """A client with that address."""
        way = httpx2.HTTPTransport(verify=self.verified, local_address=address)
        return httpx2.Client(base_url=f"{self.url}/v1", transport=way, timeout=None, **more)

    def connection(self, *versions: str) -> ssl.SSLSocket:
        """A connection with a small buffer, which speaks one of the versions."""
        self.verified.set_alpn_protocols([*versions])
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        raw.connect(("127.0.0.1", int(self.url.rpartition(":")[2])))
        return self.verified.wrap_socket(raw, server_hostname="127.0.0.1")


@contextmanager
def in_front(program: str, folder: Path, limits: int = 1) -> Iterator[Front]:
    """The proxy of `deploy/` before a service that trusts it, with limits divided."""
    addresses, named = list[bytes](), Service.origin

    def origin(service: Service, scope: Any) -> bytes:
        addresses.append(named(service, scope))
        return addresses[-1]

    given = {"trusted_proxies": "127.0.0.1", "patience_seconds": 30.0, "heartbeat_seconds": 0.5}
    with (
        patch.object(Service, "origin", origin),
        serving(in_memory(), **given) as served,
        free_port() as port,
    ):
        pem = certificate(folder)
        to = served.url.removeprefix("http://")
        configuration = deployed(program, folder, port, to, pem, limits)
        with running(program, configuration, f"https://127.0.0.1:{port}") as url:
            front = Front(program, url, ssl.create_default_context(cafile=str(pem)), addresses)
            with front.client() as client:
                eventually(lambda: client.get("/rulesets").status_code, lambda code: code == 200)
            yield front


@pytest.fixture(scope="module", params=["nginx", "haproxy", "caddy"])
def front(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Front]:
    with in_front(request.param, tmp_path_factory.mktemp("proxy")) as made:
        yield made


def test_a_game_is_played_and_what_is_refused_is_refused_by_the_service(front: Front) -> None:
    with front.client() as client:
        table = started(client)
        assert table.send(mover(table), {"type": "draw"}).status_code == 200
        refused = client.post("/replays", content=b"x" * 200_000)
        assert refused.headers["content-type"] == "application/problem+json"
        for path in ("/health/ready", "/health/live", "//health/ready", "/%68ealth/ready"):
            assert client.get(front.url + path).status_code == 404, path


def test_the_service_sees_the_client_s_address_and_not_what_the_client_writes(front: Front) -> None:
    forged = {"X-Forwarded-For": "198.51.100.1", "Forwarded": "for=198.51.100.2"}
    for number in (1, 2):
        with front.client(f"127.0.0.{number}", headers=forged) as client:
            front.addresses.clear()
            open_table(client)
            assert {*front.addresses} == {bytes([127, 0, 0, number])}


def test_http_2_is_spoken(front: Front) -> None:
    with front.connection("h2", "http/1.1") as raw:
        assert raw.selected_alpn_protocol() == "h2"
        assert status_over_http2(raw, "/v1/rulesets", (b":authority", b"a.example")) == 200


@pytest.mark.parametrize("part", ["GET /v1/games HTTP/1.1\r\nHost: x\r\nA: ", HEAD])
def test_a_slow_header_and_a_slow_body_are_not_waited_for(front: Front, part: str) -> None:
    front.addresses.clear()
    with front.connection("http/1.1") as raw:
        raw.sendall(part.encode())
        assert raw.recv(100).partition(b" ")[2][:3] in (b"408", b"504", b"")
    assert front.program == "caddy" or front.addresses == []  # which passes parts of bodies on


def test_a_reader_that_takes_nothing_is_left_and_holds_nobody_up(front: Front) -> None:
    """A dozen answers of 700 kB, one after another on a connection that is not read."""
    if front.program == "caddy":
        pytest.skip("Caddy leaves no such reader, as its configuration says")
    with front.connection("http/1.1") as raw, front.client() as client:
        raw.sendall(b"GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 12)
        assert client.get("/rulesets").status_code == 200
        size = len(client.get("/openapi.json").content)
        time.sleep(9)  # longer than either proxy waits
        taken = 0
        with suppress(OSError):
            while part := raw.recv(1 << 20):
                taken += len(part)
        assert taken < 12 * size


def test_events_of_a_stream_come_as_they_happen(front: Front) -> None:
    with front.client() as client:
        table = started(client)
        with client.stream(
            "GET", f"{table.path}/events", headers={"Accept": "text/event-stream"}
        ) as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line.startswith("id:"))
            for _ in range(14):  # heartbeats, for longer than the proxy waits for an answer
                next(line for line in lines if line.startswith(":"))
            assert table.send(mover(table), {"type": "draw"}).status_code == 200
            assert next(line for line in lines if "CardDrawn" in line or "cards" in line)


def test_a_long_poll_is_answered_when_the_game_goes_on(front: Front) -> None:
    with front.client() as client, front.client() as other, ThreadPoolExecutor(1) as beside:
        table = started(client)
        path = f"{table.path}?at_least={table.version() + 1}"
        waiting = beside.submit(other.get, path)
        time.sleep(0.5)
        assert not waiting.done()
        table.send(mover(table), {"type": "draw"})
        assert waiting.result(20).status_code == 200


@pytest.mark.parametrize("program", ["nginx", "haproxy"])
def test_an_address_has_so_many_connections_and_requests(program: str, tmp_path: Path) -> None:
    """A tenth of what it has, so that few are enough; another one has its own."""
    with in_front(program, tmp_path, limits=10) as front, ExitStack() as stack:
        for _ in range(32):
            stack.enter_context(front.connection("http/1.1")).sendall(HEAD.encode())
        has_too_many = {"nginx": is_refused, "haproxy": is_closed}[program]
        assert has_too_many(front)
        stack.close()
        eventually(lambda: has_too_many(front), lambda refused: not refused)
        with front.client() as client, front.client("127.0.0.2") as other:
            answers = (client.get("/rulesets") for _ in range(2_000))
            refused = next(answer for answer in answers if not answer.is_success)
            assert_too_many(refused)
            assert other.get("/rulesets").status_code == 200


def is_closed(front: Front) -> bool:
    """Whether a connection is closed before anything is read from it."""
    place = ("127.0.0.1", int(front.url.rpartition(":")[2]))
    try:
        with socket.create_connection(place, 1) as raw:
            return raw.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def is_refused(front: Front) -> bool:
    """Whether a request over another connection is one too many."""
    with front.client() as client:
        return client.get("/rulesets").status_code == 429


def assert_too_many(refused: httpx2.Response) -> None:
    """It is told as the service tells it, to clients that know its problems."""
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "10"
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["code"] == TooManyRequests.code


def test_a_node_that_stops_is_left_before_it_is_gone() -> None:
    text = (DEPLOY / "haproxy.cfg").read_text("utf-8")
    interval, fall = re.findall(r"inter (\d+)ms fall (\d)", text)[0]
    assert int(interval) * int(fall) < 1000 * Settings().stop_seconds


@pytest.mark.parametrize(("coding", "name"), [("gzip", "DEFLATE"), ("br", "BROTLI_COMPRESS")])
def test_entity_tags_of_a_compressing_proxy_are_known(
    coding: str, name: str, tmp_path: Path
) -> None:
    modules = (f"LoadModule {m}_module /usr/lib/apache2/modules/mod_{m}.so" for m in MODULES)
    path, loaded = tmp_path / "configuration", "\n".join(modules)
    with serving(in_memory()) as served, free_port() as port:
        to = served.url.removeprefix("http://")
        path.write_text(APACHE.format(tmp_path, port, loaded, to, name))
        with (
            running("apache2", path, f"http://127.0.0.1:{port}") as url,
            httpx2.Client(base_url=f"{url}/v1", timeout=None) as client,
        ):
            table = started(client)
            seat = mover(table)
            coded = {**bearer(table.tokens[seat]), "Accept-Encoding": coding}
            for below in ("", "/table", "/scoreboard"):
                first = client.get(table.path + below, headers=coded)
                tag = first.headers["etag"]
                assert tag.endswith(f'-{coding}"')
                repeat = client.get(table.path + below, headers={**coded, "If-None-Match": tag})
                assert repeat.status_code == 304
            assert table.send(seat, {"type": "draw"}, If_Match=tag).status_code == 200
            assert table.send(seat, {"type": "draw"}, If_Match=tag).status_code == 412


# --- below a path ---------------------------------------------------------------------------------


@contextmanager
def below_cards(folder: Path, *, strips: bool) -> Iterator[str]:
    """The address of a service below /cards of nginx, which takes that off or not."""
    with serving(in_memory(), root_path="/cards") as served, free_port() as port:
        end, settings = "/" if strips else "", "proxy_http_version 1.1; proxy_buffering off;"
        rule = f"location /cards/ {{ proxy_pass {served.url}{end}; {settings} }}"
        site = f"server {{ listen 127.0.0.1:{port}; {rule} }}"
        path = folder / "configuration"
        path.write_text(nginx(folder, site))
        with running("nginx", path, f"http://127.0.0.1:{port}/cards") as url:
            yield url


@pytest.mark.parametrize("strips", [True, False])
def test_all_addresses_lie_below_the_path(tmp_path: Path, *, strips: bool) -> None:
    with below_cards(tmp_path, strips=strips) as url, httpx2.Client(timeout=None) as client:
        host = url.removesuffix("/cards")
        body = {"ruleset": "classic", "seats": [PERSON, BOT], "options": SHORT, "start": False}
        opened = client.post(f"{url}/v1/games", json=body)
        assert opened.headers["location"] == f"/cards/v1/games/{opened.json()['game']}"
        assert client.get(host + opened.headers["location"]).status_code == 200
        links = client.get(f"{url}/v1/games?limit=1").headers["link"]
        assert re.findall("<([^?>]*)", links) == ["/cards/v1/games"]
        missing = client.get(f"{url}/v1/nothing").json()
        assert missing["instance"] == "/cards/v1/nothing"
        assert client.get(host + missing["type"]).json()["type"] == missing["type"]
        assert client.get(f"{url}/").headers["location"] == "/cards/docs"
        assert client.get(f"{url}/v1/openapi.json").json()["servers"] == [{"url": "/cards"}]
        for page in ("/docs", "/docs/games", "/problems", "/problems/not_found", "/play"):
            text = client.get(url + page, headers={"Accept": "text/html"}).text
            addresses = re.findall(r'(?:href|src)="(/[^"]*)"', text)
            assert addresses
            assert not [address for address in addresses if not address.startswith("/cards/")]
        with Client(url) as player:
            seat = player.at(player.at(opened.json()["game"]).join(JoinTable("Ann")))
            player.at(opened.json()["game"], opened.json()["host_token"]).start()
            assert play(seat, lambda view, questions, commands: commands[0]).table.stage == "ended"


def test_the_pages_work_below_a_path(started_browser: Browser, tmp_path: Path) -> None:
    """A table is opened, played, left and looked back on; nothing else of the host is asked."""
    with (
        driven(started_browser) as browser,
        below_cards(tmp_path, strips=False) as url,
        window(browser, url) as shown,
    ):
        page = shown.page
        open_against_bots(page, url)
        address = page.url
        assert Clicking(page).step()
        page.click("a.brand")
        page.select_option("select", "de")
        page.wait_for_selector("html[lang=de] a.primary")
        page.click(f"a[href='{address.removeprefix(url.removesuffix('/cards'))}']")
        page.wait_for_selector(".own .hand .card")
        page.goto(f"{address}/replay")
        page.wait_for_selector(".replay, .stage, [role=slider]")


def test_the_path_may_be_called_as_something_of_the_service() -> None:
    for root in ("/games", "/e"):
        with serving(in_memory(), root_path=root) as served:
            for path in ("/v1/games", f"{root}/v1/games"):
                assert httpx2.get(served.url + path).json()["games"] == []
            assert httpx2.get(f"{served.url}/v1/x").json()["instance"] == f"{root}/v1/x"


@pytest.mark.parametrize("path", ["cards", "/cards/", "/", "//x", "/play", "/v1/x", "/a b", "/é"])
def test_what_is_no_path_for_the_service_is_refused(path: str) -> None:
    with pytest.raises(SettingsError, match="PHASELEDGER_ROOT_PATH is not usable: it is a path"):
        load({"PHASELEDGER_ROOT_PATH": path})
    assert load({"PHASELEDGER_ROOT_PATH": "/games/cards-2"}).root_path == "/games/cards-2"
