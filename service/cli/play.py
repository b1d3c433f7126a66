"""The command that serves the tables on this machine, and shows them in the browser."""

import os
import socket
import sys
import threading
import time
import webbrowser
from typing import Annotated

import httpx2
from cyclopts import Parameter

from phaseledger.service.cli.flags import AS_SERVED, ServeFlags
from phaseledger.service.cli.serve import http_address, is_free, serve
from phaseledger.service.settings import Settings, SettingsError

Opens = Annotated[bool, Parameter(name="open", help="Open the browser.")]
GameToShow = Annotated[str, Parameter(help="A game to show, instead of the list of tables.")]
LOOK = 0.2  # seconds between two looks at a service that starts
_ANYWHERE = {  # what is listened on everywhere: an address outside, and this machine's own
    "0.0.0.0": (socket.AF_INET, "192.0.2.1", "127.0.0.1"),  # noqa: S104
    "::": (socket.AF_INET6, "2001:db8::1", "::1"),
}
PORTS = 20  # the ports after the usual one that are tried


def play(game: GameToShow = "", /, flags: ServeFlags = AS_SERVED, *, opens: Opens = True) -> None:
    """Play in the browser: serve as `serve` does, and open the tables there.

    With --host 0.0.0.0 phones and other machines of the same network reach them, too. Everyone who
    does may open tables, unless PHASELEDGER_OPENERS is set to anything else.

    For example: phaseledger play

    Or: phaseledger play --host 0.0.0.0
    """
    os.environ.setdefault("PHASELEDGER_OPENERS", "everyone")  # who is at home needs no key
    settings = flags.settings()
    if not settings.web:
        raise SettingsError("PHASELEDGER_WEB is off, and then there are no tables to show.")
    if flags.port is None:
        flags = ServeFlags(**{**vars(flags), "port": _free_port(settings)})
        settings = flags.settings()
    tables = f"{http_address(_reachable(settings.host), settings.port)}/play"
    address = f"{tables}/g/{game}" if game else tables
    threading.Thread(target=_show_when_ready, args=(address, opens), daemon=True).start()
    serve(flags)


def _reachable(host: str) -> str:
    """The host at which others of the network reach what is listened on everywhere."""
    if host not in _ANYWHERE:
        return host
    family, outside, own = _ANYWHERE[host]
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))  # sends nothing, and chooses the address of the way there
            return str(probe.getsockname()[0])
    except OSError:
        return own


def show(address: str) -> None:
    """Open the address in the person's browser, or say that there is none."""
    if not webbrowser.open(address):
        print(
            "phaseledger: no browser could be opened: go to the address yourself.", file=sys.stderr
        )


def _free_port(settings: Settings) -> int:
    """The usual port, or the next free one."""
    ports = range(settings.port, min(settings.port + PORTS, 65_536))
    return next((port for port in ports if is_free(settings.host, port)), settings.port)


def _show_when_ready(address: str, opens: bool) -> None:
    ready = address.partition("/play")[0] + "/health/ready"
    while not _answers(ready):
        time.sleep(LOOK)
    print(f"The tables are at {address}", file=sys.stderr)
    if opens:
        show(address)


def _answers(address: str) -> bool:
    try:
        return httpx2.get(address, timeout=5, trust_env=False).status_code == 200
    except httpx2.TransportError:
        return False
