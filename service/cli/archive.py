"""`phaseledger admin archive` and `unarchive`: finished games in files with their evidence."""

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import UUID

from cyclopts import Parameter

from phaseledger.replay.formats.records.source import DamagedSource, UnknownGame
from phaseledger.replay.terminal import UsageError, guarded, print_json, progress, say
from phaseledger.service.cli.flags import (
    LEDGER_AS_SET,
    ActorFlag,
    JsonFlag,
    LedgerFlags,
    ReasonFlag,
)
from phaseledger.service.cli.record import entry, note, tell_of
from phaseledger.service.database.game_archive import ArchiveRun, archive_games
from phaseledger.service.database.setup import connected_settings, prepare, require_owner
from phaseledger.service.database.unarchive import unarchive as put_back
from phaseledger.service.readmodels.follower import RebuildRunning

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
    actor: ActorFlag,
    reason: ReasonFlag,
    at: LedgerFlags = LEDGER_AS_SET,
    json: JsonFlag = False,
) -> int:
    """Move finished games with their evidence to files, and out of the log's tables.

    Of each game the bundle is written, made durable and verified; then its events leave the log,
    and a tombstone stays, with the leaves that the public log's proofs need. Lists and scores keep
    the game; other requests for it answer 410. `audit --all --archive FOLDER` audits the files as
    well, and `admin unarchive GAME FILE` puts a game back. Keep the files as you keep backups: no
    backup has them. It needs the owner's DSN and the keys, and no service; one that runs goes on.
    Killed at any moment, it is simply run again.

    Exit code 1 where games that are old enough had to stay. With --json: {archived: [{game, file,
    events}], kept: [{game, reason}]}.

    For example: phaseledger admin archive /archive --days 90 --actor ann --reason retention
    """
    if not 0 <= days <= 36_500:
        raise UsageError("--days is a number from 0 to 36500.")
    note_of_it = entry("archive_games", actor, reason, folder=folder.name, days=f"{days:g}")
    with connected_settings(at.settings()) as connected:
        prepare(connected, migrating=False)
        require_owner(connected)
        with progress("Archiving games", None) as advance:
            asyncio.run(note(connected, note_of_it))
            run = asyncio.run(archive_games(connected, folder, days, advance))
    if json:
        print_json(run)
    else:
        _say(run, folder)
    return 1 if run.kept else 0


@guarded
def unarchive(
    game: Annotated[UUID, Parameter(help="The game.")],
    file: Annotated[str, Parameter(help="Its file.")],
    /,
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    at: LedgerFlags = LEDGER_AS_SET,
    json: JsonFlag = False,
) -> int:
    """Put an archived game back where it was, byte for byte, from its file.

    It needs the owner's DSN and no service; one that runs goes on. The next run of `archive` moves
    the game out again.

    With --json: the entry of the record.

    For example: phaseledger admin unarchive GAME GAME.bundle.ndjson --actor ann --reason dispute
    """
    new = entry("restore_game", actor, reason, game=str(game), copy=Path(file).name)
    with connected_settings(at.settings()) as settings:
        prepare(settings, migrating=False)
        require_owner(settings)
        event = asyncio.run(note(settings, new))
        try:
            events = put_back(settings, game, file)
        except (UnknownGame, DamagedSource, RebuildRunning):
            refused = entry("refused", actor, reason, about=event.id, code="restore_refused")
            asyncio.run(note(settings, refused))
            raise
    return tell_of(event, f"Game {game} is back with its {events:,} events.", json=json)


def _say(run: ArchiveRun, folder: Path) -> None:
    events = sum(game.events for game in run.archived)
    say(f"{len(run.archived):,} games with {events:,} events are in {folder} now.")
    for game in run.kept[:NAMED]:
        say(f"  {game.game} stays: {game.reason}")
    if len(run.kept) > NAMED:
        say(f"  and {len(run.kept) - NAMED:,} more")
