"""Credentials: who may speak for a seat, or for a table as its host.

A token is kept as its SHA-256, and shown to whoever asks for it with the same secret again. It is
revoked by itself, or with all others of a sitting: whoever gave the seat up gets no other.
"""

import secrets
import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from msgspec import Struct
from typing_extensions import override

from phaseledger.service.credentials.errors import (
    NoFreshToken,
    TokenExpired,
    TokenRefused,
    TokenRevoked,
)
from phaseledger.service.credentials.tokens import (
    digest,
    is_wellformed,
    new_token,
    public_id,
    token_for,
)

__all__ = ["TokenRefused", "is_wellformed", "new_token", "public_id"]


class Credential(NamedTuple):
    """What a token stands for; ``seat`` is None for the host."""

    game: UUID
    seat: int | None
    since: int = 0
    """The version of the game that began the sitting; 0: one that nobody has ended."""


class IssuedToken(Struct, frozen=True):
    """A token of a game as operators may see it; times are in seconds since 1970."""

    id: str
    seat: int | None
    issued_at: float
    expires_at: float | None
    revoked: bool


class Credentials(Protocol):
    """Where tokens are issued, looked up and revoked."""

    async def issue(self, game: UUID, seat: int | None, since: int = 0, key: str = "") -> str:
        """A token; those issued before stay valid.

        ``since`` is the game's version that began the sitting: right after the seat was taken, or
        the table opened. ``key`` is what only the caller can repeat: with it comes the same token
        as long as that counts, else a fresh one. Raises TokenRefused when the sitting's tokens
        were revoked.
        """
        ...

    async def find(self, token: str, game: UUID | None = None) -> Credential | None:
        """What the token stands for; None when it is malformed or was never issued.

        ``game`` is the one that it is shown for, which says where to look first.
        Raises TokenRefused when it is revoked or has expired.
        """
        ...

    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        """Refuse all tokens of the seat's sittings that began before that version of the game.

        So do whoever kicks a seat, with the version after that: later sittings keep their tokens,
        and a repeated join of an earlier one gets no token.
        """
        ...

    async def revoke_token(self, name: str) -> Credential | None:
        """Refuse one token by its public id; None when there is no such token."""
        ...

    async def issued(self, game: UUID) -> Sequence[IssuedToken]:
        """The tokens of a game, oldest first."""
        ...

    async def open(self) -> None:
        """Connect; the tables are there already."""
        ...

    async def close(self) -> None:
        """Close every connection."""
        ...


class CachedCredential(NamedTuple):
    """What is known of a token that counts until it expires."""

    credential: Credential
    expires_at: float | None

    def alive(self) -> Credential:
        """What it stands for. Raises TokenRefused when it has expired."""
        if not self.is_alive():
            raise TokenExpired
        return self.credential

    def is_alive(self) -> bool:
        """Whether it has not expired."""
        return self.expires_at is None or self.expires_at > time.time()


class _Kept(NamedTuple):
    known: CachedCredential
    since: int
    issued_at: float


class MemoryCredentials(Credentials):
    """Credentials that are gone with their process, beside a `MemoryStore`.

    ``lifetime`` is in seconds; 0: for ever.
    """

    def __init__(self, lifetime: float = 0) -> None:
        self._lifetime = lifetime
        self._key = secrets.token_bytes(32)
        self._kept: dict[bytes, _Kept] = {}
        self._sittings: dict[Credential, int] = {}
        self._revoked: set[bytes] = set()

    def _is_revoked(self, token_hash: bytes) -> bool:
        known, since, _ = self._kept[token_hash]
        sitting = known.credential._replace(since=0)
        return token_hash in self._revoked or since < self._sittings.get(sitting, 0)

    @override
    async def issue(self, game: UUID, seat: int | None, since: int = 0, key: str = "") -> str:
        credential, now = Credential(game, seat), time.time()
        if since < self._sittings.get(credential, 0):
            raise NoFreshToken
        token = token_for(self._key, game, seat, since, key) if key else new_token(seat)
        if before := self._kept.get(digest(token)):
            if before.known.is_alive() and not self._is_revoked(digest(token)):
                return token
            token = new_token(seat)
        until = now + self._lifetime if self._lifetime else None
        known = CachedCredential(credential._replace(since=since), until)
        self._kept[digest(token)] = _Kept(known, since, now)
        return token

    @override
    async def find(self, token: str, game: UUID | None = None) -> Credential | None:
        if not is_wellformed(token) or (token_hash := digest(token)) not in self._kept:
            return None
        if self._is_revoked(token_hash):
            raise TokenRevoked
        return self._kept[token_hash].known.alive()

    @override
    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        sitting = Credential(game, seat)
        self._sittings[sitting] = max(before, self._sittings.get(sitting, 0))

    @override
    async def revoke_token(self, name: str) -> Credential | None:
        for token_hash, kept in self._kept.items():
            if public_id(token_hash) == name:
                self._revoked.add(token_hash)
                return kept.known.credential._replace(since=0)
        return None

    @override
    async def issued(self, game: UUID) -> Sequence[IssuedToken]:
        return [
            IssuedToken(
                public_id(token_hash),
                known.credential.seat,
                at,
                known.expires_at,
                self._is_revoked(token_hash),
            )
            for token_hash, (known, _, at) in self._kept.items()
            if known.credential.game == game
        ]

    @override
    async def open(self) -> None: ...
    @override
    async def close(self) -> None: ...
