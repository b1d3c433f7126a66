"""The pages of statistics: the leaderboard, the games of this browser, a game round by round."""

import httpx2
import pytest
from playwright.sync_api import Browser

from tests.support.service.api_tables import BOT, PERSON, SHORT
from tests.support.service.server import Served
from tests.support.service.table_pages import Clicking, table_for, window

WIDTHS = """() => {
  const { scrollWidth, clientWidth } = document.querySelector('.rounds').closest('.scroll');
  return [scrollWidth, clientWidth];
}"""


@pytest.mark.system
def test_a_game_leads_to_its_statistics(browser: Browser, served: Served) -> None:
    """From its end to its rounds, my games and the leaderboard, as the API has them; on a phone."""
    table = table_for(served.url, "classic", [PERSON, BOT], SHORT)
    with window(browser, served.url, viewport={"width": 390, "height": 844}) as shown:
        page = shown.sit(table, 0).page
        Clicking(page).play()
        page.click(".over a:has-text('Round by round')")
        page.wait_for_selector(".rounds")
        board = httpx2.get(f"{served.url}/v1/games/{table.game}/scoreboard").json()
        rows = page.locator(".rounds tbody tr").all_inner_texts()
        assert len(rows) == len(board["rounds"])
        totals = page.locator(".rounds tfoot tr").last.locator("td").all_inner_texts()
        assert totals == [str(seat["total"]) for seat in board["rounds"][-1]["seats"]]
        wide, room = page.evaluate(WIDTHS)
        assert wide <= room  # both columns are in sight

        page.goto(f"{served.url}/play")
        page.click(".side a:has-text('My games')")
        page.wait_for_selector(".tables li")
        assert page.inner_text(".tables .badge") == ("won" if 0 in board["winners"] else "lost")
        assert "1 game played to its end." in page.inner_text("main")
        page.go_back()
        page.click(".side a:has-text('Leaderboard')")
        page.wait_for_selector(".ranks td")
        best = httpx2.get(f"{served.url}/v1/leaderboard").json()["standings"][0]
        assert best["name"] in page.inner_text(".ranks tbody tr >> nth=0")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
