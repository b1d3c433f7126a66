"""Law 7 for bots: a sight tells what the view of the seat tells, and nothing else."""

import inspect
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phaseledger.domain.cards import parse
from phaseledger.domain.sight import SeatSight, Sight
from phaseledger.domain.state import State
from phaseledger.domain.view import state_seen, view
from tests.support.cases import looped
from tests.support.scenario import TABLES, a_position, decisions
from tests.support.table import GAME, board

_FIELDS = {
    kind: ["seat", *(name for name, _ in inspect.getmembers(kind) if not name.startswith("_"))]
    for kind in (SeatSight, Sight)
}


def content(sight: Sight) -> dict[str, object]:
    """All that a sight tells."""
    table = {
        name: getattr(sight, name)
        for name in ("you", "hand", *_FIELDS[Sight])
        if name not in ("me", "seat", "seats")
    }
    for number, seat in enumerate((*sight.seats, sight.me)):
        table |= {f"{number} {name}": getattr(seat, name) for name in _FIELDS[SeatSight]}
    return table


@pytest.mark.untraced
@given(number=st.integers(0, len(TABLES) - 1), at=st.integers(0, 9_999), viewer=st.integers(0, 5))
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_law_7_a_sight_is_the_view_as_cards(number: int, at: int, viewer: int) -> None:
    """What the view keeps from the seat is 0 in `state_seen`, and the sight is the same of it."""
    state: State = a_position(number, at)
    seat = viewer % len(state.seats)
    shown = view(state, seat)
    visible = state_seen(shown, state.ruleset)

    assert view(visible, seat) == shown
    assert content(Sight(visible, seat)) == content(Sight(state, seat))


def test_state_seen_by_a_spectator() -> None:
    state, _ = next(islice(decisions(GAME, 3, "sight", {}, "greedy"), 60, None))
    shown = view(state, None)
    visible = state_seen(shown, state.ruleset)

    assert view(visible, None) == shown
    assert set(b"".join(visible.seat(number).hand for number in range(3))) == {0}


@looped("memory", ["owner_sees_once", "owner_sees_always"])
def test_jokers_as_their_owner_and_others_see_them(memory: str) -> None:
    """B-30, O-38: the owner knows its joker by a number, the others by its face."""
    state = board(["R1 J(G9) B2 J(Y4)", "Y2 Y3"], joker_memory=memory, discard="R5 R6")
    own, other = Sight(state, 0), Sight(state, 1)

    assert own.hand == parse("R1 J1 B2 J2")
    assert own.me.jokers == (parse("G9 Y4") if memory == "owner_sees_always" else parse("? ?"))
    assert (other.seats[0].cards, other.seats[0].jokers) == (4, parse("G9 Y4"))
    assert (own.discard, own.pile, own.me.taken, own.me.spurned) == (
        *(parse("R6"), parse("? R6")),
        *(b"", b""),
    )
    for seat in (0, 1):
        visible = state_seen(view(state, seat), state.ruleset)
        assert view(visible, seat) == view(state, seat)
        assert content(Sight(visible, seat)) == content(Sight(state, seat))
