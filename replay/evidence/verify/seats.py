"""The occupants of a game's seats, and the commands that a bot sent in their place."""

from msgspec.structs import replace

from phaseledger.domain.commands import Command, Play
from phaseledger.domain.events import (
    Event,
    SeatFreed,
    SeatHandedOver,
    SeatNamed,
    SeatTaken,
    TurnBegan,
    TurnTimedOut,
)
from phaseledger.domain.terms import Overdue
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.bundle.lines import PublicEvent


class Occupant:
    """The last occupant of a seat, and how many commands it and a bot in its place have sent."""

    def __init__(self, seating: SeatTaken) -> None:
        self.seating = seating
        self.sent = self.stood_in = 0
        self.signed = 0
        """The number of the last event that its key has signed."""
        self.bot = self.gone = False
        """Whether a bot answers in the seat's place, and whether it does so for good."""

    def count(self, command: Command) -> str:
        """Count a command; the key (hex) that has to have signed it, empty for none."""
        if self.bot and isinstance(command, Play):
            self.stood_in += 1
            return ""
        self.sent += 1
        return self.seating.key


FOLLOWED = frozenset({SeatTaken, SeatFreed, SeatNamed, TurnBegan, SeatHandedOver, TurnTimedOut})
"""Events that change the occupants of seats."""


def follow(occupants: dict[int, Occupant], record: PublicEvent, event: Event) -> str:
    """Apply an event to the occupants; a sentence on it if a bot plays on for one, else empty."""
    match event:
        case SeatTaken():
            occupants[event.seat] = Occupant(event)
        case SeatFreed():
            occupants.pop(event.seat, None)
        case SeatNamed() if occupant := occupants.get(event.seat):
            occupant.seating = replace(occupant.seating, name=event.name)
        case TurnBegan() if occupant := occupants.get(event.seat):
            occupant.bot = occupant.gone
        case SeatHandedOver() if occupant := occupants.get(event.seat):
            occupant.bot = occupant.gone = True
            if event.why == "left":
                return Phrase("evidence.note.left", seat=event.seat, seq=record.seq)
        case TurnTimedOut() if occupant := occupants.get(event.seat):
            occupant.bot = event.then == "bot_move"
            return Phrase(
                "evidence.note.overdue",
                seat=event.seat,
                seq=record.seq,
                consequence=Phrase(_THEN[event.then]),
            )
    return ""


_THEN: dict[Overdue, str] = {
    "bot_move": "evidence.note.answered",
    "bot_for_good": "evidence.note.plays_on",
    "void": "evidence.note.broken_off",
}
