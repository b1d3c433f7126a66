"""The viewer in one file as people use it: keys, addresses, chairs, findings, what goes wrong."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.replay.golden_steps import golden_steps
from tests.support.replay.viewer_pages import opened
from tests.support.replay.viewer_samples import FINDINGS, document

GAME = "classic-3"
WIDTHS = (320, 390, 768, 1280)


def turns(seq: int) -> tuple[int, int]:
    """The event's round and turn."""
    state = golden_steps(GAME)[seq - 1].state
    return state.round, state.turn


# --- keys and addresses ---------------------------------------------------------------------------


def test_arrows_lead_through_events_turns_and_rounds(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, document(GAME), "#event=50") as viewer:
        press = viewer.page.keyboard.press
        assert viewer.at() == 50
        press("ArrowRight")
        press("ArrowRight")
        press("ArrowLeft")
        assert viewer.at() == 51
        press("Shift+ArrowRight")
        assert turns(viewer.at())[1] == turns(51)[1] + 1
        assert turns(viewer.at() - 1)[1] == turns(51)[1]
        press("Shift+ArrowLeft")
        assert (turns(viewer.at())[1], turns(viewer.at() - 1)[1]) == (
            turns(51)[1],
            turns(51)[1] - 1,
        )
        press("PageDown")
        assert (turns(viewer.at())[0], turns(viewer.at() - 1)[0]) == (2, 1)
        press("PageUp")
        assert turns(viewer.at())[0] == 1
        press("End")
        assert viewer.at() == len(golden_steps(GAME))
        press("ArrowRight")
        assert viewer.at() == len(golden_steps(GAME))
        press("Home")
        press("ArrowLeft")
        assert viewer.at() == 1


def test_space_plays_and_pauses(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, document(GAME), "#event=50&speed=16") as viewer:
        viewer.page.wait_for_selector(".play")
        viewer.page.keyboard.press("Space")
        viewer.page.wait_for_function(
            "() => Number(document.querySelector('.scrubber input').value) > 53"
        )
        viewer.page.keyboard.press("Space")
        assert viewer.page.inner_text(".play") == "Play"
        stopped = viewer.at()
        viewer.page.wait_for_timeout(300)
        assert viewer.at() == stopped


def test_a_played_game_stops_at_its_end(browser: Browser, tmp_path: Path) -> None:
    last = len(golden_steps(GAME))
    address = f"#event={last - 3}&speed=16"
    with opened(browser, tmp_path, document(GAME), address) as viewer:
        viewer.page.wait_for_selector(".play")
        viewer.page.keyboard.press("Space")
        viewer.page.wait_for_function(
            "(last) => document.querySelector('.scrubber input').value === String(last)", arg=last
        )
        viewer.page.wait_for_function("() => document.querySelector('.play').innerText === 'Play'")


def test_digits_change_the_chair(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, document(GAME), "#event=50") as viewer:
        viewer.page.wait_for_selector(".board")
        for digit, chair in (("2", "1"), ("9", "spectator"), ("7", "spectator"), ("0", "all")):
            viewer.page.keyboard.press(digit)
            viewer.page.wait_for_selector(f'.view[data-chair="{chair}"]')
            assert viewer.at() == 50


def test_the_address_says_what_is_shown_and_is_read(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, document(GAME), "#event=123&seat=1&speed=2") as viewer:
        assert viewer.at() == 123
        assert viewer.page.get_attribute(".view", "data-chair") == "1"
        assert viewer.page.input_value(".choices select >> nth=0") == "2"
        viewer.page.keyboard.press("ArrowRight")
        viewer.page.wait_for_url("**#event=124&seat=1&speed=2")
        viewer.go(200)
        viewer.page.wait_for_url("**#event=200&seat=1&speed=2")


@pytest.mark.parametrize(
    "address", ["#event=99999", "#event=-3&seat=9", "#event=x&speed=900", "#%%"]
)
def test_an_address_that_makes_no_sense_shows_the_game(
    browser: Browser, tmp_path: Path, address: str
) -> None:
    with opened(browser, tmp_path, document("express-3"), address) as viewer:
        viewer.page.wait_for_selector(".board")
        assert 1 <= viewer.at() <= len(golden_steps("express-3"))


def test_keys_in_a_field_and_shortcuts_of_the_browser_are_left_alone(
    browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, document(GAME), "#event=50") as viewer:
        viewer.page.focus(".choices select >> nth=1")
        viewer.page.keyboard.press("End")
        assert viewer.at() == 50
        viewer.page.focus(".play")
        viewer.page.keyboard.press("Control+ArrowRight")
        assert viewer.at() == 50


@pytest.mark.parametrize(("game", "number"), [("classic-3-twist", "1 [C-P01]"), (GAME, "1")])
def test_a_phase_is_numbered_as_in_texts(
    browser: Browser, tmp_path: Path, game: str, number: str
) -> None:
    """With the catalogue's ID where a variant leaves phases out (O-42)."""
    with opened(browser, tmp_path, document(game), "#event=20") as viewer:
        words = viewer.page.inner_text(".seat .phase .words")
        assert f"phase {number}: " in words
        cells = viewer.page.locator(".scores tbody td:nth-child(2)").all_text_contents()
        assert cells
        assert {cell.removesuffix(" laid") for cell in cells} == {number}


def test_help_tells_the_keys_and_gives_the_focus_back(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, document(GAME)) as viewer:
        viewer.page.focus(".play")
        viewer.page.keyboard.press("?")
        assert "one round" in viewer.page.inner_text("dialog[open]")
        viewer.page.keyboard.press("Escape")
        assert viewer.page.evaluate("document.activeElement.className") == "primary play"
        viewer.page.keyboard.press("?")
        viewer.page.click("dialog[open] button")
        viewer.page.wait_for_selector("dialog", state="hidden")


def test_the_moves_and_the_strips_lead_to_an_event(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, document(GAME), "#event=50") as viewer:
        viewer.page.wait_for_selector(".moves .now .seq:text-is('50')")
        viewer.page.click(".moves .now + li button")
        assert viewer.at() == 51
        viewer.page.click(".moves h3 button >> nth=2")
        assert turns(viewer.at())[0] == 2
        viewer.page.click(".distance .strip >> nth=0")  # in its middle
        assert abs(viewer.at() - len(golden_steps(GAME)) / 2) < 3


def test_whoever_listens_hears_the_sentence(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, document(GAME), "#event=50") as viewer:
        viewer.page.wait_for_selector(".board")
        viewer.page.keyboard.press("ArrowRight")
        sentence = viewer.page.evaluate(
            "document.querySelector('.now .sentence').firstChild.textContent"
        ).strip()
        assert viewer.page.text_content("[aria-live]", strict=True).startswith(sentence)
        assert sentence in viewer.page.get_attribute(".scrubber input", "aria-valuetext")


def test_cards_move_unless_that_is_not_wanted(browser: Browser, tmp_path: Path) -> None:
    count = "document.getAnimations().filter((a) => a.effect.target.matches('.card, i')).length"
    drawn = next(
        seq
        for seq, step in enumerate(golden_steps(GAME), 1)
        if type(step.event).__name__ == "CardDrawn"
    )
    for motion, moves in (("no-preference", 1), ("reduce", 0)):
        with opened(
            browser, tmp_path, document(GAME), f"#event={drawn - 1}", reduced_motion=motion
        ) as viewer:
            viewer.page.wait_for_selector(".board")
            moving = viewer.page.evaluate(
                f"""async () => {{
                  document.body.dispatchEvent(new KeyboardEvent(
                    "keydown", {{ key: "ArrowRight", bubbles: true, cancelable: true }}));
                  for (let turn = 0; turn < 5; turn += 1) await null;
                  return {count};
                }}"""
            )
            assert moving == moves
            assert viewer.page.locator(".card.to").count() == 1


# --- findings -------------------------------------------------------------------------------------


def disputed() -> dict[str, Any]:
    verdict = {
        "headline": "Not sound: event 40 is another",
        "grade": "broken",
        "sound": False,
        "lines": ["One.", "Two."],
    }
    return document(GAME, findings=FINDINGS, verdict=verdict)


def test_a_finding_is_shown_with_the_position_before_it(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, disputed()) as viewer:
        viewer.page.wait_for_selector(".dispute")
        assert viewer.at() == 39
        shown = viewer.page.inner_text(".dispute")
        facts = [value for value in FINDINGS[0].values() if isinstance(value, str)]
        for text in [*facts, "A wild was drawn", "card=R4", "51,204", "ab" * 32, "A witness."]:
            assert text in shown
        wrong = viewer.page.eval_on_selector_all(
            ".side .card.wrong, .side .card.due", "(all) => all.map((card) => card.dataset.card)"
        )
        assert wrong == ["W", "R4"]
        assert viewer.page.inner_text(".banner.bad h2") == "Not sound: event 40 is another"


def test_n_and_p_lead_from_finding_to_finding(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, disputed(), "#event=200") as viewer:
        viewer.page.wait_for_selector(".dispute")
        for key, seq, title in (
            ("n", 39, "Event 40: a draw in round 1"),
            ("n", 59, "Event 60"),
            ("n", 59, "The whole file"),
            ("N", 39, "Event 40: a draw in round 1"),
            ("p", 39, "The whole file"),
        ):
            viewer.page.keyboard.press(key)
            assert (viewer.at(), viewer.page.inner_text("#finding")) == (seq, title)
            assert viewer.page.evaluate("document.activeElement.id") == "finding"


def test_a_game_that_is_good_only_in_part_is_shown_so_far(browser: Browser, tmp_path: Path) -> None:
    steps = golden_steps(GAME)[:39]
    data = {**disputed(), **document(GAME, steps), "findings": FINDINGS[:1], "events": 900}
    with opened(browser, tmp_path, data) as viewer:
        viewer.page.wait_for_selector(".dispute")
        assert viewer.at() == 39
        viewer.page.keyboard.press("End")
        viewer.page.keyboard.press("n")
        assert viewer.at() == 39
