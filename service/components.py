"""What the service stands on: in memory, in one database, or in several partitions."""

import asyncio
from functools import partial
from typing import NamedTuple, cast

from phaseledger.projections.store import PostgresViews as PostgresViews
from phaseledger.replay.records.partitions import PartitionLocation, log_name
from phaseledger.replay.signing.keys import Keyring, fresh_name
from phaseledger.replay.signing.keys import load as load_keys
from phaseledger.replay.signing.notes import SigningKey
from phaseledger.service.automation.takeover import Adopt, adopt
from phaseledger.service.credentials.postgres import PostgresCredentials
from phaseledger.service.credentials.store import Credentials, MemoryCredentials
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import GameStore, Store
from phaseledger.service.lobby.join_codes import JoinCodes, MemoryJoinCodes, PostgresJoinCodes
from phaseledger.service.operations import AdminLog, PostgresAdminLog
from phaseledger.service.partitions import placement
from phaseledger.service.partitions.credentials import PartitionedCredentials, PartitionedJoinCodes
from phaseledger.service.partitions.partition_map import require_listed
from phaseledger.service.partitions.placement import NewGame
from phaseledger.service.partitions.routing import (
    ByPartition,
    DeferredStore,
    Partition,
    PartitionedStore,
)
from phaseledger.service.partitions.views import PartitionedViews
from phaseledger.service.readmodels.follower import follow
from phaseledger.service.readmodels.views import GameViews, MemoryViews, Views
from phaseledger.service.runtime.background import Until
from phaseledger.service.settings import Settings, keys_folder, places, published_folder, witnesses
from phaseledger.service.streams.remote_commits import CommitListener, listen_for_commits
from phaseledger.service.transparency.publisher import PublicLog, Publisher, in_memory_log
from phaseledger.service.transparency.signer import LogSigner, signer
from phaseledger.service.transparency.tree_postgres import PostgresTree
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.webhooks.store import Webhooks


class Components(NamedTuple):
    """What the service stands on. ``follow`` is None where somebody else keeps the views up.

    Where the ledger has several partitions, they are the parts of the first one, with those of
    the ``others``. The operator's record is in the first alone.
    """

    store: Store
    credentials: Credentials
    views: Views
    keys: Keyring
    follow: Until | None = None
    log: PublicLog | None = None
    """None: in memory."""
    hear: CommitListener | None = None
    """None where no other process writes to the log."""
    adopt: Adopt | None = None
    """None where no other process plays; else it looks at all games first."""
    record: AdminLog | None = None
    """Of admin actions; None: in memory."""
    codes: JoinCodes | None = None
    """Of private tables; None: in memory."""
    deliveries: Deliveries | None = None
    """Of webhooks; None: there are none."""
    others: tuple["Components", ...] = ()
    places: tuple[PartitionLocation, ...] = ()
    """Where the partitions are; none where their number is in no game's id."""

    def all(self) -> tuple["Components", ...]:
        """The parts of every partition."""
        return (self, *self.others)


def in_memory() -> Components:
    """Parts that are gone with the process."""
    store = MemoryStore()
    keys = Keyring((SigningKey.new(fresh_name()),))
    return Components(store, MemoryCredentials(), MemoryViews(store), keys)


def in_postgres(settings: Settings) -> Components:
    """Parts in the settings' database, or partitions, which are migrated already."""
    listed, keys = places(settings), load_keys(keys_folder(settings))
    first, *others = (_in_partition(settings, keys, place) for place in listed)
    if not settings.partitions:
        return first
    return first._replace(others=tuple(others), places=listed)


def signer_of(settings: Settings, keys: Keyring, number: int) -> LogSigner:
    """Who signs the log of a partition; the first has the ledger's own name.

    Raises:
        SigningRefused: the folder for what was published cannot be made.

    """
    origin = settings.log_origin or keys.log
    return signer(keys, log_name(origin, number), published_folder(settings))


def store_of(settings: Settings, place: PartitionLocation) -> Store:
    """The log of a partition. One of several may be away, which does not stop the others."""
    made = partial(
        PostgresStore,
        place.dsn,
        schema=place.schema,
        grouping=settings.grouping,
        unsafe=settings.unsafe,
    )
    if not settings.partitions:
        return made()
    return DeferredStore(
        place.number, made, partial(require_listed, places(settings), place.number)
    )


def _in_partition(settings: Settings, keys: Keyring, place: PartitionLocation) -> Components:
    dsn, schema, store = place.dsn, place.schema, store_of(settings, place)

    async def keep_up(stop: asyncio.Event) -> None:
        await follow(store, dsn, stop, schema=schema)

    by = signer_of(settings, keys, place.number)
    tree = PostgresTree(dsn, by.origin, schema=schema)
    return Components(
        store,
        PostgresCredentials(dsn, schema=schema, lifetime=86_400 * settings.token_days),
        PostgresViews(dsn, schema),
        keys,
        keep_up if settings.projections else None,
        PublicLog(Publisher(store, tree, by), witnesses(settings)),
        partial(listen_for_commits, dsn, schema=schema),
        partial(adopt, dsn, store, schema=schema),
        PostgresAdminLog(dsn, schema=schema) if place.number == 1 else None,
        PostgresJoinCodes(dsn, schema=schema),
        Deliveries(
            store,
            Webhooks(dsn, schema=schema),
            Sender(allow_private=settings.webhook_allow_private),
        ),
    )


# --- what goes by the game, put together ---------------------------------------------------------


def partition(number: int, parts: Components) -> Partition:
    """A partition's own parts, as handlers see them."""
    public = parts.log or in_memory_log(parts.store, parts.keys)
    return Partition(number, parts.store, parts.views, public, parts.deliveries)


def joint_store(parts: Components) -> GameStore:
    """The games of all partitions."""
    return (
        PartitionedStore(ByPartition([one.store for one in parts.all()]))
        if parts.others
        else parts.store
    )


def joint_credentials(parts: Components) -> Credentials:
    """The tokens of all partitions."""
    if not parts.others:
        return parts.credentials
    return PartitionedCredentials(ByPartition([one.credentials for one in parts.all()]))


def joint_codes(parts: Components) -> JoinCodes:
    """The codes of all partitions."""
    found = [one.codes or MemoryJoinCodes() for one in parts.all()]
    return PartitionedJoinCodes(ByPartition(found)) if parts.others else found[0]


def joint_views(parts: Components) -> GameViews:
    """The views of all partitions."""
    if not parts.others:
        return parts.views
    return PartitionedViews(ByPartition([cast(PostgresViews, one.views) for one in parts.all()]))


def new_games(parts: Components, store: GameStore) -> NewGame:
    """What finds ids for new games."""
    return (
        placement.partitioned_new_game(parts.places, store)
        if parts.places
        else placement.unpartitioned_new_game
    )
