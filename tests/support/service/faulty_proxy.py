"""A wire between client and server that loses answers, breaks off, or falls silent, on demand."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

import httpx2
from psycopg.conninfo import conninfo_to_dict, make_conninfo

W = TypeVar("W", bound="Wire")


class Wire:
    """A TCP proxy; every connection of it is carried by two threads."""

    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        self._connect = connect
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.connections = 0
        self.lose: Callable[[bytes], bool] = lambda part: False
        """Whether the connection breaks off instead of carrying this part of an answer."""
        self.mute: Callable[[bytes], bool] = lambda part: False
        """Whether nothing of an answer is carried any more on the connection."""
        self.delay: Callable[[], float] = lambda: 0.0
        """For how many seconds a part is held back, of a question or of an answer."""
        self.drop: Callable[[], bool] = lambda: False
        """Whether a part is lost, of a question or of an answer. TCP carries nothing past a gap, so
        nothing comes that way any more on the connection.
        """
        self.alter: Callable[[bytes], bytes] = lambda part: part
        """What is carried in the place of this part of an answer."""
        self._sockets: list[socket.socket] = []

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                try:
                    service = self._connect()
                except OSError:
                    client.close()
                    continue
                self._sockets += [client, service]
                for work in (self._ask, self._answer):
                    threading.Thread(target=work, args=(client, service), daemon=True).start()

    def lead_to(self, port: int, *, break_off: bool = True) -> None:
        """Lead to another service from now on; the connections to the first one are broken off, or
        live on.
        """
        self._connect = partial(socket.create_connection, ("127.0.0.1", port))
        if break_off:
            self.break_off()

    def break_off(self) -> None:
        """Break off all connections."""
        while self._sockets:
            _shut(self._sockets.pop())

    def close(self) -> None:
        _shut(self._listener)
        self.break_off()

    def _ask(self, client: socket.socket, service: socket.socket) -> None:
        silent = False
        with suppress(OSError):
            while part := client.recv(65_536):
                time.sleep(self.delay())
                silent = silent or self.drop()
                if not silent:
                    service.sendall(part)
        _shut(service)

    def _answer(self, client: socket.socket, service: socket.socket) -> None:
        silent = False
        with suppress(OSError):
            while part := service.recv(65_536):
                if self.lose(part):
                    break
                time.sleep(self.delay())
                silent = silent or self.mute(part) or self.drop()
                if not silent:
                    client.sendall(self.alter(part))
        _shut(client)
        _shut(service)


class DatabaseWire(Wire):
    """A wire to a PostgreSQL server."""

    def __init__(self, dsn: str) -> None:
        server = {name: str(value) for name, value in conninfo_to_dict(dsn).items()}
        super().__init__(partial(_connected, server["host"], int(server.get("port", "5432"))))
        self.dsn = make_conninfo(dsn, host="127.0.0.1", port=self.port)
        self.swallows = False
        """Whether nothing that the server says is carried, now or later on the connection."""
        self.swallowed = 0
        """How many connections have lost an answer so."""
        self.mute = self._swallow

    def _swallow(self, _: bytes) -> bool:
        self.swallowed += self.swallows
        return self.swallows

    @contextmanager
    def swallowing(self) -> Iterator[None]:
        """Swallow during the block; then end all connections there were, on which nothing comes."""
        self.swallows = True
        try:
            yield
        finally:
            self.swallows = False
            self.break_off()


def _connected(host: str, port: int) -> socket.socket:
    if not host.startswith("/"):
        return socket.create_connection((host, port))
    server = socket.socket(socket.AF_UNIX)
    server.connect(f"{host}/.s.PGSQL.{port}")
    return server


def _shut(peer: socket.socket) -> None:
    with suppress(OSError):
        peer.shutdown(socket.SHUT_RDWR)
    peer.close()


@contextmanager
def wired(url: str) -> Iterator[Wire]:
    """A wire to the service, until the end of the block."""
    address = httpx2.URL(url)
    with _serving(Wire(partial(socket.create_connection, (address.host, address.port)))) as wire:
        yield wire


@contextmanager
def wired_database(dsn: str) -> Iterator[DatabaseWire]:
    """A wire to the database, until the end of the block."""
    with _serving(DatabaseWire(dsn)) as wire:
        yield wire


@contextmanager
def _serving(wire: W) -> Iterator[W]:
    thread = threading.Thread(target=wire.serve)
    thread.start()
    try:
        yield wire
    finally:
        wire.close()
        thread.join()


def once(mark: bytes, times: int = 1) -> Callable[[bytes], bool]:
    """True for the first parts that hold the mark."""
    left = [None] * times

    def marked(part: bytes) -> bool:
        return mark in part and bool(left) and left.pop() is None

    return marked
