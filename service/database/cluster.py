"""One data directory and its server: made, started, recovered, waited for and stopped.

Starting and stopping is done with the wheel's `pg_ctl`, because the wheel's own server class waits
only 10 seconds for a crash recovery, takes a process that inherited the old server's id for the
server, forgets to stop a server that a killed process had used, and leaves its socket open to every
user of the machine when the path is long.
"""

import os
import shlex
from pathlib import Path
from urllib.parse import quote

from psycopg.pq import PGconn, Ping

from phaseledger.service.database import programs
from phaseledger.service.database.errors import EmbeddedPostgresError
from phaseledger.service.database.postmaster import forget_stranger, is_running, kill_orphans
from phaseledger.service.database.waiting import Say, Wait

START_SECONDS = 3600  # a crash recovery takes as long as the log to be replayed is long
STOP_SECONDS = 120
SOCKET_NAME = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 103  # bytes; 107 on Linux, 103 on macOS
ORPHANED = "is still in use"
"""What the server says of shared memory that processes of a killed server hold."""


def dsn(cluster: Path) -> str:
    """The DSN of the directory's server."""
    # The port is named because a stray PGPORT would be taken otherwise.
    return f"postgresql://postgres@/postgres?host={quote(str(cluster), safe='')}&port=5432"


def ensure_made(cluster: Path, folder: Path | None = None) -> None:
    """Make the data directory, unless it is there, for a server of the folder or of the wheel.

    Raises EmbeddedPostgresError.
    """
    if not (cluster / "PG_VERSION").exists():
        _create(cluster, folder or programs.wheel_folder())


def ensure_running(cluster: Path, wait: Wait, say: Say) -> None:
    """Start the data directory's server unless it runs.

    Returns when the server takes connections, after a crash recovery if there must be one.

    Raises:
        EmbeddedPostgresError: the server cannot be used; the message says why.
        Stopped: the process stops.

    """
    folder = _folder_of(cluster)
    while (answer := _ping(cluster)) is not Ping.OK:
        if wait.seconds > START_SECONDS:
            raise EmbeddedPostgresError(
                f"The server on {cluster} did not become ready in {START_SECONDS} seconds. "
                f"Its log is {cluster / 'log'}."
            )
        if answer is Ping.REJECT or is_running(cluster):
            # It recovers, started by a process that died meanwhile, or it stops.
            wait.pause(lambda: _subject(cluster))
        else:
            forget_stranger(cluster, say)
            _start(cluster, folder, wait, say)


def stop(cluster: Path) -> None:
    """Stop the server, if it runs, and end its sessions.

    Raises:
        EmbeddedPostgresError: it does not stop.

    """
    process = programs.run(
        "pg_ctl", "stop", "-D", str(cluster), "--mode=fast", "--wait", f"--timeout={STOP_SECONDS}"
    )
    if process.returncode != 0 and _ping(cluster) is Ping.OK:
        raise EmbeddedPostgresError(
            f"The server on {cluster} did not stop: {_last_line(process.stderr)}"
        )


def refuse_long_path(cluster: Path) -> None:
    """Raise EmbeddedPostgresError where the path leaves no room for that of a Unix socket."""
    length = len(os.fsencode(cluster / SOCKET_NAME))
    if length > LONGEST_SOCKET_PATH:
        raise EmbeddedPostgresError(
            f"The data directory's path is {length - LONGEST_SOCKET_PATH} bytes too long for the "
            f"server's Unix socket ({cluster / SOCKET_NAME}): choose a shorter one."
        )


def _create(cluster: Path, folder: Path) -> None:
    cluster.mkdir(mode=0o700, parents=True, exist_ok=True)
    programs.give_to_server(cluster)
    programs.let_through(cluster, folder)
    process = programs.run(
        "initdb", "-D", str(cluster), "--username=postgres", "--auth=trust", "--encoding=UTF8",
        "--no-locale", "--data-checksums", "--no-instructions", folder=folder,
    )  # fmt: skip
    if process.returncode != 0:
        raise EmbeddedPostgresError(
            f"The data directory {cluster} could not be created: {_last_line(process.stderr)}"
        )


def _start(cluster: Path, folder: Path, wait: Wait, say: Say) -> None:
    programs.let_through(cluster, folder)
    options = shlex.join(
        ["-h", "", "-k", str(cluster), "-p", "5432", "-c", "unix_socket_permissions=0700"]
    )
    log = cluster / "log"
    before = log.stat().st_size if log.exists() else 0
    process = programs.run(
        "pg_ctl", "start", "-D", str(cluster), "-l", str(log), "--wait",
        f"--timeout={START_SECONDS}", "-o", options, folder=folder,
        meanwhile=lambda: wait.tell(lambda: _subject(cluster)),
    )  # fmt: skip
    if process.returncode == 0:
        return
    output = _tail(cluster, before)
    if ORPHANED in output:
        if killed := kill_orphans(cluster):
            say(
                f"the server on {cluster} was killed and left {len(killed)} processes behind, "
                "which are ended now"
            )
        wait.pause(lambda: f"the processes that a killed server has left in {cluster}")
        return
    cause = _last_line(output or process.stderr)
    raise EmbeddedPostgresError(
        f"The server on {cluster} does not start: {cause} (its log is {log})"
    )


def _subject(cluster: Path) -> str:
    """What is waited for while the server starts, in words."""
    return (
        f"the embedded server on {cluster}, which starts, recovers after a crash, or stops; "
        f"its log says last: {_last_line(_tail(cluster))}"
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
        f"this installation brings: 1. install PostgreSQL {theirs}; 2. run `phaseledger backup "
        "DIR`; 3. move the directory away; 4. run `phaseledger restore DIR`. Nothing was changed."
    )


def _tail(cluster: Path, begin: int = 0) -> str:
    """The end of the server's log from the byte ``begin``, as far as it may be read."""
    try:
        with (cluster / "log").open("rb") as log:
            log.seek(max(begin, log.seek(0, os.SEEK_END) - 2_000))
            return log.read().decode(errors="replace")
    except OSError:
        return ""


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2] or "no reason was given"
