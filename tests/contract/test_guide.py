"""The site in a browser: one field searches guides, operations and refusals."""

from playwright.sync_api import Browser, expect

from tests.support.service.server import Served
from tests.support.service.table_pages import window
from tests.support.site import built_site

SOUGHT = {
    "first game": "tutorials/first-game",
    "seat_token_needed": "reference/problems",
    "listActions": "reference/operations",
    "PHASELEDGER_PORT": "reference/settings",
    "stock_exhausted": "reference/catalogue",
    # What an operator types when something is wrong.
    "moves are slow": "how-to/symptoms",
    "not ready": "how-to/symptoms",
    "disk full": "how-to/symptoms",
    "bots do not move": "how-to/symptoms",
    "page does not open": "how-to/symptoms",
    "webhooks overdue": "how-to/symptoms",
    "clock skew": "how-to/symptoms",
    "game missing from list": "how-to/symptoms",
    "damaged game": "how-to/repair-a-game",
    "log_damaged": "how-to/repair-a-game",
    "set aside": "how-to/repair-a-game",
    "restore backup": "how-to/back-up-and-restore",
    "disaster": "how-to/back-up-and-restore",
    "ledger_behind": "explanation/fault-model",
    "failover standby": "explanation/fault-model",
    "too many requests": "reference/limits",
    "429": "reference/limits",
    "upgrade": "how-to/upgrade",
    "roles postgresql": "how-to/run-it-for-others",
    "proxy nginx": "how-to/run-it-for-others",
    "database grows": "how-to/archive-games",
    "rotate keys": "how-to/keep-secrets",
    "more nodes": "how-to/scale",
}
"""What is typed, and a page that is among the first three."""
FIRST_THREE = """words => {
  history.replaceState(null, "", `?q=${encodeURIComponent(words)}`);
  const pages = Search._performSearch(...Search._parseQuery(words)).map(([page]) => page);
  return pages.reverse().slice(0, 3);
}"""


def test_the_search_finds_the_page(browser: Browser, served: Served) -> None:
    built_site()
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/docs")
        page.fill("search input", "first game")
        page.keyboard.press("Enter")
        expect(page.locator(".search-summary")).to_contain_text("Search finished")
        expect(page.locator("ul.search li > a").first).to_be_visible()
        pages = {words: page.evaluate(FIRST_THREE, words) for words in SOUGHT}
    assert {words: pages[words] for words, name in SOUGHT.items() if name not in pages[words]} == {}
