"""`examples/club`, as a club would run it under its application's key."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser

from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from tests.support.screens import fresh_page
from tests.support.service.applications import made
from tests.support.service.example_programs import EXAMPLES, broken_off, started
from tests.support.service.server import serving

pytestmark = pytest.mark.system

FOLDER = EXAMPLES / "club"


@pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here: install version 20 or newer")
def test_a_member_of_a_club_plays_in_its_page(
    browser: Browser, settings: Settings, port: int
) -> None:
    with ThreadPoolExecutor(1) as pool:  # the browser's driver has the loop of this thread
        key = pool.submit(made, settings).result()
    parts, origin = in_postgres(settings), f"http://127.0.0.1:{port}"
    with (
        serving(parts, embedders=origin, openers="applications") as served,
        started(
            ["node", FOLDER / "server.js"],
            PHASELEDGER_URL=served.url,
            PHASELEDGER_KEY=key,
            PORT=str(port),
        ) as address,
        fresh_page(browser, has_axe=False) as page,
    ):
        page.goto(address)
        for name, shown in (
            ("player-abcdefghijklmnopqrst", "[role=status]:text('name')"),
            ("Ada", "phaseledger-table >> visible=true"),
        ):
            page.get_by_label("Your name").fill(name)
            page.get_by_role("button", name="Play").click()
            page.wait_for_selector(shown)
        for is_reloaded in (False, True):
            if is_reloaded:
                page.reload()  # and it goes on
            page.get_by_text("your turn").or_(page.get_by_text("else is asked")).wait_for()
            frame = page.frames[1]
            frame.wait_for_selector(".own .hand .card")
            assert "p10" not in page.content() + frame.content() + frame.url
        game = frame.url.split("/embed/")[1].partition("#")[0]
        broken_off(served.url, game, key)
        page.get_by_text("The game is over.").wait_for()


def test_it_is_as_short_as_it_says() -> None:
    assert sum(len(file.read_text().splitlines()) for file in FOLDER.iterdir()) <= 110
