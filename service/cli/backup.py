"""`phaseledger backup`, `restore` and `new-epoch`: a ledger's whole way back from a disaster."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple
from uuid import uuid4

import msgspec
from cyclopts import Parameter
from msgspec import Struct

from phaseledger.replay.audit.audit import audit
from phaseledger.replay.records.source import DamagedSource, read_store
from phaseledger.replay.signing.keys import KeysError, fresh_name, load
from phaseledger.replay.terminal import UsageError, guarded, print_json, progress, say, tell
from phaseledger.service.cli.serve import StoreFlags
from phaseledger.service.database.backup import (
    KEYS,
    PUBLISHED,
    Manifest,
    back_up,
    load_dump,
    make_database,
    place_files,
    read_manifest,
    require_same_partitions,
)
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.epoch import NewEpoch, begin_epoch, count_events
from phaseledger.service.database.setup import connected_settings, prepare, upgrade
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.operations import AdminRecord
from phaseledger.service.settings import places, published_folder
from phaseledger.service.transparency.signer import (
    LogSigner,
    SigningRefused,
    last_published,
    require_unbroken,
    signer,
)
from phaseledger.service.transparency.tree_postgres import PostgresTree

Json = Annotated[bool, Parameter(negative="", show_default=False, help="Print one JSON document.")]
NAMED = 5
"""Unsound games that are named in words."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LedgerFlags(StoreFlags):
    """Where the whole ledger is. Each flag is the setting of its name."""

    keys_dir: Annotated[
        Path | None,
        Parameter(help="The folder of the keys that sign (`keys` in the data folder)."),
    ] = None
    published_dir: Annotated[
        Path | None,
        Parameter(help="Where the last published checkpoint is kept (in the user's state folder)."),
    ] = None


AS_SET = LedgerFlags()


class RestoredPartition(Struct, frozen=True):
    """What a restored partition has."""

    partition: int
    events: int
    games: int
    unsound: tuple[str, ...]
    """Games that the audit does not find sound."""
    log: str
    published: int
    """The events under the newest checkpoint that is at hand."""
    lost: int
    """How many of these the backup lacks, since they came after it."""
    contradiction: str
    """Why what it has is not what was published; empty where it is."""

    @property
    def is_sound(self) -> bool:
        """Whether every game is sound, and the log begins as it was published."""
        return not self.unsound and not self.contradiction


class _Restored(NamedTuple):
    """A partition that was restored: where it is, and where checkpoints of its log are kept."""

    number: int
    dsn: str
    schema: str
    log: str


@guarded
def backup(
    folder: Annotated[Path, Parameter(help="A folder that is not there yet, or is empty.")],
    /,
    *,
    at: LedgerFlags = AS_SET,
    check: Annotated[
        bool, Parameter(negative="", help="Try the backup at once, as `restore --check` does.")
    ] = False,
    json: Json = False,
) -> int:
    """Write a backup of the ledger; its help is BACKUP in `main`."""
    with connected_settings(at.settings()) as settings:
        prepare(settings, migrating=False)
        manifest = back_up(settings, folder, tell)
    if check:
        return _check(folder, json=json)
    if json:
        print_json(msgspec.to_builtins(manifest))
    else:
        say(f"{folder} has the ledger as it was at {manifest.made_at}.")
        say(f"Try it: phaseledger restore {folder} --check")
    return 0


@guarded
def restore(
    folder: Annotated[Path, Parameter(help="The backup.")],
    /,
    *,
    at: LedgerFlags = AS_SET,
    check: Annotated[
        bool,
        Parameter(negative="", help="Only try it, in a server that is gone afterwards."),
    ] = False,
    json: Json = False,
) -> int:
    """Restore a backup, or only try it; its help is RESTORE in `main`."""
    if check:
        return _check(folder, json=json)
    manifest = read_manifest(folder)
    with connected_settings(at.settings()) as settings:
        listed = places(settings)
        require_same_partitions(manifest, listed)
        for dump, place in zip(manifest.partitions, listed, strict=True):
            tell(f"Restoring partition {dump.number}")
            load_dump(folder, dump, place.owner_dsn or place.dsn, acl=True)
        place_files(manifest, folder, settings)
        upgrade(settings)
        restored = [
            _Restored(place.number, place.owner_dsn or place.dsn, place.schema, dump.log)
            for dump, place in zip(manifest.partitions, listed, strict=True)
        ]
        return _report(_examine(restored, folder, published_folder(settings)), json=json)


def _check(folder: Path, *, json: bool) -> int:
    """Restore the backup into a server that is gone afterwards, and say what it has."""
    manifest = read_manifest(folder)
    with _throwaway(folder, manifest) as restored:
        return _report(_examine(restored, folder, folder / PUBLISHED), json=json)


@contextmanager
def _throwaway(folder: Path, manifest: Manifest) -> Iterator[list[_Restored]]:
    with (
        tempfile.TemporaryDirectory(prefix="pl-") as home,
        embedded_postgres(Path(home)) as dsn,
    ):
        restored: list[_Restored] = []
        for dump in manifest.partitions:
            tell(f"Restoring partition {dump.number} into a server of its own")
            database = make_database(dsn, f"partition_{dump.number}")
            load_dump(folder, dump, database, acl=False)
            restored.append(_Restored(dump.number, database, dump.schema, dump.log))
        yield restored


def _examine(
    restored: Sequence[_Restored], backup_folder: Path, published: Path
) -> list[RestoredPartition]:
    """Audit the partitions' games, and compare their logs with the last checkpoints."""
    try:
        keys = load(backup_folder / KEYS)
    except KeysError as error:
        raise DamagedSource(str(error)) from None
    checks: list[RestoredPartition] = []
    for partition in restored:
        games, unsound = _audit(partition)
        log_signer = signer(keys, partition.log, published)
        last = last_published(log_signer)
        events, contradiction = asyncio.run(_compare(partition, log_signer))
        size = last.size if last else 0
        checks.append(
            RestoredPartition(
                partition=partition.number,
                events=events,
                games=games,
                unsound=tuple(unsound),
                log=partition.log,
                published=size,
                lost=max(0, size - events),
                contradiction="" if events < size else contradiction,
            )
        )
    return checks


def _audit(partition: _Restored) -> tuple[int, list[str]]:
    """The number of games in the partition, and those that are not sound."""
    games, unsound = 0, list[str]()
    with progress(f"Auditing partition {partition.number} (games)", None) as advance:
        for verdict in audit(read_store(partition.dsn, schema=partition.schema)):
            games += 1
            advance(1)
            if not verdict.sound:
                unsound.append(verdict.game)
    return games, unsound


async def _compare(partition: _Restored, log_signer: LogSigner) -> tuple[int, str]:
    """The number of events in the log, and why it is not what was published; empty if it is."""
    tree = PostgresTree(partition.dsn, partition.log, schema=partition.schema)
    async with PostgresStore(partition.dsn, schema=partition.schema, unsafe=True) as store:
        await tree.open()
        try:
            contradiction = ""
            try:
                await require_unbroken(store, tree, log_signer)
            except SigningRefused as refused:
                contradiction = str(refused)
            return await count_events(partition.dsn, partition.schema), contradiction
        finally:
            await tree.close()


def _report(checks: Sequence[RestoredPartition], *, json: bool) -> int:
    """Print what the partitions have; the exit code."""
    is_sound = all(check.is_sound for check in checks)
    if json:
        print_json({"sound": is_sound, "partitions": msgspec.to_builtins(checks)})
        return 0 if is_sound else 1
    for check in checks:
        if len(checks) > 1:
            say(f"Partition {check.partition}:")
        _report_partition(check)
    return 0 if is_sound else 1


def _report_partition(check: RestoredPartition) -> None:
    unsound = len(check.unsound)
    say(f"{check.games:,} games with {check.events:,} events; {check.games - unsound:,} are sound.")
    for game in check.unsound[:NAMED]:
        say(f"  not sound: {game}; see `phaseledger audit {game}`")
    if unsound > NAMED:
        say(f"  and {unsound - NAMED:,} more")
    if check.contradiction:
        say(check.contradiction)
    elif check.lost:
        say(
            f"{check.lost:,} events that the log {check.log} has published are missing: they came "
            "after the backup. A service will refuse to write. Restore a newer backup or, if there "
            "is none, go on without them: phaseledger new-epoch --actor NAME --reason WHY"
        )
    elif check.published:
        say(f"It has all {check.published:,} events of the last checkpoint of {check.log}.")
    else:
        say(f"There is no checkpoint of {check.log} to compare it with.")


@guarded
def new_epoch(
    *,
    actor: Annotated[str, Parameter(help="Who does it, for the record.")],
    reason: Annotated[str, Parameter(help="Why, for the record.")],
    partition: Annotated[
        tuple[int, ...],
        Parameter(
            help="A partition that lacks events which no checkpoint covered (1 for a ledger of "
            "one); those that lack published ones are found.",
            negative="",
        ),
    ] = (),
    log_origin: Annotated[
        str | None, Parameter(help="The new log's name; else one is made.")
    ] = None,
    at: LedgerFlags = AS_SET,
    json: Json = False,
) -> int:
    """Go on from a restore that lost events; its help is NEW_EPOCH in `main`."""
    if not actor.strip() or not reason.strip():
        raise UsageError("--actor and --reason say who does it, and why: neither is empty.")
    with connected_settings(at.settings()) as settings:
        prepare(settings)
        numbers = [place.number for place in places(settings)]
        if unknown := sorted(set(partition) - set(numbers)):
            raise UsageError(f"There is no partition {unknown[0]}: there are {len(numbers)}.")
        log = log_origin or fresh_name()
        entry = AdminRecord(
            key=uuid4(), actor=actor, action="new_epoch", reason=reason, details={"log": log}
        )
        with progress("Voiding games", None) as advance:
            epoch = asyncio.run(begin_epoch(settings, partition, log, entry, advance))
    if json:
        print_json(msgspec.to_builtins(epoch))
        return 0
    _say_epoch(epoch)
    if settings.log_origin:
        say(f"Set PHASELEDGER_LOG_ORIGIN={epoch.log} before a service starts.")
    return 0


def _say_epoch(epoch: NewEpoch) -> None:
    for begun in epoch.partitions:
        say(
            f"Partition {begun.partition} goes on with {begun.events:,} events (restore "
            f"{begun.epoch}); {len(begun.voided):,} running games are void. The log {begun.log} "
            f"ended with {begun.published:,} published events."
        )
        for game in begun.damaged:
            say(f"  {game} could not be voided: its record is damaged, and it will be set aside.")
    say(f"The public log is {epoch.log} from now on, and has another key: {epoch.key}")
