"""The strict reader of one line of a bundle, and of the order in which lines may stand."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from phaseledger.domain.evidence.codec import leaf_hash
from phaseledger.domain.words import Amount, Phrase
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
        raise _Malformed(Phrase("evidence.line.too_long", count=Amount(LONGEST_LINE)))
    if size > LARGEST or number > MOST_LINES:
        raise _Malformed(
            Phrase("evidence.bundle.most", count=Amount(LARGEST), total=Amount(MOST_LINES))
        )
    front = _match_kind(line)
    kind = _KINDS.get(front[1]) if front else None
    allowed = _AFTER[previous]
    if front is None or kind not in allowed:
        if number == 1 and kind is None:
            raise _Malformed(_what_begins(line))
        due = (
            Phrase("evidence.bundle.due_line", kinds=" or ".join(map(repr, allowed)))
            if allowed
            else Phrase("evidence.bundle.due_nothing")
        )
        actual = (
            Phrase("evidence.bundle.due_line", kinds=repr(front[1].decode()))
            if front
            else Phrase("evidence.bundle.something")
        )
        raise _Malformed(Phrase("evidence.bundle.due", due=due, step=actual))
    if not line.endswith(b"}\n"):
        if line.endswith(b"\n"):
            raise _Malformed(Phrase("evidence.line.end", brace="}"))
        raise _Malformed(Phrase("evidence.line.within", brace="}"))
    if line.count(b"[") + line.count(b"{") > DEEPEST < _depth(line):
        raise _Malformed(Phrase("evidence.line.deep"))
    body = line[front.end() : -2]
    value = _decoded(kind, body)
    if isinstance(value, PublicEvent):
        data = bytes(value.data)
        if not data.startswith(b"{"):
            raise _Malformed(Phrase("evidence.bundle.no_object"))
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
            return Phrase("evidence.bundle.receipts")
        return Phrase("evidence.bundle.stored")
    if line.startswith(BOM):
        return Phrase("evidence.bundle.mark")
    return unusable_form(line) or Phrase("evidence.bundle.none", begin='{"bundle":')


def _decoded(kind: LineKind, body: bytes) -> Struct:
    try:
        value: Struct = _DECODERS[kind].decode(body)
    except UnicodeDecodeError:
        raise _Malformed(Phrase("evidence.line.not_utf8")) from None
    except msgspec.ValidationError as error:
        raise _Malformed(
            Phrase("evidence.bundle.no_line", kinds=repr(kind), reason=error)
        ) from None
    except msgspec.DecodeError as error:
        raise _Malformed(Phrase("evidence.line.not_json", reason=error)) from None
    if not is_canonical_line(value, body):
        raise _Malformed(Phrase("evidence.bundle.not_canonical"))
    return value


def _check_keys(keys: Sequence[str]) -> None:
    """Check that the keys are valid and sorted, and that no two have the same name and hash."""
    names = {verifier_key(text).id for text in keys}
    if list(keys) != sorted(keys) or len(names) < len(keys):
        raise _Malformed(Phrase("evidence.bundle.keys"))


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
                raise _Malformed(Phrase("evidence.bundle.opens", seq=part.seq, next=event.form.seq))
            if part.audience not in event.sealed:
                raise _Malformed(
                    Phrase("evidence.bundle.no_seal", seq=part.seq, audience=repr(part.audience))
                )
            if by_kind[kind] and by_kind[kind][-1].line < event.line:
                previous = None
        elif kind == "event" and len(by_kind[kind]) == (
            declared := by_kind["bundle"][0].value.events
        ):
            raise _Malformed(Phrase("evidence.bundle.one_more", count=Amount(declared)))
        elif kind == "inclusion" and len(by_kind[kind]) == 2:
            raise _Malformed(Phrase("evidence.bundle.two"))
        elif kind == "bundle":
            _check_keys(placed.value.keys)
        if previous is not None and not _RANKS[kind](previous) < _RANKS[kind](placed.value):
            raise _Malformed(Phrase("evidence.bundle.order", kinds=repr(kind)))
