"""The line types of a bundle, ``p10-bundle/v1``. Normative text: docs/reference/evidence.md."""

import re
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from phaseledger.domain.ruleset import RuleSet, fingerprint
from phaseledger.replay.formats.records.findings import Status
from phaseledger.replay.formats.signing.receipts import Receipt

VERSION: Final = "p10-bundle/v1"

_HASH = "^[0-9a-f]{64}$"
_hash, _two_hashes = re.compile("[0-9a-f]{64}").fullmatch, re.compile("[0-9a-f]{128}").fullmatch
Hash = Annotated[str, Meta(pattern=_HASH, max_length=64)]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
Count = Annotated[int, Meta(ge=0, lt=2**53)]
Number = Annotated[int, Meta(ge=1, lt=2**53)]
SeatIndex = Annotated[int, Meta(ge=0, le=15)]
GameId = Annotated[str, Meta(pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", max_length=36)]


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The header: the bundle's claims about itself, none of which is trusted."""

    events: Number
    game: GameId
    head: Hash
    keys: tuple[str, ...]
    status: Status
    v: Literal["p10-bundle/v1"]
    seat: SeatIndex | UnsetType = UNSET


class BundleRuleset(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of the game, as `GameOpened` has them."""

    hash: Hash
    name: str
    rules: Raw


class PublicEvent(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An event's public form; its ``data`` is read with the rules of its type, elsewhere."""

    at: Count
    cmd: Annotated[str, Meta(max_length=64)]
    data: Raw
    game: str
    prev: Annotated[str, Meta(max_length=64)]
    seq: Number
    type: str
    v: Literal[1]
    sealed: Annotated[dict[str, Hash], Meta(min_length=1)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Check both hashes by one pattern: two patterns of the fields take half of the decoding.

        Raises:
            ValueError: one is no hash, in the decoder's words.

        """
        if not _two_hashes(self.cmd + self.prev):
            name = "prev" if _hash(self.cmd) else "cmd"
            raise ValueError(f"Expected `str` matching regex {_HASH!r} - at `$.{name}`")


class OpenedSeal(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An opened seal: the hidden value and its salt."""

    audience: str
    salt: Salt
    seq: Number
    value: Raw


class SeedPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A commitment to a part of the deal's seed and, once it is revealed, that part."""

    by: Annotated[str, Meta(pattern="^(server|[0-9]|1[0-5])$", max_length=6)]
    commit: Hash
    made_by: Literal["server", "seat"]
    secret: Hash | UnsetType = UNSET


class SignedCheckpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint of the log, as a signed note."""

    note: str


class Inclusion(Struct, frozen=True, forbid_unknown_fields=True):
    """An inclusion proof: an event's leaf is the ``index``-th of ``size`` (RFC 6962, 2.1.1)."""

    index: Count
    path: Annotated[tuple[Hash, ...], Meta(max_length=64)]
    seq: Number
    size: Number


class EarlierSize(Struct, frozen=True, forbid_unknown_fields=True):
    """An earlier size of the log, and the proof that the checkpoint's tree begins with its tree
    (RFC 6962, 2.1.2).
    """

    first: Number
    path: Annotated[tuple[Hash, ...], Meta(max_length=128)]
    root: Hash
    second: Number


class BundleEnd(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: how many lines stand before it."""

    lines: Count


LineKind = Literal[
    "bundle",
    "ruleset",
    "event",
    "opens",
    "secret",
    "receipt",
    "checkpoint",
    "inclusion",
    "consistency",
    "end",
]

LINES: dict[LineKind, type[Struct]] = {
    "bundle": Header,
    "ruleset": BundleRuleset,
    "event": PublicEvent,
    "opens": OpenedSeal,
    "secret": SeedPart,
    "receipt": Receipt,
    "checkpoint": SignedCheckpoint,
    "inclusion": Inclusion,
    "consistency": EarlierSize,
    "end": BundleEnd,
}
"""The type of each kind of line."""


ENDS: dict[str, Status] = {"GameEnded/1": "finished", "GameVoided/1": "voided"}
"""The status of a game by the type of its last event."""

_encode = msgspec.json.Encoder(order="sorted").encode


def line_of(kind: LineKind, value: Struct) -> bytes:
    """A line of a bundle, its LF included."""
    return b'{"%s":%s}\n' % (kind.encode(), _encode(value))


def ruleset_line(rules: RuleSet) -> BundleRuleset:
    """The line that states the rules."""
    return BundleRuleset(fingerprint(rules), rules.name, Raw(_encode(rules)))
