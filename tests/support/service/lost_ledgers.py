"""What a ledger plays before and after its backup, and commands over it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import httpx2

from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    Table,
    answer,
    greedily,
    mover,
    open_table,
    started,
    whole_game,
)
from tests.support.service.processes import command
from tests.support.service.server import ledger_client

WHO = ("--actor", "ann", "--reason", "the disk was lost")


def run(settings: Settings, *arguments: str | Path, code: int = 0) -> str:
    """What the command prints and says."""
    variables = {"PHASELEDGER_PUBLISHED_DIR": settings.published_dir}
    if settings.ledger:
        variables["PHASELEDGER_LEDGER"] = str(settings.ledger)
    if settings.log_origin:
        variables["PHASELEDGER_LOG_ORIGIN"] = settings.log_origin
    ended = command(settings, *map(str, arguments), **variables)
    assert ended.returncode == code, ended.stdout + ended.stderr
    return str(ended.stdout + ended.stderr)


def report(settings: Settings, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
    """What the command prints as JSON, without what it says beside that."""
    lines = run(settings, *arguments, "--json", code=code).splitlines()
    (document,) = [json.loads(line) for line in lines if line.startswith("{")]
    return dict(document)


def moved(table: Table, count: int) -> list[dict[str, Any]]:
    """The answers to the players' moves, with receipts and all."""
    answers = [answer(table, mover(table), greedily, number) for number in range(count)]
    assert [answered.status_code for answered in answers] == [200] * count
    return [answered.json() for answered in answers]


def published(client: httpx2.Client, version: int, table: Table) -> None:
    """Wait until a checkpoint covers the event."""
    eventually(
        lambda: client.get(f"/log/inclusion?game={table.game}&seq={version}").status_code == 200
    )


class History(NamedTuple):
    """What was played before a backup, and what came after it."""

    backup: Path
    over: str
    table: Table
    lobby: Table
    kept: int
    """The version of the table that the backup has."""
    receipts: list[dict[str, Any]]
    """Of the moves after it."""
    bundle: str
    """Of the table, as it was before the disaster."""


def lost_tail(settings: Settings, folder: Path, *, is_published: bool = True) -> History:
    """Play, back up while the service runs, and play on."""
    with ledger_client(settings) as client:
        over, table, lobby = whole_game(client), started(client), open_table(client)
        moved(table, 4)
        kept = table.version()
        run(settings, "admin", "backup", folder)
        receipts = [done["receipt"] for done in moved(table, 6)]
        if is_published:
            published(client, table.version(), table)
        bundle = table.get("/bundle").text if is_published else ""  # it waits for a checkpoint
    return History(folder, over, table, lobby, kept, receipts, bundle)
