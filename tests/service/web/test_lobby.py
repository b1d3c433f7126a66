"""The lobby: a new table, its house rules and terms; codes and links; the waiting room."""

import hashlib
import json

import httpx2
import pytest
from playwright.sync_api import Browser, Page, Route

from tests.support.service.server import Served
from tests.support.service.table_pages import Clicking, open_against_bots, window


def view(page: Page, served: Served) -> dict[str, object]:
    """The game whose page this is, as anybody sees it."""
    game = page.url.rpartition("/")[2]
    body: dict[str, object] = httpx2.get(f"{served.url}/v1/games/{game}").json()
    return body


def test_a_game_against_bots_is_two_presses_away(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        open_against_bots(page, served.url)
        assert Clicking(page).step()


def test_a_person_brings_a_secret_of_its_own_to_the_deal(browser: Browser, served: Served) -> None:
    """It is committed to before the table is sealed, and given up by the page itself."""
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.check("input[name=secret]")
        page.click("button[type=submit]")
        page.wait_for_selector(".own .hand .card")
        kept = page.evaluate("JSON.parse(sessionStorage['phaseledger.games'])")
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
        page.click("text=House rules")
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
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.click("text=House rules")
        page.fill("#option-max_turns_per_round", "often")
        page.click("button[type=submit]")
        page.wait_for_selector("p.fault")
        assert "max_turns_per_round" in page.inner_text("p.fault")
        assert page.input_value("#option-max_turns_per_round") == "often"


def test_a_private_table_is_joined_by_its_code(browser: Browser, served: Served) -> None:
    """The host shares code, link and QR code; a guest sits down, is freed, and comes back."""
    with window(browser, served.url) as host, window(browser, served.url) as guest:
        page, other = host.page, guest.page
        page.goto(f"{served.url}/play/new")
        page.select_option(".chairs li:nth-child(2) select", "person")
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


def test_a_wrong_code_is_refused_in_words(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/join/7K2M-Q9XD")
        page.fill("input[autocomplete=nickname]", "Ada")
        page.click("button[type=submit]")
        page.wait_for_selector("p.fault")
        assert page.input_value("input[autocomplete=nickname]") == "Ada"


def test_a_token_is_in_no_address_and_in_no_lasting_store(browser: Browser, served: Served) -> None:
    """A seat's link has it in its fragment, and the page takes it out of there."""
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.click("button[type=submit]")
        page.wait_for_selector(".table-page")
        kept = page.evaluate("JSON.parse(sessionStorage['phaseledger.games'])")
        ((game, member),) = kept.items()
        assert page.url == f"{served.url}/play/g/{game}"
        assert member["token"] not in page.evaluate("JSON.stringify(localStorage)")
        with window(browser, served.url) as elsewhere:
            second = elsewhere.page
            second.goto(f"{served.url}/play/g/{game}#seat=0&token={member['token']}")
            second.wait_for_selector(".own .hand .card")
            assert second.url == f"{served.url}/play/g/{game}"
            assert second.evaluate("history.length") <= 2


def test_a_seat_is_kept_only_where_somebody_says_so(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/new")
        page.check("text=Keep my seat")
        page.click("button[type=submit]")
        page.wait_for_selector(".table-page")
        game = page.url.rpartition("/")[2]
        page.evaluate("sessionStorage.clear()")
        page.reload()
        page.wait_for_selector(".own .hand .card")
        assert game in page.evaluate("localStorage['phaseledger.games']")


FACES = [
    (429, {"Retry-After": "2"}, "That was a little fast"),
    (503, {}, "That was a little fast"),
    (500, {}, "The service says no"),
    (0, {}, "The service cannot be reached"),
]


@pytest.mark.parametrize(("status", "headers", "words"), FACES)
def test_the_list_has_a_face_for_every_trouble(
    browser: Browser, served: Served, status: int, headers: dict[str, str], words: str
) -> None:
    """And is read again when the trouble is over."""
    body = json.dumps({"type": "", "title": "No.", "status": status, "code": "x"})

    def refuse(route: Route) -> None:
        route.fulfill(status=status, headers=headers, body=body) if status else route.abort()

    with window(browser, served.url) as shown:
        page = shown.page
        page.route("**/v1/games?*", refuse)
        page.goto(f"{served.url}/play")
        page.wait_for_selector(".face.fault")
        assert words in page.inner_text(".face.fault")
        page.unroute("**/v1/games?*")
        page.click(".face.fault button")
        page.wait_for_selector(".tables, .face.empty")


def test_the_list_is_by_stage_and_rule_set(browser: Browser, served: Served) -> None:
    body = {"ruleset": "board", "seats": [{"kind": "person"}, {"kind": "bot"}]}
    game = httpx2.post(f"{served.url}/v1/games", json=body).json()["game"]
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play")
        page.select_option(".filters select", "board@1")
        page.wait_for_function("() => document.querySelectorAll('.tables li').length === 1")
        assert page.query_selector(f".tables a[href='/play/g/{game}']") is not None
        page.click(".segments button:has-text('Over')")
        page.wait_for_selector(".face.empty")
        page.click(".segments button:has-text('Open')")
        page.click(f".tables a[href='/play/g/{game}']")
        page.fill("input[autocomplete=nickname]", "Ada")
        page.click("form.panel button[type=submit]")
        page.wait_for_selector(".chairs .mine")
