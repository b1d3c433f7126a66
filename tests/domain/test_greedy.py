"""What the greedy player wants in games of every kind of group."""

from functools import partial

from phaseledger.domain import commands as c
from phaseledger.domain.bots import decision
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.table import table


def answer(state: State, count: int = 1, bot: str = "greedy") -> c.Command:
    return decision(bot, state, 0, b"x", count)


@looped(
    ("hand", "phase", "thrown"),
    [
        ("R1 G3 R5 B2 Y12", 1, "Y12"),  # odd
        ("R1 G3 R5 B2", 1, "B2"),
        ("G3 R4 G5 G12", 7, "G12"),  # a run of one colour
        ("G3 R4 G5 G6", 7, "R4"),
        ("R6 B6 G7 R1", 4, "R1"),  # a run of pairs
        ("R2 B4 G5 Y6", 9, "G5"),  # a run of even numbers
    ],
)
def test_collecting_for_every_kind(hand: str, phase: int, thrown: str) -> None:
    """X-P01, X-P04, X-P07, X-P09: the cards that serve the phase are kept."""
    state = table([hand, "B11"], phases=[phase, 1], discard="", ruleset=preset("express"))
    assert answer(state) == c.Discard(thrown)


def test_hearts_and_diamonds_may_be_of_one_colour() -> None:
    """O-17: what serves a phase of one colour, is taken for it and kept, in either suit."""
    laid_out = partial(table, ruleset=preset("standard-deck"), phases=[8, 1, 1], stock="3S")
    hands = ["2H 3H 4H QD KD 2S 3C", "3S", "3C"]
    for bot in ("greedy", "expert"):
        asked = laid_out(hands, question="draw", discard="KD", color_is_suit=False)
        assert answer(asked, bot=bot) == c.Draw("discard")
        thrown = answer(laid_out(hands, color_is_suit=False), bot=bot)
        assert isinstance(thrown, c.Discard)
        assert thrown.cards in ("2S", "3C")


def test_a_bot_hits_either_suit_of_a_colour() -> None:
    """O-17: the top of the pile fits a red group."""
    state = table(
        ["3S", "3S", "3C"],
        ruleset=preset("standard-deck"),
        laid={0: 1},
        groups=[(1, "color", "2H 3D 5H 7D 8D 9H 9D")],
        question="draw",
        discard="KD",
        stock="3S",
        color_is_suit=False,
    )
    for bot in ("greedy", "expert"):
        assert answer(state, bot=bot) == c.Draw("discard")


def test_greedy_passes_when_it_must() -> None:
    """Where nothing can be discarded, whatever its chance."""
    state = table(["S", "R2"], laid={0: 1}, skip_as_last_card=False)
    assert {type(answer(state, count)) for count in range(40)} == {c.Pass}


@looped(
    ("group", "top", "source"),
    [
        (("set", "R9 B9 G9"), "W", "discard"),
        (("set", "R9 B9 G9"), "S", "stock"),
        (("set", "R9 B9 G9"), "Y9", "discard"),
        (("color", "G1 G4 G7 G9"), "G12", "discard"),
        (("run", "R3 B4 G5 Y6"), "R7", "discard"),
        (("run", "R3 B4 G5 Y6"), "R8", "stock"),
        (("parityrun", "R1 B3 G5 Y7"), "R9", "discard"),
        (("parityrun", "R1 B3 G5 Y7"), "R8", "stock"),
        (("pairrun", "R6 B6 G7 Y7"), "R8", "stock"),
        (("colorrun", "W G4 G5"), "G6", "discard"),
        # Two players who want what they cannot hit would hand it to and fro for ever.
        (("colorrun", "W G4 G5"), "R6", "stock"),
    ],
)
def test_greedy_takes_what_it_can_hit(group: tuple[str, str], top: str, source: str) -> None:
    """Once it has laid, it takes the top of the pile if that goes on a group."""
    state = table(
        ["Y1 Y2", "R2"],
        question="draw",
        laid={0: 1},
        groups=[(1, *group)],
        discard=top,
        ruleset=preset("express"),
    )
    assert answer(state) == c.Draw(source)
