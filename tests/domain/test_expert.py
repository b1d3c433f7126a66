"""The bots: what the expert does at tables laid out by hand, and that it always obeys."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.bots import decision
from phaseledger.domain.cards import parse
from phaseledger.domain.decide import step
from phaseledger.domain.legal import legal
from phaseledger.domain.ruleset import Deck, Need, Phase, RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from phaseledger.domain.view import state_seen, view
from tests.support.cases import looped
from tests.support.move_texts import move, seated
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
    return decision(bot, state, state.waits[0].seat, b"chance", seed)


Case = tuple[str, str, dict[str, Any]]
HAND = "R1 B1 G1 R2 B2 R4 B6 G8 Y10 R12 | R3"
RUN = "R1 B2 G3 R4 B5 G6 Y8 Y9 R12 B12 | R3"
RED = "R1 R2 R3 R4 R5 R6 B8 Y9 G12 B12 | R3"
DRAWING: dict[str, Any] = {"question": "draw"}
SEVENS: dict[str, Any] = {"groups": [(1, "set", "R7 B7 G7")]}
AND_RUN: dict[str, Any] = {
    "laid": {0: 1},
    "groups": [(1, "set", "R7 B7 G7"), (1, "run", "R3 B4 G5 Y6")],
}
SKIPS = "S R1 R2 | R3 R9 | R4 R6 R7 R8 | R5"
PHASES = {"phases": [1, 3, 4, 2]}
CASES: list[Case] = [
    # hands, what seat 0 answers, and the rest of the table
    (HAND, "take", {**DRAWING, "discard": "G2"}),  # completes the phase
    (HAND, "draw", {**DRAWING, "discard": "R5"}),
    (HAND, "take", {**DRAWING, "discard": "W"}),
    (HAND, "draw", {**DRAWING, "discard": ""}),
    (RUN, "take", {**DRAWING, "discard": "R7", "phases": [4, 1]}),  # the gap in the run
    (RED, "take", {**DRAWING, "discard": "R12", "phases": [8, 1]}),
    (RED, "draw", {**DRAWING, "discard": "B3", "phases": [8, 1]}),
    ("R1 R2 | R3", "take", {**DRAWING, **SEVENS, "discard": "Y7", "laid": {0: 1}}),
    ("R1 R2 | R3", "draw", {**DRAWING, **SEVENS, "discard": "Y8", "laid": {0: 1}}),
    ("R1 R2 | R3", "draw", {**DRAWING, "discard": "S", "ruleset": IN_FRONT}),  # for its own sake
    ("R1 R2 | R3", "take", {**DRAWING, "discard": "R9", "stock": ""}),  # nothing else is lawful
    # It hits before it discards: with the eight in hand the seven goes to the run.
    ("Y7 R1 R12 | R3", "hit 0 Y7", AND_RUN),
    ("Y7 R8 R12 | R3", "hit 1 Y7 high", AND_RUN),
    # One card is kept where one must be discarded.
    ("Y7 W | R3", "hit 0 Y7", {"laid": {0: 1}, **SEVENS, "going_out": "discard_required"}),
    ("W | R3", "throw W", {"laid": {0: 1}, **SEVENS, "going_out": "discard_required"}),
    # What serves the phase is kept, but for a rank all other cards of which lie on the pile.
    ("R1 B1 R9 B9 G4 | R3", "throw G4", {}),
    ("R2 B3 G4 Y5 R6 R12 B12 | R3", "throw R12; throw B12", {"phases": [4, 1]}),
    ("R2 R3 R4 R5 R9 B12 | R3", "throw B12", {"phases": [8, 1]}),
    ("R7 B7 R8 B8 R3 B3 G3 | R3", "throw R7; throw B7", {"discard": "R7 B7 G7 G7 Y7 Y7 R1"}),
    # The next player is given no hit; dear cards go first after laying.
    ("Y7 Y8 R1 B1 G1 R2 B2 G2 | R3 R4 | R5", "throw Y8",
     {**SEVENS, "laid": {1: 1}, "phases": [10, 2, 1]}),
    ("R1 R12 R2 | R3", "throw R12", {**SEVENS, "laid": {0: 1, 1: 1}}),
    # Skips go to the leader of the seats that have still to lay, or stop one that would go out.
    (SKIPS.replace(" R9", ""), "throw S>2", PHASES),
    (SKIPS.replace(" R9", ""), "throw S>1", {**PHASES, "laid": {2: 4}}),
    (SKIPS, "throw S>3", {**PHASES, "laid": {1: 3, 3: 2}}),
    (SKIPS, "throw S>2", {**PHASES, "laid": {0: 1, 1: 3, 3: 2}}),
]  # fmt: skip


@looped(("hands", "answers", "rows"), CASES)
def test_what_it_answers(hands: str, answers: str, rows: dict[str, Any]) -> None:
    state = seated(**{"ruleset": CLASSIC, "hands": hands, "discard": "R1", **rows})
    assert ask(state) in [move(text, state)[1] for text in answers.split("; ")]


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


def test_a_wild_bridges_the_gap_to_go_out() -> None:
    rows = {"laid": {0: 1}, "groups": [(1, "set", "R1 B1 G1"), (1, "run", "R3 B4 G5 Y6")]}
    state = table(["W R8 R12", "R3"], **rows)
    for expected in (c.Hit(1, "W", "high"), c.Hit(1, "R8", "high"), c.Discard("R12")):
        assert ask(state) == expected
        state = play(state, (0, expected))
    assert state.round == 2


def test_pairs_are_hit_together() -> None:
    groups = [(1, "pairrun", "R6 B6 G7 Y7")]
    state = seated(
        hands="R8 B8 W R5 R1 S | R3",
        ruleset=preset("express"),
        laid={0: 1},
        groups=groups,
        discard="",
    )
    assert ask(state) == c.Hit(0, "R8 B8", "high")


def test_an_expert_with_many_jokers_hits() -> None:
    """The ring may be nothing but JOKER; the ways to place a dozen would take for ever."""
    jokers = " ".join(f"J({colour}{rank})" for colour in "RB" for rank in (2, 3, 4, 5, 7, 8))
    groups = [(1, "run", "G3 Y4 G5"), (1, "run", "R6 G7 G8"), (1, "run", "Y5 B6 G7")]
    hand = f"{jokers} R12 B11 G2 Y10 R9 B1"
    state = table([hand, "R3"], ruleset=preset("board"), laid={0: 1}, groups=groups)
    assert isinstance(ask(state), c.Hit)


@looped("seed", range(20))
def test_a_wild_is_kept(seed: int) -> None:
    discard = ask(table(["W R1 R2 B2 G7", "R3"]), seed)
    assert isinstance(discard, c.Discard)
    assert discard.cards != "W"


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


def test_a_skip_is_kept_while_nobody_can_be_skipped() -> None:
    state = table(["* 2H 2S 2D 3H 3S 9D", "4H"], ruleset=IN_FRONT)
    seat = replace(state.seat(1), skips=1)
    assert ask(replace(state, seats=(state.seat(0), seat))) != c.Discard("*")


def test_now_and_then_it_throws_a_stray_card() -> None:
    """So that no two of its kind wait for each other's cards for ever; but never a wild."""
    state = table(["W B2 G2 B3 R9", "R3"])
    thrown = Counter(ask(state, seed) for seed in range(8_000))
    assert set(thrown) == {c.Discard(card) for card in ("R9", "B2", "G2", "B3")}
    assert 4 < 8_000 - thrown[c.Discard("R9")] < 40


def test_d_62_in_a_free_style_it_aims_at_every_open_phase() -> None:
    hand = "2H 3H 5H 8H 10H QH 2S 3S 8S QS"
    for style, phase, replay, source in (
        ("complete_ordered", 1, False, "stock"),
        ("complete_ordered", 8, False, "discard"),
        ("complete_free", 1, False, "discard"),
        ("complete_free", 1, True, "stock"),
    ):
        state = table(
            [hand, "3S", "3C"],
            phases=[phase, 1, 1],
            ruleset=IN_FRONT,
            question="draw",
            discard="JH",
            style=style,
        )
        assert ask(replace(state, replay=replay)) == c.Draw(source)


def test_a_card_seen_from_its_back_may_be_any() -> None:
    state = table(["R1 B1 R9 B9 G4", "R3"])
    assert ask(state_seen(replace(view(state, 0), pile="? ? R1"), CLASSIC)) == c.Discard("G4")


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
