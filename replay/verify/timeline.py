"""The timeline of a bundle's game as HTML: events in words, round by round, and the scores."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from phaseledger.domain.events import GameEnded, RoundDealt, RoundEnded
from phaseledger.domain.ruleset import RuleSet, phase_number
from phaseledger.domain.state import State
from phaseledger.replay.pages.page import Html, element, name, table, text
from phaseledger.replay.text import Viewer, quoted
from phaseledger.replay.verify.timeline_events import TimelineEvent, sentences, when


def scores(events: Sequence[TimelineEvent], last_state: State) -> Html:
    """The table of scores: points by round and in all or, in games without, the markers' places."""
    rules, replay = last_state.ruleset, False
    players = [name(quoted(seat.name)) if seat else text("-") for seat in last_state.seats]
    rows: list[list[object]] = []
    totals: list[str] = []
    for event in (entry.event for entry in events):
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
    """Each seat's gain in the round: points or place, the phase laid, and who went out."""
    for seat, result in enumerate(event.results):
        next_phase = f"phase {phase_number(rules, result.phase)}"
        marker = "laurel" if result.phase > len(rules.phases) else next_phase
        gain = marker if rules.scoring == "none" else str(result.points)
        laid = f", laid phase {phase_number(rules, result.laid)}" if result.laid else ""
        yield f"{gain}{laid}{', went out' * (seat == event.out)}"


def timeline(events: Sequence[TimelineEvent], viewer: Viewer, bad: int) -> Html:
    """All events in words, a section for each round; that of the first bad event is open."""
    parts = []
    for number, numbered in groupby(_numbered(events), lambda item: item[0]):
        entries = [(seq, entry) for _, seq, entry in numbered]
        first, last = entries[0][0], entries[-1][0]
        title = f"Round {number}" if number else "Before the first round"
        span = f"events {first} to {last}" if last > first else f"event {first}"
        rows = (_row(seq, entry, viewer, is_bad=seq == bad) for seq, entry in entries)
        head = ("event", "time (UTC)", "decided by", "what happened")
        body = table(span.capitalize(), head, rows)
        is_open = "open" * (first <= bad <= last)
        parts.append(
            element("details", element("summary", f"{title}: {span}"), body, attributes=is_open)
        )
    return Html("\n".join(parts))


def _numbered(events: Sequence[TimelineEvent]) -> Iterator[tuple[int, int, TimelineEvent]]:
    """(round, number, entry) of every event; where the round is unknown, that of the one before."""
    number = 0
    for seq, entry in enumerate(events, 1):
        number = entry.state.round if entry.state else number
        yield number, seq, entry


def _row(seq: int, entry: TimelineEvent, viewer: Viewer, *, is_bad: bool) -> tuple[object, ...]:
    number = element("mark", f"{seq}: the first bad event") if is_bad else text(seq)
    seats = entry.state.seats if entry.state else ()
    player = seats[entry.seat] if entry.seat is not None and entry.seat < len(seats) else None
    no_player = "the service" if entry.by_service else "the host"
    decider = name(quoted(player.name)) if player else "" if entry.state is None else no_player
    return number, when(entry.line.form.at), decider, _words(entry, viewer)


def _words(entry: TimelineEvent, viewer: Viewer) -> Html:
    """The event in words, with the details under its sentence."""
    sentence, *details = sentences(entry, viewer)
    spans = (element("span", line, attributes='class="more"') for line in details)
    return Html(text(sentence.strip("- ")) + "".join(spans))
