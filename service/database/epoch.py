"""Going on from a backup that lacks what came after it: a new epoch of the ledger.

The running games are voided, since their players have seen cards that the same seeds would deal
once more. The event that voids them says why, so that receipts of what is lost do not convict the
operator of telling two stories. A new key and a new public log begin. The first step notes that the
old log has ended, the last one makes the key: in between a service refuses to write, and a run that
was broken off is simply repeated.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import LiteralString, NamedTuple
from uuid import UUID

import psycopg
from msgspec import Struct

from phaseledger.domain.commands import Act, VoidRestored
from phaseledger.replay.formats.ledgers import log_name
from phaseledger.replay.formats.signing.keys import Keyring, load, new_log
from phaseledger.replay.formats.signing.notes import is_name
from phaseledger.service.database.public_log import signer_of
from phaseledger.service.eventlog.clock import DatabaseClock
from phaseledger.service.eventlog.connection import fitted, within
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.writer import GameService
from phaseledger.service.operations import AdminEvent, AdminLog, AdminRecord
from phaseledger.service.settings import (
    Settings,
    SettingsError,
    keys_folder,
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
from phaseledger.service.transparency.tree import Tree

_NOTE_END: LiteralString = """
    INSERT INTO {0}.ledger_restorations (position, log, published, voided)
    VALUES (%s, %s, %s, 0) RETURNING epoch
"""
_NOTE_VOIDED: LiteralString = """
    UPDATE {0}.ledger_restorations SET voided = voided + %s WHERE log = %s RETURNING epoch
"""
_EPOCH: LiteralString = "SELECT count(*) FROM {0}.ledger_restorations"

VoidProgress = Callable[[int], None]
"""Called with the number of games that are voided since the last call."""


class NewEpoch(Struct, frozen=True):
    """What the ledger goes on with."""

    log: str
    """The name of its public log from now on."""
    key: str
    """The verifier key that signs from now on."""
    epoch: int
    """How often it has gone on from a backup by now."""
    ended: str
    """The public log that ended."""
    published: int
    """The events under its last checkpoint."""
    events: int
    """The events that the backup has."""
    voided: tuple[UUID, ...]
    damaged: tuple[UUID, ...]
    """Games whose record cannot be continued; their next reader sets them aside."""


class OpenedLog(NamedTuple):
    """A log that an operator has opened: its owner's DSN, and what is published of it."""

    dsn: str
    schema: str
    store: PostgresStore
    tree: Tree
    signer: LogSigner


class Voided(NamedTuple):
    """What became of the games that were running, as in `NewEpoch`."""

    epoch: int
    published: int
    voided: tuple[UUID, ...]
    damaged: tuple[UUID, ...]


async def begin_epoch(
    settings: Settings, log: str, entry: AdminRecord, progress: VoidProgress, *, unpublished: bool
) -> NewEpoch:
    """Void what was running in a ledger that went back, and begin a key and a log.

    Whether it did is seen by what was published, unless only events are missing that no checkpoint
    covered, as ``unpublished`` says. ``log`` is the new name, ``entry`` says who does it and why.

    Raises:
        SettingsError: the ledger did not go back, a service is at work, or the name is in use.
        OtherLog: the settings do not name the log that would end.
        KeysError: the folder of keys cannot be used.
        StoreUnavailable, psycopg.Error: the database is away, or the role is not the owner's.

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
        opened = await stack.enter_async_context(_opened(settings, keys))
        await require_own_log(opened.tree, opened.signer)
        if not unpublished and not await _went_back(opened):
            raise SettingsError(
                "The ledger lacks nothing that is known to be published. If it was restored and "
                "has lost events, or that is not known, say so: --unpublished."
            )
        await _require_fresh(settings, keys, log)
        await _require_unused(stack, opened.tree)
        record = AdminLog(opened.dsn, schema=opened.schema)
        await (await stack.enter_async_context(record)).note(entry)
        events = await count_events(opened.dsn, opened.schema)
        voided = await void_running(stack, opened, progress)
        key = new_log(folder, log)
    return NewEpoch(
        log=log,
        key=str(key.public),
        ended=opened.signer.origin,
        events=events,
        **voided._asdict(),
    )


async def end_log(settings: Settings, log: str, entry: AdminRecord) -> AdminEvent:
    """End a public log, so that another may go on or begin; nothing is signed under its name again.

    Raises:
        SettingsError: no such log goes on, or a service signs one.
        StoreUnavailable: the database is away.

    """
    dsn, schema = settings.database_url, settings.schema
    tree, record = Tree(dsn, log, schema=schema), AdminLog(dsn, schema=schema)
    async with AsyncExitStack() as stack, tree, record:
        going_on = [signed.log for signed in await tree.signed_logs() if signed.goes_on]
        if log not in going_on:
            names = ", ".join(map(repr, going_on))
            goes_on = f"what goes on is {names}" if names else "none goes on"
            raise SettingsError(f"No public log {log!r} goes on here: {goes_on}.")
        await _require_unused(stack, tree)
        return await record.note(entry)


@asynccontextmanager
async def _opened(settings: Settings, keys: Keyring) -> AsyncIterator[OpenedLog]:
    dsn, schema = settings.database_url, settings.schema
    log_signer, sealing = signer_of(settings, keys), sealing_keys_of(settings)
    async with (
        PostgresStore(dsn, schema=schema, unsafe=settings.unsafe, sealing=sealing) as store,
        Tree(dsn, log_signer.origin, schema=schema) as tree,
    ):
        yield OpenedLog(dsn=dsn, schema=schema, store=store, tree=tree, signer=log_signer)


async def _went_back(opened: OpenedLog) -> bool:
    """Whether the log lacks events that were published, or was to end already."""
    try:
        await require_unbroken(opened.store, opened.tree, opened.signer)
    except NoPublishedCheckpoint:
        return False
    except SigningRefused:
        return True
    return False


async def _require_fresh(settings: Settings, keys: Keyring, log: str) -> None:
    """Require that nothing was ever published under that log's name; raises SettingsError."""
    name = log_name(log, settings.ledger)
    async with Tree(settings.database_url, name, schema=settings.schema) as tree:
        is_used = await tree.has_ended() or (await tree.head()).size > 0
    kept = signer(keys, name, published_folder(settings)).kept
    if is_used or (kept and kept.exists()):
        raise SettingsError(f"There was a public log {name!r} already: choose another name.")


async def _require_unused(stack: AsyncExitStack, tree: Tree) -> None:
    """Keep every service from signing the log; raises SettingsError where one does."""
    writer = await stack.enter_async_context(tree.writer())
    if not await writer.lead():
        raise SettingsError(
            "A service is at work: stop every service, run this again, then start them."
        )


async def void_running(stack: AsyncExitStack, opened: OpenedLog, progress: VoidProgress) -> Voided:
    """Void the running games, and note that the ledger goes on."""
    store, log = opened.store, opened.signer.origin
    try:
        last = last_published(opened.signer)
    except NoPublishedCheckpoint:
        last = None
    published = last.size if last else 0
    if not await opened.tree.has_ended():
        # A service with its name refuses to write from now on.
        end = (await store.position(), log, published)
        await _number(opened.dsn, opened.schema, _NOTE_END, *end)
    epoch = await _number(opened.dsn, opened.schema, _EPOCH)
    clock = await stack.enter_async_context(DatabaseClock(SideConnection(opened.dsn)))
    games = GameService(store, clock=clock)
    voided, damaged = list[UUID](), list[UUID]()
    for game in sorted(await store.unfinished()):
        try:
            await games.send(game, Act(VoidRestored(epoch, log, published)), f"restored {epoch}")
        except LogDamaged:
            damaged.append(game)
        else:
            voided.append(game)
        progress(1)
    await _number(opened.dsn, opened.schema, _NOTE_VOIDED, len(voided), log)
    return Voided(epoch, published, tuple(voided), tuple(damaged))


async def count_events(dsn: str, schema: str) -> int:
    """The number of events in the log, archived ones included."""
    return await _number(dsn, schema, "SELECT count(*) FROM {0}.logged_events")


async def _number(dsn: str, schema: str, text: LiteralString, *parameters: object) -> int:
    """The one number that the statement gives."""
    async with await psycopg.AsyncConnection.connect(fitted(dsn), autocommit=True) as conn:
        cursor = await conn.execute(within(schema, text), parameters)
        ((number,),) = await cursor.fetchall()
    return int(number)
