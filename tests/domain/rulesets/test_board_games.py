"""Whole board games, as the table knows them and as each viewer's log tells them."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.cards import parse
from phaseledger.domain.decide import step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import CardDiscarded, Event, belongs
from phaseledger.domain.evolve import evolve
from phaseledger.domain.options import OptionValue
from phaseledger.domain.state import State, cards_in_play
from phaseledger.domain.view import TableView, view
from tests.support import strategies
from tests.support.cases import looped
from tests.support.scenario import decisions, play_random
from tests.support.table import GAME, board

CALM = settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow])


def redacted(event: Event, viewer: int | None) -> Event:
    """The event with only those hidden parts that the viewer may know."""
    hidden = {who: secret for who, secret in event.hidden.items() if belongs(who, viewer)}
    return replace(event, hidden=hidden)


def comparable(state: State, viewer: int | None) -> TableView:
    """The view, without what a search shows of the pile, which no event repeats."""
    shown = view(state, viewer)
    searching = any(q.kind == "search" and q.seat == viewer for q in state.waits)
    return replace(shown, pile="") if searching else shown


def check(game: list[tuple[State, tuple[Event, ...]]]) -> None:
    """Every viewer's log folds to the viewer's view, after every decision; and laws 3 and 4."""
    seats = range(len(game[0][0].seats))
    folded: dict[int | None, State | None] = dict.fromkeys((None, *seats))
    whole: State | None = None
    redone: State | None = None
    for state, events in game:
        for event in events:
            whole = evolve(whole, event)
            for viewer, before in folded.items():
                folded[viewer] = evolve(before, redacted(event, viewer))
            if whole.round:
                assert cards_in_play(whole) == whole.ruleset.deck.cards()
        assert whole == state
        act = decision(events[0])
        assert act is not None
        redone, repeated = step(redone, act)
        assert (redone, repeated) == (state, events)
        if state.stage == "playing":
            for viewer, own in folded.items():
                assert own is not None
                assert comparable(own, viewer) == comparable(state, viewer)


@pytest.mark.untraced
@looped("seats", [2, 5])
def test_what_each_viewer_may_know_folds_to_what_the_viewer_sees(seats: int) -> None:
    """B-09, B-23, B-30, B-83: no log of one viewer raises, nor tells another table."""
    check(list(decisions(GAME, seats, f"folds {seats}", {}, "random,greedy", "board")))


@pytest.mark.untraced
@given(options=strategies.options("board"), seed=st.text(max_size=4), seats=st.integers(2, 5))
@CALM
def test_house_rules_in_any_combination(
    options: dict[str, OptionValue], seed: str, seats: int
) -> None:
    """The same under every combination of options, for as long as a short game lasts."""
    options = {"max_turns_per_round": 12, **options}
    game = decisions(GAME, seats, seed, options, "random,greedy", "board")
    check([pair for pair, _ in zip(game, range(200), strict=False)])


@pytest.mark.untraced
@looped("seats", [2, 5])
def test_b_75_games_end(seats: int) -> None:
    """B-75: somebody reaches the laurel, alone, and first from whoever ended the round."""
    state, log = play_random(GAME, seats, f"laurel {seats}", bot="greedy", ruleset="board")
    assert (state.stage, len(state.winners)) == ("ended", 1)
    ended = log[-2]
    phases = [result.phase for result in ended.results]
    first = [(ended.out + ahead) % seats for ahead in range(seats)]
    assert state.winners == (next(seat for seat in first if phases[seat] == 11),)


def test_a_log_that_knows_too_little_still_folds() -> None:
    """A card that nobody knew to be there goes in place of an unknown one, or of a known one."""
    for before, after in [("R5 ? J(B3) R6", "R5 J(B3) R6"), ("R5 R6 J(B3)", "R5 J(B3)")]:
        state = board(["R5 R6", "R1"])
        seat = replace(state.seat(0), hand=parse(before))
        state = replace(state, seats=(seat, state.seat(1)))
        assert evolve(state, CardDiscarded(seat=0, cards="R9")).seat(0).hand == parse(after)
