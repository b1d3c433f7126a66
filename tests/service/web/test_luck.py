"""At the table: a hint on demand in practice, and luck and errors once the game is over."""

import re

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from phaseledger.analysis import AnalysisPlan
from phaseledger.domain.commands import Play
from phaseledger.domain.kernel import is_compiled
from phaseledger.domain.view import TableView
from phaseledger.service.analyses import analyses
from tests.support.service.api_tables import (
    BOT,
    PERSON,
    at_random,
    greedily,
    play_on,
    started,
)
from tests.support.service.fixed_deals import fixed_deals
from tests.support.service.server import Served
from tests.support.service.table_pages import table_for, window

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        not is_compiled(), reason="the kernel is not compiled: python hatch_build.py"
    ),
]
MARKED = ".own .hand .card.due, [data-place] .card.due"


def test_a_hint_is_shown_on_the_cards_and_goes_with_the_move(
    browser: Browser, served: Served
) -> None:
    with fixed_deals("hints"):
        practice = table_for(served.url, "classic", [PERSON, BOT], {}, dealer=1)
    with window(browser, served.url) as shown:
        page = shown.sit(practice, 0).page
        assert page.query_selector(".hint") is None
        page.click(".ask-hint")
        page.wait_for_selector(".hint tbody tr")
        assert page.locator(MARKED).count() == 1
        best = page.inner_text(".hint tbody th >> nth=0")
        assert f"Best: {best}." in page.inner_text(".ask [role=status]")
        assert page.inner_text(".hint tbody td >> nth=1") == "best"
        page.keyboard.press("d")
        page.wait_for_selector(".hint", state="detached")
        page.wait_for_selector(".table-page[data-busy=false]")
        page.focus(".ask-hint")
        page.keyboard.press("Enter")
        page.wait_for_selector(".hint tbody tr")
        assert page.evaluate("document.activeElement.className") == "quiet ask-hint"
    with fixed_deals("hints on the board"):
        board = table_for(served.url, "board", [PERSON, BOT], {}, dealer=0)
    with window(browser, served.url) as shown:
        page = shown.sit(board, 0).page
        page.click(".ask-hint")
        expect(page.locator(".hint tbody tr")).to_have_count(2)
        assert "Best: Move" in page.inner_text(".ask [role=status]")
    with fixed_deals("others"):
        other = table_for(served.url, "classic", [PERSON, PERSON, BOT], {}, dealer=2)
    with window(browser, served.url) as shown:
        page = shown.sit(other, 0).page
        page.wait_for_selector(".ask [data-command]")
        assert page.query_selector(".ask-hint") is None


def badly(view: TableView, commands: list[Play], number: int) -> Play:
    """Seat 0 plays at random, which costs it something."""
    return (greedily if view.you else at_random)(view, commands, number)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "PLAN", AnalysisPlan(worlds=20))


def test_luck_and_errors_of_a_game_that_is_over(
    browser: Browser, served: Served, quick: None
) -> None:
    """Asked for by one button; a seat has its own decisions, a spectator those of all."""
    options = {"variant": "n_phases(1)"}
    with (
        fixed_deals("express 0"),
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        table = started(client, (PERSON, PERSON), ruleset="express", options=options)
        play_on(table, choose=badly)
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        page.wait_for_selector(".over")
        assert page.query_selector(".account") is None
        page.click("text=Show luck and errors")
        page.wait_for_selector(".account .rows > li:nth-child(2)")
        assert page.evaluate("document.activeElement.id") == "account"
        expect(page.locator(".account")).to_contain_text("The decisions that cost Seat 0 most")
        page.select_option(".explained select", "1")
        page.wait_for_selector(".account:has-text('Chance to win after it')")
        page.select_option(".explained select", "0")
        first = page.locator(".costly > li").first
        where = first.get_attribute("aria-label") or ""
        first.get_by_text("Try again").click()
        expect(page.locator(".again h3")).to_be_focused()
        assert "best" not in page.inner_text(".options")
        page.click(".options button >> nth=0")
        page.wait_for_selector(".options b")
        page.click("text=Back to luck and errors")
        page.locator(f".costly > li[aria-label='{where}']").get_by_text("Go there").click()
        page.wait_for_selector(".scrubber input")
        assert re.search(r"/replay#event=\d+&seat=0$", page.url)
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/g/{table.game}")
        page.click("text=Show luck and errors")
        page.wait_for_selector(".account .rows")
        expect(page.locator(".account")).to_contain_text("The decisions that cost most")
        page.click("text=Check this deal yourself")
        page.wait_for_url("**/dispute")
