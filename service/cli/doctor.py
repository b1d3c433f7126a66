"""`phaseledger doctor`: what an operator should know of a ledger, each with its cure."""

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import httpx2
import psycopg
from cyclopts import Parameter

from phaseledger import __version__
from phaseledger.replay.terminal import UsageError, guarded, print_json, say
from phaseledger.service.cli.flags import LEDGER_AS_SET, JsonFlag, LedgerFlags
from phaseledger.service.database.embedded import existing_data_dir
from phaseledger.service.database.examination import Diagnosis, examined, line_of
from phaseledger.service.database.examined_ledger import Ledger
from phaseledger.service.database.setup import connected_settings
from phaseledger.service.eventlog.connection import connected
from phaseledger.service.eventlog.errors import explain_outage

SECONDS = 40.0
"""Until a proxy has to have answered: longer than any read waits."""
LARGE = 200_000  # bytes of a body that the service itself refuses


@guarded
def doctor(
    *,
    at: LedgerFlags = LEDGER_AS_SET,
    url: Annotated[
        str | None,
        Parameter(help="The address that players have, to look at the proxy there as well."),
    ] = None,
    json: JsonFlag = False,
) -> int:
    """Examine a ledger and, with --url, its proxy: a line for each check, its cure beside it.

    It reads, and changes nothing. Run it as the service's user, with its settings: server,
    durability, tables, role, guards, sequences, locks, connections, keys, public log, clock, disk,
    backup, views, games and webhooks.

    Exit codes: 0 all is well, 1 there are warnings or faults, 3 the database is away. With --json:
    {release, diagnoses: [{check, severity, says, cure}]}; a severity is ok, warning or fault.

    For example: phaseledger doctor

    Or: phaseledger doctor --url https://play.example
    """
    if url is not None and not url.startswith(("https://", "http://")):
        raise UsageError("--url is an address such as https://play.example.")
    diagnoses = list[Diagnosis]()
    code, given = 0, at.settings()
    if not given.database_url:
        existing_data_dir(Path(given.data_dir) if given.data_dir else None)
    try:
        with (
            connected_settings(given) as settings,
            connected(settings.database_url) as conn,
        ):
            ledger = Ledger(settings, conn, is_embedded=not given.database_url)
            diagnoses += _printed(examined(ledger), json=json)
    except psycopg.Error as away:
        cure = "is it running, and is PHASELEDGER_DATABASE_URL its address?"
        fault = Diagnosis("database", "fault", str(explain_outage(away)), cure)
        diagnoses += _printed(iter([fault]), json=json)
        code = 3
    if url is not None:
        diagnoses += _printed(looked_at(url), json=json)
    if json:
        print_json({"release": __version__, "diagnoses": diagnoses})
    return code or int(any(diagnosis.severity != "ok" for diagnosis in diagnoses))


def _printed(diagnoses: Iterator[Diagnosis], *, json: bool) -> Iterator[Diagnosis]:
    """Print each diagnosis when it is there."""
    for diagnosis in diagnoses:
        if not json:
            say(line_of(diagnosis))
        yield diagnosis


def looked_at(url: str) -> Iterator[Diagnosis]:
    """What a client finds of the proxy there."""
    try:
        with httpx2.Client(base_url=url, timeout=SECONDS) as client:
            rulesets = client.get("/v1/rulesets")
            if "x-request-id" not in rulesets.headers:
                cure = "lead the whole address to the service"
                yield Diagnosis("proxy", "fault", f"{url} is not answered by the service", cure)
                return
            yield from _passed_on(client)
        yield from _spoken(url)
    except (httpx2.HTTPError, OSError) as broken:
        cure = "see the proxy's own log; deploy/ has configurations that are tested"
        yield Diagnosis("proxy", "fault", f"{url} does not answer: {broken}", cure)


def _passed_on(client: httpx2.Client) -> Iterator[Diagnosis]:
    yield Diagnosis("proxy", "ok", "it leads to the service")
    if client.get("/health/ready").status_code != 404:
        cure = "answer 404 below /health, as deploy/ does"
        yield Diagnosis("proxy", "warning", "it shows readiness to strangers", cure)
    large = client.post("/v1/replays", content=b"x" * LARGE)
    if "x-request-id" not in large.headers:
        cure = "let bodies of 16 MB through at /v1/replays, as deploy/ does"
        yield Diagnosis("proxy", "warning", "it refuses files of games by itself", cure)
    listed = client.get("/v1/games", params={"stage": "playing", "limit": 1}).json()["games"]
    if not listed:
        cure = "open a table, and run this again while it is played"
        yield Diagnosis("proxy", "warning", "no game is played, so no wait was tried", cure)
        return
    game = listed[0]
    path, ahead = f"/v1/games/{game['game']}", game["version"] + 1000
    waited = client.get(path, params={"at_least": ahead})
    if "x-request-id" in waited.headers:
        yield Diagnosis("proxy", "ok", "it waits as long as a read does")
    else:
        cure = "have it wait for 60 s, as deploy/ does"
        yield Diagnosis("proxy", "fault", "it breaks off reads that wait", cure)


def _spoken(url: str) -> Iterator[Diagnosis]:
    """Whether it speaks TLS, and HTTP/2, by which a browser has more than six streams."""
    parts = urlsplit(url)
    if parts.scheme != "https":
        cure = "give it a certificate: tokens are sent in the clear, and notices need https"
        yield Diagnosis("proxy", "warning", "it speaks no TLS", cure)
        return
    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2", "http/1.1"])
    place = (parts.hostname or "", parts.port or 443)
    with (
        socket.create_connection(place, SECONDS) as raw,
        context.wrap_socket(raw, server_hostname=place[0]) as secure,
    ):
        if secure.selected_alpn_protocol() == "h2":
            yield Diagnosis("proxy", "ok", "it speaks HTTP/2")
        else:
            cure = "turn HTTP/2 on: over HTTP/1.1 a browser has six connections, streams included"
            yield Diagnosis("proxy", "warning", "it speaks no HTTP/2", cure)
