"""The own hand stays where it is and as its owner wants it; what is chosen once stays chosen."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.service.api_tables import BOT, PERSON, Layout
from tests.support.service.fixed_deals import fixed_deals
from tests.support.service.seated_pages import seated
from tests.support.service.server import Served
from tests.support.service.table_pages import SETTLED, Clicking, table_for, window

SHIFTS = """new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    window.shifted = (window.shifted ?? 0) + value;
    const named = sources.map(({ node }) => node?.className || node?.nodeName);
    (window.shifts ??= []).push([value, ...named]);
  }
}).observe({ type: "layout-shift", buffered: true });"""
"""Adds up how much of what is seen has moved by itself."""
LARGEST_SHIFT = 0.07
"""For each own turn; it was 0.12."""
TOP = "document.querySelector('.own .hand').getBoundingClientRect().top"
SHOWN = (
    "(where) => [...document.querySelectorAll(where)].map((card) => card.dataset.card).join(' ')"
)
HAND = ".own .hand .card"


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_hand_does_not_jump(browser: Browser, served: Served, size: tuple[int, int]) -> None:
    """Nor anything else, by much, at a change of turn."""
    with fixed_deals(f"steady {size[0]}"):
        table = table_for(served.url, "classic", [PERSON, BOT, BOT], {})
    viewport = {"width": size[0], "height": size[1]}
    with window(browser, served.url, viewport=viewport) as shown:
        shown.page.add_init_script(SHIFTS)
        page = shown.sit(table, 0).page
        page.wait_for_selector(".newest", state="attached")
        page.wait_for_function(SETTLED)
        tops, turns, begun = set(), 5, page.evaluate("window.shifted ?? 0")
        for _ in range(turns):
            page.click(".ask [data-command=draw]")
            page.wait_for_selector(".choices-list [data-command=discard]", state="attached")
            tops.add(page.evaluate(TOP))
            Clicking(page).discard()
            page.wait_for_function(
                """() => document.querySelector(".ask [data-command=draw], [data-confirm]")"""
            )
            if page.query_selector("[data-confirm]"):
                page.click("[data-confirm]")
            page.wait_for_selector(".ask [data-command=draw]")
            tops.add(page.evaluate(TOP))
        assert max(tops) - min(tops) < 1, tops
        shifted = page.evaluate("window.shifted ?? 0") - begun
        assert shifted <= LARGEST_SHIFT * turns, page.evaluate("window.shifts")


def arrange(page: Page, order: str) -> None:
    page.select_option(".ask-order", order)


def test_a_hand_stays_as_it_was_arranged(browser: Browser) -> None:
    """Sorted, with what is drawn; and with its slots, loaded anew or in another language."""
    layout = Layout("classic", ("R7 B5 W Y5 G1", "R1 R2"), discard="R12", stock="Y2 B6")
    with seated(browser, layout) as shown:
        page = shown.page
        page.wait_for_selector(".ask [data-command=draw]")
        assert page.evaluate(SHOWN, HAND) == "R7 B5 W Y5 G1"
        arrange(page, "colour")
        assert page.evaluate(SHOWN, HAND) == "B5 G1 R7 Y5 W"
        arrange(page, "rank")
        page.click(".pile[data-place=stock]")
        expect(page.locator(HAND)).to_have_count(6)
        assert page.evaluate(SHOWN, HAND) == "G1 Y2 B5 Y5 R7 W"
        page.drag_and_drop(f"{HAND}[data-card=W]", f"{HAND}[data-card=G1]", steps=4)
        assert page.evaluate(SHOWN, HAND) == "W G1 Y2 B5 Y5 R7"
        assert page.input_value(".ask-order") == "hand"
        for card in ("B5", "Y5"):
            page.click(f"{HAND}[data-card={card}]")
        page.click(".slotgroup .caption >> nth=0")
        for renew in (page.reload, lambda: page.select_option(".top select", "de")):
            renew()
            expect(page.locator(".slots .card")).to_have_count(2)
            assert page.evaluate(SHOWN, HAND) == "W G1 Y2 R7"
        page.wait_for_function("() => document.title.startsWith('Du bist dran · ')")
        expect(page.locator(".slots .card")).to_have_count(2)


STILL = """navigator.vibrate = () => true;
window.heard_tones = 0;
window.AudioContext = class {
  currentTime = 0;
  resume() {}
  createOscillator() {
    window.heard_tones += 1;
    return { frequency: {}, connect: (to) => to, start() {}, stop() {} };
  }
  createGain() {
    const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect: (to) => to };
  }
};"""


def test_what_is_chosen_for_the_table_is_kept(browser: Browser) -> None:
    """Theme, size of the cards, sounds, and a moment to take a discard back."""
    layout = Layout("classic", ("R7 B5 W Y5 G1", "R1 R2"), discard="R12", stock="Y2 B6")
    with seated(browser, layout) as shown:
        page = shown.page
        page.add_init_script(STILL)
        page.reload()
        page.wait_for_selector(".ask [data-command=draw]")
        assert page.title().startswith("Your turn · ")
        assert "circle" in (page.get_attribute("link[rel=icon]", "href") or "")
        usual = page.locator(HAND).first.bounding_box()
        page.click(".bar button[aria-label]")
        page.select_option("[name=theme]", "dark")
        page.select_option("[name=cards]", "large")
        page.check("[name=takeBack]")
        page.check("[name=sound]")
        page.keyboard.press("Escape")
        page.reload()
        page.wait_for_selector(".ask [data-command=draw]")
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
        large = page.locator(HAND).first.bounding_box()
        assert usual
        assert large
        assert large["width"] > usual["width"]
        page.wait_for_function("() => window.heard_tones > 0")
        page.click(".pile[data-place=stock]")
        expect(page.locator(HAND)).to_have_count(6)
        page.click(f"{HAND}[data-card=R7]")
        page.click(".ask [data-command=discard]")
        page.click("[data-back]")
        assert page.query_selector(".ask [data-command=discard]") is not None
        page.click(".ask [data-command=discard]")
        page.wait_for_selector("[data-back]")
        page.wait_for_selector(f"{HAND}[data-card=R7]", state="detached")
        page.wait_for_function("() => !document.title.startsWith('Your turn')")


def test_cards_move_on_the_live_table_unless_that_is_unwanted(browser: Browser) -> None:
    """For a third of a second at most."""
    layout = Layout("classic", ("R7 B5 W Y5 G1", "R1 R2"), discard="R12", stock="Y2 B6")
    with seated(browser, layout) as shown:
        page = shown.page
        page.add_init_script(
            """window.flights = []; const animate = Element.prototype.animate;
            Element.prototype.animate = function (frames, options) {
              window.flights.push([this.dataset.card, options.duration]);
              return animate.call(this, frames, options);
            };"""
        )
        page.reload()
        page.click(".pile.open[data-place=stock]")
        expect(page.locator(HAND)).to_have_count(6)
        assert page.evaluate("window.flights") == []
        page.emulate_media(reduced_motion="no-preference")
        page.click(f"{HAND}[data-card=R7]")
        page.click(".ask [data-command=discard]")
        page.wait_for_selector(f"{HAND}[data-card=R7]", state="detached")
        assert page.evaluate("window.flights") == [["R7", 260]]
