"""A phase built by hand: cards taken in any order, by tap, by drag and by keys."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.campaigns import sampled
from tests.support.service.api_tables import Layout
from tests.support.service.seated_pages import seated

SHOWN = "(where) => [...document.querySelectorAll(where)].map((card) => card.dataset.card)"
SLOTS = "[data-place='draft:{}'] .card"
CARD = ".own .hand [data-card='{}'][aria-pressed=false]"
CAPTION = ".slotgroup >> nth={} >> .caption"


def tap(page: Page, group: int, cards: list[str]) -> None:
    for text in cards:
        page.click(CARD.format(text))
    page.click(CAPTION.format(group))


def drag(page: Page, group: int, cards: list[str]) -> None:
    for number, text in enumerate(cards):
        page.drag_and_drop(CARD.format(text), CAPTION.format(group), steps=4)
        page.wait_for_selector(f"{SLOTS.format(group)} >> nth={number}")


def type_keys(page: Page, group: int, cards: list[str]) -> None:
    for text in cards:
        page.focus(CARD.format(text))
        page.keyboard.press("Space")
    page.focus(CAPTION.format(group))
    page.keyboard.press("Enter")


PHASES = [
    (tap, "classic", 1, "W R2 B2 Y7 G7 B7 B2", "W R2 B2 | Y7 G7 B7", "W B2 R2 | B7 G7 Y7"),
    (drag, "classic", 4, "R9 B8 W Y5 R4 B3 G6 B3", "R9 B8 W G6 Y5 R4 B3", "B3 R4 W Y5 G6 B8 R9"),
    (type_keys, "express", 6, "R9 B8 G7 W Y1", "R9 W G7 B8", "G7 W B8 R9"),
    (
        tap,
        "standard-deck",
        2,
        "KH QS JD 10C 9H 9S A",
        "9S A 9H | KH QS JD 10C",
        "9H A 9S | 10C JD QS KH",
    ),
    (drag, "board", 3, "Y9 R7 B8 R4 G4 B4 R12", "R4 G4 B4 | Y9 R7 B8", "B4 G4 R4 | R7 B8 Y9"),
]


@pytest.mark.parametrize(
    "case", sampled(PHASES, PHASES[1], rest="system"), ids=lambda case: f"{case[1]} {case[2]}"
)
def test_a_phase_is_built_by_hand_and_laid(browser: Browser, case: tuple[Any, ...]) -> None:
    """Slots and hand have each card held once, and the cards of a group lie by rank."""
    take, ruleset, phase, hand, taken, lying = case
    is_french = ruleset == "standard-deck"
    hands = (hand, "2H 3C", "2S 3D") if is_french else (hand, "R1 R2")
    layout = Layout(ruleset, hands, "4H" if is_french else "Y12", phases=(phase,) * len(hands))
    with seated(browser, layout) as shown:
        page = shown.page
        if ruleset == "board":
            page.click(".ask [data-command=move]")
        page.click(".pile.open[data-place=stock]")
        page.wait_for_selector(f".own .hand > :nth-child({len(hand.split()) + 1})")
        held = sorted(page.evaluate(SHOWN, ".own .hand .card"))
        groups = [cards.split() for cards in taken.split("|")]
        for group, cards in enumerate(groups):
            take(page, group, cards)
            page.wait_for_selector(f"{SLOTS.format(group)} >> nth={len(cards) - 1}")
            assert sorted(page.evaluate(SHOWN, ".own .hand .card, .slots .card")) == held
        slots = [" ".join(page.evaluate(SHOWN, SLOTS.format(n))) for n in range(len(groups))]
        assert " | ".join(slots) == lying
        page.wait_for_selector(".verdict.good")
        page.click(".ask [data-command=lay]")
        page.wait_for_selector(".group .card")
        assert page.query_selector(".refused-note") is None
        assert sorted(page.evaluate(SHOWN, ".own .hand .card, .group .card")) == held


LOOK = """(card) => {
  const { backgroundImage, backgroundPosition, backgroundSize } = getComputedStyle(card);
  return [backgroundImage, backgroundPosition, backgroundSize].join(" ");
}"""
MEDIA = [{"color_scheme": "dark"}, {"forced_colors": "active"}, {"contrast": "more"}]


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("ruleset", "hand"),
    [
        ("classic", "R6 B7 G8 Y9 W S"),
        pytest.param("standard-deck", "KH 9D 2S QC A *", marks=pytest.mark.campaign),
    ],
)
def test_a_card_keeps_its_picture_in_every_state(browser: Browser, ruleset: str, hand: str) -> None:
    """Shape, letter and tint: colour stands never alone (WCAG 1.4.1)."""
    hands = (hand, "R1", "R2") if ruleset == "classic" else (hand, "2H", "2S")
    with seated(browser, Layout(ruleset, hands, hands[1])) as shown:
        page, mouse = shown.page, shown.page.mouse
        page.wait_for_selector(".ask [data-command]")
        for media in ({}, *MEDIA):
            page.emulate_media(**media)
            for text in hand.split():
                card = page.locator(f".own .hand [data-card='{text}']")
                mouse.move(0, 0)
                looks = [card.evaluate(LOOK)]
                assert looks[0].startswith("url(")
                for touch in (card.hover, mouse.down, mouse.up, card.focus, card.click):
                    touch()
                    looks.append(card.evaluate(LOOK))
                assert set(looks) == {looks[0]}, (media, text)
        card.hover()
        mouse.down()
        page.hover(CAPTION.format(0))
        assert {card.evaluate(LOOK), page.locator(".ghost").evaluate(LOOK)} == {looks[0]}
        mouse.up()
        slot = page.locator(SLOTS.format(0))
        slot.hover()
        assert slot.evaluate(LOOK) == looks[0]
