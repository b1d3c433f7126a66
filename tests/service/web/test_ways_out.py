"""Ways out of a game, and on: a seat given to a bot, a game broken off, the next one together."""

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from tests.support.service.api_tables import PERSON, Table, bearer
from tests.support.service.server import Served
from tests.support.service.table_pages import table_for, window

PHONE = {"width": 390, "height": 844}


def enter(page: Page, served: Served, table: Table, seat: int, *, hosts: bool = False) -> None:
    fragment = f"seat={seat}&token={table.tokens[seat]}" + (f"&host={table.host}" if hosts else "")
    page.goto(f"{served.url}/play/g/{table.game}#{fragment}")
    page.wait_for_selector(".own .hand .card")


def choose(page: Page, entry: str) -> None:
    """Unfold an entry of the table's menu."""
    page.click(".bar [data-menu]")
    page.click(f".menu summary:has-text('{entry}')")


def test_a_game_is_left_broken_off_and_played_again(browser: Browser, served: Served) -> None:
    """Who leaves a table without spectators is told so; who stays plays the next game with bots;
    and each sees at once that somebody waits there.
    """
    table = table_for(served.url, "classic", [PERSON] * 3, {}, terms={"spectators": "none"})
    with (
        window(browser, served.url) as host,
        window(browser, served.url, viewport=PHONE) as guest,
        window(browser, served.url) as third,
    ):
        for number, shown in enumerate((host, guest, third)):
            enter(shown.page, served, table, number, hosts=number == 0)
        page, other, last = host.page, third.page, guest.page
        choose(last, "Give my seat to a bot")
        last.click(".menu .danger")
        last.wait_for_selector(".face.fault:has-text('You have given up your seat')")
        assert "others to play at" in last.inner_text(".face.fault")

        page.click(".bar [data-menu]")
        assert page.query_selector(".menu summary:has-text('watch')") is None
        page.click(".menu summary:has-text('Who is away')")
        page.wait_for_selector(".menu:has-text('This table has no clock')")
        page.click(".menu summary:has-text('Break the game off')")
        page.click(".menu .danger")
        for still in (page, other):
            still.wait_for_selector(".over:has-text('The game was broken off')")
        page.click(".over .primary")
        page.wait_for_selector(".chairs .mine")
        other.wait_for_selector(".over .waits:has-text('Seat 0 waits in the next game.')")
        other.click(".over .primary")
        other.wait_for_selector(".chairs .mine")
        page.click("button.primary:has-text('Start the game')")
        other.wait_for_selector(".own .hand .card")


@pytest.mark.system
def test_an_overdue_player_is_replaced(browser: Browser, served: Served) -> None:
    """Where the service has not done it by itself; who is in time is left alone."""
    clock = {"clock": {"seconds": 86400, "then": "bot_for_good"}}
    table = table_for(served.url, "classic", [PERSON] * 2, {}, terms=clock)
    with window(browser, served.url) as shown:
        page = shown.page
        enter(page, served, table, 0)
        choose(page, "Who is away")
        page.wait_for_selector(".menu:has-text('Nobody is too late.')")
        path = f"{served.url}/v1/games/{table.game}"
        view = httpx2.get(path, headers=bearer(table.tokens[0])).json()
        due = {"seat": 1, "kind": "draw", "due_at": 1, "grace_until": 1}
        page.route(path, lambda route: route.fulfill(json={**view, "deadlines": [due]}))
        with page.expect_request("**/claims") as asked:
            page.click(".menu button:has-text('Go on without Seat 1')")
        assert asked.value.post_data_json == {"seat": 1}
        page.wait_for_selector(".menu .fault")


@pytest.mark.system
def test_a_host_closes_a_table_before_the_game(browser: Browser, served: Served) -> None:
    """It leaves the list, and nobody is told to play again where nobody has played."""
    with window(browser, served.url, viewport=PHONE) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.select_option("[data-seat='1']", "person")
        page.click("button.primary")
        page.click("summary:has-text('Close the table')")
        page.click(".danger")
        page.wait_for_selector(".over:has-text('The game was broken off')")
        assert page.query_selector(".over button.primary") is None


@pytest.mark.system
def test_who_leaves_a_private_table_is_told_where_to_go(browser: Browser, served: Served) -> None:
    """Before the game too, where nobody without a seat may see the table."""
    terms = {"private": True, "spectators": "none"}
    body = {"ruleset": "classic", "seats": [PERSON] * 2, "terms": terms}
    opened = httpx2.post(f"{served.url}/v1/games", json=body).json()
    with window(browser, served.url, viewport=PHONE) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/join/{opened['code']}")
        page.fill("input[autocomplete=nickname]", "Ada")
        page.click("button[type=submit]")
        page.click("button:has-text('Give up my seat')")
        page.wait_for_selector(".face.fault:has-text('You have given up your seat')")
        page.click(".face.fault a")
        page.wait_for_selector(".lobby h1")
