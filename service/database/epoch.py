"""Going on from a backup that lacks what came after it: a new epoch of the ledger.

The games that were running are voided, since who played on has seen cards that the same seeds would
deal once more; the event that voids them says why, so that receipts of what is lost convict nobody
of telling two stories. A new key and a new public log begin. The first step notes that the old log
has ended, the last one makes the key: in between a service refuses to write, and a run that was
broken off is simply repeated.
"""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from typing import LiteralString, NamedTuple
from uuid import UUID, uuid4

import psycopg
from msgspec import Struct
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.domain.commands import Act, VoidRestored
from phaseledger.replay.records.partitions import PartitionLocation, log_name
from phaseledger.replay.signing.keys import Keyring, load, new_log
from phaseledger.replay.signing.notes import is_name
from phaseledger.service.eventlog.clock import DatabaseClock
from phaseledger.service.eventlog.connection import fitted
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.service import GameService
from phaseledger.service.operations import AdminRecord, PostgresAdminLog
from phaseledger.service.partitions.public_logs import signer_of
from phaseledger.service.settings import (
    Settings,
    SettingsError,
    keys_folder,
    places,
    published_folder,
    sealing_keys_of,
)
from phaseledger.service.transparency.signer import (
    LogSigner,
    NoPublishedCheckpoint,
    SigningRefused,
    last_published,
    require_own_log,
    require_unbroken,
    signer,
)
from phaseledger.service.transparency.tree_postgres import PostgresTree

VoidProgress = Callable[[int], None]
"""Called with the number of games that are voided since the last call."""


class PartitionEpoch(Struct, frozen=True):
    """What a partition goes on with."""

    partition: int
    epoch: int
    """How often it has gone on from a backup by now."""
    log: str
    """The public log that ended."""
    published: int
    """The events under its last checkpoint."""
    events: int
    """Those that the backup has."""
    voided: tuple[UUID, ...]
    damaged: tuple[UUID, ...]
    """Games whose record cannot be continued; they are set aside by whoever reads them next."""


class NewEpoch(Struct, frozen=True):
    """What the ledger goes on with."""

    log: str
    """The name of its public log from now on."""
    key: str
    """The verifier key that signs from now on."""
    partitions: tuple[PartitionEpoch, ...]


class OpenedPartition(NamedTuple):
    """A partition that an operator has opened: its place, its log and what is published of that."""

    place: PartitionLocation
    store: PostgresStore
    tree: PostgresTree
    signer: LogSigner


async def begin_epoch(
    settings: Settings,
    numbers: Collection[int],
    log: str,
    entry: AdminRecord,
    progress: VoidProgress,
) -> NewEpoch:
    """Void what was running in the partitions that went back, and begin a key and a log.

    Of which partitions is seen by what was published; ``numbers`` names others, which lack only
    events that no checkpoint covered. The logs of all others end too. ``log`` is the new name,
    ``entry`` says who does it and why.

    Raises:
        SettingsError: no partition went back, a service is at work, or the name is in use.
        OtherLog: the settings do not name the log that would end.
        KeysError: the folder of keys cannot be used.
        StoreUnavailable, psycopg.Error: a database is away, or the role is not the owner's.

    """
    folder = keys_folder(settings)
    keys = load(folder)
    if not is_name(log):
        raise SettingsError(
            "That is no name for a public log: 1 to 200 visible ASCII characters, no +."
        )
    if log in {settings.log_origin, keys.log}:
        raise SettingsError(f"The public log {log!r} is the one that ends: choose another name.")
    async with AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(_opened(settings, keys, place))
            for place in places(settings)
        ]
        for partition in opened:
            await require_own_log(partition.tree, partition.signer)
        restored = [
            partition
            for partition in opened
            if partition.place.number in numbers or await _went_back(partition)
        ]
        if not restored:
            raise SettingsError(
                "No partition lacks anything that is known to be published. If one was restored "
                "and has lost events, or nobody knows, name it: --partition 1."
            )
        for partition in opened:
            await _require_fresh(settings, keys, partition.place, log)
        for partition in opened:  # all logs get another name
            await _require_unused(stack, partition)
        record = PostgresAdminLog(opened[0].place.owning_dsn, schema=opened[0].place.schema)
        await record.open()
        stack.push_async_callback(record.close)
        await record.note(entry)
        partitions = [await void_running(stack, partition, progress) for partition in restored]
        key = new_log(folder, log)
        for partition in opened:
            if partition not in restored:
                await _end(partition, entry)
    return NewEpoch(log, str(key.public), tuple(partitions))


async def _end(partition: OpenedPartition, entry: AdminRecord) -> None:
    """Note that the log of a partition that lacks nothing has ended, for another name follows."""
    record = PostgresAdminLog(partition.place.owning_dsn, schema=partition.place.schema)
    await record.open()
    try:
        details = {"log": partition.signer.origin}
        await record.note(replace(entry, key=uuid4(), action="end_log", details=details))
    finally:
        await record.close()


@asynccontextmanager
async def _opened(
    settings: Settings, keys: Keyring, place: PartitionLocation
) -> AsyncIterator[OpenedPartition]:
    dsn, log_signer = place.owning_dsn, signer_of(settings, keys, place.number)
    sealing = sealing_keys_of(settings)
    async with PostgresStore(
        dsn, schema=place.schema, unsafe=settings.unsafe, sealing=sealing
    ) as store:
        tree = PostgresTree(dsn, log_signer.origin, schema=place.schema)
        await tree.open()
        try:
            yield OpenedPartition(place, store, tree, log_signer)
        finally:
            await tree.close()


async def _went_back(partition: OpenedPartition) -> bool:
    """Whether the partition's log lacks events that were published, or was to end already."""
    try:
        await require_unbroken(partition.store, partition.tree, partition.signer)
    except NoPublishedCheckpoint:
        return False
    except SigningRefused:
        return True
    return False


async def _require_fresh(
    settings: Settings, keys: Keyring, place: PartitionLocation, log: str
) -> None:
    """Require that nothing was ever published under that log's name; raises SettingsError."""
    name = log_name(log, place.number)
    tree = PostgresTree(place.owning_dsn, name, schema=place.schema)
    await tree.open()
    try:
        is_used = await tree.has_ended() or (await tree.head()).size > 0
    finally:
        await tree.close()
    kept = signer(keys, name, published_folder(settings)).kept
    if is_used or (kept and kept.exists()):
        raise SettingsError(f"There was a public log {name!r} already: choose another name.")


async def _require_unused(stack: AsyncExitStack, partition: OpenedPartition) -> None:
    """Keep every service from signing the log; raises SettingsError where one does."""
    writer = await stack.enter_async_context(partition.tree.writer())
    if not await writer.lead():
        raise SettingsError(
            f"A service is at work on partition {partition.place.number}: stop every service, run "
            "this again, then start them."
        )


async def void_running(
    stack: AsyncExitStack, partition: OpenedPartition, progress: VoidProgress
) -> PartitionEpoch:
    """Void the partition's running games, and note that it goes on."""
    place, store = partition.place, partition.store
    try:
        last = last_published(partition.signer)
    except NoPublishedCheckpoint:
        last = None
    published = last.size if last else 0
    events = await count_events(place.owning_dsn, place.schema)
    if not await partition.tree.has_ended():
        await _note_end(place, await store.position(), partition.signer.origin, published)
    command = VoidRestored(await _epoch(place), partition.signer.origin, published)
    clock = DatabaseClock(SideConnection(place.owning_dsn))
    await clock.open()
    stack.push_async_callback(clock.close)
    games = GameService(store, clock_of=lambda _: clock)
    voided, damaged = list[UUID](), list[UUID]()
    for game in sorted(await store.unfinished()):
        try:
            await games.send(game, Act(command), f"restored {command.epoch}")
        except LogDamaged:
            damaged.append(game)
        else:
            voided.append(game)
        progress(1)
    await _note_voided(place, command.log, len(voided))
    return PartitionEpoch(
        partition=place.number,
        epoch=command.epoch,
        log=command.log,
        published=published,
        events=events,
        voided=tuple(voided),
        damaged=tuple(damaged),
    )


async def count_events(dsn: str, schema: str) -> int:
    """The number of events in the log, with those that are archived."""
    return await _number(dsn, schema, "SELECT count(*) FROM {s}.logged_events")


async def _epoch(place: PartitionLocation) -> int:
    """How often the partition has gone on from a backup."""
    counting: LiteralString = "SELECT count(*) FROM {s}.ledger_restorations"
    return await _number(place.owning_dsn, place.schema, counting)


async def _note_end(place: PartitionLocation, position: int, log: str, published: int) -> None:
    """Note that the log has ended: whoever still has its name refuses to write from now on."""
    await _number(
        place.owning_dsn,
        place.schema,
        "INSERT INTO {s}.ledger_restorations (position, log, published, voided) "
        "VALUES (%s, %s, %s, 0) RETURNING epoch",
        *(position, log, published),
    )


async def _note_voided(place: PartitionLocation, log: str, games: int) -> None:
    """Count further games that were voided with the end of the log."""
    await _number(
        place.owning_dsn,
        place.schema,
        "UPDATE {s}.ledger_restorations SET voided = voided + %s WHERE log = %s RETURNING epoch",
        *(games, log),
    )


async def _number(dsn: str, schema: str, text: LiteralString, *parameters: object) -> int:
    """The one number that the statement gives."""
    statement = SQL(text).format(s=Identifier(schema))
    async with await psycopg.AsyncConnection.connect(fitted(dsn), autocommit=True) as conn:
        ((number,),) = await (await conn.execute(statement, parameters)).fetchall()
    return int(number)
