"""What the service stands on, in memory: gone with its process."""

import time
from collections.abc import Sequence
from uuid import UUID

from phaseledger.replay.formats.signing.keys import Keyring, fresh_name
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.service.api.dependencies import Components
from phaseledger.service.applications.application import Application, RegisteredApplication
from phaseledger.service.credentials.errors import TokenUnknown
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.lobby.join_codes import plain
from phaseledger.service.operations import AdminEvent, AdminRecord
from phaseledger.service.runtime.resource import Resource
from phaseledger.service.signin.store import PlayerSession
from phaseledger.service.transparency.publisher import PublicLog, Publisher
from phaseledger.service.transparency.signer import signer
from tests.support.service.memory_credentials import MemoryCredentials
from tests.support.service.memory_store import MemoryStore
from tests.support.service.memory_tree import MemoryTree
from tests.support.service.memory_views import MemoryViews


class MemoryAdminLog(Resource):
    """The record of admin actions."""

    def __init__(self) -> None:
        self._events: dict[UUID, AdminEvent] = {}

    async def note(self, entry: AdminRecord) -> AdminEvent:
        fields = (entry.actor, entry.action, entry.reason, entry.details)
        event = AdminEvent(len(self._events) + 1, time.time(), *fields)
        return self._events.setdefault(entry.key, event)

    async def events(self, after: int = 0, limit: int = 1000) -> Sequence[AdminEvent]:
        return list(self._events.values())[after : after + limit]

    async def is_draining(self) -> bool:
        turns = [event.action for event in self._events.values() if "drain" in event.action]
        return turns[-1:] == ["drain"]


class MemoryJoinCodes(Resource):
    """An index of join codes."""

    def __init__(self) -> None:
        self._games: dict[str, list[UUID]] = {}

    async def publish(self, code: str, game: UUID) -> None:
        games = self._games.setdefault(plain(code), [])
        if game not in games:
            games.insert(0, game)

    async def find(self, code: str) -> Sequence[UUID]:
        return tuple(self._games.get(plain(code), ()))


class NoApplications(Resource):
    """A ledger to whose operator no application is known."""

    def valid(self, key: str) -> None:
        return None

    async def find(self, key: str) -> Application:
        raise TokenUnknown

    async def owner(self, game: UUID) -> None:
        return None

    async def all(self) -> Sequence[RegisteredApplication]:
        return ()


class NoPlayers(Resource):
    """A ledger without players, since it has no applications."""

    async def names(self, pseudonyms: Sequence[str]) -> dict[str, str]:
        return {}

    async def expire(self, days: float) -> int:
        return 0

    async def scrub(self) -> bool:
        return False


class NoSessions(Resource):
    """A ledger at which no player has signed in."""

    async def find(self, token: str) -> PlayerSession:
        raise TokenUnknown


def in_memory_log(store: Store, keys: Keyring) -> PublicLog:
    """The public log of the store."""
    log_signer = signer(keys)
    return PublicLog(Publisher(store, MemoryTree(store, log_signer.origin), log_signer))


def in_memory(store: MemoryStore | None = None, keys: Keyring | None = None) -> Components:
    """The components of a service."""
    store = store or MemoryStore()
    keys = keys or Keyring((SigningKey.new(fresh_name()),))
    return Components(
        store=store,
        credentials=MemoryCredentials(),
        applications=NoApplications(),
        players=NoPlayers(),
        sessions=NoSessions(),
        views=MemoryViews(store),
        keys=keys,
        log=in_memory_log(store, keys),
        record=MemoryAdminLog(),
        codes=MemoryJoinCodes(),
    )
