"""The referee: reads the events of a game in order and objects to the first that breaks a rule."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from phaseledger.domain.events import (
    CardAsked,
    CardDiscarded,
    CardDrawn,
    CardGiven,
    CardsHit,
    CardsKept,
    CardsSwapped,
    CardTurned,
    DiceRolled,
    Event,
    GameEnded,
    GameOpened,
    GameVoided,
    PawnMoved,
    PhaseLaid,
    RoundDealt,
    RoundEnded,
    SeatNamed,
    SeatTaken,
    SkipPlaced,
    SkipServed,
    StockShuffled,
    TurnBegan,
    TurnPassed,
)
from phaseledger.domain.words import Phrase
from phaseledger.replay.evidence.referee import board, lays, rounds, turns, winners
from phaseledger.replay.evidence.referee.citations import citation
from phaseledger.replay.evidence.referee.table import Foul, RefereeTable


class Objection(NamedTuple):
    """The first event that the rules do not allow."""

    seq: int
    """The event's number, from 1."""
    rule: str
    """The rule of the catalogue."""
    who: str
    """The owner of the event and the turn, in table words."""
    text: str


def _name_seat(table: RefereeTable, event: SeatTaken | SeatNamed) -> None:
    """Take a seat under a name, or have another name there."""
    table.player(event.seat).name = event.name


def _void(table: RefereeTable, _: GameVoided) -> None:
    """Break the game off."""
    table.next = "nothing"


def _drawn(table: RefereeTable, event: CardDrawn) -> None:
    """Draw a card, or take one out of the discard pile by SEARCH."""
    if event.source == "pile":
        board.search(table, event)
    else:
        turns.draw(table, event)


_JUDGES: dict[type[Event], Callable[[RefereeTable, Any], None]] = {
    SeatTaken: _name_seat,
    SeatNamed: _name_seat,
    RoundDealt: rounds.deal,
    TurnBegan: turns.begin_turn,
    SkipServed: turns.serve_skip,
    StockShuffled: turns.shuffle,
    CardDrawn: _drawn,
    PhaseLaid: lays.lay,
    CardsHit: lays.hit,
    CardDiscarded: turns.discard,
    SkipPlaced: turns.place_skip,
    TurnPassed: turns.pass_turn,
    DiceRolled: board.roll,
    PawnMoved: board.move,
    CardTurned: board.turn_joker,
    CardsSwapped: board.swap,
    CardAsked: board.ask,
    CardGiven: board.give,
    RoundEnded: rounds.end_round,
    CardsKept: rounds.keep,
    GameEnded: winners.end_game,
    GameVoided: _void,
}
"""The function that judges each event; all others (secrets, clocks) lie outside the rule book."""

_MOVING = frozenset(
    {CardDrawn, CardTurned, CardsSwapped, CardGiven, PhaseLaid, CardsHit, CardDiscarded, SkipPlaced}
)
"""Events in which a card moves: with them the table is not stuck."""


class Referee:
    """One game under the referee's eyes. After an objection nothing more is judged."""

    def __init__(self) -> None:
        self.objection: Objection | None = None
        self.table: RefereeTable | None = None
        """The table as the referee has it after the events so far."""
        self._seq = 0

    def watch(self, event: Event) -> Objection | None:
        """Judge the next event, hidden parts opened; returns the objection to it, if any."""
        self._seq += 1
        if self.objection:
            return None
        try:
            self._judge(event)
        except Foul as foul:
            table = self.table
            rule = citation(foul.matter, table.letter if table else "")
            self.objection = Objection(self._seq, rule, self._who(event), foul.text)
        return self.objection

    def _judge(self, event: Event) -> None:
        if isinstance(event, GameOpened):
            self.table = RefereeTable(event.ruleset, event.seats, event.dealer)
            rounds.open_game(self.table, event)
        elif self.table is None:
            raise Foul("seats", "not_opened")
        elif judge := _JUDGES.get(type(event)):
            judge(self.table, event)
            if type(event) in _MOVING:
                self.table.passes = 0

    def _who(self, event: Event) -> str:
        kind, table = type(event).__name__, self.table
        number = getattr(event, "seat", None)
        if table is None or number is None:
            return kind
        return Phrase("evidence.who.seat", type=kind, name=table.name(number), turn=table.turn)


def judge(events: Iterable[Event]) -> Objection | None:
    """The objection to the first event of a game that the rules do not allow; None without one."""
    referee = Referee()
    return next(filter(None, map(referee.watch, events)), None)
