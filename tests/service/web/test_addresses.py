"""Addresses that lead elsewhere than their reader thought: back, stale, another's, twice."""

import httpx2
import pytest
from playwright.sync_api import Browser

from tests.support.service.api_tables import BOT, PERSON, bearer
from tests.support.service.server import Served
from tests.support.service.table_pages import (
    SETTLED,
    Clicking,
    open_against_bots,
    table_for,
    window,
)

REACHED = """version =>
    Number(document.querySelector(".table-page").dataset.version) >= Number(version)"""


@pytest.mark.system
def test_two_tabs_of_one_seat_show_the_same(browser: Browser, served: Served) -> None:
    """What is done in one is seen in the other, which can go on."""
    table = table_for(served.url, "classic", [PERSON, BOT], {})
    with window(browser, served.url) as first, window(browser, served.url) as other:
        tabs = [Clicking(shown.sit(table, 0).page) for shown in (first, other)]
        for turn in range(4):
            assert tabs[turn % 2].step()
            tabs[turn % 2].page.wait_for_function(SETTLED)
            version = tabs[turn % 2].page.get_attribute(".table-page", "data-version")
            for tab in tabs:
                tab.page.wait_for_function(REACHED, arg=version)  # the bot may have gone on
        hands = {tab.page.inner_text(".own .hand") for tab in tabs}
        assert len(hands) == 1


def test_a_command_that_another_tab_has_sent_already_is_refused_in_words(
    browser: Browser, served: Served
) -> None:
    """And the table stays usable."""
    played = table_for(served.url, "classic", [PERSON, PERSON], {})
    with (
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
        window(browser, served.url) as shown,
    ):
        table = played._replace(client=client)
        page = shown.sit(table, 0).page
        page.wait_for_selector(".own .hand .card")
        while table.get().json()["table"]["active"] == 1:
            commands = table.get("/actions", 1).json()["commands"]
            plain = [command for command in commands if command["type"] in ("draw", "discard")]
            unaimed = (command for command in plain if "target" not in command)
            assert table.send(1, next(unaimed)).status_code == 200
        page.wait_for_selector(".ask [data-command=draw]")
        page.route(
            "**/commands", lambda route: (table.send(0, {"type": "draw"}), route.continue_())
        )
        page.click(".ask [data-command=draw]")
        page.wait_for_selector(".choices-list [data-command=discard]", state="attached")
        page.unroute("**/commands")
        page.wait_for_function(SETTLED)
        assert Clicking(page).step()


@pytest.mark.system
def test_the_way_back_leads_through_the_pages(browser: Browser, served: Served) -> None:
    """Past the form of a table that is open by now."""
    with window(browser, served.url) as shown:
        page = shown.page
        open_against_bots(page, served.url)
        address = page.url
        page.go_back()
        page.wait_for_selector(".lobby h1")
        assert page.url == f"{served.url}/play"
        page.go_forward()
        page.wait_for_selector(".own .hand .card")
        assert page.url == address


def test_a_seat_that_was_given_up_is_lost_to_its_link(browser: Browser, served: Served) -> None:
    """Whoever opens it watches."""
    table = table_for(served.url, "classic", [PERSON, PERSON], {})
    left = httpx2.post(f"{served.url}/v1/games/{table.game}/leave", headers=bearer(table.tokens[0]))
    assert left.status_code == 200
    with window(browser, served.url) as shown:
        shown.page.goto(f"{served.url}/play/g/{table.game}#seat=0&token={table.tokens[0]}")
        shown.page.wait_for_selector(".table-page, .face.fault")
        if button := shown.page.query_selector(".face.fault button"):
            button.click()
        shown.page.wait_for_selector(".table-page")
        assert "A bot has your seat now. You are watching." in shown.page.inner_text(".question")


def test_a_token_of_another_game_opens_no_seat(browser: Browser, served: Served) -> None:
    """The page says so, and offers to watch."""
    table, other = (table_for(served.url, "classic", [PERSON, BOT], {}) for _ in range(2))
    game, token = table.game, other.tokens[0]
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/g/{game}#seat=0&token={token}")
        page.wait_for_selector(".face.fault")
        assert "leads to no seat" in page.inner_text(".face.fault")
        assert token not in page.url
        page.click(".face.fault button")
        page.wait_for_selector(".table-page")
        assert "You are watching." in page.inner_text(".question")


def test_a_broken_link_replaces_no_seat(browser: Browser, served: Served) -> None:
    """Whoever sends one could throw a player out of a game otherwise."""
    with window(browser, served.url) as shown:
        page = shown.page
        open_against_bots(page, served.url)
        table, pages = page.url, page.context
        page.close()
        page = pages.new_page()
        for _ in range(2):
            page.goto("about:blank")
            page.goto(f"{table}#seat=0&token=p10s_26b10b490f5953c6")
            page.wait_for_selector(".face.fault")
        page.click(".face.fault button")
        page.wait_for_selector(".own .hand .card")
        page.close()
        page = pages.new_page()
        page.goto(table)
        page.wait_for_selector(".own .hand .card")
