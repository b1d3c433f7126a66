"""Throughput against the number of partitions: schemas of one server, and servers of their own.

    python benchmarks/partitions.py [--clients 64] [--seconds 4] [--rounds 5] [--json FILE]

Over HTTP, one node, which is one process on one core, serves each ledger, and the clients of
`commands.py` play on it. In process, 64 callers wait for the commits of three-event appends, so
that the database is what is measured. All ledgers take turns in every round. Everything, clients
and servers, is on this one machine: more machines are what partitions are for.
"""

import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.results import Results, arguments, interleaved, row, show, write
from benchmarks.servers import Target, load, server, tables
from phaseledger.replay.records.partitions import PartitionLocation, id_in
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.settings import Settings, places

CALLERS = 64
ALONE = "no partitions"


def ledgers(stack: ExitStack, folder: Path) -> dict[str, Settings]:
    """By name, ledgers without tables: their settings."""
    homes = iter(range(7))

    def home() -> str:
        """A server of its own, for one has connections for a few partitions of one node."""
        return stack.enter_context(embedded_postgres(folder / f"s{next(homes)}"))

    ledger_settings = {ALONE: Settings(database_url=home())}
    entries = {}
    for count in (1, 2, 3):
        dsn, name = home(), f"{count} schema{'s' if count > 1 else ''}"
        entries[name] = [(dsn, f"part_{number}") for number in range(count)]
    entries["3 servers"] = [(home(), "phaseledger") for _ in range(3)]
    for name, places_of in entries.items():
        file = folder / f"{name.replace(' ', '-')}.toml"
        lines = (
            f'[[partition]]\ndatabase_url = "{dsn}"\nschema = "{at}"\n' for dsn, at in places_of
        )
        file.write_text("".join(lines))
        ledger_settings[name] = Settings(partitions=str(file))
    return ledger_settings


def node(stack: ExitStack, settings: Settings, clients: int) -> Target:
    """A node of the ledger, with clients."""
    plain = {key: text for key, text in os.environ.items() if "PHASELEDGER" not in key}
    given = {
        "PHASELEDGER_DATABASE_URL": settings.database_url,
        "PHASELEDGER_SCHEMA": settings.schema,
        "PHASELEDGER_PARTITIONS": settings.partitions,
        "PHASELEDGER_KEYS_DIR": stack.enter_context(tempfile.TemporaryDirectory()),
        "PHASELEDGER_PUBLISHED_DIR": stack.enter_context(tempfile.TemporaryDirectory()),
        "PHASELEDGER_WRITE_RATE": "0",  # all clients have one address
        "PHASELEDGER_READ_RATE": "0",
        "PHASELEDGER_WORK_RATE": "0",
        "PHASELEDGER_TABLES_PER_ADDRESS": "0",
        "PHASELEDGER_BOT_GAMES_PER_ADDRESS": "0",
    }
    ready = "/health/ready"
    at = stack.enter_context(
        server(("-m", "phaseledger.service.cli.main", "serve"), plain | given, ready)
    )
    games = [[at.port, *game] for game in tables(at.port, clients)]
    return Target([at], stack.enter_context(load(games)), ready)


def appended(listed: tuple[PartitionLocation, ...], seconds: float) -> float:
    """Appends a second by callers that wait for the commit of each."""
    return asyncio.run(_appended(listed, seconds))


async def _appended(listed: tuple[PartitionLocation, ...], seconds: float) -> float:
    done = 0

    async def call(store: PostgresStore, game: UUID, until: float) -> None:
        nonlocal done
        version = 0
        while time.perf_counter() < until:
            versions = range(version + 1, version + 4)
            await store.append(
                game, [Row(n, "CardDrawn/1", b"x" * 330, b"0" * 32) for n in versions]
            )
            version, done = version + 3, done + 1

    async with _Opened(listed) as stores:
        began = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for caller in range(CALLERS):
                number = caller % len(stores)
                game = id_in(number + 1, uuid4().bytes)
                tasks.create_task(call(stores[number], game, began + seconds))
        return done / (time.perf_counter() - began)


class _Opened:
    def __init__(self, listed: tuple[PartitionLocation, ...]) -> None:
        self._stores = [PostgresStore(place.dsn, schema=place.schema) for place in listed]

    async def __aenter__(self) -> list[PostgresStore]:
        for store in self._stores:
            await store.open()
        return self._stores

    async def __aexit__(self, *_: object) -> None:
        for store in self._stores:
            await store.close()


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=4.0, help="each ledger in each round")
    given = parser.parse_args()
    seconds, rounds = (0.5, 1) if given.quick else (given.seconds, given.rounds)
    folder = Path(tempfile.mkdtemp(prefix="pl-"))
    results = Results("partitions", [])
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        settings_of = ledgers(stack, folder)
        for settings in settings_of.values():
            prepare(settings)
        works: dict[str, Callable[[], float]] = {
            name: partial(appended, places(settings), seconds)
            for name, settings in settings_of.items()
        }
        # Apart, because the rows of this measurement are no games that a node could resume.
        appends = interleaved(works, rounds)
        for settings in settings_of.values():
            _empty(settings)
        commands = interleaved(
            {
                name: partial(_rate, node(stack, settings, given.clients), given.clients, seconds)
                for name, settings in settings_of.items()
            },
            rounds,
        )
    for what, measured in (("commands over HTTP", commands), ("appends in process", appends)):
        for name, values in measured.items():
            beside = measured[ALONE] if name != ALONE else ()
            label = f"{what}, {name}"
            results.rows.append(
                row(label, "per second", values, baseline=ALONE if beside else "", beside=beside)
            )
    results.notes.append(
        "One node is one process and bound by its own processor time; all servers share the disk "
        "and the cores of one machine, so the figures show what partitions cost, not what more "
        "machines bring."
    )
    for line in results.rows:
        print(show(line))
    write(results, given.json)
    return 0


def _rate(target: Target, clients: int, seconds: float) -> float:
    return target.play(clients, seconds).rate


def _empty(settings: Settings) -> None:
    """Start the ledger anew."""
    import psycopg
    from psycopg.sql import SQL, Identifier

    for place in places(settings):
        with psycopg.connect(place.dsn) as conn:
            conn.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(place.schema)))
    prepare(settings)


if __name__ == "__main__":
    sys.exit(main())
