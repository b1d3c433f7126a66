"""Graceful shutdown: clients close their kept connections before the server does.

A client may send its next request on a kept connection at any moment, also while the server closes
it, and cannot tell then whether it was carried out. So a process that is asked to stop goes on
answering for a while, closes each connection with an answer that says so, and only then stops: with
no connection open, or with idle ones only.
"""

import asyncio
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LOOK = 0.02  # seconds between two looks at the open connections
DEFERRED = 5  # seconds that the system keeps a new connection to itself until a request comes
_DESCRIPTORS = (Path("/proc/self/fd"), Path("/dev/fd"))


class Shutdown:
    """The shutdown of this process, from the first signal or request for it."""

    def __init__(self, seconds: float) -> None:
        self.has_begun = False
        """Whether answers have to close their connections."""
        self._seconds = seconds

    def begin(self) -> None:
        """Close each connection with its answer from now on; accept one only with a request.

        The server would close a new connection although its client is about to send a request.
        """
        self.has_begun = True
        for tcp in _sockets():
            with suppress(OSError):  # not open any more
                if sys.platform == "linux" and _listens(tcp):
                    tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, DEFERRED)

    async def linger(self) -> None:
        """Wait until clients have no connection open, for a limited time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                while has_open_connections():
                    await asyncio.sleep(LOOK)


def has_open_connections() -> bool:
    """Whether a client is connected to a socket that this process listens on.

    The server does not tell, so the process checks its own descriptors; where it cannot, the answer
    is yes.
    """
    listening, connected = set[int](), set[int]()
    for tcp in _sockets():
        with suppress(OSError):  # it is not connected any more
            listens = _listens(tcp)
            if not listens:
                tcp.getpeername()
            (listening if listens else connected).add(tcp.getsockname()[1])
    return bool(listening & connected) or not listening


def _listens(tcp: socket.socket) -> bool:
    return bool(tcp.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def _sockets() -> Iterator[socket.socket]:
    """The sockets of TCP that this process has open, each borrowed for one step."""
    folder = next((folder for folder in _DESCRIPTORS if folder.is_dir()), None)
    for entry in folder.iterdir() if folder else ():
        try:
            borrowed = socket.socket(fileno=int(entry.name))
        except OSError:  # no socket, or not any more
            continue
        try:
            if borrowed.family in (socket.AF_INET, socket.AF_INET6):
                yield borrowed
        finally:
            borrowed.detach()
