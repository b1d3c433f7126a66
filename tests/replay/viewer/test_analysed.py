"""Luck and errors on the viewer's page: what it gets, what it shows to whom, and how it is used."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from phaseledger.domain import commands as c
from phaseledger.domain.words import LANGUAGES, decimal
from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.laboratory.account.analysis import analyse
from phaseledger.replay.laboratory.account.errors import JudgedDecision
from phaseledger.replay.laboratory.account.text import drawbacks, move_words
from phaseledger.replay.viewer.analysed import analysis_of, with_analysis
from phaseledger.replay.viewer.document import document_of
from phaseledger.replay.viewer.recorded_game import read_recorded
from phaseledger.replay.web.joiner import offline_page
from tests.golden.games import game as golden
from tests.support.campaigns import sampled
from tests.support.replay.analysed_games import (
    BUDGET,
    PLAN,
    analysed_document,
    analysis,
    lines,
    recorded,
)
from tests.support.replay.bundles import game
from tests.support.replay.log_edits import records
from tests.support.replay.operator_games import bundled
from tests.support.replay.processes import run
from tests.support.replay.viewer_documents import export, unpacked
from tests.support.replay.viewer_pages import Viewer, modules, opened
from tests.support.screens import fresh_page, violations

END = "#event=99999&seat="
WIDTHS = (360, 768, 1280)


def costliest(seat: int | None = None) -> list[JudgedDecision]:
    """The three decisions that cost most, of one seat or of all."""
    costly = [
        decision
        for decision in analysis().decisions
        if decision.cost and seat in {None, decision.seat}
    ]
    return sorted(costly, key=lambda decision: -decision.cost)[:3]


def points(chance: float) -> str:
    return decimal(100 * chance, 1, "en")


# --- what the page gets ---------------------------------------------------------------------------


def test_the_document_has_the_analysis_of_the_records() -> None:
    rows = [(msgspec.json.decode(line)["type"], line) for line in lines()]
    given = msgspec.json.decode(unpacked(analysed_document()["analysis"]))

    assert given == msgspec.json.decode(msgspec.json.encode(analyse(rows, PLAN)))
    assert len(analysed_document()["analysis"]) < 100_000


def test_only_a_finished_game_has_one() -> None:
    running = read_recorded(b"".join(bundled(game("classic")[:50], viewer=1)), "it", None, BUDGET)
    events = [event for _, made in golden("board-2")[1] for event in made]
    board = read_recorded(export([entry.stored for entry in records(events)]), "it", None, BUDGET)

    assert analysis_of(running, PLAN, Workers()) is None
    of_board = analysis_of(board, PLAN, Workers())
    assert of_board
    assert {luck.kind for luck in of_board.luck} == {"deal", "draw", "dice"}
    assert {type(row.command) for judged in of_board.decisions for row in judged.candidates} >= {
        *(c.Move, c.Choose, c.Search, c.Ask, c.Swap, c.Discard, c.Draw, c.Lay, c.Hit),
    }


@pytest.mark.parametrize("chairs", [("1",), ("spectator",), ("1", "spectator")])
def test_a_page_without_the_open_view_has_none(chairs: tuple[str, ...]) -> None:
    document = document_of(recorded(), chairs, BUDGET)
    with pytest.raises(ValueError, match="every card"):
        with_analysis(document, analysis())


@pytest.mark.parametrize("flags", [["--seat", 1], ["--public"]])
def test_the_command_refuses_it_to_one_seat(good: Path, flags: list[object]) -> None:
    done = run("viewer", good, "--analysis", *flags)

    assert (done.returncode, done.stdout) == (2, b"")
    assert b"An analysis tells of all hands: leave out --analysis, or" in done.stderr


def test_the_command_says_why_a_page_has_none(tmp_path: Path) -> None:
    file = tmp_path / "running.bundle"
    file.write_bytes(b"".join(bundled(game("classic")[:50], viewer=1)))
    done = run("viewer", file, "--analysis", "--json")

    assert done.returncode == 0
    assert done.stderr.startswith(b"Only a finished game of which all is good has an analysis")
    assert "analysis" not in msgspec.json.decode(done.stdout)


# --- how it is worded -----------------------------------------------------------------------------


def test_drawbacks_are_worded_as_by_the_command(browser: Browser, tmp_path: Path) -> None:
    candidates = [other for decision in analysis().decisions for other in decision.candidates]
    given = msgspec.to_builtins(candidates)
    with modules(browser, tmp_path, "words.js", "account/decision.js") as page:
        for lang in LANGUAGES:
            worded = page.evaluate(
                """([lang, candidates]) => {
                  web.speak(lang);
                  return candidates.map(web.drawbacks);
                }""",
                [lang, given],
            )
            assert worded == [" ".join(drawbacks(candidate, lang)) for candidate in candidates]
    assert {len(candidate.drawbacks) for candidate in candidates} >= {0, 1, 2}


RING = (c.Move(4), c.Choose("TAKE1"), c.Search("R5"), c.Ask(7), c.Ask(7, "right"), c.Give("B2"),
        c.Swap("R5 J1"), c.Keep("R5"), c.Keep(), c.Pass())  # fmt: skip


def test_answers_on_the_ring_have_words(browser: Browser, tmp_path: Path) -> None:
    with modules(browser, tmp_path, "words.js", "account/decision.js") as page:
        for lang in LANGUAGES:
            worded = page.evaluate(
                """([lang, commands]) => {
                  web.speak(lang);
                  const nothing = { table: { seats: [], groups: [] }, legend: { groups: [] } };
                  return commands.map((command) => web.moveWords(command, nothing));
                }""",
                [lang, msgspec.to_builtins(RING)],
            )
            assert len(set(worded)) == len(RING)
            for text in (*worded, *(move_words(command, lang) for command in RING)):
                assert "{" not in text
                assert "." not in text


# --- how it is used -------------------------------------------------------------------------------


def listed(page: Page) -> list[str]:
    """Where the decisions were taken that are shown, in order."""
    return [item.get_attribute("aria-label") or "" for item in page.locator(".costly > li").all()]


def places(decisions: list[JudgedDecision]) -> list[str]:
    names = [player.name for player in analysis().players]
    return [
        f"{names[decision.seat]}, round {decision.round}, turn {decision.turn}"
        for decision in decisions
    ]


def cards(page: Page, within: str) -> list[Any]:
    return page.eval_on_selector_all(f"{within} .card", "(all) => all.map((c) => c.dataset.card)")


def test_who_was_lucky_and_which_moves_cost_most(browser: Browser, tmp_path: Path) -> None:
    """Reached from the first event by one button, and by keys alone."""
    players = sorted(analysis().players, key=lambda player: -player.luck)
    with opened(browser, tmp_path, analysed_document()) as viewer:
        page = viewer.page
        page.focus("text=The whole game")
        page.keyboard.press("Enter")
        headline = page.inner_text(".account > .sentence")
        assert headline.startswith(
            f"{players[0].name} had the best luck (+{points(players[0].luck)})"
        )
        assert players[-1].name in headline
        assert page.evaluate("document.activeElement.id") == "account"
        for player in analysis().players:
            row = page.locator(f".rows > .seat-{player.seat}")
            bars = [bar.get_attribute("aria-label") for bar in row.get_by_role("img").all()]
            kind = "luck" if player.luck >= 0 else "bad luck"
            assert bars[0].startswith(f"{kind}: {points(abs(player.luck))} points")
            assert bars[1] == f"errors: {points(-player.errors)} points lost"
            without = points(player.result - player.luck)
            assert f"without luck {without}" in row.inner_text()
            start = decimal(player.start_points or 0, 0, "en")
            score = f"Penalty points {player.points}, expected {start}"
            assert score in row.inner_text()
        assert listed(page) == places(costliest())


def test_the_end_of_a_round_tells_of_that_round(browser: Browser, tmp_path: Path) -> None:
    first = analysis().rounds[0]
    with opened(browser, tmp_path, analysed_document(), "#event=10&seat=all") as viewer:
        viewer.page.click(".explained .steps button >> nth=0")
        viewer.page.wait_for_selector(".account")
        rows = viewer.page.locator(".rows > li").all_inner_texts()
        for row, after, score in zip(rows, first.after, first.points, strict=True):
            assert f"after it: {points(after)}" in row
            assert f"Expected penalty points: {decimal(score, 0, 'en')}" in row


def test_a_chair_sees_its_own_cards_and_no_others(browser: Browser, tmp_path: Path) -> None:
    names = [player.name for player in analysis().players]
    with opened(browser, tmp_path, analysed_document(), f"{END}1") as viewer:
        page = viewer.page
        page.wait_for_selector(".account")
        assert listed(page) == places(costliest(1))
        for line in page.locator(".greatest li").all_inner_texts():
            others = [name for name in names if f"{name} drew" in line]
            assert not others or "drew from the stock" in line
        viewer.seated("spectator")
        page.wait_for_selector(".account")
        assert cards(page, ".account") == []
        for line in page.locator(".greatest li").all_inner_texts():
            assert "drew from the stock" in line or "the deal" in line


def hidden_hands(viewer: Viewer) -> int:
    """How many cards of others lie open."""
    return viewer.page.locator(".seats .hand .card").count()


def test_a_decision_is_tried_again_without_its_answer(browser: Browser, tmp_path: Path) -> None:
    judged = costliest()[0]
    with opened(browser, tmp_path, analysed_document(), f"{END}all") as viewer:
        page = viewer.page
        page.focus(".costly button >> nth=0")
        page.keyboard.press("Enter")
        page.wait_for_selector(".again")
        expect(page.locator("#again")).to_be_focused()
        assert viewer.at() == judged.seq - 1
        assert page.get_attribute(".view", "data-chair") == str(judged.seat)
        assert hidden_hands(viewer) == 0
        assert page.locator(".moves, .explained, .card.due, .card.wrong").count() == 0
        assert not re.search(r"best|\d[.]\d", page.inner_text(".again"))
        offered = page.locator(".options button")
        assert offered.count() == len(judged.candidates)

        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        answer = page.inner_text(".again [role=status]")
        cost = f"{points(judged.cost)} ± {points(judged.error)}"
        assert cost in answer or "The same was played" in answer
        assert page.locator(".options b >> text=best").count() == 1

        page.click(".again .steps button")
        page.wait_for_selector(".costly")
        assert page.get_attribute(".view", "data-chair") == "all"
        expect(page.locator("#account")).to_be_focused()


def test_the_better_move_is_shown_on_the_cards(browser: Browser, tmp_path: Path) -> None:
    judged = costliest()[0]
    with opened(browser, tmp_path, analysed_document(), f"{END}all") as viewer:
        page = viewer.page
        item = page.locator(".costly > li >> nth=0")
        assert item.locator(".card.wrong").count() == 1
        assert item.locator(".card.due").count() == 0
        item.get_by_text("Show the better one").click()
        assert item.locator(".card.due").count() == 1
        assert "Better: " in item.inner_text()
        page.click("text=Check this deal yourself")
        assert page.locator(".banner details[open]").count() == 1
        item.get_by_text("Go there").click()
        assert viewer.at() == judged.seq


@pytest.mark.parametrize("width", sampled(WIDTHS, WIDTHS[0], rest="system"))
def test_nothing_scrolls_sideways(browser: Browser, tmp_path: Path, width: int) -> None:
    size: Any = {"width": width, "height": 780}
    wide = "document.documentElement.scrollWidth"
    data = {**analysed_document(), "lang": "de"}
    with opened(browser, tmp_path, data, f"{END}all", viewport=size) as viewer:
        page = viewer.page
        page.wait_for_selector(".costly")
        assert page.evaluate(wide) == width
        page.click(".costly button >> nth=0")
        page.click(".options button >> nth=-1")
        assert page.evaluate(wide) == width


@pytest.mark.system
def test_axe_finds_nothing(browser: Browser, tmp_path: Path) -> None:
    """At every width, light, dark and in forced colours."""
    file = tmp_path / "game.html"
    file.write_text(offline_page(msgspec.json.encode(analysed_document()), "game"))
    with fresh_page(browser) as page:
        page.goto(f"{file.as_uri()}{END}all")
        page.click(".costly button[aria-pressed] >> nth=0")
        assert violations(page) == {}
        page.click(".costly button >> nth=0")
        assert violations(page) == {}
        page.click(".options button >> nth=0")
        assert violations(page) == {}
