"""One data directory and its server: made, started, recovered, waited for and stopped.

Starting and stopping is done with the wheel's `pg_ctl`, because the wheel's own server class waits
only 10 seconds for a crash recovery, takes a process that inherited the old server's id for the
server, forgets to stop a server that a killed process had used, and leaves its socket open to every
user of the machine when the path is long.
"""

import os
import shlex
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from psycopg.pq import PGconn, Ping

from phaseledger.service.database import programs
from phaseledger.service.database.errors import EmbeddedPostgresError

START_SECONDS = 3600  # a crash recovery takes as long as the log to be replayed is long
STOP_SECONDS = 120
SOCKET_NAME = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 103  # bytes; 107 on Linux, 103 on macOS
PID_FILES = ("postmaster.pid", f"{SOCKET_NAME}.lock")
HELD = ("is still in use", "already exists")
"""What a server says that does not start because of processes of a killed one, or of one that
another process starts.
"""

Say = Callable[[str], None]
"""Takes a sentence for the operator."""


class Stopped(Exception):
    """The wait is over because the process stops."""


class Wait:
    """A wait that is told after 2 seconds, and every 30 seconds from there."""

    def __init__(self, say: Say, stop: threading.Event | None = None) -> None:
        self._say = say
        self._stop = stop or threading.Event()
        self._began = time.monotonic()
        self._next = 2.0

    def pause(self, subject: str) -> float:
        """Wait for a moment; the seconds so far. Raises Stopped."""
        if self._stop.wait(0.1):
            raise Stopped
        seconds = time.monotonic() - self._began
        if seconds >= self._next:
            self._next = seconds + 30
            self._say(f"waiting for {subject} ({seconds:.0f} s so far)")
        return seconds


def dsn(cluster: Path) -> str:
    """The DSN of the directory's server."""
    # The port is named because a stray PGPORT would be taken otherwise.
    return f"postgresql://postgres@/postgres?host={quote(str(cluster), safe='')}&port=5432"


def is_made(cluster: Path) -> bool:
    """Whether the data directory is there."""
    return (cluster / "PG_VERSION").exists()


def ensure_made(cluster: Path, folder: Path | None = None) -> None:
    """Make the data directory, unless it is there, for a server of the folder or of our own.

    Raises EmbeddedPostgresError.
    """
    if is_made(cluster):
        return
    folder = folder or programs.own_folder()
    cluster.mkdir(mode=0o700, parents=True, exist_ok=True)
    programs.give_to_server(cluster)
    programs.let_through(cluster, folder)
    code, complaints = programs.run(
        "initdb", "-D", str(cluster), "--username=postgres", "--auth=trust", "--encoding=UTF8",
        "--no-locale", "--data-checksums", "--no-instructions", folder=folder,
    )  # fmt: skip
    if code != 0:
        raise EmbeddedPostgresError(
            f"The data directory {cluster} could not be created: {_last_line(complaints)}"
        )


def is_down(cluster: Path) -> bool:
    """Whether no server answers; one that starts, recovers or stops does."""
    return _ping(cluster) is Ping.NO_RESPONSE


def ensure_running(cluster: Path, wait: Wait) -> None:
    """Start the data directory's server unless it runs.

    Returns when the server takes connections, after a crash recovery if there must be one.

    Raises:
        EmbeddedPostgresError: the server cannot be used; the message says why.
        Stopped: the process stops.

    """
    while (answer := _ping(cluster)) is not Ping.OK:
        if answer is Ping.NO_RESPONSE:
            _start(cluster, wait)
        if wait.pause(_subject(cluster)) > START_SECONDS:
            raise EmbeddedPostgresError(
                f"The server on {cluster} did not become ready in {START_SECONDS} seconds. "
                f"Its log is {cluster / 'log'}."
            )


def stop(cluster: Path) -> None:
    """Stop the server, if it runs, and end its sessions.

    Raises:
        EmbeddedPostgresError: it does not stop.

    """
    code, complaints = programs.run(
        "pg_ctl", "stop", "-D", str(cluster), "--mode=fast", "--wait", f"--timeout={STOP_SECONDS}"
    )
    if code != 0 and not is_down(cluster):
        raise EmbeddedPostgresError(
            f"The server on {cluster} did not stop: {_last_line(complaints)}"
        )


def refuse_long_path(cluster: Path) -> None:
    """Raise EmbeddedPostgresError where the path is too long for a Unix socket below it."""
    length = len(os.fsencode(cluster / SOCKET_NAME))
    if length > LONGEST_SOCKET_PATH:
        raise EmbeddedPostgresError(
            f"The data directory's path is {length - LONGEST_SOCKET_PATH} bytes too long for the "
            f"server's Unix socket ({cluster / SOCKET_NAME}): choose a shorter one."
        )


def _start(cluster: Path, wait: Wait) -> None:
    """Start the server; returns when it takes connections, or is held up by another process."""
    folder = _folder_of(cluster)
    programs.let_through(cluster, folder)
    for file in (cluster / name for name in PID_FILES):
        if _is_stranger(file, cluster):
            file.unlink()
    options = shlex.join(
        ["-h", "", "-k", str(cluster), "-p", "5432", "-c", "unix_socket_permissions=0700"]
    )
    log = cluster / "log"
    before = log.stat().st_size if log.exists() else 0
    with programs.started(
        "pg_ctl", "start", "-D", str(cluster), "-l", str(log), "--wait",
        f"--timeout={START_SECONDS}", "-o", options, folder=folder,
    ) as process:  # fmt: skip
        try:
            while process.poll() is None:
                wait.pause(_subject(cluster))
        except BaseException:
            process.send_signal(signal.SIGINT)  # `pg_ctl` takes back the start
            raise
        complaints = process.stderr.read() if process.stderr else ""
    output = _tail(log, before)
    if process.returncode != 0 and not any(words in output for words in HELD):
        raise EmbeddedPostgresError(
            f"The server on {cluster} does not start: {_last_line(output or complaints)} "
            f"(its log is {log})"
        )


def _is_stranger(pid_file: Path, cluster: Path) -> bool:
    """Whether the file names a living process which is not this directory's server.

    After a crash, or a restart of the machine or the container, that id may belong to any process.
    PostgreSQL asks only whether a process of its own user has it, and refuses to start if so. A
    server's working directory is its data directory. Without /proc PostgreSQL alone decides.
    """
    try:
        process = Path("/proc", pid_file.read_text("ascii").split()[0])
    except (OSError, IndexError, ValueError):
        return False
    try:
        return not (process / "cwd").samefile(cluster)
    except FileNotFoundError:
        return process.exists()  # dead, and its parent has not asked after it
    except OSError:
        return False


def _subject(cluster: Path) -> str:
    """The subject of a wait while the server starts."""
    return (
        f"the embedded server on {cluster}, which starts, recovers after a crash, or stops; "
        f"its log says last: {_last_line(_tail(cluster / 'log'), 'nothing yet')}"
    )


def _ping(cluster: Path) -> Ping:
    return Ping(PGconn.ping(f"{dsn(cluster)}&connect_timeout=2".encode()))


def _folder_of(cluster: Path) -> Path:
    """The folder with the programs of the data's major; raises EmbeddedPostgresError."""
    try:
        theirs = (cluster / "PG_VERSION").read_text().strip()
    except OSError as error:
        raise EmbeddedPostgresError(
            f"The data in {cluster} are not there any more, or cannot be read: {error.strerror}."
        ) from error
    if folder := programs.server_folder(theirs):
        return folder
    raise EmbeddedPostgresError(
        f"The data in {cluster} were written by PostgreSQL {theirs}, and no server of {theirs} is "
        f"found, on PATH or in {programs.DEBIAN / theirs / 'bin'}. To move them to the one that "
        f"this installation brings: 1. install PostgreSQL {theirs}; 2. run `phaseledger admin "
        "backup DIR`; 3. move the directory away; 4. run `phaseledger admin restore DIR`. Nothing "
        "was changed."
    )


def _tail(log: Path, begin: int = 0) -> str:
    """The end of the server's log from the byte ``begin``, as far as it may be read."""
    try:
        with log.open("rb") as file:
            file.seek(max(begin, file.seek(0, os.SEEK_END) - 2_000))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _last_line(text: str, otherwise: str = "no reason was given") -> str:
    return text.strip().rpartition("\n")[2] or otherwise
