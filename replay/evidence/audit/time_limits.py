"""The recorded times checked against the table's own terms: time-outs and their consequences, seats
handed over, waits for secrets.

The check needs public facts alone, so a game that goes on is checked too. The times are the
operator's own: they prove only what they contradict.
"""

from collections.abc import Callable
from typing import ClassVar, Literal, NamedTuple

from phaseledger.domain.commands import Act, CloseReveal, LeaveSeat, TimeOut
from phaseledger.domain.events import (
    Event,
    GameOpened,
    GameVoided,
    SeatFreed,
    SeatHandedOver,
    SeatTaken,
    TableSealed,
    TurnBegan,
    TurnTimedOut,
)
from phaseledger.domain.state import Question
from phaseledger.domain.terms import OPEN, Clock, Overdue, Terms
from phaseledger.domain.turn_clock import askings_after, deadline
from phaseledger.domain.words import Amount, Figure, Phrase


class TimeFault(NamedTuple):
    """A time-out or an end of a wait without ground in the terms and the times."""

    code: Literal["timed_out_early", "against_terms", "closed_early"]
    expected: str
    recorded: str


class Asking(NamedTuple):
    """The event of a seat's open question, and its time (ms since 1970)."""

    at: int
    seq: int


class EndedWait(NamedTuple):
    """A wait for a seat that was ended: the numbers of its first and last event, and its length."""

    asked: int
    """The number of the event that asked, or that sealed the table."""
    ended: int
    """The number of the event by which the seat lost its answer, its seat or the game."""
    seconds: int
    """The least length by the terms."""


_CONSEQUENCES: dict[Overdue, type[Event] | None] = {
    "bot_move": None,
    "bot_for_good": SeatHandedOver,
    "void": GameVoided,
}
"""The event of the same command that must follow a time-out; None for none."""


class TimeLimits:
    """The limits of one game's seats, from its events in order."""

    def __init__(self) -> None:
        self.terms: Terms = OPEN
        self.sealed: TableSealed | None = None
        """The sealing of the table, which says how long seats have to reveal their secrets."""
        self.sealed_at = 0
        """The time of the sealing, in ms since 1970."""
        self.ended: list[EndedWait] = []
        """The waits for overdue seats, in order."""
        self._sealing = 0
        self._waits: tuple[Question, ...] = ()
        self._asked: dict[int, Asking] = {}
        """The asking of each seat; empty at a table without a clock."""
        self._answered_for: dict[int, Literal["for good", "for a turn"]] = {}
        """Seats for which a bot answers."""
        self._last: Event | None = None

    def watch(self, seq: int, at: int, event: Event) -> TimeFault | None:
        """Take the next event, with its number and time (ms since 1970); its fault, if any."""
        check = self._CHECKS.get(type(event))
        fault = check(self, seq, at, event) if check else None
        if isinstance(self._last, TurnTimedOut):
            fault = self._inconsequence(self._last, event) or fault
        waits = self._waits if event.asks is None else event.asks
        if self.terms.clock and (event.asks is not None or event.act is not None):
            asking = Asking(at, seq)
            self._asked = askings_after(self._asked, self._waits, waits, event, asking)
        self._waits, self._last = waits, event
        return fault

    def _open(self, _seq: int, _at: int, event: GameOpened) -> None:
        self.terms = event.table or OPEN

    def _seal(self, seq: int, at: int, event: TableSealed) -> None:
        if self.sealed is None:
            self.sealed, self.sealed_at, self._sealing = event, at, seq

    def _sit_down(self, _seq: int, _at: int, event: SeatTaken) -> None:
        if event.bot:
            self._answered_for[event.seat] = "for good"

    def _get_up(self, _seq: int, _at: int, event: SeatFreed) -> None:
        self._answered_for.pop(event.seat, None)

    def _begin_turn(self, _seq: int, _at: int, event: TurnBegan) -> None:
        if self._answered_for.get(event.seat) == "for a turn":
            del self._answered_for[event.seat]

    def _time_out(self, seq: int, at: int, event: TurnTimedOut) -> TimeFault | None:
        number, clock = event.seat, self.terms.clock
        asking, bot = self._asked.get(number), self._answered_for.get(number)
        if event.bot:
            self._answered_for[number] = "for a turn"
        if clock is None:
            return TimeFault("against_terms", Phrase("evidence.terms.no_clock"), _name(event))
        if asking is None or bot:
            key = "evidence.terms.bot_answers" if bot else "evidence.terms.owed_nothing"
            expected = Phrase(key, seat=number)
            return TimeFault("against_terms", expected, _name(event))
        ended = seq if _CONSEQUENCES[event.then] is None else seq + 1
        self.ended.append(EndedWait(asking.seq, ended, clock.seconds + clock.grace))
        if at < deadline(clock, asking.at).grace_until:
            place = {"seq": asking.seq, "seat": number}
            expected = Phrase("evidence.time.asked", text=_allowance(clock), **place)
            return TimeFault("timed_out_early", expected, _seconds(at - asking.at))
        if event.act != Act(TimeOut(number)):
            expected = Phrase("evidence.terms.command", seat=number)
            return TimeFault("against_terms", expected, Phrase("evidence.another_one"))
        stand_in = self.terms.stand_in if clock.then == "bot_move" else ""
        if (event.then, event.bot) != (clock.then, stand_in):
            due, recorded = (
                f"{then} {by}".strip()
                for then, by in ((clock.then, stand_in), (event.then, event.bot))
            )
            return TimeFault("against_terms", Phrase("evidence.terms.say", value=due), recorded)
        return None

    def _hand_over(self, _seq: int, _at: int, event: SeatHandedOver) -> TimeFault | None:
        number, last = event.seat, self._last
        self._answered_for[number] = "for good"
        if event.why == "left":
            grounds = event.act is not None and (
                (event.act.seat, event.act.command) == (number, LeaveSeat())
            )
        else:
            due = (number, "bot_for_good")
            grounds = isinstance(last, TurnTimedOut) and (last.seat, last.then) == due
        if not grounds:
            key = "evidence.terms.left" if event.why == "left" else "evidence.terms.out"
            expected = Phrase(key, seat=number)
            return TimeFault("against_terms", expected, Phrase("evidence.terms.without"))
        if event.bot != self.terms.stand_in:
            expected = Phrase("evidence.terms.say", value=self.terms.stand_in)
            return TimeFault("against_terms", expected, event.bot)
        return None

    def _void(self, seq: int, at: int, event: GameVoided) -> TimeFault | None:
        last, sealed = self._last, self.sealed
        if event.act is None:
            overdue = (last.seat,) if isinstance(last, TurnTimedOut) else None
            if overdue != event.owing:
                recorded = Phrase("evidence.terms.names", value=list(event.owing))
                return TimeFault("against_terms", Phrase("evidence.terms.void"), recorded)
        elif event.act.command == CloseReveal() and sealed and sealed.reveal_seconds:
            seconds, elapsed = sealed.reveal_seconds, at - self.sealed_at
            self.ended.append(EndedWait(self._sealing, seq, seconds))
            if elapsed < 1_000 * seconds:
                expected = Phrase("evidence.time.sealing", count=seconds)
                return TimeFault("closed_early", expected, _seconds(elapsed))
        return None

    def _inconsequence(self, timed_out: TurnTimedOut, event: Event) -> TimeFault | None:
        """The fault of an event that cannot follow on the time-out right before it."""
        consequence = _CONSEQUENCES[timed_out.then]
        if consequence is (type(event) if event.act is None else None):
            return None
        expected = Phrase("evidence.terms.other_after", seat=timed_out.seat)
        if consequence:
            due = consequence.__name__
            expected = Phrase("evidence.terms.after", type=due, seat=timed_out.seat)
        recorded = _name(event)
        if event.act:
            recorded = Phrase("evidence.terms.other_command", type=recorded)
        return TimeFault("against_terms", expected, recorded)

    _CHECKS: ClassVar[dict[type[Event], Callable[..., TimeFault | None]]] = {
        GameOpened: _open,
        TableSealed: _seal,
        SeatTaken: _sit_down,
        SeatFreed: _get_up,
        TurnBegan: _begin_turn,
        TurnTimedOut: _time_out,
        SeatHandedOver: _hand_over,
        GameVoided: _void,
    }


def _name(event: Event) -> str:
    return type(event).__name__


def _seconds(elapsed: int) -> Phrase:
    return Phrase("evidence.time.seconds", count=Figure(f"{elapsed / 1_000:.3f}"))


def _allowance(clock: Clock) -> str:
    seconds = Amount(clock.seconds)
    if clock.grace:
        return Phrase("evidence.time.grace", count=seconds, more=Amount(clock.grace))
    return Phrase("evidence.time.seconds", count=seconds)
