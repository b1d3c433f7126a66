"""The strict reader of a game's bundle, ``p10-bundle/v1``: one file that settles a dispute.

Each line is one canonical JSON object with one key, which says what the line holds. Normative text:
docs/reference/evidence.md. `lines` has the line types, `writer` writes them, `line_reader` reads
one. The form alone is checked here; `phaseledger.verify` says whether the game is sound.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, NamedTuple

import msgspec
from msgspec import structs

from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.formats.bundle.line_reader import (
    LONGEST_LINE,
    BundleEvent,
    BundleLines,
    NumberedLine,
)
from phaseledger.replay.formats.bundle.lines import (
    ENDS,
    BundleRuleset,
    EarlierSize,
    Header,
    Inclusion,
    OpenedSeal,
    SeedPart,
    SignedCheckpoint,
)
from phaseledger.replay.formats.records.findings import Status
from phaseledger.replay.formats.records.source import DamagedSource, open_input
from phaseledger.replay.formats.signing.receipts import Receipt

_encode = msgspec.json.Encoder(order="sorted").encode


class Bundle(NamedTuple):
    """A well-formed bundle. ``source`` names the file in findings."""

    source: str
    header: Header
    ruleset: NumberedLine[BundleRuleset]
    events: tuple[BundleEvent, ...]
    opens: dict[tuple[int, str], NumberedLine[OpenedSeal]]
    """By event number and audience."""
    secrets: dict[str, NumberedLine[SeedPart]]
    """By ``"server"`` or a seat's number as text."""
    receipts: tuple[NumberedLine[Receipt], ...]
    checkpoint: NumberedLine[SignedCheckpoint] | None
    inclusions: tuple[NumberedLine[Inclusion], ...]
    consistencies: tuple[NumberedLine[EarlierSize], ...] = ()

    @property
    def over(self) -> bool:
        """Whether the last event ends the game, so that every seal is opened."""
        return self.status != "unfinished"

    @property
    def status(self) -> Status:
        """Whether and how the game ended, as its last event says."""
        return ENDS.get(self.events[-1].form.type, "unfinished")

    def stored(self, event: BundleEvent) -> bytes | None:
        """The event as the log stored it; None where a part is still sealed."""
        is_open = all((event.form.seq, audience) in self.opens for audience in event.sealed)
        return self.as_opened(event) if is_open else None

    def as_opened(self, event: BundleEvent) -> bytes:
        """The event with those of its hidden parts that are opened; for all, see `stored`."""
        form = event.form
        if not form.sealed:
            return event.public
        parts = {audience: self.opens.get((form.seq, audience)) for audience in form.sealed}
        hidden = {audience: part.value.value for audience, part in parts.items() if part}
        members = structs.asdict(form)
        del members["sealed"]
        return _encode({**members, "hidden": hidden} if hidden else members)


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """The file as `open_input` opens it.

    Raises:
        DamagedSource: it cannot be opened, or not be read within the block.

    """
    try:
        with open_input(path) as file:
            yield file
    except OSError as error:
        raise DamagedSource(
            Phrase("evidence.file.unread", title=path, reason=error.strerror or error)
        ) from None


def read_bundle(path: str) -> Bundle:
    """The bundle in a file; ``-`` is standard input. See `parse_bundle`.

    Raises:
        Damaged: it cannot be read, or is not exactly a bundle; the sentence names the line.

    """
    with opened(path) as file:
        return parse_bundle(file_lines(file), path)


_END = '{"end":...}'


def first_line(path: str) -> bytes:
    """The first line of a file, which names the game of a bundle; raises DamagedSource."""
    with opened(path) as file:
        return next(file_lines(file), b"")


def file_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; a longer one than `LONGEST_LINE` is cut, and refused later."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line


def parse_bundle(lines: Iterable[bytes], source: str = "bundle") -> Bundle:
    """The bundle parsed from its lines, LFs included; raises Damaged."""
    reading = BundleLines()
    for line in lines:
        try:
            reading.add(line)
        except ValueError as error:
            raise DamagedSource(
                Phrase("evidence.line", title=source, seq=reading.number, reason=error)
            ) from None
    by_kind, number = reading.by_kind, reading.number
    if reading.kind != "end":
        if not number:
            raise DamagedSource(Phrase("evidence.file.is_empty", title=source, end=_END))
        cut = Phrase("evidence.line.cut_here", end=_END)
        raise DamagedSource(Phrase("evidence.line", title=source, seq=number, reason=cut))
    header, ruleset = by_kind["bundle"][0].value, by_kind["ruleset"][0]
    events = by_kind["event"]
    if len(events) != header.events:
        counts = {"count": Amount(header.events), "total": Amount(len(events))}
        reason = Phrase("evidence.bundle.events", **counts)
        raise DamagedSource(Phrase("evidence.line", title=source, seq=1, reason=reason))
    if by_kind["end"][0].value.lines != number - 1:
        declared = by_kind["end"][0].value.lines
        reason = Phrase("evidence.bundle.lines", count=Amount(number - 1), total=Amount(declared))
        raise DamagedSource(Phrase("evidence.line", title=source, seq=number, reason=reason))
    return Bundle(
        source=source,
        header=header,
        ruleset=ruleset,
        events=tuple(events),
        opens={
            (opening.value.seq, opening.value.audience): opening for opening in by_kind["opens"]
        },
        secrets={secret.value.by: secret for secret in by_kind["secret"]},
        receipts=tuple(by_kind["receipt"]),
        checkpoint=by_kind["checkpoint"][0] if by_kind["checkpoint"] else None,
        inclusions=tuple(by_kind["inclusion"]),
        consistencies=tuple(by_kind["consistency"]),
    )
