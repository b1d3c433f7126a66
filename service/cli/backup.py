"""`phaseledger admin backup` and `restore`: a ledger's way back from a disaster."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from cyclopts import Parameter
from msgspec import Struct

from phaseledger.audit import audit, audit_archive, read_store
from phaseledger.replay.formats.records.public_log import public_log
from phaseledger.replay.formats.records.source import DamagedSource, LogPart
from phaseledger.replay.formats.sealing import SealingKeys
from phaseledger.replay.formats.sealing import load as load_sealing
from phaseledger.replay.formats.signing.keys import Keyring, KeysError, load
from phaseledger.replay.terminal import guarded, print_json, progress, say, tell
from phaseledger.service.cli.flags import LEDGER_AS_SET, JsonFlag, LedgerFlags
from phaseledger.service.cli.record import entry, note
from phaseledger.service.database import dumps, programs
from phaseledger.service.database.backup import (
    KEYS,
    PUBLISHED,
    Dump,
    Manifest,
    back_up,
    dump_of,
    make_database,
    place_keys,
    read_manifest,
    require_empty,
    require_own_keys,
)
from phaseledger.service.database.cluster import ensure_made
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.epoch import count_events
from phaseledger.service.database.public_log import origin_of
from phaseledger.service.database.setup import connected_settings, prepare, upgrade
from phaseledger.service.eventlog.connection import connected, within
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.settings import (
    Settings,
    keys_folder,
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
from phaseledger.service.transparency.tree import Tree

NAMED = 5
"""Unsound games that are named in words."""


class Restored(Struct, frozen=True):
    """What a restored ledger has."""

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
    voided: tuple[str, ...] = ()
    """Games among the unsound that an operator has given up: `phaseledger admin void`."""

    @property
    def is_sound(self) -> bool:
        """Whether every game is sound or given up, and the log begins as it was published."""
        return {*self.unsound} <= {*self.voided} and not self.contradiction


class _Place(NamedTuple):
    """Where a ledger was restored, and the names of its public log."""

    dsn: str
    schema: str
    logs: tuple[str, ...]
    """The log of the backup; and the one that the keys name now, where that is another."""
    sealing: SealingKeys


class _Comparison(NamedTuple):
    """A ledger beside the last checkpoint of one log."""

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
    """Write a backup: a dump, the keys, the published checkpoints.

    The service may go on meanwhile. The folder has private keys: keep it as carefully as these. The
    published checkpoints are kept apart for a reason: after a restore compare with the newest.

    The ledger notes when it was backed up, and whether that was sound: an alert goes by it. The
    backup is tried at once, as by `restore --check`: in a server of the ledger's own major
    where one is installed (on PATH or in /usr/lib/postgresql), else in the one that phaseledger
    brings.

    With --json: what `restore` prints; with --no-check {format, release, made_at, partitions}.

    For example: phaseledger admin backup /backups/2026-11-22
    """
    with connected_settings(at.settings()) as settings:
        prepare(settings, migrating=False)
        manifest = back_up(settings, folder, tell)
        if not json:
            say(f"{folder} has the ledger as it was at {manifest.made_at}.")
        if check:
            code = _check(folder, at.settings(), json=json)
            _note(settings, manifest, "no" if code else "yes")
            return code
        _note(settings, manifest, "not tried")
    if json:
        print_json(manifest)
    else:
        say(f"Try it: phaseledger admin restore {folder} --check")
    return 0


def _note(settings: Settings, manifest: Manifest, sound: str) -> None:
    """Note in the ledger that it was backed up, for the metrics and `phaseledger doctor`."""
    new = entry("back_up", "phaseledger", "backup", made_at=manifest.made_at, sound=sound)
    try:
        asyncio.run(note(settings, new))
    except StoreUnavailable as refused:
        tell(f"The backup is complete, but the ledger was not told of it: {refused}")


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
    json: JsonFlag = False,
) -> int:
    """Restore a backup, audit it, and compare it with what was published.

    The database must have no such schema yet, and may be of another major than the backup's. Keys
    in their folder stay. Rights of roles that are missing are left out, which is said. The last
    published checkpoints are the ones that outlived the disaster. Where published events are
    missing, or it is not known what was published, a service refuses to start: bring a newer
    backup, or go on with `phaseledger admin new-epoch`.

    Exit codes: 0 all games are sound, or void by an operator's word, 1 some are not, the log is
    another one or it is not known what was published, 2 there is a ledger already, 3 the database
    is away, 5 the backup is damaged. With --json: {sound, events, games, unsound, log, published,
    lost, contradiction, archived, voided}.

    For example: phaseledger admin restore /backups/2026-11-22 --check
    """
    if check:
        return _check(folder, at.settings(), json=json)
    manifest = read_manifest(folder)
    with connected_settings(at.settings()) as settings:
        dump, dsn = dump_of(manifest, settings), settings.database_url
        require_own_keys(folder, settings)
        require_empty(dsn, dump.schema)
        tell("Restoring the ledger")
        if refusals := dumps.load(folder / dump.file, dsn, acl=True):
            tell(
                f"Left out what this server refuses: {'; '.join(refusals)}. A role that is missing "
                "gets its rights from `phaseledger admin migrate`, once it is made."
            )
        place_keys(folder, settings)
        upgrade(settings)
        keys = _keys(keys_folder(settings))
        place = _Place(
            dsn=dsn,
            schema=dump.schema,
            logs=tuple(dict.fromkeys([dump.log, origin_of(settings, keys)])),
            sealing=sealing_keys_of(settings),
        )
        return _report([_examine(place, keys, published_folder(settings))], json=json)


def _check(folder: Path, settings: Settings, *, json: bool) -> int:
    """Restore the backup into servers that are gone afterwards, and say what it has."""
    manifest = read_manifest(folder)
    sealing = load_sealing(folder / KEYS)
    keys, checks = _keys(folder / KEYS), list[Restored]()
    for dump in manifest.partitions:
        with _throwaway(folder, dump, sealing) as place:
            checks.append(_examine(place, keys, folder / PUBLISHED))
    return _report(checks, json=json)


@contextmanager
def _throwaway(folder: Path, dump: Dump, sealing: SealingKeys) -> Iterator[_Place]:
    major = dumps.major_of(folder / dump.file)
    with tempfile.TemporaryDirectory(prefix="pl-") as home:
        programs_folder = programs.server_folder(major)
        if not programs_folder:
            tell(
                f"No server of PostgreSQL {major}, the ledger's own, is installed here: it is "
                "tried on another, and what that major alone may refuse is not."
            )
        ensure_made(Path(home) / "cluster", programs_folder)
        with embedded_postgres(Path(home)) as server:
            tell("Restoring the ledger into a server of its own")
            database = make_database(server, "restored")
            dumps.load(folder / dump.file, database, acl=False)
            yield _Place(dsn=database, schema=dump.schema, logs=(dump.log,), sealing=sealing)


def _keys(folder: Path) -> Keyring:
    try:
        return load(folder)
    except KeysError as error:
        raise DamagedSource(str(error)) from None


def _examine(place: _Place, keys: Keyring, published: Path) -> Restored:
    """Audit the ledger's games, and compare its log with the last checkpoint."""
    games, unsound = _audit(place)
    archived, untrue = _audit_tombstones(place)
    unsound += untrue
    voided = _voided(place) & {*unsound}
    events = asyncio.run(count_events(place.dsn, place.schema))
    signers = [signer(keys, log, published) for log in place.logs]
    comparisons = [asyncio.run(_compare(place, signer, events)) for signer in signers]
    worst = max(comparisons, key=lambda compared: (compared.lost, compared.contradiction != ""))
    return Restored(
        events=events,
        games=games,
        unsound=tuple(unsound),
        archived=archived,
        voided=tuple(sorted(voided)),
        **worst._asdict(),
    )


def _audit(place: _Place) -> tuple[int, list[str]]:
    """The number of games in the ledger, and the unsound ones."""
    games, unsound = 0, list[str]()
    with progress("Auditing the ledger (games)", None) as advance:
        for verdict in audit(read_store(place.dsn, schema=place.schema, sealing=place.sealing)):
            games += 1
            advance(1)
            if not verdict.sound:
                unsound.append(verdict.game)
    return games, unsound


def _audit_tombstones(place: _Place) -> tuple[int, list[str]]:
    """The number of archived games, and those whose tombstone does not fit what stays of them."""
    whole = LogPart(dsn=place.dsn, schema=place.schema, moment="", games=(), sealing=place.sealing)
    with public_log(whole) as log:
        games = list(audit_archive(log, None))
    faults = [finding for game in games for finding in game.findings]
    return len(games), sorted({fault.event.game for fault in faults if fault.event})


def _voided(place: _Place) -> set[str]:
    """The damaged games that an operator has given up."""
    query = "SELECT game::text FROM {}.set_aside_games WHERE voided_at IS NOT NULL"
    with connected(place.dsn) as conn:
        return {game for (game,) in conn.execute(within(place.schema, query))}


async def _compare(place: _Place, log_signer: LogSigner, events: int) -> _Comparison:
    """Compare the ledger with what was published of one log, as far as that is known."""
    published, contradiction = 0, ""
    async with (
        PostgresStore(place.dsn, schema=place.schema, unsafe=True, sealing=place.sealing) as store,
        Tree(place.dsn, log_signer.origin, schema=place.schema) as tree,
    ):
        try:
            last = last_published(log_signer)
            published = last.size if last else 0
            await require_unbroken(store, tree, log_signer)
        except SigningRefused as refused:
            contradiction = str(refused)
    lost = max(0, published - events)
    return _Comparison(log_signer.origin, published, lost, "" if lost else contradiction)


def _report(checks: Sequence[Restored], *, json: bool) -> int:
    """Print what each dump has; the exit code."""
    is_sound = all(check.is_sound for check in checks)
    for check in checks:
        if json:
            print_json({"sound": check.is_sound, **msgspec.to_builtins(check)})
        else:
            _say(check)
    return 0 if is_sound else 1


def _say(check: Restored) -> None:
    unsound = len(check.unsound)
    games = check.games + check.archived
    say(f"{games:,} games with {check.events:,} events; {games - unsound:,} are sound.")
    if check.archived:
        say(f"Of them {check.archived:,} are archived, and their events in files of their own.")
    for game in check.unsound[:NAMED]:
        is_void = "; it is void" if game in check.voided else ""
        say(f"  not sound: {game}{is_void}; see `phaseledger audit {game}`")
    if unsound > NAMED:
        say(f"  and {unsound - NAMED:,} more")
    if check.contradiction:
        say(check.contradiction)
    elif check.lost:
        say(
            f"{check.lost:,} events that the log {check.log} has published are missing: they came "
            "after the backup. A service will refuse to write. Restore a newer backup or, if there "
            "is none, go on without them: phaseledger admin new-epoch --actor NAME --reason WHY"
        )
    elif check.published:
        say(f"It has all {check.published:,} events of the last checkpoint of {check.log}.")
    else:
        say(f"There is no checkpoint of {check.log} to compare it with.")
