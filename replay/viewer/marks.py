"""The highlights of a game: marks on the line of its events, and distances of hands from phases."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from phaseledger.domain import events as e
from phaseledger.domain.state import State
from phaseledger.replay.transcript.distance import phase_fillings
from phaseledger.replay.transcript.table import Step


class Marks(Struct, frozen=True):
    """The numbers of the events that people look for."""

    rounds: tuple[int, ...]
    laid: tuple[int, ...]
    out: tuple[int, ...]
    skips: tuple[int, ...]
    timeouts: tuple[int, ...]


def marks_of(steps: Sequence[Step]) -> Marks:
    """The marks of a game: deals, phases laid, seats that went out, skips, time-outs."""

    def of(*kinds: type[e.Event]) -> tuple[int, ...]:
        return tuple(seq for seq, step in enumerate(steps, 1) if isinstance(step.event, kinds))

    return Marks(
        rounds=of(e.RoundDealt),
        laid=of(e.PhaseLaid),
        out=tuple(seq for seq, step in enumerate(steps, 1) if _goes_out(step)),
        skips=of(e.SkipServed),
        timeouts=of(e.TurnTimedOut),
    )


def _goes_out(step: Step) -> bool:
    event = step.event
    if not isinstance(event, e.PhaseLaid | e.CardsHit | e.CardDiscarded | e.SkipPlaced):
        return False
    return not step.state.seat(event.seat).hand


def distances(steps: Sequence[Step]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each seat, the events at which its distance was taken, each with the number of cards that
    its hand lacks for its phase: after the deal and after each of its turns; 0 once it has laid.

    Phases with too many ways to fill them are left out. Where any open phase may be laid, the
    nearest counts.
    """
    seats = len(steps[0].state.seats) if steps else 0
    points: list[list[tuple[int, int]]] = [[] for _ in range(seats)]
    for seq, (event, state) in enumerate(steps, 1):
        if isinstance(event, e.RoundDealt):
            turns = range(seats)
        elif isinstance(event, e.CardDiscarded | e.SkipPlaced | e.TurnPassed):
            turns = range(event.seat, event.seat + 1)
        else:
            continue
        for seat in turns:
            away = _distance(state, seat)
            if away is not None:
                points[seat].append((seq, away))
    return tuple(map(tuple, points))


def _distance(state: State, number: int) -> int | None:
    seat, rules = state.seat(number), state.ruleset
    if seat.laid:
        return 0
    numbers = [seat.phase]
    if rules.progress == "free":
        numbers = [n for n in range(1, len(rules.phases) + 1) if not seat.made >> n - 1 & 1]
    fillings = [_fillings(rules, rules.phases[n - 1]) for n in numbers if n <= len(rules.phases)]
    return min((filling.look(seat.hand)[0] for filling in fillings if filling), default=None)


_fillings = lru_cache(maxsize=100)(phase_fillings)
