"""The site in a browser: one field searches guides, operations and refusals."""

from playwright.sync_api import Browser, expect

from tests.support.service.server import Served
from tests.support.service.table_pages import window
from tests.support.site import built_site

SOUGHT = {
    "first game": "tutorials/first-game.html",
    "seat_token_needed": "reference/problems.html",
    "listActions": "reference/operations.html",
    "PHASELEDGER_PORT": "reference/settings.html",
    "stock_exhausted": "reference/catalogue.html",
}
"""What is typed, and a page that is among the first three."""
SYMPTOMS = "how-to/symptoms.html"
SOUGHT |= {
    "disk full": SYMPTOMS,
    "moves are slow": SYMPTOMS,
    "not ready": SYMPTOMS,
    "page does not open": SYMPTOMS,
    "game set aside": "how-to/repair-a-game.html",
    "damaged games": "how-to/repair-a-game.html",
    "backup is old": SYMPTOMS,
    "restore on another machine": "how-to/back-up-and-restore.html",
    "projections stopped": SYMPTOMS,
    "ledger_behind": "explanation/fault-model.html",
    "role lacks rights": SYMPTOMS,
    "clock ahead of database": SYMPTOMS,
    "webhook disabled": SYMPTOMS,
    "webhooks overdue": SYMPTOMS,
    "429 proxy": SYMPTOMS,
    "bot overran": SYMPTOMS,
    "embedded server died": SYMPTOMS,
    "public log not signed": SYMPTOMS,
    "PhaseledgerLoopSilent": SYMPTOMS,
    "upgrade several nodes": "how-to/upgrade.html",
}
"""Twenty symptoms, as an operator types them."""


def test_the_search_finds_the_page(browser: Browser, served: Served) -> None:
    built_site()
    with window(browser, served.url) as shown:
        page = shown.page
        for words, name in SOUGHT.items():
            page.goto(f"{served.url}/docs")
            page.fill("search input", words)
            page.keyboard.press("Enter")
            results = page.locator("ul.search li > a")
            expect(page.locator(".search-summary")).to_contain_text("Search finished")
            addresses = [link.get_attribute("href") or "" for link in results.all()[:3]]
            assert any(name in address for address in addresses), (words, addresses)
