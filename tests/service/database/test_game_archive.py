"""Finished games leave the log for files, and everything that goes by the log goes on."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import msgspec
import psycopg
import pytest
from msgspec.structs import replace

from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import read_bundle
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.service.database.game_archive import ArchiveRun, file_name
from phaseledger.service.database.unarchive import unarchive
from phaseledger.service.settings import Settings
from tests.support.campaigns import sampled
from tests.support.damage import stored_rows, with_bytes, without
from tests.support.environment import plain_environment
from tests.support.service.archived_ledgers import (
    Ledger,
    archivable,
    archived,
    read,
    views,
)


@pytest.fixture
def ledger(settings: Settings, tmp_path: Path) -> Iterator[Ledger]:
    with archivable(settings, tmp_path / "archive") as made:
        yield made


def test_evidence_goes_to_files_and_back_and_the_views_stay(ledger: Ledger) -> None:
    client, games = ledger.both.api, (ledger.whole, ledger.broken.game)
    whole = UUID(ledger.whole)
    assert archived(ledger.settings, ledger.folder, days=1) == ArchiveRun((), ())
    before, shown = views(client, *games), read(client, f"/games/{whole}")
    stored = {game: stored_rows(*ledger.store, UUID(game)) for game in games}
    ledger.archive()

    assert views(client, *games) == before
    for game in games:
        assert stored_rows(*ledger.store, UUID(game)) == []
        bundle = read_bundle(str(ledger.folder / file_name(UUID(game))))
        assert [bundle.stored(event) for event in bundle.events] == [
            row.state for _, row in stored[game]
        ]
        assert bundle.receipts
        assert bundle.inclusions[-1].value.seq == len(stored[game])
        assert verify([bundle])[0].judgement.conclusion == "sound"
    assert {path.name for path in ledger.folder.iterdir()} == {
        file_name(UUID(game)) for game in games
    }
    assert archived(ledger.settings, ledger.folder) == ArchiveRun((), ())

    file = ledger.file()
    text = file.read_text()
    for edited in (
        text.replace('"at":1', '"at":2', 1),
        ledger.file(ledger.broken.game).read_text(),
    ):
        (other := file.with_name("other")).write_text(edited)
        with pytest.raises(DamagedSource):
            unarchive(ledger.settings, whole, str(other))
    assert unarchive(ledger.settings, whole, str(file)) == len(stored[ledger.whole])
    assert stored_rows(*ledger.store, whole) == stored[ledger.whole]
    assert (views(client, *games), read(client, f"/games/{whole}")) == (before, shown)
    # And archived once more.
    assert [moved.game for moved in archived(ledger.settings, ledger.folder).archived] == [whole]


# --- what stays -----------------------------------------------------------------------------------


def reasons(run: ArchiveRun) -> list[str]:
    assert run.archived == ()
    return [kept.reason for kept in run.kept]


def test_a_damaged_game_stays_and_one_whose_end_was_taken_away(ledger: Ledger) -> None:
    """What the public log has is not laid to rest under a shorter game."""
    game, cut = UUID(ledger.whole), UUID(ledger.broken.game)
    rows = stored_rows(*ledger.store, game)
    with_bytes(*ledger.store, game, 9, rows[8][1].state.replace(b'"at":1', b'"at":2'))
    without(*ledger.store, cut, len(stored_rows(*ledger.store, cut)))
    run = archived(ledger.settings, ledger.folder)
    assert run.archived == ()
    reasons = {kept.game: kept.reason for kept in run.kept}
    assert reasons.keys() == {game, cut}
    assert "Event 9" in reasons[game]
    assert len(stored_rows(*ledger.store, game)) == len(rows)


def test_nothing_moves_that_somebody_has_yet_to_read(ledger: Ledger) -> None:
    dsn, schema = ledger.store
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", (f"rebuild {schema}",))
        refusals = reasons(archived(ledger.settings, ledger.folder))
        assert refusals == ["the views are being built anew: archive it afterwards"] * 2
    other = replace(ledger.settings, log_origin="another.log")
    refusals = reasons(archived(other, ledger.folder))
    assert refusals == ["its last events are in no published checkpoint of this log yet"] * 2
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute(f"UPDATE {schema}.games SET version = version - 1")
        refusals = reasons(archived(ledger.settings, ledger.folder))
        assert refusals == ["the views do not have it to its end yet"] * 2
        conn.execute(f"UPDATE {schema}.games SET version = version + 1")
    ledger.archive()


# --- killed ---------------------------------------------------------------------------------------

KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
import msgspec
from phaseledger.service.database import game_archive
from phaseledger.service.settings import Settings

step, settings, folder = sys.argv[1], msgspec.json.decode(sys.argv[2], type=Settings), sys.argv[3]
name, _, moment = step.partition(" ")
module = game_archive.files if name == "replace" else game_archive
if name == "replace":
    module, name = Path, "replace"
whole = getattr(module, name)

def kill():
    os.kill(os.getpid(), signal.SIGKILL)

def killed(*arguments, **options):
    if moment == "before":
        kill()
    result = whole(*arguments, **options)
    if asyncio.iscoroutine(result):
        async def ended():
            await result
            kill()
        return ended()
    kill()

setattr(module, name, killed)
asyncio.run(game_archive.archive_games(settings, Path(folder), 0))
"""


STEPS = (
    *("replace before", "replace after"),  # the file is written under another name until then
    *("verify before", "archive_game before"),
    "archive_game after",  # the transaction is open
    "_move after",  # and committed
)


@pytest.mark.parametrize("step", sampled(STEPS, "archive_game after", rest="system"))
def test_a_run_that_is_killed_is_repeated(ledger: Ledger, step: str) -> None:
    games = (UUID(ledger.whole), UUID(ledger.broken.game))
    before = views(ledger.both.api, *map(str, games))
    rows = {game: stored_rows(*ledger.store, game) for game in games}
    settings = msgspec.json.encode(ledger.settings).decode()
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, step, settings, str(ledger.folder)],
        env={**plain_environment(), "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    for game in games:  # all of it is in one place or in the other
        stored = stored_rows(*ledger.store, game)
        file = ledger.folder / file_name(game)
        assert stored == rows[game] or (stored == [] and read_bundle(str(file)))
    moved = {game for game in games if not stored_rows(*ledger.store, game)}
    assert bool(moved) == (step == "_move after")
    run = archived(ledger.settings, ledger.folder)
    assert {entry.game for entry in run.archived} == {*games} - moved
    assert run.kept == ()
    assert views(ledger.both.api, *map(str, games)) == before
    for game in games:
        bundle = read_bundle(str(ledger.folder / file_name(game)))
        assert [bundle.stored(event) for event in bundle.events] == [
            row.state for _, row in rows[game]
        ]
