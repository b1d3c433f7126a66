"""Tokens and join codes of several partitions: each is stored in that of its game."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from typing_extensions import override

from phaseledger.service.credentials.store import Credential, Credentials, IssuedToken
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.lobby.join_codes import JoinCodes
from phaseledger.service.partitions.routing import ByPartition


class PartitionedCredentials(Credentials):
    """The tokens of all partitions; a token names no game, so a caller that does saves a search."""

    def __init__(self, parts: ByPartition[Credentials]) -> None:
        self._parts = parts

    @override
    async def issue(self, game: UUID, seat: int | None, since: int = 0, key: str = "") -> str:
        return await self._parts.of(game).issue(game, seat, since, key)

    @override
    async def find(self, token: str, game: UUID | None = None) -> Credential | None:
        own = self._parts.of(game) if game else None
        if own and (credential := await own.find(token)):
            return credential
        other_parts = [part for part in self._parts.resources if part is not own]
        results = await asyncio.gather(
            *(part.find(token) for part in other_parts), return_exceptions=True
        )
        outage: BaseException | None = None
        for result in results:
            if isinstance(result, StoreUnavailable):
                outage = result
            elif isinstance(result, BaseException):
                raise result
            elif result is not None:
                return result
        if outage and own is None:
            raise outage
        return None  # a partition that is away cannot have a token of a game that is elsewhere

    @override
    async def find_hash(self, token_hash: bytes, game: UUID) -> Credential | None:
        return await self._parts.of(game).find_hash(token_hash, game)

    @override
    def remembered(self, token_hash: bytes, game: UUID) -> Credential | None:
        return self._parts.of(game).remembered(token_hash, game)

    @override
    async def issue_ticket(self, token: str, game: UUID, seconds: float) -> str:
        return await self._parts.of(game).issue_ticket(token, game, seconds)

    @override
    async def redeem(self, ticket: str, game: UUID) -> bytes:
        return await self._parts.of(game).redeem(ticket, game)

    @override
    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        await self._parts.of(game).revoke(game, seat, before)

    @override
    async def revoke_token(self, name: str) -> Credential | None:
        for part in self._parts.resources:
            if credential := await part.revoke_token(name):
                return credential
        return None

    @override
    async def issued(self, game: UUID) -> Sequence[IssuedToken]:
        return await self._parts.of(game).issued(game)

    @override
    def distrust(self) -> None:
        for part in self._parts.resources:
            part.distrust()

    @override
    async def open(self) -> None:
        await asyncio.gather(*(part.open() for part in self._parts.resources))

    @override
    async def close(self) -> None:
        await asyncio.gather(*(part.close() for part in self._parts.resources))


class PartitionedJoinCodes(JoinCodes):
    """The join codes of all partitions, searched in each."""

    def __init__(self, parts: ByPartition[JoinCodes]) -> None:
        self._parts = parts

    @override
    async def publish(self, code: str, game: UUID) -> None:
        await self._parts.of(game).publish(code, game)

    @override
    async def find(self, code: str) -> Sequence[UUID]:
        results = await asyncio.gather(
            *(part.find(code) for part in self._parts.resources), return_exceptions=True
        )
        games = [
            game for result in results if not isinstance(result, BaseException) for game in result
        ]
        for result in results:
            if isinstance(result, BaseException) and not games:
                raise result
        return games

    @override
    async def open(self) -> None:
        await asyncio.gather(*(part.open() for part in self._parts.resources))

    @override
    async def close(self) -> None:
        await asyncio.gather(*(part.close() for part in self._parts.resources))
