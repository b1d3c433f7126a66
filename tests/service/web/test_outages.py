"""The service is killed in mid-game and comes back; the stream breaks; the seat is lost."""

import httpx2
import pytest
from playwright.sync_api import Browser

from phaseledger.service.settings import Settings
from tests.support.children import finished
from tests.support.ports import free_port
from tests.support.service.api_tables import BOT, PERSON, bearer
from tests.support.service.nodes import await_ready, node
from tests.support.service.processes import launched
from tests.support.service.server import Served
from tests.support.service.table_pages import Clicking, table_for, window

pytestmark = pytest.mark.system


def test_what_is_known_stays_and_play_goes_on(browser: Browser, settings: Settings) -> None:
    given = {name: getattr(settings, name) for name in ("database_url", "schema", "keys_dir")}
    with free_port() as port, window(browser, f"http://127.0.0.1:{port}") as shown:
        page, process = shown.page, launched(settings, port)
        try:
            await_ready(process, port)
            table = table_for(shown.url, "classic", [PERSON, BOT], {"variant": "n_phases(1)"})
            person = Clicking(shown.sit(table, 0).page)
            for _ in range(4):
                person.step()
            hand = page.inner_text(".own .hand")
        finally:
            process.kill()
            finished(process)
        page.wait_for_selector(".banner.fault")
        assert "cannot be reached" in page.inner_text(".banner")
        assert "old" in page.inner_text(".banner")
        assert page.inner_text(".own .hand") == hand
        with node(port, given) as second:
            await_ready(second, port)
            page.wait_for_selector(".banner", state="detached")
            person.play()
            assert page.query_selector(".over h2") is not None


def test_whoever_has_given_a_seat_up_watches_from_then_on(browser: Browser, served: Served) -> None:
    table = table_for(served.url, "classic", [PERSON, PERSON], {})
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        left = httpx2.post(
            f"{served.url}/v1/games/{table.game}/leave", headers=bearer(table.tokens[0])
        )
        assert left.status_code == 200
        page.wait_for_function("() => !document.querySelector('.own')")
        assert "You are watching." in page.inner_text(".question")


def test_a_seat_that_the_clock_gives_to_a_bot_is_told_so(browser: Browser, served: Served) -> None:
    """After a warning; what the bot does with it waits until the person has read that. The person
    plays again in the rematch.
    """
    clock = {"seconds": 12, "grace": 0, "then": "bot_for_good"}
    table = table_for(served.url, "classic", [PERSON, BOT], {}, terms={"clock": clock}, dealer=1)
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        page.wait_for_selector(".ask [data-command=draw]")
        page.wait_for_function("() => document.title.startsWith('10 seconds left')")
        page.wait_for_selector("dialog[open] [data-first]")
        assert page.get_attribute("dialog[open]", "aria-label") == "A bot has your seat"
        assert page.query_selector(".over") is None
        page.keyboard.press("Enter")
        page.wait_for_function("() => !document.querySelector('.own')")
        assert page.query_selector("dialog") is None
        why, headers = {"reason": "The club closes."}, bearer(table.host)
        httpx2.post(f"{served.url}/v1/games/{table.game}/void", json=why, headers=headers)
        page.click(".over button.primary")
        page.wait_for_selector(".chairs .badge.mine")


def test_a_game_that_is_not_there_says_so(browser: Browser, served: Served) -> None:
    with window(browser, served.url) as shown:
        page = shown.page
        for game in ("00000000-0000-8000-8000-000000000000", "nonsense"):
            page.goto(f"{served.url}/play/g/{game}")
            page.wait_for_selector(".face.fault")
            assert page.query_selector(".face.fault a[href='/play']") is not None


FOLLOW = """async ([game, token]) => {
  const headers = {Authorization: `Bearer ${token}`};
  const asked = await fetch(`/v1/games/${game}/tickets`, {method: "POST", headers});
  const {ticket} = await asked.json();
  const open = () => new Promise((done) => {
    const stream = new EventSource(`/v1/games/${game}/events?ticket=${ticket}`);
    stream.addEventListener("state", (event) => {
      stream.close();
      done(JSON.parse(event.data).table.hand);
    });
    stream.addEventListener("error", () => done(stream.readyState === EventSource.CLOSED));
  });
  return [await open(), await open()];
}"""


def test_an_event_source_follows_by_a_ticket_and_stops_at_a_used_one(
    browser: Browser, served: Served
) -> None:
    table = table_for(served.url, "classic", [PERSON, PERSON], {})
    with window(browser, served.url) as shown:
        shown.page.goto(f"{served.url}/play")
        hand, is_closed = shown.page.evaluate(FOLLOW, [table.game, table.tokens[0]])
    address, headers = f"{served.url}/v1/games/{table.game}", bearer(table.tokens[0])
    assert hand == httpx2.get(address, headers=headers).json()["table"]["hand"]
    assert is_closed is True
