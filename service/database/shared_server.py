"""The server of a data directory as several processes share it."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phaseledger.service.database import cluster as clusters
from phaseledger.service.database.errors import EmbeddedPostgresError
from phaseledger.service.database.waiting import Say, Wait

USERS = "using.lock"
"""The lock that users share, beside the data."""


class SharedServer:
    """The server of a data directory, which several processes use.

    Two locks in the directory order them: who starts or stops the server holds the one for that
    long, and who uses it holds a share of the other. Locks of flock die with their process, however
    it dies.

    Raises:
        EmbeddedPostgresError: this user cannot use the directory.

    """

    def __init__(self, home: Path) -> None:
        self.cluster = home / "cluster"  # apart from the locks: initdb wants an empty directory
        clusters.refuse_long_path(self.cluster)
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._switching = os.open(home / "switching.lock", os.O_RDWR | os.O_CREAT, 0o600)
            self._using = os.open(home / USERS, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise EmbeddedPostgresError(
                f"The data directory {home} cannot be used by this user: {error.strerror}."
            ) from error

    def join(self, say: Say) -> None:
        """Count as a user of the server, and start it unless it runs, with new data if need be.

        Raises:
            EmbeddedPostgresError: it cannot be started.

        """
        wait = Wait(say)
        with self._switch(wait):
            fcntl.flock(self._using, fcntl.LOCK_SH)
            clusters.ensure_made(self.cluster)
            clusters.ensure_running(self.cluster, wait, say)

    def restart(self, say: Say, stop: threading.Event) -> None:
        """Start the server on the data that are there, unless it runs.

        Raises:
            EmbeddedPostgresError: it cannot be started.
            Stopped: the event is set.

        """
        wait = Wait(say, stop)
        with self._switch(wait):
            clusters.ensure_running(self.cluster, wait, say)

    def leave(self, say: Say) -> None:
        """Stop the server, unless another process uses it. Raises EmbeddedPostgresError."""
        with self._switch(Wait(say)):
            try:
                fcntl.flock(self._using, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            clusters.stop(self.cluster)

    def await_last(self) -> None:
        """Wait until no process uses the server."""
        fcntl.flock(self._using, fcntl.LOCK_EX)
        fcntl.flock(self._using, fcntl.LOCK_UN)  # never held while `switching` is waited for

    def close(self) -> None:
        """Give the locks up."""
        os.close(self._using)
        os.close(self._switching)

    @contextmanager
    def _switch(self, wait: Wait) -> Iterator[None]:
        while True:
            try:
                fcntl.flock(self._switching, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                wait.pause(
                    lambda: f"another process, which starts or stops the server on {self.cluster}"
                )
        try:
            yield
        finally:
            fcntl.flock(self._switching, fcntl.LOCK_UN)
