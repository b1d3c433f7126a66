"""What a person does at the table is answered: by a move, by a question back, or by the rule."""

import re

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON, Layout, at_random, play_on
from tests.support.service.fixed_deals import fixed_deals
from tests.support.service.seated_pages import seated
from tests.support.service.server import Served
from tests.support.service.table_pages import SETTLED, Clicking, table_for, window

CLASSIC = Layout(
    "classic", ("R7 B5 Y5 S W G1 G2 G3 G4 G6", "R1 R2", "R3 R4"), discard="S", stock="Y12"
)
CUT = """() => [...document.querySelectorAll('.ask .do button')].filter((button) => {
  const { left, top, bottom, width } = button.getBoundingClientRect();
  const at = (y) => document.elementFromPoint(left + width / 2, y);
  return at(top + 2) !== button || at(bottom - 2) !== button;
}).map((button) => button.innerText)"""
"""The answers of which an edge is not to be seen."""
TWO_AT_ONCE = "skips 3"
"""Deals of which the second begins with a skip."""
FOCUSED = "document.activeElement !== document.body"


def take_up(page: Page, *cards: str) -> None:
    for card in cards:
        page.click(f".own .hand [data-card='{card}'][aria-pressed=false]")


def refusal(page: Page) -> str:
    """Why nothing came of the last gesture."""
    page.wait_for_selector(".refused-note")
    return page.inner_text(".refused-note")


def test_every_gesture_is_answered(browser: Browser) -> None:
    """A walk through a turn: what cannot be done says why, with its rule."""
    with seated(browser, CLASSIC) as shown:
        page = shown.page
        page.wait_for_selector(".ask [data-command]")
        page.click(".pile[data-place=discard]")  # a skip is not drawn
        assert "A skip on the discard pile cannot be drawn." in refusal(page)
        page.wait_for_selector(".refused-note .rule")
        page.click("button.name >> nth=0")
        assert "Select a card of your hand first." in refusal(page)
        page.click(".pile[data-place=stock]")
        page.wait_for_selector(".choices-list [data-command=discard]", state="attached")
        page.click(".pile[data-place=stock]")
        assert "Draw" in refusal(page)
        take_up(page, "B5", "Y5")
        page.click(".pile[data-place=discard]")
        assert "one card" in refusal(page).lower()
        page.keyboard.press("Escape")
        take_up(page, "S")
        expect(page.locator(".seat.open")).to_have_count(2)
        assert "Tap whoever is to be skipped." in page.inner_text(".ask")
        page.click(".pile.open[data-place=discard]")
        page.click("dialog[open] ul button >> nth=1")
        assert "Sure?" in page.inner_text(".ask")  # a skip is dear
        page.click(".ask button:not([data-confirm])")
        page.keyboard.press("1")  # seat 0 itself
        assert page.query_selector("[data-confirm]") is None
        page.keyboard.press("2")
        page.click("[data-confirm]")
        page.wait_for_selector(".own .hand [data-card=S]", state="detached")


def test_cards_that_are_taken_up_go_to_the_pile_and_take_none(browser: Browser) -> None:
    """Who forgets to draw, and discards, is told so, and draws no card of the pile by it."""
    with seated(browser, CLASSIC._replace(discard="G9")) as shown:
        page = shown.page
        page.wait_for_selector(".ask [data-command]")
        take_up(page, "B5")
        page.click(".pile[data-place=discard]")
        assert "Draw a card first." in refusal(page)
        page.keyboard.press("h")
        assert "to ." not in refusal(page)
        page.keyboard.press("Escape")
        page.click(".pile[data-place=discard]")
        page.wait_for_selector(".own .hand [data-card='G9']")


def test_the_rules_are_asked_for_once(browser: Browser) -> None:
    with seated(browser, CLASSIC) as shown:
        page = shown.page
        asked: list[str] = []
        page.on("request", lambda sent: asked.append(sent.url) if "/sheet" in sent.url else None)
        page.click(".bar button:has-text('Rules')")
        page.wait_for_selector("dialog[open] .phases, dialog[open] section")
        page.keyboard.press("Escape")
        page.click(".bar button:has-text('Menu')")
        page.wait_for_selector("dialog[open] details")
        assert len(asked) == 1


def test_a_group_that_does_not_take_a_card_says_why(browser: Browser) -> None:
    """With the own phase laid or not; and a wrong group of the own phase before all have cards."""
    layout = Layout("classic", ("R7 B5 Y5 G5 R5 B5 G5", "R1 R2"), discard="R12", stock="Y12 R5")
    with seated(browser, layout) as shown:
        page = shown.page
        page.click(".pile[data-place=stock]")
        take_up(page, "R7", "B5", "Y5")
        page.click(".slotgroup .caption >> nth=0")
        page.wait_for_selector(".slotgroup.refused")
        assert "have one number" in page.inner_text(".verdict")
        page.wait_for_selector(".verdict .rule")
        page.click(".slots [data-card=R7]")
        page.wait_for_selector(".slotgroup.refused", state="detached")
        assert "4 more cards are needed." in page.inner_text(".verdict")
        page.click(".ask button:has-text('Find')")
        page.click(".ask [data-command=lay]")
        page.wait_for_selector(".group")
        page.wait_for_function(SETTLED)
        for step in ("tap", "drag"):
            if step == "tap":
                take_up(page, "R7")
                page.click(".group .caption >> nth=0")
            else:
                page.keyboard.press("Escape")
                page.drag_and_drop(
                    ".own .hand [data-card=Y12]", ".group .caption >> nth=0", steps=4
                )
            assert re.search(r"Refused: Add \w+ \d+ to a set of 5s \(Seat 0\)\.", refusal(page))
            page.wait_for_selector(".group.refused")
        for width, height in ((390, 844), (390, 664), (1280, 800), (1366, 650)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(CUT) == [], (width, height)
        for lang in ("de", "fr"):  # whose a group is, where two are called the same
            page.select_option(".top select", lang)
            page.wait_for_selector(f"html[lang={lang}] .ask", state="attached")
            page.wait_for_function(SETTLED)
            take_up(page, "R7")
            page.click(".group .caption >> nth=0")
            kind = page.inner_text(".group .kind >> nth=0")
            assert f"{kind} (Seat 0)" in refusal(page)


def test_a_marked_space_of_the_ring_is_a_move(browser: Browser) -> None:
    layout = Layout("board", ("R1 B1 G5 Y9", "R7 B7 G3"), discard="R12", stock="R6 B6 G6")
    with seated(browser, layout) as shown:
        page = shown.page
        page.click(".ring .space.open >> nth=0")
        page.wait_for_selector(".table-page:not([data-busy=true]) .ask")
        page.wait_for_selector(".ask [data-command=move]", state="detached")


def test_letters_act_on_the_table_alone_and_can_be_switched_off(browser: Browser) -> None:
    """WCAG 2.1.4; and the focus is never lost, whatever goes (2.4.3)."""
    with seated(browser, CLASSIC) as shown:
        page = shown.page
        page.wait_for_selector(".ask [data-command=draw]")
        assert page.evaluate(FOCUSED)
        page.focus(".bar nav button:not(.narrow) >> nth=0")
        page.keyboard.press("d")
        page.click(".bar button[aria-label]")
        page.uncheck("dialog [name=letters]")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        assert page.evaluate("document.activeElement.matches('.bar button')")
        page.focus(".own .hand .card")
        page.keyboard.press("d")
        assert page.query_selector(".table-page[data-busy=false] .ask [data-command=draw]")
        page.click(".bar button[aria-label]")
        page.check("dialog [name=letters]")
        page.keyboard.press("Escape")
        page.focus(".ask [data-command=draw]")
        page.keyboard.press("d")
        page.wait_for_selector(".ask [data-command=draw]", state="detached")
        page.wait_for_function(SETTLED)
        assert page.evaluate("document.activeElement.closest('.own .hand') !== null")
        for key in "hx2":
            page.keyboard.press(key)
            assert "Select a card of your hand first." in refusal(page)
        page.keyboard.press("f")
        page.wait_for_selector(".refused-note:has-text('You have drawn already.')")
        take_up(page, "G1")
        page.keyboard.press("h")
        page.wait_for_selector(".refused-note .rule")
        page.keyboard.press("x")
        page.wait_for_selector(".own .hand [data-card=G1]", state="detached")
        assert page.evaluate(FOCUSED)


@pytest.mark.system
def test_the_end_of_a_round_begins_at_going_on(browser: Browser) -> None:
    layout = Layout("classic", ("R5 B5 G5 R9 B9 G9", "R1 R2"), discard="R12", stock="Y12")
    with seated(browser, layout) as shown:
        page = shown.page
        page.click(".pile[data-place=stock]")
        page.click(".ask button:has-text('Find')")
        page.click(".ask [data-command=lay]")
        page.wait_for_selector(".group")
        page.click(".own .hand .card")
        page.click(".ask [data-command=discard]")
        page.wait_for_selector("dialog[open] .results")
        expect(page.locator("dialog .primary")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog", state="detached")
        assert page.evaluate(FOCUSED)


SLOW = """() => {
  const real = window.setTimeout;
  window.setTimeout = (act, delay, ...given) =>
    real(act, delay >= 90 && delay <= 350 ? 1e6 : delay, ...given);
  const read = ReadableStreamDefaultReader.prototype.read;
  const gate = new Promise((done) => { window.release = done; });
  ReadableStreamDefaultReader.prototype.read = async function () {
    const part = await read.call(this);
    await gate;
    return part;
  };
}"""
"""All commits come at once when released, and the page stays at the first of them."""


def test_a_gesture_for_a_table_that_is_not_shown_yet_is_answered(
    browser: Browser, served: Served
) -> None:
    """It is not carried out, since the person has not seen on what; once all is shown, it is."""
    table = table_for(served.url, "classic", [PERSON, BOT, BOT], {}, dealer=2)
    with window(browser, served.url, reduced_motion="no-preference") as shown:
        page = shown.sit(table, 0).page
        page.wait_for_function(SETTLED)
        page.click(".ask [data-command=draw]")
        page.wait_for_selector(".choices-list [data-command=discard]", state="attached")
        page.wait_for_function(SETTLED)
        page.evaluate(f"({SLOW})()")
        address = f"{served.url}/v1/games/{table.game}"
        turn = httpx2.get(address).json()["table"]["turn"]
        Clicking(page).discard()
        if page.query_selector("[data-confirm]"):
            page.click("[data-confirm]")
        eventually(
            lambda: httpx2.get(address).json()["table"],
            lambda now: now["turn"] > turn and now["active"] == 0,
        )
        page.evaluate("release()")
        skip = page.locator(".ask button", has_text="Skip")
        skip.wait_for()
        shown_version = page.get_attribute(".table-page", "data-version")
        page.click(".pile[data-place=stock]")
        expect(page.locator(".early")).to_contain_text("still being shown")
        assert page.get_attribute(".table-page", "data-version") == shown_version
        skip.click()
        expect(page.locator(".early")).to_contain_text("choose again")
        page.click(".pile[data-place=stock]")
        page.wait_for_selector(".choices-list [data-command=discard]", state="attached")
        expect(page.locator(".early")).to_have_count(0)


def test_the_key_that_lays_is_answered(browser: Browser) -> None:
    """Also where nothing can be laid: with what the slots lack, or that a card is needed."""
    with seated(browser, CLASSIC) as shown:
        page = shown.page
        page.click(".ask [data-command=draw]")
        page.wait_for_selector(".choices-list [data-command=discard]", state="attached")
        page.focus(".desk")
        page.keyboard.press("l")
        assert "Select a card of your hand first." in refusal(page)
        take_up(page, "G1", "G2")
        page.click(".slotgroup .caption >> nth=0")
        page.focus(".desk")
        page.keyboard.press("l")
        page.wait_for_selector(".refused-note:has-text('cannot be laid like this')")


def test_rounds_that_end_one_after_the_other_are_all_shown(
    browser: Browser, served: Served
) -> None:
    """Each in a sheet that is open, whichever key closes the one before.

    A round of one turn that begins with a skip is over as soon as it is dealt: two end in a commit.
    """
    with fixed_deals(TWO_AT_ONCE):
        options = {"max_turns_per_round": 1}
        table = table_for(served.url, "classic", [PERSON, PERSON], options)
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        page.wait_for_selector(".table-page")
        with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
            play_on(table._replace(client=client), 8, at_random)
        for number, put_away in enumerate(("Escape", "Enter", "Enter", "Escape"), 1):
            page.wait_for_selector(f"dialog[open]:has-text('Round {number} is over')")
            page.keyboard.press(put_away)
