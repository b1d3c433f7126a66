"""The form of a bearer token: a prefix for secret scanners, random bytes, and a checksum.

``p10s_`` for a seat, ``p10h_`` for a host, ``p10k_`` for an application (its key), ``p10u_`` for a
player who has signed in (a session); then 32 random bytes and the CRC-32 of the text before it, in
hex: ``p10[hksu]_[0-9a-f]{72}``. So a mistyped token differs from an unknown one without a query of
the database. For repeatable requests an HMAC
replaces the random bytes: over a secret of the caller (an Idempotency-Key, of which the log has the
hash; for a rematch the token of the game before), with a key of the ledger.
"""

import hashlib
import hmac
import secrets
import zlib
from uuid import UUID

SEAT, HOST, APPLICATION, SESSION = "p10s_", "p10h_", "p10k_", "p10u_"
PREFIXES = (SEAT, HOST, APPLICATION, SESSION)
TICKET = "p10t_"
"""The prefix of a ticket, which opens one event stream and is no bearer token."""
ID_DIGITS = 16
"""Hex digits of the hash: enough for a public name, and far too few to test guesses of tokens."""


def new_token(seat: int | None) -> str:
    """A fresh token for a seat, or for a host."""
    return _token(SEAT if seat is not None else HOST, secrets.token_bytes(32))


def new_session() -> str:
    """A fresh token for the session of a player."""
    return _token(SESSION, secrets.token_bytes(32))


def new_ticket() -> str:
    """A fresh ticket, too long to be guessed within its seconds."""
    return TICKET + secrets.token_hex(32)


def token_for(ledger_key: bytes, game: UUID, seat: int | None, since: int, key: str) -> str:
    """The token for the sitting of the caller who knows the ``key``."""
    message = f"p10-token/v1\n{game}\n{seat}\n{since}\n{key}"
    prefix = SEAT if seat is not None else HOST
    return _token(prefix, hmac.digest(ledger_key, message.encode(), "sha256"))


def application_key(chance: bytes) -> str:
    """The application's key of 32 bytes that no reader of the database knows."""
    return _token(APPLICATION, chance)


def is_wellformed(token: str) -> bool:
    """Whether the token has the shape and the checksum of an issued one."""
    return is_meant(token) and len(token) == 77 and _checksum(token[:-8]) == token[-8:]


def is_meant(token: str) -> bool:
    """Whether the text has a token's prefix: a wrong one is a mistake in typing or copying."""
    return token.isascii() and token.startswith(PREFIXES)


def digest(token: str) -> bytes:
    """The hash of a token, which is stored in its place."""
    return hashlib.sha256(token.encode()).digest()


def public_id(token_hash: bytes) -> str:
    """The token's name for people; it is useless as a token."""
    return token_hash.hex()[:ID_DIGITS]


def _token(prefix: str, chance: bytes) -> str:
    body = f"{prefix}{chance.hex()}"
    return body + _checksum(body)


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"
