"""The strict reader of one line of a bundle, and of the order in which lines may stand."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from phaseledger.domain.evidence.codec import leaf_hash
from phaseledger.replay.bundle.canonical_lines import is_canonical_line
from phaseledger.replay.bundle.lines import LINES, LineKind, PublicEvent
from phaseledger.replay.records.text_files import BOM, unusable_form
from phaseledger.replay.signing.notes import verifier_key

LONGEST_LINE = 1 << 20
"""Bytes. The longest event of a game of six is some 3,000 bytes long."""
LARGEST = 32 << 20
"""Bytes of a bundle; one of 1,500 events has about 1,500,000."""
MOST_LINES = 80_000
DEEPEST = 32
"""Brackets within brackets of a line, as for the page: what a Python can walk depends on which."""

L = TypeVar("L")

_AFTER: dict[LineKind | None, tuple[LineKind, ...]] = {
    None: ("bundle",),
    "bundle": ("ruleset",),
    "ruleset": ("event",),
    "event": ("event", "opens", "secret"),
    "opens": ("event", "opens", "secret"),
    "secret": ("secret", "receipt", "checkpoint", "end"),
    "receipt": ("receipt", "checkpoint", "end"),
    "checkpoint": ("inclusion",),
    "inclusion": ("inclusion", "consistency", "end"),
    "consistency": ("consistency", "end"),
    "end": (),
}
"""The kinds of line that may follow each kind."""

_DECODERS: dict[LineKind, msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(holds) for kind, holds in LINES.items()
}
_KINDS: dict[bytes, LineKind] = {kind.encode(): kind for kind in LINES}
_match_kind = re.compile(rb'\{"([a-z]{1,12})":').match
_TEXT, _BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*"'), re.compile(rb"[][{}]")


class NumberedLine(NamedTuple, Generic[L]):
    """A decoded line, and its number in the file, from 1."""

    line: int
    value: L


class BundleEvent(NamedTuple):
    """An event line: ``public`` are the bytes that ``leaf`` (hex) is the hash of."""

    line: int
    public: bytes
    leaf: str
    form: PublicEvent
    begins: bool
    """Whether it is its command's first event."""

    @property
    def sealed(self) -> dict[str, str]:
        """The seals, by audience."""
        return self.form.sealed or {}


class _Malformed(ValueError):
    """A line is not well formed; the message says why."""


def _parse_line(
    line: bytes, number: int, size: int, previous: LineKind | None
) -> tuple[LineKind, Any]:
    """Parse a line, which must be canonical, and may follow one of the kind ``previous``."""
    if len(line) > LONGEST_LINE:
        raise _Malformed(f"the line is longer than {LONGEST_LINE:,} bytes")
    if size > LARGEST or number > MOST_LINES:
        raise _Malformed(f"a bundle has at most {LARGEST:,} bytes and {MOST_LINES:,} lines")
    front = _match_kind(line)
    kind = _KINDS.get(front[1]) if front else None
    allowed = _AFTER[previous]
    if front is None or kind not in allowed:
        if number == 1 and kind is None:
            raise _Malformed(_what_begins(line))
        due = f"a line {' or '.join(map(repr, allowed))}" if allowed else "nothing more"
        actual = f"a line {front[1].decode()!r}" if front else "something else"
        raise _Malformed(f"due here is {due}; there is {actual}")
    if not line.endswith(b"}\n"):
        if line.endswith(b"\n"):
            raise _Malformed("the line must end with } and one LF")
        raise _Malformed("the bundle is cut off within this line: it must end with } and one LF")
    if line.count(b"[") + line.count(b"{") > DEEPEST < _depth(line):
        raise _Malformed("the line is nested too deeply")
    body = line[front.end() : -2]
    value = _decoded(kind, body)
    if isinstance(value, PublicEvent):
        data = bytes(value.data)
        if not data.startswith(b"{"):
            raise _Malformed("the event's data is no object")
        begins = data.startswith(b'{"act":')  # the first of the sorted keys
        leaf = leaf_hash(body)
        return kind, BundleEvent(line=number, public=body, leaf=leaf, form=value, begins=begins)
    return kind, NumberedLine(number, value)


def _depth(line: bytes) -> int:
    deepest = depth = 0
    for bracket in _BRACKET.findall(_TEXT.sub(b"", line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _what_begins(line: bytes) -> str:
    """What a file is that begins with the line, and is no bundle."""
    if line.startswith(b'{"at":'):
        if b'"sig":' in line:
            return "these are receipts: give them with --receipt, beside a bundle"
        return "this is a record as it is stored: make a bundle, export --bundle"
    if line.startswith(BOM):
        return "a byte order mark stands before the bundle: give it as it was written"
    return unusable_form(line) or 'this is no bundle: a bundle begins with {"bundle":'


def _decoded(kind: LineKind, body: bytes) -> Struct:
    try:
        value: Struct = _DECODERS[kind].decode(body)
    except UnicodeDecodeError:
        raise _Malformed("the line is not UTF-8 text") from None
    except msgspec.ValidationError as error:
        raise _Malformed(f"this is no line {kind!r}: {error}") from None
    except msgspec.DecodeError as error:
        raise _Malformed(f"the line is not JSON: {error}") from None
    if not is_canonical_line(value, body):
        raise _Malformed(
            "the line was changed: it is not canonical JSON (RFC 8785), as it was written"
        )
    return value


def _check_keys(keys: Sequence[str]) -> None:
    """Check that the keys are valid and sorted, and that no two have the same name and hash."""
    names = {verifier_key(text).id for text in keys}
    if list(keys) != sorted(keys) or len(names) < len(keys):
        raise _Malformed("the keys must be sorted, none twice")


_RANKS: dict[LineKind, Callable[[Any], Any]] = {
    "opens": lambda opened: opened.audience,
    "secret": lambda secret: -1 if secret.by == "server" else int(secret.by),
    "receipt": lambda receipt: receipt.seq,
    "inclusion": lambda inclusion: inclusion.seq,
    "consistency": lambda consistency: consistency.first,
}
"""The sort key of the lines of each kind."""


class BundleLines:
    """The lines of a bundle that have been read so far."""

    def __init__(self) -> None:
        self.by_kind: dict[LineKind, list[Any]] = {kind: [] for kind in LINES}
        self.kind: LineKind | None = None
        """That of the last line."""
        self.number = 0
        """How many lines there are."""
        self.size = 0
        """How many bytes there are."""

    def add(self, line: bytes) -> None:
        """Add the next line, which must be well formed and in its place; raises ValueError."""
        self.number += 1
        self.size += len(line)
        self.kind, placed = _parse_line(line, self.number, self.size, self.kind)
        self._check_order(self.kind, placed)
        self.by_kind[self.kind].append(placed)

    def _check_order(self, kind: LineKind, placed: Any) -> None:  # noqa: ANN401 - a line
        """Check that the lines of a kind are in their order, and after those that they refer to."""
        by_kind = self.by_kind
        previous = by_kind[kind][-1].value if kind in _RANKS and by_kind[kind] else None
        if kind == "opens":
            event, part = by_kind["event"][-1], placed.value
            if part.seq != event.form.seq:
                raise _Malformed(
                    f"this opens a seal of event {part.seq}, after event {event.form.seq}"
                )
            if part.audience not in event.sealed:
                raise _Malformed(f"event {part.seq} has no seal for {part.audience!r}")
            if by_kind[kind] and by_kind[kind][-1].line < event.line:
                previous = None
        elif kind == "event" and len(by_kind[kind]) == (
            declared := by_kind["bundle"][0].value.events
        ):
            raise _Malformed(
                f"here is an event more than the {declared:,} that the first line says"
            )
        elif kind == "inclusion" and len(by_kind[kind]) == 2:
            raise _Malformed("a bundle has at most two lines 'inclusion'")
        elif kind == "bundle":
            _check_keys(placed.value.keys)
        if previous is not None and not _RANKS[kind](previous) < _RANKS[kind](placed.value):
            raise _Malformed(
                f"the lines {kind!r} are not in their order, or one stands there twice"
            )
