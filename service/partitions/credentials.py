"""Tokens and codes of a ledger of several partitions: each is kept beside the game it is for."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from typing_extensions import override

from phaseledger.service.credentials.store import Credential, Credentials, IssuedToken
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.lobby.join_codes import JoinCodes
from phaseledger.service.partitions.routing import ByPartition


class PartitionedCredentials(Credentials):
    """Tokens, which do not say whose they are: whoever knows the game is spared a search."""

    def __init__(self, parts: ByPartition[Credentials]) -> None:
        self._parts = parts

    @override
    async def issue(self, game: UUID, seat: int | None, since: int = 0, key: str = "") -> str:
        return await self._parts.of(game).issue(game, seat, since, key)

    @override
    async def find(self, token: str, game: UUID | None = None) -> Credential | None:
        own = self._parts.of(game) if game else None
        if own and (found := await own.find(token)):
            return found
        others = [each for each in self._parts.each if each is not own]
        told = await asyncio.gather(*(each.find(token) for each in others), return_exceptions=True)
        away: BaseException | None = None
        for answer in told:
            if isinstance(answer, StoreUnavailable):
                away = answer
            elif isinstance(answer, BaseException):
                raise answer
            elif answer is not None:
                return answer
        if away and own is None:
            raise away
        return None  # a partition that is away cannot have a token of a game that is elsewhere

    @override
    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        await self._parts.of(game).revoke(game, seat, before)

    @override
    async def revoke_token(self, name: str) -> Credential | None:
        for each in self._parts.each:
            if found := await each.revoke_token(name):
                return found
        return None

    @override
    async def issued(self, game: UUID) -> Sequence[IssuedToken]:
        return await self._parts.of(game).issued(game)

    @override
    async def open(self) -> None:
        await asyncio.gather(*(each.open() for each in self._parts.each))

    @override
    async def close(self) -> None:
        await asyncio.gather(*(each.close() for each in self._parts.each))


class PartitionedJoinCodes(JoinCodes):
    """Codes, which are looked for everywhere."""

    def __init__(self, parts: ByPartition[JoinCodes]) -> None:
        self._parts = parts

    @override
    async def publish(self, code: str, game: UUID) -> None:
        await self._parts.of(game).publish(code, game)

    @override
    async def find(self, code: str) -> Sequence[UUID]:
        told = await asyncio.gather(
            *(each.find(code) for each in self._parts.each), return_exceptions=True
        )
        found = [
            game for answer in told if not isinstance(answer, BaseException) for game in answer
        ]
        for answer in told:
            if isinstance(answer, BaseException) and not found:
                raise answer
        return found

    @override
    async def open(self) -> None:
        await asyncio.gather(*(each.open() for each in self._parts.each))

    @override
    async def close(self) -> None:
        await asyncio.gather(*(each.close() for each in self._parts.each))
