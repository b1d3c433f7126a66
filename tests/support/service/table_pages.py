"""The tables in Chromium, and a person who plays there by what the page shows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx2
from playwright.sync_api import Browser, Page

from tests.support.browser import PATIENCE
from tests.support.service.api_tables import BOT, PERSON, Table, started
from tests.support.service.fixed_deals import fixed_deals

SETTLED = """() => {
  const shows = (what) => document.querySelector(what) !== null;
  if (shows('dialog[open]')) return 'sheet';
  if (shows('[data-coming]')) return false;
  if (shows('.over')) return 'over';
  const asked = shows('[data-confirm]') || shows('.table-page[data-busy=false]');
  const page = document.querySelector('.table-page')?.dataset.version;
  const buttons = document.querySelectorAll('.desk [data-command]').length;
  const look = asked ? `${page} ${buttons}` : '';
  window.stillFrames = look && look === window.lastLook ? window.stillFrames + 1 : 0;
  window.lastLook = look;
  return window.stillFrames > 5 && 'asked';
}"""
"""What is to be looked at or decided, once nothing changes any more: sheets and buttons follow a
frame or more after what they are shown for.
"""
CHANGED = """([version, confirmed]) => {
  const shows = (what) => document.querySelector(what) !== null;
  window.lastLook = '';
  if (shows('.refused-note')) return 'refused';
  if (shows('[data-confirm]') && !confirmed) return 'confirm';
  return (shows('dialog[open]') || shows('.over')
    || document.querySelector('.table-page').dataset.version !== version) && 'changed';
}"""
"""What became of a decision at that version, once it is clear."""
CLOSED = """(title) =>
  document.querySelector('dialog[open]')?.getAttribute('aria-label') !== title"""
REACHED = """(version) => document.querySelector('dialog[open]') ? 'sheet'
  : Number(document.querySelector('.table-page').dataset.version) >= version && 'reached'"""
DECIDES = """document.activeElement.closest('.searched') ? 'search'
  : document.activeElement.dataset.command
  ?? document.activeElement.closest('.choices-list:not([open]) summary')?.tagName"""
OFFERED = "(buttons) => [...new Set(buttons.map((button) => button.dataset.command))]"

SHORT = {"max_turns_per_round": 5}
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "classic 10": (2, {"variant": "n_phases(2)"}),
    "standard-deck 0": (3, {"style": "ten_rounds_free", **SHORT}),
    "express 6": (2, {"variant": "n_phases(3)"}),
    "board 0": (3, {}),
}
"""The seats of each game, by the name of its deal, and what makes it short."""


class Window(NamedTuple):
    """A browser window at the service, with all that it was sent and complained of."""

    page: Page
    url: str
    complaints: list[str]
    received: list[str]
    """The bodies of answers, streams apart."""

    def sit(self, table: Table, seat: int) -> "Window":
        """Take the seat by its link, as on another device."""
        self.page.goto(f"{self.url}/play/g/{table.game}#seat={seat}&token={table.tokens[seat]}")
        self.page.wait_for_selector(".table-page, .chairs")
        return self


@contextmanager
def window(browser: Browser, url: str, **context: Any) -> Iterator[Window]:
    """A window in which nothing moves, since that is only to be looked at.

    Raises:
        AssertionError: at the end, if the page has thrown, been refused by its policy, or asked
            anybody else.

    """
    context = {"reduced_motion": "reduce", "locale": "en-GB", **context}
    opened = browser.new_context(**context)
    opened.set_default_timeout(PATIENCE)
    page = opened.new_page()
    shown = Window(page, url, [], [])
    asked: list[str] = []
    page.on("pageerror", lambda error: shown.complaints.append(str(error)))
    page.on("console", lambda message: shown.complaints.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    try:
        yield shown
    finally:
        opened.close()  # or its stream holds the service up
    assert [address for address in asked if not address.startswith((f"{url}/", "data:"))] == []
    # The browser itself writes down that a request was refused or could not be made.
    own = [text for text in shown.complaints if "Failed to load resource" not in text]
    assert own == []


def open_against_bots(page: Page, url: str) -> None:
    """Open a table from the lobby as it is offered, and sit at it."""
    page.goto(f"{url}/play")
    page.click("a.primary")
    page.click("button[type=submit]")
    page.wait_for_selector(".own .hand .card")


def table_for(
    url: str, ruleset: str, seats: Sequence[dict[str, Any]], options: dict[str, Any], **more: Any
) -> Table:
    """A started table, whose people have sat down over HTTP."""
    with httpx2.Client(base_url=f"{url}/v1", timeout=None) as client:
        return started(client, seats, ruleset=ruleset, options=options, **more)


def dealt(url: str, deal: str, seats: int, options: dict[str, Any]) -> Table:
    """A started table, whose game is the same in every run."""
    with fixed_deals(deal):
        return table_for(url, deal.split()[0], [PERSON, *[BOT] * (seats - 1)], options)


class Clicking:
    """A person with nothing but a pointer: presses what the page offers, one decision a step."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.done: Counter[str] = Counter()

    def press(self, selector: str) -> None:
        """Point at the first of these, and press."""
        self.page.click(selector)

    def play(self, most: int = 2_000) -> None:
        """Play until the game is over."""
        while self.step():
            assert self.done.total() < most, self.done

    def settle(self) -> str:
        """Put away what is only to be looked at, until it is ``over`` or something is ``asked``."""
        while (shown := self.page.wait_for_function(SETTLED).json_value()) == "sheet":
            self.go_on()
        return str(shown)

    def catch_up(self, version: int) -> None:
        """Put away what holds the table back, until it has come to that version."""
        while self.page.wait_for_function(REACHED, arg=version).json_value() == "sheet":
            self.go_on()

    def go_on(self) -> None:
        """Close the sheet; another one may follow it."""
        title = self.page.get_attribute("dialog[open]", "aria-label")
        self.put_away()
        self.page.wait_for_function(CLOSED, arg=title)

    def put_away(self) -> None:
        """Close the sheet."""
        self.press("dialog[open] .primary")

    def step(self) -> bool:
        """One decision; False when the game is over."""
        page = self.page
        if self.settle() == "over":
            return False
        before = page.get_attribute(".table-page", "data-version")
        self.done[self.decide()] += 1
        outcome = page.wait_for_function(CHANGED, arg=[before, False]).json_value()
        if outcome == "confirm":
            self.press("[data-confirm]")
            outcome = page.wait_for_function(CHANGED, arg=[before, True]).json_value()
        assert outcome == "changed", page.inner_text(".refused-note")
        return True

    def decide(self) -> str:
        """Press what decides the question; what that is."""
        page = self.page
        offered = set(page.eval_on_selector_all(".desk [data-command]", OFFERED))
        if "lay" in offered:
            self.press(".ask button.primary")  # finds the phase
            self.press(".ask [data-command=lay]")
            return "lay"
        if "hit" in offered:
            return self.listed("hit")
        for place, kind in ((".searched .card", "search"), (".values button", "ask")):
            if page.query_selector(place):
                self.press(place)
                return kind
        if "discard" in offered:
            return self.discard()
        (kind,) = offered or {""}
        if page.query_selector(".ask .do [data-command]"):
            self.press(".ask .do [data-command]")
            return kind
        return self.listed(kind)

    def discard(self) -> str:
        """The last card of the hand, whatever it is worth; a skip needs somebody to be named."""
        last = ".own .hand li:last-child .card"
        self.press(last)
        self.page.wait_for_selector(f"{last}[aria-pressed=true]")
        if self.page.query_selector(".ask [data-command=discard]"):
            self.press(".ask [data-command=discard]")
            return "discard"
        return self.listed("discard")

    def listed(self, kind: str) -> str:
        """The first of its kind in the list of everything that can be done."""
        if not self.page.query_selector(".choices-list[open]"):
            self.press(".choices-list summary")
        self.press(f".choices-list [data-command={kind}]")
        return kind


class Tapping(Clicking):
    """A person with nothing but a finger."""

    def press(self, selector: str) -> None:
        self.page.tap(selector)


class Typing(Clicking):
    """A person with nothing but a keyboard."""

    def put_away(self) -> None:
        self.page.keyboard.press("Escape")

    def decide(self) -> str:
        page = self.page
        offered = page.eval_on_selector_all(".desk [data-command]", OFFERED)
        if "draw" in offered:
            page.keyboard.press("d")
            return "draw"
        if "lay" in offered:
            page.keyboard.press("l")
            page.wait_for_selector(".ask [data-command=lay]")
            page.keyboard.press("l")
            return "lay"
        if not {"hit", "discard", "swap"} & set(offered):
            return self.reached()
        self.select()
        if page.query_selector(".ask [data-command=swap]"):
            page.keyboard.press("Enter")
            return "swap"
        if page.query_selector(".ask [data-command=hit]"):
            page.keyboard.press("Enter")
            return "hit"
        if page.query_selector(".ask [data-command=discard]"):
            page.keyboard.press("x")
            self.answer()
            return "discard"
        page.keyboard.press("Tab")  # out of the hand: Enter there would do the same
        raise AssertionError(f"nothing fits: {offered}")

    def reached(self) -> str:
        """Go back from the hand until the focus is on something that decides, and press that."""
        page, way = self.page, "Shift+Tab"
        page.keyboard.press("ArrowRight")
        for _ in range(60):
            page.keyboard.press(way)
            if kind := page.evaluate(DECIDES):
                page.keyboard.press("Enter")
                if kind != "SUMMARY":
                    return str(kind)
                way = "Tab"  # into the list of choices, which is open now
        raise AssertionError("no key leads to an answer")

    def select(self) -> None:
        """Select the last card of the hand."""
        page = self.page
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement.closest('.own .hand')")
        page.keyboard.press("End")
        page.keyboard.press("Space")
        page.wait_for_selector(".own .hand .card[aria-pressed=true]")

    def answer(self) -> None:
        """Say which one of several, or that one is sure."""
        page = self.page
        page.wait_for_timeout(30)
        if page.query_selector("dialog[open] .column"):
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        elif page.query_selector("[data-confirm]"):
            page.keyboard.press("Enter")
