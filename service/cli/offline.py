"""What operators do about damaged games with the database alone, and the record of it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

from phaseledger.projections.pages import SetAsideGame
from phaseledger.projections.views import PostgresViews
from phaseledger.replay.records.source import UnknownGame
from phaseledger.service.database.game_restore import (
    URLS,
    RestoreRefused,
    read_copy,
    restore_game,
)
from phaseledger.service.eventlog.connection import fitted
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.operations import AdminEvent, AdminRecord, Details, PostgresAdminLog
from phaseledger.service.readmodels.follower import look_again
from phaseledger.service.settings import Settings, SettingsError, sealing_keys_of
from phaseledger.service.transparency.tree_postgres import PostgresTree


class _Opened(NamedTuple):
    store: PostgresStore
    quarantine: Quarantine
    record: PostgresAdminLog


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[_Opened]:
    """The log and what is beside it; raises StoreUnavailable."""
    dsn, schema = settings.owning_dsn, settings.schema
    record = PostgresAdminLog(dsn, schema=schema)
    async with (
        PostgresStore(
            dsn, schema=schema, unsafe=settings.unsafe, sealing=sealing_keys_of(settings)
        ) as store,
        PostgresViews(fitted(dsn), schema) as views,
    ):
        await record.open()
        try:
            quarantine = Quarantine(store, views)
            await quarantine.look()
            yield _Opened(store, quarantine, record)
        finally:
            await record.close()


async def set_aside_games(settings: Settings) -> list[SetAsideGame]:
    """The games that are set aside; raises ViewsUnavailable."""
    async with PostgresViews(fitted(settings.database_url), settings.schema) as views:
        return list(await views.set_aside_games())


async def void(settings: Settings, game: UUID, actor: str, reason: str) -> AdminEvent:
    """Note beside the log that the game is void, whose record is damaged.

    Raises:
        UnknownGame, RestoreRefused: there is none, or it is not damaged.
        StoreUnavailable, ViewsUnavailable: the database is away.

    """
    async with _opened(settings) as opened:
        if not await opened.quarantine.inspect(game):
            await _require_known(opened, game)
            raise RestoreRefused(
                f"Game {game} is not damaged: void it through the service, without --offline."
            )
        entry = AdminRecord(
            key=uuid4(), actor=actor, action="void_game", reason=reason, details={"game": str(game)}
        )
        event = await opened.record.note(entry)
        await opened.quarantine.void(game, actor, reason)
        return event


async def restore(
    settings: Settings, game: UUID, copy: str, copy_schema: str, actor: str, reason: str
) -> tuple[AdminEvent, int]:
    """Restore the game from the copy, and have it projected anew; how many events were inserted.

    Raises:
        UnknownGame, DamagedSource, StoreUnreachable, RestoreRefused: it cannot be restored so.
        StoreUnavailable, ViewsUnavailable: the database is away.

    """
    sealing, dsn, schema = sealing_keys_of(settings), settings.owning_dsn, settings.schema
    rows = read_copy(copy, game, schema=copy_schema, sealing=sealing) if copy else {}
    async with _opened(settings) as opened:
        details: Details = {"game": str(game), "copy": "none" if not copy else _kind(copy)}
        entry = AdminRecord(
            key=uuid4(), actor=actor, action="restore_game", reason=reason, details=details
        )
        event = await opened.record.note(entry)
        try:
            inserted = restore_game(dsn, game, rows, schema=schema, sealing=sealing)
        except RestoreRefused:
            about: Details = {"about": event.id, "code": "restore_refused"}
            await opened.record.note(
                AdminRecord(
                    key=uuid4(), actor=actor, action="refused", reason=reason, details=about
                )
            )
            raise
        await look_again(opened.store, dsn, game, schema=schema)
        await opened.quarantine.look()
        for aside in opened.quarantine.all():
            if aside.game == game:
                raise RestoreRefused(f"Game {game} is still set aside: {aside.reason}.")
        return event, inserted


async def end_log(settings: Settings, log: str, actor: str, reason: str) -> AdminEvent:
    """End a public log, so that another may go on or begin; nothing is signed under its name again.

    Raises:
        SettingsError: no such log goes on, or a service signs one.
        StoreUnavailable: a database is away.

    """
    entry = AdminRecord(
        key=uuid4(), actor=actor, action="end_log", reason=reason, details={"log": log}
    )
    dsn, schema = settings.owning_dsn, settings.schema
    tree, record = PostgresTree(dsn, log, schema=schema), PostgresAdminLog(dsn, schema=schema)
    async with AsyncExitStack() as stack:
        for opened in (tree, record):
            await opened.open()
            stack.push_async_callback(opened.close)
        going_on = [signed.log for signed in await tree.signed_logs() if signed.goes_on]
        if log not in going_on:
            names = ", ".join(map(repr, going_on))
            goes_on = f"what goes on is {names}" if names else "none goes on"
            raise SettingsError(f"No public log {log!r} goes on here: {goes_on}.")
        writer = await stack.enter_async_context(tree.writer())
        if not await writer.lead():
            raise SettingsError("A service signs: stop every service, then run this again.")
        return await record.note(entry)


def _kind(copy: str) -> str:
    """What the record says of the copy: of a DSN no word, for it may have a password."""
    return "a store" if copy.startswith(URLS) else Path(copy).name


async def _require_known(opened: _Opened, game: UUID) -> None:
    if tombstone := await opened.store.archived(game):
        raise RestoreRefused(
            f"Game {game} is archived, in the file {tombstone.file}: it is over, and not damaged."
        )
    if await opened.store.head(game) == 0:
        raise UnknownGame(f"The store has no game {game}.")
