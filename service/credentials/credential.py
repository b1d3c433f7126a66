"""What a token stands for."""

from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from phaseledger.service.credentials.errors import TokenExpired
from phaseledger.service.eventlog import clock


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
