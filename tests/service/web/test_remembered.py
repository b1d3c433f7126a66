"""What a browser remembers of its person from one table to the next."""

import httpx2
from playwright.sync_api import Browser

from tests.support.service.server import Served
from tests.support.service.table_pages import window


def test_the_name_and_the_last_table_are_remembered(browser: Browser, served: Served) -> None:
    """By this browser, or on a shared machine by this tab alone; and the form is one screen."""
    with window(browser, served.url, viewport={"width": 1280, "height": 800}) as shown:
        page = shown.page

        def offered(person: str, edition: str, ruleset: str) -> None:
            page.goto(f"{served.url}/play/new")
            page.wait_for_selector(f"[data-edition={edition}][aria-pressed=true]")
            assert page.input_value("input[autocomplete=nickname]") == person
            assert page.is_checked(f"input[value={ruleset}]")

        offered("Player", "box", "classic")
        button = page.locator("button.primary").bounding_box()
        assert button
        assert button["y"] + button["height"] <= 800
        page.click("input[value=express]")
        page.fill("input[autocomplete=nickname]", "Ada")
        page.click("text=One seat less")
        page.click("[data-edition=quick]")
        page.click("button.primary")
        page.wait_for_selector(".own .name:has-text('Ada')")
        game = page.url.rpartition("/")[2]
        options = httpx2.get(f"{served.url}/v1/games/{game}").json()["options"]
        assert options["variant"] == "n_phases(3)"
        offered("Ada", "quick", "express")
        assert page.locator("[data-seat]").count() == 2
        page.goto(f"{served.url}/play/join/7K2M-Q9XD")
        assert page.input_value("input[autocomplete=nickname]") == "Ada"

        offered("Ada", "quick", "express")
        page.fill("input[autocomplete=nickname]", "Guest")
        page.uncheck("input[name=stays]")
        page.click("button.primary")
        page.wait_for_selector(".own .name:has-text('Guest')")
        offered("Guest", "quick", "express")
        page = page.context.new_page()
        offered("Ada", "quick", "express")
