"""The service's components: in memory, in one database, or in several partitions."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias, cast

from phaseledger.projections.store import PostgresViews as PostgresViews
from phaseledger.replay.records.partitions import PartitionLocation
from phaseledger.replay.records.sealing import SealingKeys
from phaseledger.replay.signing.keys import Keyring, fresh_name
from phaseledger.replay.signing.keys import load as load_keys
from phaseledger.replay.signing.notes import SigningKey
from phaseledger.replay.signing.receipts import sign_tree
from phaseledger.service.automation.takeover import Adopt, adopt
from phaseledger.service.credentials.postgres import PostgresCredentials
from phaseledger.service.credentials.store import Credentials, MemoryCredentials
from phaseledger.service.eventlog.clock import LOCAL, DatabaseClock, LedgerClock
from phaseledger.service.eventlog.connection import Connection, bounded
from phaseledger.service.eventlog.continuity import Continuity
from phaseledger.service.eventlog.group_commit import SignTree
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import GameStore, Store
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.eventlog.write_probe import WriteProbe
from phaseledger.service.lobby.join_codes import JoinCodes, MemoryJoinCodes, PostgresJoinCodes
from phaseledger.service.operations import AdminLog, PostgresAdminLog
from phaseledger.service.partitions import placement
from phaseledger.service.partitions.availability import PartitionViews
from phaseledger.service.partitions.credentials import PartitionedCredentials, PartitionedJoinCodes
from phaseledger.service.partitions.partition_map import require_listed
from phaseledger.service.partitions.placement import NewGame
from phaseledger.service.partitions.public_logs import signer_of
from phaseledger.service.partitions.rights import look_at_rights, parts_of
from phaseledger.service.partitions.routing import (
    ByPartition,
    DeferredStore,
    Partition,
    PartitionedStore,
)
from phaseledger.service.partitions.views import PartitionedViews
from phaseledger.service.quotas.open_tables import OpenTables
from phaseledger.service.quotas.postgres import QuotaExchange
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.readmodels.follower import follow
from phaseledger.service.readmodels.views import GameViews, MemoryViews, Views
from phaseledger.service.runtime.background import Until
from phaseledger.service.settings import (
    Settings,
    keys_folder,
    places,
    sealing_keys_of,
    witnesses,
)
from phaseledger.service.streams.remote_commits import CommitListener, listen_for_commits
from phaseledger.service.transparency.publisher import PublicLog, Publisher, in_memory_log
from phaseledger.service.transparency.tree_postgres import PostgresTree
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.webhooks.store import Webhooks

ShareQuotas: TypeAlias = Callable[[Sequence[RateLimitPolicy], OpenTables], QuotaExchange]


class Components(NamedTuple):
    """The components of the service. ``follow`` is None where another process keeps the views up.

    Where the ledger has several partitions, they are the parts of the first one, with those of
    the ``others``. The operator's record and the shared quotas are in the first alone.
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
    """The record of admin actions; None: in memory."""
    codes: JoinCodes | None = None
    """The join codes of private tables; None: in memory."""
    deliveries: Deliveries | None = None
    """The deliveries of webhooks; None: there are none."""
    clock: LedgerClock = LOCAL
    probe: WriteProbe | None = None
    """Tries whether the log can be written; None where it is in memory."""
    others: tuple["Components", ...] = ()
    continuity: Continuity | None = None
    """Notices a log that has gone back; None where it cannot."""
    share: ShareQuotas | None = None
    """Shares quotas with other processes; None where there are none."""
    places: tuple[PartitionLocation, ...] = ()
    """The partitions' places; empty where games' ids have no partition number."""

    def all(self) -> tuple["Components", ...]:
        """The parts of every partition."""
        return (self, *self.others)


def in_memory() -> Components:
    """Parts in memory, which end with the process."""
    store = MemoryStore()
    keys = Keyring((SigningKey.new(fresh_name()),))
    return Components(
        store=store, credentials=MemoryCredentials(), views=MemoryViews(store), keys=keys
    )


def in_postgres(settings: Settings) -> Components:
    """Parts in the settings' database, or partitions, which are migrated already."""
    partitions, keys = places(settings), load_keys(keys_folder(settings))
    sealing = sealing_keys_of(settings)
    first_parts, *other_parts = (
        _in_partition(settings, keys, sealing, place) for place in partitions
    )
    if not settings.partitions:
        return first_parts
    return first_parts._replace(others=tuple(other_parts), places=partitions)


def store_of(
    settings: Settings,
    place: PartitionLocation,
    sealing: SealingKeys,
    continuity: Continuity | None = None,
    sign: SignTree | None = None,
) -> Store:
    """The log of a partition. One of several may be away, which does not stop the others."""
    make_store = partial(
        PostgresStore,
        place.dsn,
        schema=place.schema,
        unsafe=settings.unsafe,
        synchronous=settings.synchronous_standby,
        continuity=continuity,
        sealing=sealing,
        sign=sign,
    )
    if not settings.partitions:
        return make_store()
    return DeferredStore(
        place.number, make_store, partial(require_listed, places(settings), place.number)
    )


def _in_partition(
    settings: Settings, keys: Keyring, sealing: SealingKeys, place: PartitionLocation
) -> Components:
    dsn, schema, continuity = place.dsn, place.schema, Continuity()
    store = store_of(settings, place, sealing, continuity, partial(sign_tree, key=keys.current))

    async def keep_up(stop: asyncio.Event) -> None:
        await follow(store, dsn, stop, schema=schema)

    beside = SideConnection(dsn)
    signer = signer_of(settings, keys, place.number)
    publisher = Publisher(store, PostgresTree(dsn, signer.origin, schema=schema), signer)
    continuity.require = publisher.require_published
    publisher.doubted = continuity.doubt
    return Components(
        store=store,
        credentials=PostgresCredentials(dsn, schema=schema, lifetime=86_400 * settings.token_days),
        views=PartitionViews(dsn, schema, place.number, sealing)
        if settings.partitions
        else PostgresViews(bounded(dsn), schema, Connection, sealing),
        keys=keys,
        follow=keep_up if settings.projections else None,
        log=PublicLog(publisher, witnesses(settings)),
        hear=partial(listen_for_commits, dsn, schema=schema),
        adopt=partial(adopt, dsn, store, schema=schema),
        record=PostgresAdminLog(dsn, schema=schema) if place.number == 1 else None,
        codes=PostgresJoinCodes(dsn, schema=schema, sealing=sealing),
        share=partial(QuotaExchange, dsn, schema=schema) if place.number == 1 else None,
        continuity=continuity,
        deliveries=Deliveries(
            store,
            Webhooks(dsn, schema=schema, sealing=sealing),
            Sender(allow_private=settings.webhook_allow_private),
        ),
        clock=DatabaseClock(beside),
        probe=WriteProbe(
            beside, schema, partial(look_at_rights, schema=schema, parts=parts_of(settings))
        ),
    )


# --- one interface over all partitions ------------------------------------------------------------


def partition(number: int, parts: Components) -> Partition:
    """A partition's own parts, as handlers see them."""
    public = parts.log or in_memory_log(parts.store, parts.keys)
    return Partition(
        number=number,
        store=parts.store,
        views=parts.views,
        log=public,
        deliveries=parts.deliveries,
        clock=parts.clock,
        probe=parts.probe,
        continuity=parts.continuity,
    )


def joint_store(parts: Components) -> GameStore:
    """The games of all partitions."""
    return (
        PartitionedStore(ByPartition([part.store for part in parts.all()]))
        if parts.others
        else parts.store
    )


def joint_credentials(parts: Components) -> Credentials:
    """The tokens of all partitions."""
    if not parts.others:
        return parts.credentials
    return PartitionedCredentials(ByPartition([part.credentials for part in parts.all()]))


def joint_codes(parts: Components) -> JoinCodes:
    """The codes of all partitions."""
    codes = [part.codes or MemoryJoinCodes() for part in parts.all()]
    return PartitionedJoinCodes(ByPartition(codes)) if parts.others else codes[0]


def joint_views(parts: Components) -> GameViews:
    """The views of all partitions."""
    if not parts.others:
        return parts.views
    return PartitionedViews(ByPartition([cast(PostgresViews, part.views) for part in parts.all()]))


def new_games(parts: Components, store: GameStore) -> NewGame:
    """The function that chooses ids for new games."""
    return (
        placement.partitioned_new_game(parts.places, store)
        if parts.places
        else placement.unpartitioned_new_game(store)
    )
