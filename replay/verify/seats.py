"""Who sat where in a game, and which commands a bot sent in somebody's place."""

from typing import Any

from phaseledger.domain.commands import Command, Play
from phaseledger.domain.events import (
    Event,
    SeatFreed,
    SeatHandedOver,
    SeatTaken,
    TurnBegan,
    TurnTimedOut,
)
from phaseledger.domain.evidence.codec import Record
from phaseledger.domain.terms import Overdue


class Occupant:
    """Who sat down last in a seat, and how much was said there by whom."""

    def __init__(self, taken: SeatTaken) -> None:
        self.taken = taken
        self.sent = self.stood_in = 0
        self.bot = self.gone = False
        """Whether a bot answers in the seat's place, and whether it does so for good."""

    def count(self, command: Command) -> str:
        """Count a command; the key that it has to be signed by, if any."""
        if self.bot and isinstance(command, Play):
            self.stood_in += 1
            return ""
        self.sent += 1
        return self.taken.key


def follow(sitters: dict[int, Occupant], record: Record[Any], event: Event) -> str:
    """Take the event in; a sentence on it, if a seat goes on without the one who took it."""
    match event:
        case SeatTaken():
            sitters[event.seat] = Occupant(event)
        case SeatFreed():
            sitters.pop(event.seat, None)
        case TurnBegan() if sitter := sitters.get(event.seat):
            sitter.bot = sitter.gone
        case SeatHandedOver() if sitter := sitters.get(event.seat):
            sitter.bot = sitter.gone = True
            if event.why == "left":
                return f"Seat {event.seat} left with event {record.seq}, and a bot plays on."
        case TurnTimedOut() if sitter := sitters.get(event.seat):
            sitter.bot = event.then == "bot_move"
            what = f"Seat {event.seat} was overdue at event {record.seq}"
            return f"{what}, by the operator's clock alone: {_THEN[event.then]}."
    return ""


_THEN: dict[Overdue, str] = {
    "bot_move": "a bot answered until its next turn",
    "bot_for_good": "a bot plays on",
    "void": "the game was broken off",
}
