"""Games of the service looked back on: from any chair once they are over, from one's own before."""

import os
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser

from tests.support.replay.log_edits import OTHER, Tree, seq_of, short_game
from tests.support.replay.viewer_documents import export, forged, read
from tests.support.service.api_tables import BOT, PERSON, whole_game
from tests.support.service.server import Served
from tests.support.service.table_pages import table_for, window

DRAW = seq_of("CardDrawn", lambda tree: "hidden" in tree, skip=3)


def other_card(records: list[Tree]) -> None:
    (secret,) = records[DRAW - 1]["hidden"].values()
    secret["card"] = "W" if secret["card"] != "W" else "R5"


def test_a_game_that_is_over_is_replayed_from_any_chair(browser: Browser, served: Served) -> None:
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
        game = whole_game(client)
        last = client.get(f"/games/{game}").json()["version"]
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/g/{game}")
        page.click("text=Replay")
        page.wait_for_selector(".scrubber input")
        assert page.url.startswith(f"{served.url}/play/g/{game}/replay")
        assert page.get_attribute(".scrubber input", "max") == str(last)
        chairs = page.eval_on_selector_all(
            ".choices select >> nth=1 >> option", "all => all.map((one) => one.value)"
        )
        assert chairs == ["all", "spectator", "0", "1"]
        page.keyboard.press("End")
        page.wait_for_function(
            "(last) => document.querySelector('.scrubber input').value === last", arg=str(last)
        )
        page.select_option(".choices select >> nth=1", "1")
        page.wait_for_selector(".view[data-chair='1'], [data-chair='1']")


@pytest.mark.system
def test_a_game_that_goes_on_is_replayed_from_ones_own_chair(
    browser: Browser, served: Served
) -> None:
    table = table_for(served.url, "express", [PERSON, BOT], {})
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        page.goto(f"{served.url}/play/g/{table.game}/replay")
        page.wait_for_selector(".scrubber input")
        shown_hand = page.inner_text("main")
        assert "a hidden card" not in shown_hand
        assert page.query_selector("[data-chair='0']") is not None


@pytest.mark.system
def test_another_language_is_spoken_by_the_rules_too(browser: Browser, served: Served) -> None:
    table = table_for(served.url, "board", [PERSON, BOT], {})
    with window(browser, served.url) as shown:
        page = shown.sit(table, 0).page
        page.goto(f"{served.url}/play/g/{table.game}/replay")
        page.wait_for_selector(".facts:has-text('Phase 10, the board game')")
        page.select_option("header select", "de")
        page.wait_for_selector(".facts:has-text('Phase 10, das Brettspiel')")


def file(name: str, content: bytes) -> Any:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def test_the_first_bad_event_is_one_key_away(browser: Browser, served: Served) -> None:
    """A file as an auditor gets it: its verdict, both sides, the rule, who is blamed and why."""
    content = forged(other_card)
    finding = read(content)["findings"][0]
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/open")
        page.set_input_files("input[type=file]", file("night.ndjson", content))
        page.wait_for_selector(".dispute")
        assert page.title() == "night.ndjson · phaseledger"
        page.keyboard.press("Home")
        page.keyboard.press("n")
        assert page.input_value(".scrubber input") == str(DRAW - 1)
        text = page.inner_text(".dispute")
        for part in ("text", "rule", "rule_text", "blame", "proves", "todo"):
            assert finding[part] in text
        for side, mark in (("recorded", "wrong"), ("expected", "due")):
            assert finding[side]["sentence"] in page.inner_text(f".side.{mark}")
            assert page.locator(f".side.{mark} .card.{mark}").count() == 1
        page.click("text=Another file")
        page.wait_for_selector(".drop")


def test_a_file_is_dropped(browser: Browser, served: Served) -> None:
    with window(browser, served.url, locale="de-DE") as shown:
        page = shown.page
        page.goto(f"{served.url}/play/open")
        page.wait_for_selector(".drop")
        transfer = page.evaluate_handle(
            """() => {
              const transfer = new DataTransfer();
              transfer.items.add(new File(["no game"], "x.bundle"));
              return transfer;
            }"""
        )
        page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})
        page.wait_for_selector(".face.fault")
        assert "Die Datei ist kein Spiel" in page.inner_text("main")
        page.click("summary")
        assert "x.bundle:1" in page.inner_text("details")


@pytest.mark.system
def test_one_of_several_games_is_named(browser: Browser, served: Served) -> None:
    content = export(short_game()) + export(short_game(OTHER))
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/open")
        page.set_input_files("input[type=file]", file("two.ndjson", content))
        page.fill("input[name=game]", "2")
        page.click("form button")
        page.wait_for_selector(".board")
        assert page.query_selector(".banner.good") is not None


@pytest.mark.system
def test_the_record_of_a_game_is_judged(browser: Browser, served: Served) -> None:
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
        game = whole_game(client)
    with window(browser, served.url) as shown:
        page = shown.page
        page.goto(f"{served.url}/play/g/{game}")
        page.click("text=Check the record")
        page.wait_for_selector(".banner.good")
        assert page.url.partition("#")[0] == f"{served.url}/play/g/{game}/dispute"
        assert "grade" in page.inner_text(".banner h2")
        assert page.locator(".dispute").count() == 0


@pytest.mark.system
def test_a_file_that_is_too_large_is_not_sent(
    browser: Browser, served: Served, tmp_path: Path
) -> None:
    large = tmp_path / "x.bundle"
    large.touch()
    os.truncate(large, 16 * 2**20 + 1)
    with window(browser, served.url) as shown:
        asked: list[str] = []
        shown.page.on("request", lambda request: asked.append(request.method))
        shown.page.goto(f"{served.url}/play/open")
        shown.page.set_input_files("input[type=file]", large)
        assert "17 MB" in shown.page.inner_text("[role=alert]")
        assert "POST" not in asked
