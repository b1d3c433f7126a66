"""What the page of a table loads only when it needs it: the waiting room, the menu, the end."""

import re

from playwright.sync_api import Browser, Route

from phaseledger.service.web.assets import program
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
        assert "&again=1" in page.evaluate(LOADED)


def test_a_page_that_is_older_than_the_service_asks_to_be_loaded_anew(
    browser: Browser, served: Served
) -> None:
    """Its modules do not fit those of the newer one, which the service does not send it."""
    table = table_for(served.url, "classic", [PERSON, BOT], {})
    with window(browser, served.url) as shown:
        page = shown.page
        page.route("**/play/table.js*", older)
        shown.sit(table, 0)
        page.wait_for_selector(".own .hand .card")
        page.click(".bar [data-menu]")
        page.wait_for_selector("dialog .face.fault:has-text('newer version of this page')")
        page.unroute("**/play/table.js*")
        page.click("dialog .face.fault button")
        page.wait_for_selector(".own .hand .card")
        page.click(".bar [data-menu]")
        page.click("dialog summary:has-text('My seat')")


def older(route: Route) -> None:
    """Answer the script of another release, whose later script had another hash."""
    code = re.sub(
        r"later\.js\?v=\w+", "later.js?v=0123456789abcdef", program("table").plain.decode()
    )
    route.fulfill(body=code, content_type="text/javascript")
