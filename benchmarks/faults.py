"""The faults of `nemesis.py`: of the network, of the database's server, of the service's processes.

Each of them lasts for a moment and returns when it is over, so that the time until everybody is
answered again can be taken from there. Which pieces of the network's traffic are hit is drawn from
the seed, but threads take their turns by chance.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path

import httpx2
import psycopg

from tests.support.crash_campaign import Campaign
from tests.support.player import Lost, Player
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.node_clocks import faketime_library, shifted_python, shifted_system
from tests.support.service.nodes import node
from tests.support.service.replication import Pair

SILENCE = 20.0  # seconds; more than it takes to cut off a server that does not answer
MOMENT = 3.0  # seconds that other faults last
SLOW = 0.2  # seconds that a piece is held back at most
SHARE = 0.03  # of the pieces is lost
AHEAD = 120  # seconds
TOLERANCE = 1.0  # seconds that an event may be dated ahead of the database
ENOUGH = 5  # commands for each client before the next fault
DISK = 400  # MB of the small disk


def end_in_order() -> None:
    """Have SIGTERM end this process as an exception would, with all that it has started."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


Fault = Callable[[Pair, Campaign], None]


# --- the network --------------------------------------------------------------------------------


def cut(pair: Pair, _: Campaign) -> None:
    """Break off every connection."""
    pair.wire.break_off()


def lose(pair: Pair, running: Campaign) -> None:
    """Break connections off in the place of single answers, which are lost with them."""
    chance = random.Random(running.seed)
    pair.wire.lose = lambda _: chance.random() < SHARE
    time.sleep(MOMENT)
    pair.wire.lose = lambda _: False


def delay(pair: Pair, running: Campaign) -> None:
    """Hold every piece back for a while, either way."""
    chance = random.Random(running.seed)
    pair.wire.delay = lambda: chance.uniform(0, SLOW)
    time.sleep(MOMENT)
    pair.wire.delay = lambda: 0.0


def drop(pair: Pair, running: Campaign) -> None:
    """Lose single pieces either way, behind which their connection says nothing any more.

    Such connections outlast the fault, until the service cuts them off.
    """
    chance = random.Random(running.seed)
    pair.wire.drop = lambda: chance.random() < SHARE
    time.sleep(MOMENT)
    pair.wire.drop = lambda: False


def silence(pair: Pair, _: Campaign) -> None:
    """Swallow all answers for a while; the connections stay."""
    pair.wire.swallows = True
    time.sleep(SILENCE)
    pair.wire.swallows = False


# --- the database's server ----------------------------------------------------------------------


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


def full_disk(pair: Pair, running: Campaign) -> None:
    """Fill the primary's disk until every client was refused, then make room."""
    ballast = pair.primary.folder.parent / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file:
            goal = {player: player.refused + 1 for player in running.players}
            while any(player.refused < refusals for player, refusals in goal.items()):
                _fill(file.fileno())  # again and again: the server gives room back, and takes it
                time.sleep(0.1)
    finally:
        ballast.unlink()
    if not pair.primary.is_running():  # it cannot recover from a crash without room either
        pair.primary.start()
    _await_writable(pair)


def _fill(file: int) -> None:
    for size in (1 << 20, 1 << 12):
        with suppress(OSError):
            while True:
                os.write(file, bytes(size))


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A small file system in memory on that folder."""
    mount = ("mount", "-t", "tmpfs", "-o", f"size={DISK}m", "phaseledger", str(folder))
    subprocess.run(mount, check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(("umount", str(folder)), check=True)


def may_mount() -> bool:
    """Whether this user may mount file systems."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with small_disk(Path(folder)):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


def backend(pair: Pair, running: Campaign) -> None:
    """Kill a process that carries out statements; the server then restarts all of its own."""
    backends = pair.primary.processes("client backend")
    random.Random(running.seed).choice(backends).kill()
    _await_writable(pair)


def checkpointer(pair: Pair, _: Campaign) -> None:
    """Kill the process that writes checkpoints."""
    pair.primary.processes("checkpointer")[0].kill()
    _await_writable(pair)


def walwriter(pair: Pair, _: Campaign) -> None:
    """Kill the process that writes the write-ahead log."""
    pair.primary.processes("walwriter")[0].kill()
    _await_writable(pair)


def _await_writable(pair: Pair) -> None:
    def is_writable() -> bool:
        try:
            return pair.primary.execute("SELECT pg_is_in_recovery()") == [(False,)]
        except psycopg.OperationalError:
            return False

    eventually(is_writable)


# --- the service's processes --------------------------------------------------------------------


def kill(_: Pair, running: Campaign) -> None:
    """Kill the service and start it again."""
    running.kill()
    running.start()


def kill_worker(_: Pair, running: Campaign) -> None:
    """Kill the process that serves; its supervisor ends, and the service is started again."""
    running.kill_worker()
    running.start()


def kill_supervisor(_: Pair, running: Campaign) -> None:
    """Kill the process that supervises; the other one ends, and the service is started again."""
    running.kill_supervisor()
    running.start()


def kill_follower(pair: Pair, running: Campaign) -> None:
    """Let a worker take the views over from a killed service, and kill it: they are taken back."""
    settings = running.settings().items()
    process = subprocess.Popen(
        [sys.executable, "-m", "phaseledger.service.cli.main", "worker"],
        env=os.environ | {f"PHASELEDGER_{name.upper()}": text for name, text in settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        first = eventually(lambda: _follower(pair))
        running.kill()
        second = eventually(lambda: _follower(pair), lambda holder: holder not in {None, first})
        running.start()
        running.until(Player.acknowledged, more=1)
    finally:
        process.kill()
        process.wait()
    eventually(lambda: _follower(pair), lambda holder: holder not in {None, second})


def _follower(pair: Pair) -> object:
    """The server's process for whoever keeps the views up; None: nobody does."""
    rows = pair.primary.execute(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted "
        "AND (classid::bigint << 32) | objid::bigint = hashtextextended('follow phaseledger', 0)"
    )
    return rows[0][0] if rows else None


def wrong_clock(pair: Pair, running: Campaign) -> None:
    """Play through a second node whose clock is ahead; the database dates all events."""
    library = faketime_library()
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(sys.stderr))  # the node's own words
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "shifted"
        shifted = (
            shifted_system(library, folder, AHEAD) if library else shifted_python(folder, AHEAD)
        )
        port = stack.enter_context(free_port())
        stack.enter_context(node(port, running.settings(), shifted))
        guest = Player(f"http://127.0.0.1:{port}", f"{running.seed}-guest-{len(running.guests)}")
        running.guests.append(guest)
        stack.callback(guest.abandon.set)
        guest.start()
        # Without a word of this in its readiness its clock would not have been wrong at all.
        eventually(lambda: _is_clock_wrong(port))
        eventually(guest.acknowledged, lambda count: count >= ENOUGH or not guest.is_alive())
        guest.finish.set()
        guest.join()
        if guest.failure is not None:
            raise guest.failure
    with psycopg.connect(pair.primary.dsn) as conn:
        rows = conn.execute("SELECT state FROM phaseledger.stored_events").fetchall()
        ((now,),) = conn.execute("SELECT extract(epoch FROM clock_timestamp())").fetchall()
    latest = max(json.loads(state)["at"] for (state,) in rows) / 1000  # hidden parts are sealed
    if latest > float(now) + TOLERANCE:
        raise Lost(f"an event is dated {latest - float(now):.1f} s ahead of the database")


def _is_clock_wrong(port: int) -> bool:
    """Whether the node on that port says that its clock differs from the database's."""
    try:
        checks = httpx2.get(f"http://127.0.0.1:{port}/health/ready", timeout=20).json()["checks"]
    except (httpx2.TransportError, KeyError):
        return False
    return "ahead of the database's" in checks["clock"]["reason"]


FAULTS: tuple[Fault, ...] = (
    *(cut, lose, delay, drop, silence),
    *(read_only, crash, lock, full_disk, backend, checkpointer, walwriter),
    *(kill, kill_worker, kill_supervisor, kill_follower, wrong_clock),
)
