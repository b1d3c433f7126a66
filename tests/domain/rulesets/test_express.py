"""What rules of RULES.md section 4 say of Express alone, by the rule's ID."""

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
from tests.support.express_positions import laid_out, valued
from tests.support.standard_deck_positions import opened
from tests.support.table import events_of, play, refusal
from tests.support.worked_cases import lay

EXPRESS = preset("express")


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


def test_x_25_past_the_last_phase() -> None:
    """X-25: a seat that has made all has none to lay, named or not, and that is no error."""
    state = laid_out(["R1 B3 G5 Y7 R2", "Y2"], phases=[11, 1])
    assert {type(listed) for listed in legal(state, 0)} == {Discard}
    for command in (lay("[R1 B3 G5 Y7]"), replace(lay("[R1 B3 G5 Y7]"), phase=1)):
        assert refusal(state, 0, command) == ("wrong_phase", "X-25")


def test_x_30_more_only_where_it_could_be_hit() -> None:
    """X-30: HC-067; not with `lay_oversize=false` (O-18), nor pairs that nobody may hit (O-21)."""
    more = lay("[R6 B6 G7 Y7 R8 B8]")
    hand = ["R6 B6 G7 Y7 R8 B8 Y1", "Y2"]
    for options in ({"lay_oversize": False}, {"pairrun_hit": "none"}):
        state = laid_out(hand, phases=[4, 1], **options)
        assert refusal(state, 0, more) == ("oversize", "X-30")
        assert play(state, (0, lay("[R6 B6 G7 Y7]"))).seat(0).laid == 4
    single = laid_out(hand, phases=[4, 1], pairrun_hit="single_cards")
    assert play(single, (0, more)).seat(0).laid == 4


# --- wilds --------------------------------------------------------------------------------------


def test_x_33_x_34_naturals_in_the_phase() -> None:
    """X-33: one in the phase, not one in each group. X-34: wilds alone name their number.

    What is listed names it too; `wild_min_scope` asks for more or for none (O-03).
    """
    hand = ["R7 W W W Y1", "Y2"]
    state = laid_out(hand, phases=[2, 1])
    named = valued("[R7 W] [W W]", None, 9)
    after = play(state, (0, named))
    assert [(group.low, show(group.cards)) for group in after.groups] == [(7, "R7 W"), (9, "W W")]
    assert valued("[R7 W] [W W]", None, 9) in list(legal(state, 0))
    strict = laid_out(hand, phases=[2, 1], wild_min_scope="group")
    assert refusal(strict, 0, named) == ("needs_natural", "X-33")
    threes = laid_out(["W W W Y1", "Y2"], phases=[5, 1])
    assert refusal(threes, 0, valued("[W W W]", 9)) == ("needs_natural", "X-33")
    assert refusal(threes, 0, valued("[W W W]", None)) == ("needs_natural", "X-33")
    free = laid_out(["W W W Y1", "Y2"], phases=[5, 1], wild_min_scope="none")
    assert play(free, (0, valued("[W W W]", 9))).groups[0].low == 9
    odd = laid_out(["R3 W W W Y2", "Y1"], phases=[1, 1])
    assert refusal(odd, 0, valued("[R3 W W W]", 2)) == ("value_mismatch", "X-34")
    assert play(odd, (0, valued("[R3 W W W]", 1))).groups[0].low == 1


def test_x_36_wilds_are_placed() -> None:
    """`wild_placement=high_then_low` (O-07): gaps, then the high end, then the low one; of every
    kind of run. By default the order said stands.
    """
    rows = [
        (4, "Y7 R6 W W", "R6 W Y7 W"),
        (4, "W R6 W Y8 B8 W", "R6 W W W B8 Y8"),
        (4, "W W R12 B12", "W W R12 B12"),
        (7, "W G12 W", "W W G12"),
        (8, "B7 W R3 W", "R3 W B7 W"),
        (9, "W R12 W G8", "W G8 W R12"),
    ]
    for phase, cards, placed in rows:
        state = laid_out([f"{cards} Y2", "Y3"], phases=[phase, 1], wild_placement="high_then_low")
        after = play(state, (0, lay(f"[{cards}]")))
        assert show(after.groups[0].cards) == placed
    doubles = laid_out(["R6 B6 G6 Y7 Y2", ""], phases=[4, 1], wild_placement="high_then_low")
    assert refusal(doubles, 0, lay("[R6 B6 G6 Y7]")) == ("not_consecutive", "X-P04")


def test_x_37_full_in_its_kind() -> None:
    """X-37: HC-133; `wild_on_full_run=true` lets wilds on (O-04)."""
    rows = {"laid": {0: 1}, "groups": [(1, "parityrun", "R1 B3 G5 Y7 R9 B11")]}
    state = laid_out(["W Y1 Y2", "Y3"], **rows)
    assert refusal(state, 0, Hit(0, "W", "high")) == ("full_run", "X-37")
    free = laid_out(["W Y1 Y2", "Y3"], wild_on_full_run=True, **rows)
    assert len(play(free, (0, Hit(0, "W", "low"))).groups[0].cards) == 7
    assert refusal(free, 0, Hit(0, "Y1", "high")) == ("full_run", "X-37")


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


PAIRS = {"laid": {0: 1}, "groups": [(1, "pairrun", "R6 B6 G7 Y7")]}


def test_x_55_whole_pairs() -> None:
    """X-55: HC-127 to HC-130; listed are whole pairs, in one order."""
    state = laid_out(["R8 B8 W R5", "Y2"], **PAIRS)
    assert hits(state) == [
        *(Hit(0, "R5 W", "low"), Hit(0, "R8 W", "high")),
        *(Hit(0, "R8 B8", "high"), Hit(0, "W B8", "high")),
    ]
    after = play(state, (0, Hit(0, "B8 R8", "high")))
    assert (show(after.groups[0].cards), after.groups[0].high) == ("R6 B6 G7 Y7 B8 R8", 8)
    assert refusal(state, 0, Hit(0, "R8 R5", "high")) == ("does_not_fit", "X-50")
    last = laid_out(["R8 B8", "Y2"], going_out="discard_required", **PAIRS)
    assert refusal(last, 0, Hit(0, "R8 B8", "high")) == ("keep_a_card", "X-57")
    assert hits(last) == []


def test_x_55_single_cards() -> None:
    """`pairrun_hit=single_cards` (O-21): a pair may grow one card at a time, at both ends."""
    state = laid_out(["R8 W G8 B5 W R9 Y1", "Y2"], pairrun_hit="single_cards", **PAIRS)
    assert Hit(0, "R8", "high") in hits(state)
    state = play(state, (0, Hit(0, "R8", "high")), (0, Hit(0, "W", "low")))
    group = state.groups[0]
    assert (show(group.cards), group.low, group.high, group.half) == ("W R6 B6 G7 Y7 R8", 5, 8, 3)
    assert refusal(state, 0, Hit(0, "R9", "high")) == ("does_not_fit", "X-50")
    state = play(state, (0, Hit(0, "G8 R9", "high")), (0, Hit(0, "B5", "low")))
    group = state.groups[0]
    assert (show(group.cards), group.low, group.high) == ("B5 W R6 B6 G7 Y7 R8 G8 R9", 5, 9)
    assert group.half == 2
    group = play(state, (0, Hit(0, "W", "high"))).groups[0]
    assert (show(group.cards[-2:]), group.low, group.high, group.half) == ("R9 W", 5, 9, 0)


def test_x_55_no_pairs_at_all() -> None:
    """`pairrun_hit=none` (O-21)."""
    state = laid_out(["R8 B8 W R5", "Y2"], pairrun_hit="none", **PAIRS)
    assert hits(state) == []
    assert refusal(state, 0, Hit(0, "R8 B8", "high")) == ("no_pair_hits", "X-55")


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
