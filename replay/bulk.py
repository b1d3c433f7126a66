"""Audits of many games over all cores: of a whole store as of one moment, or of folders of files.

The work is cut into parts, whatever the number of processes: a file, or some games of the store.
What is found comes in the order of the parts, and no more than a few parts are in hand.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from replay.audit import audit
from replay.findings import UNREADABLE, Code, Finding, Verdict
from replay.pool import in_order
from replay.source import Damaged, Part, SourceError, parts_of_store, read_file, read_part
from replay.terminal import DAMAGED, FINDINGS, SOUND

EVENTS, GAMES = 20_000, 500
"""Of a store, the events that make a part, and the most games in it."""

SUFFIXES = (".ndjson", ".jsonl")
"""How the names of game files in a folder end."""


class Found(Struct, frozen=True, omit_defaults=True):
    """One line of NDJSON: a `Finding`, or a file that cannot be read on (``damaged``)."""

    code: Code | Literal["damaged"]
    game: str
    seq: int
    expected: str
    recorded: str
    text: str
    rule: str = ""
    reject: str = ""
    place: int = 0
    source: str = ""
    """The file; empty for a store."""


class Judged(Struct, frozen=True):
    """What the audit of one part came to."""

    sound: int
    wrong: int
    unfinished: int
    """Sound games without an end; they are among ``sound``."""
    events: int
    size: int
    """What the part is of the whole: the bytes of its file, or its events in the store."""
    found: tuple[Found, ...]
    verdicts: tuple[Verdict, ...]
    """Of every game, if they were asked for."""

    @property
    def exit_code(self) -> int:
        """As `phaseledger audit` ends."""
        if any(found.code == "damaged" or found.code in UNREADABLE for found in self.found):
            return DAMAGED
        return FINDINGS if self.found else SOUND


def files_in(folder: str) -> list[str]:
    """The game files in a folder and below it, by name; anything else is taken for a file.

    A folder inside that cannot be read is among them, for the audit to find that.

    Raises:
        Damaged: there is no game file.

    """
    if "\0" in folder or not Path(folder).is_dir():
        return [folder]
    made: list[str] = []
    unreadable: list[OSError] = []
    for where, folders, names in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        made += [str(Path(where, name)) for name in sorted(names) if name.endswith(SUFFIXES)]
    made += [str(error.filename) for error in unreadable]
    if not made:
        ends = " or ".join(SUFFIXES)
        raise Damaged(f"{folder}: the folder has no file whose name ends in {ends}.")
    return made


@contextmanager
def judged_files(files: Iterable[str], jobs: int, *, every: bool) -> Iterator[Iterator[Judged]]:
    """The audits of files, in their order; ``every``: with the verdicts of sound games too."""
    with in_order(partial(_judge_file, every=every), files, jobs) as judged:
        yield judged


@contextmanager
def judged_store(
    dsn: str, schema: str, jobs: int, *, every: bool
) -> Iterator[tuple[int, Iterator[Judged]]]:
    """How many events the store holds, and the audits of its parts, by the ids of their games.

    Raises:
        Unreachable: there is no such store, or it breaks off.

    """
    with ExitStack() as stack:
        total, parts = stack.enter_context(parts_of_store(dsn, schema, EVENTS, GAMES))
        yield total, stack.enter_context(in_order(partial(_judge_part, every=every), parts, jobs))


def _judge_file(path: str, *, every: bool) -> Judged:
    verdicts = audit(read_file(path))
    made = _judge(verdicts, path, every=every)
    try:
        size = Path(path).stat().st_size
    except (OSError, ValueError):
        size = 0
    return structs.replace(made, size=size)


def _judge_part(part: tuple[Part, int], *, every: bool) -> Judged:
    games, events = part
    return structs.replace(_judge(audit(read_part(games)), "", every=every), size=events)


def _judge(verdicts: Iterator[Verdict], source: str, *, every: bool) -> Judged:
    """Count the verdicts. A file that breaks off is a finding; a store that does ends the audit."""
    count = wrong = unfinished = events = 0
    found: list[Found] = []
    kept: list[Verdict] = []
    try:
        for verdict in verdicts:
            count += 1
            events += verdict.events
            wrong += not verdict.sound
            unfinished += verdict.sound and verdict.status == "unfinished"
            found += (_line(each, source) for each in verdict.findings)
            if every:
                kept.append(verdict)
    except SourceError as error:
        if not source:
            raise
        text = "The file cannot be read, or not to its end."
        found.append(Found("damaged", "", 0, "a file of events", str(error), text, source=source))
    return Judged(count - wrong, wrong, unfinished, events, 0, tuple(found), tuple(kept))


def _line(finding: Finding, source: str) -> Found:
    return Found(**structs.asdict(finding), source=source)
