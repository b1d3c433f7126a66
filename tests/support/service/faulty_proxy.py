"""A wire between client and service that loses answers, breaks off, or falls silent, on demand."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import httpx2


class Wire:
    """A TCP proxy; every connection of it is carried by two threads."""

    def __init__(self, url: str) -> None:
        found = httpx2.URL(url)
        self._service = (found.host, found.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.connections = 0
        self.lose: Callable[[bytes], bool] = lambda part: False
        """Whether the connection breaks off instead of carrying this part of an answer."""
        self.mute: Callable[[bytes], bool] = lambda part: False
        """Whether nothing of an answer is carried any more on the connection."""
        self._sockets: list[socket.socket] = []

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                service = socket.create_connection(self._service)
                self._sockets += [client, service]
                for work in (self._ask, self._answer):
                    threading.Thread(target=work, args=(client, service), daemon=True).start()

    def close(self) -> None:
        for each in (self._listener, *self._sockets):
            _shut(each)

    def _ask(self, client: socket.socket, service: socket.socket) -> None:
        with suppress(OSError):
            while part := client.recv(65_536):
                service.sendall(part)
        _shut(service)

    def _answer(self, client: socket.socket, service: socket.socket) -> None:
        silent = False
        with suppress(OSError):
            while part := service.recv(65_536):
                if self.lose(part):
                    break
                silent = silent or self.mute(part)
                if not silent:
                    client.sendall(part)
        _shut(client)
        _shut(service)


def _shut(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()


@contextmanager
def wired(url: str) -> Iterator[Wire]:
    """A wire to the service, until the end of the block."""
    wire = Wire(url)
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

    def found(part: bytes) -> bool:
        return mark in part and bool(left) and left.pop() is None

    return found
