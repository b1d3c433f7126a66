"""The list of tables in the lobby: by stage, rule set and name, without what is full or idle."""

import json

import httpx2
import pytest
from playwright.sync_api import Browser, Page, Route

from tests.support.service.api_tables import BOT, PERSON, open_table
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import Served, serving
from tests.support.service.table_pages import window

FACES = [
    (429, {"Retry-After": "2"}, "That was a little fast"),
    (503, {}, "That was a little fast"),
    (500, {}, "The service says no"),
    (0, {}, "The service cannot be reached"),
]


@pytest.mark.system
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
        page.select_option("select[name=ruleset]", "board@1")
        page.wait_for_function("() => document.querySelectorAll('.tables li').length === 1")
        assert page.query_selector(f".tables a[href='/play/g/{game}']") is not None
        page.click(".segments button:has-text('Over')")
        page.wait_for_selector(".face.empty")
        page.click(".segments button:has-text('Open')")
        page.click(f".tables a[href='/play/g/{game}']")
        page.fill("input[autocomplete=nickname]", "Ada")
        page.click("form.panel button[type=submit]")
        page.wait_for_selector(".chairs .mine")


def counts(page: Page, shown: int) -> list[str]:
    """Who sits at each table of the list, once that many are shown."""
    page.wait_for_function(f"() => document.querySelectorAll('.tables li').length === {shown}")
    return page.locator(".tables .who").all_inner_texts()


def test_the_list_is_sorted_searched_and_rid_of_what_is_full_or_idle(
    browser: Browser, served: Served
) -> None:
    """Names are isolated, and every link is large enough for a finger."""
    with httpx2.Client(base_url=f"{served.url}/v1") as client:
        for name in ("\u05d0\u05d3\u05d4", "Zoë", "Idle"):
            body = {"ruleset": "standard-deck", "seats": [BOT, PERSON, PERSON]}
            game = client.post("/games", json=body).json()["game"]
            client.post(f"/games/{game}/seats", json={"name": name})
        open_table(client, [BOT, BOT, {"kind": "bot", "name": "Full"}], ruleset="standard-deck")
        listed = client.get("/games?ruleset=standard-deck@1&stage=lobby").json()["games"]
    for age, entry in enumerate(listed):
        entry["opened_at"] = entry["updated_at"] = entry["opened_at"] - 300_000 * age
        if "Idle" in str(entry["players"]):
            entry["updated_at"] -= 86_400_000
    assert len(listed) == 4
    with window(browser, served.url, viewport={"width": 390, "height": 844}) as shown:
        page = shown.page
        page.route(
            "**/v1/games?*", lambda route: route.fulfill(json={"games": listed, "next": None})
        )
        page.goto(f"{served.url}/play")
        first = counts(page, 2)[0]
        assert "Zoë" in first
        assert "1 free seat" in first
        assert page.locator(".tables bdi").first.inner_text() == "Greedy 1"
        assert page.inner_text(".tables .what >> nth=0").endswith("10 minutes ago")
        page.check("input[name=all]")
        assert "Full" in counts(page, 4)[0]
        page.select_option("select[name=sort]", "people")
        assert "Full" in counts(page, 4)[3]
        page.fill("input[type=search]", "zoe")
        assert counts(page, 1) == [first]
        page.fill("input[type=search]", "nobody")
        page.wait_for_selector(".face.empty:has-text('No player of that name')")
        for link in page.locator(".side a").all():
            box = link.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 24


def test_where_only_applications_open_tables_no_page_leads_to_a_new_one(browser: Browser) -> None:
    with (
        serving(in_memory(), openers="applications") as closed,
        window(browser, closed.url) as shown,
    ):
        page = shown.page
        for path in ("/play", "/play/games", "/play/rules/classic"):
            page.goto(closed.url + path)
            page.wait_for_selector("main h1")
            page.wait_for_load_state("networkidle")
            assert page.locator("a[href*='/play/new']").count() == 0, path
        page.goto(f"{closed.url}/play")
        page.wait_for_selector(".face.empty")
        assert "Open one" not in page.inner_text(".face.empty")
        page.goto(f"{closed.url}/play/new")
        page.wait_for_selector("text=Sit down at one by its code or its link.")
        assert page.get_attribute(".face a", "href") == "/play"
        assert page.locator("form").count() == 0
