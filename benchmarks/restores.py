"""Back a ledger up under play, lose it, go on from the backup, and hold what is left against all.

    python benchmarks/restores.py [--restores N] [--clients N] [--seed TEXT]

In each round clients play while a backup is made, and go on after it; then the service is killed
and its database lost. The backup is restored into another database, a new epoch begun, and a
service started on that. Every event that the backup has must be there byte for byte, every game
that was not over must be void, every game sound, and what others hold of the lost events must
convict nobody. New games are then played to see that the ledger takes commands.
Exits with 1 when anything is lost or somebody is convicted, and says what.
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import msgspec
from msgspec.structs import replace
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent.parent))

from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.evidence.export import is_over
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.records.source import SourceRow, read_store
from phaseledger.replay.formats.signing.keys import fresh_name, load
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.service.database import dumps
from phaseledger.service.database.backup import back_up, make_database, read_manifest
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.epoch import begin_epoch
from phaseledger.service.database.setup import prepare
from phaseledger.service.operations import AdminRecord
from phaseledger.service.settings import Settings, sealing_keys_of
from tests.support.crash_campaign import Campaign, campaign
from tests.support.player import Lost, Player
from tests.support.ports import free_port
from tests.support.service.nodes import await_ready, node

BEFORE, AFTER = 30, 15
"""At most so many answers for each client before the backup, and so many after it."""
ANSWERS = 20
"""Of a client on the ledger that goes on."""

console = Console(stderr=True)


class Round(NamedTuple):
    """What one restore led to."""

    acknowledged: int
    kept: int
    """Events that the backup has."""
    lost: int
    """Events that came after it."""
    voided: int
    seconds: float
    """From the loss to the first answer of the ledger that goes on."""


def restore(dsn: str, number: int, clients: int, seed: str) -> Round:
    """Play, back up, play on, lose everything, and go on from the backup.

    Raises:
        Lost: something that the backup has is not there, or somebody is convicted.

    """
    chance = random.Random(seed)
    source = make_database(dsn, f"ledger_{number}")
    prepare(Settings(database_url=source))
    folder = Path(tempfile.mkdtemp(prefix="pl-"))
    try:
        with campaign(source, "phaseledger", players=clients, seed=seed) as running:
            running.until(lambda player: player.answered, more=chance.randrange(1, BEFORE))
            had = {game: len(rows) for game, rows in _games(_settings(running)).items()}
            back_up(_settings(running), folder / "backup", lambda _: None)
            running.until(lambda player: player.answered, more=chance.randrange(1, AFTER))
            running.kill()
            return _go_on(running, folder / "backup", make_database(dsn, f"restored_{number}"), had)
    finally:
        shutil.rmtree(folder)


def _settings(running: Campaign) -> Settings:
    return msgspec.convert(running.settings(), Settings, strict=False)


def _go_on(running: Campaign, backup: Path, copy: str, had: Mapping[str, int]) -> Round:
    """``had`` are the events of each game that the backup has at least."""
    began, given = time.monotonic(), running.settings()
    old = _settings(running)
    signer = load(Path(old.keys_dir)).current
    (dump,) = read_manifest(backup).partitions
    dumps.load(backup / dump.file, copy, acl=True)
    settings = replace(old, database_url=copy)
    entry = AdminRecord(key=uuid4(), actor="campaign", action="new_epoch", reason="a disaster")
    epoch = asyncio.run(
        begin_epoch(settings, fresh_name(), entry, lambda _: None, unpublished=True)
    )
    lost = _compare(old, settings, signer, set(map(str, epoch.voided)), had)
    with (
        free_port() as port,
        redirect_stdout(StringIO()),
        node(port, given | {"database_url": copy}) as process,
    ):
        await_ready(process, port)
        player = Player(f"http://127.0.0.1:{port}", f"{running.seed}-again")
        player.start()
        while player.answered == 0 and player.failure is None:
            time.sleep(0.05)
        seconds = time.monotonic() - began
        while player.answered < ANSWERS and player.failure is None:
            time.sleep(0.05)
        player.finish.set()
        player.join()
        if player.failure is not None:
            raise player.failure
    for verdict in audit(read_store(copy, sealing=sealing_keys_of(settings))):
        if not verdict.sound:
            raise Lost(f"game {verdict.game}: {verdict.findings}")
    return Round(
        acknowledged=running.acknowledged(),
        kept=epoch.events,
        lost=lost,
        voided=len(epoch.voided),
        seconds=seconds,
    )


def _compare(
    old: Settings, new: Settings, signer: SigningKey, voided: set[str], had: Mapping[str, int]
) -> int:
    """Hold the ledger that goes on against the one that was lost; how many events are lost.

    Raises:
        Lost: an event that the backup has differs or is not there, a game goes on, or somebody is
            convicted.

    """
    before, after = _games(old), _games(new)
    for game, events in had.items():
        if len(after.get(game, ())) - (game in voided) < events:
            raise Lost(f"game {game}: the backup had {events} events")
    newest = load(Path(new.keys_dir)).current
    policy = Policy("campaign", (signer.public, newest.public))
    lost = sum(len(rows) for game, rows in before.items() if game not in after)
    for game, rows in after.items():
        kept = rows[:-1] if game in voided else rows
        if [row.stored for row in kept] != [row.stored for row in before[game][: len(kept)]]:
            raise Lost(f"game {game}: the backup has other events")
        if not is_over(rows):
            raise Lost(f"game {game}: it goes on")
        lost += len(before[game]) - len(kept)
        files = [
            parse_bundle(_bundle(events, key), name)
            for name, events, key in (("before", before[game], signer), ("after", rows, newest))
        ]
        for examined in verify(files, policy):
            if examined.judgement.problems:
                raise Lost(f"game {game}: {examined.judgement.problems}")
    return lost


def _games(settings: Settings) -> dict[str, list[SourceRow]]:
    """The rows of every game."""
    games: dict[str, list[SourceRow]] = {}
    for row in read_store(
        settings.database_url, schema=settings.schema, sealing=sealing_keys_of(settings)
    ):
        games.setdefault(row.game, []).append(row)
    return games


def _bundle(rows: Sequence[SourceRow], key: SigningKey) -> list[bytes]:
    return list(bundle_lines([row.stored for row in rows], keys=[key.public], signer=key))


def main() -> int:
    """Restore, compare, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--restores", type=int, default=20)
    parser.add_argument("--clients", type=int, default=3)
    parser.add_argument("--seed", default="restores")
    given = parser.parse_args()
    rounds: list[Round] = []
    data_dir, began = Path(tempfile.mkdtemp(prefix="pl-")), time.monotonic()
    try:
        with embedded_postgres(data_dir) as dsn:
            for number in range(given.restores):
                seed = f"{given.seed}-{number}"
                try:
                    rounds.append(restore(dsn, number, given.clients, seed))
                except Lost as lost:
                    print(f"LOST at seed {seed}: {lost}")
                    return 1
                console.log(f"{number + 1} of {given.restores}: {rounds[-1]}")
    finally:
        shutil.rmtree(data_dir)
    print(
        f"{len(rounds)} restores in {time.monotonic() - began:.0f} s: "
        f"{sum(played.acknowledged for played in rounds):,} commands acknowledged; all "
        f"{sum(played.kept for played in rounds):,} events of the backups are there, "
        f"{sum(played.lost for played in rounds):,} came after them; "
        f"{sum(played.voided for played in rounds):,} games voided, none damaged, nobody "
        f"convicted; commands taken again within {max(played.seconds for played in rounds):.1f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
