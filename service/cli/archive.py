"""`phaseledger admin archive`: finished games, moved to files with their evidence."""

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import msgspec
from cyclopts import Parameter

from phaseledger.replay.terminal import UsageError, guarded, print_json, progress, say
from phaseledger.service.cli.flags import LEDGER_AS_SET, LedgerFlags
from phaseledger.service.database.game_archive import ArchiveProgress, ArchiveRun, archive_games
from phaseledger.service.database.setup import connected_settings, prepare
from phaseledger.service.operations import AdminRecord, PostgresAdminLog
from phaseledger.service.settings import Settings

NAMED = 5
"""Games that stay and are named in words."""


@guarded
def archive(
    folder: Annotated[
        Path,
        Parameter(help="Where the files go."),
    ],
    /,
    *,
    days: Annotated[
        float,
        Parameter(help="For how many days a game must have been over."),
    ],
    actor: Annotated[str, Parameter(help="Who does it, for the record.")],
    reason: Annotated[str, Parameter(help="Why, for the record.")],
    at: LedgerFlags = LEDGER_AS_SET,
    json: Annotated[
        bool, Parameter(negative="", show_default=False, help="Print one JSON document.")
    ] = False,
) -> int:
    """Move finished games with their evidence to files, and out of the log's tables.

    Of each game the bundle is written, made durable and verified; then its events leave the log,
    and a tombstone stays, with the leaves that the public log's proofs need. Lists and scores keep
    the game; other requests for it answer 410. `audit --all --archive FOLDER` audits the files as
    well, and `admin restore GAME FILE` puts a game back. Keep the files as you keep backups, which
    do not have them. It needs the owner's DSN and the keys, and no service; one that runs goes on.
    Killed at any moment, it is simply run again.

    Exit code 1 where games that are old enough had to stay. With --json: {archived: [{game, file,
    events}], kept: [{game, reason}]}.

    For example: phaseledger admin archive /archive --days 90 --actor ann --reason retention
    """
    if not actor.strip() or not reason.strip():
        raise UsageError("--actor and --reason say who does it, and why: neither is empty.")
    if not 0 <= days <= 36_500:
        raise UsageError("--days is a number from 0 to 36500.")
    entry = AdminRecord(
        key=uuid4(),
        actor=actor,
        action="archive_games",
        reason=reason,
        details={"folder": folder.name, "days": f"{days:g}"},
    )
    with connected_settings(at.settings()) as connected:
        prepare(connected, migrating=False)
        with progress("Archiving games", None) as advance:
            run = asyncio.run(_recorded(connected, entry, folder, days, advance))
    if json:
        print_json(msgspec.to_builtins(run))
    else:
        _say(run, folder)
    return 1 if run.kept else 0


async def _recorded(
    settings: Settings, entry: AdminRecord, folder: Path, days: float, advance: ArchiveProgress
) -> ArchiveRun:
    record = PostgresAdminLog(settings.database_url, schema=settings.schema)
    await record.open()
    try:
        await record.note(entry)
    finally:
        await record.close()
    return await archive_games(settings, folder, days, advance)


def _say(run: ArchiveRun, folder: Path) -> None:
    events = sum(game.events for game in run.archived)
    say(f"{len(run.archived):,} games with {events:,} events are in {folder} now.")
    for game in run.kept[:NAMED]:
        say(f"  {game.game} stays: {game.reason}")
    if len(run.kept) > NAMED:
        say(f"  and {len(run.kept) - NAMED:,} more")
