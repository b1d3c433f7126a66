"""Plant faults between a service and a pair of database servers, and hold the log against answers.

    python benchmarks/nemesis.py [--rounds N] [--failovers N] [--lagging N] [--clients N]
                                 [--seed TEXT]

In each round the clients play on while one fault after another is planted, in a seeded order: all
connections cut, a server that falls silent while its host lives, a read-only server, a crash of the
primary, a lock on the log, a crash of the service. After each of them every acknowledged command
has to be in the log as it was answered, and every client gets on without a restart. A failover is
to a standby that commits wait for, and may lose nothing; a lagging one has gone back, and may lose
no game: the service plays on without holes, or refuses to write behind what it has published.
Exits with 1 when anything is lost, and says what.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import psycopg
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent.parent))

from phaseledger.replay.audit.audit import audit
from phaseledger.replay.records.source import read_store
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings
from tests.support.crash_campaign import Campaign, campaign
from tests.support.player import Lost
from tests.support.polling import eventually
from tests.support.service.replication import Pair, replicated

SILENCE = 20.0  # seconds; more than it takes to cut off a server that does not answer
MOMENT = 3.0  # seconds that other faults last
ENOUGH = 5  # answers for each client before the next fault

console = Console(stderr=True)


def cut(pair: Pair, _: Campaign) -> None:
    """Break off every connection."""
    pair.wire.break_off()


def silence(pair: Pair, _: Campaign) -> None:
    """Swallow all answers for a while; the connections stay."""
    pair.wire.swallows = True
    time.sleep(SILENCE)
    pair.wire.swallows = False


def read_only(pair: Pair, _: Campaign) -> None:
    """Let the server refuse writes for a while, as in a planned switchover."""
    pair.primary.setting("default_transaction_read_only", "on")
    pair.wire.break_off()
    time.sleep(MOMENT)
    with psycopg.connect(pair.primary.dsn, autocommit=True) as conn:
        conn.execute("SET transaction_read_only = off")
        conn.execute("ALTER SYSTEM RESET default_transaction_read_only")
        conn.execute("SELECT pg_reload_conf()")
    pair.wire.break_off()


def crash(pair: Pair, _: Campaign) -> None:
    """Crash the primary and start it again."""
    pair.primary.stop()
    pair.primary.start()


def lock(pair: Pair, _: Campaign) -> None:
    """Lock the log for a while."""
    with psycopg.connect(pair.primary.dsn) as conn:
        conn.execute("LOCK TABLE phaseledger.stored_events IN EXCLUSIVE MODE")
        time.sleep(MOMENT)


def kill(_: Pair, running: Campaign) -> None:
    """Kill the service and start it again."""
    running.kill()
    running.start()


FAULTS: tuple[Callable[[Pair, Campaign], None], ...] = (cut, silence, read_only, crash, lock, kill)


@contextmanager
def ledger(clients: int, seed: str, *, synchronous: bool) -> Iterator[tuple[Pair, Campaign]]:
    """A pair of servers with a ledger, a service on it, and clients at play."""
    with replicated() as pair:
        prepare(Settings(database_url=pair.dsn))
        if synchronous:
            pair.primary.setting("synchronous_standby_names", "*")
        with campaign(pair.dsn, "phaseledger", players=clients, seed=seed) as running:
            yield pair, running


def plant_faults(clients: int, seed: str) -> tuple[int, float]:
    """Plant each fault once; the commands acknowledged, and the longest recovery in seconds."""
    order, longest = list(FAULTS), 0.0
    random.Random(seed).shuffle(order)
    with ledger(clients, seed, synchronous=False) as (pair, running):
        for fault in order:
            fault(pair, running)
            over = time.monotonic()
            running.until(lambda player: player.answered, more=1)
            longest = max(longest, time.monotonic() - over)
            running.until(lambda player: player.answered, more=ENOUGH)
            running.verify()
        running.finish()
        require_sound(pair.primary.dsn)
        return running.acknowledged(), longest


def fail_over(clients: int, seed: str) -> tuple[int, float]:
    """Fail over to a standby that has everything; the same figures."""
    with ledger(clients, seed, synchronous=True) as (pair, running):
        running.until(lambda player: player.answered, more=ENOUGH)
        pair.await_standby()
        # Taken over in the midst of play: what was acknowledged has been waited for.
        pair.primary.stop()
        pair.standby.promote()
        pair.wire.lead_to(pair.standby.port)
        over = time.monotonic()
        running.until(lambda player: player.answered, more=1)
        longest = time.monotonic() - over
        running.until(lambda player: player.answered, more=ENOUGH)
        running.dsn = pair.standby.dsn
        running.finish()
        require_sound(pair.standby.dsn)
        return running.acknowledged(), longest


def fall_behind(clients: int, seed: str) -> tuple[int, float]:
    """Fail over to a standby that lags; the commands acknowledged, and the seconds to an answer."""
    with ledger(clients, seed, synchronous=False) as (pair, running):
        pair.await_standby()
        pair.cut_replication()
        running.until(lambda player: player.answered, more=ENOUGH)
        for player in running.players:
            player.abandon.set()
        for player in running.players:
            player.join()
        pair.fail_over()
        over = time.monotonic()
        body = {"ruleset": "classic", "seats": [{"kind": "person"}] * 2}
        answered = eventually(
            lambda: httpx2.post(f"{running.url}/v1/games", json=body, timeout=20),
            lambda answer: answer.status_code == 201 or answer.json()["code"] == "ledger_behind",
        )
        longest = time.monotonic() - over
        console.log(f"{seed}: {answered.status_code} after {longest:.1f} s")
        require_sound(pair.standby.dsn)
        return running.acknowledged(), longest


def require_sound(dsn: str) -> None:
    """Audit every game; raises Lost."""
    for verdict in audit(read_store(dsn)):
        if not verdict.sound:
            raise Lost(f"game {verdict.game}: {verdict.findings}")


def main() -> int:
    """Plant, compare, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10, help="of all faults that lose nothing")
    parser.add_argument("--failovers", type=int, default=10, help="to a standby that has all")
    parser.add_argument("--lagging", type=int, default=10, help="to one that lags")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", default="nemesis")
    given = parser.parse_args()
    campaigns = (
        (f"rounds of {len(FAULTS)} faults", given.rounds, plant_faults),
        ("failovers", given.failovers, fail_over),
        ("failovers to a lagging standby", given.lagging, fall_behind),
    )
    for what, times, plant in campaigns:
        acknowledged, longest, began = 0, 0.0, time.monotonic()
        for number in range(times):
            seed = f"{given.seed}-{number}"
            try:
                commands, seconds = plant(given.clients, seed)
            except Lost as lost:
                print(f"LOST in {what}, seed {seed}: {lost}")
                return 1
            acknowledged, longest = acknowledged + commands, max(longest, seconds)
            console.log(f"{what}: {number + 1} of {times}")
        print(
            f"{times} {what} in {time.monotonic() - began:.0f} s: {acknowledged:,} commands "
            f"acknowledged, none lost, no game damaged; every client was answered again within "
            f"{longest:.1f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
