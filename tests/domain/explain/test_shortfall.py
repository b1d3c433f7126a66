"""What a hand lays, or lacks: the fewest cards, held against what the game itself would find."""

from itertools import combinations, islice

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from phaseledger.domain.cards import TURNED, owner_names, parse, remove, show
from phaseledger.domain.explain import shortfall
from phaseledger.domain.explain.check import Senseless
from phaseledger.domain.explain.shortfall import MOST_WAYS, BestLay, find
from phaseledger.domain.groups.lays import lays
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES, preset
from tests.support.cases import looped


def best_lay(name: str, hand: str, phase: int | str, **options: object) -> BestLay:
    game = GAMES[name]
    return find(resolve(game.rules, options, game.settings), hand, phase)


def test_the_fewest_wilds_then_the_most_points() -> None:
    """Two ways to lay: the one with the dearer cards, and the wild stays in hand."""
    best = best_lay("classic", "R5 B5 G5 R8 B9 G10 Y11 R12 W S", 2)

    assert best.found
    assert best.rule == "C-P02"
    assert [group.cards for group in best.groups] == ["R5 B5 G5", "B9 G10 Y11 R12"]
    assert best.left == "R8 W S"
    assert best.ways > 2


def test_jokers_are_laid_face_down() -> None:
    """However the question numbers them (B-56, B-59)."""
    for hand in ("R3 J J R5 B5 G5 R9", "R3 J1 J R5 B5 G5 R9"):
        best = best_lay("board", hand, 3)
        assert [group.cards for group in best.groups] == ["R5 B5 G5", "J J R3"]
        assert [wild.meaning for wild in best.groups[1].stands_for] == ["1", "2"]
        assert best.left == "R9"


def test_a_card_must_be_left_to_discard() -> None:
    """B-67: four pairs and nothing else cannot be laid, but with any further card they can."""
    pairs = "R1 B1 R2 B2 R3 B3 R4 B4"
    alone, more = best_lay("board", pairs, 2), best_lay("board", f"{pairs} Y12", 2)

    assert (alone.found, alone.rule, alone.missing) == (False, "B-67", 1)
    assert more.found
    for best in (alone, more):
        shown = [(lack.has, lack.missing) for lack in best.lacks]
        assert shown == [("R1 B1", 0), ("R2 B2", 0), ("R3 B3", 0), ("R4 B4", 0)]
    assert best_lay("board", pairs, 2, going_out="any").found


@looped(
    ("name", "hand", "phase", "missing"),
    [
        ("classic", "R5 B5 G5 R7 B7 S", 1, [0, 1]),
        ("classic", "W W W W W W W W R1 S", 1, [0, 1]),  # C-38: a natural for each group
        ("classic", "W W W W W W W W S S", 1, [1, 1]),
        ("classic", "S", 10, [5, 3]),
        ("classic", "R3 B4 W Y6", 4, [3]),
        ("express", "W W W", 2, [0, 1]),  # one for the phase
        ("express", "R3 B4", 4, [2]),
        ("express", "G3 R4 G5", 7, [1]),
        ("express", "R2 B4 Y8 R1", 9, [1]),
        ("express", "R2 B4 Y8 R1", 1, [3]),
        ("express", "R4", "set(7)", [6]),
        ("express", "W W W", 5, [1]),
        ("board", "R1 B2 R3 B4 J R9", 2, [0, 1, 1, 1]),
        ("board", "R5 B5 J J J J J J", 2, [0, 0, 1, 1]),  # B-58: the 5s go into two sets
        ("standard-deck", "9H 9S KH 2H AS", 8, [3]),
    ],
)
def test_how_much_is_missing(name: str, hand: str, phase: int | str, missing: list[int]) -> None:
    """For each group, where as little as possible is missing in all."""
    answer = best_lay(name, hand, phase)
    assert not answer.found
    assert sorted(lack.missing for lack in answer.lacks) == sorted(missing)
    assert answer.missing == sum(missing)
    assert [len(lack.example.split()) for lack in answer.lacks] == [
        lack.missing for lack in answer.lacks
    ]


def test_two_groups_may_want_the_same_card() -> None:
    """A set of 3s and a run from 3 want three of the two 3s and one more (C-P02)."""
    answer = best_lay("classic", "R3 B3 B4 G5 R9", "set(3) + run(3)")
    assert answer.missing == 2
    assert answer.sentence == (
        "The phase (a set of 3 and a run of 3) cannot be laid: at least 2 cards short."
    )
    assert best_lay("classic", "R3 B3 G3 B4 G5 R9", "set(3) + run(3)").missing == 1


@looped(
    ("hand", "phase"),
    [
        ("", 1),
        ("R1 2H", 1),
        ("R1 R1 R1", 1),
        ("R1 J", 1),
        (" ".join(["W"] * 8 + [f"{c}{n}" for c in "RB" for n in range(1, 10)]), 1),
        ("R1", 11),
        ("R1", "set(2) + set(2) + set(2) + set(2) + set(2)"),
        ("R1", "set(40)"),
    ],
    ids=range(8),
)
def test_questions_without_sense(hand: str, phase: int | str) -> None:
    with pytest.raises(Senseless):
        best_lay("classic", hand, phase)


def test_ways_are_counted_up_to_a_bound() -> None:
    hand = " ".join(f"G{n % 12 + 1}" for n in range(24))
    assert best_lay("classic", hand, 8).ways == MOST_WAYS


@st.composite
def hands(draw: st.DrawFn) -> tuple[RuleSet, int, bytes]:
    """A hand of any game, jokers among its cards where there are any."""
    rules = preset(draw(st.sampled_from(sorted(GAMES))))
    scope = draw(st.sampled_from([rules.options.wild_min_scope, "group", "phase", "none"]))
    rules = resolve(rules, {"wild_min_scope": scope, "run_wrap": draw(st.booleans())})
    deck = list(rules.deck.cards())
    for place in range(0, len(deck) if rules.track else 0, 9):
        deck[place] = TURNED
    size = draw(st.integers(1, rules.hand + 1))
    sample = draw(
        st.lists(st.sampled_from(range(len(deck))), unique=True, min_size=size, max_size=size)
    )
    hand = bytes(deck[place] for place in sample)
    assume(remove(rules.deck.cards(), bytes(card for card in hand if card < TURNED)) is not None)
    return rules, draw(st.integers(1, len(rules.phases))), hand


@pytest.mark.untraced
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(hands())
def test_as_few_as_possible(asked: tuple[RuleSet, int, bytes]) -> None:
    """What is named completes the phase, and nothing smaller does."""
    rules, number, hand = asked
    needs, notation = rules.phases[number - 1].needs, rules.deck.notation
    answer = find(rules, show(hand, notation), number)
    event(f"{answer.missing} missing")

    def lays_with(more: bytes) -> bool:
        return next(lays(owner_names(hand + more), needs, rules), None) is not None

    assert answer.found or answer.missing > 0
    if answer.found or not answer.lacks:
        assert lays_with(b"")
        return
    assert not lays_with(b"")
    example = b"".join(parse(lack.example, notation) for lack in answer.lacks)
    assert len(example) == answer.missing
    assert lays_with(example)
    rest = remove(rules.deck.cards(), bytes(card for card in hand if card < TURNED))
    assert rest is not None
    assert remove(rest, example) is not None
    kinds = sorted(set(rest) - {15})
    fewer = combinations(kinds, answer.missing - 1) if answer.missing < 4 else ()
    every = 1 if answer.missing < 3 else 23
    assert not any(lays_with(bytes(more)) for more in islice(fewer, 0, None, every))


def test_wilds_need_a_natural_that_is_still_there() -> None:
    """Four like runs want more of three cards than the deck has: they are not the same run."""
    four = " + ".join(["colorrun(3)"] * 4)
    answer = best_lay("express", "R3 R4 R5 W W W", four, wild_min_scope="group")
    assert answer.missing == 6
    assert all(lack.has or lack.missing for lack in answer.lacks)


@pytest.mark.parametrize(
    ("limit", "hand"),
    [("MOST_NODES", "R1 R2 R3 R4 B5 B5 B6 B6 G7 W"), ("MOST_AIMS", "R1 B4 G7 Y10")],
)
def test_no_question_is_looked_at_for_ever(
    limit: str, hand: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not gone through to its end is no answer: neither the best lay nor the fewest."""
    phase = "colorrun(4) + set(2) + set(2)"
    best_lay("classic", hand, phase)
    monkeypatch.setattr(shortfall, limit, 1)
    with pytest.raises(Senseless, match="in too many ways"):
        best_lay("classic", hand, phase)
