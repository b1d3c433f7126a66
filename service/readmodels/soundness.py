"""The soundness check of one game's record: whether each event is whole and follows the last one.

A `Damage` has a public sentence, which repeats nothing of an event, since it may be hidden; its
cause is for the operator's log alone.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from phaseledger.domain.events import Event, GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State
from phaseledger.domain.words import Phrase
from phaseledger.service.eventlog.rows import Row

DAMAGED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What reading damaged bytes may raise."""


class Damage(Exception):
    """A game's record is damaged at the event number ``version``; ``reason`` says how."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(reason)
        self.version = version
        # Stored, exported and listed for operators in English; no encoder knows a phrase.
        self.reason = str(reason)


class UnknownEvent(Damage):
    """An event that this program cannot read or apply: damaged, or of a newer release."""


class Tip(NamedTuple):
    """A game after some of its events: what the next one has to follow."""

    version: int
    state: State
    key: bytes
    """The key of the game's seals."""
    leaf: str
    """The leaf hash of the last event."""


class SoundEvent(NamedTuple):
    """A sound event, with its time in milliseconds since 1970."""

    at: int
    event: Event
    key: bytes
    leaf: str


def sound_event(game: UUID, tip: Tip | None, row: Row) -> SoundEvent:
    """The event of the row, which has to be whole and to follow the tip (None: to open the game).

    Raises:
        Damage: it is not, or events before it are missing.

    """
    number, before = row.version, tip.version if tip else 0
    if number != before + 1:
        raise Damage(before + 1, Phrase("adds.damage.missing", seq=before + 1))
    try:
        record, event = decoded(row)
        if tip is None and not isinstance(event, GameOpened):
            raise Damage(number, Phrase("adds.damage.opening", seq=number))
        key = tip.key if tip else _key(event)
        leaf = codec.leaf_hash(codec.redact(row.state, key, None, opened=False))
    except DAMAGED as cause:
        raise UnknownEvent(number, Phrase("adds.damage.unread", seq=number)) from cause
    if flaw := link_flaw(game, row, record, leaf, tip.leaf if tip else codec.NO_PREVIOUS):
        raise Damage(number, f"event {number} {flaw}")
    return SoundEvent(record.at, event, key, leaf)


def decoded(row: Row) -> tuple[codec.Record[Any], Event]:
    """The row's record and its event; raises one of `DAMAGED` where its bytes are not canonical, or
    not those of an event.
    """
    # The leaf binds all bytes but the hidden ones, which are encoded anew to be sealed.
    is_bound = row.leaf is not None and b'"hidden":' not in row.state
    if not (is_bound or codec.is_canonical(row.state)):
        raise ValueError("not canonical")
    return codec.decode(row.topic, row.state)


def link_flaw(game: UUID, row: Row, place: codec.Record[Any], leaf: str, prev: str) -> str:
    """The fault of the event's link in the game's hash chain; empty where it is sound.

    ``leaf`` is the hash of its bytes, ``prev`` the hash of the event before; empty: not known.
    """
    if row.leaf is not None and row.leaf.hex() != leaf:
        return "is not what was stored"
    if (place.game, place.seq) != (str(game), row.version):
        return "belongs elsewhere"
    if prev and place.prev != prev:
        return "does not follow from the one before it"
    return ""


def _key(opened: Event) -> bytes:
    assert isinstance(opened, GameOpened)
    return codec.new_chain(opened).key


def require_sound(game: UUID, rows: Iterable[Row]) -> Tip:
    """The game after all its rows, the first to the last; raises Damage."""
    tip: Tip | None = None
    for row in rows:
        step = sound_event(game, tip, row)
        tip = Tip(
            row.version, evolved(tip.state if tip else None, row.version, step.event), *step[2:]
        )
    if tip is None:
        raise Damage(1, Phrase("adds.damage.missing", seq=1))
    return tip


def evolved(state: State | None, number: int, event: Event) -> State:
    """The state after the event; raises UnknownEvent where the event does not fit it."""
    try:
        return evolve(state, event)
    except MemoryError:
        raise
    except Exception as cause:
        raise UnknownEvent(number, Phrase("adds.damage.unfit", seq=number)) from cause
