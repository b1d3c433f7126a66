"""The service's components: in memory, or in a database."""

import asyncio
from functools import partial
from typing import NamedTuple

from phaseledger.projections.views import PostgresViews as PostgresViews
from phaseledger.projections.views import Views
from phaseledger.replay.signing.keys import Keyring, fresh_name
from phaseledger.replay.signing.keys import load as load_keys
from phaseledger.replay.signing.notes import SigningKey
from phaseledger.replay.signing.receipts import sign_tree
from phaseledger.service.automation.takeover import Adopt, adopt
from phaseledger.service.credentials.postgres import PostgresCredentials
from phaseledger.service.credentials.store import Credentials, MemoryCredentials
from phaseledger.service.database.public_log import signer_of
from phaseledger.service.database.rights import look_at_rights, parts_of
from phaseledger.service.eventlog.clock import LOCAL, DatabaseClock, LedgerClock
from phaseledger.service.eventlog.connection import Connection, bounded
from phaseledger.service.eventlog.continuity import Continuity
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.eventlog.write_probe import WriteProbe
from phaseledger.service.lobby.join_codes import JoinCodes, MemoryJoinCodes, PostgresJoinCodes
from phaseledger.service.operations import AdminLog, MemoryAdminLog, PostgresAdminLog
from phaseledger.service.readmodels.follower import follow
from phaseledger.service.readmodels.views import MemoryViews
from phaseledger.service.runtime.background import Until
from phaseledger.service.settings import Settings, keys_folder, sealing_keys_of, witnesses
from phaseledger.service.streams.remote_commits import CommitListener, listen_for_commits
from phaseledger.service.transparency.publisher import PublicLog, Publisher, in_memory_log
from phaseledger.service.transparency.tree_postgres import PostgresTree
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.webhooks.store import Webhooks


class Components(NamedTuple):
    """The components of the service; what is None here is not there where the log is in memory."""

    store: Store
    credentials: Credentials
    views: Views
    keys: Keyring
    log: PublicLog
    record: AdminLog
    """The record of admin actions."""
    codes: JoinCodes
    """The join codes of private tables."""
    clock: LedgerClock = LOCAL
    follow: Until | None = None
    """Keeps the views up; None where another process does."""
    hear: CommitListener | None = None
    """Hears of what other processes write to the log."""
    adopt: Adopt | None = None
    """Looks at all games first, then at games that other processes leave."""
    deliveries: Deliveries | None = None
    """The deliveries of webhooks."""
    probe: WriteProbe | None = None
    """Tries whether the log can be written."""
    continuity: Continuity | None = None
    """Notices a log that has gone back."""


def in_memory(store: MemoryStore | None = None, keys: Keyring | None = None) -> Components:
    """Parts in memory, which end with the process."""
    store = store or MemoryStore()
    keys = keys or Keyring((SigningKey.new(fresh_name()),))
    return Components(
        store=store,
        credentials=MemoryCredentials(),
        views=MemoryViews(store),
        keys=keys,
        log=in_memory_log(store, keys),
        record=MemoryAdminLog(),
        codes=MemoryJoinCodes(),
    )


def in_postgres(settings: Settings) -> Components:
    """Parts in the settings' database, which is migrated already."""
    dsn, schema = settings.database_url, settings.schema
    keys, sealing = load_keys(keys_folder(settings)), sealing_keys_of(settings)
    continuity, beside = Continuity(), SideConnection(dsn)
    store = PostgresStore(
        dsn,
        schema=schema,
        unsafe=settings.unsafe,
        synchronous=settings.synchronous_standby,
        continuity=continuity,
        sealing=sealing,
        sign=partial(sign_tree, key=keys.current),
    )
    signer = signer_of(settings, keys)
    publisher = Publisher(store, PostgresTree(dsn, signer.origin, schema=schema), signer)
    continuity.require = publisher.require_published
    publisher.doubted = continuity.doubt

    async def keep_up(stop: asyncio.Event) -> None:
        await follow(store, dsn, stop, schema=schema)

    return Components(
        store=store,
        credentials=PostgresCredentials(dsn, schema=schema, lifetime=86_400 * settings.token_days),
        views=PostgresViews(bounded(dsn), schema, Connection, sealing),
        keys=keys,
        log=PublicLog(publisher, witnesses(settings)),
        record=PostgresAdminLog(dsn, schema=schema),
        codes=PostgresJoinCodes(dsn, schema=schema, sealing=sealing),
        clock=DatabaseClock(beside),
        follow=keep_up if settings.projections else None,
        hear=partial(listen_for_commits, dsn, schema=schema),
        adopt=partial(adopt, dsn, schema=schema),
        deliveries=Deliveries(
            store,
            Webhooks(dsn, schema=schema, sealing=sealing),
            Sender(allow_private=settings.webhook_allow_private),
        ),
        probe=WriteProbe(
            beside, schema, partial(look_at_rights, schema=schema, parts=parts_of(settings))
        ),
        continuity=continuity,
    )
