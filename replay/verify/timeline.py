"""What happened in a bundle, for people: its events in words, round by round, and the scores."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple

import msgspec

from phaseledger.domain.commands import CloseReveal, TimeOut
from phaseledger.domain.events import Event, GameEnded, RoundDealt, RoundEnded
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.evolve import evolve
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import State, cards_in_play
from phaseledger.replay.audit.proofs import FAULTS
from phaseledger.replay.bundle.reader import BundleEvent as Line
from phaseledger.replay.pages.page import Html, element, name, table, text
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.transcript import describe
from phaseledger.replay.verify.case import Case

LARGEST, MOST_CARDS = 100_000, 1_000
"""A number in an event and the cards on a table that are followed: nothing else was checked."""


class TimelineEvent(NamedTuple):
    """An event as it is recorded, and the state after it; None from where that makes no sense."""

    line: Line
    event: Event | None
    state: State | None
    seat: int | None = None
    """Whose decision led to it; None: the host's or the service's."""
    by_clock: bool = False
    """Whether it was the service, whose clock had run out."""


def timeline_events(case: Case) -> list[TimelineEvent]:
    """Every event of the bundle, folded as far as that goes; what is sealed stays unknown."""
    found: list[TimelineEvent] = []
    state: State | None = None
    seat: int | None = None
    by_clock = False
    follows = True
    for line in case.bundle.events:
        event = None
        follows = follows and _is_modest(msgspec.json.decode(line.form.data))
        if follows:
            try:
                event = decode_event(line.form.type, case.bundle.known(line))
                state = evolve(state, event)
                follows = len(cards_in_play(state)) <= MOST_CARDS
            except FAULTS:
                event, follows = None, False
        if event and event.act:
            seat, by_clock = event.act.seat, isinstance(event.act.command, CloseReveal | TimeOut)
        found.append(TimelineEvent(line, event, state if event else None, seat, by_clock))
    return found


def _is_modest(node: object) -> bool:
    """Whether no number in an event is so large that folding it would take the memory."""
    if isinstance(node, dict):
        return all(map(_is_modest, node.values()))
    if isinstance(node, list):
        return all(map(_is_modest, node))
    return not isinstance(node, int) or abs(node) <= LARGEST


def scores(events: Sequence[TimelineEvent], last: State) -> Html:
    """Points by round and in all or, where none are counted, the space that a marker reached."""
    rules, replay = last.ruleset, False
    players = [name(seat.name) if seat else text("-") for seat in last.seats]
    rows: list[list[object]] = []
    totals: list[str] = []
    for event in (each.event for each in events):
        if isinstance(event, RoundDealt):
            replay = event.replay
        elif isinstance(event, RoundEnded) and len(event.results) == len(players):
            rows.append([f"{event.round}{', replay for the win' * replay}", *_gains(event, rules)])
            totals = [str(result.total) for result in event.results]
        elif isinstance(event, GameEnded):
            won = ["wins" if seat in event.winners else "" for seat in range(len(players))]
            rows += [["total", *totals]] * (rules.scoring != "none" and bool(totals))
            rows.append(["result", *won])
    if rules.scoring != "none":
        caption = "Points, and the phase laid"
    else:
        caption = "Where each marker stands after the round, and the phase laid"
    return table(caption, ("round", *players), rows)


def _gains(event: RoundEnded, rules: RuleSet) -> Iterator[str]:
    """What the round brought each seat."""
    for seat, result in enumerate(event.results):
        marker = "laurel" if result.phase > len(rules.phases) else f"phase {result.phase}"
        gain = marker if rules.scoring == "none" else str(result.points)
        laid = f", laid phase {result.laid}" if result.laid else ""
        yield f"{gain}{laid}{', went out' * (seat == event.out)}"


def timeline(events: Sequence[TimelineEvent], viewer: Viewer, bad: int) -> Html:
    """All events in words, round by round; the round of the first bad event stands open."""
    parts = []
    for number, some in groupby(_numbered(events), lambda each: each[0]):
        mine = [(seq, each) for _, seq, each in some]
        first, last = mine[0][0], mine[-1][0]
        title = f"Round {number}" if number else "Before the first round"
        where = f"events {first} to {last}" if last > first else f"event {first}"
        rows = (_row(seq, each, viewer, is_bad=seq == bad) for seq, each in mine)
        head = ("event", "time (UTC)", "decided by", "what happened")
        body = table(where.capitalize(), head, rows)
        is_open = "open" * (first <= bad <= last)
        parts.append(
            element("details", element("summary", f"{title}: {where}"), body, attributes=is_open)
        )
    return Html("\n".join(parts))


def _numbered(events: Sequence[TimelineEvent]) -> Iterator[tuple[int, int, TimelineEvent]]:
    """Every event after its round (where that is unknown, the one before's) and its place."""
    number = 0
    for seq, each in enumerate(events, 1):
        number = each.state.round if each.state else number
        yield number, seq, each


def _row(seq: int, one: TimelineEvent, viewer: Viewer, *, is_bad: bool) -> tuple[object, ...]:
    number = element("mark", f"{seq}: the first bad event") if is_bad else text(seq)
    seats = one.state.seats if one.state else ()
    player = seats[one.seat] if one.seat is not None and one.seat < len(seats) else None
    nobody = "the service" if one.by_clock else "the host"
    who = name(player.name) if player else "" if one.state is None else nobody
    return number, when(one.line.form.at), who, _words(one, viewer)


def _words(one: TimelineEvent, viewer: Viewer) -> Html:
    """The event in words, further lines under the first one."""
    try:
        if one.state and one.event:
            first, *more = describe(one.state, one.event, viewer)
            under = (element("span", line, attributes='class="more"') for line in more)
            return Html(text(first.strip("- ")) + "".join(under))
    except FAULTS:
        pass
    return text(f"{one.line.form.type}, which does not follow from the events before")


def when(at: int) -> str:
    """A time of the log, to the second; in milliseconds where no calendar has it."""
    try:
        return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, OSError, ValueError):
        return f"{at} ms"
