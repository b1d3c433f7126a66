"""Seats in the texts of evidence: by their players' names, where these are known.

In a text, a number behind the word for a seat is the record's, counted from 0, as options, policies
and fields have it; a name stands in quotation marks (docs/reference/verify.md, "Seats in texts").
"""

from collections.abc import Iterable, Iterator, Mapping

from phaseledger.domain.events import Event, SeatFreed, SeatNamed, SeatTaken
from phaseledger.domain.state import State
from phaseledger.domain.words import Beginning, Phrase
from phaseledger.replay.text import quoted

NUMBERED = frozenset({"evidence.policy.seat_key", "evidence.dealer.none"})
"""Texts that are about the number itself."""


def names_at(state: State | None) -> dict[int, str]:
    """The players' names of a state, by seat."""
    seats = state.seats if state else ()
    return {number: seat.name for number, seat in enumerate(seats) if seat}


def seatings(events: Iterable[Event]) -> Iterator[tuple[int, Mapping[int, str]]]:
    """The players' names by seat after each event that changes them, with the event's number."""
    names: dict[int, str] = {}
    for number, event in enumerate(events, 1):
        if isinstance(event, SeatTaken | SeatNamed):
            names = {**names, event.seat: event.name}
        elif isinstance(event, SeatFreed):
            names = {seat: name for seat, name in names.items() if seat != event.seat}
        else:
            continue
        yield number, names


def named(text: str, names: Mapping[int, str]) -> str:
    """The text with the names of players for the numbers of their seats; phrases alone have any."""
    if not isinstance(text, Phrase) or text.key in NUMBERED:
        return text
    values = {name: _named(name, value, names) for name, value in text.arguments.items()}
    return Phrase(text.key, text.variant, **values) if values != text.arguments else text


def _named(name: str, value: object, names: Mapping[int, str]) -> object:
    if name == "seat" and isinstance(value, int) and value in names:
        return quoted(names[value])
    if isinstance(value, Beginning):
        return Beginning(named(value.text, names), value.length)
    if isinstance(value, tuple):
        return tuple(_named("", part, names) for part in value)
    return named(value, names) if isinstance(value, str) else value
