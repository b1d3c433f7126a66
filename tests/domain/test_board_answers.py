"""How bots answer the questions of the ring: what they want, and that it is lawful.

The tables have the board's own track; `tests.support.table` says how cards and jokers are written.
"""

from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phaseledger.domain import commands as c
from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Act
from phaseledger.domain.decide import decide
from phaseledger.domain.legal import MOST_CHOICES, legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.scenario import decisions
from tests.support.table import GAME, board

RUN = "R1 B2 R3 B4 R5 B6 R8 B11 R11 G11"  # phase 6: a run of 8 that lacks a 7
SETS = "R3 B3 G3 Y3 R8 B8 G8 Y1 B5 G12"  # phase 8: two sets of 4; the second lacks an 8
LAID: dict[str, Any] = {"laid": {0: 1}, "groups": [(0, "color", "R1 R2 R3 R4 R5")]}


def answers(state: State, seat: int = 0) -> set[c.Command]:
    """What a bot answers by whatever chance."""
    return {decision("greedy", state, seat, b"chance", count) for count in range(12)}


def answered(hands: list[str], **laid_out: Any) -> c.Command:
    """The only answer of seat 0."""
    (command,) = answers(board(hands, **laid_out))
    return command


# --- where to go --------------------------------------------------------------------------------


@looped(
    ("pawns", "dice", "hand", "more", "steps"),
    [
        # Before the phase is laid: a joker (11) is sure, one card (9: TAKE2, 12: TAKE1) is not.
        ([8, 0], (1, 3), RUN, {"phases": [6, 1]}, 3),
        ([9, 0], (2, 3), RUN, {"phases": [6, 1]}, 2),
        # Pawns on the way are not counted (B-17): 3 lead past 9 to 12, 2 to 11.
        ([8, 9], (2, 3), RUN, {"phases": [6, 1]}, 2),
        # Five new cards for four useless ones (6: SWAP) before one (5: TAKE1).
        ([3, 0], (2, 3), "R1 R2 B5 G7 Y9 Y12", {}, 3),
        # Without a useless card to give, one card (5) before a swap (6) of what is collected.
        ([3, 0], (2, 3), "R1 R2 R3", {"discard": "B1"}, 2),
        # Three (7) before one (5).
        ([4, 0], (1, 3), "R1 R2 R3", {}, 3),
        # A pile of many cards surely holds one of the colour: SEARCH (2) before TAKE1 (1).
        ([0, 9], (1, 2), "R1 R2 R3", {"discard": "R5 R6 R7 B1 B2 B3 G1 G2 G3"}, 2),
        # What lies on top is wanted: TAKE1 (5) before an ASK (4) that finds no colour.
        ([3, 0], (1, 2), "R1 R2 R3", {"discard": "R5"}, 2),
        # The choice of all actions (13) before one of them (12: TAKE1).
        ([11, 9], (1, 2), RUN, {"phases": [6, 1]}, 2),
        # Another turn (8) before three cards (7), where cards are a burden.
        ([6, 0], (1, 2), "B7 B9", LAID, 2),
        # To discard once more (20) before one card (25: TAKE1).
        ([19, 0], (1, 6), "B7 B9", LAID | {"discard": "B1"}, 1),
        # A joker (11) can always be hit: before a gift to everybody (10).
        ([9, 0], (1, 2), "B7 B9", LAID, 2),
        # A double: TAKE3 (7) is the worst for whoever has laid; twice the value leads to 9 (TAKE2).
        ([5, 0], (2, 2), "B7 B9", LAID, 4),
    ],
)
def test_b_15_to_b_17_the_pawn_goes_where_it_helps_most(
    pawns: list[int], dice: tuple[int, int], hand: str, more: dict[str, Any], steps: int
) -> None:
    """B-15, B-16, B-17."""
    command = answered([hand, "G9 G10"], question="move", pawns=pawns, dice=dice, **more)
    assert command == c.Move(steps)


@looped(("laid", "steps"), [({0: 1, 1: 1}, 2), ({0: 1}, 3)])
def test_b_31_a_card_for_everybody_burdens_those_who_have_laid(
    laid: dict[int, int], steps: int
) -> None:
    """B-31: EVERY (24) or one card for oneself (25: TAKE1), as the others stand."""
    more = LAID | {"laid": laid, "pawns": [22, 0], "dice": (2, 3), "discard": "B1"}
    assert answered(["B7 B9", "G9 G10"], question="move", **more) == c.Move(steps)


@looped(
    ("hand", "more", "action"),
    [
        (RUN, {"phases": [6, 1]}, "JOKER"),
        # No space of a joker is free (B-40): somebody else may hold the 7.
        (RUN, {"phases": [6, 1, 1, 1], "pawns": [13, 0, 11, 21]}, "ASK"),
        # One card is left, and a joker goes with any group: then the round ends.
        ("B7", LAID | {"discard": "B1"}, "JOKER"),
    ],
)
def test_b_39_the_best_action_is_chosen(hand: str, more: dict[str, Any], action: str) -> None:
    """B-39, B-40."""
    others = ["G9 G1 G2 G3", "Y9 Y1 Y2 Y3", "Y10 Y4 Y5 Y6"][: len(more.get("pawns", "..")) - 1]
    laid_out = {"pawns": [13, 0], **more}
    assert answered([hand, *others], question="choose", **laid_out) == c.Choose(action)


def test_b_42_the_nearest_take_is_judged_as_what_it_is() -> None:
    """B-42 (O-27): from 13 the nearest TAKE gives two cards, and CHOOSE may only say TAKE."""
    laid_out: dict[str, Any] = {"question": "choose", "choose_take_by": "type", "pawns": [13, 0]}
    ring = ("CHOOSE*", *("EVERY",) * 30, "TAKE3")
    assert answered(["R1 R2 R3", "G9"], board_track=ring, **laid_out) == c.Choose("TAKE")
    ring = ("CHOOSE*", *("EVERY", "CHOOSE") * 15, "AGAIN")
    assert answered(["R1 R2 R3", "G9"], board_track=ring, **laid_out) == c.Choose("AGAIN")


def test_a_ring_of_nothing_but_choices() -> None:
    """O-26: even on a ring where CHOOSE leads nowhere a move is answered."""
    state = board(
        ["R1 R2", "G9"], question="move", dice=(1, 2), board_track=("CHOOSE*",) + ("CHOOSE",) * 31
    )
    assert answers(state) == {c.Move(1), c.Move(2)}


# --- what to take, ask, give and discard --------------------------------------------------------


@looped(
    ("hand", "top", "more", "source"),
    [
        (RUN, "Y7", {"phases": [6, 1]}, "discard"),
        (RUN, "Y8", {"phases": [6, 1]}, "stock"),
        (SETS, "Y8", {"phases": [8, 1]}, "discard"),
        (SETS, "R5", {"phases": [8, 1]}, "stock"),
        # Two colours are equally long: either helps.
        ("R1 R2 B1 B2 G9", "B7", {}, "discard"),
        ("R1 R2 B1 B2 G9", "G7", {}, "stock"),
        # Complete with a joker: now it matters what can be hit, on the table or on one's own.
        ("R1 R2 R3 R4 J(G9) B2", "R7", {}, "discard"),
        ("R1 R2 R3 R4 J(G9) B2", "B9", {}, "stock"),
        ("R1 R2 R3 R4 J(G9) B2", "R7", {"groups": [(1, "set", "G9 Y9")]}, "discard"),
        # Jokers alone make no second set (B-58): a natural is wanted still.
        ("R3 B3 G3 Y3 J(G9) J(Y9) J(R9) J(B9)", "B5", {"phases": [8, 1]}, "discard"),
        ("B7 B9", "R9", LAID, "discard"),
        ("B7 B9", "B8", LAID, "stock"),
        ("B7 B9", "B8", {"laid": {0: 9}, "groups": [(1, "run", "B4 B5 B6 B7")]}, "discard"),
        ("B7 B9", "B3", {"laid": {0: 9}, "groups": [(1, "run", "B4 B5 B6 B7")]}, "discard"),
        ("Y7 B9", "Y7", {"laid": {0: 9}, "groups": [(1, "run", "B4 B5 B6 B7")]}, "stock"),
        ("B7 B9", "", LAID, "stock"),
    ],
)
def test_b_21_the_discard_pile_is_taken_from_where_it_helps(
    hand: str, top: str, more: dict[str, Any], source: str
) -> None:
    """B-21, B-22."""
    command = answered([hand, "Y2"], question="draw", number=1, discard=top, **more)
    assert command == c.Draw(source)


@looped(
    ("hand", "pile", "more", "cards"),
    [
        (RUN, "R9 Y7 G3 Y3", {"phases": [6, 1]}, {"Y7"}),
        # A set of 5 that needs one more 8, and a run of 3: the 8 is rarer than a 1 or a 4.
        ("R8 B8 G8 Y8 R2 B3", "G8 Y4 Y12", {"phases": [7, 1]}, {"G8"}),
        ("B7 B9", "B8 R7 G3", LAID, {"R7"}),
        (RUN, "R9 G3", {"phases": [6, 1]}, {"R9", "G3"}),
    ],
)
def test_b_23_the_card_that_is_the_hardest_to_come_by(
    hand: str, pile: str, more: dict[str, Any], cards: set[str]
) -> None:
    """B-23."""
    state = board([hand, "Y2"], question="search", discard=pile, **more)
    assert answers(state) == {c.Search(card) for card in cards}


@looped(
    ("hands", "more", "asks"),
    [
        # A 7 completes the run; the way round makes no difference.
        ([RUN, "G7 G1 G2", "Y7 Y1 Y2"], {"phases": [6, 1, 1]}, {c.Ask(7), c.Ask(7, "right")}),
        # Seat 1 or seat 2 has a 7 as a joker, and loses it if it is asked first (B-36).
        ([RUN, "J(G7) G1", "Y1 Y2 Y3"], {"phases": [6, 1, 1]}, {c.Ask(7)}),
        ([RUN, "Y1 Y2 Y3", "J(G7) G1"], {"phases": [6, 1, 1]}, {c.Ask(7, "right")}),
        # Of two equal wants, the one whose holder everybody sees.
        (["R1 B1 G2 Y2", "J(G2) G7 Y7", "Y9"], {"phases": [4, 1, 1]}, {c.Ask(2)}),
        # All other 2s are in sight: only the joker can be had, but that is sure.
        (
            ["R2 B2 G2 Y2 R2 R1", "J(B2) G5 G6 G7 G8 G9 G10 G11", "Y5 Y6 Y7 Y8 Y9 Y10 Y11 Y12"],
            {"phases": [10, 1, 1], "groups": [(1, "set", "G2 Y2")]},
            {c.Ask(2), c.Ask(2, "right")},
        ),
        # All other 1s lie on the table.
        (
            ["R1 B1 G2 Y2", "G9 G10 G11"],
            {"phases": [4, 1], "groups": [(1, "set", "R1 B1 G1 Y1 G1 Y1")], "discard": "B9"},
            {c.Ask(2), c.Ask(2, "right")},
        ),
        # The fewer other cards, the surer the joker is lost.
        (
            ["R1 B1 G2 Y2", "J(G1) G5 G6 G7 G8 G9 G10 G11", "J(R2)"],
            {"phases": [4, 1, 1]},
            {c.Ask(2, "right")},
        ),
        # Once laid, what can be hit.
        (
            ["B7 B9", "G3 G4"],
            {"laid": {0: 9}, "groups": [(1, "set", "G5 Y5")]},
            {c.Ask(5), c.Ask(5, "right")},
        ),
    ],
)
def test_b_32_a_wanted_value_is_asked_of_who_holds_it(
    hands: list[str], more: dict[str, Any], asks: set[c.Command]
) -> None:
    """B-32, B-36."""
    assert answers(board(hands, question="ask", **more)) == asks


def test_b_37_the_card_that_is_not_collected_is_given() -> None:
    """B-37."""
    laid_out: dict[str, Any] = {"question": "give", "number": 7}
    assert answers(board(["R1 R2 R7 B7 G7", "Y1"], **laid_out)) == {c.Give("B7"), c.Give("G7")}
    assert answered(["R7 B7", "Y1"], **laid_out, **LAID) == c.Give("B7")


FULL = "R1 B2 R3 B4 R5 B6 R7 B8 R9 B10 R11 B12"


@looped(
    ("hand", "more", "discards"),
    [
        ("R1 R2 R3 B7", {}, {c.Discard("B7")}),
        ("R1 R2 J(G9)", {}, {c.Discard("R1"), c.Discard("R2")}),
        # Every group is full (B-63): the last two cards end the round.
        ("B1 J(G9)", {"groups": [(0, "run", FULL)]}, {c.Discard("B1 J1"), c.Discard("J1 B1")}),
        ("B1 B1 J(G9)", {"groups": [(0, "run", FULL)]}, {c.Discard("B1 B1")}),
    ],
)
def test_b_63_what_cannot_be_used_is_discarded(
    hand: str, more: dict[str, Any], discards: set[c.Command]
) -> None:
    """B-63, B-66; but for one discard in 16, which is any."""
    state = board([hand, "Y2"], laid={0: 6} if more else {}, wild_on_full_run=False, **more)
    thrown = Counter(decision("greedy", state, 0, b"x", count) for count in range(80))
    assert {command for command, count in thrown.items() if count > 12} == discards


# --- what to swap and to keep -------------------------------------------------------------------


@looped(
    ("hand", "more", "cards"),
    [
        ("R1 R2 R3 B7 G7 J(G9)", {}, "B7 G7"),
        ("R1 R2 R3 B7 G7 Y7 Y8 Y9", {}, "B7 G7 Y7 Y8"),
        # Nothing can be spared: one card, and no joker as long as there is another.
        ("R1 R2 R3 J(G9)", {}, "R1"),
        # What can be hit is not swapped.
        ("R7 B7 G8", LAID, "B7 G8"),
        ("R7 J(G9)", LAID, "R7"),
        ("J(G9) J(G8)", LAID, "J1"),
    ],
)
def test_b_25_all_that_can_be_spared_is_swapped(
    hand: str, more: dict[str, Any], cards: str
) -> None:
    """B-25, B-26."""
    assert answered([hand, "G12"], question="swap", **more) == c.Swap(cards)


@looped(
    ("hand", "phase", "options", "cards"),
    [
        ("J(G9) R1 R2 R3 B7 G7 J(G8)", 1, {}, "R1 R2 R3 J1 J2"),
        # The fuller set first: four of the one, then one of the other.
        ("R8 B8 G8 R3 B3 G3 Y3 Y12", 8, {}, "R3 R8 B3 G3 Y3"),
        # A joker that becomes an ordinary card is no more than any (O-28).
        ("R1 R2 R3 B7 B8 J(G9)", 1, {"kept_joker": "becomes_normal"}, "R1 R2 R3 B7 B8"),
        ("R1 J(G9)", 1, {}, "R1 J1"),
    ],
)
def test_b_72_what_serves_the_phase_is_kept(
    hand: str, phase: int, options: dict[str, OptionValue], cards: str
) -> None:
    """B-72, B-82."""
    laid_out: dict[str, Any] = {"question": "keep", "number": 5, "phases": [phase, 1]}
    assert answered([hand, "G12"], **laid_out, **options) == c.Keep(cards)


# --- any question -------------------------------------------------------------------------------


ODD = ("pairrun(2)", "colorrun(3)", "parity(3, odd) + parityrun(3, even)", "run(4)", "color(3)")
HOUSES: list[dict[str, OptionValue]] = [
    {},
    {"joker_discard": "forbidden", "choose_take_by": "type", "short_supply": "cancel"},
    {"kept_joker": "becomes_normal", "joker_memory": "owner_sees_always"},
    {"board_phases": ODD * 2, "max_turns_per_round": 60},
]


@pytest.mark.untraced
@given(
    seats=st.integers(2, 6),
    seed=st.integers(0, 50),
    house=st.integers(0, len(HOUSES) - 1),
    start=st.integers(0, 600),
)
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
def test_any_question_is_answered_lawfully(seats: int, seed: int, house: int, start: int) -> None:
    """The answer is one of the legal commands, as far as they are listed, accepted, and the same by
    the same chance.
    """
    game = decisions(GAME, seats, f"{seed}", HOUSES[house], "random", "board")
    for count, (state, _) in enumerate(islice(game, start, start + 60)):
        for question in state.waits:
            seat = question.seat
            choices = list(legal(state, seat))
            command = decision("expert", state, seat, b"any", count)
            assert command in choices or len(choices) >= MOST_CHOICES
            assert decision("expert", state, seat, b"any", count) == command
            decide(state, Act(command, seat))
