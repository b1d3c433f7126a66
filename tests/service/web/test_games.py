"""Whole games in Chromium against bots: all four by clicks, one by touch, one by keyboard only."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.service.api_tables import BOT, PERSON
from tests.support.service.server import Served
from tests.support.service.table_pages import Clicking, Tapping, Typing, table_for, window

SHORT = {"max_turns_per_round": 9}
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", 2, {"variant": "n_phases(2)"}),
    ("standard-deck", 3, {"style": "ten_rounds_free", **SHORT}),
    ("express", 2, {"variant": "n_phases(3)"}),
    ("board", 3, {}),
]
"""Each game, its seats, and what makes it short."""


@pytest.mark.parametrize(("ruleset", "seats", "options"), GAMES, ids=[game[0] for game in GAMES])
def test_a_game_is_played_to_its_end_by_clicks(
    browser: Browser, served: Served, ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    table = table_for(served.url, ruleset, [PERSON, *[BOT] * (seats - 1)], options)
    with window(browser, served.url) as shown:
        person = Clicking(shown.sit(table, 0).page)
        person.play()
        assert shown.page.query_selector(".over h2") is not None
        assert len(shown.page.query_selector_all(".over .results tbody tr")) == seats
        assert shown.page.url == f"{served.url}/play/g/{table.game}"
    assert person.done["discard"] > 0


def test_a_game_is_played_to_its_end_by_touch(browser: Browser, served: Served) -> None:
    table = table_for(served.url, "express", [PERSON, BOT], {"variant": "n_phases(1)"})
    phone = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}
    with window(browser, served.url, **phone) as shown:
        person = Tapping(shown.sit(table, 0).page)
        person.play()
        assert shown.page.query_selector(".over h2") is not None
        shown.page.wait_for_selector(".over .results .fanned .card[data-rank]")
    assert person.done.keys() >= {"draw", "discard"}


def test_a_game_is_played_to_its_end_by_keys(browser: Browser, served: Served) -> None:
    table = table_for(served.url, "classic", [PERSON, BOT], {"variant": "n_phases(1)"})
    with window(browser, served.url) as shown:
        person = Typing(shown.sit(table, 0).page)
        person.play()
        assert shown.page.query_selector(".over h2") is not None
    assert person.done.keys() >= {"draw", "discard"}
