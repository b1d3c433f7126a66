"""`examples/table` in Chromium: a page from another origin plays a game over the public API."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page
from typing_extensions import override

from tests.support.screens import fresh_page, violations
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
MOVES = 2_000
"""More than any game of one phase takes."""


class Files(SimpleHTTPRequestHandler):
    """The project's files, without a word on standard error."""

    @override
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The page's address, at an origin of its own that a service allows."""
    handler = partial(Files, directory=str(ROOT))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as pages:
        Thread(target=pages.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{pages.server_address[1]}"
        with serving(in_memory(), allowed_origins=origin) as served:
            yield f"{origin}/examples/table/?api={served.url}"
        pages.shutdown()


def sit(page: Page, address: str, name: str, **fields: str) -> None:
    page.goto(address)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Length").select_option("one phase")
    for label, value in fields.items():
        page.get_by_label(label.replace("_", " ")).fill(value)
    page.get_by_role("button", name="Sit down").click()


def play(*pages: Page) -> str:
    """Press the first button that any of them has until the game is over; the last sentence."""
    for _ in range(MOVES):
        for page in pages:
            page.wait_for_function(
                "/over|move|else/.test(document.getElementById('status').textContent)"
            )
            status = page.inner_text("#status")
            if "over" in status:
                return status
            if "your move" in status:
                page.evaluate("document.querySelector('#actions button')?.click()")
    raise AssertionError(f"not over after {MOVES} moves")


def test_one_person_plays_a_bot_to_the_end(browser: Browser, address: str) -> None:
    with fresh_page(browser) as page:
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        sit(page, address, "<b>Ada</b>")
        page.get_by_role("button", name="Draw from the stock").wait_for()
        assert not page.get_by_label("Your name").is_visible()
        assert violations(page, widths=(320, 1280)) == {}
        page.reload()
        assert " won." in play(page)
        assert page.locator("#log li").count() > 5
        assert violations(page, widths=(320, 1280)) == {}  # also of a log that is not empty
        assert page.locator("b").count() == 0
        assert complaints == []


def test_somebody_joins_by_the_id_of_the_game(browser: Browser, address: str) -> None:
    with (
        fresh_page(browser, has_axe=False) as host,
        fresh_page(browser, has_axe=False) as guest,
    ):
        sit(host, address, "Ada", Bots="0", People_beside_you="1")
        host.get_by_text("Others join with").wait_for()
        game = host.inner_text("#status").rpartition(" ")[2]
        sit(guest, address, "Ben", Or_the_id_of_a_game_to_join=game)
        guest.get_by_text("Ben:").first.wait_for()
        host.get_by_role("button", name="Start the game").click()
        guest.get_by_role("heading", name="Players").wait_for()
        assert " won." in play(host, guest)


def test_a_refusal_is_a_sentence(browser: Browser, address: str) -> None:
    with fresh_page(browser, has_axe=False) as page:
        sit(page, address, "Ada", Or_the_id_of_a_game_to_join="nonsense")
        page.get_by_text("There is no").wait_for()


def test_it_is_as_short_as_it_says() -> None:
    assert len((ROOT / "examples/table/table.js").read_text().splitlines()) <= 110
