"""The service worker in Chromium: it calls players back, and has a page without a network."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.service.api_tables import BOT, PERSON, Table, greedily, mover
from tests.support.service.api_tables import answer as answer_of
from tests.support.service.faulty_proxy import wired
from tests.support.service.push_service import calling_soon, push_browser, push_endpoint
from tests.support.service.server import Served
from tests.support.service.table_pages import table_for, window
from tests.support.service.webhook_receiver import Endpoint

ALLOWED = """([endpoint, keys]) => {
  let permission = "default";
  Object.defineProperty(Notification, "permission", { get: () => permission });
  Notification.requestPermission = async () => (permission = "granted");
  const made = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => true };
  let given = null;
  PushManager.prototype.subscribe = async () => (given = made);
  PushManager.prototype.getSubscription = async () => given;
}"""
"""A person who allows notifications, and a push service: the headless browser has neither."""
SHOWING = """() => {
  self.shown = [];
  self.registration.showNotification = async (title, { body, data, tag }) => {
    self.shown.push({ title, body, data, tag });
  };
}"""
"""What the worker of the headless browser shows, kept to be looked at."""
READY = "navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller))"


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    folder = tmp_path_factory.mktemp("ledger")
    options = {"webhook_allow_private": True, "push_contact": "mailto:ops@club.example"}
    with own_ledger(postgres_dsn, folder, **options) as ledger:
        yield ledger


@pytest.fixture(scope="module")
def calling(settings: Settings) -> Iterator[Served]:
    with calling_soon(settings) as service:
        yield service


@pytest.fixture
def receiver() -> Iterator[Endpoint]:
    with push_endpoint() as target:
        yield target


def delivered(page: Page, url: str, data: str) -> None:
    """Give the service worker of the page a message, as the browser does."""
    session = page.context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not registrations:
        page.wait_for_timeout(20)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": url, "registrationId": registrations[-1]["registrationId"], "data": data},
    )


def switched(page: Page, says: str) -> None:
    """Press the switch in the settings of the table, and wait for what is said of it."""
    page.click(".bar button[aria-label=Settings], .bar button:last-child")
    page.click("dialog input[name=notify]")
    page.wait_for_selector(f"dialog [role=status]:has-text('{says}')")
    page.keyboard.press("Escape")


def until_asked(table: Table, seat: int) -> None:
    """Have whoever is asked answer, until it is that seat's turn."""
    number = 0
    while (asked := mover(table)) != seat:
        assert answer_of(table, asked, greedily, number).status_code == 200
        number += 1


def test_a_player_who_is_away_is_called_back(
    browser: Browser, calling: Served, receiver: Endpoint
) -> None:
    """The switch is the person's; what the service sends then, the worker shows."""
    reader = push_browser()
    played = table_for(calling.url, "classic", [PERSON, PERSON], {})
    with (
        httpx2.Client(base_url=f"{calling.url}/v1", timeout=None) as client,
        window(browser, calling.url) as shown,
    ):
        table, page = played._replace(client=client), shown.page
        page.add_init_script(f"({ALLOWED})({[receiver.url, reader.keys]!r})")
        seat = 1 - mover(table)
        shown.sit(table, seat)
        switched(page, "This browser notifies you")
        page.goto("about:blank")
        until_asked(table, seat)
        (message,) = receiver.wait(1)
        notice = reader.read(message)
        page.goto(f"{calling.url}/play")
        page.wait_for_function(READY)
        (worker,) = page.context.service_workers
        worker.evaluate(SHOWING)
        delivered(page, calling.url, json.dumps(notice))
        while not (called := worker.evaluate("self.shown")):
            page.wait_for_timeout(20)
        address = f"{calling.url}/play/g/{table.game}"
        assert called == [
            {
                "title": "Your turn: Phase 10",
                "body": f"With Seat {1 - seat}",
                "data": address,
                "tag": table.game,
            }
        ]
        shown.sit(table, seat)
        switched(page, "Of this table, while you do not look")


def test_what_a_browser_blocks_is_said(browser: Browser, calling: Served) -> None:
    """With the way out, and without a switch that would do nothing."""
    table = table_for(calling.url, "classic", [PERSON, BOT], {})
    with window(browser, calling.url) as shown:
        page = shown.page
        page.add_init_script(
            "Object.defineProperty(Notification, 'permission', { value: 'denied' })"
        )
        shown.sit(table, 0)
        page.click(".bar button:last-child")
        page.wait_for_selector("dialog [role=status]:has-text('blocks notifications')")
        assert page.is_disabled("dialog input[name=notify]")


def test_a_phone_that_needs_the_home_screen_is_told_so(browser: Browser, calling: Served) -> None:
    table = table_for(calling.url, "classic", [PERSON, BOT], {})
    phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile"
    with window(browser, calling.url, user_agent=phone, has_touch=True) as shown:
        page = shown.page
        page.add_init_script("delete window.Notification; delete window.PushManager")
        shown.sit(table, 0)
        page.click(".bar button:last-child")
        page.wait_for_selector("dialog [role=status]:has-text('Add to Home Screen')")


def test_a_service_without_notices_has_no_switch(browser: Browser, served: Served) -> None:
    table = table_for(served.url, "classic", [PERSON, BOT], {})
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        with page.expect_response("**/v1/notices") as answer:
            page.click(".bar button:last-child")
        assert answer.value.json() == {"web_push": None}
        assert page.query_selector("dialog input[name=notify]") is None
        assert page.query_selector("dialog input[name=sound]") is not None


def test_without_a_network_the_tables_are_there_to_go_back_to(
    browser: Browser, served: Served
) -> None:
    """In the page's language; and it goes on by itself."""
    table = table_for(served.url, "classic", [PERSON, BOT], {})
    port = httpx2.URL(served.url).port
    assert port is not None
    with wired(served.url) as wire, window(browser, wire.url, locale="de-DE") as shown:
        page = shown.sit(table, 0).page
        page.wait_for_selector(".own .hand .card")
        page.wait_for_function(READY)
        wire.lead_to(9)
        page.goto(f"{wire.url}/play/games")
        page.wait_for_selector("h1:has-text('Keine Verbindung')")
        link = f"li a[href='/play/g/{table.game}']"
        assert "Seat 0" in page.inner_text(link)
        page.click(link)
        page.wait_for_url(f"**/g/{table.game}")
        page.wait_for_selector("h1:has-text('Keine Verbindung')")
        wire.lead_to(port)
        page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_selector(".own .hand .card")


def test_the_worker_keeps_no_code(browser: Browser, served: Served) -> None:
    """A page that is older than its service would be wrong about it."""
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play")
        page.wait_for_function(READY)
        kept = page.evaluate(
            """async () => {
              const names = await caches.keys();
              const caches_ = await Promise.all(names.map((name) => caches.open(name)));
              const requests = await Promise.all(caches_.map((one) => one.keys()));
              return requests.flat().map(({ url }) => new URL(url).pathname);
            }"""
        )
        assert kept == ["/play/offline.html"]
