"""A guard that stops the embedded server when its last user was killed.

Whoever uses the server starts a guard and holds the other end of its standard input, which closes
when the user dies, however it dies. The guard is a shell that waits for that, so that it costs next
to nothing; only then does it become this module, which waits until nobody else uses the server and
stops it.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import phaseledger
from phaseledger.service.database.shared_server import USERS, SharedServer

WAIT_FOR_END = 'read -r _; exec "$@"'
MODULE = "phaseledger.service.database.orphan_guard"  # which is __main__ once it runs


@contextmanager
def guarded(home: Path) -> Iterator[None]:
    """Have the server on the data directory stopped if this process dies during the block."""
    package_parent = str(Path(phaseledger.__file__).parents[1])
    process = subprocess.Popen(
        ["/bin/sh", "-c", WAIT_FOR_END, "phaseledger-guard", sys.executable, "-m", MODULE, home],
        env={**os.environ, "PYTHONPATH": package_parent},
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # whoever reads ours would wait for the guard's end too
        start_new_session=True,  # what ends our group, or is typed at our terminal, does not end it
    )
    try:
        yield
    finally:
        process.kill()
        process.communicate()


def stop_without_users(home: Path) -> None:
    """Wait until no process uses the server, and stop it."""
    if (home / USERS).exists():
        server = SharedServer(home)
        server.await_last()
        server.leave(lambda _: None)
        server.close()


if __name__ == "__main__":
    stop_without_users(Path(sys.argv[1]))
