"""The counts of one game, under keys, which add up over any number of games."""

from collections import defaultdict
from functools import lru_cache
from typing import Any

from msgspec import Struct, field

from phaseledger.domain import events as e
from phaseledger.domain.evolve import evolve
from phaseledger.domain.policies import OPEN_PHASES
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import State, cards_in_play
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.guards import check_opening, most_cards
from phaseledger.replay.laboratory.account.account import account
from phaseledger.replay.laboratory.account.models import has_model
from phaseledger.replay.laboratory.account.moments import moments
from phaseledger.replay.transcript.distance import (
    PhaseFillings,
    phase_fillings,
)

CountKey = tuple[str | int, ...]
Counts = dict[CountKey, float]

SOON_TURNS = 2
"""A phase counts as laid soon after a draw within this number of further own turns."""
LAST_TURN, LONGEST_ROUND, LONGEST_GAME, MOST_ROUNDS = 30, 400, 4_000, 200
"""Upper bounds of counts: greater values count as the bound, so that tables stay small."""
MOST_CARDS, MOST_POINTS, MOST_TURNS = 1_000, 100_000, 10_000_000
"""Limits that no real game comes near to; beyond them a log is `UnfitLog`."""
CHANCES = 4
"""Stocks and throws beside which cards at the board are held: 30 would take one to four hundredths
more of the variance of results away, in three times the time.
"""
HANDS = 20
"""Dealt hands kept of each game, the first ones, to count the phases they hold."""


class UnfitLog(Exception):
    """A log that is no game; the message gives the reason."""


class Round(Struct):
    """One round of a timeline; turns count over the whole game."""

    first: int
    last: int = 0
    laid: list[tuple[int, int, int]] = []
    """(seat, turn, phase)."""
    skipped: list[tuple[int, int]] = []
    """(seat, turn) of turns lost."""
    out: int | None = None
    totals: list[int] = []
    points: list[int] = []
    phases: list[int] = []
    """The phase that each seat makes next, after the round."""


class GameTimeline(Struct):
    """The data of a game's timeline."""

    game: str
    names: list[str]
    bots: list[str]
    winners: tuple[int, ...] = ()
    rounds: list[Round] = []


class StudiedGame(Struct):
    """The counts, dealt hands and timeline of one finished game."""

    rules: RuleSet
    seats: int
    counts: tuple[tuple[CountKey, float], ...]
    hands: list[bytes]
    story: GameTimeline


class _Draw(Struct):
    """A card drawn by a seat that had its phase still to lay."""

    source: str
    distance: int
    turn: int
    nearer: bool


class _Sitting(Struct):
    """A seat's counters in the current round."""

    open: tuple[int, ...] = ()
    turns: int = 0
    laid: int = 0
    laid_at: int = 0
    draws: list[_Draw] = field(default_factory=list)


class GameObserver:
    """The fold of one game's events into counts; it trusts the log as `evolve` does."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.heard = 0
        """The number of events folded in."""
        self.counts: defaultdict[CountKey, float] = defaultdict(float)
        self.hands: list[bytes] = []
        self.rounds: list[Round] = []
        self._sitting: list[_Sitting] = []
        self._bots: list[str] = []
        self._playing: tuple[int, ...] = ()
        self._reaches: dict[int, PhaseFillings | None] = {}
        self._events: list[e.Event] = []

    def hear(self, event: e.Event) -> None:
        """Fold in the next event.

        Raises:
            UnfitLog: the event does not fit its place.

        """
        if self.state is None:
            check_opening(event)
        if most_cards(event) > MOST_CARDS:
            raise UnfitLog(Phrase("evidence.report.cards", type=type(event).__name__))
        before, after = self.state, evolve(self.state, event)
        self.state = after
        listen = _LISTENERS.get(type(event))
        if listen:
            listen(self, event, before, after)
        self._events.append(event)
        self.heard += 1

    def result(self) -> StudiedGame:
        """The result for the game, once it has ended."""
        state = self.state
        assert state is not None
        seats = [state.seat(number) for number in range(len(state.seats))]
        self._add_account(state)
        story = GameTimeline(
            game=state.game,
            names=[seat.name for seat in seats],
            bots=self._bots,
            winners=state.winners,
            rounds=self.rounds,
        )
        return StudiedGame(
            rules=state.ruleset,
            seats=len(seats),
            counts=tuple(self.counts.items()),
            hands=self.hands,
            story=story,
        )

    def _add_account(self, state: State) -> None:
        """Count the parts of each seat's result, where the package has a value model."""
        if not has_model(state.ruleset, len(state.seats)):
            return
        for seat in account([*moments(self._events)], CHANCES).seats:
            bot = self._bots[seat.seat] or "person"
            won, luck = seat.result, seat.luck
            parts = {"won": won, "luck": luck, "own": seat.own, "others": seat.others}
            parts |= {"won squared": won**2, "luck squared": luck**2, "won luck": won * luck}
            for part, value in {**parts, "seats": 1.0}.items():
                self.counts["account", part, bot] += value

    # --- rounds -----------------------------------------------------------------------------------

    def dealt(self, event: e.RoundDealt, _: State, state: State) -> None:
        """Note each seat's open phases, and some hands."""
        if cards_in_play(state) != state.ruleset.deck.cards():
            raise UnfitLog(Phrase("evidence.report.deck"))
        if not self._bots:
            self._bots = [state.seat(n).bot for n in range(len(state.seats))]
        self._playing = () if event.replay else event.players
        self._sitting = [_Sitting() for _ in state.seats]
        self.rounds.append(Round(first=state.turn + 1))
        policy = OPEN_PHASES[state.ruleset.progress]
        for number in self._playing:
            seat = state.seat(number)
            self._sitting[number].open = policy(state, seat)
            if event.kept:
                continue  # kept cards were chosen, and all other hands came from the rest
            if len(self.hands) < HANDS:
                self.hands.append(seat.hand)

    def began(self, event: e.TurnBegan, _: State, __: State) -> None:
        """Count a turn of the seat's own."""
        self._sitting[event.seat].turns += 1

    def skipped(self, event: e.SkipServed, _: State, __: State) -> None:
        """Note a lost turn."""
        self.rounds[-1].skipped.append((event.seat, event.turn))

    def drew(self, event: e.CardDrawn, before: State, after: State) -> None:
        """Note every draw before the phase is laid."""
        sitting, seat = self._sitting[event.seat], before.seat(event.seat)
        if event.seat not in self._playing or seat.laid or event.source == "pile":
            return
        phase_reach = self._reach(before, seat.phase)
        if not phase_reach:
            return
        distance, slots = phase_reach.look(seat.hand)
        nearer = phase_reach.helps(after.seat(event.seat).hand[-1], slots)
        sitting.draws.append(_Draw(event.source, distance, sitting.turns, nearer))

    def laid(self, event: e.PhaseLaid, _: State, state: State) -> None:
        """Note when the phase was laid."""
        sitting = self._sitting[event.seat]
        sitting.laid, sitting.laid_at = event.phase, sitting.turns
        self.rounds[-1].laid.append((event.seat, state.turn, event.phase))

    def _reach(self, state: State, phase: int) -> PhaseFillings | None:
        if phase not in self._reaches:
            self._reaches[phase] = _phase_reach(state.ruleset, phase)
        return self._reaches[phase]

    def ended(self, event: e.RoundEnded, before: State, _: State) -> None:
        """Count the round and its seats."""
        if any(abs(result.points) > MOST_POINTS for result in event.results) or (
            not 0 < before.turn <= MOST_TURNS
        ):
            raise UnfitLog(Phrase("evidence.report.measure"))
        self._close_round(event, before)
        counts, turns = self.counts, before.turn - before.round_turn
        counts["round turns", min(turns, LONGEST_ROUND)] += 1
        counts["round ended", "by going out" if event.out is not None else "otherwise"] += 1
        for number in self._playing:
            self._count_seat(
                self._sitting[number], event.results[number], before.seat(number).phase
            )

    def _close_round(self, event: e.RoundEnded, before: State) -> None:
        round_, results = self.rounds[-1], event.results
        round_.last, round_.out = max(before.turn, round_.first), event.out
        round_.points = [result.points for result in results]
        round_.totals = [result.total for result in results]
        round_.phases = [result.phase for result in results]

    def _count_seat(self, sitting: _Sitting, result: e.Result, current_phase: int) -> None:
        counts = self.counts
        for phase in sitting.open:
            counts["tries", phase] += 1
        if sitting.laid in sitting.open:
            counts["made", sitting.laid, min(sitting.laid_at, LAST_TURN)] += 1
        if sitting.open:
            phase, kind = (sitting.laid, "laid") if sitting.laid else (current_phase, "not")
            counts["points", phase, kind] += result.points
            counts["points of", phase, kind] += 1
        for draw in sitting.draws:
            key = draw.source, min(draw.distance, 10)
            counts["draws", *key] += 1
            counts["nearer", *key] += draw.nearer
            counts["soon", *key] += sitting.laid > 0 and sitting.laid_at <= draw.turn + SOON_TURNS
            counts["score", *key] += result.points

    def over(self, event: e.GameEnded, before: State, state: State) -> None:
        """Count the game and its winners."""
        counts, seats = self.counts, len(state.seats)
        counts["games",] += 1
        counts["rounds", min(state.round, MOST_ROUNDS)] += 1
        counts["turns", min(state.turn, LONGEST_GAME)] += 1
        for number in range(seats):
            won = (number in event.winners) / max(1, len(event.winners))
            bot = self._bots[number] or "person"
            for key in (("seat", number), ("bot", bot)):
                counts[("sat", *key)] += 1
                counts[("won", *key)] += won
            counts["score of", bot] += state.seat(number).points


@lru_cache(maxsize=500)
def _phase_reach(rules: RuleSet, phase: int) -> PhaseFillings | None:
    """The ways to fill a phase."""
    return phase_fillings(rules, rules.phases[phase - 1]) if phase <= len(rules.phases) else None


_LISTENERS: dict[type[e.Event], Any] = {
    e.RoundDealt: GameObserver.dealt,
    e.TurnBegan: GameObserver.began,
    e.SkipServed: GameObserver.skipped,
    e.CardDrawn: GameObserver.drew,
    e.PhaseLaid: GameObserver.laid,
    e.RoundEnded: GameObserver.ended,
    e.GameEnded: GameObserver.over,
}
