"""Every rule of RULES.md section 1 (and T-01..T-03), each test named by the rule's ID."""

import pytest
from msgspec.structs import replace

from phaseledger.domain import deal
from phaseledger.domain.cards import SKIP, WILD, parse, show
from phaseledger.domain.commands import (
    Act,
    Discard,
    Draw,
    Hit,
    OpenGame,
    Pass,
    Rejected,
    Start,
    TakeSeat,
)
from phaseledger.domain.decide import step
from phaseledger.domain.events import (
    CardDiscarded,
    CardDrawn,
    Event,
    GameEnded,
    RoundDealt,
    RoundEnded,
    SkipServed,
    TurnBegan,
)
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.play.rounds import _turned_up
from phaseledger.domain.policies import SCORING
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import Need
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Question, State
from tests.support.cases import looped
from tests.support.table import GAME, events_of, play, refusal, table
from tests.support.worked_cases import lay

CLASSIC = preset("classic")


def opened(seats: int = 3, salt: int = 0, **options: OptionValue) -> tuple[State, list[Event]]:
    """A started game; ``salt`` chooses the server's secret, and so the deal."""
    secret = f"{salt:064x}"
    state, events = step(None, Act(OpenGame(GAME, "classic", seats, options, secret=secret)))
    log = list(events)
    for seat in range(seats):
        state, events = step(state, Act(TakeSeat(f"seat {seat}", secret="ab" * 32), seat))
        log += events
    state, events = step(state, Act(Start()))
    return state, log + list(events)


def deck_of(state: State) -> bytes:
    """The deck of round 1 as it was shuffled, top first."""
    key = deal.deal_key(bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript))
    return deal.shuffled(key, 1, 0, CLASSIC.deck.cards())


def dealt_with(top: int, seats: int = 3, **options: OptionValue) -> tuple[State, list[Event]]:
    """The first deal, by salt, in which the first card turned up is ``top``."""
    for salt in range(400):
        state, events = opened(seats, salt, **options)
        if deck_of(state)[10 * seats] == top:
            return state, events
    raise AssertionError("no such deal")


def of(kind: type, events: list[Event] | tuple[Event, ...]) -> list:
    return [event for event in events if isinstance(event, kind)]


# --- players, deck, set-up --------------------------------------------------------------------


@looped("seats", [1, 7])
def test_c_01_two_to_six_players(seats: int) -> None:
    """C-01."""
    with pytest.raises(Rejected) as refused:
        step(None, Act(OpenGame(GAME, "classic", seats, secret="0" * 64)))
    assert (refused.value.code, refused.value.rule) == ("seats_out_of_range", "C-01")
    assert [opened(n)[0].stage for n in range(2, 7)] == ["playing"] * 5


def test_c_02_c_03_c_04_the_deck() -> None:
    """C-02: 96 numbers, 8 wilds, 4 skips. C-03: nothing else. C-04: specials have no colour."""
    cards = CLASSIC.deck.cards()

    assert len(cards) == 108
    assert (cards.count(WILD), cards.count(SKIP)) == (8, 4)
    numbers = [card for card in cards if card & 15 <= 12]
    assert {(colour, rank): 2 for colour in range(4) for rank in range(1, 13)} == {
        (card >> 4, card & 15): numbers.count(card) for card in numbers
    }


def test_c_05_c_06_c_07_the_deal() -> None:
    """C-05: ten cards each. C-06: the rest is the stock. C-07: its top starts the pile."""
    state, events = opened(3)

    assert [len(state.seat(n).hand) for n in range(3)] == [10, 10, 10]
    assert (len(state.discard), len(state.stock)) == (1, 77)
    (dealt,) = of(RoundDealt, events)
    assert (len(dealt.discard.split()), dealt.stock) == (1, 77)


def test_c_05_one_card_at_a_time_from_the_dealers_left() -> None:
    """C-05: the deck's top card goes to the dealer's left, the second to the next, and so on."""
    state, _ = opened(3)
    deck = deck_of(state)
    assert [deck[i:30:3] for i in range(3)] == [state.seat(n).hand for n in (1, 2, 0)]
    assert deck[30:31] == state.discard
    assert deck[31:] == state.stock


def test_c_08_the_deal_passes_to_the_left() -> None:
    """C-08, and `dealer_rotation=fixed`."""
    for options, dealer in (({}, 1), ({"dealer_rotation": "fixed"}, 0)):
        state = table(["R1", "R2", "R3"], laid={0: 1}, **options)
        state = replace(state, dealer=0)
        assert dealer == play(state, (0, Discard("R1"))).dealer


@looped(("rule", "first"), [("left_of_dealer", {1}), ("dealer", {0}), ("random", {0, 1, 2})])
def test_c_09_who_plays_first(rule: str, first: set[int]) -> None:
    """C-09: left of the dealer, clockwise; `first_player` says otherwise (O-16)."""
    deals = [opened(3, salt, first_player=rule)[1] for salt in range(12)]
    players = [of(RoundDealt, events)[0].players for events in deals]

    assert first == {order[0] for order in players}
    assert {(0, 1, 2), (1, 2, 0), (2, 0, 1)} >= set(players)


def test_c_09_turns_go_clockwise() -> None:
    """C-09: after seat 0 seat 1, and nobody else may act."""
    state = table(["R1 R2", "R3 R4", "R5 R6"])
    after = play(state, (0, Discard("R1")))

    assert after.active == 1
    assert refusal(after, 2, Draw()) == ("not_your_turn", "C-09")


def test_c_10_c_11_an_initial_skip_skips_the_first_player() -> None:
    """C-10: left of the dealer loses the turn (HC-155). C-11: it cannot be taken."""
    state, events = dealt_with(SKIP)

    assert [event.seat for event in of(SkipServed, events)] == [1]
    assert state.active == 2
    assert refusal(state, 2, Draw("discard")) == ("skip_not_drawable", "C-15")


def test_c_10_hc_156_with_two_players_the_dealer_begins() -> None:
    """HC-156 (C-10, C-53)."""
    state, events = dealt_with(SKIP, seats=2)

    assert [event.seat for event in of(SkipServed, events)] == [1]
    assert state.active == 0


def test_c_12_an_initial_wild_may_be_taken() -> None:
    """C-12."""
    state, _ = dealt_with(WILD)

    assert WILD in play(state, (1, Draw("discard"))).seat(1).hand


def test_o_12_an_initial_wild_is_returned() -> None:
    """`initial_wild=return_and_redraw`: under the stock it goes (E5)."""
    state, events = dealt_with(WILD, initial_wild="return_and_redraw")

    assert state.stock[-1] == WILD
    assert set(of(RoundDealt, events)[0].returned.split()) == {"W"}
    assert state.discard[-1] != WILD
    assert len(state.stock) == 77


def test_t_01_t_03_hc_157_twist_covers_an_initial_skip() -> None:
    """HC-157, T-01: another card covers the skip, nobody is skipped. T-03: it stays below."""
    state, events = dealt_with(SKIP, initial_skip="cover")

    assert state.discard[0] == SKIP
    assert state.discard[-1] != SKIP
    assert of(SkipServed, events) == []
    top = show(state.discard[-1:])
    after = play(state, (1, Draw("discard")))
    assert top in show(after.seat(1).hand)
    after = play(after, (1, Discard(show(after.seat(1).hand[:1]))))
    assert after.discard[0] == SKIP


def test_t_02_a_covering_skip_is_covered_again() -> None:
    """T-02, on the one function that turns cards up."""
    options = resolve(CLASSIC, {"initial_skip": "cover"}).options
    stock, pile, returned = _turned_up(parse("S S R4 R5"), 1, options)
    assert (show(pile), show(stock), returned) == ("S S R4", "R5", b"")
    assert _turned_up(parse("S S"), 1, options) == (b"", parse("S S"), b"")


def test_o_11_an_initial_skip_is_returned_or_kept() -> None:
    """`initial_skip=return_and_redraw` puts it under the stock; `keep` does nothing at all."""
    state, events = dealt_with(SKIP, initial_skip="return_and_redraw")
    assert state.stock[-1] == SKIP
    assert of(SkipServed, events) == []

    state, events = dealt_with(SKIP, initial_skip="keep")
    assert bytes([SKIP]) == state.discard
    assert of(SkipServed, events) == []


# --- the turn ---------------------------------------------------------------------------------


def test_c_13_a_turn_in_order() -> None:
    """C-13: draw one, then discard one."""
    state = table(["R1 R2", "R3"], question="draw")

    assert refusal(state, 0, lay("[R1]")) == ("must_draw", "C-13")
    assert refusal(state, 0, Hit(0, "R1")) == ("must_draw", "C-13")
    drawn = play(state, (0, Draw()))
    assert refusal(drawn, 0, Draw()) == ("already_drawn", "C-13")
    assert refusal(drawn, 0, Discard("R1 R2")) == ("one_card", "C-13")
    assert refusal(drawn, 0, Discard(" ")) == ("cards_needed", "")
    assert play(drawn, (0, Discard("R1"))).active == 1


def test_c_14_the_top_card_and_nothing_else() -> None:
    """C-14: from the stock its top, from the pile its top."""
    state = table(["R1", "R3"], question="draw", discard="G1 G2", stock="B7 B8")

    assert parse("R1 B7") == play(state, (0, Draw("stock"))).seat(0).hand
    assert parse("R1 G2") == play(state, (0, Draw("discard"))).seat(0).hand


def test_c_15_skip_drawable_is_an_option() -> None:
    """C-15: never; O-13 `skip_drawable` allows it."""
    state = table(["R1", "R3"], question="draw", discard="S", skip_drawable=True)

    assert parse("R1 S") == play(state, (0, Draw("discard"))).seat(0).hand


def test_c_16_an_empty_pile() -> None:
    """C-16."""
    state = table(["R1", "R3"], question="draw", discard="")

    assert refusal(state, 0, Draw("discard")) == ("empty_discard_pile", "C-16")
    assert [Draw("stock")] == list(legal(state, 0))


def test_c_17_the_taken_card() -> None:
    """C-17: it may be discarded; `discard_taken_card=false` forbids its only copy."""
    free = table(["R1", "R3"], question="draw", discard="R9")
    assert play(free, (0, Draw("discard")), (0, Discard("R9"))).active == 1

    state = table(["R1 R2", "R3"], question="draw", discard="R9", discard_taken_card=False)
    taken = play(state, (0, Draw("discard")))
    assert refusal(taken, 0, Discard("R9")) == ("taken_card", "C-17")
    assert [Discard("R1"), Discard("R2")] == list(legal(taken, 0))
    twice = table(["R1 R9", "R3"], question="draw", discard="R9", discard_taken_card=False)
    assert play(twice, (0, Draw("discard")), (0, Discard("R9"))).active == 1


def test_c_17_nothing_but_the_taken_card_is_left() -> None:
    """`discard_taken_card=false` with no other card in hand: the turn ends without a discard."""
    state = table(
        ["Y9", "R3"],
        question="draw",
        laid={0: 1},
        discard="R1",
        groups=[(0, "set", "R9 B9 G9")],
        discard_taken_card=False,
    )
    state = play(state, (0, Draw("discard")), (0, Hit(0, "Y9")))

    assert [Pass()] == list(legal(state, 0))
    after = play(state, (0, Pass()))
    assert (after.active, len(after.seat(0).hand)) == (1, 1)


def test_c_19_other_ways_with_an_empty_stock() -> None:
    """C-19, `stock_exhausted`: the whole pile, or the end of the round (O-01)."""
    pile = {"discard": "R9 B2 G4", "stock": ""}
    state = table(["R1", "R3"], question="draw", stock_exhausted="reshuffle_all", **pile)
    after = play(state, (0, Draw()))
    assert (after.discard, len(after.stock)) == (b"", 2)

    state = table(["R1 W", "R3"], question="draw", stock_exhausted="end_round", **pile)
    ended, dealt, *_ = events_of(state, 0, Draw())
    assert isinstance(ended, RoundEnded)
    assert (ended.out, [result.points for result in ended.results]) == (None, [30, 5])
    assert isinstance(dealt, RoundDealt)
    assert ended.act == Act(Draw(), 0)


def test_c_19_only_when_the_stock_is_asked_for() -> None:
    """C-19: nothing is shuffled for a draw from the pile; one lone card cannot be reshuffled."""
    state = table(["R1", "R3"], question="draw", discard="R9 B2", stock="")
    (drawn,) = events_of(state, 0, Draw("discard"))
    assert isinstance(drawn, CardDrawn)

    state = table(["R1", "R3"], question="draw", discard="R9", stock="")
    assert refusal(state, 0, Draw("stock")) == ("empty_stock", "C-20")
    assert [Draw("discard")] == list(legal(state, 0))


def test_c_20_no_card_to_draw_may_end_the_round() -> None:
    """C-20, `no_card_to_draw=end_round` (O-02)."""
    state = table(["S R1", "R3", "R5"], discard="", stock="", no_card_to_draw="end_round")

    _, ended, *_ = events_of(state, 0, Discard("S", 1))[0:3]
    assert isinstance(ended, SkipServed)
    assert play(state, (0, Discard("S", 1))).round == 2


# --- phases -----------------------------------------------------------------------------------

PHASES = [
    ("C-P01", [("set", 3), ("set", 3)]),
    ("C-P02", [("set", 3), ("run", 4)]),
    ("C-P03", [("set", 4), ("run", 4)]),
    ("C-P04", [("run", 7)]),
    ("C-P05", [("run", 8)]),
    ("C-P06", [("run", 9)]),
    ("C-P07", [("set", 4), ("set", 4)]),
    ("C-P08", [("color", 7)]),
    ("C-P09", [("set", 5), ("set", 2)]),
    ("C-P10", [("set", 5), ("set", 3)]),
]


NUMBERED = list(enumerate(PHASES, 1))


@looped(("number", "row"), NUMBERED, ids=[row[0] for row in PHASES])
def test_c_p01_to_c_p10(number: int, row: tuple[str, list[tuple[str, int]]]) -> None:
    """C-P01..C-P10: the ten phases."""
    phase = CLASSIC.phases[number - 1]
    assert (row[0], tuple(Need(kind, size) for kind, size in row[1])) == (phase.rule, phase.needs)


def test_c_21_phases_in_order() -> None:
    """C-21: everybody starts on phase 1 and cannot name another."""
    state, _ = opened(3)
    assert [state.seat(n).phase for n in range(3)] == [1, 1, 1]
    state = table(["R2 B2 G2 Y2 R3 B3 G3 Y3 R9", "R4"])
    seven = replace(lay("[R2 B2 G2 Y2] [R3 B3 G3 Y3]"), phase=7)
    assert refusal(state, 0, seven) == ("wrong_phase", "C-21")


def test_c_22_c_23_a_long_run_counts_once() -> None:
    """C-22, C-23: a run of nine laid in phase 4 makes phase 4 only."""
    hand = "R3 B4 G5 Y6 R7 B8 G9 Y10 R11"
    state = table([hand, "R4"], phases=[4, 1])

    _, ended, *_ = events_of(state, 0, lay(f"[{hand}]"))
    assert ended.results[0].phase == 5


def test_c_24_to_c_28_groups() -> None:
    """C-24 sets, C-25 runs, C-26 no wrap, C-27 one colour, C-28 two sets of one number."""
    hand = "R4 B4 G4 Y4 R4 B4 R9"
    state = table([hand, "R1"])
    assert play(state, (0, lay("[R4 B4 G4] [Y4 R4 B4]"))).seat(0).laid == 1


def test_o_06_a_run_may_wrap() -> None:
    """`run_wrap=true`: 12 is followed by 1, in laying and hitting; twelve cards are a full run."""
    state = table(
        ["R2 B2 G2 R11 B12 G1 Y2 R3 R9", "R4"], phases=[2, 1], run_wrap=True, discard="B9"
    )
    after = play(state, (0, lay("[R2 B2 G2] [R11 B12 G1 Y2]")), (0, Hit(1, "R3", "high")))
    assert (after.groups[1].low, after.groups[1].high) == (11, 15)
    full = "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12"
    state = table(["B1 R9", "R4"], laid={0: 1}, groups=[(0, "run", full)], run_wrap=True)
    assert refusal(state, 0, Hit(0, "B1", "high")) == ("full_run", "C-42")


def test_c_29_only_the_whole_phase_from_the_hand() -> None:
    """C-29: all of it, and all of it held."""
    state = table(["R5 B5 G5 R7 B7 R9", "R4"])
    assert refusal(state, 0, lay("[R5 B5 G5]")) == ("incomplete_phase", "C-29")
    assert refusal(state, 0, lay("[R5 B5 G5] [R7 B7 Y7]")) == ("not_in_hand", "C-29")
    assert refusal(state, 0, lay("[R5 B5 G5] [R7 B7]")) == ("incomplete_phase", "C-29")


def test_c_30_on_ones_own_turn() -> None:
    """C-30: after the draw, before the discard, and by nobody else."""
    hand = "R5 B5 G5 R7 B7 G7 R9"
    state = table(["R1 R2", hand])
    assert refusal(state, 1, lay("[R5 B5 G5] [R7 B7 G7]")) == ("not_your_turn", "C-09")


def test_c_31_more_than_the_least() -> None:
    """C-31; `lay_oversize=false` refuses it (O-18)."""
    hand = "R5 B5 G5 Y5 R7 B7 G7 R9"
    more = lay("[R5 B5 G5 Y5] [R7 B7 G7]")
    assert play(table([hand, "R1"]), (0, more)).seat(0).laid == 1
    strict = table([hand, "R1"], lay_oversize=False)
    assert refusal(strict, 0, more) == ("oversize", "C-31")


def test_c_33_c_67_credited_when_laid() -> None:
    """C-33: making it is enough. C-67: who laid goes on, the others repeat."""
    state = table(["R1", "R5 B5 G5 R7 B7 G7 R9 R2"], active=1, laid={0: 1})
    state = replace(state, stock=parse("B1 B2 B3"))
    state = play(state, (1, lay("[R5 B5 G5] [R7 B7 G7]")))
    assert state.seat(1).made == 1
    state = table(["R1", "R2 W", "R3"], phases=[1, 1, 1], laid={0: 1, 1: 1})
    after = play(state, (0, Discard("R1")))
    assert [after.seat(n).phase for n in range(3)] == [2, 2, 1]


def test_c_34_c_40_laid_cards_stay() -> None:
    """C-34, C-40: no command takes a card from a group, and a wild keeps its place."""
    state = table(["G5 R1", "R2"], laid={0: 1}, groups=[(0, "run", "R3 B4 W Y6")])
    kinds = {type(command).__name__ for command in legal(state, 0)}
    assert kinds <= {"Hit", "Discard", "Draw", "Lay", "Pass"}
    assert refusal(state, 0, Hit(0, "G5", "high")) == ("does_not_fit", "C-59")


# --- wilds ------------------------------------------------------------------------------------


def test_c_37_a_wild_is_no_skip() -> None:
    """C-37: it cannot name a target."""
    state = table(["W R1", "R2"])
    assert refusal(state, 0, Discard("W", 1)) == ("target_not_allowed", "C-44")


def test_c_38_one_natural_in_each_group() -> None:
    """C-38: per group; `wild_min_scope` makes it per phase, or none at all (O-03)."""
    hand = "R7 B7 G7 W W W W W W R9"
    valued = replace(lay("[R7 B7 G7] [W W W]"), groups=lay("[R7 B7 G7]").groups + _nines())
    assert refusal(table([hand, "R1"]), 0, valued) == ("needs_natural", "C-38")

    after = play(table([hand, "R1"], wild_min_scope="phase"), (0, valued))
    assert after.groups[1].low == 9
    assert len(play(after, (0, Hit(1, "R9"))).groups[1].cards) == 4
    bare = replace(valued, groups=_nines() + _nines())
    scoped = table([hand, "R1"], wild_min_scope="phase")
    assert refusal(scoped, 0, bare) == ("needs_natural", "C-38")
    assert play(table([hand, "R1"], wild_min_scope="none"), (0, bare)).seat(0).laid
    unnamed = lay("[R7 B7 G7] [W W W]")
    assert refusal(table([hand, "R1"]), 0, unnamed) == ("needs_natural", "C-38")
    free = table([hand, "R1"], wild_min_scope="none")
    assert refusal(free, 0, unnamed) == ("value_needed", "C-38")


def _nines() -> tuple:
    return tuple(replace(group, value=9) for group in lay("[W W W]").groups)


def test_c_40_the_end_is_said() -> None:
    """C-40, `wild_placement`: a wild that fits both ends needs the end said (O-07)."""
    rows = {"laid": {0: 1}, "groups": [(0, "run", "R5 B6 G7 Y8")]}
    state = table(["W R1", "R2"], **rows)
    assert refusal(state, 0, Hit(0, "W")) == ("end_needed", "C-40")
    assert play(table(["Y9 R1", "R2"], **rows), (0, Hit(0, "Y9"))).groups[0].high == 9
    helped = table(["W R1", "R2"], wild_placement="high_then_low", **rows)
    assert play(helped, (0, Hit(0, "W"))).groups[0].high == 9


def test_o_07_high_then_low_places_wilds() -> None:
    """`wild_placement=high_then_low`: gaps first, then the high end, then the low one."""
    state = table(["W W R9 B8 W Y11 W R1", "R2"], phases=[4, 1], wild_placement="high_then_low")
    after = play(state, (0, lay("[W W R9 B8 W Y11 W]")))
    assert show(after.groups[0].cards) == "W W B8 R9 W Y11 W"
    assert (after.groups[0].low, after.groups[0].high) == (6, 12)


@looped(
    ("revision", "named", "lies"),
    [
        (1, "W R5 B6 G7 Y8 R9 B10", "R5 B6 G7 Y8 R9 B10 W"),
        (1, "B10 R9 W Y8 G7 B6 R5", "R5 B6 G7 Y8 R9 B10 W"),
        (1, "B12 R11 W W W G10 Y8", "W W Y8 W G10 R11 B12"),
        (0, "W R5 B6 G7 Y8 R9 B10", "W R5 B6 G7 Y8 R9 B10"),
        (0, "B10 R9 W Y8 G7 B6 R5", "R5 B6 G7 Y8 R9 B10 W"),
    ],
)
def test_o_07_the_order_counts_for_nothing(revision: int, named: str, lies: str) -> None:
    """`wild_placement=high_then_low`: equal cards give equal runs; by revision 0 an order that
    made a run was kept.
    """
    state = table([f"{named} R1", "R2"], phases=[4, 1], wild_placement="high_then_low")
    state = replace(state, ruleset=replace(state.ruleset, revision=revision))
    after = play(state, (0, lay(f"[{named}]")))
    assert show(after.groups[0].cards) == lies


def test_c_41_a_wild_hits_whatever_it_extends() -> None:
    """C-41."""
    groups = [(0, "set", "R4 B4 G4"), (0, "color", "G1 G3 G5 G6 G7 G8 G9")]
    state = table(["W W R1", "R2"], laid={0: 1}, groups=groups)
    after = play(state, (0, Hit(0, "W")), (0, Hit(1, "W")))
    assert [len(group.cards) for group in after.groups] == [4, 8]


def test_c_42_a_full_run_takes_nothing() -> None:
    """C-42; `wild_on_full_run=true` lets wilds on, at either end (O-04)."""
    full = "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12"
    rows = {"laid": {0: 1}, "groups": [(0, "run", full)]}
    state = table(["W B1 R1", "R2"], discard="R5", **rows)
    assert refusal(state, 0, Hit(0, "W", "low")) == ("full_run", "C-42")
    assert refusal(state, 0, Hit(0, "B1", "high")) == ("full_run", "C-42")
    free = table(["W W B1 R1", "R2"], discard="R5", wild_on_full_run=True, **rows)
    after = play(free, (0, Hit(0, "W", "low")), (0, Hit(0, "W", "high")))
    assert (
        show(after.groups[0].cards[:1]),
        show(after.groups[0].cards[-1:]),
        len(after.groups[0].cards),
    ) == ("W", "W", 14)
    assert refusal(free, 0, Hit(0, "B1", "low")) == ("full_run", "C-42")


def test_c_43_wilds_on_a_set_without_limit() -> None:
    """C-43; `wild_on_full_set=false` stops at eight cards (O-05)."""
    rows = {"laid": {0: 1}, "groups": [(0, "set", "R9 B9 G9 Y9 R9 B9 G9 Y9")]}
    assert len(play(table(["W W R1", "R2"], **rows), (0, Hit(0, "W W"))).groups[0].cards) == 10
    strict = table(["W W R1", "R2"], wild_on_full_set=False, **rows)
    assert refusal(strict, 0, Hit(0, "W")) == ("full_set", "C-43")
    rows = {"laid": {0: 1}, "groups": [(0, "set", "R9 B9 G9 Y9 R9 B9 G9 W")]}
    strict = table(["W Y9 R1", "R2"], wild_on_full_set=False, **rows)
    assert refusal(strict, 0, Hit(0, "W")) == ("full_set", "C-43")
    assert len(play(strict, (0, Hit(0, "Y9"))).groups[0].cards) == 9
    mixed = table(["W R4 B4 G4 Y4 R4 B4 G4 Y4 R5 B5 G5 R7", "R2"], wild_on_full_set=False)
    assert play(mixed, (0, lay("[W R4 B4 G4 Y4 R4 B4 G4 Y4] [R5 B5 G5]"))).seat(0).laid
    laid = table(["R4 B4 G4 Y4 R4 B4 G4 W W R5 B5 G5", "R2"], wild_on_full_set=False)
    assert refusal(laid, 0, lay("[R4 B4 G4 Y4 R4 B4 G4 W W] [R5 B5 G5]")) == ("full_set", "C-43")


# --- skips ------------------------------------------------------------------------------------


def test_c_44_c_46_a_skip_is_discarded_with_a_target() -> None:
    """C-44: the player names who loses the next turn. C-46: the card is on top of the pile."""
    state = table(["S R1", "R2", "R3"])
    assert refusal(state, 0, Discard("S")) == ("target_needed", "C-44")
    after = play(state, (0, Discard("S", 1)))
    assert after.discard[-1] == SKIP
    assert after.active == 2


def test_o_14_a_skip_without_target() -> None:
    """`skip_plain_discard` (O-14): allowed, or only where nobody can be named."""
    free = table(["S R1", "R2"], skip_plain_discard=True)
    assert play(free, (0, Discard("S"))).active == 1
    some = table(["S R1", "R2"], skip_plain_discard="only_if_no_target")
    assert refusal(some, 0, Discard("S")) == ("target_needed", "C-44")
    seats = (some.seat(0), replace(some.seat(1), skips=1))
    none = replace(some, seats=seats)
    assert play(none, (0, Discard("S"))).active == 0


def test_c_45_any_other_player() -> None:
    """C-45: not only the next one; nobody who does not play."""
    state = table(["S R1", "R2", "R3", "R4"])
    assert [c.target for c in legal(state, 0) if c == Discard("S", c.target)] == [1, 2, 3]
    assert refusal(state, 0, Discard("S", 9)) == ("target_not_playing", "C-45")


def test_c_49_c_52_again_only_after_the_lost_turn() -> None:
    """C-49, C-52: named again as soon as the turn is lost; `skip_repeat` waits for a normal one."""
    hands = ["S S R1 R2", "S R3", "R4 R5 R6"]
    state = play(table(hands, stock="B1 B2 B3 B4"), (0, Discard("S", 1)), (2, Draw()))
    state = play(state, (2, Discard("R4")), (0, Draw()))
    after = play(state, (0, Discard("S", 1)))
    assert after.active == 2

    strict = {"skip_repeat": "until_normal_turn", "skip_plain_discard": "only_if_no_target"}
    state = table(hands, stock="B1 B2 B3 B4", **strict)
    state = play(state, (0, Discard("S", 1)), (2, Draw()), (2, Discard("R4")), (0, Draw()))
    assert refusal(state, 0, Discard("S", 1)) == ("target_served_recently", "C-52")
    state = play(state, (0, Discard("R1")))
    assert (state.active, state.seat(1).served) == (1, False)


def test_c_50_a_skipped_turn_is_nothing() -> None:
    """C-50: served at once, without a command; the turn counts."""
    events = events_of(table(["S R1", "R2", "R3"]), 0, Discard("S", 1))
    kinds = [type(event) for event in events]
    assert [CardDiscarded, SkipServed, TurnBegan] == kinds
    assert [events[1].turn, events[2].turn] == [2, 3]
    after = play(table(["S R1", "R2", "R3"]), (0, Discard("S", 1)))
    assert refusal(after, 1, Draw()) == ("not_your_turn", "C-09")


def test_c_51_one_skip_a_turn() -> None:
    """C-51: the discard ends the turn."""
    after = play(table(["S S R1", "R2", "R3"]), (0, Discard("S", 1)))
    assert refusal(after, 0, Discard("S", 2)) == ("not_your_turn", "C-09")


def test_c_53_with_two_the_skipper_plays_again() -> None:
    """C-53."""
    assert play(table(["S R1", "R2"]), (0, Discard("S", 1))).active == 0


def test_c_54_a_skip_as_last_card() -> None:
    """C-54: allowed (HC-192); `skip_as_last_card=false` leaves it in the hand (O-09)."""
    state = table(["S", "R2"], laid={0: 1}, skip_as_last_card=False)
    assert refusal(state, 0, Discard("S", 1)) == ("skip_as_last_card", "C-54")
    assert [Pass()] == list(legal(state, 0))
    assert play(state, (0, Pass())).active == 1


def test_c_55_skips_may_survive_the_round() -> None:
    """C-55: forgotten (HC-197); `skip_survives_round=true` keeps them (O-15)."""
    state = table(["S", "R2", "R3"], laid={0: 1}, skip_survives_round=True)
    *_, dealt = of(RoundDealt, events_of(state, 0, Discard("S", 1)))
    assert dealt.skips == (0, 1, 0)


# --- hits -------------------------------------------------------------------------------------


def test_c_56_c_57_when_to_hit() -> None:
    """C-56: after one's own phase. C-57: on one's own turn, between draw and discard."""
    groups = [(1, "set", "R9 B9 G9")]
    state = table(["Y9 R1", "R2 Y9"], laid={1: 1}, groups=groups)
    assert refusal(state, 0, Hit(0, "Y9")) == ("phase_not_laid", "C-56")
    assert refusal(state, 1, Hit(0, "Y9")) == ("not_your_turn", "C-09")
    drawing = table(["Y9 R1", "R2"], laid={0: 1}, groups=groups, question="draw")
    assert refusal(drawing, 0, Hit(0, "Y9")) == ("must_draw", "C-13")


def test_c_58_c_59_c_60_what_to_hit() -> None:
    """C-58: any number on any group. C-59: each one fits. C-60: no new group."""
    groups = [
        (1, "set", "R9 B9 G9"),
        (0, "run", "R3 B4 G5 Y6"),
        (1, "color", "G1 G2 G3 G4 G7 G8 G9"),
    ]
    state = table(["Y9 R9 R7 B2 G12 R1", "R2"], laid={0: 1}, groups=groups, discard="B12")
    after = play(
        state, (0, Hit(0, "Y9 R9")), (0, Hit(1, "R7")), (0, Hit(1, "B2")), (0, Hit(2, "G12"))
    )
    assert [len(group.cards) for group in after.groups] == [5, 6, 8]
    assert refusal(state, 0, Hit(0, "R7")) == ("does_not_fit", "C-59")
    assert refusal(state, 0, Hit(2, "R7")) == ("does_not_fit", "C-59")
    for number in (-1, 3):
        assert refusal(state, 0, Hit(number, "R7")) == ("no_such_group", "C-60")
    assert refusal(state, 0, Hit(0, "G9")) == ("not_in_hand", "C-59")
    assert refusal(state, 0, Hit(0, "Z9"))[0] == "unknown_card"


# --- going out, scoring, end ------------------------------------------------------------------


def test_c_61_c_62_ways_of_going_out() -> None:
    """C-61: at once for all. C-62: by a hit as well; `going_out=discard_required` keeps a card."""
    rows = {"laid": {0: 1}, "groups": [(1, "set", "R9 B9 G9")]}
    assert play(table(["Y9", "R2"], **rows), (0, Hit(0, "Y9"))).round == 2
    strict = table(["Y9", "R2"], going_out="discard_required", **rows)
    assert refusal(strict, 0, Hit(0, "Y9")) == ("keep_a_card", "C-62")
    assert [Discard("Y9")] == list(legal(strict, 0))
    assert play(strict, (0, Discard("Y9"))).round == 2
    whole = table(["R5 B5 G5 R7 B7 G7", "R2"], going_out="discard_required")
    six = lay("[R5 B5 G5] [R7 B7 G7]")
    assert refusal(whole, 0, six) == ("keep_a_card", "C-62")
    assert six not in list(legal(whole, 0))


def test_c_63_to_c_66_points() -> None:
    """C-63: who went out, 0. C-64: values. C-65: hand only. C-66: totals add up."""
    score = SCORING["points"]
    values = {"R1": 5, "B9": 5, "G10": 10, "Y12": 10, "S": 15, "W": 25}
    assert values == {card: score(CLASSIC, parse(card)) for card in values}
    state = table(
        ["R1", "W S Y12 G9"], laid={0: 1, 1: 1}, points=[70, 40], groups=[(1, "set", "R9 B9 G9")]
    )
    after = play(state, (0, Discard("R1")))
    assert [after.seat(n).points for n in range(2)] == [70, 95]


def test_c_68_everything_is_shuffled_again() -> None:
    """C-68: the next deal is from the whole deck."""
    state = table(["R1", "W S", "R3"], laid={0: 1}, groups=[(0, "set", "R9 B9 G9")])
    after = play(state, (0, Discard("R1")))
    piles = [after.stock, after.discard, *(after.seat(n).hand for n in range(3))]
    assert CLASSIC.deck.cards() == bytes(sorted(b"".join(piles)))
    assert after.groups == ()


def test_c_69_c_70_the_end() -> None:
    """C-69: the first round with phase 10 made is the last. C-70: fewest points win."""
    state = table(
        ["R1", "R2 R3", "R4"], phases=[9, 10, 10], laid={0: 9, 1: 10, 2: 10}, points=[0, 50, 30]
    )
    *_, ended = events_of(state, 0, Discard("R1"))
    assert isinstance(ended, GameEnded)
    assert ended.winners == (2,)
    assert state.server_secret == ended.secret
    after = play(state, (0, Discard("R1")))
    assert refusal(after, 0, Draw()) == ("game_over", "")


def _tied(**options: object) -> State:
    return table(
        ["R1", "R2", "R3"],
        phases=[10, 10, 9],
        laid={0: 10, 1: 10},
        points=[55, 50, 0],
        **options,
    )


def test_c_71_c_72_the_tie_is_replayed() -> None:
    """C-71: replay of phase 10. C-72: only the tied, ten cards, points not recorded (HC-226)."""
    after = play(_tied(), (0, Discard("R1")))
    assert (True, {0, 1}) == (after.replay, set(after.players))
    # Seat 2 dealt last; the deal passes to the left, to seat 0, and seat 1 begins.
    assert (after.dealer, after.players[0]) == (0, 1)
    everybody = play(_tied(final_tie_replay="everybody"), (0, Discard("R1")))
    assert (everybody.replay, len(everybody.players)) == (True, 3)
    assert everybody.seat(2).phase == 10


def test_c_72_a_replay_that_a_limit_ends_is_shared() -> None:
    """C-72: where `max_turns_per_round` ends the replay, another would end no better."""
    after = play(_tied(max_turns_per_round=1), (0, Discard("R1")))
    assert (after.round, after.replay) == (2, True)
    last = play(after, (1, Draw()), (1, Discard(show(after.seat(1).hand[:1]))))
    assert (last.stage, last.winners) == ("ended", (0, 1))


@looped(
    ("revision", "out", "hands", "winners"),
    [
        (1, 0, ("R2", "R3", "R4"), (0,)),
        (1, 2, ("R3 B4", "W", "R2"), (0,)),
        (1, 2, ("W", "R3 B4", "R2"), (1,)),
        (1, 2, ("R3 B12", "S", "R2"), (0, 1)),
        (0, 0, ("R2", "R3", "R4"), (0,)),
        (0, 2, ("R3", "W", "R2"), None),
    ],
)
def test_c_72_only_the_tied_can_win_the_replay(
    revision: int, out: int, hands: tuple[str, ...], winners: tuple[int, ...] | None
) -> None:
    """C-71, `final_tie_replay=everybody`: a tied seat that goes out wins; if another does, the tied
    one with the fewest points in hand (O-24), which is shown. By revision 0 it is replayed again.
    """
    after = play(_tied(final_tie_replay="everybody"), (0, Discard("R1")))
    seats = [
        replace(player, laid=10 * (number == out), hand=parse(hand))
        for number, (player, hand) in enumerate(zip(after.seats, hands, strict=True))
    ]
    last = replace(
        after,
        ruleset=replace(after.ruleset, revision=revision),
        waits=(Question(out, "play"),),
        seats=tuple(seats),
    )
    _, ended, *_ = events_of(last, out, Discard(hands[out]))
    assert isinstance(ended, RoundEnded)
    shown = [hand if revision and seat != out else "" for seat, hand in enumerate(hands)]
    assert [result.hand for result in ended.results] == shown
    assert [result.points for result in ended.results] == [0, 0, 0]
    over = play(last, (out, Discard(hands[out])))
    assert (over.stage, over.winners) == (("ended", winners) if winners else ("playing", ()))


def test_c_72_a_replay_completes_nothing() -> None:
    """C-72: a phase laid in a replay is not credited again, and no hand is counted or shown."""
    after = play(_tied(final_tie_replay="everybody"), (0, Discard("R1")))
    hand = "R2 B2 G2 Y2 R2 B3 G3 Y3 W"
    last = replace(
        after,
        waits=(Question(2, "play"),),
        seats=(*after.seats[:2], replace(after.seat(2), hand=parse(hand))),
    )
    laid, *_ = events_of(last, 2, lay("[R2 B2 G2 Y2 R2] [B3 G3 Y3]"))
    assert laid.credited is False
    assert play(last, (2, lay("[R2 B2 G2 Y2 R2] [B3 G3 Y3]"))).seat(2).made == after.seat(2).made


def test_o_09_where_nobody_can_do_anything_the_round_ends() -> None:
    """`skip_as_last_card=false`, nothing to draw, a lone skip in every hand: all pass, once."""
    state = table(["S", "S", "S"], discard="S", stock="", skip_as_last_card=False)
    after = play(state, (0, Pass()), (1, Pass()))
    (_, ended, *_) = events_of(after, 2, Pass())
    assert isinstance(ended, RoundEnded)
    assert (ended.out, [result.points for result in ended.results]) == (None, [15, 15, 15])


def test_c_17_an_older_copy_of_the_taken_card() -> None:
    """`discard_taken_card=false`: copies are equal, so once one is spent the other is free."""
    state = table(
        ["R9 B2 B3", "R3"],
        question="draw",
        laid={0: 1},
        discard="R9",
        groups=[(1, "set", "Y9 B9 G9")],
        discard_taken_card=False,
    )
    state = play(state, (0, Draw("discard")), (0, Hit(0, "R9")))
    assert Discard("R9") in list(legal(state, 0))
    assert play(state, (0, Discard("R9"))).active == 1


def test_c_14_cards_of_another_deck_are_unknown() -> None:
    """A command names cards as the game's own deck does, and no face-down or unknown ones."""
    state = table(["R1 W S", "R3"])
    for text in ("2H", "AS", "*", "?", "J", "J(R1)"):
        assert refusal(state, 0, Discard(text)) == ("unknown_card", "")


def test_o_22_other_ways_with_a_tie() -> None:
    """`final_tie`: shared, or to the one who went out."""
    assert play(_tied(final_tie="shared"), (0, Discard("R1"))).winners == (0, 1)
    assert play(_tied(final_tie="went_out"), (0, Discard("R1"))).winners == (0,)
    other = table(
        ["R1 B1", "R2", "R3"],
        active=2,
        phases=[10, 10, 9],
        laid={0: 10, 1: 10, 2: 9},
        points=[45, 50, 0],
        final_tie="went_out",
    )
    assert play(other, (2, Discard("R3"))).winners == (0, 1)


# --- variants ---------------------------------------------------------------------------------


def test_c_73_ten_rounds() -> None:
    """C-73: everybody moves on each round; the lowest total after ten wins."""
    state = table(["R1", "R2", "R3"], phases=[3, 3, 3], laid={0: 3}, variant="ten_rounds")
    state = replace(state, round=3)
    after = play(state, (0, Discard("R1")))
    assert [after.seat(n).phase for n in range(3)] == [4, 4, 4]

    last = replace(state, round=10)
    assert play(last, (0, Discard("R1"))).winners == (0,)


def test_c_73_equal_totals() -> None:
    """`final_tie_10rounds`: more phases made, then shared (O-23)."""
    rows = {"phases": [10, 10, 10], "laid": {0: 10}, "points": [20, 15, 60]}
    state = table(["R1", "R2", "R3"], variant="ten_rounds", **rows)
    state = replace(state, round=10)
    assert play(state, (0, Discard("R1"))).winners == (0,)
    shared = table(["R1", "R2", "R3"], variant="ten_rounds", final_tie_10rounds="shared", **rows)
    assert play(replace(shared, round=10), (0, Discard("R1"))).winners == (0, 1)


def test_c_74_n_phases() -> None:
    """C-74: phase N takes the place of phase 10."""
    ruleset = resolve(CLASSIC, {"variant": "n_phases(5)"})
    assert CLASSIC.phases[:5] == ruleset.phases
    state = table(["R1", "R2"], phases=[5, 5], laid={0: 5}, variant="n_phases(5)")
    assert play(state, (0, Discard("R1"))).stage == "ended"


def test_c_75_even_phases() -> None:
    """C-75: phases 2, 4, 6, 8 and 10 only."""
    ruleset = resolve(CLASSIC, {"variant": "even_phases"})
    assert [p.rule for p in ruleset.phases] == ["C-P02", "C-P04", "C-P06", "C-P08", "C-P10"]


def test_o_39_a_limit_on_turns() -> None:
    """`max_turns_per_round`: the round ends and nobody went out."""
    state = table(["R1 W", "R2 R3"], max_turns_per_round=1)
    state = replace(state, round_turn=0, turn=1)
    events = events_of(state, 0, Discard("R1"))
    (ended,) = of(RoundEnded, events)
    assert (ended.out, [result.points for result in ended.results]) == (None, [25, 10])


def test_question_order_is_not_needed() -> None:
    """A seat that is not asked anything gets no legal command."""
    state = table(["R1", "R2"])
    assert list(legal(state, 1)) == []
    assert list(legal(replace(state, waits=(Question(0, "reveal"),)), 0)) == []
