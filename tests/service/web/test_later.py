"""What the page of a table loads only when it needs it: the waiting room, the menu, the end."""

from playwright.sync_api import Browser

from tests.support.service.api_tables import BOT, PERSON
from tests.support.service.server import Served
from tests.support.service.table_pages import table_for, window

LOADED = "performance.getEntriesByType('resource').map((one) => one.name).join(' ')"


def test_the_later_script_comes_when_it_is_needed(browser: Browser, served: Served) -> None:
    """Also where the line was cut at first; and it speaks the page's language."""
    table = table_for(served.url, "classic", [PERSON, BOT], {})
    with window(browser, served.url, locale="de-DE") as shown:
        page = shown.sit(table, 0).page
        page.wait_for_selector(".own .hand .card")
        assert "/play/table.later.js" not in page.evaluate(LOADED)
        page.route("**/play/table.later.js*", lambda route: route.abort())
        page.click(".bar [data-menu]")
        page.wait_for_selector("dialog .face.fault")
        page.unroute("**/play/table.later.js*")
        page.click("dialog .face.fault button")
        page.click("dialog summary:has-text('Mein Platz')")
        page.wait_for_selector("dialog input[readonly]")
