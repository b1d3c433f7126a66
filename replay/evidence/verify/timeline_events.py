"""A bundle's events one by one, each with the state after it, and in words."""

from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from phaseledger.domain.commands import CloseReveal, TimeOut, VoidRestored
from phaseledger.domain.events import Event, SeatTaken
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State, cards_in_play
from phaseledger.domain.words import Language, message
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.formats.bundle.line_reader import BundleEvent as Line
from phaseledger.replay.formats.guards import FAULTS, MOST_CARDS, is_modest
from phaseledger.replay.text import Viewer, quoted
from phaseledger.replay.transcript.transcript import describe

BY_SERVICE = CloseReveal | TimeOut | VoidRestored
"""Commands that the service itself sends."""


class TimelineEvent(NamedTuple):
    """A recorded event, decoded, and the state after it; both None where it cannot be folded."""

    line: Line
    event: Event | None
    state: State | None
    seat: int | None = None
    """The seat whose decision led to it; None for the host or the service."""
    by_service: bool = False
    """Whether the service decided: a clock had run out, or the ledger was restored."""


def timeline_events(case: Case) -> list[TimelineEvent]:
    """Every event of the bundle, folded as far as possible; what is sealed stays unknown."""
    entries: list[TimelineEvent] = []
    state: State | None = None
    seat: int | None = None
    by_service = False
    is_foldable = True
    for line in case.bundle.events:
        event = None
        is_foldable = is_foldable and is_modest(msgspec.json.decode(line.form.data))
        if is_foldable:
            try:
                event = decode_event(line.form.type, case.bundle.as_opened(line))
                state = evolve(state, event)
                is_foldable = len(cards_in_play(state)) <= MOST_CARDS
            except FAULTS:
                event, is_foldable = None, False
        if event and event.act:
            seat, by_service = event.act.seat, isinstance(event.act.command, BY_SERVICE)
        entries.append(
            TimelineEvent(
                line=line,
                event=event,
                state=state if event else None,
                seat=seat,
                by_service=by_service,
            )
        )
    return entries


def sentences(entry: TimelineEvent, viewer: Viewer, lang: Language = "en") -> list[str]:
    """The event in words, and details of it; names of players are JSON strings."""
    try:
        if entry.state and entry.event:
            return describe(*_with_quoted_names(entry.state, entry.event), viewer, lang)
    except FAULTS:
        pass
    return [message(lang, "answer.unfollowed", type=entry.line.form.type)]


def _with_quoted_names(state: State, event: Event) -> tuple[State, Event]:
    """The same with every player's name in quotation marks, so that none looks like a fact."""
    seats = tuple(seat and replace(seat, name=quoted(seat.name)) for seat in state.seats)
    if isinstance(event, SeatTaken):
        event = replace(event, name=quoted(event.name))
    return replace(state, seats=seats), event


def when(at: int) -> str:
    """A time of the log, to the second; in milliseconds where no calendar has it."""
    try:
        return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, OSError, ValueError):
        return f"{at} ms"
