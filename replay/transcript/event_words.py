"""The events of a game in the words of players: "Bob"'s discard in turn 17."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from phaseledger.domain import events as e
from phaseledger.domain.words import Language, message
from phaseledger.replay.formats.records.findings import short
from phaseledger.replay.text import quoted


class TablePlace(NamedTuple):
    """An event's place in a game, as people count: round, turn, owner."""

    words: str
    """The event in words, names of players as JSON strings or as requested."""
    seat: int | None
    """The seat of the event; None for the host's, the service's, and events of all seats."""
    turn: int
    """The number of the turn, counted through the whole game; 0 before the first and between
    rounds.
    """
    round: int
    """0 before the first."""


class _Table:
    """The facts of a table that the words need: the players and the turn."""

    def __init__(self, shown: Callable[[str], str], lang: Language) -> None:
        self.shown = shown
        self.lang = lang
        self.names: dict[int, str] = {}
        self.turn = self.round = 0

    def name(self, seat: int) -> str:
        """The name of the seat's player, or of the seat."""
        if seat in self.names:
            return self.shown(short(self.names[seat]))
        return message(self.lang, "seat", seat=seat)

    def words(self, event: e.Event) -> str:
        """The event in words."""
        seat = getattr(event, "seat", None)
        receiver = event.to if isinstance(event, e.CardGiven) else None
        source = f".{event.source}" if isinstance(event, e.CardDrawn) else ""
        return message(
            self.lang,
            f"place.{type(event).__name__}{source}",
            name="" if seat is None else self.name(seat),
            receiver="" if receiver is None else self.name(receiver),
            turn=getattr(event, "turn", self.turn),
            round=getattr(event, "round", self.round),
        )


def table_places(
    events: Iterable[e.Event], shown: Callable[[str], str] = quoted, lang: Language = "en"
) -> Iterator[TablePlace]:
    """The place of each event in the game; the events need not be right or complete.

    ``shown`` writes the names of players.
    """
    table = _Table(shown, lang)
    for event in events:
        match event:
            case e.SeatTaken() | e.SeatNamed():
                table.names[event.seat] = event.name
            case e.RoundDealt():
                table.round = event.round
            case e.TurnBegan() | e.SkipServed():
                table.turn = event.turn
        turn = 0 if isinstance(event, e.RoundDealt | e.CardsKept) else table.turn
        yield TablePlace(table.words(event), getattr(event, "seat", None), turn, table.round)
