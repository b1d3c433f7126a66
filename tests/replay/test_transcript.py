"""A game in words, for all eyes and for one seat's."""

import re
from pathlib import Path

import pytest
from msgspec import to_builtins

from domain.cards import show
from domain.events import EVENTS, CardDrawn
from domain.view import view
from replay.table import table_data, table_text
from replay.transcript import _SAYINGS, Viewer, clean, describe, may_know
from replay.walk import Step, said, walk
from tests.replay.damage import rows, short_game, trees

GOLDEN = Path(__file__).parent / "transcript.txt"
CARD = re.compile(r"\b(?:[RBGY](?:1[0-2]|[1-9])|[WS])\b")


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    made, verdict = walk(rows(short_game()), "short")
    assert verdict.sound
    return made


def test_golden(steps: list[Step]) -> None:
    lines = [line for seq in range(1, len(steps) + 1) for line in said(steps, seq, "all")]

    assert GOLDEN.read_text().splitlines() == lines


def test_every_event_has_words() -> None:
    assert set(EVENTS.values()) == set(_SAYINGS)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_viewer_is_told_what_it_may_know(steps: list[Step], viewer: int | None) -> None:
    for event, state in steps:
        own = (
            set()
            if viewer is None
            else {*show(state.seat(viewer).hand).split()}
            if state.round
            else set()
        )
        text = " ".join(describe(state, event, viewer))
        if isinstance(event, CardDrawn) and event.source == "stock":
            assert (event.seat == viewer) == bool(CARD.search(text))
            assert {*CARD.findall(text)} <= own


def test_hidden_hands_do_not_show(steps: list[Step]) -> None:
    dealt = next(tree["seq"] for tree in trees() if tree["type"] == "RoundDealt/1")
    event, state = steps[dealt - 1]
    hands = [show(seat.hand) for seat in state.seats if seat]

    def shown(viewer: Viewer) -> list[bool]:
        text = "\n".join([*describe(state, event, viewer), *table_text(state, viewer)])
        return [hand in text for hand in hands]

    assert shown("all") == [True, True]
    assert shown(0) == [True, False]
    assert shown(1) == [False, True]
    assert shown(None) == [False, False]


def test_table_as_data_is_the_services_view(steps: list[Step]) -> None:
    _, state = steps[40]

    assert to_builtins(view(state, 1)) == table_data(state, 1)
    assert to_builtins(view(state, None)) == table_data(state, None)
    assert [show(seat.hand) for seat in state.seats if seat] == table_data(state, "all")["hands"]


def test_table_text(steps: list[Step]) -> None:
    assert table_text(steps[1].state, "all") == ["classic@1, lobby; at the table: seat 0"]
    last = table_text(steps[-1].state, 0)
    assert last[0].startswith("classic@1, ended, round ")
    assert last[-1].startswith("won by seat ")


def test_names_cannot_command_the_terminal() -> None:
    assert clean("\x1b[31mÉva") == "\N{REPLACEMENT CHARACTER}[31mÉva"


def test_audiences() -> None:
    assert [may_know("1", viewer) for viewer in ("all", 1, None)] == [True, True, False]
