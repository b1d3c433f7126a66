"""What players say to the table: seen at their seats, heard, muted, and in no log."""

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.service.api_tables import BOT, PERSON, Table, bearer
from tests.support.service.server import Served
from tests.support.service.table_pages import Window, table_for, window

WATCHED = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value;
  }).observe({ type: "layout-shift" });
}"""
PLACES = """() => [...document.querySelectorAll(".seat, .felt, .own, .hand, .ask, .who, .badge")]
  .map((part) => Object.values(part.getBoundingClientRect().toJSON()).join(" "))"""


def say(page: Page, code: str) -> None:
    page.click(".say > button")
    page.click(f"[data-reaction={code}]")
    expect(page.locator(".says-what")).to_have_count(0)


def status_of(served: Served, table: Table, seat: int, code: str) -> int:
    """The status of a reaction that another device sends."""
    url = f"{served.url}/v1/games/{table.game}/reactions"
    body, headers = {"reaction": code}, bearer(table.tokens[seat])
    return httpx2.post(url, json=body, headers=headers).status_code


def at(shown: Window, table: Table, seat: int) -> Page:
    page = shown.sit(table, seat).page
    page.wait_for_selector(".own .hand .card")
    return page


@pytest.mark.parametrize("size", [(390, 640), (1366, 650), (683, 325)])
def test_a_reaction_is_seen_at_its_seat_and_nothing_moves(
    browser: Browser, served: Served, size: tuple[int, int]
) -> None:
    """On both pages, for four seconds; read aloud, and on no line of the log."""
    table = table_for(served.url, "classic", [PERSON, PERSON, BOT], {})
    viewport = {"width": size[0], "height": size[1]}
    with (
        window(browser, served.url, viewport=viewport) as ada,
        window(browser, served.url, viewport=viewport, locale="fr-FR") as ben,
    ):
        own, other = at(ada, table, 0), at(ben, table, 1)
        other.wait_for_selector(".newest", state="attached")
        before = other.evaluate(PLACES)
        other.evaluate(WATCHED)
        say(own, "good_luck")
        expect(own.locator(".own > .bubble")).to_contain_text("Good luck")
        bubble = other.locator(".seat.seat-0 > .bubble")
        expect(bubble).to_contain_text("Bonne chance")
        expect(
            other.locator("[role=status]", has_text="Seat 0 dit : Bonne chance")
        ).to_be_attached()
        assert other.evaluate(PLACES) == before
        assert own.evaluate("document.activeElement.closest('.say') !== null")
        expect(bubble).to_have_count(0)
        assert other.evaluate(PLACES) == before
        assert other.evaluate("window.shifted") == 0
        assert "Good luck" not in own.inner_text(".side .log, .newest")
        box = own.locator(".say > button").bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24


def test_a_player_is_muted_and_stays_so(browser: Browser, served: Served) -> None:
    """Also after a reload and at the next table; others are heard, and the own words."""
    seats = [PERSON, PERSON, PERSON]
    table, following = (table_for(served.url, "classic", seats, {}) for _ in range(2))
    with window(browser, served.url) as shown:
        page = at(shown, table, 0)
        assert status_of(served, table, 1, "ouch") == 204
        page.click(".seat-1 > .mute")
        for where in (table, following):
            page = at(shown, where, 0)
            assert status_of(served, where, 1, "oops") == 204
            expect(page.locator(".seat-1 > .mute[aria-pressed=true]")).to_be_visible()
            assert status_of(served, where, 2, "thanks") == 204
            expect(page.locator(".seat-2 > .bubble")).to_be_visible()
            assert page.locator(".seat-1 > .bubble").count() == 0
            assert page.locator("[role=status]", has_text="Seat 1 says").count() == 0
        page.click(".seat-1 > .mute")
        assert status_of(served, following, 1, "ouch") == 204
        expect(page.locator(".seat-1 > .bubble")).to_contain_text("Ouch")


def test_reactions_are_switched_off(browser: Browser, served: Served) -> None:
    """Then neither the button nor what others say is there, until they are wanted again."""
    table = table_for(served.url, "classic", [PERSON, PERSON], {})
    with window(browser, served.url) as shown:
        page = at(shown, table, 0)
        page.click(".bar button.quiet")
        page.uncheck("[name=reactions]")
        page.click("dialog header button")
        expect(page.locator(".say")).to_have_count(0)
        assert status_of(served, table, 1, "thanks") == 204
        page = at(shown, table, 0)
        expect(page.locator(".say")).to_have_count(0)
        page.click(".bar button.quiet")
        assert not page.is_checked("[name=reactions]")
        page.check("[name=reactions]")
        page.click("dialog header button")
        assert status_of(served, table, 1, "oops") == 204
        expect(page.locator(".seat-1 > .bubble")).to_contain_text("Oops")


def test_a_reaction_is_chosen_by_keys(browser: Browser, served: Served) -> None:
    """By arrows or a digit, which do nothing else at the table meanwhile; too many are refused."""
    table = table_for(served.url, "classic", [PERSON, PERSON], {})
    with window(browser, served.url) as shown:
        page = at(shown, table, 1)  # the one who is asked
        page.focus(".say > button")
        for keys, text in (
            (("ArrowDown", "Enter"), "Good luck"),
            (("ArrowUp", "Enter"), "One moment"),
            (("4",), "Ouch"),
        ):
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-reaction]:focus")
            for key in keys:
                page.keyboard.press(key)
            expect(page.locator(".own > .bubble")).to_contain_text(text)
            page.wait_for_selector(".say > button:focus")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-reaction]:focus")
        version = page.get_attribute(".table-page", "data-version")
        while status_of(served, table, 1, "thanks") != 429:
            pass
        page.keyboard.press("d")
        page.keyboard.press("1")
        expect(page.locator(".says-what .fault")).to_contain_text("wait a little")
        page.keyboard.press("Escape")
        page.wait_for_selector(".say > button:focus")
        assert page.locator("[data-reaction]").count() == 0
        assert page.get_attribute(".table-page", "data-version") == version
        for keys in (("Shift+Tab", "Escape"), ("Shift+Tab", "Shift+Tab")):
            page.focus(".say > button")
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-reaction]:focus")
            for key in keys:
                page.keyboard.press(key)
            expect(page.locator("[data-reaction]")).to_have_count(0)


def test_after_the_end_there_is_time_for_well_played(browser: Browser, served: Served) -> None:
    table = table_for(served.url, "classic", [PERSON, PERSON], {})
    with (
        window(browser, served.url) as ada,
        window(browser, served.url) as ben,
    ):
        own, other = at(ada, table, 0), at(ben, table, 1)
        why = {"reason": "The club closes."}
        path = f"{served.url}/v1/games/{table.game}/void"
        assert httpx2.post(path, json=why, headers=bearer(table.host)).is_success
        for page in (own, other):
            page.wait_for_selector(".over")
        own.reload()
        own.wait_for_selector(".over")
        say(own, "well_played")
        for page in (own, other):
            expect(page.locator(".seat-0 > .bubble")).to_contain_text("Well played")
        other.click(".seat-0 > .mute")
