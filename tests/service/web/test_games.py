"""Whole games in Chromium against bots: all four by clicks, one by touch, one by keyboard only."""

import pytest
from playwright.sync_api import Browser, Page

from tests.support.campaigns import sampled
from tests.support.service.server import Served
from tests.support.service.table_pages import GAMES, Clicking, Tapping, Typing, dealt, window

LEFT = """() => [...document.querySelectorAll('.results tbody td:nth-child(3)')].every((cell) =>
  cell.querySelector('.card') || /\\d/.test(cell.innerText))"""
"""Whether each seat of a round's end has the cards that it was left with, or their number."""


class Reading(Clicking):
    """A person who reads how each round ended."""

    def put_away(self) -> None:
        self.page.wait_for_function(LEFT)
        super().put_away()


@pytest.mark.parametrize("deal", sampled(GAMES, "express 6", rest="system"))
def test_a_game_is_played_to_its_end_by_clicks(browser: Browser, served: Served, deal: str) -> None:
    seats, options = GAMES[deal]
    table = dealt(served.url, deal, seats, options)
    with window(browser, served.url) as shown:
        person = Reading(shown.sit(table, 0).page)
        person.play()
        assert shown.page.query_selector(".over h2") is not None
        shown.page.wait_for_selector(".over .results")
        assert shown.page.evaluate(LEFT)
        assert len(shown.page.query_selector_all(".over .results tbody tr")) == seats
        assert shown.page.url == f"{served.url}/play/g/{table.game}"
    assert person.done.keys() >= {"draw", "lay", "discard"}


def last_round(page: Page) -> None:
    """Wait for the hands of the last round face up, in its result and at the seats."""
    page.wait_for_selector(".over .results .fanned .card[data-rank]")
    assert page.query_selector(".seats.open .hand .card[data-rank]") is not None
    assert page.query_selector(".seat .backs, .own") is None


@pytest.mark.system
def test_a_game_is_played_to_its_end_by_touch(browser: Browser, served: Served) -> None:
    table = dealt(served.url, "express 1", 2, {"variant": "n_phases(1)"})
    phone = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}
    with window(browser, served.url, **phone) as shown, window(browser, served.url) as another:
        person = Tapping(shown.sit(table, 0).page)
        person.play()
        assert shown.page.query_selector(".over h2") is not None
        last_round(shown.page)
        texts = shown.page.inner_text(".over .results")
        assert "laid 1 [X-P01]" in texts  # a variant leaves phases out (O-42)
        shown.page.reload()
        watching = another.page  # of another browser, which has no token
        watching.goto(shown.page.url)
        for page in (shown.page, watching):
            last_round(page)
            assert page.inner_text(".over .results") == texts
        assert shown.page.inner_text(".seat .badge.mine") == "you"
        assert watching.query_selector(".seat .badge.mine") is None
    assert person.done.keys() >= {"draw", "lay", "hit", "discard"}


@pytest.mark.system
def test_a_game_is_played_to_its_end_by_keys(browser: Browser, served: Served) -> None:
    table = dealt(served.url, "classic 5", 2, {"variant": "n_phases(1)"})
    with window(browser, served.url) as shown:
        person = Typing(shown.sit(table, 0).page)
        person.play()
        assert shown.page.query_selector(".over h2") is not None
    assert person.done.keys() >= {"draw", "lay", "hit", "discard"}
