"""Every rule of RULES.md section 3, each test named by the rule's ID.

Rules that a worked case of section 8 shows have a row in `test_worked_standard_deck` as well.
"""

import pytest
from msgspec.structs import replace

from phaseledger.domain.cards import SKIP, WILD, parse, show
from phaseledger.domain.commands import (
    Discard,
    Draw,
    Hit,
    Lay,
    Pass,
    Rejected,
)
from phaseledger.domain.events import (
    GameEnded,
    RoundDealt,
    RoundEnded,
    SkipPlaced,
    SkipServed,
)
from phaseledger.domain.legal import legal
from phaseledger.domain.policies import SCORING
from phaseledger.domain.ruleset import Need
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.scenario import play_random
from tests.support.standard_deck_positions import (
    EIGHT,
    FREE,
    HEARTS,
    TEN,
    dealt_with,
    deck_of,
    laid_out,
    opened,
)
from tests.support.table import GAME, events_of, play, refusal
from tests.support.worked_cases import lay

STANDARD = preset("standard-deck")


def hand_of(state: State, seat: int) -> str:
    return show(state.seat(seat).hand, "french")


# --- players, deck, set-up ----------------------------------------------------------------------


@looped("seats", [2, 6])
def test_d_01_three_to_five_players(seats: int) -> None:
    """D-01."""
    with pytest.raises(Rejected) as refused:
        opened("standard-deck", seats)
    assert (refused.value.code, refused.value.rule) == ("seats_out_of_range", "D-01")
    assert [opened("standard-deck", n)[0].stage for n in (3, 4, 5)] == ["playing"] * 3


def test_d_02_to_d_05_the_deck() -> None:
    """D-02: 108 cards. D-03: 2 to K are ranks 1 to 12. D-04: Aces are wild. D-05: jokers skip."""
    cards = STANDARD.deck.cards()
    numbers = [card for card in cards if card & 15 <= 12]

    assert (len(cards), cards.count(WILD), cards.count(SKIP)) == (108, 8, 4)
    assert {(suit, rank): 2 for suit in range(4) for rank in range(1, 13)} == {
        (card >> 4, card & 15): numbers.count(card) for card in numbers
    }
    ranks = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"
    assert list(parse(ranks, "french")) == list(range(1, 13))
    assert set(parse("AH AS AD AC A", "french")) == {WILD}
    assert parse("*", "french") == bytes([SKIP])


def test_d_06_d_07_d_08_the_deal() -> None:
    """D-06: ten cards each, one by one. D-07: the rest is the stock. D-08: its top is turned up."""
    state, events = opened("standard-deck", 3)
    deck = deck_of(state)

    for place, seat in enumerate((1, 2, 0)):
        assert deck[place:30:3] == state.seat(seat).hand
    assert (deck[30:31], deck[31:]) == (state.discard, state.stock)
    assert isinstance(events[-2], RoundDealt)
    assert events[-2].hands == (10, 10, 10)


def test_d_09_an_initial_joker_stays() -> None:
    """D-09: nobody is skipped; `initial_skip` has the other ways (O-11)."""
    state, events = dealt_with("standard-deck", SKIP)
    assert (state.active, show(state.discard, "french")) == (1, "*")
    assert not [event for event in events if isinstance(event, SkipServed)]

    skipped, _ = dealt_with("standard-deck", SKIP, initial_skip="skip_first_player")
    assert (skipped.active, show(skipped.discard, "french")) == (2, "*")
    covered, _ = dealt_with("standard-deck", SKIP, initial_skip="cover")
    assert (covered.active, covered.discard[0], len(covered.discard)) == (1, SKIP, 2)
    returned, _ = dealt_with("standard-deck", SKIP, initial_skip="return_and_redraw")
    assert (returned.stock[-1], len(returned.discard)) == (SKIP, 1)


def test_d_10_an_initial_ace_may_be_drawn() -> None:
    """D-10; `initial_wild=return_and_redraw` puts it under the stock (O-12)."""
    state, _ = dealt_with("standard-deck", WILD)
    assert WILD in play(state, (1, Draw("discard"))).seat(1).hand
    returned, _ = dealt_with("standard-deck", WILD, initial_wild="return_and_redraw")
    assert returned.stock[-1] == WILD
    assert returned.discard[0] != WILD


def test_d_11_d_12_dealer_and_first_player() -> None:
    """D-11: the deal passes to the left. D-12: who sits left of the dealer begins, clockwise."""
    state = laid_out(["2H", "3H", "4H"], laid={0: 1})
    after = play(state, (0, Discard("2H")))
    assert (state.dealer, after.dealer, after.players) == (2, 0, (1, 2, 0))
    fixed = laid_out(["2H", "3H", "4H"], laid={0: 1}, dealer_rotation="fixed")
    assert play(fixed, (0, Discard("2H"))).dealer == 2
    first = laid_out(["2H", "3H", "4H"], laid={0: 1}, first_player="dealer")
    assert play(first, (0, Discard("2H"))).players == (0, 1, 2)


# --- the turn and the jokers --------------------------------------------------------------------


def test_d_13_one_card_is_drawn() -> None:
    """D-13: the top of the stock or of the pile, once."""
    state = laid_out(["2H", "3H", "4H"], question="draw", discard="9C 7H", stock="KS QS")
    assert hand_of(play(state, (0, Draw("stock"))), 0) == "2H KS"
    drawn = play(state, (0, Draw("discard")))
    assert hand_of(drawn, 0) == "2H 7H"
    assert refusal(drawn, 0, Draw()) == ("already_drawn", "D-13")
    bare = laid_out(["2H", "3H", "4H"], question="draw", discard="")
    assert refusal(bare, 0, Draw("discard")) == ("empty_discard_pile", "D-13")
    assert refusal(state, 1, Draw()) == ("not_your_turn", "D-12")


def test_d_14_d_15_how_a_turn_ends() -> None:
    """D-14: with one card discarded or a joker placed. D-15: never with a pass."""
    state = laid_out(["* 2H 3H", "3S", "4S"])
    assert list(legal(state, 0)) == [
        *(Discard("*", target) for target in (None, 1, 2)),
        *(Discard("2H"), Discard("3H")),
    ]
    (placed, *_) = events_of(state, 0, Discard("*", target=1))
    assert isinstance(placed, SkipPlaced)
    assert refusal(state, 0, Discard("2H 3H")) == ("one_card", "D-14")
    assert refusal(state, 0, Discard("")) == ("cards_needed", "")
    assert refusal(state, 0, Discard("2H", target=1)) == ("target_not_allowed", "D-14")
    assert refusal(state, 0, Pass()) == ("must_discard", "D-15")


def test_d_14_the_taken_card() -> None:
    """D-14: it may go back; `discard_taken_card=false` forbids that (O-36)."""
    state = laid_out(["2H", "3H", "4H"], question="draw", discard="9H", discard_taken_card=False)
    taken = play(state, (0, Draw("discard")))
    assert refusal(taken, 0, Discard("9H")) == ("taken_card", "D-14")
    free = laid_out(["2H", "3H", "4H"], question="draw", discard="9H")
    assert play(free, (0, Draw("discard")), (0, Discard("9H"))).active == 1


def test_d_16_d_17_whom_a_joker_may_hit() -> None:
    """D-16: nobody who has one in front. D-17: an opponent; `skip_repeat` waits longer (O-10)."""
    state = laid_out(["* * 2H", "* 3H 4S", "4H 5H"])
    assert refusal(state, 0, Discard("*", target=0)) == ("target_self", "D-17")
    assert refusal(state, 0, Discard("*", target=3)) == ("target_not_playing", "D-17")
    later = play(state, (0, Discard("*", target=1)), (2, Draw()), (2, Discard("4H")), (0, Draw()))
    assert play(later, (0, Discard("*", target=1))).active == 2
    strict = laid_out(["* * 2H", "3H 4S", "4H 5H"], skip_repeat="until_normal_turn")
    later = play(strict, (0, Discard("*", target=1)), (2, Draw()), (2, Discard("4H")), (0, Draw()))
    assert refusal(later, 0, Discard("*", target=1)) == ("target_served_recently", "D-16")


def test_d_21_under_an_empty_pile() -> None:
    """D-21: the joker is then the top, and may be drawn (D-22)."""
    after = play(laid_out(["* 2H", "3H", "4H"], discard=""), (0, Discard("*", target=1)))
    assert show(after.discard, "french") == "*"
    assert hand_of(play(after, (2, Draw("discard"))), 2) == "4H *"


def test_d_22_a_joker_may_be_drawn() -> None:
    """D-22; `skip_drawable=false` forbids it (O-13)."""
    rows = {"question": "draw", "discard": "7H *"}
    assert hand_of(play(laid_out(["2H", "", ""], **rows), (0, Draw("discard"))), 0) == "2H *"
    strict = laid_out(["2H", "", ""], skip_drawable=False, **rows)
    assert refusal(strict, 0, Draw("discard")) == ("skip_not_drawable", "D-22")
    assert [Draw("stock")] == list(legal(strict, 0))


def test_d_23_a_joker_without_effect() -> None:
    """D-23; `skip_plain_discard` forbids it, or allows it where nobody can be named (O-14)."""
    hands = ["* 2H", "3H", "4H"]
    assert play(laid_out(hands), (0, Discard("*"))).active == 1
    strict = laid_out(hands, skip_plain_discard=False)
    assert refusal(strict, 0, Discard("*")) == ("target_needed", "D-23")
    some = laid_out(hands, skip_plain_discard="only_if_no_target")
    assert refusal(some, 0, Discard("*")) == ("target_needed", "D-23")
    waiting = [replace(some.seat(n), skips=1) for n in (1, 2)]
    nobody = replace(some, seats=(some.seat(0), *waiting))
    assert Discard("*") in list(legal(nobody, 0))


def test_d_24_one_joker_a_turn() -> None:
    """D-24: placing it ends the turn."""
    state = laid_out(["* * 2H", "3H", "4H"])
    assert refusal(state, 0, Discard("* *", target=1)) == ("one_card", "D-14")
    after = play(state, (0, Discard("*", target=1)))
    assert refusal(after, 0, Discard("*", target=2)) == ("not_your_turn", "D-12")


def test_d_26_a_joker_as_last_card() -> None:
    """D-26: HC-193; `skip_as_last_card=false` leaves it in the hand (O-09)."""
    state = laid_out(["*", "3H", "4H"], laid={0: 1}, skip_as_last_card=False)
    assert refusal(state, 0, Discard("*", target=1)) == ("skip_as_last_card", "D-26")
    assert refusal(state, 0, Discard("*")) == ("skip_as_last_card", "D-26")
    assert play(state, (0, Pass())).active == 1


def test_d_27_other_ways_with_an_empty_stock() -> None:
    """D-27: HC-168; the whole pile, or the end of the round (O-01)."""
    rows = {"question": "draw", "discard": "* 2S 9H", "stock": ""}
    whole = laid_out(["2H", "", ""], stock_exhausted="reshuffle_all", **rows)
    after = play(whole, (0, Draw()))
    assert (after.discard, len(after.stock)) == (b"", 2)
    ends = laid_out(["2H", "AH", "3H"], stock_exhausted="end_round", **rows)
    ended, *_ = events_of(ends, 0, Draw())
    assert isinstance(ended, RoundEnded)
    assert (ended.out, [r.points for r in ended.results]) == (None, [5, 20, 5])


def test_d_28_no_card_to_draw() -> None:
    """D-28: the turn goes on without a draw; or the round ends (O-02).

    A joker on the pile could be drawn here (D-22), so the pile must be bare.
    """
    state = laid_out(["* 2H", "3H 4H", "4S"], discard="", stock="", skip_drawable=False)
    after = play(state, (0, Discard("*", target=2)))
    assert [(q.seat, q.kind) for q in after.waits] == [(1, "play")]
    assert play(after, (1, Discard("3H"))).active == 0
    lone = laid_out(["2H", "3H", "4H"], question="draw", discard="7H", stock="")
    assert refusal(lone, 0, Draw("stock")) == ("empty_stock", "D-28")
    rows = {"discard": "", "stock": "", "skip_drawable": False, "no_card_to_draw": "end_round"}
    ends = laid_out(["* 2H", "3H 4H", "4S"], **rows)
    assert play(ends, (0, Discard("*", target=2))).round == 2


def test_d_29_jokers_in_front_at_the_end_of_a_round() -> None:
    """D-29: gone (HC-197). With `skip_survives_round` the turn is lost all the same (O-15)."""
    state = laid_out(["*", "3H", "4H"], laid={0: 1}, skip_survives_round=True)
    *_, dealt, served, _ = events_of(state, 0, Discard("*", target=1))
    assert isinstance(dealt, RoundDealt)
    assert dealt.skips == (0, 1, 0)
    assert isinstance(served, SkipServed)
    assert (served.seat, served.card, served.to) == (1, "", "")
    after = play(state, (0, Discard("*", target=1)))
    assert (after.active, after.seat(1).front) == (2, b"")


# --- phases and combinations --------------------------------------------------------------------

PHASES = [
    ("D-P01", [("set", 3), ("set", 3)]),
    ("D-P02", [("set", 3), ("run", 4)]),
    ("D-P03", [("set", 4), ("run", 4)]),
    ("D-P04", [("run", 7)]),
    ("D-P05", [("run", 8)]),
    ("D-P06", [("run", 9)]),
    ("D-P07", [("set", 4), ("set", 4)]),
    ("D-P08", [("color", 7)]),
    ("D-P09", [("set", 5), ("set", 2)]),
    ("D-P10", [("set", 5), ("set", 3)]),
]


def test_d_p01_to_d_p10_the_phases() -> None:
    """D-P01..D-P10."""
    rows = [(rule, tuple(Need(kind, size) for kind, size in needs)) for rule, needs in PHASES]
    assert rows == [(phase.rule, phase.needs) for phase in STANDARD.phases]


def laid_groups(cards: str, phase: int = 1, **options: object) -> State:
    """The table after a seat that holds the cards and one more has laid them."""
    held = cards.replace("[", " ").replace("]", " ")
    state = laid_out([f"{held} 6C", "3S", "3C"], phases=[phase] * 3, **options)
    return play(state, (0, lay(cards)))


def test_d_32_a_run_may_wrap() -> None:
    """`run_wrap=true` (O-06): K is followed by 2; D-32 by default."""
    after = laid_groups("[5H 5S 5C] [QH KS 2D 3C]", 2, run_wrap=True)
    assert (after.groups[1].low, after.groups[1].high) == (11, 14)


def test_d_33_colour_is_suit() -> None:
    """D-33; `color_is_suit=false` makes it red and black, in laying, hitting and finding (O-17)."""
    reds = "[2H 2D 5H 9H JD QH AS]"
    held = f"{reds[1:-1]} KD KS 6C"
    strict = laid_out([held, "3S", "3C"], phases=[8, 1, 1], discard="7H")
    assert refusal(strict, 0, lay(reds)) == ("not_one_colour", "D-33")
    state = laid_out([held, "3S", "3C"], phases=[8, 1, 1], discard="7H", color_is_suit=False)
    assert any(isinstance(command, Lay) for command in legal(state, 0))
    after = play(state, (0, lay(reds)))
    assert [command for command in legal(after, 0) if isinstance(command, Hit)] == [Hit(0, "KD")]
    assert refusal(after, 0, Hit(0, "KS")) == ("does_not_fit", "D-50")
    assert len(play(after, (0, Hit(0, "KD"))).groups[0].cards) == 8
    black = laid_out(["2S 2C 5S 9C JS QC 6C 3H", "", ""], phases=[8, 1, 1], color_is_suit=False)
    assert play(black, (0, lay("[2S 2C 5S 9C JS QC 6C]"))).seat(0).laid == 8


def test_d_34_d_35_exactly_the_list() -> None:
    """D-34: no more and no fewer groups, all held. D-35: nor any others later (HC-203)."""
    state = laid_out(["JS JS JD 4H 4C 4C 9H 9S 9D 2H", "", ""])
    for cards, code in (
        ("[JS JS JD]", "incomplete_phase"),
        ("[JS JS JD] [4H 4C]", "incomplete_phase"),
        ("[JS JS JD] [4H 4C 4C] [9H 9S 9D]", "wrong_group_count"),
        ("[JS JS JH] [4H 4C 4C]", "not_in_hand"),
    ):
        assert refusal(state, 0, lay(cards)) == (code, "D-34")


def test_d_39_no_more_than_the_least() -> None:
    """`lay_oversize=false` (O-18); D-39 by default."""
    assert laid_groups("[JS JS JD JH] [4H 4C 4C]").seat(0).laid == 1
    state = laid_out(["JS JS JD JH 4H 4C 4C 2H", "", ""], lay_oversize=False)
    assert refusal(state, 0, lay("[JS JS JD JH] [4H 4C 4C]")) == ("oversize", "D-39")


def test_d_40_one_phase_a_round() -> None:
    """D-40."""
    after = laid_groups("[JS JS JD] [4H 4C 4C]")
    assert refusal(after, 0, lay("[6C 6C 6C] [3C 3C 3C]")) == ("already_laid", "D-40")


def test_d_42_where_naturals_are_needed() -> None:
    """D-42: in each group; `wild_min_scope` asks for less (O-03)."""
    hand = ["7H 7S 7D A A A 2H", "", ""]
    named = replace(lay("[7H 7S 7D] [A A A]"), groups=(*lay("[7H 7S 7D]").groups, _aces(11)))
    assert refusal(laid_out(hand), 0, named) == ("needs_natural", "D-42")
    after = play(laid_out(hand, wild_min_scope="phase"), (0, named))
    assert (after.groups[1].low, show(after.groups[1].cards, "french")) == (11, "A A A")
    bare = ["A A A A A A 2H", "", ""]
    aces = replace(named, groups=(_aces(11), _aces(12)))
    scoped = laid_out(bare, wild_min_scope="phase")
    assert refusal(scoped, 0, aces) == ("needs_natural", "D-42")
    assert play(laid_out(bare, wild_min_scope="none"), (0, aces)).seat(0).laid == 1
    wrong = replace(named, groups=(replace(named.groups[0], value=9), _aces(11)))
    assert refusal(laid_out(hand), 0, wrong) == ("value_mismatch", "D-43")


def _aces(value: int) -> object:
    return replace(lay("[A A A]").groups[0], value=value)


def test_d_44_laid_aces_stay() -> None:
    """D-44: no command takes a card off the table."""
    state = laid_out(["9H 2H", "", ""], laid={0: 1}, groups=[(1, "run", "7H AS 9S 10D")])
    assert {type(command) for command in legal(state, 0)} == {Discard}
    state = laid_out(["9H 2H", "", ""], laid={0: 1}, groups=[(1, "set", "9S 9C A")])
    after = play(state, (0, Hit(0, "9H")))
    assert show(after.groups[0].cards, "french") == "9S 9C A 9H"


FULL = "2H 3S 4D 5C 6H 7S 8D 9C 10H JS QD KC"


def test_d_45_a_full_run_takes_nothing() -> None:
    """D-45; `wild_on_full_run=true` lets Aces on (O-04)."""
    rows = {"laid": {0: 1}, "groups": [(1, "run", FULL)], "discard": "9D"}
    state = laid_out(["A 2S 9H", "", ""], **rows)
    assert refusal(state, 0, Hit(0, "A", "high")) == ("full_run", "D-45")
    assert refusal(state, 0, Hit(0, "2S", "high")) == ("full_run", "D-45")
    free = laid_out(["A 2S 9H", "", ""], wild_on_full_run=True, **rows)
    assert len(play(free, (0, Hit(0, "A", "low"))).groups[0].cards) == 13
    assert refusal(free, 0, Hit(0, "2S", "high")) == ("full_run", "D-45")


def test_d_46_no_ace_on_a_full_set() -> None:
    """`wild_on_full_set=false` (O-05); D-46 by default."""
    rows = {"laid": {0: 1}, "groups": [(1, "set", "9H 9S 9D 9C 9H 9S 9D 9C")]}
    assert len(play(laid_out(["A A 2H", "", ""], **rows), (0, Hit(0, "A A"))).groups[0].cards) == 10
    strict = laid_out(["A 2H", "", ""], wild_on_full_set=False, **rows)
    assert refusal(strict, 0, Hit(0, "A")) == ("full_set", "D-46")


# --- hits, end of the round, scoring ------------------------------------------------------------


def test_d_47_d_48_who_hits_and_when() -> None:
    """D-47: whoever has laid. D-48: in the turn of the lay (HC-201) and on later own turns."""
    groups = [(1, "set", "9H 9S 9D")]
    state = laid_out(["9C 2H", "9C 3H", "4H"], laid={1: 1}, groups=groups)
    assert refusal(state, 0, Hit(0, "9C")) == ("phase_not_laid", "D-47")
    assert refusal(state, 1, Hit(0, "9C")) == ("not_your_turn", "D-12")
    later = play(state, (0, Discard("2H")), (1, Draw()), (1, Hit(0, "9C")))
    assert len(later.groups[0].cards) == 4
    drawing = laid_out(["9C 2H", "", ""], question="draw", laid={0: 1}, groups=groups)
    assert refusal(drawing, 0, Hit(0, "9C")) == ("must_draw", "D-15")


def test_d_49_d_50_what_fits_where() -> None:
    """D-49: a laid combination belongs to nobody. D-50: rank, next rank, or suit."""
    groups = [
        (0, "set", "9H 9S 9D"),
        (1, "run", "5H 6S 7D 8C"),
        (2, "color", "2H 3H 4H 6H 7H 8H KH"),
    ]
    state = laid_out(["9C 4D 9H QH JS", "", ""], laid={0: 1}, groups=groups)
    hits = [Hit(0, "9C"), Hit(1, "4D", "low"), Hit(1, "9H", "high"), Hit(2, "QH")]
    after = play(state, *((0, hit) for hit in hits))
    assert [len(group.cards) for group in after.groups] == [4, 6, 8]
    for wrong in (Hit(0, "JS"), Hit(1, "JS", "high"), Hit(2, "JS")):
        assert refusal(state, 0, wrong) == ("does_not_fit", "D-50")
    wild = laid_out(["A 2S", "", ""], laid={0: 1}, groups=groups)
    assert refusal(wild, 0, Hit(1, "A")) == ("end_needed", "D-50")


def test_d_51_d_52_going_out() -> None:
    """D-51: the empty hand ends the round. D-52: without a discard, too; or not (O-08)."""
    rows = {"laid": {0: 1}, "groups": [(1, "set", "9H 9S 9D")]}
    assert play(laid_out(["2H", "3H", "4H"], **rows), (0, Discard("2H"))).round == 2
    assert play(laid_out(["9C", "3H", "4H"], **rows), (0, Hit(0, "9C"))).round == 2
    strict = laid_out(["9C", "3H", "4H"], going_out="discard_required", **rows)
    assert refusal(strict, 0, Hit(0, "9C")) == ("keep_a_card", "D-52")
    assert play(strict, (0, Discard("9C"))).round == 2


def test_d_53_d_54_d_55_penalties() -> None:
    """D-53: cards in hand only (HC-199). D-54: 5, 10, 15, 20. D-55: added up."""
    values = dict.fromkeys(["2H", "3S", "4D", "5C", "6H", "7S", "8D", "9C", "10H"], 5)
    values |= dict.fromkeys(["JS", "QD", "KC"], 10) | {"*": 15, "A": 20}
    assert values == {card: SCORING["points"](STANDARD, parse(card)) for card in values}
    groups = [(1, "set", "9H 9S 9D")]
    state = laid_out(
        ["2H", "A * KH 9C", "4H"], laid={0: 1, 1: 1}, points=[70, 40, 0], groups=groups
    )
    after = play(state, (0, Discard("2H")))
    assert [after.seat(n).points for n in range(3)] == [70, 90, 5]


# --- the four styles ----------------------------------------------------------------------------

STYLES = ["complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free"]


@pytest.mark.untraced
@looped("style", STYLES)
def test_d_56_d_59_whole_games(style: str) -> None:
    """D-56: chosen before play. D-59: ten rounds or more in the complete styles, else just ten."""
    for seats in (3 + 2 * style.endswith("free"),):
        state, log = play_random(GAME, seats, style, {"style": style}, "greedy", "standard-deck")
        assert isinstance(log[-1], GameEnded)
        complete = style.startswith("complete")
        assert state.round >= 10 if complete else state.round == 10
        best = min(state.seats, key=lambda seat: (-seat.made.bit_count() * complete, seat.points))
        assert state.seats[state.winners[0]].points == best.points


def test_d_57_in_order() -> None:
    """D-57: each seat its own next phase, whatever the others do."""
    state = laid_out(["2H", "3H", "4H"], phases=[3, 1, 7], laid={0: 3, 1: 1})
    after = play(state, (0, Discard("2H")))
    assert [after.seat(n).phase for n in range(3)] == [4, 2, 7]
    named = replace(lay("[JS JS JD] [4H 4C 4C]"), phase=1)
    state = laid_out(["JS JS JD 4H 4C 4C 2H", "", ""], phases=[2, 1, 1])
    assert refusal(state, 0, named) == ("wrong_phase", "D-57")


def _last(points: list[int], made: list[int], **options: object) -> GameEnded:
    """How a game ends when seat 0 goes out; the other two hold a card of 20 points."""
    state = laid_out(["2H", "A", "A"], points=points, **options)
    seats = tuple(replace(state.seat(n), made=made[n], laid=10) for n in range(3))
    state = replace(state, round=10, seats=seats)
    *_, ended = events_of(state, 0, Discard("2H"))
    assert isinstance(ended, GameEnded)
    return ended


ALL, NINE = (1 << 10) - 1, (1 << 9) - 1


@looped("style", ["complete_ordered", "complete_free"])
def test_d_58_d_63_d_65_the_first_to_finish(style: str) -> None:
    """D-58, D-63: all ten made, then fewer points. D-65: that round's penalties are included."""
    assert _last([500, 0, 0], [ALL, NINE, NINE], style=style).winners == (0,)
    assert _last([50, 31, 0], [ALL, ALL, NINE], style=style).winners == (0,)
    assert _last([52, 31, 0], [ALL, ALL, NINE], style=style).winners == (1,)


def test_d_60_the_phase_of_the_round() -> None:
    """D-60: everybody attempts phase n in round n, and after ten rounds it is over."""
    state = replace(laid_out(["2H", "3H", "4H"], laid={0: 1}, **TEN), round=1)
    after = play(state, (0, Discard("2H")))
    assert (after.round, [after.seat(n).phase for n in range(3)]) == (2, [2, 2, 2])


@looped("style", ["ten_rounds_ordered", "ten_rounds_free"])
def test_d_61_d_64_d_67_after_ten_rounds(style: str) -> None:
    """D-61, D-64: fewest points, then more phases. D-67: then shared; at once by O-23."""
    assert _last([200, 190, 300], [0b11, ALL, ALL], style=style).winners == (0,)
    assert _last([210, 190, 300], [0b11, 0b111, ALL], style=style).winners == (1,)
    assert _last([210, 190, 300], [0b111, 0b111, ALL], style=style).winners == (0, 1)
    shared = {"style": style, "final_tie_10rounds": "shared"}
    assert _last([210, 190, 300], [0b11, 0b111, ALL], **shared).winners == (0, 1)


def test_d_62_any_phase_once() -> None:
    """D-62: HC-175, HC-176; what is listed is any open phase, by its number."""
    state = laid_out([f"{HEARTS[1:-1]} 6C", "3S", "3C"], **FREE)
    listed = {command.phase for command in legal(state, 0) if isinstance(command, Lay)}
    assert listed == {8}
    after = play(state, (0, lay(HEARTS)), (0, Discard("6C")))
    assert (after.round, after.seat(0).made, after.seat(0).phase) == (2, 1 << 7, 1)
    last = replace(state, seats=(replace(state.seat(0), made=ALL ^ 1 << 7), *state.seats[1:]))
    assert play(last, (0, lay(HEARTS))).seat(0).made == ALL


def test_d_66_the_lowest_phase_by_itself() -> None:
    """`free_phase_named=auto_lowest` (O-37); D-66, HC-177 by default."""
    held = EIGHT.replace("[", "").replace("]", "")
    state = laid_out([f"{held} 6C", "3S", "3C"], free_phase_named="auto_lowest", **FREE)
    assert play(state, (0, lay(EIGHT))).seat(0).laid == 1
    assert play(state, (0, replace(lay(EIGHT), phase=7))).seat(0).laid == 7
    seven = replace(state, seats=(replace(state.seat(0), made=1), *state.seats[1:]))
    assert play(seven, (0, lay(EIGHT))).seat(0).laid == 7


def test_d_66_of_two_open_phases_it_is_the_one_that_the_cards_make() -> None:
    state = laid_out([f"{HEARTS[1:-1]} 6C", "3S", "3C"], **FREE)
    two = replace(state, seats=(replace(state.seat(0), made=ALL ^ 0b1000_0001), *state.seats[1:]))
    assert play(two, (0, replace(lay(HEARTS), phase=None))).seat(0).laid == 8


def test_d_66_phases_count_from_1() -> None:
    """No phase has the number 0 or 11, in any style."""
    for options in ({}, TEN, FREE):
        state = laid_out(["JS JS JD 4H 4C 4C 2H", "", ""], **options)
        for number in (0, 11):
            named = replace(lay("[JS JS JD] [4H 4C 4C]"), phase=number)
            assert refusal(state, 0, named)[0] == "wrong_phase"


def test_d_67_other_ways_with_a_tie() -> None:
    """D-67: HC-228; `final_tie` replays, in a free style phase 10, or whoever went out (O-22)."""
    assert _last([70, 50, 0], [ALL, ALL, NINE], final_tie="went_out").winners == (0,)
    state = laid_out(["2H", "A", "A"], points=[70, 50, 0], final_tie="replay", **FREE)
    seats = tuple(replace(state.seat(n), made=m, laid=3) for n, m in enumerate([ALL, ALL, NINE]))
    after = play(replace(state, seats=seats), (0, Discard("2H")))
    assert (after.replay, set(after.players)) == (True, {0, 1})
    assert [after.seat(n).phase for n in (0, 1)] == [10, 10]
    tens = "[9H 9S 9D 9C 9H] [8H 8S 8D]"
    seat = replace(after.seat(after.active), hand=parse("9H 9S 9D 9C 9H 8H 8S 8D 2C"))
    seats = tuple(seat if n == after.active else after.seat(n) for n in range(3))
    playing = replace(after, seats=seats, waits=(replace(after.waits[0], kind="play"),))
    assert play(playing, (after.active, lay(tens))).seat(after.active).laid == 10
