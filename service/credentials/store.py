"""The credential store: bearer tokens that act for a seat, or for a table as its host.

A token is stored as its SHA-256, and derived again for a repeated request with the same key. It is
revoked alone, or with all others of a sitting: a player who gave the seat up gets no other. A
ticket stands for a token in requests that cannot send one, for one use.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from msgspec import Struct

from phaseledger.service.credentials.errors import (
    TokenExpired,
)
from phaseledger.service.eventlog import clock
from phaseledger.service.runtime.resource import Resource


class Credential(NamedTuple):
    """The game and seat that a token is for; ``seat`` is None for the host."""

    game: UUID
    seat: int | None
    since: int = 0
    """The version of the game that began the sitting; 0: a sitting that was never ended."""


class IssuedToken(Struct, frozen=True):
    """A token of a game as operators may see it; times are in seconds since 1970."""

    id: str
    seat: int | None
    issued_at: float
    expires_at: float | None
    revoked: bool


class Credentials(Resource, Protocol):
    """The port of a credential store: tokens are issued, looked up and revoked."""

    async def issue(self, game: UUID, seat: int | None, since: int = 0, key: str = "") -> str:
        """Issue a token; earlier tokens stay valid.

        ``since`` is the game's version that began the sitting: right after the seat was taken, or
        the table opened. ``key`` is a secret of the caller: the same key gives the same token while
        it is valid, else a fresh one. Raises TokenRefused when the sitting's tokens were revoked.
        """
        ...

    async def find(self, token: str, game: UUID | None = None) -> Credential | None:
        """The credential of a token; None when it is malformed or was never issued.

        ``game`` is the game of the request, which is searched first. Raises TokenRefused when the
        token is revoked or has expired.
        """
        ...

    async def find_hash(self, token_hash: bytes, game: UUID) -> Credential | None:
        """The credential of the token with a hash, as `find`, if it is of the game."""
        ...

    async def issue_ticket(self, token: str, game: UUID, seconds: float) -> str:
        """Issue a ticket, which stands for the token of the game once, for ``seconds``."""
        ...

    async def redeem(self, ticket: str, game: UUID) -> bytes:
        """The hash of the ticket's token; the ticket is used up.

        Raises TicketUnknown for one that was used, has expired, or is not of the game.
        """
        ...

    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        """Refuse all tokens of the seat's sittings that began before a version of the game.

        Kicking a seat does this with the version after the kick: later sittings keep their tokens,
        and a repeated join of an earlier one gets no token.
        """
        ...

    async def revoke_token(self, name: str) -> Credential | None:
        """Refuse one token by its public id; None when there is no such token."""
        ...

    async def issued(self, game: UUID) -> Sequence[IssuedToken]:
        """The tokens of a game, oldest first."""
        ...

    def distrust(self) -> None:
        """Read every token anew before it is used again: the database may have gone back."""
        ...


class CachedCredential(NamedTuple):
    """The credential of a valid token, and its expiry.

    The issuer sets the remaining time, which is then counted by this process: no node's clock keeps
    a token alive, or ends it early.
    """

    credential: Credential
    expires: float | None
    """The end of validity in seconds, as `elapsed_ns` counts; None: never."""

    @classmethod
    def lasting(cls, credential: Credential, seconds: float | None) -> "CachedCredential":
        """The credential of a token that is valid for ``seconds`` more; None: for ever."""
        return cls(credential, None if seconds is None else elapsed() + seconds)

    def alive(self) -> Credential:
        """The credential. Raises TokenRefused when the token has expired."""
        if not self.is_alive():
            raise TokenExpired
        return self.credential

    def is_alive(self) -> bool:
        """Whether the token has not expired."""
        return self.expires is None or self.expires > elapsed()


def elapsed() -> float:
    """The seconds that this process counts, whatever becomes of its host's clock."""
    return clock.elapsed_ns() / 1e9
