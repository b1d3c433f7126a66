"""The codec of stored events, and the evidence in them: canonical JSON, hash chain, seals.

Stored object: ``{at, cmd, data, game, hidden?, prev, seq, type, v}``, canonical JSON (RFC 8785 on
this subset). The public form has ``sealed`` for ``hidden``: the same audiences, each with a
salted hash that opens when the server's secret is revealed. Normative text:
docs/reference/format.md.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from phaseledger.domain.events import EVENTS, Event, GameOpened, Secret, belongs
from phaseledger.domain.hashing import hmac_sha256

VERSION = 1
NO_PREVIOUS = "0" * 64
"""``prev`` of a game's first event."""

_LEAF, _SEAL = hashlib.sha256(b"\x00"), hashlib.sha256(b"\x02")
TOPICS = {kind: topic for topic, kind in EVENTS.items()}
_encode = msgspec.json.Encoder(order="sorted").encode

E = TypeVar("E")
T = TypeVar("T")
EventType = TypeVar("EventType", bound=Event)


class Record(Struct, Generic[E], frozen=True, gc=False, forbid_unknown_fields=True):
    """One stored event. ``at`` is milliseconds since 1970, advisory; ``cmd`` names the command."""

    at: int
    cmd: str
    data: E
    game: str
    prev: str
    seq: int
    type: str
    v: int
    hidden: dict[str, Secret] = {}


_DECODERS: dict[str, msgspec.json.Decoder[Record[Any]]] = {
    topic: msgspec.json.Decoder(Record[kind])  # type: ignore[valid-type]
    for topic, kind in EVENTS.items()
}


class _EventFields(Struct, Generic[E, T], frozen=True, gc=False):
    """The fields of a record that make its event; all others are skipped, not decoded."""

    data: E
    type: T
    v: Literal[1]
    hidden: dict[str, Secret] = {}


_EVENT_DECODERS: dict[str, Callable[[bytes], _EventFields[Any, Any]]] = {
    topic: msgspec.json.Decoder(_EventFields[kind, Literal[topic]]).decode  # type: ignore[valid-type]
    for topic, kind in EVENTS.items()
}


class UnreadableEvent(ValueError):
    """Stored bytes cannot be decoded as an event: damaged, or of a newer version."""


class SealedParts(Struct, frozen=True, gc=False):
    """The parts of an event that hides something, of which its redacted forms are made."""

    front: bytes
    """The canonical bytes before what is hidden."""
    link: bytes
    """The canonical bytes between what is hidden and its salts."""
    back: bytes
    """The canonical bytes after the salts."""
    hidden: dict[str, Secret]
    salts: dict[str, bytes]
    seals: dict[str, str]


class Entry(Struct, frozen=True, gc=False):
    """One event ready to be stored; ``leaf`` is its hash, the next event's ``prev``."""

    seq: int
    topic: str
    stored: bytes
    leaf: str
    parts: SealedParts | None = None
    """The parts to redact; None where nothing is hidden."""


class Chain(NamedTuple):
    """The end of a game's hash chain, to which the next event is linked."""

    game: str
    key: bytes
    """HKDF key of the game's seals, from the server's secret (hex)."""
    seq: int = 0
    head: str = NO_PREVIOUS


def seal_key(game: str, secret: str) -> bytes:
    """HKDF-Extract of the server's secret (hex), salted with the game's id."""
    salt = hashlib.sha256(game.encode()).digest()
    return hmac.digest(salt, bytes.fromhex(secret), "sha256")


def new_chain(opened: GameOpened) -> Chain:
    """The chain of a game about to store its first event."""
    return Chain(opened.game, seal_key(opened.game, opened.hidden["server"].secret))


def salt_of(key: bytes, seq: int, audience: str) -> bytes:
    """The 16-byte salt of one seal."""
    info = f"p10-seal/v1 seq={seq} key={audience}\x01".encode()
    return hmac_sha256(key, info)[:16]


def seal(salt: bytes, value: bytes) -> str:
    """The seal (hex) of a hidden value's canonical bytes."""
    digest = _SEAL.copy()
    digest.update(salt + value)
    return digest.hexdigest()


def leaf_hash(public: bytes) -> str:
    """RFC 6962 leaf hash (hex) of an event's public form."""
    leaf = _LEAF.copy()
    leaf.update(public)
    return leaf.hexdigest()


def command_id(seat: int | None, key: str) -> str:
    """The id of a command in the log: hex SHA-256 of the speaker and the Idempotency-Key."""
    speaker = "host" if seat is None else seat
    return hashlib.sha256(f"p10-cmd/v1\n{speaker}\n{key}".encode()).hexdigest()


def append(chain: Chain, events: Iterable[Event], cmd: str, at: int) -> tuple[Chain, list[Entry]]:
    """The events of one command as entries linked to the chain, and the chain after them."""
    game, key, seq, head = chain
    entries = []
    # The keys stand in sorted order; a test holds this against a general encoder.
    start = f'{{"at":{at},"cmd":"{cmd}","data":'.encode()
    for event in events:
        seq += 1
        topic, hidden = TOPICS[type(event)], event.hidden
        if hidden:
            data = _encode(replace(event, hidden={}))
            front = b"".join((start, data, f',"game":"{game}",'.encode()))
            link = f'"prev":"{head}",'.encode()
            back = f'"seq":{seq},"type":"{topic}","v":{VERSION}}}'.encode()
            salts = {audience: salt_of(key, seq, audience) for audience in hidden}
            stored = b'%b"hidden":%b,%b%b' % (front, _encode(hidden), link, back)
            seals = {name: seal(salts[name], _encode(value)) for name, value in hidden.items()}
            sealed = b'"sealed":%b,%b' % (_encode(seals), back)
            public = b"%b%b%b" % (front, link, sealed)
            parts = SealedParts(
                front=front, link=link, back=sealed, hidden=hidden, salts=salts, seals=seals
            )
        else:
            parts = None
            tail = f',"game":"{game}","prev":"{head}","seq":{seq},"type":"{topic}","v":{VERSION}}}'
            stored = public = start + _encode(event) + tail.encode()
        head = leaf_hash(public)
        entries.append(Entry(seq=seq, topic=topic, stored=stored, leaf=head, parts=parts))
    return Chain(game, key, seq, head), entries


def decode(topic: str, stored: bytes) -> tuple[Record[Any], Event]:
    """The record and its event, hidden parts put back.

    Raises:
        UnreadableEvent: unknown topic, damaged JSON, missing or mistyped fields.

    """
    decoder = _DECODERS.get(topic)
    if decoder is None:
        raise UnreadableEvent(f"unknown event type {topic[:60]!r}")
    try:
        record = decoder.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableEvent(str(error)) from None
    if record.v != VERSION:
        raise UnreadableEvent(f"format version {record.v}; this program reads {VERSION}")
    if record.type != topic:
        raise UnreadableEvent(f"stored as {topic}, but says {record.type[:60]!r}")
    event: Event = record.data
    return record, replace(event, hidden=record.hidden) if record.hidden else event


def decode_event(topic: str, stored: bytes) -> Event:
    """The event alone; unlike `decode`, it does not check the other fields of the record.

    Raises:
        UnreadableEvent: unknown topic, damaged JSON, missing or mistyped fields of the event.

    """
    try:
        fields = _EVENT_DECODERS[topic](stored)
    except (KeyError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return decode(topic, stored)[1]  # raises with the reason
    event: Event = fields.data
    return replace(event, hidden=fields.hidden) if fields.hidden else event


_DATA_DECODERS: dict[str, Callable[[bytes], Event]] = {
    topic: msgspec.json.Decoder(kind).decode for topic, kind in EVENTS.items()
}
SHORT = 256
"""Bytes up to which a part of an event is cached: most short parts recur."""


def _event_of_data(topic: str, data: bytes) -> Event:
    return _DATA_DECODERS[topic](data)


_secret_of: Callable[[bytes], Secret] = msgspec.json.Decoder(Secret).decode
_known_event = lru_cache(maxsize=8_192)(_event_of_data)
_known_secret = lru_cache(maxsize=8_192)(_secret_of)


def event_of_parts(topic: str, data: bytes, hidden: Mapping[str, bytes]) -> Event:
    """The event of a type with this public data and these hidden parts, all of them JSON.

    Raises:
        UnreadableEvent: the parts do not make such an event.

    """
    try:
        event = (_known_event if len(data) <= SHORT else _event_of_data)(topic, data)
        if not hidden:
            return event
        secrets = {
            audience: (_known_secret if len(part) <= SHORT else _secret_of)(part)
            for audience, part in hidden.items()
        }
    except (KeyError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableEvent(str(error)) from None
    return replace(event, hidden=secrets)


def events_of(kind: type[EventType], stored: Iterable[bytes]) -> Iterator[EventType]:
    """The events of one kind among stored ones; no other is decoded."""
    topic = TOPICS[kind]
    member = f'"type":"{topic}"'.encode()  # canonical; a quote inside a text is escaped
    for event in stored:
        if member in event:
            decoded = decode_event(topic, event)
            assert isinstance(decoded, kind)
            yield decoded


def _no_float(text: str) -> float:
    raise msgspec.DecodeError(f"{text} is no whole number")


_untyped = msgspec.json.Decoder(float_hook=_no_float).decode


_DIGITS, _BEFORE_NUMBERS = b"0123456789", b"[,-"
_OUTLINE = bytes.maketrans(
    _DIGITS + _BEFORE_NUMBERS, b"0" * len(_DIGITS) + b":" * len(_BEFORE_NUMBERS)
)
"""Translates digits to zero, and the bytes that a number may follow in JSON to a colon."""
_LONG_NUMBER = b":" + b"0" * len(str(2**53))
_MANY = 64
"""Brackets of a kind; an event has fewer, and 64 may be nested too deeply to walk."""


def is_canonical(stored: bytes) -> bool:
    """Whether the bytes are canonical JSON: keys sorted and none twice, no white space, no null, no
    number with a point or beyond 2^53.
    """
    try:
        tree = _untyped(stored)
        return _encode(tree) == stored and (_looks_plain(stored) or _plain(tree))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _looks_plain(stored: bytes) -> bool:
    """Whether the bytes of an object alone show what `_plain` checks in the decoded tree.

    Walking the tree takes longer than decoding it and encoding it again.
    """
    return (
        stored.startswith(b"{")
        and stored.isascii()
        and b"null" not in stored
        and _LONG_NUMBER not in stored.translate(_OUTLINE)
        and stored.count(b"[") < _MANY
        and stored.count(b"{") < _MANY
    )


def _plain(node: object) -> bool:
    """Whether a JSON tree has only what stored events may: ASCII keys, no null, no huge number."""
    if isinstance(node, dict):
        return all(key.isascii() and _plain(value) for key, value in node.items())
    if isinstance(node, list):
        return all(map(_plain, node))
    return node is not None and not (isinstance(node, int) and abs(node) >= 2**53)


def redact(stored: bytes, key: bytes, viewer: int | None, *, opened: bool) -> bytes:
    """The public form of a stored event, with ``hidden`` and ``salts`` for what the viewer knows.

    Every reader can hash the public form and follow the chain; a member of an audience can check
    its seal. With ``opened`` (the secret is revealed) everything is shown.
    """
    if b'"hidden":' not in stored:  # a quote inside a text is escaped, so this is the key
        return stored
    tree = msgspec.json.decode(stored)
    hidden, seq = tree.pop("hidden"), tree["seq"]
    salts = {audience: salt_of(key, seq, audience) for audience in hidden}
    tree["sealed"] = {
        audience: seal(salts[audience], _encode(hidden[audience])) for audience in hidden
    }
    audiences = [audience for audience in hidden if opened or belongs(audience, viewer)]
    if audiences:
        tree["hidden"] = {audience: hidden[audience] for audience in audiences}
        tree["salts"] = {audience: salts[audience].hex() for audience in audiences}
    return _encode(tree)


def redact_entry(entry: Entry, viewer: int | None, *, opened: bool) -> bytes:
    """The result of `redact` on the entry's stored form, made without decoding it."""
    parts = entry.parts
    if parts is None:
        return entry.stored
    audiences = [name for name in parts.hidden if opened or belongs(name, viewer)]
    if not audiences:
        return b"%b%b%b" % (parts.front, parts.link, parts.back)
    hidden = _encode({audience: parts.hidden[audience] for audience in audiences})
    salts = _encode({audience: parts.salts[audience].hex() for audience in audiences})
    members = (parts.front, hidden, parts.link, salts, parts.back)
    return b'%b"hidden":%b,%b"salts":%b,%b' % members
