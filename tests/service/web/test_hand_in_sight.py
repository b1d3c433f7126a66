"""The own hand is in sight and uncovered at every moment, however much lies on the table."""

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page

from tests.support.campaigns import sampled
from tests.support.service.api_tables import Table, rows_of
from tests.support.service.crowded_tables import HELD, PHASES, crowded
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving
from tests.support.service.table_pages import window

GAME = "00000000-0000-8000-8000-00000000c0de"
SIZES = ((390, 844), (390, 664), (768, 1024), (1280, 800), (1366, 650), (1920, 1080), (320, 568))
"""Widths and heights in CSS pixels; the last one is the least screen."""
LOW = ((844, 390), (640, 400))
"""A phone laid down, and 1280 x 800 at 200 %: there the hand goes by with the table."""
COVERED = """() => [...document.querySelectorAll('.own .hand .card')].flatMap((card, place) => {
  const { left, top, width, height } = card.getBoundingClientRect();
  const touched = document.elementFromPoint(left + width / 2, top + height / 2);
  return touched && touched.closest('.card') === card ? []
    : [`${place + 1}: ${touched ? touched.className || touched.tagName : 'out of sight'}`];
})"""
"""The cards of the own hand whose middle is not what a finger there would touch."""
UNSEEN_SLOTS = """() => [...document.querySelectorAll('.slots :is(.slot, .card)')].filter((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const touched = document.elementFromPoint(left + width / 2, top + height / 2);
  return touched?.closest('.slotgroup') !== one.closest('.slotgroup');
}).length"""
"""How many slots of the phase are not to be seen where they stand."""
UNSEEN_FOCUS = """() => {
  const { left, top, bottom, width, height } = document.activeElement.getBoundingClientRect();
  const bar = document.querySelector('.own');
  if (bar.contains(document.activeElement) || document.activeElement === document.body) return '';
  return bottom > bar.getBoundingClientRect().top + 1 || top < 0
    ? document.activeElement.outerHTML.slice(0, 120) : '';
}"""
"""What has the focus and is not whole in sight above the bar."""
MIDDLE = """(what) => {
  const { left, top, width, height } = document.querySelector(what).getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
"""The place of the first of them in the window: a line that appears above may move the page by its
height, and the browser keeps in place what is seen."""

SHARES = """() => [document.querySelector('.desk .own').offsetHeight / innerHeight,
  ...[...document.querySelectorAll('.bar h1')].map((h1) =>
    Math.max(h1.scrollHeight - h1.clientHeight, h1.scrollWidth - h1.clientWidth))]"""
"""How much of the window's height the bar of hand and question takes; what is cut of the title."""
LARGEST_SHARE = 0.53


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What it gives, in a thread of its own: the browser's driver has the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@contextmanager
def seated(browser: Browser, ruleset: str, **context: Any) -> Iterator[Page]:
    """Seat 0 of a crowded table."""
    parts = in_memory()
    with serving(parts) as served:
        awaited(parts.store.append(UUID(GAME), rows_of(crowded(ruleset, GAME))))
        token = awaited(parts.credentials.issue(UUID(GAME), 0))
        with window(browser, served.url, **context) as shown:
            shown.sit(Table(None, GAME, "", {0: token}), 0)  # type: ignore[arg-type]
            shown.page.wait_for_selector(".ask [data-command]")
            yield shown.page


def scrolled(page: Page) -> Iterator[str]:
    """At the top, half-way and at the end of the page."""
    for part in (0, 0.5, 1):
        page.evaluate(
            "(part) => scrollTo(0, part * (document.documentElement.scrollHeight - innerHeight))",
            part,
        )
        yield f"scrolled by {part}"


@pytest.mark.parametrize("ruleset", sampled(PHASES, "board"))
def test_no_card_of_the_hand_is_covered(browser: Browser, ruleset: str) -> None:
    """Nor any slot of the phase; and most of the window is the table's, whose title is whole."""
    with seated(browser, ruleset) as page:
        covered: dict[str, list[str]] = {}
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert len(page.query_selector_all(".own .hand .card")) == HELD
            for where in scrolled(page):
                if cards := page.evaluate(COVERED):
                    covered[f"{width} x {height}, {where}"] = cards
                assert page.evaluate(UNSEEN_SLOTS) == 0, (width, height, where)
            share, *cut = page.evaluate(SHARES)
            assert share <= LARGEST_SHARE, (width, height)
            assert cut == [0], (width, height)
        assert covered == {}
        for width, height in LOW:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            assert len(page.evaluate(COVERED)) == HELD
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            assert page.evaluate(COVERED) == []
            assert page.evaluate(UNSEEN_SLOTS) == 0


@pytest.mark.system
@pytest.mark.parametrize("size", sampled(SIZES, (320, 568), (1280, 800)))
def test_no_focus_goes_under_the_hand(browser: Browser, size: tuple[int, int]) -> None:
    """WCAG 2.4.11: by Tab through the whole table, which is longer than the window, and back."""
    width, height = size
    with seated(browser, "board", viewport={"width": width, "height": height}) as page:
        page.click(".desk .choices-list summary")
        page.focus("h1")
        page.evaluate("scrollTo(0, 0)")
        for key in ("Tab", "Shift+Tab"):
            places = 0
            while True:
                page.keyboard.press(key)
                assert page.evaluate(UNSEEN_FOCUS) == ""
                if page.evaluate("document.activeElement.matches('body, h1')"):
                    break
                places += page.evaluate("document.activeElement.closest('.desk') !== null")
                at_end = page.evaluate("document.activeElement.closest('.own .hand') !== null")
                if key == "Tab" and at_end:
                    break
            assert places > 30


@pytest.mark.system
def test_a_focus_in_the_hand_scrolls_nothing(browser: Browser) -> None:
    """Arrows in the hand and the keys of the table leave the table where it is, half-way down.

    The window is so low that the hand stands where any other focus would be scrolled away from.
    """
    with seated(browser, "classic", viewport={"width": 844, "height": 500}) as page:
        page.evaluate("scrollTo(0, 300)")
        before = page.evaluate(MIDDLE, ".slotgroup .slot")
        for key in ("ArrowRight", "End", "Space", "ArrowLeft", "Home", "Space"):
            page.keyboard.press(key)
            page.evaluate("() => new Promise(requestAnimationFrame)")
            assert page.evaluate(MIDDLE, ".slotgroup .slot") == pytest.approx(before, abs=1)
        assert page.evaluate("document.activeElement.closest('.own .hand') !== null")
        assert len(page.query_selector_all(".own .card[aria-pressed=true]")) == 2
        assert page.evaluate(COVERED) == []


@pytest.mark.system
def test_a_finger_drags_a_card_out_of_the_hand(browser: Browser) -> None:
    """On a phone: upwards too, where a finger would scroll the page."""
    phone = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}
    with seated(browser, "classic", **phone) as page:
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        (x, y), before = (
            page.evaluate(MIDDLE, what) for what in (".own .hand .card", ".slotgroup .slot")
        )
        to_x, to_y = before
        session = page.context.new_cdp_session(page)
        for kind, part in (("Start", 0), *[("Move", step / 10) for step in range(1, 11)]):
            at = {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}
            session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [at]})
        assert page.evaluate(MIDDLE, ".slotgroup .slot") == pytest.approx(before, abs=1)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_selector(".slotgroup .card")
        assert len(page.query_selector_all(".own .hand .card")) == HELD - 1
