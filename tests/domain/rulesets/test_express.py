"""Every rule of RULES.md section 4, each test named by the rule's ID.

Rules that a worked case of section 8 shows have a row in `test_worked_express` as well.
"""

import pytest
from msgspec.structs import replace

from phaseledger.domain.cards import COLOURS, NAMES, SKIP, WILD, parse, show
from phaseledger.domain.commands import Command, Discard, Draw, Hit, Lay, Pass, Rejected
from phaseledger.domain.events import (
    CardDiscarded,
    GameEnded,
    RoundDealt,
    RoundEnded,
    SkipPlaced,
    SkipServed,
)
from phaseledger.domain.legal import legal
from phaseledger.domain.play.rounds import _turned_up
from phaseledger.domain.policies import SCORING
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import Need
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.express_positions import laid_out, valued
from tests.support.standard_deck_positions import dealt_with, deck_of, opened
from tests.support.table import events_of, play, refusal
from tests.support.worked_cases import lay

EXPRESS = preset("express")


# --- players, deck, set-up ----------------------------------------------------------------------


def test_x_01_two_to_six_players() -> None:
    """X-01; `players` says otherwise (O-19)."""
    for seats in (1, 7):
        with pytest.raises(Rejected) as refused:
            opened("express", seats)
        assert (refused.value.code, refused.value.rule) == ("seats_out_of_range", "X-01")
    assert [opened("express", n)[0].stage for n in range(2, 7)] == ["playing"] * 5
    with pytest.raises(Rejected):
        opened("express", 5, players="2-4")
    assert len(opened("express", 9, players="3-9")[0].stock) == 54 - 9 * 5 - 1


def test_x_02_x_03_x_04_the_deck() -> None:
    """X-02: 54 cards. X-03: the white cards are the wilds. X-04: nothing else is in it."""
    cards = EXPRESS.deck.cards()
    numbers = [card for card in cards if card & 15 <= 12]

    assert (len(cards), cards.count(WILD), cards.count(SKIP)) == (54, 3, 3)
    assert sorted(numbers) == [colour << 4 | rank for colour in range(4) for rank in range(1, 13)]


def test_x_03_no_white_cards() -> None:
    """`express_white_cards=none` (O-20): 51 cards."""
    options = {"express_white_cards": "none", "initial_wild": "return_and_redraw"}
    state, _ = opened("express", 6, **options)
    assert len(state.ruleset.deck.cards()) == 51
    assert WILD not in state.ruleset.deck.cards()


def test_x_05_x_06_x_07_the_deal() -> None:
    """X-05: five cards each. X-06: the rest is the stock. X-07: its top is turned up."""
    state, _ = opened("express", 3)
    deck = deck_of(state)

    for place, seat in enumerate((1, 2, 0)):
        assert deck[place:15:3] == state.seat(seat).hand
    assert (deck[15:16], deck[16:]) == (state.discard, state.stock)


def test_x_08_x_09_dealer_and_first_player() -> None:
    """X-08: who sits left of the dealer begins, clockwise. X-09: and deals the next round."""
    state = laid_out(["R2", "R3", "R4"], laid={0: 1})
    after = play(state, (0, Discard("R2")))
    assert (state.dealer, after.dealer, after.players) == (2, 0, (1, 2, 0))
    fixed = laid_out(["R2", "R3", "R4"], laid={0: 1}, dealer_rotation="fixed")
    assert play(fixed, (0, Discard("R2"))).dealer == 2
    first = laid_out(["R2", "R3", "R4"], laid={0: 1}, first_player="dealer")
    assert play(first, (0, Discard("R2"))).players == (0, 1, 2)
    chance = laid_out(["R2", "R3", "R4"], laid={0: 1}, first_player="random")
    assert play(chance, (0, Discard("R2"))).players in ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def test_x_10_an_initial_wild_may_be_taken() -> None:
    """X-10."""
    state, _ = dealt_with("express", WILD)
    assert WILD in play(state, (1, Draw("discard"))).seat(1).hand


def test_x_11_an_initial_skip() -> None:
    """X-11: the first player's turn is skipped; the skip stays where it is (X-14)."""
    state, events = dealt_with("express", SKIP)
    assert [event.seat for event in events if isinstance(event, SkipServed)] == [1]
    assert (state.active, show(state.discard)) == (2, "S")
    assert refusal(state, 2, Draw("discard")) == ("skip_not_drawable", "X-14")


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


# --- the turn -----------------------------------------------------------------------------------


def test_x_12_four_steps_in_order() -> None:
    """X-12: draw, lay, hit, discard."""
    groups = [(1, "set", "R9 B9 G9")]
    state = laid_out(["R1 B3 G5 Y7 Y9", "R2"], question="draw", groups=groups)
    for early in (lay("[R1 B3 G5 Y7]"), Hit(0, "Y9"), Discard("Y9"), Pass()):
        assert refusal(state, 0, early) == ("must_draw", "X-12")
    drawn = play(state, (0, Draw()))
    assert refusal(drawn, 0, Hit(0, "Y9")) == ("phase_not_laid", "X-47")
    hit = play(drawn, (0, lay("[R1 B3 G5 Y7]")), (0, Hit(0, "Y9")))
    last = show(hit.seat(0).hand)
    assert play(hit, (0, Discard(last))).round == 2


def test_x_13_x_15_one_card_is_drawn() -> None:
    """X-13: the top of either pile, once. X-15: of the stock where the other has none."""
    state = laid_out(["R2", "R3"], question="draw", discard="G1 G2", stock="B7 B8")
    assert show(play(state, (0, Draw("stock"))).seat(0).hand) == "R2 B7"
    drawn = play(state, (0, Draw("discard")))
    assert show(drawn.seat(0).hand) == "R2 G2"
    assert refusal(drawn, 0, Draw()) == ("already_drawn", "X-13")
    bare = laid_out(["R2", "R3"], question="draw", discard="")
    assert refusal(bare, 0, Draw("discard")) == ("empty_discard_pile", "X-15")
    assert [Draw("stock")] == list(legal(bare, 0))


def test_x_14_a_skip_is_never_drawn() -> None:
    """X-14: HC-154; `skip_drawable=true` allows it (O-13)."""
    state = laid_out(["R2", "R3"], question="draw", discard="R1 S", skip_drawable=True)
    assert show(play(state, (0, Draw("discard"))).seat(0).hand) == "R2 S"


def test_x_16_a_turn_ends_with_a_card() -> None:
    """X-16: face up; with `discard_taken_card=false` not the one just taken (O-36)."""
    state = laid_out(["R2 R3", "R4"])
    (discarded, *_) = events_of(state, 0, Discard("R2"))
    assert isinstance(discarded, CardDiscarded)
    assert (discarded.cards, discarded.hidden) == ("R2", {})
    assert refusal(state, 0, Pass()) == ("must_discard", "X-16")
    assert refusal(state, 0, Discard("")) == ("cards_needed", "")
    rows = {"question": "draw", "discard": "R9"}
    strict = laid_out(["R2", "R3"], discard_taken_card=False, **rows)
    taken = play(strict, (0, Draw("discard")))
    assert refusal(taken, 0, Discard("R9")) == ("taken_card", "X-16")


def test_x_17_other_ways_with_an_empty_stock() -> None:
    """X-17: HC-168; the whole pile, or the end of the round (O-01)."""
    rows = {"question": "draw", "discard": "B2 G4 R9", "stock": ""}
    whole = play(laid_out(["R2", "R3"], stock_exhausted="reshuffle_all", **rows), (0, Draw()))
    assert (whole.discard, len(whole.stock)) == (b"", 2)
    ends = laid_out(["R2", "W"], stock_exhausted="end_round", **rows)
    ended, *_ = events_of(ends, 0, Draw())
    assert isinstance(ended, RoundEnded)
    assert (ended.out, [result.points for result in ended.results]) == (None, [5, 25])


def test_x_18_no_card_to_draw() -> None:
    """X-18: the turn goes on without a draw; or the round ends (O-02)."""
    rows = {"discard": "", "stock": ""}
    state = laid_out(["S R1", "R3 R4", "R5"], **rows)
    after = play(state, (0, Discard("S", target=1)))
    assert [(q.seat, q.kind) for q in after.waits] == [(2, "play")]
    lone = laid_out(["R2", "R3"], question="draw", discard="R9", stock="")
    assert refusal(lone, 0, Draw("stock")) == ("empty_stock", "X-18")
    ends = laid_out(["S R1", "R3 R4", "R5"], no_card_to_draw="end_round", **rows)
    assert play(ends, (0, Discard("S", target=1))).round == 2


# --- phases and combinations --------------------------------------------------------------------

PHASES = [
    ("X-P01", [Need("parity", 4, "odd")]),
    ("X-P02", [Need("set", 2), Need("set", 2)]),
    ("X-P03", [Need("parity", 4, "even")]),
    ("X-P04", [Need("pairrun", 2)]),
    ("X-P05", [Need("set", 3)]),
    ("X-P06", [Need("run", 4)]),
    ("X-P07", [Need("colorrun", 3)]),
    ("X-P08", [Need("parityrun", 4, "odd")]),
    ("X-P09", [Need("parityrun", 4, "even")]),
    ("X-P10", [Need("color", 4)]),
]


def test_x_p01_to_x_p10_the_phases() -> None:
    """X-P01..X-P10."""
    rows = [(rule, tuple(needs)) for rule, needs in PHASES]
    assert rows == [(phase.rule, phase.needs) for phase in EXPRESS.phases]


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


def test_x_25_x_26_x_27_one_whole_phase() -> None:
    """X-25: in order, from phase 1. X-26: one a round. X-27: all of it, all held."""
    state, _ = opened("express", 3)
    assert [state.seat(n).phase for n in range(3)] == [1, 1, 1]
    state = laid_out(["R1 B3 G5 Y7 R7 B7", "Y2"], phases=[2, 1])
    assert refusal(state, 0, replace(lay("[R1 B3 G5 Y7]"), phase=1)) == ("wrong_phase", "X-25")
    assert refusal(state, 0, lay("[R7 B7]")) == ("incomplete_phase", "X-27")
    assert refusal(state, 0, lay("[R7 B7] [R8 B8]")) == ("not_in_hand", "X-27")
    laid = play(laid_out(["R1 B3 G5 Y7 R7 B7", "Y2"]), (0, lay("[R1 B3 G5 Y7]")))
    assert refusal(laid, 0, lay("[R7 B7] [R7 B7]")) == ("already_laid", "X-26")
    assert refusal(laid, 1, lay("[Y2]")) == ("not_your_turn", "X-08")


def test_x_25_past_the_last_phase() -> None:
    """X-25: a seat that has made all has none to lay, named or not, and that is no error."""
    state = laid_out(["R1 B3 G5 Y7 R2", "Y2"], phases=[11, 1])
    assert {type(listed) for listed in legal(state, 0)} == {Discard}
    for command in (lay("[R1 B3 G5 Y7]"), replace(lay("[R1 B3 G5 Y7]"), phase=1)):
        assert refusal(state, 0, command) == ("wrong_phase", "X-25")


def test_x_28_x_29_made_or_tried_again() -> None:
    """X-28: made when laid (HC-213). X-29: whoever has not laid tries the same phase again."""
    state = laid_out(["R2", "R3", "R4"], phases=[1, 4, 4], laid={0: 1, 1: 4})
    after = play(state, (0, Discard("R2")))
    assert [after.seat(n).phase for n in range(3)] == [2, 5, 4]
    assert after.seat(1).made == 0b1111


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


def test_x_44_when_one_may_be_skipped_again() -> None:
    """X-44: HC-186; `skip_repeat=until_normal_turn` waits for one (O-10)."""
    strict = {"skip_repeat": "until_normal_turn", "skip_plain_discard": "only_if_no_target"}
    state = laid_out(["S S R1", "R2", "R3 R4"], **strict)
    state = play(state, (0, Discard("S", target=1)), (2, Draw()), (2, Discard("R3")), (0, Draw()))
    assert refusal(state, 0, Discard("S", target=1)) == ("target_served_recently", "X-44")
    assert play(state, (0, Discard("S", target=2))).active == 1


def test_x_45_a_skip_needs_a_target() -> None:
    """X-45; `skip_plain_discard` allows it without one (O-14)."""
    state = laid_out(["S R1", "R2"])
    assert refusal(state, 0, Discard("S")) == ("target_needed", "X-45")
    free = laid_out(["S R1", "R2"], skip_plain_discard=True)
    after = play(free, (0, Discard("S")))
    assert (after.active, show(after.discard)) == (1, "Y12 S")


def test_x_46_a_skip_as_last_card() -> None:
    """X-46: HC-194; `skip_as_last_card=false` leaves it in the hand (O-09)."""
    state = laid_out(["S", "R2"], laid={0: 1}, skip_as_last_card=False)
    assert refusal(state, 0, Discard("S", target=1)) == ("skip_as_last_card", "X-46")
    assert [Pass()] == list(legal(state, 0))


# --- hits ---------------------------------------------------------------------------------------


def test_x_47_x_48_who_hits_and_when() -> None:
    """X-47: whoever has laid. X-48: on one's own turn."""
    groups = [(1, "set", "R9 B9 G9")]
    state = laid_out(["Y9 R1", "Y8 R2"], laid={1: 1}, groups=groups)
    assert refusal(state, 0, Hit(0, "Y9")) == ("phase_not_laid", "X-47")
    assert refusal(state, 1, Hit(0, "Y8")) == ("not_your_turn", "X-08")


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


def test_x_51_wilds_on_a_set_without_limit() -> None:
    """X-51; `wild_on_full_set=false` stops at the four cards of a number (O-05)."""
    rows = {"laid": {0: 1}, "groups": [(1, "set", "R9 B9 G9 Y9")]}
    assert len(play(laid_out(["W W R1", ""], **rows), (0, Hit(0, "W W"))).groups[0].cards) == 6
    strict = laid_out(["W R1", ""], wild_on_full_set=False, **rows)
    assert refusal(strict, 0, Hit(0, "W")) == ("full_set", "X-51")


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


def test_x_56_x_57_x_58_going_out() -> None:
    """X-56: at once for all. X-57: by a hit, a discard or both. X-58: scores 0."""
    rows = {"laid": {0: 1}, "groups": [(1, "set", "R9 B9 G9")], "points": [30, 40]}
    for hand, acts in (
        ("Y9", [Hit(0, "Y9")]),
        ("R1", [Discard("R1")]),
        ("Y9 R1", [Hit(0, "Y9"), Discard("R1")]),
    ):
        state = laid_out([hand, "Y2"], **rows)
        *before, last = acts
        state = play(state, *((0, act) for act in before))
        ended = events_of(state, 0, last)[1]
        assert isinstance(ended, RoundEnded)
        assert (ended.out, [r.points for r in ended.results]) == (0, [0, 5])
    strict = laid_out(["Y9", "Y2"], going_out="discard_required", **rows)
    assert refusal(strict, 0, Hit(0, "Y9")) == ("keep_a_card", "X-57")


def test_x_59_x_60_points() -> None:
    """X-59: 5, 10, 15, 25. X-60: laid cards and those in front cost nothing."""
    values = {"R1": 5, "B9": 5, "G10": 10, "Y12": 10, "S": 15, "W": 25}
    assert values == {card: SCORING["points"](EXPRESS, parse(card)) for card in values}
    state = laid_out(["R1", "W S Y11 G8"], laid={0: 1, 1: 1}, groups=[(1, "set", "R9 B9 G9")])
    seats = (state.seat(0), replace(state.seat(1), front=parse("S"), skips=1))
    after = play(replace(state, seats=seats), (0, Discard("R1")))
    assert after.seat(1).points == 55


def test_x_61_x_62_x_63_the_next_round() -> None:
    """X-61: whoever made the phase goes on. X-62: from the whole deck. X-63: skips are gone."""
    state = laid_out(["R1", "W S", "R3"], laid={0: 1, 2: 1}, groups=[(0, "set", "R9 B9 G9")])
    after = play(state, (0, Discard("R1")))
    assert [after.seat(n).phase for n in range(3)] == [2, 1, 2]
    piles = [after.stock, after.discard, *(after.seat(n).hand for n in range(3))]
    assert EXPRESS.deck.cards() == bytes(sorted(b"".join(piles)))
    kept = laid_out(["S", "R2", "R3"], laid={0: 1}, skip_survives_round=True)
    *_, dealt, _, _ = events_of(kept, 0, Discard("S", target=1))
    assert isinstance(dealt, RoundDealt)
    assert dealt.skips == (0, 1, 0)


def _last(points: list[int], phases: list[int], **options: object) -> GameEnded:
    """How a game ends when seat 0 goes out; seat 1 holds 5 points and has laid its phase too."""
    laid = {0: phases[0], 1: phases[1]}
    state = laid_out(["R2", "R3", "R4"], phases=phases, laid=laid, points=points, **options)
    *_, ended = events_of(state, 0, Discard("R2"))
    assert isinstance(ended, GameEnded)
    return ended


def test_x_64_x_65_the_winner() -> None:
    """X-64: phase 10 made at the end of a round. X-65: of several, the lowest score."""
    assert _last([500, 0, 0], [10, 9, 9]).winners == (0,)
    assert _last([80, 70, 0], [10, 10, 9]).winners == (1,)
    assert _last([80, 80, 0], [10, 10, 9]).winners == (0,)


def test_x_66_other_ways_with_a_tie() -> None:
    """X-66: HC-226; `final_tie` shares, or looks who went out; all may replay (O-22, O-24)."""
    assert _last([80, 75, 0], [10, 10, 9], final_tie="shared").winners == (0, 1)
    assert _last([80, 75, 0], [10, 10, 9], final_tie="went_out").winners == (0,)
    state = laid_out(
        ["R2", "R3", "R4"],
        phases=[10, 10, 9],
        laid={0: 10, 1: 10},
        points=[80, 75, 0],
        final_tie_replay="everybody",
    )
    after = play(state, (0, Discard("R2")))
    assert (after.replay, len(after.players), after.seat(2).phase) == (True, 3, 10)


TEN = {"variant": "ten_rounds"}


def test_x_67_ten_rounds() -> None:
    """X-67: a new phase in each (HC-231), no other; after ten, the lowest total."""
    state = laid_out(["R1 B3 G5 Y7 R2", "R3"], phases=[4, 4], **TEN)
    odd = replace(lay("[R1 B3 G5 Y7]"), phase=1)
    assert refusal(replace(state, round=4), 0, odd) == ("wrong_phase", "X-67")
    last = laid_out(["R2", "R3", "R4"], phases=[10] * 3, laid={0: 10}, points=[50, 40, 60], **TEN)
    assert play(replace(last, round=10), (0, Discard("R2"))).winners == (1,)


def test_x_68_equal_totals() -> None:
    """X-68: more phases made, then shared; `final_tie_10rounds=shared` at once (O-23)."""

    def winners(made: list[int], **options: object) -> tuple[int, ...]:
        rows = {"phases": [10] * 3, "laid": {0: 10}, "points": [20, 15, 60]}
        state = laid_out(["R1", "R2", "R3"], **TEN, **rows, **options)
        seats = tuple(replace(state.seat(n), made=made[n]) for n in range(3))
        return play(replace(state, round=10, seats=seats), (0, Discard("R1"))).winners

    assert winners([0b1, 0b111, 0]) == (1,)
    assert winners([0b11, 0b11, 0]) == (0, 1)
    assert winners([0b1, 0b111, 0], final_tie_10rounds="shared") == (0, 1)


def test_x_69_n_phases() -> None:
    """X-69: phase N takes the place of phase 10 (HC-232), in a replay as well."""
    options = {"variant": "n_phases(7)"}
    assert _last([80, 80, 0], [7, 7, 6], **options).winners == (0,)
    state = laid_out(
        ["R2", "R3", "R4"], phases=[7, 7, 6], laid={0: 7, 1: 7}, points=[80, 75, 0], **options
    )
    after = play(state, (0, Discard("R2")))
    assert (after.replay, [after.seat(n).phase for n in (0, 1)]) == (True, [7, 7])


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
