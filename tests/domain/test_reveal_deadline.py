"""Secrets that stay away: the host closes the wait, and the game is void with everything told."""

import pytest

from phaseledger.domain import deal
from phaseledger.domain.commands import (
    Act,
    CloseReveal,
    Draw,
    OpenGame,
    Rejected,
    RevealSecret,
    Start,
    TakeSeat,
    VoidGame,
)
from phaseledger.domain.decide import decide, step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import Event, GameVoided, TableSealed
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.evolve import fold
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.scenario import records
from tests.support.table import GAME, table

SECRET = "ab" * 32
MINE = "cd" * 32


def sealed(seats: int, *bringing: int, seconds: int = 0) -> tuple[State, list[Event]]:
    """A sealed table that waits for the secrets of the seats that brought one."""
    state, made = step(None, Act(OpenGame(GAME, "classic", seats, secret=SECRET)))
    events = list(made)
    for n in range(seats):
        commit = deal.seat_commit(GAME, n, bytes.fromhex(MINE))
        brought = TakeSeat(f"seat {n}", commit=commit)
        given = TakeSeat(f"seat {n}", secret=SECRET)
        state, made = step(state, Act(brought if n in bringing else given, n))
        events += made
    state, made = step(state, Act(Start(seconds)))
    return state, [*events, *made]


def code(state: State | None, act: Act) -> str:
    """The code of the refusal, which there must be."""
    with pytest.raises(Rejected) as refused:
        decide(state, act)
    return refused.value.code.value


@looped(
    ("bringing", "revealed", "owing", "reason"),
    [
        ((0, 1, 2), (), (0, 1, 2), "secrets not revealed in time by seats 0, 1, 2"),
        ((0, 1, 2), (1,), (0, 2), "secrets not revealed in time by seats 0, 2"),
        ((0, 2), (0,), (2,), "secrets not revealed in time by seat 2"),
    ],
)
def test_the_owing_seats_are_named(
    bringing: tuple[int, ...], revealed: tuple[int, ...], owing: tuple[int, ...], reason: str
) -> None:
    """Those that kept their word are not; the server's secret is told with the same event."""
    state, _ = sealed(3, *bringing)
    for seat in revealed:
        state, _ = step(state, Act(RevealSecret(MINE), seat))
    after, (voided,) = step(state, Act(CloseReveal()))
    assert isinstance(voided, GameVoided)
    assert (voided.owing, voided.reason, voided.secret) == (owing, reason, SECRET)
    assert (after.stage, after.waits) == ("voided", ())


def test_only_the_host_closes() -> None:
    state, _ = sealed(2, 0)
    for seat in (0, 1):
        assert code(state, Act(CloseReveal(), seat)) == "not_for_seats"


def test_only_what_is_overdue_is_closed() -> None:
    """Before the sealing, after the last secret, in play: nobody owes anything."""
    opened, _ = step(None, Act(OpenGame(GAME, "classic", 2, secret=SECRET)))
    state, _ = sealed(2, 1)
    dealt, _ = step(state, Act(RevealSecret(MINE), 1))
    for free in (opened, dealt, table(["R1", "R2"]), sealed(2)[0]):
        assert code(free, Act(CloseReveal())) == "not_overdue"
    assert code(None, Act(CloseReveal())) == "not_started"


def test_nothing_follows() -> None:
    state, _ = step(sealed(2, 0)[0], Act(CloseReveal()))
    for act in (
        Act(CloseReveal()),
        Act(RevealSecret(MINE), 0),
        Act(Draw(), 1),
        Act(VoidGame("again")),
    ):
        assert code(state, act) == "game_over"


def test_the_host_may_still_break_off_for_another_reason() -> None:
    """The event says who still owed a secret; the reason is the host's own."""
    _, (voided,) = step(sealed(2, 0)[0], Act(VoidGame("a storm")))
    assert isinstance(voided, GameVoided)
    assert (voided.owing, voided.reason) == ((0,), "a storm")


def test_the_table_says_how_long_there_is_time() -> None:
    """Only where a secret is due."""
    _, events = sealed(2, 0, seconds=30)
    assert isinstance(events[-1], TableSealed)
    assert events[-1].reveal_seconds == 30
    _, events = sealed(2, seconds=30)
    assert [event.reveal_seconds for event in events if isinstance(event, TableSealed)] == [0]


def test_the_log_says_it_all() -> None:
    """Laws 3 and 4, over the stored bytes."""
    state, events = sealed(2, 0, 1)
    after, made = step(state, Act(CloseReveal()))
    stored = [decode_event(entry.topic, entry.stored) for entry in records([*events, *made])]
    assert stored == [*events, *made]
    assert fold(stored) == after
    act = decision(stored[-1])
    assert act == Act(CloseReveal())
    assert step(state, act) == (after, made)
