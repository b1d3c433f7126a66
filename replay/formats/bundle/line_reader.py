"""The strict reader of one line of a bundle, and of the order in which lines may stand."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from phaseledger.domain.evidence.codec import SHORT, is_canonical, leaf_hash
from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.formats.bundle.lines import LINES, LineKind, OpenedSeal, PublicEvent
from phaseledger.replay.formats.signing.notes import verifier_key
from phaseledger.replay.formats.text_files import BOM, unusable_form

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
_KINDS: dict[bytes, LineKind] = {b'{"%b":' % kind.encode(): kind for kind in LINES}
"""The kinds of line, by their beginnings."""
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


def _check_place(
    line: bytes, kind: LineKind | None, number: int, previous: LineKind | None
) -> None:
    """Check that a line is whole, and of a kind that may follow the kind ``previous``."""
    allowed = _AFTER[previous]
    if kind not in allowed:
        if number == 1 and kind is None:
            raise _Malformed(_what_begins(line))
        due, actual = Phrase("evidence.bundle.due_nothing"), Phrase("evidence.bundle.something")
        if allowed:
            due = Phrase("evidence.bundle.due_line", kinds=" or ".join(map(repr, allowed)))
        if front := _match_kind(line):
            actual = Phrase("evidence.bundle.due_line", kinds=repr(front[1].decode()))
        raise _Malformed(Phrase("evidence.bundle.due", due=due, step=actual))
    if not line.endswith(b"}\n"):
        code = "evidence.line.end" if line.endswith(b"\n") else "evidence.line.within"
        raise _Malformed(Phrase(code, brace="}"))
    if line.count(b"[") + line.count(b"{") > DEEPEST < _depth(line):
        raise _Malformed(Phrase("evidence.line.deep"))


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


_encode = msgspec.json.Encoder(order="sorted").encode
_is_canonical_part = lru_cache(maxsize=8_192)(is_canonical)


def is_canonical_line(value: Struct, body: bytes) -> bool:
    """Whether a line's body, decoded as ``value``, is canonical (RFC 8785): as `is_canonical`.

    The lines all differ, by their hashes, but an event's data and a hidden value mostly recur. The
    encoder copies such a part unchanged and writes canonical JSON around it: the types of the other
    members admit no null, no fraction and no number from 2^53, and an ASCII body has ASCII keys.
    """
    match value:
        case PublicEvent():
            part = bytes(value.data)
        case OpenedSeal():
            part = bytes(value.value)
        case _:
            return is_canonical(body)
    if len(part) <= SHORT and body.isascii() and _encode(value) == body:
        return _is_canonical_part(part)
    return is_canonical(body)


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
        """The kind of the last line."""
        self.number = self.size = 0
        """Lines and bytes so far."""

    def add(self, line: bytes) -> None:
        """Add the next line, which must be well formed and in its place; raises ValueError."""
        self.number += 1
        self.size += len(line)
        if len(line) > LONGEST_LINE:
            raise _Malformed(Phrase("evidence.line.too_long", count=Amount(LONGEST_LINE)))
        if self.size > LARGEST or self.number > MOST_LINES:
            raise _Malformed(
                Phrase("evidence.bundle.most", count=Amount(LARGEST), total=Amount(MOST_LINES))
            )
        front = line[: line.find(b":") + 1]
        kind = _KINDS.get(front)
        _check_place(line, kind, self.number, self.kind)
        assert kind is not None
        body = line[len(front) : -2]
        value = _decoded(kind, body)
        placed: NumberedLine[Struct] | BundleEvent = NumberedLine(self.number, value)
        if isinstance(value, PublicEvent):
            data = bytes(value.data)
            if not data.startswith(b"{"):
                raise _Malformed(Phrase("evidence.bundle.no_object"))
            begins = data.startswith(b'{"act":')  # the first of the sorted keys
            leaf = leaf_hash(body)
            placed = BundleEvent(
                line=self.number, public=body, leaf=leaf, form=value, begins=begins
            )
        self._check_order(kind, value)
        self.by_kind[kind].append(placed)
        self.kind = kind

    def _check_order(self, kind: LineKind, value: Any) -> None:  # noqa: ANN401 - a line
        """Check that the lines of a kind are sorted, each after the lines that it refers to."""
        events, lines = self.by_kind["event"], self.by_kind[kind]
        if kind == "event":
            declared = self.by_kind["bundle"][0].value.events
            if len(events) == declared:
                raise _Malformed(Phrase("evidence.bundle.one_more", count=Amount(declared)))
            return
        previous = lines[-1] if lines and kind in _RANKS else None
        if kind == "opens":
            event, audience = events[-1], value.audience
            if value.seq != event.form.seq:
                raise _Malformed(
                    Phrase("evidence.bundle.opens", seq=value.seq, next=event.form.seq)
                )
            if audience not in event.sealed:
                raise _Malformed(
                    Phrase("evidence.bundle.no_seal", seq=value.seq, audience=repr(audience))
                )
            if previous and previous.line < event.line:
                return
        elif kind == "inclusion" and len(lines) == 2:
            raise _Malformed(Phrase("evidence.bundle.two"))
        elif kind == "bundle":
            _check_keys(value.keys)
        if previous and not _RANKS[kind](previous.value) < _RANKS[kind](value):
            raise _Malformed(Phrase("evidence.bundle.order", kinds=repr(kind)))
