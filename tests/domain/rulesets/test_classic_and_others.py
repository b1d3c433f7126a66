"""RULES.md sections 1, 3 and 4: the rules that the three card games share, by all their IDs."""

from typing import Any

import pytest

from phaseledger.domain.cards import SKIP, WILD, parse, show
from phaseledger.domain.commands import Discard, Draw, Rejected
from phaseledger.domain.events import RoundDealt, SkipServed
from phaseledger.domain.policies import SCORING
from phaseledger.domain.resolve import phase_text
from phaseledger.domain.state import cards_in_play
from tests.support.cases import looped
from tests.support.move_texts import CARD_GAMES, check, seated
from tests.support.standard_deck_positions import dealt_with, deck_of, opened
from tests.support.table import events_of, play, refusal

PHASES = {
    "CD": "set(3) + set(3); set(3) + run(4); set(4) + run(4); run(7); run(8); run(9); "
    "set(4) + set(4); color(7); set(5) + set(2); set(5) + set(3)",
    "X": "parity(4, odd); set(2) + set(2); parity(4, even); pairrun(2); set(3); run(4); "
    "colorrun(3); parityrun(4, odd); parityrun(4, even); color(4)",
}


@looped("games", PHASES)
def test_c_p01_to_c_p10_and_the_like(games: str) -> None:
    """C-P01 .. C-P10, D-P01 .. D-P10, X-P01 .. X-P10."""
    for game in games:
        phases = CARD_GAMES[game].phases
        assert "; ".join(map(phase_text, phases)) == PHASES[games]
        assert [phase.rule for phase in phases] == [f"{game}-P{n:02}" for n in range(1, 11)]


@looped(("rule", "fewest", "most"), [("C-01", 2, 6), ("D-01", 3, 5), ("X-01", 2, 6)])
def test_how_many_play(rule: str, fewest: int, most: int) -> None:
    game = CARD_GAMES[rule[0]].name
    for seats in (fewest - 1, most + 1):
        with pytest.raises(Rejected) as refused:
            opened(game, seats)
        assert (refused.value.code, refused.value.rule) == ("seats_out_of_range", rule)
    for seats in range(fewest, most + 1):
        assert opened(game, seats)[0].stage == "playing"


@looped(("game", "copies", "wilds", "skips"), [("C", 2, 8, 4), ("D", 2, 8, 4), ("X", 1, 3, 3)])
def test_the_deck(game: str, copies: int, wilds: int, skips: int) -> None:
    """C-02 to C-04, D-02, D-04, D-05, X-02 to X-04: numbers in four colours, wilds and skips."""
    numbers = [colour << 4 | rank for colour in range(4) for rank in range(1, 13)]
    deck = [*numbers * copies, *[WILD] * wilds, *[SKIP] * skips]
    assert sorted(CARD_GAMES[game].deck.cards()) == sorted(deck)


@looped("game", CARD_GAMES)
def test_the_deal(game: str) -> None:
    """C-05 to C-07, D-06 to D-08, X-05 to X-07: one by one from the dealer's left, then the pile,
    then the stock.
    """
    state, events = opened(CARD_GAMES[game].name, 3)
    deck, dealt = deck_of(state), 3 * CARD_GAMES[game].hand
    assert [deck[i:dealt:3] for i in range(3)] == [state.seat(n).hand for n in (1, 2, 0)]
    assert (state.discard, state.stock) == (deck[dealt : dealt + 1], deck[dealt + 1 :])
    (event,) = [event for event in events if isinstance(event, RoundDealt)]
    assert (len(event.discard.split()), event.stock) == (1, len(state.stock))


TURNED_UP: list[tuple[str, int, int, dict[str, Any], int, str]] = [
    # rules, first card, seats, options, who begins, the pile: ? is any other card
    ("C-10 C-11 X-11", SKIP, 3, {}, 2, "S"),  # HC-155
    ("C-10 X-11", SKIP, 2, {}, 0, "S"),  # HC-156, C-53
    ("D-09", SKIP, 3, {}, 1, "S"),
    ("C-10 D-09", SKIP, 3, {"initial_skip": "keep"}, 1, "S"),
    ("D-09", SKIP, 3, {"initial_skip": "skip_first_player"}, 2, "S"),
    ("C-10 D-09", SKIP, 3, {"initial_skip": "cover"}, 1, "S ?"),  # HC-157, T-01, T-03
    ("C-10 D-09 X-11", SKIP, 3, {"initial_skip": "return_and_redraw"}, 1, "?"),
    ("C-12 D-10 X-10", WILD, 3, {}, 1, "W"),
    ("C-12 D-10 X-10", WILD, 3, {"initial_wild": "return_and_redraw"}, 1, "?"),
]


@looped(("rules", "first", "seats", "options", "begins", "pile"), TURNED_UP)
def test_the_card_turned_up(
    rules: str, first: int, seats: int, options: dict[str, Any], begins: int, pile: str
) -> None:
    for rule in rules.split():
        state, events = dealt_with(CARD_GAMES[rule[0]].name, first, seats, **options)
        served = [event.seat for event in events if isinstance(event, SkipServed)]
        assert (state.active, served) == (begins, [] if begins == 1 else [1])
        assert ["?" if c != first else show(bytes([c])) for c in state.discard] == pile.split()
        if pile == "?":  # it went under the stock, which is told
            (dealt,) = [event for event in events if isinstance(event, RoundDealt)]
            assert (state.stock[-1], set(parse(dealt.returned))) == (first, {first})
        if show(state.discard[-1:]) != "S":
            drawn = play(state, (begins, Draw("discard")))
            assert state.discard[-1] in drawn.seat(begins).hand
        elif rule[0] != "D":
            assert refusal(state, begins, Draw("discard"))[0] == "skip_not_drawable"


@looped(("game", "wild"), [("C", 25), ("D", 20), ("X", 25)])
def test_what_cards_cost(game: str, wild: int) -> None:
    """C-64, D-54, X-59: by rank, whatever the colour."""
    costs = {"R1": 5, "B9": 5, "G10": 10, "Y12": 10, "S": 15, "W": wild}
    score = SCORING["points"]
    assert {card: score(CARD_GAMES[game], parse(card)) for card in costs} == costs


@looped("game", CARD_GAMES)
def test_the_next_round(game: str) -> None:
    """C-68, X-62: from the whole deck, no groups. C-55, D-29, X-63: a skip not served is
    forgotten; by `skip_survives_round` the turn is lost all the same (O-15).
    """
    skip = Discard(show(bytes([SKIP]), CARD_GAMES[game].deck.notation), 1)
    for survives in (False, True):
        rows = {**LAID, **NINES, "skip_survives_round": survives}
        state = seated(CARD_GAMES[game], "S | R2 | R3", **rows)
        *_, dealt = [e for e in events_of(state, 0, skip) if isinstance(e, RoundDealt)]
        assert dealt.skips == (0, int(survives), 0)
        after = play(state, (0, skip))
        assert (after.groups, after.active) == ((), 2 if survives else 1)
        assert cards_in_play(after) == CARD_GAMES[game].deck.cards()


DRAWING: dict[str, Any] = {"question": "draw"}
BARE: dict[str, Any] = {"discard": "", "stock": ""}
NINES: dict[str, Any] = {"groups": [(1, "set", "R9 B9 G9")]}
LAID: dict[str, Any] = {"laid": {0: 1}}
RUN: dict[str, Any] = {**LAID, "groups": [(0, "run", "R5 B6 G7 Y8")]}
FULL_RUN: dict[str, Any] = {
    **LAID,
    "groups": [(0, "run", "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12")],
    "discard": "G5",
}
FULL_SET: dict[str, Any] = {**LAID, "groups": [(0, "set", "R9 B9 G9 Y9 R9 B9 G9 Y9")]}
FOUR: dict[str, Any] = {**LAID, "groups": [(0, "set", "R9 B9 G9 Y9")]}
THREE: dict[str, Any] = {
    **LAID,
    "groups": [
        (1, "set", "R9 B9 G9"),
        (0, "run", "R3 B4 G5 Y6"),
        (1, "color", "G1 G2 G4 G7 G8 G10 G11"),
    ],
}
TAKEN: dict[str, Any] = {**DRAWING, "discard": "R9", "discard_taken_card": False}
EMPTY: dict[str, Any] = {**DRAWING, "discard": "B2 G4 R9", "stock": ""}
LOST = "throw S>1; draw; throw R3; draw; throw S>1"
"""Seat 1 is named again as soon as it has lost its turn."""
STRICT = {"skip_repeat": "until_normal_turn", "skip_plain_discard": "only_if_no_target"}
SETS = "R7 B7 G7 W W W R12 | R1"
TEN_CARDS = "R5 B5 G5 Y5 R7 B7 G7 R12 | R1"
TIED: dict[str, Any] = {"phases": [10, 10, 9], "laid": {0: 10, 1: 10}, "points": [55, 50, 0]}

Case = tuple[str, str, str, object, dict[str, Any]]
TURNS: list[Case] = [
    # rules, hands, moves, what is then so or why the last is refused, and the rest of the table
    ("C-09 D-12 X-08", "R1 R2 | R3 R4 | R5", "throw R1", {"active": 1}, {}),
    ("C-09 D-12 X-08", "R1 R2 | R3 R4 | R5", "throw R1; 2 draw", "!not_your_turn", {}),
    ("C-13 D-15 X-12", "R1 R2 | R3", "lay [R1]", "!must_draw", DRAWING),
    ("C-13 D-15 X-12", "R1 R2 | R3", "pass", "!must_draw", DRAWING),
    ("C-13 D-15 X-12", "R1 R2 | R3", "throw R1", "!must_draw", DRAWING),
    ("C-13 D-15 X-12", "Y9 R2 | R3", "hit 0 Y9", "!must_draw", {**DRAWING, **LAID, **NINES}),
    ("C-13 D-13 X-13", "R1 R2 | R3", "draw; draw", "!already_drawn", DRAWING),
    ("C-13 D-15 X-16", "R1 R2 | R3", "draw; pass", "!must_discard", DRAWING),
    ("C-13 D-14 X-39", "R1 R2 | R3", "throw R1 R2", "!one_card", {}),
    ("C-14 D-13 X-13", "R1 | R3", "draw", {"hands": "R1 B7 | R3"},
     {**DRAWING, "discard": "G1 G2", "stock": "B7 B8"}),
    ("C-14 D-13 X-13", "R1 | R3", "take", {"hands": "R1 G2 | R3"}, {**DRAWING, "discard": "G1 G2"}),
    ("C-15 X-14", "R1 | R3", "take", "!skip_not_drawable", {**DRAWING, "discard": "R5 S"}),
    ("D-22", "R1 | R3", "take", {"hands": "R1 S | R3"}, {**DRAWING, "discard": "R5 S"}),
    ("C-15 X-14", "R1 | R3", "take", {"hands": "R1 S | R3"},
     {**DRAWING, "discard": "R5 S", "skip_drawable": True}),
    ("D-22", "R1 | R3", "take", "!skip_not_drawable",
     {**DRAWING, "discard": "R5 S", "skip_drawable": False}),
    ("C-15 D-22 X-14", "R1 | R3", "", {"legal": "draw"},
     {**DRAWING, "discard": "S", "skip_drawable": False}),
    ("C-16 D-13 X-15", "R1 | R3", "take", "!empty_discard_pile", {**DRAWING, "discard": ""}),
    ("C-16 D-13 X-15", "R1 | R3", "", {"legal": "draw"}, {**DRAWING, "discard": ""}),
    ("C-17 D-14 X-16", "R1 | R3", "take; throw R9", {"active": 1}, {**DRAWING, "discard": "R9"}),
    ("C-17 D-14 X-16", "R1 | R3", "take; throw R9", "!taken_card", TAKEN),
    ("C-17 D-14 X-16", "R1 R2 | R3", "take", {"legal": "throw R1; throw R2"}, TAKEN),
    ("C-17", "R1 R9 | R3", "take; throw R9", {"active": 1}, TAKEN),
    ("C-17", "R9 B2 B3 | R3", "take; hit 0 R9; throw R9", {"active": 1},
     {**TAKEN, **LAID, "groups": [(1, "set", "Y9 B9 G9")]}),  # copies are equal: the other is free
    ("C-17", "Y9 | R3", "take; hit 0 Y9", {"legal": "pass"},
     {**TAKEN, **LAID, **NINES, "discard": "R1"}),
    ("C-17", "Y9 | R3", "take; hit 0 Y9; pass", {"active": 1, "hands": "R1 | R3"},
     {**TAKEN, **LAID, **NINES, "discard": "R1"}),
    ("C-19 D-27 X-17", "R1 | R3", "draw", {"pile": "", "stock": 2},
     {**EMPTY, "stock_exhausted": "reshuffle_all"}),
    ("C-19 D-27 X-17", "R1 | R10", "draw", {"round": 2, "points": [5, 10]},
     {**EMPTY, "stock_exhausted": "end_round"}),
    ("C-19", "R1 | R3", "take", {"pile": "B2 G4", "stock": 0}, EMPTY),
    ("C-20 D-28 X-18", "R1 | R3", "draw", "!empty_stock", {**EMPTY, "discard": "R9"}),
    ("C-20", "R1 | R3", "", {"legal": "take"}, {**EMPTY, "discard": "R9"}),
    ("C-20 D-28 X-18", "S R1 | R3 | R5 R6", "throw S>1", {"asked": (2, "play")},
     {**BARE, "skip_drawable": False}),
    ("C-20 D-28 X-18", "S R1 | R3 | R5 R6", "throw S>1; throw R5", {"active": 0},
     {**BARE, "skip_drawable": False}),
    ("C-20 D-28 X-18", "S R1 | R3 | R5", "throw S>1", {"round": 2},
     {**BARE, "skip_drawable": False, "no_card_to_draw": "end_round"}),
]  # fmt: skip
LAYS: list[Case] = [
    ("C-21 D-57 X-25", "R2 B2 G2 | R3", "lay 7 [R2 B2 G2]", "!wrong_phase", {}),
    ("C-21 X-25", "R2 B2 G2 | R3", "lay 0 [R2 B2 G2]", "!wrong_phase", {}),
    ("C-29 D-34 X-27", "R7 B7 G1 Y3 | R3", "lay [R7 B7]", "!incomplete_phase", {"phases": [2, 1]}),
    ("C-29 D-34", "R5 B5 G5 R7 B7 R9 | R3", "lay [R5 B5 G5] [R7 B7]", "!incomplete_phase", {}),
    ("C-29 D-34", "R5 B5 G5 R7 B7 R9 | R3", "lay [R5 B5 G5] [R7 B7 Y7]", "!not_in_hand", {}),
    ("X-27", "R7 B7 R9 | R3", "lay [R7 B7] [R8 B8]", "!not_in_hand", {"phases": [2, 1]}),
    ("C-22 D-40 X-26", "R7 B7 G7 R9 | R3", "lay [R7 B7 G7]", "!already_laid", LAID),
    ("C-09 D-12 X-08", "R1 R2 | R5 B5 G5 R7", "1 lay [R5 B5 G5]", "!not_your_turn", {}),  # C-30
    ("C-28 D-36", "R4 B4 G4 Y4 R4 B4 R9 | R1", "lay [R4 B4 G4] [Y4 R4 B4]", {"laid": [1, 0]}, {}),
    ("C-31 D-39", TEN_CARDS, "lay [R5 B5 G5 Y5] [R7 B7 G7]", {"laid": [1, 0]}, {}),
    ("C-31 D-39", TEN_CARDS, "lay [R5 B5 G5 Y5] [R7 B7 G7]", "!oversize", {"lay_oversize": False}),
    ("C-26 D-32", "R2 B2 G2 R11 B12 G1 Y2 R3 R9 | R1",
     "lay [R2 B2 G2] [R11 B12 G1 Y2]; hit 1 R3 high", {"ends": [(2, 2), (11, 15)]},
     {"phases": [2, 1], "run_wrap": True}),
    ("C-33 C-67 D-57 X-28 X-29 X-61", "R2 | R3 | R4", "throw R2", {"phases": [2, 5, 4]},
     {"phases": [1, 4, 4], "laid": {0: 1, 1: 4}}),
    ("C-22 C-23", "R3 B4 G5 Y6 R7 B8 G9 Y10 R11 | R4", "lay [R3 B4 G5 Y6 R7 B8 G9 Y10 R11]",
     {"phases": [5, 1]}, {"phases": [4, 1]}),  # a run of nine makes one phase only
    ("C-43", "W R4 B4 G4 Y4 R4 B4 G4 Y4 R5 B5 G5 R7 | R2",
     "lay [W R4 B4 G4 Y4 R4 B4 G4 Y4] [R5 B5 G5]", {"laid": [1, 0]}, {"wild_on_full_set": False}),
    ("C-43", "R4 B4 G4 Y4 R4 B4 G4 W W R5 B5 G5 | R2", "lay [R4 B4 G4 Y4 R4 B4 G4 W W] [R5 B5 G5]",
     "!full_set", {"wild_on_full_set": False}),
    ("C-38 D-42", SETS, "lay [R7 B7 G7] [W W W=9]", "!needs_natural", {}),
    ("C-38 D-42", SETS, "lay [R7 B7 G7] [W W W]", "!needs_natural", {}),
    ("C-38 D-42", SETS, "lay [R7 B7 G7] [W W W=9]", {"ends": [(7, 7), (9, 9)]},
     {"wild_min_scope": "phase"}),
    ("C-38 D-42", "W W W W W W R9 | R1", "lay [W W W=9] [W W W=9]", "!needs_natural",
     {"wild_min_scope": "phase"}),
    ("C-38 D-42", "W W W W W W R9 | R1", "lay [W W W=9] [W W W=9]", {"laid": [1, 0]},
     {"wild_min_scope": "none"}),
    ("C-38", SETS, "lay [R7 B7 G7] [W W W]", "!value_needed", {"wild_min_scope": "none"}),
    ("D-43", SETS, "lay [R7 B7 G7=9] [W W W=11]", "!value_mismatch", {"wild_min_scope": "phase"}),
]  # fmt: skip
SKIPS: list[Case] = [
    ("C-44 D-14 X-38", "W R1 | R2", "throw W>1", "!target_not_allowed", {}),  # C-37
    ("C-44 X-45", "S R1 | R2", "throw S", "!target_needed", {}),
    ("D-23", "S R1 | R2", "throw S", {"active": 1, "pile": "Y12 S"}, {}),
    ("D-23", "S R1 | R2", "throw S", "!target_needed", {"skip_plain_discard": False}),
    ("C-44 X-45", "S R1 | R2", "throw S", {"active": 1, "pile": "Y12 S"},
     {"skip_plain_discard": True}),
    ("C-44 D-23 X-45", "S R1 | R2", "throw S", "!target_needed",
     {"skip_plain_discard": "only_if_no_target"}),
    ("C-46 C-50", "S R1 | R2 | R3", "throw S>1", {"pile": "Y12 S", "active": 2, "turn": 3}, {}),
    ("C-45 D-17 X-38", "S R1 | R2 | R3", "throw S>0", "!target_self", {}),
    ("C-45 D-17 X-38", "S R1 | R2 | R3", "throw S>9", "!target_not_playing", {}),
    ("C-45 D-14", "S R1 | R2 | R3", "", {"legal": "throw S; throw S>1; throw S>2; throw R1"},
     {"skip_plain_discard": True}),
    ("C-49 D-16 X-44", "S S R1 | R5 | R3 R4", LOST, {"active": 2}, {}),
    ("C-52 D-16 X-44", "S S R1 | R5 | R3 R4", LOST, "!target_served_recently", STRICT),
    ("C-52", "S S R1 R2 | R5 | R3 R4", "throw S>1; draw; throw R3; draw; throw R1", {"active": 1},
     STRICT),
    ("C-09 D-12 X-08", "S R1 | R2 | R3", "throw S>1; 1 draw", "!not_your_turn", {}),
    ("C-09 D-12 X-08", "S S R1 | R2 | R3", "throw S>1; 0 throw S>2", "!not_your_turn", {}),  # C-51
    ("C-13 D-14 X-39", "S S R1 | R2 | R3", "throw S S>1", "!one_card", {}),  # D-24
    ("C-53", "S R1 | R2", "throw S>1", {"active": 0}, {}),
    ("C-54 D-26 X-46", "S | R2", "throw S>1", "!skip_as_last_card",
     {**LAID, "skip_as_last_card": False}),
    ("C-54 D-26 X-46", "S | R2", "", {"legal": "pass"}, {**LAID, "skip_as_last_card": False}),
    ("C-54 D-26 X-46", "S | R2", "pass", {"active": 1}, {**LAID, "skip_as_last_card": False}),
]  # fmt: skip
HITS: list[Case] = [
    ("C-56 D-47 X-47", "Y9 R1 | R2", "hit 0 Y9", "!phase_not_laid", {"laid": {1: 1}, **NINES}),
    ("C-09 D-12 X-08", "R1 | Y9 R2", "1 hit 0 Y9", "!not_your_turn",
     {"laid": {1: 1}, **NINES}),  # C-57, X-48
    ("C-58 D-49 D-50 X-49", "Y9 R7 B2 G12 R1 | R2", "hit 0 Y9; hit 1 R7; hit 1 B2; hit 2 G12",
     {"sizes": [4, 6, 8]}, THREE),
    ("C-58", "Y9 R9 R1 | R2", "hit 0 Y9 R9", {"sizes": [5, 4, 7]}, THREE),
    ("C-59 D-50 X-50", "R7 R1 | R2", "hit 0 R7", "!does_not_fit", THREE),
    ("C-59 D-50 X-50", "R7 R1 | R2", "hit 2 R7", "!does_not_fit", THREE),
    ("C-59 D-50 X-50", "R9 R1 | R2", "hit 1 R9 high", "!does_not_fit", {**LAID, "groups": [
        (0, "run", "R3 B4 G5 Y6"), (0, "run", "R8 W B10 G11")]}),  # C-34, C-40, D-44, X-35
    ("C-60 D-35 X-31", "R7 R1 | R2", "hit 3 R7", "!no_such_group", THREE),
    ("C-59", "R7 R1 | R2", "hit 0 Y9", "!not_in_hand", THREE),
    ("C-41", "W W R1 | R2", "hit 0 W; hit 2 W", {"sizes": [4, 4, 8]}, THREE),
    ("C-40 D-50 X-50", "W R1 | R2", "hit 0 W", "!end_needed", RUN),
    ("C-40 D-50 X-50", "Y9 R1 | R2", "hit 0 Y9", {"ends": [(5, 9)]}, RUN),
    ("C-40", "W R1 | R2", "hit 0 W", {"ends": [(5, 9)]},
     {**RUN, "wild_placement": "high_then_low"}),
    ("C-42 D-45 X-37", "W B1 B3 | R2", "hit 0 W low", "!full_run", FULL_RUN),
    ("C-42 D-45 X-37", "W B1 B3 | R2", "hit 0 B1 high", "!full_run", FULL_RUN),
    ("C-42 D-45 X-37", "W W B1 B3 | R2", "hit 0 W low; hit 0 W high", {"sizes": [14]},
     {**FULL_RUN, "wild_on_full_run": True}),
    ("C-42 D-45 X-37", "W W B1 B3 | R2", "hit 0 B1 low", "!full_run",
     {**FULL_RUN, "wild_on_full_run": True}),
    ("C-42", "B1 R8 | R2", "hit 0 B1 high", "!full_run", {**FULL_RUN, "run_wrap": True}),
    ("C-43 D-46", "W W R1 | R2", "hit 0 W W", {"sizes": [10]}, FULL_SET),
    ("C-43 D-46", "W R1 | R2", "hit 0 W", "!full_set", {**FULL_SET, "wild_on_full_set": False}),
    ("C-43", "W Y9 R1 | R2", "hit 0 Y9", {"sizes": [9]}, {**LAID, "wild_on_full_set": False,
     "groups": [(0, "set", "R9 B9 G9 Y9 R9 B9 G9 W")]}),
    ("X-51", "W W R1 | R2", "hit 0 W W", {"sizes": [6]}, FOUR),
    ("X-51", "W R1 | R2", "hit 0 W", "!full_set", {**FOUR, "wild_on_full_set": False}),
]  # fmt: skip
ENDS: list[Case] = [
    ("C-61 D-51 X-56", "R2 | R3", "throw R2", {"round": 2}, LAID),
    ("C-62 D-52 X-57", "Y9 | R2", "hit 0 Y9", {"round": 2}, {**LAID, **NINES}),
    ("C-62 D-52 X-57", "Y9 | R2", "hit 0 Y9", "!keep_a_card",
     {**LAID, **NINES, "going_out": "discard_required"}),
    ("C-62 D-52 X-57", "Y9 | R2", "", {"legal": "throw Y9"},
     {**LAID, **NINES, "going_out": "discard_required"}),
    ("C-62", "R5 B5 G5 R7 B7 G7 | R2", "lay [R5 B5 G5] [R7 B7 G7]", "!keep_a_card",
     {"going_out": "discard_required"}),
    ("C-63 C-65 C-66 X-58 X-60", "R1 | W S Y12 G8", "throw R1", {"points": [70, 95]},
     {"laid": {0: 1, 1: 1}, "points": [70, 40], "discard": "B3", **NINES}),
    ("D-53 D-55", "R1 | W S Y12 G8", "throw R1", {"points": [70, 90]},
     {"laid": {0: 1, 1: 1}, "points": [70, 40], "discard": "B3", **NINES}),
    ("C-08 D-11 D-12 X-08 X-09", "R1 | R2 | R3", "throw R1", {"dealer": 0, "players": (1, 2, 0)},
     LAID),
    ("C-08 D-11 X-09", "R1 | R2 | R3", "throw R1", {"dealer": 2},
     {**LAID, "dealer_rotation": "fixed"}),
    ("C-09 D-12 X-08", "R1 | R2 | R3", "throw R1", {"players": (0, 1, 2)},
     {**LAID, "first_player": "dealer"}),
    ("C-69 C-70 X-64 X-65", "R1 | R2 R3 | R4", "throw R1", {"stage": "ended", "winners": (2,)},
     {"phases": [9, 10, 10], "laid": {0: 9, 1: 10, 2: 10}, "points": [0, 50, 30]}),
    ("C-71 C-72 X-66", "R1 | R2 | R3", "throw R1",
     {"replay": True, "dealer": 0, "players": (1, 0), "phases": [10, 10, 9]}, TIED),
    ("C-72 X-66", "R1 | R2 | R3", "throw R1",
     {"replay": True, "players": (1, 2, 0), "phases": [10, 10, 10]},
     {**TIED, "final_tie_replay": "everybody"}),
    ("C-72 X-66", "R1 | R2 | R3", "throw R1", {"winners": (0, 1)}, {**TIED, "final_tie": "shared"}),
    ("C-72 D-67 X-66", "R1 | R2 | R3", "throw R1", {"winners": (0,)},
     {**TIED, "final_tie": "went_out"}),
    ("C-72", "R1 B1 | R2 | R3", "throw R3", {"winners": (0, 1)},
     {**TIED, "active": 2, "laid": {0: 10, 1: 10, 2: 9}, "points": [45, 50, 0],
      "final_tie": "went_out"}),
    ("C-73 X-67", "R1 | R2 | R3", "throw R1", {"phases": [2, 2, 2]},
     {**LAID, "variant": "ten_rounds"}),
    ("X-67", "R1 B3 G5 Y7 R2 | R3", "lay 3 [R1 B3 G5 Y7]", "!wrong_phase",
     {"variant": "ten_rounds"}),
    ("C-74 X-69", "R1 | R2", "throw R1", {"stage": "ended", "winners": (0,)},
     {"phases": [5, 5], "laid": {0: 5}, "variant": "n_phases(5)"}),
    ("X-69", "R2 | R3 | R4", "throw R2", {"replay": True, "phases": [7, 7, 6]},
     {"phases": [7, 7, 6], "laid": {0: 7, 1: 7}, "points": [80, 75, 0], "variant": "n_phases(7)"}),
    ("C-64 X-59", "R1 W | R2 R10", "throw R1", {"round": 2, "points": [25, 15]},
     {"max_turns_per_round": 1}),  # O-39
    ("D-54", "R1 W | R2 R10", "throw R1", {"points": [20, 15]}, {"max_turns_per_round": 1}),
    ("X-64", "R1 | R2 | R3", "throw R1", {"winners": (0,)},
     {"phases": [10, 9, 9], "laid": {0: 10, 1: 9}, "points": [500, 0, 0]}),
    ("X-65", "R1 | R2 | R3", "throw R1", {"winners": (1,)}, {**TIED, "points": [80, 70, 0]}),
]  # fmt: skip


@looped(("rules", "hands", "moves", "expected", "rows"), [*TURNS, *LAYS, *SKIPS, *HITS, *ENDS])
def test_a_rule(
    rules: str, hands: str, moves: str, expected: object, rows: dict[str, object]
) -> None:
    for rule in rules.split():
        check(seated(CARD_GAMES[rule[0]], hands, **rows), moves, expected, rule)
