"""What the pages take: hostile names, and the budget of the first load."""

import re
from collections.abc import Iterator
from functools import partial

import httpx2
import pytest
from playwright.sync_api import Browser

from tests.support.service.api_tables import BOT, PERSON, Table, open_table
from tests.support.service.server import Served
from tests.support.service.table_pages import table_for, window

LARGEST = 60_000
"""Bytes of the first load, compressed."""
REQUESTS = 6
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "${alert(1)}{{alert(1)}}",
    "W" * 40,
    "\U0001f0cf" * 40,
    "Z\u0353\u0353\u0353\u0353\u0353a\u0321\u0321\u0321lgo",
]


RIGHT_TO_LEFT = "\u05e9\u05dc\u05d5\u05dd"


@pytest.fixture(params=[HOSTILE[:5], [RIGHT_TO_LEFT, *HOSTILE[4:]]], ids=["markup", "letters"])
def hostile(request: pytest.FixtureRequest, served: Served) -> Iterator[tuple[Table, list[str]]]:
    """A table of people with such names, not started yet."""
    names = request.param
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
        table = open_table(client, [{"kind": "bot", "name": name} for name in names] + [PERSON])
        yield table, names


def test_a_name_is_nothing_but_a_name(
    browser: Browser, served: Served, hostile: tuple[Table, list[str]]
) -> None:
    """Neither markup nor script, and no page grows wider for it."""
    table, names = hostile
    with window(browser, served.url, viewport={"width": 320, "height": 568}) as shown:
        page = shown.sit(table, len(names)).page
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        for stage in ("lobby", "playing"):
            text = page.inner_text("main")
            assert all(name in text for name in names)
            assert page.query_selector("main img, main script") is None
            page.wait_for_function("document.documentElement.scrollWidth === 320")
            if stage == "lobby":
                assert table.start().status_code == 200
                page.wait_for_selector(".table-page")


def counted(sizes: list[int], ended: dict[str, int]) -> None:
    sizes.append(ended["encodedDataLength"])


@pytest.mark.parametrize(
    ("first", "ready"), [("lobby", ".tables, .face.empty"), ("table", ".own .hand .card")]
)
def test_the_first_load_is_small(browser: Browser, served: Served, first: str, ready: str) -> None:
    """Bytes as they are sent, and requests."""
    address = f"{served.url}/play"
    if first == "table":
        table = table_for(served.url, "classic", [PERSON, *[BOT] * 3], {})
        address += f"/g/{table.game}#seat=0&token={table.tokens[0]}"
    with window(browser, served.url) as shown:
        session = shown.page.context.new_cdp_session(shown.page)
        session.send("Network.enable")
        sizes: list[int] = []
        session.on("Network.loadingFinished", partial(counted, sizes))
        shown.page.route("**/frames?*", lambda route: route.abort())  # what the log recalls later
        shown.page.goto(address)
        shown.page.wait_for_selector(ready)
        loaded = shown.page.evaluate(
            "performance.getEntriesByType('resource').map((one) => one.name)"
        )
        assert len(loaded) + 1 <= REQUESTS, loaded
        assert 0 < sum(sizes) <= LARGEST, sizes


def test_nothing_loaded_says_where_else_to_load_from(served: Served) -> None:
    script = "".join(
        httpx2.get(f"{served.url}/play/{part}.js").text for part in ("lobby", "table", "replay")
    )
    assert not re.search(r"(?<!xmlns=')https?://(?!www\.w3\.org)", script)
