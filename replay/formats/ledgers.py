"""Numbered ledgers: the number in a game's id, and the name of the ledger's public log.

Where several ledgers are several services behind one proxy, each numbers its games, so that the id
alone tells which ledger has the game. The ids of one ledger are one range: ``70313070-NNNN-8...``,
``NNNN`` the number in hex. Every other id is a game's of a ledger without a number.
"""

from uuid import UUID

LARGEST = 0xFFFF
"""The largest number of a ledger."""

_PREFIX = 0x70313070  # "p10p"
_TAIL_BITS = 80  # of the id, after the ledger's number


def is_numbered(game: UUID) -> bool:
    """Whether the id contains a ledger's number."""
    return game.int >> 96 == _PREFIX and game.version == 8


def number_of(game: UUID) -> int:
    """The number of the ledger in the game's id; 1 for an id without one."""
    return game.int >> _TAIL_BITS & LARGEST if is_numbered(game) else 1


def id_in(number: int, digest: bytes) -> UUID:
    """The id of a game in that ledger: a UUID of version 8 with 74 bits of the digest."""
    tail = int.from_bytes(digest[:10]) & ~(0xF << 76) | 8 << 76
    tail = tail & ~(0b11 << 62) | 0b10 << 62
    return UUID(int=_PREFIX << 96 | number << _TAIL_BITS | tail)


def log_name(name: str, number: int) -> str:
    """The name of a ledger's public log: ``name/N`` from number 2 on, so that logs that the same
    keys sign have different names.
    """
    return name if number <= 1 or name.endswith(f"/{number}") else f"{name}/{number}"
