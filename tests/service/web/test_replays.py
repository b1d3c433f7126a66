"""Games of the service looked back on: from any chair once they are over, from one's own before."""

import httpx2
from playwright.sync_api import Browser

from tests.support.service.api_tables import BOT, PERSON, whole_game
from tests.support.service.server import Served
from tests.support.service.table_pages import table_for, window


def test_a_game_that_is_over_is_replayed_from_any_chair(browser: Browser, served: Served) -> None:
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
        game = whole_game(client)
        last = client.get(f"/games/{game}").json()["version"]
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/g/{game}")
        page.click("text=Replay")
        page.wait_for_selector(".scrubber input")
        assert page.url.startswith(f"{served.url}/play/g/{game}/replay")
        assert page.get_attribute(".scrubber input", "max") == str(last)
        chairs = page.eval_on_selector_all(
            ".choices select >> nth=1 >> option", "all => all.map((one) => one.value)"
        )
        assert chairs == ["all", "spectator", "0", "1"]
        page.keyboard.press("End")
        page.wait_for_function(
            "(last) => document.querySelector('.scrubber input').value === last", arg=str(last)
        )
        page.select_option(".choices select >> nth=1", "1")
        page.wait_for_selector(".view[data-chair='1'], [data-chair='1']")


def test_a_game_that_goes_on_is_replayed_from_ones_own_chair(
    browser: Browser, served: Served
) -> None:
    table = table_for(served.url, "express", [PERSON, BOT], {})
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        page.goto(f"{served.url}/play/g/{table.game}/replay")
        page.wait_for_selector(".scrubber input")
        shown_hand = page.inner_text("main")
        assert "a hidden card" not in shown_hand
        assert page.query_selector("[data-chair='0']") is not None


def test_a_replay_of_no_game_says_so(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/g/00000000-0000-8000-8000-000000000000/replay")
        page.wait_for_selector(".face.fault")
        assert page.query_selector("a.button") is not None


def test_a_file_can_be_chosen(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        shown.page.goto(f"{served.url}/play/open")
        shown.page.set_input_files(
            "input[type=file]",
            {"name": "x.bundle", "mimeType": "text/plain", "buffer": b"no game"},
        )
        shown.page.wait_for_selector(".face.fault")


def test_a_file_that_is_too_large_is_not_sent(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        asked: list[str] = []
        shown.page.on("request", lambda request: asked.append(request.method))
        shown.page.goto(f"{served.url}/play/open")
        content = b"x" * (16 * 2**20 + 1)
        shown.page.set_input_files(
            "input[type=file]", {"name": "x.bundle", "mimeType": "text/plain", "buffer": content}
        )
        assert "17 MB" in shown.page.inner_text("[role=alert]")
        assert "POST" not in asked
