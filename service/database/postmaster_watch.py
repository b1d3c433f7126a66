"""A watch over the embedded server: one that dies while it is used is started again."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from phaseledger.service.database.errors import EmbeddedPostgresError
from phaseledger.service.database.postmaster import is_running
from phaseledger.service.database.shared_server import SharedServer
from phaseledger.service.database.waiting import Stopped

LOOK = 0.25  # seconds between two looks at the server's process
SHORTEST, LONGEST = 1.0, 60.0  # seconds between two attempts; each pause is twice the one before
STEADY = 60.0  # seconds after which a server that runs counts as well

log = structlog.get_logger("phaseledger.database")


@contextmanager
def watched(server: SharedServer) -> Iterator[None]:
    """Start the server again whenever its process dies during the block."""
    stop = threading.Event()
    thread = threading.Thread(target=_watch, args=(server, stop), name="postmaster", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _watch(server: SharedServer, stop: threading.Event) -> None:
    directory, delay, started = str(server.cluster), 0.0, time.monotonic()
    while not stop.wait(LOOK):
        if is_running(server.cluster):
            continue
        if time.monotonic() - started > STEADY:
            delay = 0.0
        log.error("the embedded server has died", directory=directory)
        while not stop.wait(delay):
            delay = min(LONGEST, max(SHORTEST, 2 * delay))
            try:
                server.restart(log.warning, stop)
            except Stopped:
                return
            except (EmbeddedPostgresError, OSError) as error:
                reason = str(error)
                log.error("the embedded server does not start", reason=reason, again_in=delay)  # noqa: TRY400
            else:
                log.info("the embedded server runs again", directory=directory)
                break
        started = time.monotonic()
