"""Unsent bytes of a connection: how much of an answer the system takes that is not on its way.

Left to itself it takes up to 4 MiB, and then no more until a third of them is free. So a reader of
80 KB a second seemed to take nothing for longer than `pace.PATIENCE`, and what nobody reads took
memory that no limit counts.
"""

import socket
import threading
import time
from contextlib import suppress

from phaseledger.service.api.limits.connections import lent_socket, open_files
from phaseledger.service.api.limits.pace import LARGEST_PART

UNSENT = 2 * LARGEST_PART
"""Bytes: one part on its way to the reader's system, and the next one."""
EVERY = 0.05  # seconds between two looks
_OPTION: int = getattr(socket, "TCP_NOTSENT_LOWAT", 0)  # 0 on Windows


def hold_back_unsent(port: int) -> None:
    """Set the limit as soon as the server has its listener, which it gets after its application."""
    if _OPTION:
        threading.Thread(target=_await_listener, args=(port,), name="unsent", daemon=True).start()


def _await_listener(port: int) -> None:
    while not limit_unsent(port):
        time.sleep(EVERY)


def limit_unsent(port: int) -> int:
    """Set the limit on this process's listeners at the port, also before they listen.

    The connections that they accept inherit it. Returns the number of listeners.
    """
    number = 0
    for file in open_files() if _OPTION else ():
        with suppress(OSError), lent_socket(file) as listener:  # or it is no socket
            if _is_listener(listener, port):
                listener.setsockopt(socket.IPPROTO_TCP, _OPTION, UNSENT)
                number += 1
    return number


def _is_listener(candidate: socket.socket, port: int) -> bool:
    """Whether it is bound to the port, and nobody is at its other end."""
    if candidate.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE) != socket.SOCK_STREAM:
        return False
    name = candidate.getsockname()
    if not isinstance(name, tuple) or name[1] != port:
        return False
    try:
        candidate.getpeername()
    except OSError:
        return True
    return False
