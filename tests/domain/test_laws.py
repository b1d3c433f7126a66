"""The laws of DESIGN.md that the domain can break, over whole games and random commands."""

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import commands as c
from domain.bots import chooser
from domain.cards import NAMES
from domain.commands import Act, Rejected
from domain.decide import decide, step
from domain.draft import decision
from domain.events import Event
from domain.evolve import evolve, fold
from domain.legal import legal
from domain.melds import arrange
from domain.options import OptionValue
from domain.state import State, cards_in_play
from tests import strategies
from tests.scenario import decisions, play_random, records
from tests.table import GAME

CALM = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


def check_laws(state: State | None, after: State, events: tuple[Event, ...]) -> None:
    """Law 3, and N-02, N-03: what must hold after every decision."""
    folded = state
    for event in events:
        folded = evolve(folded, event)
        if folded.round:
            assert folded.ruleset.deck.cards() == cards_in_play(folded)
    assert folded == after
    lenient = replace(
        after.ruleset.options,
        lay_oversize=True,
        wild_placement="explicit",
        wild_on_full_set=True,
    )
    for group in after.groups:
        value = None if any(card & 15 < 13 for card in group.cards) else group.low
        ruleset = replace(after.ruleset, options=lenient)
        laid = arrange(group.need, group.cards, value, ruleset)
        assert (laid.low, laid.high) == (group.low, group.high)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_whole_games(seats: int, bot: str) -> None:
    """Every game ends, folds to its state (law 3), keeps its cards (N-03) and its groups (N-02)."""
    before: State | None = None
    for state, events in decisions(GAME, seats, f"{bot} {seats}", {}, bot):
        check_laws(before, state, events)
        before = state
    assert before is not None
    assert before.stage == "ended"


@given(options=strategies.options, seed=st.text(max_size=4), seats=st.integers(2, 4))
@CALM
def test_house_rules_in_any_combination(
    options: dict[str, OptionValue], seed: str, seats: int
) -> None:
    """The laws hold under every combination of options, for as long as a short game lasts."""
    before: State | None = None
    for count, (state, events) in enumerate(decisions(GAME, seats, seed, options, "greedy")):
        check_laws(before, state, events)
        before = state
        if count > 250:
            break


def test_law_4_the_seed_proves_the_outcomes() -> None:
    """Re-deciding every recorded decision gives the same events, byte for byte."""
    _, log = play_random(GAME, 3, "law 4", bot="greedy")
    state, again = None, []
    for event in log:
        act = decision(event)
        if act is not None:
            state, events = step(state, act)
            again += events

    assert log == again
    assert records(log) == records(again)


def middle(seed: int, depth: int) -> State:
    """A state somewhere in a random game."""
    reached = None
    for count, (state, _) in enumerate(decisions(GAME, 2 + seed % 3, f"{seed}", {}, "random")):
        reached = state
        if count == depth:
            break
    assert reached is not None
    return reached


@given(
    seed=st.integers(0, 30),
    depth=st.integers(0, 400),
    acts=st.lists(st.tuples(st.none() | strategies.seat, strategies.command), max_size=30),
)
@CALM
def test_garbage_is_refused_or_lawful(
    seed: int, depth: int, acts: list[tuple[int | None, object]]
) -> None:
    """Any command in any state: a refusal with a code, or events that keep the laws."""
    state = middle(seed, depth)
    for seat, command in acts:
        try:
            after, events = step(state, Act(command, seat))
        except Rejected as refused:
            note(f"{command}: {refused.code}")
            continue
        check_laws(state, after, events)
        state = after


@given(seed=st.integers(0, 40), depth=st.integers(0, 600))
@CALM
def test_what_is_legal_is_accepted(seed: int, depth: int) -> None:
    """Whoever is asked has a legal command; each is accepted, and none is listed twice."""
    state = middle(seed, depth)
    for seat in range(len(state.seats)):
        listed = list(legal(state, seat))
        assert len(listed) == len(set(map(repr, listed)))
        for command in listed:
            decide(state, Act(command, seat))
        asked = any(question.seat == seat for question in state.waits)
        assert asked == bool(listed)


@given(seed=st.integers(0, 40), depth=st.integers(0, 600), number=st.integers(0, 20))
@CALM
def test_what_is_not_listed_is_refused(seed: int, depth: int, number: int) -> None:
    """No discard, draw or hit of one card is accepted that `legal` does not list."""
    state = middle(seed, depth)
    seats = range(len(state.seats))
    names = sorted({NAMES["coloured"][card] for card in state.ruleset.deck.cards()})
    card = names[number % len(names)]
    tries: list[c.Command] = [c.Draw("stock"), c.Draw("discard"), c.Pass()]
    tries += [c.Discard(card, target) for target in (None, *seats)]
    tries += [c.Hit(g, card, end) for g in range(len(state.groups)) for end in ("low", "high", "")]
    for seat in seats:
        listed = list(legal(state, seat))
        for command in tries:
            try:
                decide(state, Act(command, seat))
            except Rejected:
                assert command not in listed
            else:
                # A hit without its end said is listed with it.
                spelt = [command]
                if isinstance(command, c.Hit):
                    spelt = [c.Hit(command.group, card, end) for end in ("", "low", "high")]
                assert any(each in listed for each in spelt)


def test_law_6_the_same_decision_is_the_same() -> None:
    """No clock, no global chance: deciding twice gives equal events."""
    state = middle(3, 57)
    seat = state.waits[0].seat
    command = next(iter(legal(state, seat)))
    assert decide(state, Act(command, seat)) == decide(state, Act(command, seat))
    picks = [chooser(b"seed", 4) for _ in range(2)]
    assert [picks[0](10) for _ in range(40)] == [picks[1](10) for _ in range(40)]


def test_fold_of_nothing() -> None:
    """No events, no game."""
    assert fold([]) is None
