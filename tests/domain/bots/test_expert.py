"""The bots: what the expert does at tables laid out by hand, and that it always obeys."""

from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.bots.best_hits import best_hits
from phaseledger.domain.bots.expert import targets
from phaseledger.domain.bots.registry import BOTS, chooser
from phaseledger.domain.cards import parse, show
from phaseledger.domain.decide import step
from phaseledger.domain.groups.lays import Effort
from phaseledger.domain.legal import legal
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import Deck, Need, Phase, RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.domain.sight import Sight
from phaseledger.domain.state import Group, State
from phaseledger.domain.view import state_seen, view
from tests.support.cases import looped
from tests.support.scenario import decisions
from tests.support.table import GAME, play, table

CLASSIC = preset("classic")
ALL_KINDS = replace(
    CLASSIC,
    deck=Deck("coloured", 1, 3, 3),
    hand=5,
    phases=(
        Phase("X-P01", (Need("parity", 4, "odd"),)),
        Phase("X-P02", (Need("set", 2), Need("set", 2))),
        Phase("X-P04", (Need("pairrun", 2),)),
        Phase("X-P07", (Need("colorrun", 3),)),
        Phase("X-P09", (Need("parityrun", 4, "even"),)),
        Phase("X-P10", (Need("color", 4),)),
    ),
)
IN_FRONT = preset("standard-deck")
MIXED = replace(CLASSIC, phases=(Phase("", (Need("color", 3), Need("set", 3))),))


def ask(state: State, seed: int = 1, bot: str = "expert") -> c.Command:
    seat = state.waits[0].seat
    choices = partial(legal, state, seat)
    return BOTS[bot](Sight(state, seat), state.ruleset, choices, chooser(b"chance", seed))


# --- drawing --------------------------------------------------------------------------------------


@looped(
    ("hand", "phase", "top", "source"),
    [
        ("R1 B1 G1 R2 B2 R4 B6 G8 Y10 R12", 1, "G2", "discard"),  # completes the phase
        ("R1 B1 G1 R2 B2 R4 B6 G8 Y10 R12", 1, "R5", "stock"),
        ("R1 B1 G1 R2 B2 R4 B6 G8 Y10 R12", 1, "W", "discard"),
        ("R1 B1 G1 R2 B2 R4 B6 G8 Y10 R12", 1, "", "stock"),
        ("R1 B2 G3 R4 B5 G6 Y8 Y9 R12 B12", 4, "R7", "discard"),  # the gap in the run
        ("R1 R2 R3 R4 R5 R6 B8 Y9 G12 B12", 8, "R12", "discard"),
        ("R1 R2 R3 R4 R5 R6 B8 Y9 G12 B12", 8, "B3", "stock"),
    ],
)
def test_what_is_drawn(hand: str, phase: int, top: str, source: str) -> None:
    state = table([hand, "R3"], phases=[phase, 1], discard=top, question="draw")
    assert ask(state) == c.Draw(source)


def test_a_hit_is_drawn_after_laying() -> None:
    rows = {"laid": {0: 1}, "groups": [(1, "set", "R7 B7 G7")], "question": "draw"}
    assert ask(table(["R1 R2", "R3"], discard="Y7", **rows)) == c.Draw("discard")
    assert ask(table(["R1 R2", "R3"], discard="Y8", **rows)) == c.Draw("stock")


def test_a_skip_is_not_drawn_for_its_own_sake() -> None:
    state = table(["R1 R2", "R3"], discard="S", question="draw", ruleset=IN_FRONT)
    assert ask(state) == c.Draw("stock")


def test_the_only_command_is_sent() -> None:
    state = table(["R1 R2", "R3"], discard="R9", stock="", question="draw")
    assert ask(state) == c.Draw("discard")


# --- laying and hitting ---------------------------------------------------------------------------


def test_it_lays_so_that_the_rest_can_be_hit() -> None:
    """Of three sets the two that the table does not have: the third is hit, and the round over."""
    hand = "R5 B5 G5 R6 B6 G6 R7 B7 G7 Y12"
    state = table([hand, "R9"], groups=[(1, "set", "R5 B5 G5")])
    lay = ask(state)

    assert isinstance(lay, c.Lay)
    assert [group.cards for group in lay.groups] == ["R6 B6 G6", "R7 B7 G7"]
    while state.round == 1:
        state = play(state, (0, ask(state)))
    assert state.seat(0).points == 0


def test_it_hits_before_it_discards() -> None:
    rows = {"laid": {0: 1}, "groups": [(1, "set", "R7 B7 G7"), (1, "run", "R3 B4 G5 Y6")]}
    assert ask(table(["Y7 R1 R12", "R3"], **rows)) == c.Hit(0, "Y7")
    # With the eight in hand, the seven goes to the run, and the eight behind it.
    assert ask(table(["Y7 R8 R12", "R3"], **rows)) == c.Hit(1, "Y7", "high")


def test_a_wild_bridges_the_gap_to_go_out() -> None:
    rows = {"laid": {0: 1}, "groups": [(1, "set", "R1 B1 G1"), (1, "run", "R3 B4 G5 Y6")]}
    state = table(["W R8 R12", "R3"], **rows)
    for expected in (c.Hit(1, "W", "high"), c.Hit(1, "R8", "high"), c.Discard("R12")):
        assert ask(state) == expected
        state = play(state, (0, expected))
    assert state.round == 2


def test_a_card_is_kept_where_one_must_be_discarded() -> None:
    rows = {"laid": {0: 1}, "groups": [(1, "set", "R7 B7 G7")]}
    state = table(["Y7 W", "R3"], going_out="discard_required", **rows)
    assert ask(state) == c.Hit(0, "Y7")
    assert ask(play(state, (0, c.Hit(0, "Y7")))) == c.Discard("W")


def test_pairs_are_hit_together() -> None:
    group = Group(1, Need("pairrun", 2), parse("R6 B6 G7 Y7"), 6, 7)
    left, first = best_hits(parse("R8 B8 W R5 R1 S"), (group,), 0, CLASSIC, Effort())

    assert show(left) == "R1 S"
    assert first is not None
    assert (show(first.cards), first.end) == ("R8 B8", "high")


# --- discarding -----------------------------------------------------------------------------------


@looped("seed", range(20))
def test_a_wild_is_kept(seed: int) -> None:
    discard = ask(table(["W R1 R2 B2 G7", "R3"]), seed)
    assert isinstance(discard, c.Discard)
    assert discard.cards != "W"


@looped(
    ("hand", "phase", "discards"),
    [
        ("R1 B1 R9 B9 G4", 1, {"G4"}),
        ("R2 B3 G4 Y5 R6 R12 B12", 4, {"R12", "B12"}),
        ("R2 R3 R4 R5 R9 B12", 8, {"B12"}),
    ],
)
def test_what_serves_the_phase_is_kept(hand: str, phase: int, discards: set[str]) -> None:
    discard = ask(table([hand, "R3"], phases=[phase, 1]))
    assert isinstance(discard, c.Discard)
    assert discard.cards in discards


def test_a_rank_without_copies_left_is_given_up() -> None:
    """Both pairs are alike, but all other sevens lie on the discard pile."""
    state = table(["R7 B7 R8 B8 R3 B3 G3", "R3"], discard="R7 B7 G7 G7 Y7 Y7 R1", phases=[1, 1])
    discard = ask(state)
    assert isinstance(discard, c.Discard)
    assert discard.cards in {"R7", "B7"}


def test_the_next_player_is_not_given_a_hit() -> None:
    rows = {"groups": [(1, "set", "R7 B7 G7")], "phases": [10, 2]}
    hand = "Y7 Y8 R1 B1 G1 R2 B2 G2"
    assert ask(table([hand, "R3 R4", "R5"], laid={1: 1}, **rows | {"phases": [10, 2, 1]})) == (
        c.Discard("Y8")
    )


@looped(
    ("phase", "hand", "taken", "spurned", "discards"),
    [
        (1, "R5 B9", "G5", "", "B9"),
        (1, "R5 B9", "G9", "", "R5"),
        (1, "R5 B9", "", "Y5", "R5"),
        (1, "R5 B9", "", "Y9", "B9"),
        (6, "R5 B9", "G5", "", "R5"),  # a run has its five already
        (6, "R6 B7", "", "Y6", "R6"),
        (8, "R5 B9", "R1", "", "B9"),
        (8, "R5 B9", "", "R1", "R5"),
    ],
)
def test_the_next_player_is_not_given_what_it_collects(
    phase: int, hand: str, taken: str, spurned: str, discards: str
) -> None:
    """By what it took from the pile, and by what it threw or left there, in this round."""
    state = table([hand, "R3 R4", "B3"], phases=[2, phase, 1], laid={0: 1})
    seats = [*state.seats]
    seats[1] = replace(state.seat(1), taken=parse(taken), spurned=parse(spurned))
    assert ask(replace(state, seats=tuple(seats))) == c.Discard(discards)


def test_nobody_is_fed_who_loses_the_turn() -> None:
    """The next player collects fives but is skipped; whoever then follows collects nines."""
    state = table(["R5 B9", "R3 R4", "B3"], phases=[2, 1, 1], laid={0: 1})
    skipped = replace(state.seat(1), taken=parse("G5"), skips=1)
    after = replace(state.seat(2), taken=parse("G9"))
    seats = (state.seat(0), skipped, after)
    assert ask(replace(state, seats=seats)) == c.Discard("R5")
    alone = replace(after, skips=1)
    assert ask(replace(state, seats=(state.seat(0), skipped, alone))) in map(
        c.Discard, ("R5", "B9")
    )


def test_dear_cards_go_first_after_laying() -> None:
    state = table(["R1 R12 R2", "R3"], laid={0: 1, 1: 1}, groups=[(1, "set", "R7 B7 G7")])
    assert ask(state) == c.Discard("R12")


def test_skips_go_to_the_leader_of_those_who_have_still_to_lay() -> None:
    hands = ["S R1 R2", "R3", "R4 R6 R7 R8", "R5"]
    assert ask(table(hands, phases=[1, 3, 4, 2])) == c.Discard("S", 2)
    assert ask(table(hands, phases=[1, 3, 4, 2], laid={2: 4})) == c.Discard("S", 1)


def test_a_skip_stops_whoever_would_end_the_round_too_early() -> None:
    hands = ["S R1 R2", "R3 R9", "R4 R6 R7 R8", "R5"]
    assert ask(table(hands, phases=[1, 3, 4, 2], laid={1: 3, 3: 2})) == c.Discard("S", 3)
    laid = {0: 1, 1: 3, 3: 2}
    assert ask(table(hands, phases=[1, 3, 4, 2], laid=laid)) == c.Discard("S", 2)


def test_a_skip_is_kept_while_nobody_can_be_skipped() -> None:
    state = table(["* 2H 2S 2D 3H 3S 9D", "4H"], ruleset=IN_FRONT)
    seat = replace(state.seat(1), skips=1)
    assert ask(replace(state, seats=(state.seat(0), seat))) != c.Discard("*")


def test_now_and_then_it_throws_a_stray_card() -> None:
    """So that no two of its kind wait for each other's cards for ever; but never a wild."""
    state = table(["W B2 G2 B3 R9", "R3"])
    answer = BOTS["expert"](Sight(state, 0), CLASSIC, partial(legal, state, 0), lambda _: 0)
    assert (ask(state), answer) == (c.Discard("R9"), c.Discard("B2"))


def test_it_aims_at_its_phase() -> None:
    state = table(["R1 R2", "R3"], phases=[4, 1])
    assert targets(Sight(state, 0), CLASSIC) == (4,)


def test_d_62_in_a_free_style_it_aims_at_every_open_phase() -> None:
    free = resolve(preset("standard-deck"), {"style": "complete_free"})
    state = table(["2H 3H", "3S"], phases=[9, 1], ruleset=free)
    assert targets(Sight(state, 0), free) == (9, 10)
    replayed = replace(state, replay=True)
    assert targets(Sight(replayed, 0), free) == (9,)
    done = replace(state, seats=(replace(state.seat(0), made=1023), state.seat(1)))
    assert targets(Sight(done, 0), free) == (9,)


def test_greedy_answers_what_the_expert_does_not_know() -> None:
    choices = [c.RevealSecret("a" * 64), c.RevealSecret("b" * 64)]
    state = table(["R1 R2", "R3"])
    answer = BOTS["expert"](Sight(state, 0), CLASSIC, lambda: choices, chooser(b"chance", 1))
    assert answer in choices


def test_a_card_seen_from_its_back_may_be_any() -> None:
    state = table(["R1 B1 R9 B9 G4", "R3"])
    shown = Sight(state_seen(replace(view(state, 0), pile="? ? R1"), CLASSIC), 0)
    answer = BOTS["expert"](shown, CLASSIC, partial(legal, state, 0), chooser(b"chance", 1))
    assert answer == c.Discard("G4")


# --- any position ---------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    ruleset=st.sampled_from([CLASSIC, ALL_KINDS, IN_FRONT, MIXED]),
    seats=st.integers(2, 6),
    option=st.sampled_from(
        [{}, {"run_wrap": True}, {"wild_min_scope": "none"}, {"wild_on_full_run": True},
         {"going_out": "discard_required"}, {"skip_as_last_card": False},
         {"wild_on_full_set": False}, {"stock_exhausted": "end_round"}]
    ),
)  # fmt: skip
def test_every_answer_is_legal(
    seed: int, ruleset: RuleSet, seats: int, option: dict[str, bool | str]
) -> None:
    """At first a short hand each, then whole rounds; the phase is any of the rule set's."""
    phases = [seed // (seat + 1) % len(ruleset.phases) + 1 for seat in range(seats)]
    hands = ["R1", "B2", "G3", "Y4", "R5", "B6"][:seats]
    state = table(hands, phases=phases, ruleset=ruleset, discard="Y12", **option)
    for count in range(60):
        if state.stage != "playing":
            break
        bot = "random" if (seed + count) % 7 == 0 else "expert"
        command = ask(state, seed + count, bot)
        assert command in list(legal(state, state.waits[0].seat))
        state, _ = step(state, c.Act(command, state.waits[0].seat))


def test_a_game_of_experts_comes_to_its_end() -> None:
    *_, (state, _) = decisions(GAME, 3, "experts", {"variant": "n_phases(2)"}, "expert")
    assert state.stage == "ended"
