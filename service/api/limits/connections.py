"""Connections of one address: so many at once, also before a request comes over them.

The server accepts as many connections as the process may have, and passes on requests only, so an
address that opens connections and sends nothing is unknown to all other limits. A thread looks at
the process's own sockets and shuts down what is beyond an address's share, the newest first.
"""

import os
import socket
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

import structlog

from phaseledger.service.api.requests.client_address import connection_key
from phaseledger.service.runtime.metrics import CONNECTIONS_CUT
from phaseledger.service.settings import Settings, most_connections, trusted_proxies

EVERY = 0.25  # seconds between two looks, at least
COST = 20
"""A look takes at most one part in so many of the time."""
FREE = 4
"""One part in so many of all connections stays free for those who come."""
FOLDERS = (Path("/proc/self/fd"), Path("/dev/fd"))
"""Where systems list the open files of a process; elsewhere there is no limit of connections."""

Peer: TypeAlias = tuple[str, int]
"""The address and the port at the other end of a connection."""

log = structlog.get_logger("phaseledger")


class ConnectionBounds(NamedTuple):
    """How many connections there may be."""

    most_each: int
    """Of one address."""
    total: int
    """Of all addresses, which the server accepts."""


def share(counts: Iterable[int], bounds: ConnectionBounds) -> int:
    """How many connections each address may have, where the addresses have so many.

    While they are few altogether, as many as one address may have; else those with the most give
    up theirs until `FREE` of the total is free, and those with fewer keep all of theirs.
    """
    room, left = bounds.total - bounds.total // FREE, sorted(counts)
    while left:
        if left[-1] * len(left) <= room:  # all that are left keep theirs
            return bounds.most_each
        if left[0] * len(left) > room:
            return min(bounds.most_each, max(1, room // len(left)))
        room -= left.pop(0)
    return bounds.most_each


class ConnectionGuard:
    """Keeps the connections of each address within its share.

    ``key`` is the address that a peer counts for; None where it is not limited.
    """

    def __init__(
        self, bounds: ConnectionBounds, key: Callable[[str], bytes | None], port: int
    ) -> None:
        self._bounds = bounds
        self._key = key
        self._other_port = port
        self._peers: dict[Peer, bytes] = {}  # the oldest first

    def look(self) -> int:
        """Look at all connections, and shut down those beyond the shares; returns their number."""
        descriptors = {peer: number for number, peer in _accepted(self._other_port)}
        self._peers = {peer: key for peer, key in self._peers.items() if peer in descriptors}
        for peer in descriptors:
            if peer not in self._peers and (key := self._key(peer[0])) is not None:
                self._peers[peer] = key
        counts = Counter(self._peers.values())
        most = share(counts.values(), self._bounds)
        places = defaultdict[bytes, int](int)
        cut = 0
        for peer, key in self._peers.items():
            places[key] += 1
            if places[key] > most:
                cut += _shut_down(descriptors[peer], peer)
        return cut

    def run(self) -> None:
        """Look again and again, for as long as the process lives."""
        while True:
            began = time.perf_counter()
            # With fewer files open than an address may have connections, none has more.
            if len(open_files()) > min(self._bounds.most_each, self._bounds.total // 2):
                self._report(self.look())
            time.sleep(max(EVERY, COST * (time.perf_counter() - began)))

    def _report(self, cut: int) -> None:
        if cut:
            CONNECTIONS_CUT.inc(cut)
            log.warning("connections beyond an address's share are cut", connections=cut)


def guard_connections(settings: Settings) -> None:
    """Keep the connections of this process within the settings, in a thread, while it lives.

    Raises SettingsError.
    """
    proxies, total = trusted_proxies(settings), most_connections(settings)
    most_each = settings.max_connections_per_address or total
    # Each stream is a connection, in HTTP/1.1.
    bounds = ConnectionBounds(max(most_each, settings.max_streams_per_address), total)
    guard = ConnectionGuard(bounds, lambda peer: connection_key(peer, proxies), settings.admin_port)
    if open_files():
        threading.Thread(target=guard.run, name="connections", daemon=True).start()


def open_files() -> list[int]:
    """The numbers of this process's open files; none where the system does not list them."""
    for folder in FOLDERS:
        with suppress(OSError):
            return [int(name) for name in os.listdir(folder)]  # noqa: PTH208 - it is called often
    return []


@contextmanager
def lent_socket(number: int) -> Iterator[socket.socket]:
    """The open file as a TCP socket, which stays open; whether it is one, its methods tell.

    Its family and kind are given, or each would be asked of the system.
    """
    lent = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=number)
    try:
        yield lent
    finally:
        lent.detach()


def _accepted(other_port: int) -> Iterator[tuple[int, Peer]]:
    """The connections that the process's listeners have accepted, but for that of ``other_port``.

    A number may be closed, or be another file's, in the same moment.
    """
    listening, connected = set[int](), list[tuple[int, int, Peer]]()
    for number in open_files():
        with suppress(OSError), lent_socket(number) as connection:
            name = connection.getsockname()
            if not isinstance(name, tuple) or name[1] == other_port:
                continue
            if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                listening.add(name[1])
            else:
                host, port, *_ = connection.getpeername()
                connected.append((number, name[1], (host, port)))
    for number, port, peer in connected:
        if port in listening:
            yield number, peer


def _shut_down(number: int, peer: Peer) -> bool:
    """Shut the connection down, if that file is still it; the server then closes it."""
    try:
        with _copied(number) as connection:
            if connection.getpeername()[:2] != peer:
                return False
            connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return False
    return True


def _copied(number: int) -> socket.socket:
    """The socket of that number, under another one. Raises OSError: it is closed, or no socket."""
    copy = os.dup(number)
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise
