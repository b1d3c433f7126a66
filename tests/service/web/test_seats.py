"""What the page of a seat holds: nothing that the seat may not know; and six of them at a table."""

import re
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser

from tests.support.service.api_tables import PERSON, Layout, Table
from tests.support.service.seated_pages import seated
from tests.support.service.server import Served
from tests.support.service.table_pages import Clicking, table_for, window

pytestmark = pytest.mark.system

RECALLED = (
    r"""() => window.heard.some((text) => text.startsWith('{"frames"') && /\n$/.test(text))"""
)
APART = re.compile(r'[0-9a-f]{16,}|"receipt":\{[^}]*\}|"(at|due_at)":\d+|"request_id":"[^"]*"')
"""Hashes over events, whose seals are salted with what is hidden; signatures over them; times."""

PAIRS = {
    "classic": (
        Layout("classic", ("R1 B1 G5 Y9 W", "R7 B7 G3 Y2 R4"), discard="R12", stock="R6 B6"),
        {"hands": ("R1 B1 G5 Y9 W", "S W G9 Y11 B11"), "stock": "Y6 G8"},
    ),
    "board": (
        Layout("board", ("R1 B1 G5 Y9", "R7 B7 G3"), discard="R12 B12 R11", stock="R6 B6 G6"),
        {"hands": ("R1 B1 G5 Y9", "Y1 G2 B3"), "discard": "Y5 G4 R11", "stock": "Y6 R10 B9"},
    ),
}
"""Two deals of a game that differ only in what seat 0 may not know."""


def knows(browser: Browser, layout: Layout) -> list[str]:
    """All that the page of seat 0 shows and was sent, until it has tried to lay a phase."""
    with seated(browser, layout) as shown:
        page = shown.page
        page.wait_for_selector(".ask [data-command]")
        page.wait_for_function(RECALLED)  # before the next event, so that both have as many
        if page.query_selector("[data-command=draw]"):
            page.click("[data-place=discard]")  # everybody sees that card
            page.wait_for_selector(".table-page[data-version='8'], .choices-list")
        page.click(".own .hand .card >> nth=0")
        page.click(".slotgroup .caption >> nth=0")
        page.wait_for_selector(".verdict.open")
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        page.wait_for_selector(".side .log li:nth-child(5)")
        heard = [APART.sub("", text) for text in page.evaluate("window.heard")]
        return [APART.sub("", page.inner_html("body")), *sorted(heard)]


@pytest.mark.parametrize("game", PAIRS)
def test_the_page_knows_nothing_of_what_is_hidden(browser: Browser, game: str) -> None:
    """Law 7: two deals that differ in nothing else give the page the same bytes."""
    layout, changes = PAIRS[game]
    texts, other = knows(browser, layout), knows(browser, layout._replace(**changes))
    assert len(texts) > 3
    assert texts == other


def test_the_table_tells_what_happened_before(browser: Browser) -> None:
    """A page that is opened, or loaded anew, has the log; and a move says what its space does."""
    layout, _ = PAIRS["board"]
    with seated(browser, layout) as shown:
        for _ in range(2):
            shown.page.wait_for_selector(".side .log li:has-text('rolls 1 and 2')")
            assert shown.page.inner_text(".ask [data-command=move]") == "Move 1 space: take 1 card"
            assert len(shown.page.query_selector_all(".ring .space.open")) == 2
            shown.page.reload()


def test_what_the_seat_may_know_makes_a_difference(browser: Browser) -> None:
    """The comparison above sees the own hand."""
    layout, _ = PAIRS["classic"]
    other = layout._replace(hands=("R1 B1 G5 Y9 S", layout.hands[1]))
    assert knows(browser, layout) != knows(browser, other)


def test_six_browsers_play_at_one_table(browser: Browser, served: Served) -> None:
    table = table_for(
        served.url, "express", [PERSON] * 6, {"variant": "n_phases(1)", "max_turns_per_round": 12}
    )
    with ExitStack() as stack:
        people = [
            Clicking(stack.enter_context(window(browser, served.url)).sit(table, seat).page)
            for seat in range(6)
        ]
        watching = stack.enter_context(window(browser, served.url)).page
        watching.goto(f"{served.url}/play/g/{table.game}")
        watching.wait_for_selector(".table-page .question")
        assert "You are watching." in watching.inner_text(".question")
        for _ in range(24):
            state = table_state(table, served)
            if state["stage"] != "playing":
                break
            people[state["waits"][0]["seat"]].step()
        version = max(
            int(person.page.get_attribute(".table-page", "data-version") or 0) for person in people
        )
        for person in (Clicking(watching), *people):
            person.catch_up(version)
        shown = watching.inner_text(".table-page")
        assert all(f"Seat {seat}" in shown for seat in range(6))
        assert watching.query_selector(".own") is None


def table_state(table: Table, served: Served) -> dict[str, Any]:
    answer = httpx2.get(f"{served.url}/v1/games/{table.game}")
    state: dict[str, Any] = answer.json()["table"]
    return state
