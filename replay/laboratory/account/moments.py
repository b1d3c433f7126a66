"""The decisions of a recorded game, each with the states before and after it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from phaseledger.domain.commands import Act
from phaseledger.domain.draft import decision
from phaseledger.domain.events import (
    CardDrawn,
    CardTurned,
    DiceRolled,
    Event,
    GameOpened,
    RoundDealt,
)
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State


class DecidedStep(NamedTuple):
    """One decision and what came of it."""

    seq: int
    """The number of its first event, from 1."""
    act: Act
    first: Event
    """The event that carries the decision."""
    before: State
    drawing: State | None
    """The state of which a card was drawn from the stock, after a reshuffle; else None."""
    dealing: State | None
    """The state of which a round was dealt; else None."""
    drawn: bytes
    """The cards that were drawn from the stock."""
    dice: tuple[int, ...]
    """The dice that were thrown after it, if any."""
    is_mixed: bool
    """Whether chance brought more than a deal, or than one card for the active seat: what was drawn
    or dealt of tells nothing by itself then.
    """
    after: State


def moments(events: Iterable[Event]) -> Iterator[DecidedStep]:
    """The decisions of a game from the deal of its first round on, that deal included."""
    state: State | None = None
    group: list[Event] = []
    count = 0
    for event in events:
        if event.act is not None and group:
            state, moment = _moment(state, group, count - len(group) + 1)
            if moment:
                yield moment
            group = []
        group.append(event)
        count += 1
    if group:
        _, moment = _moment(state, group, count - len(group) + 1)
        if moment:
            yield moment


def _moment(before: State | None, group: list[Event], seq: int) -> tuple[State, DecidedStep | None]:
    state, drawing, dealing = before, None, None
    drawn = b""
    dice: tuple[int, ...] = ()
    for event in group:
        assert state is not None or isinstance(event, GameOpened)
        match event:
            case CardDrawn(source="stock", seat=seat) | CardTurned(seat=seat):
                assert state is not None
                drawn += state.stock[:1]
                is_plain = isinstance(event, CardDrawn) and seat == state.active
                drawing = state if is_plain else None
            case DiceRolled():
                dice = event.dice
            case RoundDealt():
                dealing = state
        state = evolve(state, event)
    assert state is not None
    act = decision(group[0])
    if before is None or act is None or (before.stage != "playing" and not dealing):
        return state, None
    return state, DecidedStep(
        seq=seq,
        act=act,
        first=group[0],
        before=before,
        drawing=drawing,
        dealing=dealing,
        drawn=drawn,
        dice=dice,
        is_mixed=bool(dice) or len(drawn) > bool(drawing),
        after=state,
    )
