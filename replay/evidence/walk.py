"""Walking through one game: selected from its source, audited while read, shown event by event."""

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from phaseledger.domain.events import Event
from phaseledger.domain.evidence.codec import decode
from phaseledger.domain.words import Language, Phrase, message, reason_of
from phaseledger.replay.evidence.audit import proofs
from phaseledger.replay.evidence.audit.auditor import Auditor
from phaseledger.replay.formats.guards import ProofFailed
from phaseledger.replay.formats.records.findings import (
    AuditVerdict,
    Finding,
    FindingCode,
    SourceRow,
    meaning,
    short,
)
from phaseledger.replay.formats.records.source import DamagedSource, SourceError, UnknownGame
from phaseledger.replay.terminal import UsageError, flush, say
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.table import Step, table_text
from phaseledger.replay.transcript.transcript import describe


def one_game(rows: Iterable[SourceRow], source: str, game: str | None) -> Iterator[SourceRow]:
    """The rows of one game: the one given by its id or place in the source, or the only one.

    Raises:
        UnknownGame: the given one is not there.
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
        raise UnknownGame(Phrase("evidence.file.unknown_game", title=source, id=game))


class WalkedGame(NamedTuple):
    """The good events of one game with the states after them, and the fault of the rest."""

    steps: list[Step]
    verdict: AuditVerdict
    """The audit's verdict; for a view of a running game, whether its events can be followed."""
    damage: SourceError | None = None
    """The reason why the source could not be read to its end."""
    is_view: bool = False
    """Whether parts are still sealed, so that the game cannot be decided again."""
    expected: bytes | None = None
    """The stored event that should stand in place of the first bad one, if it can be computed."""
    recorded: bytes | None = None
    """The first bad event; None where nothing stands there."""


def walk(rows: Iterable[SourceRow], source: str) -> WalkedGame:
    """Walk through one game, as far as it can be read and is good.

    Raises:
        SourceError: there is no row at all.

    """
    remaining = iter(rows)
    first = next(remaining, None)
    if first is None:
        raise DamagedSource(Phrase("evidence.file.no_event", title=source))
    damage: SourceError | None = None

    def readable() -> Iterator[SourceRow]:
        nonlocal damage
        try:
            yield from chain([first], remaining)
        except SourceError as error:
            damage = error

    is_view = first.flaw is not None and first.flaw.code == "sealed"
    follow = _follow_view if is_view else _audit
    walked = follow(first.game, readable())
    return walked._replace(damage=damage, is_view=is_view)


def _audit(game: str, rows: Iterable[SourceRow]) -> WalkedGame:
    auditor = Auditor(game)
    steps: list[Step] = []
    good: SourceRow | None = None
    bad: SourceRow | None = None
    for row in rows:
        event = auditor.feed(row)
        if event is None:
            bad = bad or row
            continue
        assert auditor.state is not None
        good = row
        steps.append(Step(event, auditor.state))
    verdict = auditor.close()
    if len(steps) > verdict.events:  # a later row shows that the last one was changed
        del steps[verdict.events :]
        bad = good
    return WalkedGame(
        steps=steps,
        verdict=verdict,
        expected=auditor.due,
        recorded=bad.stored if bad else None,
    )


def _follow_view(game: str, rows: Iterable[SourceRow]) -> WalkedGame:
    """Fold the facts that a viewer of a running game may know; `verify` checks them."""
    findings: list[Finding] = []
    steps: list[Step] = []

    def events() -> Iterator[Event]:
        for number, row in enumerate(rows, 1):
            try:
                record, event = decode(row.topic, row.stored)
            except ValueError as damage:
                findings.append(_view_finding("unreadable", number, row, str(damage)))
                return
            if record.seq != number or record.game != game:
                recorded = Phrase("evidence.event.of_game", seq=record.seq, id=record.game)
                findings.append(_view_finding("gap", number, row, recorded))
                return
            read.append(event)
            places.append(row)
            yield event

    read: list[Event] = []
    places: list[SourceRow] = []
    try:
        states = proofs.states(events(), complete=False)
        steps.extend(Step(read[-1], state) for state in states)
    except ProofFailed as fault:
        findings.append(_view_finding("state_differs", fault.seq, places[-1], reason_of(fault)))
    verdict = AuditVerdict(
        game=game,
        sound=not findings,
        status="unfinished",
        ruleset=steps[-1].state.ruleset.id if steps else "",
        events=len(steps),
        head="",
        findings=tuple(findings),
        notes=(Phrase(VIEW_NOTE),),
    )
    return WalkedGame(steps=steps, verdict=verdict)


VIEW_NOTE = "evidence.note.view"


def _view_finding(code: FindingCode, seq: int, row: SourceRow, recorded: str) -> Finding:
    return Finding(
        code=code,
        game=row.game,
        seq=seq,
        expected=Phrase("evidence.event.due", seq=seq),
        recorded=short(recorded),
        text=meaning(code),
        place=row.place,
    )


def event_lines(steps: list[Step], seq: int, viewer: Viewer, lang: Language = "en") -> list[str]:
    """One event in words, by its number."""
    event, state = steps[seq - 1]
    sentence, *details = describe(state, event, viewer, lang)
    return [f"{seq:5}  {sentence}", *(f"         {line}" for line in details)]


def print_transcript(steps: list[Step], viewer: Viewer, lang: Language = "en") -> None:
    """Print every event in words, with its number."""
    for seq in range(1, len(steps) + 1):
        say(*event_lines(steps, seq, viewer, lang))


def print_table(steps: list[Step], seq: int, viewer: Viewer, lang: Language = "en") -> None:
    """Print one event in words, by its number, and the table after it."""
    say(*event_lines(steps, seq, viewer, lang))
    say(*(f"  {line}" for line in table_text(steps[seq - 1].state, viewer, lang)))


def transcript_data(
    steps: list[Step], viewer: Viewer, lang: Language = "en"
) -> list[dict[str, object]]:
    """Every event in words, as data."""
    data: list[dict[str, object]] = []
    for seq, (event, state) in enumerate(steps, 1):
        text, *details = describe(state, event, viewer, lang)
        data.append({"seq": seq, "type": type(event).__name__, "text": text, "more": details})
    return data


def step_through(steps: list[Step], viewer: Viewer, start: int, lang: Language = "en") -> None:
    """Show the table event by event, at the reader's commands on standard input."""
    seq = start
    while steps:
        print_table(steps, seq, viewer, lang)
        flush()
        sys.stderr.write(f"[{seq}/{len(steps)}] {message(lang, 'replay.prompt')} > ")
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


def finding_lines(finding: Finding, source: str, lang: Language = "en") -> list[str]:
    """A finding in words: where, what, by which rule, expected and recorded."""
    rule = f" [{finding.rule}]" if finding.rule else ""
    place = f" ({source}:{finding.place})" if source and finding.place else ""
    first = message(
        lang,
        "replay.finding",
        seq=finding.seq,
        place=place,
        code=finding.code,
        rule=rule,
        text=finding.text,
    )
    expected = message(lang, "replay.expected", text=finding.expected)
    recorded = message(lang, "replay.recorded", text=finding.recorded)
    return [f"  {first}", f"    {expected}", f"    {recorded}"]


def verdict_lines(verdict: AuditVerdict, source: str, lang: Language = "en") -> list[str]:
    """A verdict in words: one line, and what was found under it."""
    columns = (
        message(lang, "audit.sound" if verdict.sound else "audit.unsound"),
        verdict.game,
        verdict.ruleset or message(lang, "audit.no_rules"),
        message(lang, f"verdict.{verdict.status}"),
        message(lang, "audit.events", verdict.events, count=verdict.events),
        message(lang, "audit.head", head=verdict.head),
    )
    findings = (finding_lines(finding, source, lang) for finding in verdict.findings)
    notes = (message(lang, "verdict.note", text=note) for note in verdict.notes)
    return ["  ".join(columns), *chain.from_iterable(findings), *(f"  {note}" for note in notes)]
