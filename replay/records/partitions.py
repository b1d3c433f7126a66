"""Partitions of a ledger: the TOML file that lists them, and the partition number in a game's id.

A game of a partitioned ledger has the number of its partition in its id, so the id alone locates
it, also after partitions are added. The ids of one partition are one range: ``70313070-NNNN-8...``,
``NNNN`` the number in hex. Every other id belongs to a game older than the partitions, in the first
partition.
"""

from datetime import datetime
from pathlib import Path
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from phaseledger.replay.records.text_files import read_text

MOST = 64
"""The most partitions of one ledger: as many as a cursor of its lists has room for."""

_PREFIX = 0x70313070  # "p10p"
_TAIL_BITS = 80  # of the id, after the partition's number


class PartitionsError(Exception):
    """The file of partitions cannot be used; the message gives the reason and the remedy."""


class PartitionEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One partition's entry in the file; an omitted value is taken from the settings."""

    database_url: str = ""
    owner_database_url: str = ""
    schema: Annotated[str, Meta(pattern=r"^([a-z_][a-z0-9_]{0,62})?\Z")] = ""
    since: datetime | None = None
    """The time from which it gets new games; None: from the start."""
    until: datetime | None = None
    """The time until which it gets new games; None: no end."""


class _File(Struct, forbid_unknown_fields=True):
    partition: list[PartitionEntry]


class PartitionLocation(NamedTuple):
    """A partition's database and schema. ``since`` and ``until`` are in seconds since 1970."""

    number: int
    """The place in the file, from 1."""
    dsn: str
    schema: str
    owner_dsn: str
    since: float
    until: float

    @property
    def owning_dsn(self) -> str:
        """The DSN of the role that owns the tables; `dsn` where none is named."""
        return self.owner_dsn or self.dsn


def read(file: Path, dsn: str, schema: str, owner_dsn: str = "") -> tuple[PartitionLocation, ...]:
    """The partitions that a TOML file lists; the arguments are defaults for omitted values.

    Raises:
        PartitionsError: the file cannot be read, or is no valid list of partitions.

    """
    try:
        entries = msgspec.toml.decode(read_text(file), type=_File).partition
    except OSError as error:
        raise PartitionsError(f"{file} cannot be read: {error.strerror}.") from None
    except (UnicodeError, msgspec.DecodeError) as error:
        raise PartitionsError(f"{file} lists no partitions: {error}.") from None
    if not 1 <= len(entries) <= MOST:
        raise PartitionsError(f"{file} lists {len(entries)} partitions; there are 1 to {MOST}.")
    places = tuple(
        PartitionLocation(
            number=number,
            dsn=entry.database_url or dsn,
            schema=entry.schema or schema,
            owner_dsn=entry.owner_database_url or ("" if entry.database_url else owner_dsn),
            since=_seconds(entry.since, -float("inf"), file),
            until=_seconds(entry.until, float("inf"), file),
        )
        for number, entry in enumerate(entries, 1)
    )
    databases = [(place.dsn, place.schema) for place in places]
    for place in places:
        if databases.index((place.dsn, place.schema)) != place.number - 1:
            raise PartitionsError(
                f"{file} has partition {place.number} at the place of another one: each has a "
                "schema of its own."
            )
    return places


def needs_default(file: Path) -> bool:
    """Whether an entry relies on the settings' database URL; raises PartitionsError."""
    return any(not place.dsn for place in read(file, "", ""))


def _seconds(time: datetime | None, default: float, file: Path) -> float:
    if time is None:
        return default
    if time.tzinfo is None:
        raise PartitionsError(f"{file} has a time without its offset from UTC: {time}.")
    return time.timestamp()


def is_placed(game: UUID) -> bool:
    """Whether the id contains a partition number."""
    return game.int >> 96 == _PREFIX and game.version == 8


def number_of(game: UUID) -> int:
    """The partition that has the game, counted from 1."""
    return game.int >> _TAIL_BITS & 0xFFFF if is_placed(game) else 1


def id_in(number: int, digest: bytes) -> UUID:
    """The id of a game in that partition: a UUID of version 8 with 74 bits of the digest."""
    tail = int.from_bytes(digest[:10]) & ~(0xF << 76) | 8 << 76
    tail = tail & ~(0b11 << 62) | 0b10 << 62
    return UUID(int=_PREFIX << 96 | number << _TAIL_BITS | tail)


def log_name(ledger: str, number: int) -> str:
    """The name of a partition's public log; the first partition's is the ledger's own."""
    return ledger if number == 1 or ledger.endswith(f"/{number}") else f"{ledger}/{number}"


def foreign_to(number: int) -> tuple[tuple[UUID, UUID], ...]:
    """The ranges of ids (both ends included) that no game of that partition has."""
    start, end = _PREFIX << 96, (_PREFIX + 1) << 96
    own_start, own_end = start | number << _TAIL_BITS, start | number + 1 << _TAIL_BITS
    ranges = [(start, own_start), (own_end, end)]
    if number != 1:
        ranges = [(0, own_start), (own_end, 1 << 128)]
    return tuple((UUID(int=low), UUID(int=high - 1)) for low, high in ranges if low < high)
