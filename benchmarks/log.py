"""Measure what the public log costs: appends, checkpoints and proofs beside a growing tree.

    python benchmarks/log.py [--million] [--rounds N]

Uses a throw-away PostgreSQL. Fills the log to 1,000 and 100,000 leaves (and 1,000,000) and measures
at each size: an append of a command's three events, without a signer and with one that signs ten
times a second; 99 events from their append to the checkpoint over them; proofs. Exits with 1 when
an append beside the largest tree takes twice as long as beside the smallest.
"""

import argparse
import asyncio
import hashlib
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import psycopg

sys.path.insert(0, str(Path(__file__).parent.parent))

from phaseledger.replay.signing.keys import load_or_new
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.settings import Settings
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import LogSigner, signer
from phaseledger.service.transparency.tree import consistency, inclusion
from phaseledger.service.transparency.tree_postgres import PostgresTree

STATE = b"x" * 600  # bytes, about those of an event
FILL = """
    INSERT INTO phaseledger.stored_events (originator_id, originator_version, topic, state, leaf)
    SELECT gen_random_uuid(), 1, 'T/1', %s, sha256(n::text::bytea) FROM generate_series(1, %s) AS n
"""


def rows(first: int, count: int) -> list[Row]:
    """Events of a game."""
    return [
        Row(n, "T/1", STATE, hashlib.sha256(b"%d" % n).digest())
        for n in range(first, first + count)
    ]


async def timed(times: int, work: Callable[[int], Awaitable[object]]) -> float:
    """The median of so many runs, in milliseconds."""
    taken = []
    for number in range(times):
        began = time.perf_counter()
        await work(number)
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


@asynccontextmanager
async def publishing(
    store: PostgresStore, tree: PostgresTree, by: LogSigner, interval: float
) -> AsyncIterator[Publisher]:
    """A signer at work."""
    publisher, stop = Publisher(store, tree, by), asyncio.Event()
    task = asyncio.create_task(publisher.run(stop, interval))
    try:
        yield publisher
    finally:
        stop.set()
        await task


async def measure(dsn: str, size: int, rounds: int, folder: Path) -> dict[str, float]:
    """Fill the log up to the size, and measure beside it."""
    by = signer(load_or_new(folder)[0], "bench", folder)
    tree, figures = PostgresTree(dsn, by.origin), dict[str, float]()
    async with PostgresStore(dsn) as store:
        await tree.open()
        with psycopg.connect(dsn) as conn:
            conn.execute(FILL, (STATE, size - (await tree.head()).size))
        game = uuid4()
        began = time.perf_counter()
        async with publishing(store, tree, by, 60.0) as it:
            await store.append(game, rows(1, 1))
            assert await it.covered(game, 1, 600)
            figures["taken in, s"] = time.perf_counter() - began

            async def signed(number: int) -> None:
                await store.append(game, rows(2 + 99 * number, 99))
                assert await it.covered(game, 1 + 99 * (number + 1), 60)

            figures["checkpoint, ms"] = await timed(rounds, signed)

        async def append(_: int) -> None:
            await store.append(uuid4(), rows(1, 3))

        figures["append, ms"] = await timed(10 * rounds, append)
        async with publishing(store, tree, by, 0.1):
            figures["append beside a signer, ms"] = await timed(10 * rounds, append)
        head = await tree.head()
        at = [head.size * n // rounds for n in range(rounds)]
        figures["inclusion, ms"] = await timed(
            rounds, lambda n: inclusion(tree, 1, at[n], head.size)
        )
        figures["index, ms"] = await timed(rounds, lambda n: tree.index(game, 1 + n))
        figures["consistency, ms"] = await timed(
            rounds, lambda n: consistency(tree, at[n] or 1, head.size)
        )
        await tree.close()
    return figures


def main() -> int:
    """Measure at each size and print the ratios to the first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--million", action="store_true", help="1,000,000 leaves as well")
    parser.add_argument("--rounds", type=int, default=50)
    given = parser.parse_args()
    sizes = [1_000, 100_000, *([1_000_000] if given.million else [])]
    data_dir = Path(tempfile.mkdtemp(prefix="pl-"))
    try:
        with embedded_postgres(data_dir) as dsn:
            prepare(Settings(database_url=dsn))
            measured = [
                asyncio.run(measure(dsn, size, given.rounds, data_dir / "keys")) for size in sizes
            ]
    finally:
        shutil.rmtree(data_dir)
    print("".ljust(30), *(f"{size:>12,}" for size in sizes), "   ratio")
    for name in measured[0]:
        ratio = measured[-1][name] / measured[0][name]
        print(name.ljust(30), *(f"{sizes[name]:>12.2f}" for sizes in measured), f"{ratio:>8.2f}")
    slower = measured[-1]["append beside a signer, ms"] / measured[0]["append beside a signer, ms"]
    return int(slower >= 2)


if __name__ == "__main__":
    sys.exit(main())
