"""How to play, and the referee: pages, the sheet at a table, and no code where people read."""

import re

import pytest
from playwright.sync_api import Browser, Page

from phaseledger.domain.rulesets import GAMES
from tests.support.cases import looped
from tests.support.service.api_tables import BOT, PERSON
from tests.support.service.server import Served
from tests.support.service.table_pages import Clicking, table_for, window

SAID = """() => [...document.querySelectorAll('main, dialog[open]')].flatMap((part) => [
  ...part.innerText.split('\\n'),
  ...[...part.querySelectorAll('[aria-label], [title], [aria-live]')].flatMap((one) =>
    [one.getAttribute('aria-label'), one.getAttribute('title'), one.textContent]),
  ...[...part.querySelectorAll('input')].flatMap((one) => [one.value, one.placeholder]),
]).filter(Boolean)"""
"""What is read or heard on a page."""
OPENED = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
CODE = re.compile(
    r"\b(?:[RBGY](?:1[0-2]|[1-9])|(?:10|[2-9JQK])[HSDC])\b"  # cards
    r"|\b(?:seat|group|Platz|Gruppe|place|groupe) 0\b|\bTAKE\d|\b[a-z]+_[a-z_]+\b"
    r"|\$\.|\bregex\b|`str`"
)
"""What only programs and the terminal read."""
UNSAID = """() => [...document.querySelectorAll('button[aria-label], a[aria-label]')]
  .filter((one) => one.checkVisibility()).flatMap((one) => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll('[aria-hidden=true]').forEach((part) => part.remove());
    const plain = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, ' ').trim();
    const seen = plain(copy.textContent), name = plain(one.getAttribute('aria-label'));
    return seen && !name.includes(seen) ? [`${seen} / ${name}`] : [];
  })"""
"""Buttons that a person who speaks to the browser cannot name by what stands on them."""


def put(page: Page, *cards: str) -> None:
    for card in cards:
        page.click(f".palette [data-card='{card}']")


@looped("name", sorted(GAMES))
def test_a_guest_reads_how_to_play(browser: Browser, served: Served, name: str) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/rules/{name}")
        page.wait_for_selector(".how-to .lines li")
        assert len(page.query_selector_all(".how-to .numbered > li:has(.card)")) == 10
        assert "Ask the referee" in page.inner_text("main")


def test_the_referee_answers_with_the_rule(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/rules/classic")
        page.wait_for_selector(".palette .card")
        put(page, "R5", "B5", "G6")
        page.click(".tray:nth-child(2) > button")
        put(page, "R7", "B7", "W")
        page.click(".referee .primary")
        page.wait_for_selector(".answer .bad")
        assert "green 6 has another" in page.inner_text(".answer")
        page.click(".answer .rule")
        page.wait_for_selector("dialog[open] p:has-text('A set is cards of one number')")
        page.keyboard.press("Escape")
        page.click(".tray:nth-child(1) li:nth-child(3) .card")
        page.click(".tray:nth-child(1) > button")
        put(page, "Y5")
        page.click(".referee .primary")
        page.wait_for_selector(".answer .good")


def test_the_referee_says_what_may_be_added(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/rules/classic")
        page.select_option(".referee label:has-text('question') select", "-1")
        page.select_option(".referee label:has-text('What lies there') select", "1")
        put(page, "R3", "B4", "G5", "Y6")
        page.click(".tray:nth-child(2) > button")
        put(page, "R2")
        page.click(".referee .primary")
        page.wait_for_selector(".answer:has-text('a run from 2 to 6')")


def test_the_sheet_at_a_table_has_its_house_rules(browser: Browser, served: Served) -> None:
    table = table_for(served.url, "classic", [PERSON, BOT], {"run_wrap": True})
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        page.click(".bar nav button:text-is('Rules')")
        page.wait_for_selector(".how-to .changed")
        wrapping = "A run may go on from the highest rank to the lowest."
        assert wrapping in page.inner_text(".how-to .changed")
        address = page.get_attribute("dialog[open] a", "href") or ""
        page.goto(f"{served.url}{address}")
        page.wait_for_selector(".palette .card")
        assert wrapping in page.inner_text(".how-to .changed")


TABLES = {"en": ("classic", "board"), "de": ("board", "standard-deck"), "fr": ("express",)}


@pytest.mark.parametrize("lang", TABLES)
def test_people_read_words_and_no_codes(browser: Browser, served: Served, lang: str) -> None:
    """At tables in play, with everything open that can be, and where a table is opened."""
    with window(browser, served.url, locale=lang) as shown:
        for name in TABLES[lang]:
            seats = [PERSON, *[BOT] * (GAMES[name].rules.seats_min - 1)]
            table = table_for(served.url, name, seats, {"max_turns_per_round": 30})
            page = shown.sit(table, 0).page
            person = Clicking(page)
            for _ in range(4):
                if not person.step():
                    break
            person.settle()
            page.evaluate(OPENED)
            assert [text for text in page.evaluate(SAID) if CODE.search(text)] == [], name
            assert page.evaluate(UNSAID) == [], name
        page.goto(f"{served.url}/play/new")
        page.click("input[value=board]")
        page.wait_for_selector("#option-joker_memory", state="attached")
        page.evaluate(OPENED)
        assert [text for text in page.evaluate(SAID) if CODE.search(text)] == []


def test_a_first_game_is_explained_step_by_step(browser: Browser, served: Served) -> None:
    """From the page of rules to the table, until the person has had enough of it."""
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        remembered = {"ruleset": "board", "chairs": ["person"] * 2, "options": {}, "terms": None}
        page.evaluate(
            "(table) => { localStorage['phaseledger.person'] = JSON.stringify({ table }); }",
            remembered,
        )
        page.goto(f"{served.url}/play/rules/classic")
        page.click("text=A first game, explained")
        page.wait_for_selector("input[value=classic]:checked")
        assert page.evaluate("localStorage['phaseledger.guide']") is None
        page.click("button[type=submit]")
        page.wait_for_selector(".guide li:has-text('a set of 3')")
        person = Clicking(page)
        person.settle()
        page.wait_for_selector(".guide:has-text('Your turn begins with a card'):has-text('Best:')")
        person.step()
        person.settle()
        page.wait_for_selector(".guide:has-text('discard'):has-text('Best:')")
        page.click(".guide button")
        page.wait_for_selector(".guide", state="detached")
        page.reload()
        page.wait_for_selector(".own .hand .card")
        assert page.query_selector(".guide") is None


def test_a_first_game_has_the_house_rules_of_the_table(browser: Browser, served: Served) -> None:
    """The page of a table's rules leads to a game by the same ones; nonsense is no house rule."""
    rules = {"wild_min_scope": "phase", "max_turns_per_round": 50}
    table = table_for(served.url, "classic", [PERSON, BOT], rules)
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/g/{table.game}/rules")
        page.click("text=A first game, explained")
        page.wait_for_selector("input[value=classic]:checked")
        with page.expect_request(lambda request: request.method == "POST") as asked:
            page.click("button[type=submit]")
        page.wait_for_selector(".own .hand .card")
        assert asked.value.post_data_json["options"] == rules
        for text in ("nonsense", "7", "[]", "null"):
            page.goto(f"{served.url}/play/new?ruleset=classic&explained=1&options={text}")
            with page.expect_request(lambda request: request.method == "POST") as asked:
                page.click("button[type=submit]")
            page.wait_for_selector(".own .hand .card")
            assert asked.value.post_data_json["options"] == {}


def test_a_ring_is_explained(browser: Browser, served: Served) -> None:
    """Each space says what it is when pointed at, and a legend has all of them at a press."""
    table = table_for(served.url, "board", [PERSON, BOT], {})
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        page.click(".ring-legend summary")
        legend = page.inner_text(".ring-legend")
        titles = page.evaluate(
            "[...document.querySelectorAll('.space')].map((one) => one.ariaLabel)"
        )
        assert len(titles) == 32
        assert all(title in legend for title in titles)
