"""Ports for servers that tests start."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx2

from tests.support.polling import eventually


@contextmanager
def free_port() -> Iterator[int]:
    """A port that only whoever is told of it gets, until the end of the block.

    It stays bound here, so nothing else of this machine is given it before the server has it.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # for the server to have it too
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        if sys.platform != "linux":
            held.close()  # others refuse a port that is bound anywhere
        yield port


def answers(url: str) -> bool:
    """Whether somebody answers there, with whatever status."""
    try:
        httpx2.get(url, timeout=20)
    except httpx2.TransportError:
        return False
    return True


def await_connection(url: str) -> None:
    """Wait until something listens there."""
    place = urlsplit(url)

    def listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((place.hostname or "", place.port or 0)) == 0

    eventually(listens)


def await_answer(url: str) -> None:
    """Wait until somebody answers there."""
    eventually(lambda: answers(url))
