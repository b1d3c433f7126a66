"""A table within a page of another origin, by `<phaseledger-table>`, in Chromium."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page

from tests.support.screens import fresh_page
from tests.support.service.api_tables import BOT, PERSON, Table
from tests.support.service.club_pages import TABLE, pages
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import Served, serving
from tests.support.service.table_pages import Clicking, dealt, table_for

pytestmark = pytest.mark.system

NO_STORAGE = """for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
  Object.defineProperty(window, name, { get() {
    top.postMessage({ stored: name }, "*");
    throw new DOMException("denied", "SecurityError");
  } });
}
if (window === top) {
  window.stored = [];
  addEventListener("message", ({ data }) => data?.stored && window.stored.push(data.stored));
}"""
"""As in a browser that gives frames of other sites no storage; it tells who asks for some."""
PUT = """([server, game, token, lang]) => {
  const table = document.createElement("phaseledger-table");
  Object.assign(table, { token, lang });
  table.setAttribute("server", server);
  table.setAttribute("game", game);
  document.body.replaceChildren(table);
}"""


@pytest.fixture(scope="module")
def club() -> Iterator[tuple[Served, str, str]]:
    """A service, and the origins of a club that may embed its tables and of one that may not.

    Browsers take `localhost` and an address for two sites.
    """
    contents = dict[str, str]()
    with pages(contents) as port:
        allowed, other = f"http://localhost:{port}", f"http://127.0.0.1:{port}"
        with serving(in_memory(), embedders=allowed) as served:
            contents["/"] = TABLE % served.url
            yield served, allowed, other


def frame_of(page: Page) -> Frame:
    page.wait_for_selector("phaseledger-table iframe")
    handle = page.query_selector("phaseledger-table iframe")
    assert handle is not None
    frame = handle.content_frame()
    assert frame is not None
    return frame


def put(page: Page, origin: str, served: Served, table: Table, token: str, lang: str = "") -> Frame:
    page.goto(origin)
    page.evaluate(PUT, [served.url, table.game, token, lang])
    return frame_of(page)


def test_a_seat_is_played_to_the_end(browser: Browser, club: tuple[Served, str, str]) -> None:
    """With no storage at all; the page hears of turns and of the end, and the token is nowhere."""
    served, origin, _ = club
    table = dealt(served.url, "express 6", 2, {"variant": "n_phases(1)", "max_turns_per_round": 5})
    with fresh_page(browser, has_axe=False) as page:
        page.context.add_init_script(NO_STORAGE)
        asked, complaints = list[str](), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        token = table.tokens[0]
        frame = put(page, origin, served, table, token)
        frame.wait_for_selector(".own .hand .card")
        assert frame.query_selector(".top, a[href$='/play']:visible") is None
        Clicking(frame).play()  # type: ignore[arg-type]
        page.wait_for_function("told.some(({ type }) => type === 'phaseledger:end')")
        events: list[dict[str, Any]] = page.evaluate("told")
        *turns, end = events
        assert {turn["type"] for turn in turns} == {"phaseledger:turn"}
        assert {tuple(turn["waits"]) for turn in turns} >= {(0,)}
        assert end["stage"] == "ended"
        assert all((event["game"], event["you"]) == (table.game, 0) for event in events)
        assert frame.query_selector(".over a[href$='/replay']:visible")
        assert frame.query_selector(".over button.primary") is None  # the club seats its players
        assert page.evaluate("stored") == []
        texts = [*asked, page.url, frame.url, frame.content(), page.content(), str(events)]
        assert [text for text in texts if token in text] == []
        assert complaints == []


def test_the_frame_is_as_high_as_its_table_up_to_the_window(
    browser: Browser, club: tuple[Served, str, str]
) -> None:
    served, origin, _ = club
    table = table_for(served.url, "express", [PERSON, BOT], {})
    with fresh_page(browser) as page:
        page.set_viewport_size({"width": 390, "height": 2_000})
        put(page, origin, served, table, table.tokens[0]).wait_for_selector(".own .hand .card")
        frame = frame_of(page)
        broken = "async () => (await axe.run(document)).violations.map(({ id }) => id)"
        assert frame.evaluate(broken) == []
        height = "document.querySelector('phaseledger-table').offsetHeight"
        page.wait_for_function(f"{height} > 700")
        page.set_viewport_size({"width": 390, "height": 600})
        page.wait_for_function(f"{height} === 600")


def test_a_table_is_watched_without_a_token_and_played_once_there_is_one(
    browser: Browser, club: tuple[Served, str, str]
) -> None:
    """In the language of the element."""
    served, origin, _ = club
    table = table_for(served.url, "express", [PERSON, BOT], {})
    with fresh_page(browser, has_axe=False) as page:
        frame = put(page, origin, served, table, "", "de")
        frame.wait_for_selector(".question:has-text('Du siehst zu')")
        page.evaluate(
            "(token) => { document.querySelector('phaseledger-table').token = token }",
            table.tokens[0],
        )
        frame.wait_for_selector(".own .hand .card")
        with page.context.expect_page() as opened:  # what leads out of the frame opens beside it
            frame.click(".bar [data-menu]")
            frame.click("dialog a[href$='/scores']")
        assert opened.value.url == f"{served.url}/play/g/{table.game}/scores"


def test_a_page_of_another_origin_shows_no_table(
    browser: Browser, club: tuple[Served, str, str]
) -> None:
    served, _, origin = club
    table = table_for(served.url, "express", [PERSON, BOT], {})
    with fresh_page(browser, has_axe=False) as page:
        complaints = list[str]()
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(origin)
        with page.expect_event("console"):
            page.evaluate(PUT, [served.url, table.game, table.tokens[0], ""])
        assert "frame-ancestors" in complaints[0]
        assert frame_of(page).url.startswith("chrome-error:")
