"""What stands at the table is explained: pointed at, focused or tapped, with the rule behind it."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.service.api_tables import BOT, PERSON
from tests.support.service.server import Served
from tests.support.service.table_pages import table_for, window

WHY = "#why"


@pytest.mark.parametrize("way", ["pointer", "keyboard", "touch"])
def test_badges_phases_and_spaces_are_explained(browser: Browser, served: Served, way: str) -> None:
    """Each with the sentence of the rules that this table is played by."""
    table = table_for(served.url, "board", [PERSON, BOT], {"max_turns_per_round": 40})
    texts = {
        ".seat .badge.why": "plays this seat",
        ".seat .phase .why": "5 cards of one colour",
        ".space.swap": "discard one to four cards and draw one more",
        ".space.every": "everybody draws a card",
    }
    size = {"width": 820, "height": 1180} if way == "touch" else {"width": 1280, "height": 800}
    with window(browser, served.url, viewport=size, has_touch=way == "touch") as shown:
        page = shown.sit(table, 0).page
        page.wait_for_selector(".newest", state="attached")
        before = page.evaluate("document.querySelector('.felt').getBoundingClientRect().top")
        for selector, text in texts.items():
            first = f"{selector} >> nth=0"
            if way == "pointer":
                page.hover(first)
            elif way == "touch":
                page.locator(f"{selector}:not(.open)").first.tap()
            elif selector.startswith(".space"):
                page.focus(".space[tabindex='0']")
                while not page.evaluate(f"document.activeElement.matches('{selector}')"):
                    page.keyboard.press("ArrowRight")
            else:
                page.focus(".table-page h1")
                while not page.evaluate(f"document.activeElement.matches('{selector}')"):
                    page.keyboard.press("Tab")
            expect(page.locator(WHY)).to_contain_text(text)
            expect(page.locator("[aria-describedby=why]")).to_have_count(1)
            inside = page.evaluate(
                "() => { const { left, right, top, bottom } = why.getBoundingClientRect();"
                "return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight; }"
            )
            assert inside, selector
            assert before == page.evaluate(
                "document.querySelector('.felt').getBoundingClientRect().top + scrollY"
            )
            page.keyboard.press("Escape")
            expect(page.locator(WHY)).to_have_count(0)
            expect(page.locator("[aria-describedby=why]")).to_have_count(0)
            page.mouse.move(1, 1)
