"""The events of a game by what people at the table call them: "Bob"'s discard in turn 17."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from phaseledger.domain import events as e
from phaseledger.replay.records.findings import short
from phaseledger.replay.text import quoted


class TablePlace(NamedTuple):
    """Where in a game an event stands, as people count: round, turn, whose it is."""

    words: str
    """What the event is called, names of players as JSON strings or as asked for."""
    seat: int | None
    """Whose it is; None for the host's, the service's, and what concerns all."""
    turn: int
    """The number of the turn, counted through the whole game; 0 before the first and between
    rounds."""
    round: int
    """0 before the first."""


class _Table:
    """As much of a table as words need: who sits where, and which turn it is."""

    def __init__(self, shown: Callable[[str], str]) -> None:
        self.shown = shown
        self.names: dict[int, str] = {}
        self.turn = self.round = 0

    def whose(self, seat: int) -> str:
        return f"{self.name(seat)}'s"

    def name(self, seat: int) -> str:
        return self.shown(short(self.names[seat])) if seat in self.names else f"seat {seat}"


def table_places(
    events: Iterable[e.Event], shown: Callable[[str], str] = quoted
) -> Iterator[TablePlace]:
    """The place of each event in the game; the events need not be right, nor whole.

    ``shown`` is how names of players are written.
    """
    table = _Table(shown)
    for event in events:
        match event:
            case e.SeatTaken():
                table.names[event.seat] = event.name
            case e.RoundDealt():
                table.round = event.round
            case e.TurnBegan() | e.SkipServed():
                table.turn = event.turn
        turn = 0 if isinstance(event, e.RoundDealt | e.CardsKept) else table.turn
        seat = getattr(event, "seat", None)
        yield TablePlace(_WORDS[type(event)](table, event), seat, turn, table.round)


def _in_turn(noun: str) -> Callable[[_Table, Any], str]:
    """The words for what a seat does in a turn, by the noun for it."""
    return lambda table, event: f"{table.whose(event.seat)} {noun} in turn {table.turn}"


def _fixed(words: str) -> Callable[[_Table, Any], str]:
    return lambda _table, _event: words


_SOURCES = {
    "stock": "draw from the stock",
    "discard": "draw from the discard pile",
    "pile": "search of the discard pile",
}


def _card_drawn(table: _Table, event: e.CardDrawn) -> str:
    return f"{table.whose(event.seat)} {_SOURCES[event.source]} in turn {table.turn}"


_WORDS: dict[type[e.Event], Callable[[_Table, Any], str]] = {
    e.GameOpened: _fixed("the opening of the table"),
    e.SeatTaken: lambda t, ev: f"{t.whose(ev.seat)} taking of seat {ev.seat}",
    e.SeatFreed: lambda _, ev: f"the freeing of seat {ev.seat}",
    e.SeatHandedOver: lambda t, ev: f"the handing over of {t.whose(ev.seat)} seat to a bot",
    e.TurnTimedOut: _in_turn("time-out"),
    e.TableSealed: _fixed("the sealing of the table"),
    e.SeatSecretRevealed: lambda t, ev: f"{t.whose(ev.seat)} revealing of the secret",
    e.DealOpened: _fixed("the fixing of the deal"),
    e.RoundDealt: lambda _, ev: f"the deal of round {ev.round}",
    e.TurnBegan: lambda t, ev: f"the beginning of {t.whose(ev.seat)} turn {ev.turn}",
    e.SkipServed: lambda t, ev: f"the loss of {t.whose(ev.seat)} turn {ev.turn} by a skip",
    e.StockShuffled: lambda t, _: f"the shuffling of a new stock in turn {t.turn}",
    e.DiceRolled: _in_turn("roll"),
    e.PawnMoved: _in_turn("pawn's move"),
    e.CardDrawn: _card_drawn,
    e.CardTurned: _in_turn("draw of a joker"),
    e.CardsSwapped: _in_turn("swap"),
    e.CardAsked: _in_turn("asking for a card"),
    e.CardGiven: lambda t, ev: (
        f"{t.whose(ev.seat)} giving of a card to {t.name(ev.to)} in turn {t.turn}"
    ),
    e.CardsKept: lambda t, ev: f"{t.whose(ev.seat)} choice of cards to keep after round {t.round}",
    e.PhaseLaid: _in_turn("laying of a phase"),
    e.CardsHit: _in_turn("hit"),
    e.CardDiscarded: _in_turn("discard"),
    e.SkipPlaced: _in_turn("skip"),
    e.TurnPassed: _in_turn("pass"),
    e.RoundEnded: lambda _, ev: f"the end of round {ev.round}",
    e.GameEnded: _fixed("the end of the game"),
    e.GameVoided: _fixed("the breaking off of the game"),
}
