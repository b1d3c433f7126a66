"""The timeline of a bundle's game as HTML: events in words, round by round, and the scores."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from phaseledger.domain.events import GameEnded, RoundDealt, RoundEnded
from phaseledger.domain.ruleset import RuleSet, phase_number
from phaseledger.domain.state import State
from phaseledger.replay.evidence.verify.timeline_events import TimelineEvent, sentences, when
from phaseledger.replay.evidence.verify.verdict_words import VerdictPageWords
from phaseledger.replay.pages.page import Html, element, name, table, text
from phaseledger.replay.text import Viewer, quoted


def scores(events: Sequence[TimelineEvent], last_state: State, words: VerdictPageWords) -> Html:
    """The table of scores: points by round and in all or, in games without, the markers' places."""
    rules, replay = last_state.ruleset, False
    players = [name(quoted(seat.name)) if seat else text("-") for seat in last_state.seats]
    rows: list[list[object]] = []
    totals: list[str] = []
    for event in (entry.event for entry in events):
        if isinstance(event, RoundDealt):
            replay = event.replay
        elif isinstance(event, RoundEnded) and len(event.results) == len(players):
            number = words.text("scores.replay", round=event.round) if replay else event.round
            rows.append([str(number), *_gains(event, rules, words)])
            totals = [str(result.total) for result in event.results]
        elif isinstance(event, GameEnded):
            wins = words.text("scores.wins")
            won = [wins if seat in event.winners else "" for seat in range(len(players))]
            has_totals = rules.scoring != "none" and bool(totals)
            rows += [[words.text("scores.total"), *totals]] * has_totals
            rows.append([words.text("scores.result"), *won])
    caption = words.text("scores" if rules.scoring != "none" else "scores.markers")
    return table(caption, (words.text("scores.round"), *players), rows)


def _gains(event: RoundEnded, rules: RuleSet, words: VerdictPageWords) -> Iterator[str]:
    """Each seat's gain in the round: points or place, the phase laid, and who went out."""
    for seat, result in enumerate(event.results):
        parts = [str(result.points)]
        if rules.scoring == "none" and result.phase > len(rules.phases):
            parts = [words.text("scores.laurel")]
        elif rules.scoring == "none":
            parts = [words.text("scores.phase", phase=phase_number(rules, result.phase))]
        if result.laid:
            parts.append(words.text("scores.laid", phase=phase_number(rules, result.laid)))
        if seat == event.out:
            parts.append(words.text("scores.out"))
        yield ", ".join(parts)


def timeline(
    events: Sequence[TimelineEvent], viewer: Viewer, bad: int, words: VerdictPageWords
) -> Html:
    """All events in words, a section for each round; the one with the first bad event is open."""
    parts = []
    heads = ("events.event", "events.time", "events.decider", "events.words")
    for number, numbered in groupby(_numbered(events), lambda item: item[0]):
        entries = [(seq, entry) for _, seq, entry in numbered]
        first, last = entries[0][0], entries[-1][0]
        title = words.text("events.round" if number else "events.before", round=number)
        code = "events.span" if last > first else "events.one"
        span = words.text(code, first=first, last=last)
        rows = (_row(seq, entry, viewer, words, is_bad=seq == bad) for seq, entry in entries)
        caption = words.text(f"{code}.table", first=first, last=last)
        summary = element("summary", words.text("events.part", title=title, span=span))
        is_open = "open" * (first <= bad <= last)
        body = table(caption, words.texts(*heads), rows, words.lang)
        parts.append(element("details", summary, body, attributes=is_open))
    return Html("\n".join(parts))


def _numbered(events: Sequence[TimelineEvent]) -> Iterator[tuple[int, int, TimelineEvent]]:
    """(round, number, entry) of every event; an unknown round is the one of the event before."""
    number = 0
    for seq, entry in enumerate(events, 1):
        number = entry.state.round if entry.state else number
        yield number, seq, entry


def _row(
    seq: int, entry: TimelineEvent, viewer: Viewer, words: VerdictPageWords, *, is_bad: bool
) -> tuple[object, ...]:
    number = element("mark", words.text("events.bad", seq=seq)) if is_bad else text(seq)
    seats = entry.state.seats if entry.state else ()
    player = seats[entry.seat] if entry.seat is not None and entry.seat < len(seats) else None
    no_player = words.text("events.service" if entry.by_service else "events.host")
    decider = name(quoted(player.name)) if player else "" if entry.state is None else no_player
    return number, when(entry.line.form.at), decider, _sentences(entry, viewer, words)


def _sentences(entry: TimelineEvent, viewer: Viewer, words: VerdictPageWords) -> Html:
    """The event in words, with the details under its sentence."""
    sentence, *details = sentences(entry, viewer, words.lang)
    spans = (element("span", line, attributes='class="more"') for line in details)
    return Html(text(sentence.strip("- ")) + "".join(spans))
