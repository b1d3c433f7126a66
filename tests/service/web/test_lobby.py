"""The lobby: a new table, its house rules and terms; codes and links; the waiting room."""

import hashlib
import json

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from tests.support.service.api_tables import PERSON
from tests.support.service.server import Served
from tests.support.service.table_pages import Clicking, open_against_bots, table_for, window

KEPT = "JSON.parse(localStorage['phaseledger.games'] || '{}')"
"""What outlives the tab."""


def view(page: Page, served: Served) -> dict[str, object]:
    """The game whose page this is, as anybody sees it."""
    game = page.url.rpartition("/")[2]
    body: dict[str, object] = httpx2.get(f"{served.url}/v1/games/{game}").json()
    return body


@pytest.mark.system
def test_a_person_brings_a_secret_of_its_own_to_the_deal(browser: Browser, served: Served) -> None:
    """It is committed to before the table is sealed, and given up by the page itself."""
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.click("text=The table's terms")
        page.check("input[name=secret]")
        page.click("button[type=submit]")
        page.wait_for_selector(".own .hand .card")
        kept = page.evaluate(KEPT)
        game = page.url.rpartition("/")[2]
        events = httpx2.get(f"{served.url}/v1/games/{game}/events").json()["events"]
    secret = bytes.fromhex(kept[game]["secret"])
    commit = hashlib.sha256(f"p10/seat-commit/v1\n{game}\n0\n".encode() + secret).hexdigest()
    by_type = {event["type"]: event["data"] for event in events if event["data"].get("seat") == 0}
    assert by_type["SeatTaken/1"]["commit"] == commit
    assert by_type["SeatSecretRevealed/1"]["secret"] == secret.hex()


def test_house_rules_and_terms_reach_the_table(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.click("input[value=express]")
        page.click("text=single rules")
        page.select_option("#option-variant", json.dumps("n_phases(2)"))
        page.select_option("#option-run_wrap", "true")
        page.fill("#option-max_turns_per_round", "25")
        page.click("text=The table's terms")
        page.select_option("select:has(option[value='round'])", "round")
        page.select_option("select:has(option[value='600'])", "600")
        page.click("button[type=submit]")
        page.wait_for_selector(".table-page")
        body = view(page, served)
        assert body["options"] == {
            **body["options"],  # type: ignore[dict-item]
            "variant": "n_phases(2)",
            "run_wrap": True,
            "max_turns_per_round": 25,
        }
        assert body["terms"] == {
            **body["terms"],  # type: ignore[dict-item]
            "spectators": "round",
            "clock": {"seconds": 600, "grace": 10},
        }
        assert "left" in page.inner_text(".clock")


def test_a_house_rule_that_fits_nowhere_is_refused_in_words(
    browser: Browser, served: Served
) -> None:
    """It stays written until another edition is chosen."""
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.click("text=single rules")
        page.fill("#option-max_turns_per_round", "often")
        page.click("button[type=submit]")
        page.wait_for_selector("p.fault")
        assert "max_turns_per_round" in page.inner_text("p.fault")
        assert page.input_value("#option-max_turns_per_round") == "often"
        page.click("[data-edition=box]")
        page.wait_for_function("document.querySelector('#option-max_turns_per_round').value === ''")


def test_a_private_table_is_joined_by_its_code(browser: Browser, served: Served) -> None:
    """The host shares code, link and QR code; a guest sits down, is freed, and comes back."""
    with window(browser, served.url) as host, window(browser, served.url) as guest:
        page, other = host.page, guest.page
        page.goto(f"{served.url}/play/new")
        page.select_option("[data-seat='1']", "person")
        page.click("text=The table's terms")
        page.check("text=Private")
        page.click("button[type=submit]")
        page.wait_for_selector(".share .code")
        code = page.inner_text(".share .code")
        link = page.input_value(".share input")
        assert link == f"{served.url}/play/join/{code}"
        assert page.query_selector(".share svg.qr") is not None
        assert page.is_disabled("text=Start the game")

        other.goto(f"{served.url}/play")
        other.fill("aside input", code.lower())
        other.click("aside button[type=submit]")
        other.fill("input[autocomplete=nickname]", "Blaise")
        other.click("button[type=submit]")
        other.wait_for_selector(".chairs .mine")
        page.click("button[aria-label='Remove Blaise from the seat']")
        other.wait_for_selector(".face.fault, .banner.fault, .panel form, form.panel")
        page.wait_for_selector("button:has-text('Fill with good bots')")
        page.click("button:has-text('Fill with good bots')")
        page.click("button.primary:has-text('Start the game')")
        page.wait_for_selector(".own .hand .card")


def test_a_token_is_in_no_address(browser: Browser, served: Served) -> None:
    """A seat's link has it in its fragment, and the page takes it out of there."""
    with window(browser, served.url) as shown:
        page = shown.page
        open_against_bots(page, served.url)
        ((game, member),) = page.evaluate(KEPT).items()
        assert page.url == f"{served.url}/play/g/{game}"
        with window(browser, served.url) as elsewhere:
            second = elsewhere.page
            second.goto(f"{served.url}/play/g/{game}#seat=0&token={member['token']}")
            second.wait_for_selector(".own .hand .card")
            assert second.url == f"{served.url}/play/g/{game}"
            assert second.evaluate("history.length") <= 2


def new_tab(page: Page, address: str) -> Page:
    """Another tab of the same browser, with the address typed."""
    tab = page.context.new_page()
    tab.goto(address)
    tab.wait_for_selector(".table-page, .tables, .face.empty")
    return tab


def open_seat(page: Page) -> None:
    """Open the seat in the table's menu."""
    page.click(".bar [data-menu]")
    page.click(".menu summary:has-text('My seat')")
    page.wait_for_selector(".menu [data-forget]")


@pytest.mark.system
def test_a_closed_tab_is_no_lost_seat(browser: Browser, served: Served) -> None:
    """Until the person says in the table's menu that this browser shall not keep the seat."""
    with window(browser, served.url) as shown:
        first = shown.page
        open_against_bots(first, served.url)
        table = first.url
        page = new_tab(first, table)
        first.close()
        page.wait_for_selector(".own .hand .card")
        lobby = new_tab(page, f"{served.url}/play")
        lobby.click(".side .plain a, aside .plain a")
        lobby.wait_for_selector(".own .hand .card")
        open_seat(lobby)
        assert lobby.input_value("dialog input[readonly]").startswith(f"{table}#seat=0&token=")
        lobby.uncheck("dialog input[name=stays]")
        lobby.wait_for_function(f"() => !Object.keys({KEPT}).length")
        lobby.reload()
        lobby.wait_for_selector(".own .hand .card")  # this tab has it still
        assert new_tab(page, table).query_selector(".own") is None
        open_seat(lobby)
        lobby.click("[data-forget]")
        lobby.wait_for_selector(".table-page:not(:has(.own))")


@pytest.mark.system
def test_two_seats_of_a_game_are_two_tabs(browser: Browser, served: Served) -> None:
    """Each has its own, and the list has both."""
    table = table_for(served.url, "classic", [PERSON, PERSON], {})
    with window(browser, served.url) as shown:
        first = shown.sit(table, 0).page
        other = shown._replace(page=shown.page.context.new_page()).sit(table, 1).page
        for page, name in ((first, "Seat 0"), (other, "Seat 1")):
            page.reload()
            page.wait_for_selector(f".own .name:has-text('{name}')")
        lobby = new_tab(first, f"{served.url}/play")
        for name in ("Seat 0", "Seat 1"):
            lobby.click(f"aside a:has-text('{name}')")
            lobby.wait_for_selector(f".own .name:has-text('{name}')")
            lobby.goto(f"{served.url}/play")


OFF = """Object.defineProperty(window, '{}', {{ get() {{ throw new Error('off'); }} }});"""
FULL = "Storage.prototype.setItem = () => { throw new Error('full'); };"
STORES = [
    OFF.format("localStorage"),
    OFF.format("localStorage") + OFF.format("sessionStorage"),
    FULL,
]


@pytest.mark.system
@pytest.mark.parametrize("script", STORES, ids=["no lasting store", "no store", "full"])
def test_a_browser_that_keeps_nothing_plays(browser: Browser, served: Served, script: str) -> None:
    with window(browser, served.url) as shown:
        shown.page.add_init_script(script)
        open_against_bots(shown.page, served.url)
        assert "token" not in shown.page.url
        assert Clicking(shown.page).step()


NEEDED = [("en", "Write a name"), ("de", "Schreib einen Namen"), ("fr", "un nom")]


@pytest.mark.parametrize(("lang", "words"), NEEDED)
def test_a_name_is_asked_for_before_anything_is_sent(
    browser: Browser, served: Served, lang: str, words: str
) -> None:
    with window(browser, served.url, locale=lang) as shown:
        page = shown.page
        for path, button in (("new", "button.primary"), ("join/X", "form.panel button")):
            page.goto(f"{served.url}/play/{path}")
            page.fill("input[autocomplete=nickname]", "   ")
            page.click(button)
            page.wait_for_selector("p.fault")
            assert words in page.inner_text("p.fault")
        assert page.evaluate(KEPT) == {}
        page.fill("input[autocomplete=nickname]", "Ada")
        page.click(button)
        page.wait_for_selector("p.fault:has-text('7K2M-Q9XD')")


@pytest.mark.system
def test_a_table_where_nobody_could_sit_down_is_closed(browser: Browser, served: Served) -> None:
    """After a refusal at once, after a cut line at the next press; and the form goes on."""
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.fill("input[autocomplete=nickname]", "Greedy 2")
        page.click("button.primary")
        page.wait_for_selector("p.fault")
        assert open_tables(served) == []
        page.fill("input[autocomplete=nickname]", "Ada")
        page.route("**/seats", lambda route: route.abort())
        page.click("button.primary")
        page.wait_for_selector("p.fault:has-text('cannot be reached')")
        page.unroute("**/seats")
        page.select_option("[data-seat='1']", "expert")
        page.uncheck("input[name=stays]")  # a shared machine
        page.click("button.primary")
        page.wait_for_selector(".own .hand .card")
        assert open_tables(served) == []
        assert page.evaluate(KEPT) == {}


def open_tables(served: Served) -> list[str]:
    """The tables with a free seat that the host called Ada or Greedy 2 could have left."""
    games = httpx2.get(f"{served.url}/v1/games?stage=lobby&limit=100").json()["games"]
    return [game["game"] for game in games if "Greedy 3" in str(game["players"])]
