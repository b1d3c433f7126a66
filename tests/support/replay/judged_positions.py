"""Moves in positions, decided by the rules and judged by both referees.

A move that the rules accept is allowed by both, event by event. One that they refuse, written down
as if it had been accepted (forged_moves.py), both object to. Whatever else could have been written
down for an accepted one is objected to as well.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from msgspec.structs import replace

from phaseledger.domain import events as e
from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.state import State
from phaseledger.replay.evidence.referee.cards import faces
from phaseledger.replay.evidence.referee.referee import Objection
from phaseledger.replay.evidence.referee.table import RefereeTable
from tests.support.browser import Verifier
from tests.support.replay.forged_moves import forged_events
from tests.support.replay.page_referee import SAID, in_each_language, page_event, said_by_page
from tests.support.replay.referee_tables import SET_TABLE, seated, table_facts, table_of

_JUDGE = f"""(positions) => positions.map(([facts, tries]) => tries.map((events) => {{
  const referee = new rules.Referee();
  referee.table = ({SET_TABLE})(facts);
  events.map((event) => rules.readEvent(...event)).find((event) => referee.watch(event));
  const {{ next, wanted, active }} = referee.table;
  const count = next === "draw" ? `${{wanted}} times ` : "";
  const due = next === "give" ? next : `${{count}}${{next}} of seat ${{active}}`;
  return [{SAID}(referee.objection), due];
}}))"""


TRANSLATED = 10
"""Of one objection in so many the words in German and French are compared as well."""


class JudgedMove(NamedTuple):
    """Events that follow on a position, and what is due to them."""

    state: State
    act: Act
    events: tuple[e.Event, ...]
    is_lawful: bool
    objection: Objection | None
    """That of the referee in Python."""
    expectation: str = ""
    """What the referee has come next where the rules wait for something else."""
    due: str = ""
    """What the referee has come next; empty where nobody judges that."""

    @property
    def fault(self) -> str:
        """What the referee gets wrong; empty where nothing."""
        if self.is_lawful is (self.objection is None) and not self.expectation:
            return ""
        house_rules = self.state.ruleset.options
        finding = self.objection or self.expectation
        return f"{self.act}: {self.events[0]}: {finding}, under {house_rules}"


def judged_moves(
    moves: Iterable[tuple[State, Act]], *, to_the_end: bool = True
) -> Iterator[JudgedMove]:
    """Each move as the rules decide it, and otherwise.

    Positions laid out by hand need not say how their round began: with ``to_the_end`` False nobody
    judges how it ends, and what comes next.
    """
    for state, act in moves:
        try:
            after, made = step(state, act)
        except Rejected:
            due = None
        else:
            due = made[0]
            lawful = made if to_the_end else _before_end(made)
            yield _judged(state, act, lawful, is_lawful=True, after=after if to_the_end else None)
        for forged in forged_events(table_of(state), due.act if due and due.act else act):
            if due is None or not _is_same(state, forged, due):
                yield _judged(state, act, (forged,), is_lawful=False)


def _judged(
    state: State,
    act: Act,
    events: tuple[e.Event, ...],
    *,
    is_lawful: bool,
    after: State | None = None,
) -> JudgedMove:
    """The referee's judgement; what it has come next is held against the state ``after`` that.

    But for who still may keep cards, which a position does not say.
    """
    referee = seated(table_of(state))
    objection = next(filter(None, map(referee.watch, events)), None)
    expectation = due = ""
    kinds = {question.kind for question in (*state.waits, *(after.waits if after else ()))}
    if after and after.waits and "keep" not in kinds and not objection:
        assert referee.table
        due, waited = (_due(table) for table in (referee.table, table_of(after)))
        if due != waited:
            expectation = f"it has {due} come next, the rules {waited}"
    return JudgedMove(
        state=state,
        act=act,
        events=events,
        is_lawful=is_lawful,
        objection=objection,
        expectation=expectation,
        due=due,
    )


def _due(table: RefereeTable) -> str:
    """What a table has come next, and whose turn it is; that is nobody's when somebody gives."""
    if table.next == "give":
        return table.next
    count = f"{table.wanted} times " if table.next == "draw" else ""
    return f"{count}{table.next} of seat {table.active}"


def _before_end(events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    """The events up to the end of the round."""
    for place, event in enumerate(events):
        if isinstance(event, e.RoundEnded):
            return events[:place]
    return events


def _is_same(state: State, forged: e.Event, due: e.Event) -> bool:
    """Whether the event says nothing but what was decided, or nobody could see that it does not."""
    if isinstance(due, e.StockShuffled | e.RoundEnded):  # the card comes afterwards, or none does
        return True
    if any(secret.said for secret in due.hidden.values()):  # what was named is no part of the log
        return True
    if isinstance(due, e.CardsKept):
        return True
    if isinstance(forged, e.PhaseLaid) and isinstance(due, e.PhaseLaid):
        return _on_table(state, forged) == _on_table(state, due)
    return forged == replace(due, asks=None)


def _on_table(state: State, event: e.PhaseLaid) -> Any:
    """What lies there, alike cards being alike: those of one rank, by `high_then_low`, too."""
    table = table_of(state)
    if table.options.wild_placement == "explicit":
        return event.phase, event.groups
    groups = []
    for group in event.groups:
        cards = table.name_cards(table.seats[event.seat], group.cards)
        line = ["" if card.replaces_any else card.rank for card in cards]
        groups.append((line, faces(cards), group.low, group.high))
    return event.phase, groups


def on_the_page(page: Verifier, moves: Iterable[JudgedMove]) -> list[str]:
    """What the page's referee says otherwise than the one in Python, to the word."""
    positions = [(state, list(some)) for state, some in groupby(moves, lambda move: move.state)]
    given = [
        [table_facts(table_of(state)), [[*map(page_event, move.events)] for move in some]]
        for state, some in positions
    ]
    answers = page.ask(_JUDGE, given)
    judged = (
        (move, said_by_page(answer), due)
        for (_, some), theirs in zip(positions, answers, strict=True)
        for move, (answer, due) in zip(some, theirs, strict=True)
    )
    return [
        f"{move.act}: {move.events[0]}: {move.objection or move.due}, page: {objections or due}"
        for number, (move, objections, due) in enumerate(judged)
        if (objections[0] if objections else None) != move.objection
        or (number % TRANSLATED == 0 and objections != in_each_language(move.objection))
        or (move.due and due != move.due)
    ]
