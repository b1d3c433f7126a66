"""Switch and fail over a pair that Patroni manages, under play, and hold the log against answers.

    python benchmarks/patroni.py [--switchovers N] [--failovers N] [--clients N] [--seed TEXT]
                                 [--asynchronous]

etcd, two Patroni nodes and HAProxy, which asks Patroni which of them is the primary, on loopback
ports; the service and its clients know HAProxy's address alone. A switchover is planned; in a
failover the primary's Patroni and all of its server's processes are killed, and come back once the
standby serves. After each of them every acknowledged command has to be in the log as it was
answered, and every client gets on without a restart. With `--asynchronous` commits wait for no
standby: commands may be lost by a failover, which are counted, and no game may be damaged. Exits
with 1 when anything is lost that must not be, and says what; with 2 where the programs are not
installed.
"""

import argparse
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.faults import ENOUGH, end_in_order
from benchmarks.nemesis import (
    await_ready,
    await_views,
    go_on,
    recovery,
    require_sound,
)
from benchmarks.patroni_cluster import Cluster, Node, managed_pair, missing_packages
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings
from tests.support.crash_campaign import Campaign, campaign
from tests.support.player import Lost, Player

LOOK = 0.05  # seconds between two tries to write
LONGEST = 300.0  # seconds that a takeover may take

console = Console(stderr=True)


class Takeovers:
    """The takeovers of one kind, with the figures measured."""

    def __init__(self, cluster: Cluster, running: Campaign, *, synchronous: bool) -> None:
        self._cluster = cluster
        self._running = running
        self._state = "sync" if synchronous else "async"
        self.outages: list[float] = []
        """The seconds from the beginning until the address leads to a writable server again."""
        self.recoveries: list[float] = []
        """The seconds from then until every client had a command acknowledged."""
        self.lost = 0
        """How many acknowledged commands the promoted standby lacked."""

    def switch_over(self) -> None:
        """Have the standby take over as planned. Raises Lost."""
        primary = self._prepared()
        done = threading.Event()
        with ThreadPoolExecutor() as pool:  # Patroni answers some time after all is over
            measured = pool.submit(self._measure, done)
            answer = primary.switch_over(self._cluster.other(primary))
            done.set()
            measured.result()
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
        self._require_whole()

    def _measure(self, done: threading.Event) -> None:
        began = time.monotonic()
        while self._cluster.is_writable() and not done.is_set():
            time.sleep(LOOK)
        self._outlast(began)
        self.recoveries.append(recovery(self._running))

    def fail_over(self) -> None:
        """Kill the primary and its Patroni, and have them back after the promotion. Raises Lost."""
        primary = self._prepared()
        began = time.monotonic()
        primary.kill()
        # Clients that were told what the standby lacks would rightly complain.
        retired = self._running.retire() if self._state == "async" else []
        self._outlast(began)
        if retired:
            self._running.recruit()
        self.recoveries.append(recovery(self._running))
        self._require_whole()
        self.lost += self._running.missing(retired)
        for played in (played for player in retired for played in player.played):
            go_on(self._running.url, played)
        require_sound(self._cluster.dsn)
        primary.start()
        self._cluster.await_standby(self._state)

    def _prepared(self) -> Node:
        """The primary, once the standby follows and all clients are at play."""
        self._cluster.await_standby(self._state)
        self._running.until(Player.acknowledged, more=ENOUGH)
        return self._cluster.primary()

    def _outlast(self, began: float) -> None:
        """Wait until the address leads to a writable server again."""
        while not self._cluster.is_writable():
            assert time.monotonic() - began < LONGEST, self._cluster.log_tail()
            time.sleep(LOOK)
        self.outages.append(time.monotonic() - began)

    def _require_whole(self) -> None:
        """Compare the log with the answers and audit it; the service has to be ready."""
        self._running.until(Player.acknowledged, more=ENOUGH)
        self._running.verify()
        await_ready(self._running)
        require_sound(self._cluster.dsn)
        console.log(f"{self.outages[-1]:.1f} s, and {self.recoveries[-1]:.1f} s to the answers")


def campaigns(given: argparse.Namespace) -> None:
    """Take over as often as asked for, and sum up. Raises Lost."""
    synchronous = not given.asynchronous
    with ExitStack() as stack:
        cluster = stack.enter_context(managed_pair(synchronous=synchronous))
        prepare(Settings(database_url=cluster.dsn))
        running = stack.enter_context(
            campaign(cluster.dsn, "phaseledger", players=given.clients, seed=given.seed)
        )
        for what, times in (("switchovers", given.switchovers), ("failovers", given.failovers)):
            takeovers = Takeovers(cluster, running, synchronous=synchronous)
            run = takeovers.switch_over if what == "switchovers" else takeovers.fail_over
            commands, began = running.acknowledged(), time.monotonic()
            for _ in range(times):
                run()
            if times:
                print(
                    f"{times} {what} in {time.monotonic() - began:.0f} s: "
                    f"{running.acknowledged() - commands:,} commands acknowledged, "
                    f"{takeovers.lost or 'none'} lost, no game damaged; writable again "
                    f"{spread(takeovers.outages)} after the beginning, and from then every client "
                    f"answered within {spread(takeovers.recoveries)}"
                )
        running.finish()
        await_views(running)
        require_sound(cluster.dsn)


def spread(seconds: Sequence[float]) -> str:
    """The median and the most."""
    return f"{sorted(seconds)[len(seconds) // 2]:.1f} s (median; {max(seconds):.1f} s at most)"


def main() -> int:
    """Take over, compare, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--switchovers", type=int, default=10, help="planned")
    parser.add_argument("--failovers", type=int, default=10, help="after a kill of the primary")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", default="patroni")
    parser.add_argument("--asynchronous", action="store_true", help="commits wait for no standby")
    given = parser.parse_args()
    if missing := missing_packages():
        print(f"This needs programs of the Debian packages {', '.join(missing)}; install them by")
        print(f"  apt-get install --no-install-recommends {' '.join(missing)}")
        return 2
    end_in_order()
    try:
        campaigns(given)
    except Lost as lost:
        print(f"LOST: {lost}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
