"""A ledger spread over several partitions: the file that lists them, and which of them has a game.

A game of a partitioned ledger is born with the number of its partition in its id, so everybody
knows from the id alone where it is, for ever, however many partitions are added. The ids of one
partition are one range: ``70313070-NNNN-8...``, ``NNNN`` the number in hex. Every other id is that
of a game from before there were partitions, which is in the first.
"""

from datetime import datetime
from pathlib import Path
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

MOST = 64
"""Partitions of one ledger: as many as a cursor of its lists has room for."""

_MARK = 0x70313070  # "p10p"
_BITS = 80  # behind the number


class PartitionsError(Exception):
    """The file of partitions cannot be used; the message says why and what to do."""


class PartitionEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A partition as the file has it; what is left out is as in the settings."""

    database_url: str = ""
    owner_database_url: str = ""
    schema: Annotated[str, Meta(pattern=r"^([a-z_][a-z0-9_]{0,62})?\Z")] = ""
    since: datetime | None = None
    """When it begins to get new games; None: it always did."""
    until: datetime | None = None
    """When it gets no new games any more."""


class _File(Struct, forbid_unknown_fields=True):
    partition: list[PartitionEntry]


class PartitionLocation(NamedTuple):
    """Where a partition is. ``since`` and ``until`` are in seconds since 1970."""

    number: int
    """From 1, by its place in the file."""
    dsn: str
    schema: str
    owner_dsn: str
    since: float
    until: float


def read(file: Path, dsn: str, schema: str, owner_dsn: str = "") -> tuple[PartitionLocation, ...]:
    """The partitions that the file lists, in TOML; what an entry leaves out is as given here.

    Raises:
        PartitionsError: the file is not there, or says what makes no sense.

    """
    try:
        entries = msgspec.toml.decode(file.read_text(encoding="utf-8"), type=_File).partition
    except OSError as error:
        raise PartitionsError(f"{file} cannot be read: {error.strerror}.") from None
    except (UnicodeDecodeError, msgspec.DecodeError) as wrong:
        raise PartitionsError(f"{file} lists no partitions: {wrong}.") from None
    if not 1 <= len(entries) <= MOST:
        raise PartitionsError(f"{file} lists {len(entries)} partitions; there are 1 to {MOST}.")
    places = tuple(
        PartitionLocation(
            number,
            each.database_url or dsn,
            each.schema or schema,
            each.owner_database_url or ("" if each.database_url else owner_dsn),
            _time(each.since, -float("inf"), file),
            _time(each.until, float("inf"), file),
        )
        for number, each in enumerate(entries, 1)
    )
    at = [(place.dsn, place.schema) for place in places]
    for place in places:
        if at.index((place.dsn, place.schema)) != place.number - 1:
            raise PartitionsError(
                f"{file} has partition {place.number} at the place of another one: each has a "
                "schema of its own."
            )
    return places


def needs_default(file: Path) -> bool:
    """Whether some partition is where the settings have the database; raises PartitionsError."""
    return any(not place.dsn for place in read(file, "", ""))


def _time(given: datetime | None, otherwise: float, file: Path) -> float:
    if given is None:
        return otherwise
    if given.tzinfo is None:
        raise PartitionsError(f"{file} has a time without its offset from UTC: {given}.")
    return given.timestamp()


def is_placed(game: UUID) -> bool:
    """Whether the id says which partition the game is in."""
    return game.int >> 96 == _MARK and game.version == 8


def number_of(game: UUID) -> int:
    """The partition that has the game, counted from 1."""
    return game.int >> _BITS & 0xFFFF if is_placed(game) else 1


def id_in(number: int, digest: bytes) -> UUID:
    """The id of a game in that partition, UUID version 8: of the digest it has 74 bits."""
    chance = int.from_bytes(digest[:10]) & ~(0xF << 76) | 8 << 76
    chance = chance & ~(0b11 << 62) | 0b10 << 62
    return UUID(int=_MARK << 96 | number << _BITS | chance)


def log_name(ledger: str, number: int) -> str:
    """What a partition's public log is called: the first goes by the ledger's own name."""
    return ledger if number == 1 or ledger.endswith(f"/{number}") else f"{ledger}/{number}"


def foreign_to(number: int) -> tuple[tuple[UUID, UUID], ...]:
    """Ranges of the ids, with both ends, that no game of that partition has."""
    start, end = _MARK << 96, (_MARK + 1) << 96
    own, after = start | number << _BITS, start | number + 1 << _BITS
    ranges = [(start, own), (after, end)]
    if number != 1:
        ranges = [(0, own), (after, 1 << 128)]
    return tuple((UUID(int=low), UUID(int=high - 1)) for low, high in ranges if low < high)
