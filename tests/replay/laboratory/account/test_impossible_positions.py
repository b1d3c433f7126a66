"""What cannot lie so: each position that is none gets a sentence of its own."""

import re
from typing import Any

import pytest

from phaseledger.replay.laboratory.account.laid_out import ImpossiblePosition
from tests.support.cases import looped
from tests.support.positions import ALL_LAID, ANN_LAID, asked_on, laid_out, on_the_board, state_of

WRONG = [
    (laid_out(hand="R3 R3 R3 R8 B8 W R1 Y12 G12 B11"), "R3 lies 3 times in the position; the deck"),
    (laid_out(hand="R3 B3 Q3 R8 B8 W R1 Y12 G12 B11"), "hand: Q3 is no card of this game"),
    (laid_out(hand="R3 B3 J1 R8 B8 W R1 Y12 G12 B11"), "is no card of this game"),
    (laid_out(hand="R3 B3 G3"), "seat 0 has 3 in hand; before its phase is laid it holds 10 cards"),
    (laid_out(seats=[{}, {"phase": 11}]), "has phases 1 to 10, not 11"),
    (laid_out(seats=[{}, {"cards": 7}]), "seat 1 has 7 in hand"),
    (laid_out(seats=[{}]), "is played by 2 to 6; the position has 1 seat."),
    (
        laid_out(seats=[{}, {"taken": "R1 R1 W W W W W W W W W"}]),
        "seat 1 cannot have taken R1 R1 W",
    ),
    (laid_out(seats=[{}, {"taken": "R1 R1"}]), "R1 lies 3 times"),
    (laid_out(seats=[{}, {"pahse": 3}]), "pahse"),
    (
        {name: laid_out()[name] for name in ("ruleset", "hand", "seats")},
        "Name the top card of the discard pile",
    ),
    (laid_out(stock=90), "The stock has 90 cards, but 77 lie nowhere else"),
    (laid_out(ruleset="chess"), "There is no rule set 'chess'"),
    (laid_out(options={"run_warp": True}), "'run_warp' is no option"),
    (laid_out(active=1), "It is Ann who decides"),
    (laid_out(you="Eve"), "Eve is no seat"),
    (laid_out(seats=[{"name": "A"}, {"name": "A"}], you="A"), "Two seats are called A"),
    (laid_out(seats=[{"playing": False}, {}]), "seat 0 is on turn, so it is playing"),
    (laid_out(pile="R9 B1"), "discard is R9, but the last card of pile is B1"),
    (laid_out(taken="Y1"), "seat 0 cannot have taken Y1."),
    (laid_out(taken="R3 B3"), "seat 0 cannot have taken R3 B3."),
    (laid_out(seats=[{"made": [77]}, {}]), "has phases 1 to 10, not 77"),
    (laid_out(seats=[{"made": [-4]}, {}]), "cannot be read"),
    (laid_out(ruleset="classic", options={"variant": "ten_rounds"}), "which of the 10 rounds"),
    (laid_out(**ANN_LAID | {"seats": [{}, {"name": "Ann"}, {}]}), "Ann has laid: say how many"),
    (laid_out(seats=[{}, {"name": "Ann", "laid": True}]), "Ann: laid and the groups"),
    (laid_out(**ANN_LAID | {"groups": ANN_LAID["groups"][:1]}), "its phase is set(3) + set(3)"),
    (
        laid_out(
            **ANN_LAID
            | {"groups": [ANN_LAID["groups"][0], {"owner": 1, "kind": "set", "cards": "R8 G8"}]}
        ),
        "Ann, groups: set (red 8, green 8): it takes a set of 3",
    ),
    (laid_out(**ALL_LAID, hand="Y5 B9"), 'Say what seat 0 is asked, as ask = "play": draw, play.'),
    (laid_out(**ALL_LAID, hand="", ask="play"), "cannot hold 0 cards"),
    (laid_out(**ALL_LAID, hand=" ".join(["R3"] * 20), ask="play"), "cannot hold 20 cards"),
    ([1], "cannot be read"),
    (laid_out(hand="R3 B3 G3 R8 B8 W R1 Y12 G12 J"), "hand: J is no card of this game"),
    (laid_out(ask="search"), 'as ask = "play": draw, play.'),
    (laid_out(dice=[1, 2]), "classic has no dice"),
    (laid_out(action="ASK"), "classic has no action"),
    (laid_out(seats=[{}, {"pawn": 3}]), "classic has no pawn"),
    (laid_out(seats=[{}, {"jokers": "R5"}]), "classic has no jokers"),
    (laid_out(number=2), 'number is 2; with ask = "draw" it is 0 to 0'),
]
PAIRS = [
    {"owner": 0, "kind": "set", "cards": "R5 B5"},
    {"owner": 0, "kind": "set", "cards": "R6 J"},
    {"owner": 0, "kind": "set", "cards": "R7 B7"},
    {"owner": 0, "kind": "set", "cards": "R9 B9"},
]
WRONG_AT_THE_BOARD = [
    (on_the_board(dice=[]), "Say what seat 0 is asked"),
    (on_the_board(dice=[3]), "seat 0 is to move: say what was thrown"),
    (on_the_board(dice=[3, 7]), "$.dice["),
    (on_the_board(seats=[{"pawn": 32}, {}]), "seat 0 stands on space 32; the ring has spaces 0 to"),
    (
        on_the_board(seats=[{}, {"name": "Ann", "pawn": 7}, {"pawn": 7}]),
        "Ann and seat 2 both stand on space 7; only the start",
    ),
    (on_the_board(action="TAKE1", ask="move"), 'on space 13; with ask = "move" its action is not'),
    (asked_on(1, "play", action="SWAP"), "its action is not SWAP"),
    (asked_on(1, "search"), 'stands on space 1, TAKE1, which does not lead to ask = "search"'),
    (asked_on(0, "draw"), "stands on space 0, JOKER, which does not lead"),
    (asked_on(3, "draw", number=3), 'number is 3; with ask = "draw" it is 1 to 2'),
    (asked_on(3, "draw", taken="R3", number=2), "it is 1 to 1"),
    (asked_on(1, "draw", taken="R3"), "seat 0 cannot have taken R3."),
    (asked_on(0, "play", taken="R3"), "seat 0 cannot have taken R3."),
    (asked_on(3, "play", taken="R4"), "seat 0 cannot have taken R4."),
    (asked_on(4, "give", number=3), "seat 0 is asked in the turn of another seat"),
    (asked_on(4, "give", number=3, active="Ann"), "Ann stands on space 26, SWAP"),
    (asked_on(4, "give", active="Bob"), "Bob stands on space 30"),
    (asked_on(4, "give", options={"ask_giver_chooses": False}), "search, swap, ask, choose, keep."),
    (asked_on(4, "keep"), "say whose (active)"),
    (asked_on(4, "keep", active=1, number=6), 'number is 6; with ask = "keep" it is 5 to 5'),
    (on_the_board(active="Ann"), "It is Ann who decides"),
    (on_the_board(waits=[{"seat": 2, "kind": "move"}]), "It is Bob who decides"),
    (asked_on(2, "search"), "seat 0 searches the discard pile and sees it all"),
    (asked_on(2, "search", discard=""), "seat 0 searches the discard pile and sees it all"),
    (asked_on(1, "draw", dice=[3]), "say what was thrown"),
    (on_the_board(pile="R1 R9"), "pile: R1 R9. Its top is seen and nothing below"),
    (on_the_board(discard="R1 R9"), "discard is R1 R9, but the last card of pile is R9"),
    (on_the_board(pile="? ? R9", discards=4), "discards is 4, but the discard pile named has 3"),
    (on_the_board(discard="", discards=4), "discards is 4, but the discard pile named has 0"),
    (on_the_board(discards=100), "pile holds 99 cards that are not named"),
    (on_the_board(hand="R3 J2"), "hand: R3 J2. Jokers are J1, J2"),
    (on_the_board(seats=[{"jokers": "? ?"}, {}]), "seat 0 has 1 in hand, but jokers names 2"),
    (on_the_board(seats=[{"jokers": "R5"}, {}]), "seat 0 does not see the faces of its own"),
    (
        on_the_board(options={"joker_memory": "owner_sees_always"}),
        "jokers of seat 0: name the face of each",
    ),
    (on_the_board(seats=[{}, {"jokers": "R5 ?"}]), "jokers of seat 1: name the face"),
    (on_the_board(seats=[{}, {"cards": 1, "jokers": "R5 R6"}]), "seat 1 has 1 in hand, but jokers"),
    (on_the_board(seats=[{}, {"jokers": "J(R5)"}]), "jokers: J(R5) is no card of this game"),
    (on_the_board(seats=[{}, {"jokers": "R3 R3"}]), "R3 lies 3 times in the position"),
    (on_the_board(seats=[{}, {"cards": 96}]), "seat 1 cannot hold 96 cards"),
    (on_the_board(seats=[{}, {"cards": 90}]), "seat 1 holds 90 cards that are not named"),
    (on_the_board(seats=[{"points": 5}, {}]), "board has no points"),
    (on_the_board(seats=[{}, {"skips": 1}]), "board has no skips"),
    (on_the_board(seats=[{}, {"taken": "R5"}]), "board has no taken"),
    (on_the_board(seats=[{}, {"playing": False}]), "board has no playing"),
    (on_the_board(replay=True), "board has no replay"),
    (asked_on(4, "keep", seats=[{"phase": 2}, {}], groups=PAIRS), "seat 0 has laid its phase and"),
    (asked_on(4, "keep", seats=[{}, {"phase": 9}]), "seat 1 has reached the end of the phases"),
    (
        asked_on(4, "give", seats=[{}, {"pawn": 4}], number=4),
        "seat 0 has no card of value 4 to give",
    ),
    (
        asked_on(4, "give", seats=[{}, {"pawn": 4}]),
        'number is 0; with ask = "give" it is 1 to 12',
    ),
]


@looped(("document", "sentence"), [*WRONG, *WRONG_AT_THE_BOARD])
def test_what_cannot_lie_so(document: Any, sentence: str) -> None:
    with pytest.raises(ImpossiblePosition, match=re.escape(sentence)):
        state_of(document)
