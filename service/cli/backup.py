"""`phaseledger backup` and `restore`: a ledger's way back from a disaster."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from cyclopts import Parameter
from msgspec import Struct

from phaseledger.replay.audit.archive import audit_archive
from phaseledger.replay.audit.audit import audit
from phaseledger.replay.records.public_log import public_log
from phaseledger.replay.records.sealing import SealingKeys
from phaseledger.replay.records.sealing import load as load_sealing
from phaseledger.replay.records.source import DamagedSource, LogPart, read_store
from phaseledger.replay.signing.keys import Keyring, KeysError, load
from phaseledger.replay.terminal import UsageError, guarded, print_json, progress, say, tell
from phaseledger.service.cli.flags import LEDGER_AS_SET, JsonFlag, LedgerFlags
from phaseledger.service.database import dumps, programs
from phaseledger.service.database.backup import (
    KEYS,
    PUBLISHED,
    Manifest,
    back_up,
    make_database,
    place_keys,
    read_manifest,
    require_empty,
    require_own_keys,
    require_same_partitions,
)
from phaseledger.service.database.cluster import ensure_made
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.epoch import count_events
from phaseledger.service.database.setup import connected_settings, prepare, upgrade
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.partitions.public_logs import origin_of
from phaseledger.service.settings import (
    Settings,
    keys_folder,
    places,
    published_folder,
    sealing_keys_of,
)
from phaseledger.service.transparency.signer import (
    LogSigner,
    SigningRefused,
    last_published,
    require_unbroken,
    signer,
)
from phaseledger.service.transparency.tree_postgres import PostgresTree

NAMED = 5
"""Unsound games that are named in words."""


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
    archived: int = 0
    """Games of which it has tombstones and leaves alone, which are among ``events``."""

    @property
    def is_sound(self) -> bool:
        """Whether every game is sound, and the log begins as it was published."""
        return not self.unsound and not self.contradiction


class _Restored(NamedTuple):
    """A partition that was restored: where it is, and where checkpoints of its log are kept."""

    number: int
    dsn: str
    schema: str
    logs: tuple[str, ...]
    """The log of the backup; and the one that the keys name now, where that is another."""
    sealing: SealingKeys


class _Comparison(NamedTuple):
    """A partition beside the last checkpoint of one log."""

    log: str
    published: int
    lost: int
    contradiction: str


@guarded
def backup(
    folder: Annotated[Path, Parameter(help="A folder that is not there yet, or is empty.")],
    /,
    *,
    at: LedgerFlags = LEDGER_AS_SET,
    check: Annotated[
        bool, Parameter(help="Whether to try the backup at once, as `restore --check` does.")
    ] = True,
    json: JsonFlag = False,
) -> int:
    """Write a backup of the ledger; its help is BACKUP in `main`."""
    with connected_settings(at.settings()) as settings:
        prepare(settings, migrating=False)
        manifest = back_up(settings, folder, tell)
    if not json:
        say(f"{folder} has the ledger as it was at {manifest.made_at}.")
    if check:
        return _check(folder, at.settings(), json=json)
    if json:
        print_json(msgspec.to_builtins(manifest))
    else:
        say(f"Try it: phaseledger restore {folder} --check")
    return 0


@guarded
def restore(
    folder: Annotated[Path, Parameter(help="The backup.")],
    /,
    *,
    at: LedgerFlags = LEDGER_AS_SET,
    check: Annotated[
        bool,
        Parameter(negative="", help="Only try it, in a server that is gone afterwards."),
    ] = False,
    partition: Annotated[
        tuple[int, ...],
        Parameter(help="A partition to restore, where others go on; else all.", negative=""),
    ] = (),
    json: JsonFlag = False,
) -> int:
    """Restore a backup, or only try it; its help is RESTORE in `main`."""
    if check:
        return _check(folder, at.settings(), json=json)
    manifest = read_manifest(folder)
    with connected_settings(at.settings()) as settings:
        require_same_partitions(manifest, places(settings))
        if unknown := sorted(set(partition) - {place.number for place in places(settings)}):
            raise UsageError(f"There is no partition {unknown[0]}.")
        pairs = [
            (dump, place)
            for dump, place in zip(manifest.partitions, places(settings), strict=True)
            if not partition or place.number in partition
        ]
        require_own_keys(folder, settings)
        for dump, place in pairs:
            require_empty(place.owning_dsn, dump.schema)
        for dump, place in pairs:
            tell(f"Restoring partition {dump.number}")
            if refusals := dumps.load(folder / dump.file, place.owning_dsn, acl=True):
                tell(
                    f"Left out what this server refuses: {'; '.join(refusals)}. A role that is "
                    "missing gets its rights from `phaseledger migrate`, once it is made."
                )
        place_keys(folder, settings)
        upgrade(settings)
        keys, sealing = _keys(keys_folder(settings)), sealing_keys_of(settings)
        restored = [
            _Restored(
                number=place.number,
                dsn=place.owning_dsn,
                schema=place.schema,
                logs=tuple(dict.fromkeys([dump.log, origin_of(settings, keys, place.number)])),
                sealing=sealing,
            )
            for dump, place in pairs
        ]
        return _report(_examine(restored, keys, published_folder(settings)), json=json)


def _check(folder: Path, settings: Settings, *, json: bool) -> int:
    """Restore the backup into servers that are gone afterwards, and say what it has."""
    manifest = read_manifest(folder)
    sealing = load_sealing(folder / KEYS, settings.sealing_keys, settings.sealing_command)
    with _throwaway(folder, manifest, sealing) as restored:
        return _report(_examine(restored, _keys(folder / KEYS), folder / PUBLISHED), json=json)


@contextmanager
def _throwaway(folder: Path, manifest: Manifest, sealing: SealingKeys) -> Iterator[list[_Restored]]:
    servers, restored = dict[str, str](), list[_Restored]()
    with tempfile.TemporaryDirectory(prefix="pl-") as home, ExitStack() as stack:
        for dump in manifest.partitions:
            major = dumps.major_of(folder / dump.file)
            if major not in servers:
                programs_folder = programs.server_folder(major)
                if not programs_folder:
                    tell(
                        f"No server of PostgreSQL {major}, the ledger's own, is installed here: it "
                        "is tried on another, and what that major alone may refuse is not."
                    )
                ensure_made(Path(home) / major / "cluster", programs_folder)
                servers[major] = stack.enter_context(embedded_postgres(Path(home) / major))
            tell(f"Restoring partition {dump.number} into a server of its own")
            database = make_database(servers[major], f"partition_{dump.number}")
            dumps.load(folder / dump.file, database, acl=False)
            restored.append(
                _Restored(
                    number=dump.number,
                    dsn=database,
                    schema=dump.schema,
                    logs=(dump.log,),
                    sealing=sealing,
                )
            )
        yield restored


def _keys(folder: Path) -> Keyring:
    try:
        return load(folder)
    except KeysError as error:
        raise DamagedSource(str(error)) from None


def _examine(
    restored: Sequence[_Restored], keys: Keyring, published: Path
) -> list[RestoredPartition]:
    """Audit the partitions' games, and compare their logs with the last checkpoints."""
    checks: list[RestoredPartition] = []
    for partition in restored:
        games, unsound = _audit(partition)
        archived, untrue = _audit_tombstones(partition)
        events = asyncio.run(count_events(partition.dsn, partition.schema))
        signers = [signer(keys, log, published) for log in partition.logs]
        comparisons = [asyncio.run(_compare(partition, signer, events)) for signer in signers]
        worst = max(comparisons, key=lambda compared: (compared.lost, compared.contradiction != ""))
        checks.append(
            RestoredPartition(
                partition=partition.number,
                events=events,
                games=games,
                unsound=tuple(unsound + untrue),
                log=worst.log,
                published=worst.published,
                lost=worst.lost,
                contradiction=worst.contradiction,
                archived=archived,
            )
        )
    return checks


def _audit(partition: _Restored) -> tuple[int, list[str]]:
    """The number of games in the partition, and those that are not sound."""
    games, unsound = 0, list[str]()
    with progress(f"Auditing partition {partition.number} (games)", None) as advance:
        for verdict in audit(
            read_store(partition.dsn, schema=partition.schema, sealing=partition.sealing)
        ):
            games += 1
            advance(1)
            if not verdict.sound:
                unsound.append(verdict.game)
    return games, unsound


def _audit_tombstones(partition: _Restored) -> tuple[int, list[str]]:
    """The number of archived games, and those whose tombstone does not fit what stays of them."""
    whole = LogPart(
        dsn=partition.dsn,
        schema=partition.schema,
        moment="",
        games=(),
        sealing=partition.sealing,
    )
    with public_log(whole) as log:
        games = list(audit_archive(log, None))
    faults = [finding for game in games for finding in game.findings]
    return len(games), sorted({fault.event.game for fault in faults if fault.event})


async def _compare(partition: _Restored, log_signer: LogSigner, events: int) -> _Comparison:
    """Compare the partition with what was published of one log, as far as that is known."""
    tree = PostgresTree(partition.dsn, log_signer.origin, schema=partition.schema)
    published, contradiction = 0, ""
    async with PostgresStore(
        partition.dsn, schema=partition.schema, unsafe=True, sealing=partition.sealing
    ) as store:
        await tree.open()
        try:
            last = last_published(log_signer)
            published = last.size if last else 0
            await require_unbroken(store, tree, log_signer)
        except SigningRefused as refused:
            contradiction = str(refused)
        finally:
            await tree.close()
    lost = max(0, published - events)
    return _Comparison(log_signer.origin, published, lost, "" if lost else contradiction)


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
    games = check.games + check.archived
    say(f"{games:,} games with {check.events:,} events; {games - unsound:,} are sound.")
    if check.archived:
        say(f"Of them {check.archived:,} are archived, and their events in files of their own.")
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
