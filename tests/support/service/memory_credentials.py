"""The credential store in memory: gone with its process."""

import secrets
import time
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from phaseledger.service.credentials.credential import (
    CachedCredential,
    Credential,
    IssuedToken,
    elapsed,
)
from phaseledger.service.credentials.errors import NoFreshToken, TicketUnknown, TokenRevoked
from phaseledger.service.credentials.tokens import (
    digest,
    is_wellformed,
    new_ticket,
    new_token,
    public_id,
    token_for,
)
from phaseledger.service.runtime.resource import Resource


class _Ticket(NamedTuple):
    token_hash: bytes
    game: UUID
    expires: float


class _Entry(NamedTuple):
    expiring: CachedCredential
    since: int
    issued_at: float


class MemoryCredentials(Resource):
    """The tokens of a `MemoryStore`; their ``lifetime`` is in seconds, 0: for ever."""

    def __init__(self, lifetime: float = 0) -> None:
        self._lifetime = lifetime
        self._key = secrets.token_bytes(32)
        self._entries: dict[bytes, _Entry] = {}
        self._sittings: dict[Credential, int] = {}
        self._revoked: set[bytes] = set()
        self._tickets: dict[bytes, _Ticket] = {}

    def _is_revoked(self, token_hash: bytes) -> bool:
        expiring, since, _ = self._entries[token_hash]
        sitting = expiring.credential._replace(since=0)
        return token_hash in self._revoked or since < self._sittings.get(sitting, 0)

    async def issue(self, game: UUID, seat: int | None, since: int = 0, key: str = "") -> str:
        credential, now = Credential(game, seat), time.time()
        if since < self._sittings.get(credential, 0):
            raise NoFreshToken
        token = token_for(self._key, game, seat, since, key) if key else new_token(seat)
        if previous := self._entries.get(digest(token)):
            if previous.expiring.is_alive() and not self._is_revoked(digest(token)):
                return token
            token = new_token(seat)
        expiring = CachedCredential.lasting(
            credential._replace(since=since), self._lifetime or None
        )
        self._entries[digest(token)] = _Entry(expiring, since, now)
        return token

    async def find(self, token: str) -> Credential | None:
        return await self.find_hash(digest(token)) if is_wellformed(token) else None

    async def find_hash(self, token_hash: bytes) -> Credential | None:
        if token_hash not in self._entries:
            return None
        if self._is_revoked(token_hash):
            raise TokenRevoked
        return self._entries[token_hash].expiring.alive()

    async def issue_ticket(self, token: str, game: UUID, seconds: float) -> str:
        now = elapsed()
        self._tickets = {key: kept for key, kept in self._tickets.items() if kept.expires > now}
        ticket = new_ticket()
        self._tickets[digest(ticket)] = _Ticket(digest(token), game, now + seconds)
        return ticket

    async def redeem(self, ticket: str, game: UUID) -> bytes:
        kept = self._tickets.get(digest(ticket))
        if kept is None or kept.game != game:
            raise TicketUnknown
        del self._tickets[digest(ticket)]
        if kept.expires <= elapsed():
            raise TicketUnknown
        return kept.token_hash

    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        sitting = Credential(game, seat)
        self._sittings[sitting] = max(before, self._sittings.get(sitting, 0))

    async def revoke_token(self, name: str) -> Credential | None:
        for token_hash, entry in self._entries.items():
            if public_id(token_hash) == name:
                self._revoked.add(token_hash)
                return entry.expiring.credential._replace(since=0)
        return None

    async def issued(self, game: UUID) -> Sequence[IssuedToken]:
        return [
            IssuedToken(
                id=public_id(token_hash),
                seat=expiring.credential.seat,
                issued_at=at,
                expires_at=at + self._lifetime if self._lifetime else None,
                revoked=self._is_revoked(token_hash),
            )
            for token_hash, (expiring, _, at) in self._entries.items()
            if expiring.credential.game == game
        ]

    def distrust(self) -> None: ...
