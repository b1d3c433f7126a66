"""What rules of RULES.md section 4 say of Express alone, by the rule's ID."""

from typing import Any

from msgspec.structs import replace

from phaseledger.domain.cards import COLOURS, NAMES, WILD, parse, show
from phaseledger.domain.commands import Command, Discard, Draw, Hit, Lay
from phaseledger.domain.events import (
    SkipPlaced,
    SkipServed,
)
from phaseledger.domain.legal import legal
from phaseledger.domain.play.rounds import _turned_up
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.move_texts import check, seated
from tests.support.standard_deck_positions import opened
from tests.support.table import events_of, play, refusal, table
from tests.support.worked_cases import lay

EXPRESS = preset("express")


def laid_out(hands: list[str], discard: str = "Y12", **rows: Any) -> State:
    """A table of this game; see `tests.support.table`."""
    return table(hands, ruleset=EXPRESS, discard=discard, **rows)


# --- players, deck, set-up ----------------------------------------------------------------------


def test_x_03_no_white_cards() -> None:
    """`express_white_cards=none` (O-20): 51 cards."""
    options = {"express_white_cards": "none", "initial_wild": "return_and_redraw"}
    state, _ = opened("express", 6, **options)
    assert len(state.ruleset.deck.cards()) == 51
    assert WILD not in state.ruleset.deck.cards()


def test_x_10_x_11_no_card_to_begin_with() -> None:
    """`initial_skip` and `initial_wild` send cards back (O-11, O-12): where ten hands leave nothing
    but such cards, the last of them stays.
    """
    back = {"initial_skip": "return_and_redraw", "initial_wild": "return_and_redraw"}
    options = resolve(EXPRESS, {"players": "2-10", **back}).options
    stock, pile, returned = _turned_up(parse("S W W S"), 1, options)
    assert (show(pile), show(stock), show(returned)) == ("S", "S W W", "S W W")
    stock, pile, returned = _turned_up(parse("S W R4 S"), 1, options)
    assert (show(pile), show(stock), show(returned)) == ("R4", "S S W", "S W")


# --- phases and combinations --------------------------------------------------------------------


@looped(
    ("phase", "cards", "ends"),
    [
        (4, "R12 B12 R1 B1", (12, 13)),
        (6, "R11 B12 R1 B2", (11, 14)),
        (7, "R11 W R1", (11, 13)),
        (8, "R9 B11 R1 W", (9, 15)),
        (9, "W R12 B2 R4", (10, 16)),
    ],
)
def test_x_24_runs_of_every_kind_may_wrap(phase: int, cards: str, ends: tuple[int, int]) -> None:
    """`run_wrap=true` (O-06): laid, found and hit past 12; X-24 by default."""
    hand = [f"{cards} Y9", "Y8"]
    rows = {"phases": [phase, 1], "discard": "G10"}
    assert refusal(laid_out(hand, **rows), 0, lay(f"[{cards}]")) == ("run_wraps", "X-24")
    state = laid_out(hand, run_wrap=True, **rows)
    assert any(isinstance(command, Lay) for command in legal(state, 0))
    after = play(state, (0, lay(f"[{cards}]")))
    assert (after.groups[0].low, after.groups[0].high) == ends


PAIRS: dict[str, Any] = {"laid": {0: 1}, "groups": [(1, "pairrun", "R6 B6 G7 Y7")]}
SINGLE: dict[str, Any] = {**PAIRS, "pairrun_hit": "single_cards"}
ODDS: dict[str, Any] = {"laid": {0: 1}, "groups": [(1, "parityrun", "R1 B3 G5 Y7 R9 B11")]}
PLACED: dict[str, Any] = {"wild_placement": "high_then_low"}
FIVE, THREE, SIX = "R8 B8 W R5 | Y2", "W W W Y1 | Y2", "R6 B6 G7 Y7 R8 B8 Y1 | Y2"
LONG = "R8 W G8 B5 W R9 Y1 | Y2"
GROWN = "hit 0 R8 high; hit 0 W low; hit 0 G8 R9 high; hit 0 B5 low"
CASES: list[tuple[str, str, str, object, dict[str, Any]]] = [
    # rule, hands, moves, what is then so or why the last is refused, the rest of the table
    # A seat that has made all phases has none to lay, named or not, and that is no error.
    ("X-25", "R1 B3 G5 Y7 | Y2", "lay [R1 B3 G5 Y7]", "!wrong_phase", {"phases": [11, 1]}),
    ("X-25", "R1 B3 G5 Y7 | Y2", "lay 1 [R1 B3 G5 Y7]", "!wrong_phase", {"phases": [11, 1]}),
    ("X-25", "R1 B3 | Y2", "", {"legal": "throw R1; throw B3"}, {"phases": [11, 1]}),
    # More is laid only where it could be hit (O-18, O-21).
    ("X-30", SIX, "lay [R6 B6 G7 Y7 R8 B8]", "!oversize",
     {"phases": [4, 1], "lay_oversize": False}),
    ("X-30", SIX, "lay [R6 B6 G7 Y7 R8 B8]", "!oversize",
     {"phases": [4, 1], "pairrun_hit": "none"}),
    ("X-30", SIX, "lay [R6 B6 G7 Y7]", {"laid": [4, 0]}, {"phases": [4, 1], "pairrun_hit": "none"}),
    ("X-30", SIX, "lay [R6 B6 G7 Y7 R8 B8]", {"laid": [4, 0]},
     {"phases": [4, 1], "pairrun_hit": "single_cards"}),
    # One natural in the phase, not in each group (O-03); wilds alone name their number.
    ("X-33", "R7 W W W Y1 | Y2", "lay [R7 W] [W W=9]", {"ends": [(7, 7), (9, 9)]},
     {"phases": [2, 1]}),
    ("X-33", "R7 W W W Y1 | Y2", "lay [R7 W] [W W=9]", "!needs_natural",
     {"phases": [2, 1], "wild_min_scope": "group"}),
    ("X-33", THREE, "lay [W W W=9]", "!needs_natural", {"phases": [5, 1]}),
    ("X-33", THREE, "lay [W W W]", "!needs_natural", {"phases": [5, 1]}),
    ("X-34", THREE, "lay [W W W=9]", {"ends": [(9, 9)]},
     {"phases": [5, 1], "wild_min_scope": "none"}),
    ("X-34", "R3 W W W Y2 | Y1", "lay [R3 W W W=2]", "!value_mismatch", {}),
    ("X-34", "R3 W W W Y2 | Y1", "lay [R3 W W W=1]", {"laid": [1, 0]}, {}),
    ("X-P04", "R6 B6 G6 Y7 Y2 | Y3", "lay [R6 B6 G6 Y7]", "!not_consecutive",
     {**PLACED, "phases": [4, 1]}),
    ("X-37", "W Y1 Y2 | Y3", "hit 0 W high", "!full_run", ODDS),
    ("X-37", "W Y1 Y2 | Y3", "hit 0 W low", {"sizes": [7]}, {**ODDS, "wild_on_full_run": True}),
    ("X-37", "W Y1 Y2 | Y3", "hit 0 Y1 high", "!full_run", {**ODDS, "wild_on_full_run": True}),
    # Whole pairs, in one order; single cards at both ends; none at all (O-21).
    ("X-55", FIVE, "", {"legal": "hit 0 R5 W low; hit 0 R8 W high; hit 0 R8 B8 high; "
     "hit 0 W B8 high; throw R8; throw B8; throw W; throw R5"}, PAIRS),
    ("X-55", FIVE, "hit 0 B8 R8 high", {"groups": ["R6 B6 G7 Y7 B8 R8"], "ends": [(6, 8)]}, PAIRS),
    ("X-50", FIVE, "hit 0 R8 R5 high", "!does_not_fit", PAIRS),
    ("X-57", "R8 B8 | Y2", "hit 0 R8 B8 high", "!keep_a_card",
     {**PAIRS, "going_out": "discard_required"}),
    ("X-57", "R8 B8 | Y2", "", {"legal": "throw R8; throw B8"},
     {**PAIRS, "going_out": "discard_required"}),
    ("X-55", "R8 Y1 | Y2", "", {"legal": "hit 0 R8 high; throw R8; throw Y1"}, SINGLE),
    ("X-55", LONG, "hit 0 R8 high; hit 0 W low",
     {"groups": ["W R6 B6 G7 Y7 R8"], "ends": [(5, 8)], "halves": [3]}, SINGLE),
    ("X-50", LONG, "hit 0 R8 high; hit 0 W low; hit 0 R9 high", "!does_not_fit", SINGLE),
    ("X-55", LONG, GROWN,
     {"groups": ["B5 W R6 B6 G7 Y7 R8 G8 R9"], "ends": [(5, 9)], "halves": [2]}, SINGLE),
    ("X-55", LONG, f"{GROWN}; hit 0 W high", {"ends": [(5, 9)], "halves": [0]}, SINGLE),
    ("X-55", FIVE, "", {"legal": "throw R8; throw B8; throw W; throw R5"},
     {**PAIRS, "pairrun_hit": "none"}),
    ("X-55", FIVE, "hit 0 R8 B8 high", "!no_pair_hits", {**PAIRS, "pairrun_hit": "none"}),
    # Wilds are placed: gaps, then the high end, then the low one (O-07), in every kind of run.
    *(
        ("X-36", f"{cards} Y2 | Y3", f"lay [{cards}]", {"groups": [placed]},
         {**PLACED, "phases": [phase, 1]})
        for phase, cards, placed in (
            (4, "Y7 R6 W W", "R6 W Y7 W"),
            (4, "W R6 W Y8 B8 W", "R6 W W W B8 Y8"),
            (4, "W W R12 B12", "W W R12 B12"),
            (7, "W G12 W", "W W G12"),
            (8, "B7 W R3 W", "R3 W B7 W"),
            (9, "W R12 W G8", "W G8 W R12"),
        )
    ),
]  # fmt: skip


@looped(("rule", "hands", "moves", "expected", "rows"), CASES)
def test_a_rule(
    rule: str, hands: str, moves: str, expected: object, rows: dict[str, object]
) -> None:
    check(seated(EXPRESS, hands, **{"discard": "Y12", **rows}), moves, expected, rule)


# --- skips --------------------------------------------------------------------------------------


def test_x_38_to_x_43_a_skip_in_front() -> None:
    """X-38: in front of another player. X-39: the turn ends. X-40: it goes on top of the pile.

    X-41: not in front of one that has one. X-43: until it is served the pile is as it was.
    """
    state = laid_out(["S R1", "S R2", "R3 R4"])
    assert refusal(state, 0, Discard("S", target=0)) == ("target_self", "X-38")
    assert refusal(state, 0, Discard("S", target=5)) == ("target_not_playing", "X-38")
    assert refusal(state, 0, Discard("R1", target=1)) == ("target_not_allowed", "X-38")
    (placed, *_) = events_of(state, 0, Discard("S", target=2))
    assert isinstance(placed, SkipPlaced)
    after = play(state, (0, Discard("S", target=2)))
    assert (after.active, show(after.discard), show(after.seat(2).front)) == (1, "Y12", "S")
    drawn = play(after, (1, Draw("discard")))
    assert refusal(drawn, 1, Discard("S", target=2)) == ("target_already_skipped", "X-41")
    _, served, _ = events_of(drawn, 1, Discard("R2"))
    assert isinstance(served, SkipServed)
    assert (served.seat, served.card, served.to) == (2, "S", "top")
    last = play(drawn, (1, Discard("R2")))
    assert (last.active, show(last.discard), last.seat(2).skips) == (0, "R2 S", 0)


# --- hits ---------------------------------------------------------------------------------------


def hits(state: State) -> list[Command]:
    return [command for command in legal(state, 0) if isinstance(command, Hit)]


def test_x_49_to_x_54_what_fits_where() -> None:
    """X-49: any number on any phase. X-50 to X-54: what matches each kind; a wild as well."""
    groups = [
        (0, "set", "R4 B4 G4"),
        (1, "color", "G1 G7 G9"),
        (0, "parityrun even", "B2 Y4 W"),
        (1, "colorrun", "B5 B6 B7"),
        (1, "parity odd", "R1 R3 R5"),
    ]
    state = laid_out(["W G8 B8 Y8 R11 R12", "Y2"], laid={0: 1}, groups=groups)
    assert hits(state) == [
        *(Hit(0, "W"), Hit(1, "W"), Hit(1, "G8")),
        *(Hit(2, "W", "high"), Hit(2, "G8", "high"), Hit(2, "B8", "high"), Hit(2, "Y8", "high")),
        *(Hit(3, "W", "high"), Hit(3, "W", "low"), Hit(3, "B8", "high")),
        *(Hit(4, "W"), Hit(4, "R11")),
    ]
    after = play(state, (0, Hit(1, "G8 W")), (0, Hit(2, "Y8", "high")))
    assert [len(group.cards) for group in after.groups] == [3, 5, 4, 3, 3]
    assert refusal(state, 0, Hit(3, "W")) == ("end_needed", "X-50")
    assert refusal(state, 0, Hit(9, "W")) == ("no_such_group", "X-31")


# --- going out, scoring, end, variants ----------------------------------------------------------


def test_x_68_equal_totals() -> None:
    """X-68: more phases made, then shared; `final_tie_10rounds=shared` at once (O-23)."""

    def winners(made: list[int], **options: object) -> tuple[int, ...]:
        rows = {"phases": [10] * 3, "laid": {0: 10}, "points": [20, 15, 60]}
        state = laid_out(["R1", "R2", "R3"], variant="ten_rounds", **rows, **options)
        seats = tuple(replace(state.seat(n), made=made[n]) for n in range(3))
        return play(replace(state, round=10, seats=seats), (0, Discard("R1"))).winners

    assert winners([0b1, 0b111, 0]) == (1,)
    assert winners([0b11, 0b11, 0]) == (0, 1)
    assert winners([0b1, 0b111, 0], final_tie_10rounds="shared") == (0, 1)


def test_x_70_a_symbol_for_each_colour() -> None:
    """X-70: a card's text names its colour by a letter of its own, so never by colour alone."""
    for notation, letters in COLOURS.items():
        assert len(set(letters)) == 4
        for card in EXPRESS.deck.cards():
            if card & 15 <= 12:
                shown = NAMES[notation][card]
                assert [letter for letter in letters if letter in (shown[0], shown[-1])] == [
                    letters[card >> 4]
                ]
