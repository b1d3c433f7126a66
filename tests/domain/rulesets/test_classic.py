"""What rules of RULES.md section 1 say beyond `test_classic_and_others`, by the rule's ID."""

from msgspec.structs import replace

from phaseledger.domain.cards import parse, show
from phaseledger.domain.commands import (
    Discard,
    Draw,
    Pass,
)
from phaseledger.domain.events import (
    RoundEnded,
)
from phaseledger.domain.play.rounds import _turned_up
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Question, State
from tests.support.cases import looped
from tests.support.standard_deck_positions import opened
from tests.support.table import events_of, play, refusal, table
from tests.support.worked_cases import lay

CLASSIC = preset("classic")


# --- players, deck, set-up --------------------------------------------------------------------


@looped(("rule", "first"), [("left_of_dealer", {1}), ("dealer", {0}), ("random", {0, 1, 2})])
def test_c_09_who_plays_first(rule: str, first: set[int]) -> None:
    """C-09: left of the dealer, clockwise; `first_player` says otherwise (O-16)."""
    players = [opened("classic", 3, n, first_player=rule)[0].players for n in range(12)]

    assert first == {order[0] for order in players}
    assert {(0, 1, 2), (1, 2, 0), (2, 0, 1)} >= set(players)


def test_t_02_a_covering_skip_is_covered_again() -> None:
    """T-02, on the one function that turns cards up."""
    options = resolve(CLASSIC, {"initial_skip": "cover"}).options
    stock, pile, returned = _turned_up(parse("S S R4 R5"), 1, options)
    assert (show(pile), show(stock), returned) == ("S S R4", "R5", b"")
    assert _turned_up(parse("S S"), 1, options) == (b"", parse("S S"), b"")


# --- wilds ------------------------------------------------------------------------------------


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


# --- skips ------------------------------------------------------------------------------------


def test_o_14_a_skip_without_target() -> None:
    """`skip_plain_discard` (O-14): allowed, or only where nobody can be named."""
    free = table(["S R1", "R2"], skip_plain_discard=True)
    assert play(free, (0, Discard("S"))).active == 1
    some = table(["S R1", "R2"], skip_plain_discard="only_if_no_target")
    assert refusal(some, 0, Discard("S")) == ("target_needed", "C-44")
    seats = (some.seat(0), replace(some.seat(1), skips=1))
    none = replace(some, seats=seats)
    assert play(none, (0, Discard("S"))).active == 0


# --- going out, scoring, end ------------------------------------------------------------------


def _tied(**options: object) -> State:
    return table(
        ["R1", "R2", "R3"],
        phases=[10, 10, 9],
        laid={0: 10, 1: 10},
        points=[55, 50, 0],
        **options,
    )


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


def test_c_14_cards_of_another_deck_are_unknown() -> None:
    """A command names cards as the game's own deck does, and no face-down or unknown ones."""
    state = table(["R1 W S", "R3"])
    for text in ("2H", "AS", "*", "?", "J", "J(R1)"):
        assert refusal(state, 0, Discard(text)) == ("unknown_card", "")


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


def test_c_75_even_phases() -> None:
    """C-75: phases 2, 4, 6, 8 and 10 only."""
    ruleset = resolve(CLASSIC, {"variant": "even_phases"})
    assert [p.rule for p in ruleset.phases] == ["C-P02", "C-P04", "C-P06", "C-P08", "C-P10"]
