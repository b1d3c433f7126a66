"""What stands out in a game, and how far hands are from their phases."""

from msgspec.structs import replace

from phaseledger.domain import events as e
from phaseledger.domain.cards import is_wild, show
from phaseledger.domain.explain.shortfall import find
from phaseledger.domain.rulesets import preset
from phaseledger.domain.terms import Clock
from phaseledger.replay.evidence.walk import walk
from phaseledger.replay.transcript.table import Step
from phaseledger.replay.viewer.marks import distances, marks_of
from tests.support.cases import looped
from tests.support.replay.clocked_games import stored, timed_out
from tests.support.replay.golden_steps import golden_steps
from tests.support.replay.log_edits import rows
from tests.support.table import table


@looped("name", ["classic-3-twist", "board-2", "standard-deck-3-complete-ordered"])
def test_marks_are_the_events_that_they_name(name: str) -> None:
    steps = golden_steps(name)
    marks = marks_of(steps)

    def kinds(seqs: tuple[int, ...]) -> set[type[e.Event]]:
        return {type(steps[seq - 1].event) for seq in seqs}

    assert kinds(marks.rounds) == {e.RoundDealt}
    assert len(marks.rounds) == steps[-1].state.round
    assert kinds(marks.laid) == {e.PhaseLaid}
    assert kinds(marks.skips) <= {e.SkipServed}
    ended = [step.event.out for step in steps if isinstance(step.event, e.RoundEnded)]
    went_out = [steps[seq - 1].event.seat for seq in marks.out]  # type: ignore[attr-defined]
    assert went_out == [seat for seat in ended if seat is not None]


def test_a_time_out_is_marked() -> None:
    steps = walk(rows(stored(timed_out(Clock(30, 10), 40_000))), "it").steps
    (seq,) = marks_of(steps).timeouts

    assert isinstance(steps[seq - 1].event, e.TurnTimedOut)


@looped("name", ["classic-2", "express-2", "board-2"])
def test_the_distance_is_what_the_hand_lacks(name: str) -> None:
    """Held against `explain.shortfall`, which counts by matching cards with places."""
    steps = golden_steps(name)
    checked = 0
    for seat, points in enumerate(distances(steps)):
        for seq, away in points[::2]:
            state = steps[seq - 1].state
            if state.seat(seat).laid:
                assert away == 0
                continue
            hand = state.seat(seat).hand
            if len(hand) > 24 or sum(not is_wild(card) for card in hand) < len(hand) - 1:
                continue  # of hands of many wilds a phase asks for naturals as well
            cards = show(bytes(min(card, 0x40) for card in hand), state.ruleset.deck.notation)
            lack = find(state.ruleset, cards, state.seat(seat).phase)
            assert away == (0 if lack.found else lack.missing)
            checked += 1
    assert checked > 10


def test_in_a_free_order_the_nearest_open_phase_counts() -> None:
    """D-62."""
    ruleset = preset("standard-deck")
    hand = "2H 3S 4D 5C 6H 7S 8D 9C KH KS"  # a run of eight
    state = table([hand, "3H", "4H"], ruleset=ruleset, style="complete_free", discard="")
    dealt = e.CardDiscarded(seat=0, cards="KH")
    free = distances([Step(dealt, state)])[0]
    ordered = distances([Step(dealt, table([hand, "3H", "4H"], ruleset=ruleset, discard=""))])[0]
    made = replace(state.seat(0), made=0b1111111111)
    closed = replace(state, seats=(made, *state.seats[1:]))

    assert free == ((1, 0),)
    assert ordered[0][1] > 0
    assert distances([Step(dealt, closed)])[0] == ()


def test_a_game_without_events_has_no_distances() -> None:
    assert distances([]) == ()
