"""The tables in the reader's language: chosen, kept, and asked of the service as well."""

import pytest
from playwright.sync_api import Browser

from tests.support.service.server import Served
from tests.support.service.table_pages import window


@pytest.mark.parametrize(
    ("lang", "title", "phase"), [("de", "Tische", "2 Drillinge"), ("fr", "Tables", "2 brelans")]
)
def test_a_chosen_language_is_kept(
    browser: Browser, served: Served, lang: str, title: str, phase: str
) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play")
        page.select_option("header select", lang)
        page.wait_for_selector(f"html[lang={lang}] h1:text-is('{title}')")
        page.goto(f"{served.url}/play/new")
        page.wait_for_selector(f"html[lang={lang}] h1")
        words = page.evaluate(
            "fetch('/v1/rulesets/classic', { headers: { 'Accept-Language': document.documentElement"
            ".lang } }).then((answer) => answer.json()).then((rules) => rules.phases[0].words)"
        )
    assert words == phase
