"""The own hand stays where it is and as its owner wants it; what is chosen once stays chosen."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.service.api_tables import BOT, PERSON, Layout
from tests.support.service.fixed_deals import fixed_deals
from tests.support.service.seated_pages import seated
from tests.support.service.server import Served
from tests.support.service.table_pages import SETTLED, Clicking, table_for, window

WATCHED = """() => {
  const tops = window.tops = new Set();
  const look = () => {
    tops.add(document.querySelector(".own .hand").getBoundingClientRect().top);
    requestAnimationFrame(look);
  };
  look();
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value;
  }).observe({ type: "layout-shift" });
}"""
"""Where the hand has stood in each frame, and how much of what is seen has moved by itself."""
LARGEST_SHIFT = {1280: 0.07, 390: 0.1}
"""For each own turn, by the width of the window; it was 0.12 and more."""
SHOWN = (
    "(where) => [...document.querySelectorAll(where)].map((card) => card.dataset.card).join(' ')"
)
HAND = ".own .hand .card"


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_hand_does_not_jump(browser: Browser, served: Served, size: tuple[int, int]) -> None:
    """Not in any frame; and nothing else does by much at a change of turn."""
    width, height = size
    with fixed_deals(f"steady {width}"):
        table = table_for(served.url, "classic", [PERSON, BOT, BOT], {})
    with window(browser, served.url, viewport={"width": width, "height": height}) as shown:
        page, turns = shown.sit(table, 0).page, 5
        page.wait_for_selector(".newest", state="attached")
        page.wait_for_function(SETTLED)
        page.evaluate(WATCHED)
        for _ in range(turns):
            page.click(".ask [data-command=draw]")
            page.wait_for_selector(".choices-list [data-command=discard]", state="attached")
            Clicking(page).discard()
            page.wait_for_selector(".ask :is([data-command=draw], [data-confirm])")
            if page.query_selector("[data-confirm]"):
                page.click("[data-confirm]")
            page.wait_for_selector(".ask [data-command=draw]")
        assert len(page.evaluate("[...window.tops]")) == 1
        assert page.evaluate("window.shifted") <= LARGEST_SHIFT[width] * turns


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
            page.wait_for_function(f"(cards) => ({SHOWN})(cards) === 'W G1 Y2 R7'", arg=HAND)
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
        page.click(f"{HAND}[data-card=B5]")  # does not take it back
        with page.expect_request(lambda sent: sent.method == "POST" and "commands" in sent.url):
            page.select_option("header select", "de")  # draws the table anew at once
        page.wait_for_selector(f"{HAND}[data-card=R7]", state="detached")
        page.wait_for_function("() => !document.title.startsWith('Du bist')")


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
