"""The page that checks bundles plays them back, and draws the cards of what it finds."""

import re
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, expect

from phaseledger.replay.evidence.verify.verifier_page import SOURCES
from phaseledger.replay.transcript.frames import position
from phaseledger.replay.viewer.limits import ViewerLimits, WorkBudget
from phaseledger.replay.viewer.recorded_game import read_recorded
from tests.support.browser import Verifier, checked, opened
from tests.support.cases import looped
from tests.support.replay.bundle_variety import bundle, stored
from tests.support.replay.operator_forgeries import FORGERIES
from tests.support.replay.operator_games import bundled
from tests.support.replay.tampering_tools import tampered

POSITIONS = """async (text) => {
  const { answer, bundle } = await examined(text), source = sourceOf(bundle, answer);
  const recording = await source.load();
  return recording.lines.map(({ seq }) => recording.position(seq));
}"""
SEAT = ("name", "cards", "phase", "laid", "made", "points", "skips", "front", "pawn", "playing")
TABLE = (
    *("round", "turn", "dealer", "replay", "waits", "stock", "discard", "discards", "pile"),
    *("dice", "action", "groups", "winners"),
)


def drawn(position: dict[str, Any]) -> dict[str, Any]:
    """What the parts draw of a position."""
    table, legend = position["table"], position["legend"]["groups"]
    facts = {name: table[name] for name in TABLE}
    if table["waits"]:  # between rounds it is nobody's turn
        facts["active"] = table["active"]
    seats = [seat and {name: seat[name] for name in SEAT} for seat in table["seats"]]
    hands = [sorted((hand or "").split()) for hand in position["hands"]]
    return facts | {"seats": seats, "hands": hands, "words": [row["words"] for row in legend]}


@looped("name", ["reshuffled", "replayed", "standard-deck", "express", "board-open", "voided"])
def test_its_positions_are_those_of_the_replay(page: Verifier, name: str) -> None:
    recorded = read_recorded(bundle(name), name, None, WorkBudget(ViewerLimits()))
    shown = page.ask(POSITIONS, bundle(name).decode())
    assert len(shown) == len(recorded.steps)
    for step, ours in zip(recorded.steps, shown, strict=True):
        due = msgspec.json.decode(msgspec.json.encode(position(step.state, "all")))
        if None not in due["table"]["seats"]:
            assert drawn(ours) == drawn(due)


def test_what_is_found_is_shown_in_cards(browser: Browser) -> None:
    """And the replay stands before the event that is wrong."""
    with opened(browser) as verifier:
        page = verifier.page
        checked(verifier, forged())
        assert marked_cards(verifier, "due") == ["G10"]
        assert marked_cards(verifier, "wrong") == ["Y4"]
        expect(page.locator("#replay .where")).to_contain_text("event 7 of 7")
        page.locator("#replay input[type=range]").focus()
        page.keyboard.press("Home")
        expect(page.locator("#replay .where")).to_contain_text("event 1 of 7")
        page.get_by_role("button", name="Show the table before event 8").click()
        expect(page.locator("#replay .where")).to_contain_text("event 7 of 7")
        assert page.evaluate("document.activeElement.id") == "played"


def forged() -> bytes:
    made = tampered(bundle("small"), FORGERIES["another card drawn"], 0)
    assert made is not None
    return made


def marked_cards(verifier: Verifier, mark: str) -> list[str]:
    cards = verifier.page.locator(f"#findings .card.{mark}").all()
    return [str(card.get_attribute("data-card")) for card in cards]


def test_a_game_is_stepped_through_in_the_language_of_the_page(browser: Browser) -> None:
    with opened(browser) as verifier:
        page = verifier.page
        checked(verifier, bundle("small"))
        page.locator("#replay").get_by_role("button", name="Forward").click()
        place = page.locator("#replay .where")
        expect(place).to_contain_text("event 7 of 144")
        page.select_option("#language", "de")
        expect(place).to_contain_text("Ereignis 7 von 144")
        expect(page.locator("#replay .phase .words").first).to_have_text(
            "Phase 1: 2 Sätze aus 3 Karten"
        )


def test_keys_outside_of_the_replay_are_the_page_s(browser: Browser) -> None:
    with opened(browser) as verifier:
        page = verifier.page
        checked(verifier, bundle("small"))
        place = page.locator("#replay .where")
        before = place.inner_text()
        page.keyboard.press("End")
        page.locator("#replay input[type=range]").focus()
        expect(place).to_have_text(before)
        page.keyboard.press("End")
        expect(place).to_contain_text("event 144 of 144")


def test_what_hides_cards_is_not_played_back(browser: Browser) -> None:
    """A running game, and a file of which no event can be read."""
    running = b"".join(bundled(stored("small")[:60], viewer=0))
    with opened(browser) as verifier:
        for file in (running, b"this is no bundle"):
            checked(verifier, file)
            assert not verifier.page.is_visible("#playback")


def test_the_judgement_is_made_by_the_verifier_s_own_modules_alone() -> None:
    """What draws the game comes from other pages, and nothing that judges imports it."""
    read, left = set[Path](), [SOURCES.resolve() / "verify.js"]
    while left:
        path = left.pop()
        read.add(path)
        imports = re.findall(r'from "(\.[^"]+)"', path.read_text(encoding="utf-8"))
        left += [made for name in imports if (made := (path.parent / name).resolve()) not in read]
    assert all(path.is_relative_to(SOURCES.resolve()) for path in read)
