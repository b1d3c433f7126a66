"""The pages show players by their names, which the service sends apart from games."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx2
from playwright.sync_api import Browser

from phaseledger.service.app import in_postgres
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.settings import Settings
from tests.support.service.api_tables import Table, bearer
from tests.support.service.applications import made
from tests.support.service.server import Served, serving
from tests.support.service.table_pages import window


@contextmanager
def club(settings: Settings) -> Iterator[tuple[Served, httpx2.Client]]:
    """A service, and a client that shows an application's key."""
    open_sealing(settings)
    with ThreadPoolExecutor(1) as pool:  # the browser's driver has the loop of this thread
        key = bearer(pool.submit(made, settings).result())
    with (
        serving(in_postgres(settings)) as served,
        httpx2.Client(base_url=f"{served.url}/v1", headers=key, timeout=None) as client,
    ):
        yield served, client


def test_a_table_and_its_log_show_names(browser: Browser, settings: Settings) -> None:
    """Also one that looks like a pattern; a player who is forgotten keeps the pseudonym."""
    names = {"ada": 'Ada $& "L"', "bob": "Bob"}
    with club(settings) as (served, client):
        for player, name in names.items():
            client.put(f"/players/{player}", json={"name": name}).raise_for_status()
        seats = [{"kind": "person", "player": player} for player in names]
        body = {"ruleset": "classic", "seats": seats, "start": True}
        opened = client.post("/games", json=body).raise_for_status().json()
        token = opened["seats"][0]["token"]
        with window(browser, served.url) as shown:
            page = shown.sit(Table(client, opened["game"], "", {0: token}), 0).page
            page.wait_for_selector(".log-lines:has-text('Bob sits down'), .log:has-text('Bob')")
            text = page.inner_text("body")
            assert all(name in text for name in names.values())
            assert "player-" not in text
            client.delete("/players/bob").raise_for_status()
            page.reload()
            page.wait_for_selector("body:has-text('player-')")
            assert "Bob" not in page.inner_text("body")
