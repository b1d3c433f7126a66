"""Rejudging: recorded decisions replayed under changed rules on the same cards and dice.

The deal follows from a transcript that names the rules (docs/reference/deal.md), so other rules
would deal other cards. Rejudging keeps the cards: the recorded transcript stays the key of every
shuffle and throw, and all else follows from the rules, by `domain.decide`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from phaseledger.domain.commands import Act, OpenGame, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.draft import Draft, decision
from phaseledger.domain.events import DealOpened, Event
from phaseledger.domain.evolve import evolve
from phaseledger.domain.options import OptionValue
from phaseledger.domain.play.rounds import deal_first
from phaseledger.domain.state import State
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import (
    Finding,
    SourceRow,
    first_difference,
    rule_of,
)

OptionChanges = Mapping[str, OptionValue]
Ends = Literal["same", "earlier", "later", "refused"]


class RefusedDecision(Struct, frozen=True, omit_defaults=True):
    """A recorded decision that the changed rules refuse."""

    seq: int
    """The number of the event with which it is recorded."""
    command: dict[str, object]
    code: str
    sentence: str
    seat: int | None = None
    """The seat that decided; None: the host."""
    rule: str = ""


class Difference(Struct, frozen=True, omit_defaults=True):
    """The first event that would be another: as recorded and as rejudged, null for none."""

    seq: int
    recorded: dict[str, object] | None
    rejudged: dict[str, object] | None
    was: str
    """The first difference, as ``path = value``; or the event's name."""
    becomes: str
    rule: str = ""


class Course(Struct, frozen=True):
    """The outcome of a game at its end, or as far as it went."""

    stage: str
    events: int
    rounds: int
    points: tuple[int, ...]
    winners: tuple[int, ...]


class RejudgedGame(Struct, frozen=True, omit_defaults=True):
    """One game under changed rules. Without ``seq``, ``unsound`` and ``ends`` it stays the same."""

    game: str
    ruleset: str
    seq: int = 0
    """The number of the first event that would differ; 0 for none."""
    refusal: RefusedDecision | None = None
    """The first decision that becomes illegal; nothing after it can be replayed."""
    difference: Difference | None = None
    """The first event with another outcome."""
    ends: Ends = "same"
    """The comparison with the record, where all decisions up to either end can be replayed."""
    recorded: Course | None = None
    rejudged: Course | None = None
    unsound: Finding | None = None
    """The audit's finding because of which the record is not rejudged."""
    source: str = ""

    @property
    def differs(self) -> bool:
        """Whether the game would differ in any way."""
        return self.seq > 0


def rejudged_games(
    rows: Iterator[SourceRow], options: OptionChanges, source: str = ""
) -> Iterator[RejudgedGame]:
    """Every game in the rows, audited and then rejudged; raises as `audit`."""
    events_by_game: dict[str, list[Event]] = {}

    def collect(game: str, event: Event) -> None:
        events_by_game.setdefault(game, []).append(event)

    for verdict in audit(rows, collect):
        events = events_by_game.pop(verdict.game, [])
        unchanged = RejudgedGame(game=verdict.game, ruleset=verdict.ruleset, source=source)
        if verdict.findings:
            yield replace(unchanged, unsound=verdict.findings[0])
        else:
            yield rejudge(unchanged, events, options)


def rejudge(
    unchanged: RejudgedGame, events: Sequence[Event], options: OptionChanges
) -> RejudgedGame:
    """Rejudge a sound record under these house rules on top of its own."""
    before: State | None = None
    state: State | None = None
    event_count = seq = 0
    difference: Difference | None = None
    refusal: RefusedDecision | None = None
    for batch in _commands(events):
        if state is not None and state.stage in ("ended", "voided"):
            break
        act = decision(batch[0])
        assert act is not None
        try:
            state, new_events = _decide_again(state, act, batch, options)
        except Rejected as rejection:
            refusal = _refusal(seq + 1, act, rejection)
            break
        if difference is None:
            difference = _difference(seq, before, batch, new_events)
        for event in batch:
            before = evolve(before, event)
        seq, event_count = seq + len(batch), event_count + len(new_events)
    if difference is None and refusal is None:
        return unchanged
    for event in events[seq:]:
        before = evolve(before, event)
    assert before is not None
    return replace(
        unchanged,
        seq=difference.seq if difference else seq + 1,
        refusal=refusal,
        difference=difference,
        ends="refused" if refusal else _ends(seq == len(events), before, state),
        recorded=_course(before, len(events)),
        rejudged=_course(state, event_count) if state else None,
    )


def _commands(events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """The events in batches, one for each command."""
    begins = [index for index, event in enumerate(events) if event.act is not None]
    for start, end in zip_longest(begins, begins[1:], fillvalue=None):
        yield events[start:end]


def _decide_again(
    state: State | None, act: Act, batch: Sequence[Event], options: OptionChanges
) -> tuple[State, tuple[Event, ...]]:
    """The state after the decision and its events, under the rules of the state.

    The command that opens the deal is taken as recorded up to the deal: nothing before depends on
    the rules, and the deal follows the recorded transcript.
    """
    if isinstance(act.command, OpenGame):
        command = replace(act.command, options={**act.command.options, **options})
        return step(None, replace(act, command=command))
    opens = [index for index, event in enumerate(batch) if isinstance(event, DealOpened)]
    if state is None or not opens:
        return step(state, act)
    draft = Draft(state)
    for event in batch[: opens[0] + 1]:
        draft.emit(event)
    deal_first(draft)
    return draft.now, tuple(draft.events)


def _refusal(seq: int, act: Act, rejection: Rejected) -> RefusedDecision:
    sentence = rejection.code.sentence
    if rejection.detail:
        sentence = f"{sentence.rstrip('.')}: {rejection.detail.rstrip('.')}."
    # Lists, not tuples, as in a decoded file of results.
    command = msgspec.json.decode(msgspec.json.encode(act.command), type=dict[str, object])
    command.pop("secret", None)
    return RefusedDecision(
        seq=seq,
        command=command,
        code=rejection.code.value,
        sentence=sentence,
        seat=act.seat,
        rule=rejection.rule,
    )


def _difference(
    seq: int, before: State | None, recorded: Sequence[Event], rejudged: Sequence[Event]
) -> Difference | None:
    """The first event of a command that differs, except that the table opens by other rules."""
    if before is None:
        return None
    for number, (was, becomes) in enumerate(zip_longest(recorded, rejudged), seq + 1):
        if was != becomes:
            recorded_facts, rejudged_facts = _event_facts(was), _event_facts(becomes)
            was_text, becomes_text = (
                type(event).__name__ if event else "no such event" for event in (was, becomes)
            )
            if type(was) is type(becomes):
                path, change = first_difference(recorded_facts, rejudged_facts)
                was_text, becomes_text = f"{was_text} {path}", f"{becomes_text} {change}"
            return Difference(
                seq=number,
                recorded=recorded_facts,
                rejudged=rejudged_facts,
                was=was_text,
                becomes=becomes_text,
                rule=rule_of(before.ruleset, becomes or was),
            )
    return None


def _event_facts(event: Event | None) -> dict[str, Any] | None:
    """An event's facts with its name, without the decision that led to it."""
    if event is None:
        return None
    facts: dict[str, Any] = msgspec.to_builtins(replace(event, act=None))
    return {"type": type(event).__name__, **facts}


def _ends(is_replayed: bool, recorded: State, rejudged: State | None) -> Ends:
    was_over, is_over = (
        state is not None and state.stage in ("ended", "voided") for state in (recorded, rejudged)
    )
    if is_over and not (is_replayed and was_over):
        return "earlier"
    return "later" if was_over and not is_over else "same"


def _course(state: State, events: int) -> Course:
    points = tuple(seat.points for seat in state.seats if seat)
    return Course(
        stage=state.stage, events=events, rounds=state.round, points=points, winners=state.winners
    )
