"""Walking through one game: selected from its source, audited while read, shown event by event."""

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from phaseledger.domain.events import Event
from phaseledger.domain.state import State
from phaseledger.replay.audit.auditor import Auditor
from phaseledger.replay.records.findings import AuditVerdict, Finding, SourceRow
from phaseledger.replay.records.source import DamagedSource, UnknownGame
from phaseledger.replay.terminal import UsageError, flush, say
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.table import table_text
from phaseledger.replay.transcript.transcript import describe


class Step(NamedTuple):
    """An event and the state after it."""

    event: Event
    state: State


def one_game(rows: Iterable[SourceRow], source: str, game: str | None) -> Iterator[SourceRow]:
    """The rows of one game: the one given by its id or place in the source, or the only one.

    Raises:
        NoSuchGame: the given one is not there.
        UsageError: none is given and there are several.

    """
    places: dict[str, int] = {}
    chosen = game if game is None or not game.isdecimal() else ""
    for row in rows:
        if row.game not in places and (row.topic.startswith("GameOpened/") or not places):
            places[row.game] = len(places) + 1
            if game is None and len(places) == 2:
                first = next(iter(places))
                raise UsageError(
                    f"{source} holds several games: name one with --game (an id such as {first}, "
                    "or its place in the file, from 1)."
                )
            if game is not None and str(places[row.game]) == game:
                chosen = row.game
        if row.game == chosen or game is None:
            yield row if row.game in places else replace(row, game=next(iter(places)))
    if game is not None and chosen not in places:
        raise UnknownGame(f"{source} has no game {game}.")


def walk(rows: Iterable[SourceRow], source: str) -> tuple[list[Step], AuditVerdict]:
    """The good events of one game with the states after them, and what the audit says.

    Raises:
        Damaged: there is no row at all.

    """
    steps: list[Step] = []
    auditor: Auditor | None = None
    for row in rows:
        auditor = auditor or Auditor(row.game)
        event = auditor.feed(row)
        if event is not None:
            assert auditor.state is not None
            steps.append(Step(event, auditor.state))
    if auditor is None:
        raise DamagedSource(f"{source}: there is no event in it.")
    return steps, auditor.close()


def event_lines(steps: list[Step], seq: int, viewer: Viewer) -> list[str]:
    """The event of that number in words."""
    event, state = steps[seq - 1]
    sentence, *details = describe(state, event, viewer)
    return [f"{seq:5}  {sentence}", *(f"         {line}" for line in details)]


def print_transcript(steps: list[Step], viewer: Viewer) -> None:
    """Print every event in words, with its number."""
    for seq in range(1, len(steps) + 1):
        for line in event_lines(steps, seq, viewer):
            say(line)


def print_table(steps: list[Step], seq: int, viewer: Viewer) -> None:
    """Print the event of that number in words, and the table after it."""
    for line in event_lines(steps, seq, viewer):
        say(line)
    for line in table_text(steps[seq - 1].state, viewer):
        say(f"  {line}")


def transcript_data(steps: list[Step], viewer: Viewer) -> list[dict[str, object]]:
    """Every event in words, as data."""
    data: list[dict[str, object]] = []
    for seq, (event, state) in enumerate(steps, 1):
        text, *details = describe(state, event, viewer)
        data.append({"seq": seq, "type": type(event).__name__, "text": text, "more": details})
    return data


def step_through(steps: list[Step], viewer: Viewer, start: int) -> None:
    """Show the table event by event, as the reader asks on standard input."""
    seq = start
    while steps:
        print_table(steps, seq, viewer)
        flush()
        sys.stderr.write(f"[{seq}/{len(steps)}] Enter: next, b: back, number: go there, q: quit > ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line or word == "q" or (not word and seq == len(steps)):
            break
        if word.isdecimal():
            seq = int(word[:9])
        elif word in ("", "b"):
            seq += -1 if word else 1
        seq = min(max(seq, 1), len(steps))


def finding_lines(finding: Finding, source: str) -> list[str]:
    """A finding in words: where, what, by which rule, expected and recorded."""
    rule = f" [{finding.rule}]" if finding.rule else ""
    place = f" ({source}:{finding.place})" if source and finding.place else ""
    return [
        f"  event {finding.seq}{place}: {finding.code}{rule}: {finding.text}",
        f"    expected: {finding.expected}",
        f"    recorded: {finding.recorded}",
    ]


def verdict_lines(verdict: AuditVerdict, source: str) -> list[str]:
    """A verdict in words: one line, and what was found under it."""
    word = "sound" if verdict.sound else "NOT SOUND"
    rules = verdict.ruleset or "no rule set"
    first = f"{word}  {verdict.game}  {rules}  {verdict.status}  {verdict.events} good events"
    lines = [f"{first}  head {verdict.head}"]
    lines += [line for finding in verdict.findings for line in finding_lines(finding, source)]
    return lines + [f"  note: {note}" for note in verdict.notes]
