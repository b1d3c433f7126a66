"""The list of legal moves against what the rules accept: all that it has, and nothing left out."""

from collections.abc import Iterator
from itertools import islice

from phaseledger.domain import commands as c
from phaseledger.domain.cards import OWN, owner_names, show
from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State

_MOST = 60
"""Listed moves that are tried in one state."""


def listing_faults(state: State) -> Iterator[str]:
    """Listed moves that are refused; discards and hits of one card accepted, though not listed."""
    for seat in dict.fromkeys(question.seat for question in state.waits):
        listed = list(legal(state, seat))
        for command in islice(listed, _MOST):
            if not _is_accepted(state, seat, command):
                yield f"listed and refused: {command}"
        if any(question.kind == "play" for question in state.waits):
            for command in _single_cards(state, seat):
                if command not in listed and _is_accepted(state, seat, command):
                    yield f"accepted and not listed: {command}"


def _single_cards(state: State, seat: int) -> Iterator[c.Command]:
    """Every discard of one card or two, every hit of one; no jokers, which have several names."""
    hand = [card for card in owner_names(state.seat(seat).hand) if card < OWN]
    names = [show(bytes((card,)), state.ruleset.deck.notation) for card in hand]
    for number, name in enumerate(names):
        for target in (None, *state.players):
            yield c.Discard(name, target)
        if state.ruleset.discards_when_full > 1:
            for other in names[number + 1 :]:
                yield c.Discard(f"{name} {other}")
        for place, group in enumerate(state.groups):
            form = FORMS[group.need.kind]
            if form.copies == 1:
                for end in ("",) if form.alike else ("low", "high"):
                    yield c.Hit(place, name, end)  # type: ignore[arg-type]


def _is_accepted(state: State, seat: int, command: c.Command) -> bool:
    try:
        step(state, Act(command, seat))
    except Rejected:
        return False
    return True
