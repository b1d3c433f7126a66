"""No decision costs more than its share: the budget of options, and the worst hands under it."""

from collections.abc import Iterator
from itertools import islice, product
from typing import Any
from unittest.mock import patch

import hypothesis
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.cards import TURNED, owner_names, parse, show
from phaseledger.domain.commands import Act, OpenGame, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.explain.catalogue import choices
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.lays import MOST_NODES, Effort, lays
from phaseledger.domain.groups.plans import plans
from phaseledger.domain.groups.work import MOST_WORK, excess_work, require_affordable, ways, work
from phaseledger.domain.kernel.pack import Workspace, pack
from phaseledger.domain.kernel.play.chance import seed_chance
from phaseledger.domain.kernel.policies import outlook
from phaseledger.domain.kernel.policies.games import EXPERT, choose
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.legal import MOST_CHOICES, legal
from phaseledger.domain.resolve import Unplayable, phase_text, read_phase, resolve
from phaseledger.domain.ruleset import Phase
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.chance import Pick, chooser
from tests.support.table import BOARD, GAME, SECRET, table

DEAD_END = 1_000
"""Nodes in a row that list nothing; without pruning there are a hundred thousand."""
KINDS = ("set", "color", "parity", "run", "pairrun", "parityrun", "colorrun")


# --- the budget -----------------------------------------------------------------------------------


@looped("name", GAMES)
def test_the_published_games_are_affordable(name: str) -> None:
    """Under every house rule that can be counted, and all that add ways, together."""
    game = GAMES[name]
    options = [(option, value) for option, setting in game.settings.items()
               for value in choices(option, setting)]  # fmt: skip
    weighty = [
        [(option, value) for option, value in options if option == wanted] or [("", None)]
        for wanted in ("run_wrap", "color_is_suit", "style", "variant")
    ]
    for chosen in [*product(options), *product(*weighty)]:
        try:
            ruleset = resolve(game.rules, {k: v for k, v in chosen if k}, game.settings)
        except Unplayable:
            continue  # it needs another option with it
        assert excess_work(ruleset) == ""


@looped(
    ("text", "total"),
    [
        ("set(2) + set(2) + set(2) + set(2) + set(2)", "21,840"),
        ("colorrun(3) + set(2) + set(2) + set(3)", "561,600"),
        ("color(2) + color(3) + set(2) + set(3)", "73,728"),
    ],
)
def test_what_is_too_much_is_refused_with_the_sum(text: str, total: str) -> None:
    ruleset = resolve(preset("board"), {"board_phases": ("set(2)", text, *("set(3)",) * 8)})
    with pytest.raises(Rejected) as rejected:
        require_affordable(ruleset)

    assert rejected.value.code == "bad_option"
    assert rejected.value.detail.startswith("phase 2 can be filled in so many ways that")
    assert f"weigh {total} pairs of a card and a way; 15,000 are" in rejected.value.detail


def test_what_was_opened_before_goes_on() -> None:
    """A recorded game is decided again, played, and its bots move, whatever it asks for."""
    heavy = ("colorrun(3) + set(2) + set(2) + set(3)", *("set(3)",) * 9)
    opening = OpenGame(GAME, "board", 2, {"board_phases": heavy}, secret=SECRET)
    state, _ = step(None, Act(opening))

    assert excess_work(state.ruleset)
    played = table(["R1 R5 B7 G9 Y2 B11", "R3"], ruleset=BOARD, board_phases=heavy)
    assert ratings(played) < 50 * MOST_WORK


# --- random phases, and the worst hands for them --------------------------------------------------


@st.composite
def phases(draw: st.DrawFn) -> Phase:
    """Phases such as house rules can ask for, often of like groups: those have the most ways."""
    needs: list[str] = []
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5)):
        form = FORMS[kind]
        least = 2 if form.alike or form.copies > 1 else 3
        size = draw(st.integers(least, least + 3))
        parity = draw(st.sampled_from((", odd", ", even"))) if "parity" in kind else ""
        needs.append(f"{kind}({size}{parity})")
    if draw(st.booleans()):
        needs = needs[:1] * len(needs)
    phase = read_phase(" + ".join(needs))
    assume(sum(need.size * FORMS[need.kind].copies for need in phase.needs) <= BOARD.hand)
    return phase


@pytest.mark.untraced
@given(phase=phases(), wrap=st.booleans(), suits=st.booleans())
@settings(deadline=None, max_examples=40)
def test_no_phase_has_more_ways_than_are_counted(phase: Phase, *, wrap: bool, suits: bool) -> None:
    options = replace(BOARD.options, run_wrap=wrap, color_is_suit=suits)
    assume(ways(phase.needs, options) <= MOST_WORK)
    made = plans(phase.needs, wrap=wrap, suits=suits)

    assert len(made) <= ways(phase.needs, options)


def at_the_table(hand: bytes, phase: Phase, options: dict[str, Any]) -> State:
    """A seat on turn that has not laid, with that hand."""
    texts = (phase_text(phase),) * 10
    return table([show(hand), "B12"], ruleset=BOARD, discard="", board_phases=texts, **options)


def ratings(state: State) -> int:
    """How often the expert weighs a way to fill the phase, to discard."""
    space, game = Workspace(), pack(state, 0)
    seed_chance(space.chance, 1, 1)
    with patch.object(outlook, "_measure", wraps=outlook._measure) as measure:
        choose(
            *(compile_rules(state.ruleset), game, space.chance, space.moves, space.work),
            *(space.tuning, space.weights, EXPERT),
        )
    return measure.call_count


def dead_end(state: State) -> int:
    """The most nodes between two ways to lay the phase."""
    effort, last, longest = Effort(20 * DEAD_END), 0, 0
    hand, needs = owner_names(state.seat(0).hand), state.ruleset.phases[0].needs
    for _ in islice(lays(hand, needs, state.ruleset, effort), MOST_CHOICES):
        longest, last = max(longest, effort.nodes - last), effort.nodes
    return max(longest, effort.nodes - last)


def test_beginnings_that_lead_nowhere_are_left() -> None:
    """Only the reds make the second group, so none of them is tried for the first one."""
    hand = "R2 R4 R6 R8 R10 B2 B4 B6 B8 G2 G4 G6 G8 Y2 Y4 Y6 Y8"
    phase = read_phase("parity(5, even) + color(5)")
    assert dead_end(at_the_table(parse(hand), phase, {})) <= DEAD_END


def climbing(state: State, pick: Pick, rounds: int) -> Iterator[tuple[int, int]]:
    """The longest dead end and the ratings of ever worse hands, found by exchanging cards."""
    ends, rated = dead_end(state), ratings(state)
    for _ in range(rounds):
        hand, stock = bytearray(state.seat(0).hand), bytearray(state.stock)
        for _ in range(1 + pick(4)):
            held, other = pick(len(hand)), pick(len(stock))
            turned = hand[held] & TURNED
            hand[held], stock[other] = stock[other] | turned, hand[held] & ~TURNED
        seats = (replace(state.seat(0), hand=bytes(hand)), *state.seats[1:])
        neighbour = replace(state, seats=seats, stock=bytes(stock))
        measured = dead_end(neighbour), ratings(neighbour)
        if measured[0] >= ends or measured[1] >= rated:
            state, (ends, rated) = neighbour, measured
            yield measured


def worst(text: str, size: int) -> Any:
    """A phase and a number of cards with which more than one defence is needed."""
    return example(phase=read_phase(text), size=size, jokers=0, scope="group", wrap=False, seed=0)


@pytest.mark.untraced
@given(
    phase=phases(),
    size=st.sampled_from((11, 12, 16, 24, 48)),
    jokers=st.sampled_from((0, 0, 1, 3, 8)),
    scope=st.sampled_from(("group", "phase", "none")),
    wrap=st.booleans(),
    seed=st.integers(0, 10**6),
)
@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),  # a worse hand is no simpler
)
@worst(" + ".join(["parity(2, even)"] * 5), 15)
@worst("parity(5, odd) + parity(5, odd)", 24)
@worst("set(6) + set(2)", 48)
def test_no_hand_costs_more_than_its_share(
    phase: Phase, size: int, jokers: int, scope: str, *, wrap: bool, seed: int
) -> None:
    """Whatever rule set is admitted and whatever hand comes up: counted in nodes and ratings."""
    ruleset = resolve(BOARD, {"wild_min_scope": scope, "run_wrap": wrap})
    total = work(ruleset, (phase,))
    assume(total <= MOST_WORK)
    pick = chooser(b"climb", seed)
    deck = list(BOARD.deck.cards())
    deck.remove(parse("B12")[0])  # the other seat's
    cards = [deck.pop(pick(len(deck))) for _ in range(size)]
    hand = bytes(card | TURNED if i < jokers else card for i, card in enumerate(cards))
    state = at_the_table(hand, phase, {"wild_min_scope": scope, "run_wrap": wrap})
    for ends, rated in climbing(state, pick, rounds=10):
        assert ends <= DEAD_END
        assert rated <= total + ways(phase.needs, ruleset.options)
    effort = Effort()
    listed = list(legal(state, 0, effort))

    assert effort.nodes <= MOST_NODES
    assert len(listed) <= MOST_CHOICES + size
    assert len(listed) == len(set(map(repr, listed)))
