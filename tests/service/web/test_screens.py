"""Every screen of the pages: what axe says, hostile names, and the budget of the first load."""

import re
from collections.abc import Callable, Iterator
from functools import partial

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from tests.support.screens import WIDTHS, fresh_page, violations
from tests.support.service.api_tables import BOT, PERSON, Table, open_table
from tests.support.service.server import Served
from tests.support.service.table_pages import Clicking, table_for, window

LARGEST = 60_000
"""Bytes of the first load, compressed."""
REQUESTS = 6
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "${alert(1)}{{alert(1)}}",
    "W" * 40,
    "Z\u0353\u0353\u0353\u0353\u0353a\u0321\u0321\u0321lgo",
]


def at(path: str, ready: str) -> Callable[[Page, str], None]:
    def show(page: Page, url: str) -> None:
        page.goto(f"{url}{path}")
        page.wait_for_selector(ready)

    return show


def unfolded(page: Page, url: str) -> None:
    page.goto(f"{url}/play/new")
    page.click("text=House rules")
    page.click("text=The table's terms")
    page.wait_for_selector(".option")


def waiting(page: Page, url: str) -> None:
    page.goto(f"{url}/play/new")
    page.select_option(".chairs li:nth-child(2) select", "person")
    page.click("button[type=submit]")
    page.wait_for_selector(".share svg.qr")


def played(ruleset: str, seats: int, steps: int) -> Callable[[Page, str], None]:
    def show(page: Page, url: str) -> None:
        table = table_for(url, ruleset, [PERSON, *[BOT] * (seats - 1)], {})
        page.emulate_media(reduced_motion="reduce")
        page.goto(f"{url}/play/g/{table.game}#seat=0&token={table.tokens[0]}")
        person = Clicking(page)
        for _ in range(steps):
            if not person.step():
                break
        person.settle()
        if page.query_selector(".over") is None:
            page.click(".choices-list summary")
            page.click(".own .hand .card >> nth=0")

    return show


def over(page: Page, url: str) -> None:
    options = {"variant": "n_phases(1)", "max_turns_per_round": 40}
    table = table_for(url, "classic", [PERSON, BOT], options)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{url}/play/g/{table.game}#seat=0&token={table.tokens[0]}")
    Clicking(page).play()


def sheet(button: str) -> Callable[[Page, str], None]:
    def show(page: Page, url: str) -> None:
        played("classic", 2, 1)(page, url)
        page.click(button)
        page.wait_for_selector("dialog[open]")

    return show


SCREENS: dict[str, Callable[[Page, str], None]] = {
    "lobby": at("/play", ".tables, .face"),
    "new": unfolded,
    "join": at("/play/join/7K2M-Q9XD", "form.panel"),
    "nowhere": at("/play/nowhere", "main h1"),
    "no game": at("/play/g/00000000-0000-8000-8000-000000000000", ".face.fault"),
    "waiting room": waiting,
    "classic": played("classic", 4, 5),
    "standard-deck": played("standard-deck", 3, 5),
    "express": played("express", 6, 5),
    "board": played("board", 3, 7),
    "over": over,
    "rules": sheet(".bar button:has-text('Rules')"),
    "phases": sheet(".draft-head button:has-text('All phases')"),
}


EVERYWHERE = ("lobby", "classic", "board")
"""Screens that are looked at in all widths; the others, made of the same parts, at the edges."""
EDGES = (WIDTHS[0], WIDTHS[-1])


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    browser: Browser, served: Served, name: str
) -> None:
    with fresh_page(browser) as page:
        SCREENS[name](page, served.url)
        assert violations(page, WIDTHS if name in EVERYWHERE else EDGES) == {}


@pytest.fixture
def hostile(served: Served) -> Iterator[Table]:
    """A table of people with such names, not started yet."""
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
        table = open_table(
            client, [{"kind": "bot", "name": name} for name in HOSTILE[:5]] + [PERSON]
        )
        yield table


def test_a_name_is_nothing_but_a_name(browser: Browser, served: Served, hostile: Table) -> None:
    """Neither markup nor script, and no page grows wider for it."""
    with window(browser, served.url, viewport={"width": 320, "height": 568}) as shown:
        page = shown.sit(hostile, 5).page
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        for stage in ("lobby", "playing"):
            text = page.inner_text("main")
            assert all(name in text for name in HOSTILE[:4])
            assert page.query_selector("main img, main script") is None
            assert page.evaluate("document.documentElement.scrollWidth") == 320
            if stage == "lobby":
                assert hostile.start().status_code == 200
                page.wait_for_selector(".table-page")


def counted(sizes: list[int], ended: dict[str, int]) -> None:
    sizes.append(ended["encodedDataLength"])


def test_the_first_load_is_small(browser: Browser, served: Served) -> None:
    """Bytes as they are sent, and requests."""
    with window(browser, served.url) as shown:
        session = shown.page.context.new_cdp_session(shown.page)
        session.send("Network.enable")
        sizes: list[int] = []
        session.on("Network.loadingFinished", partial(counted, sizes))
        shown.page.goto(f"{served.url}/play")
        shown.page.wait_for_selector(".tables, .face.empty")
        loaded = shown.page.evaluate(
            "performance.getEntriesByType('resource').map((one) => one.name)"
        )
        assert len(loaded) + 1 <= REQUESTS, loaded
        assert 0 < sum(sizes) <= LARGEST, sizes


def test_nothing_loaded_says_where_else_to_load_from(served: Served) -> None:
    script = httpx2.get(f"{served.url}/play/app.js").text
    assert not re.search(r"(?<!xmlns=')https?://(?!www\.w3\.org)", script)
