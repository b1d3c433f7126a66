"""The service behind Debian's nginx, HAProxy and Apache: as docs/scale.md configures them, below a
path, and compressed.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from phaseledger.client import Client, JoinTable, play
from phaseledger.service.components import in_memory
from phaseledger.service.settings import Settings, SettingsError, load
from tests.support.browser import chromium
from tests.support.ports import await_answer, free_port
from tests.support.service.api_tables import BOT, PERSON, SHORT, bearer, mover, started
from tests.support.service.server import serving
from tests.support.service.table_pages import Clicking, open_against_bots, window

pytestmark = pytest.mark.system

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text("utf-8")
COMMANDS = {
    "nginx": ("nginx", "-g", "daemon off; error_log stderr;", "-c"),
    "haproxy": ("haproxy", "-f"),
    "apache2": ("apache2", "-DFOREGROUND", "-f"),
}
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
MODULES = ("mpm_event", "authz_core", "filter", "deflate", "brotli", "proxy", "proxy_http")


def nginx(folder: Path, site: str) -> str:
    """A whole configuration that keeps its files in the folder."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    return (
        f"user root;\npid {folder}/pid;\nevents {{}}\nhttp {{\n{paths}access_log off;\n{site}}}\n"
    )


@contextmanager
def running(program: str, configuration: Path, url: str) -> Iterator[str]:
    """The proxy with that configuration, once it answers at ``url``."""
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here: apt-get install nginx-light haproxy apache2-bin")
    with subprocess.Popen([*COMMANDS[program], configuration]) as process:
        try:
            await_answer(url)
            yield url
        finally:
            process.terminate()


@pytest.mark.parametrize("program", ["nginx", "haproxy"])
def test_the_pages_configurations_work(program: str, tmp_path: Path) -> None:
    """To the letter, but for addresses and TLS; what is refused is refused by us."""
    (text,) = re.findall(rf"```{program}\n(.*?)```", PAGE, re.DOTALL)
    text = re.sub(r".*ssl_certificate.*\n| ssl crt \S+| ssl(?=;)", "", text)
    path = tmp_path / "configuration"
    with serving(in_memory()) as served, free_port() as port:
        text = re.sub(r"10\.0\.0\.\d:8000", served.url.removeprefix("http://"), text)
        text = re.sub(r"(listen |bind :)443", rf"\g<1>{port}", text)
        path.write_text(nginx(tmp_path, text) if program == "nginx" else text)
        with (
            running(program, path, f"http://127.0.0.1:{port}") as url,
            httpx2.Client(base_url=f"{url}/v1", timeout=None) as client,
        ):
            table = started(client)
            assert table.send(mover(table), {"type": "draw"}).status_code == 200
            refused = client.post("/replays", content=b"x" * 200_000)
            assert refused.headers["content-type"] == "application/problem+json"
    interval, fall = re.findall(r"inter (\d+)ms fall (\d)", PAGE)[0]
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


def test_the_pages_work_below_a_path(tmp_path: Path) -> None:
    """A table is opened, played, left and looked back on; nothing else of the host is asked."""
    with (
        chromium() as browser,
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
