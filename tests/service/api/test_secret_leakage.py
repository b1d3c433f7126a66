"""Secrets that can be recognised stay where they belong: not in logs of any level, not in problems,
headers, health checks or the description, and in no answer to anybody else. Crashes included.
"""

import asyncio
import gc
import io
import logging
import re
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import httpx2
import msgspec
import psycopg
import pytest
import structlog
from msgspec.structs import replace

from phaseledger.domain.deal import seat_commit
from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.service.api.middleware.access_log import ResponseAborted
from phaseledger.service.app import Components, create_app
from phaseledger.service.credentials.tokens import new_token
from phaseledger.service.eventlog.errors import StoreUnavailable, explain_outage
from tests.support.service.api_tables import Layout, bearer, dealt, rows_of
from tests.support.service.memory_ledger import in_memory
from tests.support.service.secret_markers import BROUGHT, require_none
from tests.support.service.server import FREE

SEED = sha256(b"the operator's private key").digest()
TOKENS = ("the host's token", "token 0", "token 1")
KEPT = Keyring((SigningKey("canary", SEED),))


Logs = Callable[[], str]


@pytest.fixture
def logs(capfd: pytest.CaptureFixture[str]) -> Iterator[Logs]:
    """What was logged or printed since the last look, at all levels, by all of this process."""
    sink = io.StringIO()
    handler, root = logging.StreamHandler(sink), logging.getLogger()
    level, before = root.level, structlog.get_config()
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.NOTSET),
        logger_factory=structlog.PrintLoggerFactory(sink),
        cache_logger_on_first_use=False,
    )
    root.addHandler(handler)
    root.setLevel(logging.NOTSET)

    def read() -> str:
        printed, written = capfd.readouterr(), sink.getvalue()
        sink.seek(0)
        sink.truncate()
        return written + printed.out + printed.err

    yield read
    root.removeHandler(handler)
    root.setLevel(level)
    structlog.configure(**before)


async def crash_told(logs: Logs) -> str:
    """What is written until a crash is among it."""
    written = ""
    while "Crash" not in written:
        await asyncio.sleep(0.01)
        written += logs()
    return written


def whole(answer: httpx2.Response) -> str:
    """Everything that the client gets."""
    return f"{answer.status_code} {answer.headers.multi_items()} {answer.content.decode('latin-1')}"


@asynccontextmanager
async def running(parts: Components) -> AsyncIterator[httpx2.AsyncClient]:
    """The application with all that runs beside it."""
    app: Any = create_app(parts, replace(FREE, patience_seconds=0.0))
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.app.lifespan(),
        httpx2.AsyncClient(transport=transport, base_url="http://t") as client,
    ):
        yield client


TABLE = {"ruleset": "classic", "seats": [*[{"kind": "person"}] * 2, {"kind": "bot"}]}
READS = ("", "/actions", "/events?limit=1000", "/table", "/scoreboard", "/receipts/3")
ELSEWHERE = (
    *("/v1/games", "/v1/leaderboard", "/v1/rulesets", "/v1/openapi.json", "/v1/log/keys"),
    *("/v1/log/checkpoint", "/health/live", "/health/ready"),
)
PUSHED: list[tuple[str, str, bytes]] = [
    ("POST", "/commands", b'{"type":"draw"}'),
    ("POST", "/commands", b'{"type":"discard","cards":"R13"}'),
    ("POST", "/commands", b'{"type":"reveal_secret","secret":"%s"}' % (b"ab" * 32)),
    ("POST", "/commands", b'{"type":"draw","source":7}'),
    ("POST", "/commands", b"{"),
    ("POST", "/seats", b'{"name":"x"}'),
    ("POST", "/start", b""),
    ("POST", "/void", b"{}"),
    ("DELETE", "", b""),
]
JSON = {"Content-Type": "application/json"}
LATE = {"If-Match": '"1"'}
"""So that nothing is changed by whoever may."""


async def everything(client: httpx2.AsyncClient, game: str, token: str) -> list[str]:
    """What somebody gets who asks for everything, and badly too."""
    who, game_path = bearer(token) if token else {}, f"/v1/games/{game}"
    asks = [("GET", game_path + path, {}, b"") for path in READS]
    asks += [("HEAD", game_path, {}, b"")]
    asks += [("GET", f"{game_path}/events", {"Accept": "application/x-ndjson"}, b"")]
    asks += [(method, game_path + path, {**JSON, **LATE}, body) for method, path, body in PUSHED]
    asks += [("GET", path, {}, b"") for path in ELSEWHERE if not token]
    got = []
    for method, path, headers, body in asks:
        try:
            answer = await client.request(method, path, headers={**who, **headers}, content=body)
        except ResponseAborted as broken:
            got.append(f"{path} {''.join(traceback.format_exception(broken))}")
        else:
            got.append(f"{path} {whole(answer)}")
    return got


async def log_secrets(parts: Components, game: str) -> dict[str, str]:
    """The secrets that the log of a game keeps, and the operator's."""
    secrets = {"the operator's key": SEED.hex()}
    for row in await parts.store.read(UUID(game)):
        hidden = msgspec.json.decode(row.state).get("hidden", {}).get("server")
        if hidden:
            secrets[f"{row.topic} {row.version}"] = hidden["secret"]
    return secrets


async def sit(client: httpx2.AsyncClient) -> tuple[str, dict[str, str]]:
    """Open a table for a seat with a secret, one without, and a bot; its tokens, and a key."""
    once = {"Idempotency-Key": str(uuid4())}
    opened = (await client.post("/v1/games", json=TABLE, headers=once)).json()
    game = opened["game"]
    tokens = {"the host's token": opened["host_token"], "a key": once["Idempotency-Key"]}
    for seat, commit in ((0, seat_commit(opened["game"], 0, bytes.fromhex(BROUGHT))), (1, None)):
        body = {"name": f"Seat {seat}", "seat": seat, "commit": commit}
        joined = await client.post(f"/v1/games/{game}/seats", json=body)
        assert joined.status_code == 201, joined.text
        tokens[f"token {seat}"] = joined.json()["token"]
    return game, tokens


def test_a_game_tells_no_secret(logs: Logs) -> None:
    """From the opening to the end; whatever is read, by whomever, at each stage."""
    parts = in_memory(keys=KEPT)

    async def play() -> dict[str, str]:
        async with running(parts) as client:
            game, tokens = await sit(client)
            host, seat = bearer(tokens["the host's token"]), bearer(tokens["token 0"])
            ever = {**tokens, "the operator's key": SEED.hex()}
            secrets = {**await log_secrets(parts, game), **ever, "brought": BROUGHT}

            async def look(secrets: dict[str, str]) -> None:
                for token in ("", *(tokens[name] for name in TOKENS), new_token(0)):
                    for answer in await everything(client, game, token):
                        require_none(secrets, answer, answer[:200])

            await look(secrets)
            started = await client.post(f"/v1/games/{game}/start", headers=host)
            assert started.status_code == 200
            require_none(secrets, whole(started), "the start")
            await look(secrets)
            commands, reveal = f"/v1/games/{game}/commands", {"type": "reveal_secret"}
            for wrong in (BROUGHT + "ca", "00" + BROUGHT[2:]):
                refused = await client.post(
                    commands, json={**reveal, "secret": wrong}, headers=seat
                )
                assert refused.status_code in (400, 422)
                require_none({"sent": wrong, **secrets}, whole(refused), "a wrong secret")
            done = await client.post(commands, json={**reveal, "secret": BROUGHT}, headers=seat)
            assert done.status_code == 200, done.text
            del secrets["brought"]
            await look(secrets)
            over = await client.post(f"/v1/games/{game}/void", json={"reason": "-"}, headers=host)
            assert secrets["GameOpened/1 1"] in over.text, "the server's secret comes at the end"
            await look(ever)
            return {**secrets, "brought": BROUGHT}

    secrets = asyncio.run(play())
    log = logs()
    assert log.count('"request"') > 200
    assert '"path": "/' in log
    assert not re.search(r'"path": "[^"]*\?', log), "a query may hold a secret too"
    require_none(secrets, log, "the logs")


# --- crashes --------------------------------------------------------------------------------------


class Crash(Exception):
    """A bug whose message has everything in it."""


CRASHES = [
    "store.append",
    "store.tail",
    "credentials.find",
    "views.table",
    "phaseledger.service.games.game.step",
    "phaseledger.service.api.routes.games.view",
    "phaseledger.service.api.responses.commands.view",
    "phaseledger.service.games.view.legal",
    "phaseledger.service.streams.feed.codec.redact",
    "phaseledger.service.automation.bots._choose",
]
"""Where a bug may be: a part of the service, or a function by the name that it is called by."""


async def test_a_crash_tells_no_secret(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure that names all secrets ends in a 500, and in a log line, that name none."""
    parts = in_memory(keys=KEPT)

    async def crashing(client: httpx2.AsyncClient, where: str) -> None:
        game, tokens = await sit(client)
        host, seat = bearer(tokens["the host's token"]), bearer(tokens["token 0"])
        secrets = {**await log_secrets(parts, game), **tokens}
        message = repr({**secrets, "brought": BROUGHT})

        def crash(*_: Any, **__: Any) -> Any:
            raise Crash(message) from ValueError(message)

        name, _, function = where.partition(".")
        begun = not any(room in where for room in (".automation.bots.", ".api.responses."))
        with monkeypatch.context() as patched:
            if begun:
                await client.post(f"/v1/games/{game}/start", headers=host)
                reveal = {"type": "reveal_secret", "secret": BROUGHT}
                await client.post(f"/v1/games/{game}/commands", json=reveal, headers=seat)
            if name == "phaseledger":
                patched.setattr(where, crash)
            else:
                patched.setattr(getattr(parts, name), function, crash)
            if not begun:
                await client.post(f"/v1/games/{game}/start", headers=host)
                bots = {"ruleset": "classic", "seats": [{"kind": "bot"}] * 2, "start": True}
                await client.post("/v1/games", json=bots)
            answers = []
            for token in ("", tokens["the host's token"], tokens["token 0"]):
                answers += await everything(client, game, token)
            answers.append(whole(await client.post("/v1/games", json=TABLE)))
        written = logs() if begun else await crash_told(logs)  # bots wait for one another
        for answer in answers:
            require_none(secrets, answer, f"{where}: {answer[:200]}")
        require_none({**secrets, "brought": BROUGHT}, written, f"the logs of {where}")
        assert "Crash" in written, f"{where} was not reached"

    async with running(parts) as client:
        for where in CRASHES:
            await crashing(client, where)
    gc.collect()  # tasks whose exception nobody took are told of when they go
    assert "Crash" not in logs()


ROW = BROUGHT[-40:]


def test_what_the_database_says_of_a_row_is_not_told(postgres_dsn: str) -> None:
    """A refusal of the database quotes the row under DETAIL; the operator's sentence does not."""
    with psycopg.connect(postgres_dsn) as conn:
        conn.execute("CREATE TEMPORARY TABLE seen (state bytea CHECK (octet_length(state) = 1))")
        with pytest.raises(psycopg.errors.CheckViolation) as violated:
            conn.execute("INSERT INTO seen VALUES (%b)", [bytes.fromhex(ROW)])
    assert ROW in str(violated.value)
    sentence = explain_outage(violated.value)
    assert isinstance(sentence, StoreUnavailable)
    require_none({"the row": ROW}, str(sentence), "the sentence")


# --- hidden cards ---------------------------------------------------------------------------------

WILDS = Layout(
    "classic",
    ("R1 R2 R3 R4 B5 B6 B7 B8 B9 B10", "W W W W W W W W S S", "G1 G2 G3 G4 G5 G6 Y1 Y2 Y3 Y4"),
    discard="R12",
    stock="B1 B1 B2 B2 B3 B3",
)
"""All wilds and two of the four skips are in the hand of seat 1, so none may be seen elsewhere."""
SHOWN = re.compile(r"(?<![\w+/])W(?![\w+/])")
CARD = re.compile(r"(?<![\w+/])([RBGY](1[0-2]|[1-9])|W)(?![\w+/])")
"""A card, but no letter amid the base64 of a signature."""


async def test_hidden_cards_stay_hidden(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that only one seat holds are in its answers alone, and no card at all is in a log."""
    parts = in_memory(keys=KEPT)

    def crash(state: Any, *_: Any) -> Any:
        raise Crash(f"{state} W W R12")

    async def look(client: httpx2.AsyncClient, fault: str) -> None:
        game, got = uuid4(), {}
        await parts.store.append(game, rows_of(dealt(WILDS, str(game))))
        with monkeypatch.context() as patched:
            if fault:
                patched.setattr(fault, crash)
            for seat in (None, 0, 1, 2):
                token = "" if seat is None else await parts.credentials.issue(game, seat)
                got[seat] = await everything(client, str(game), token)
        for seat in (None, 0, 2):
            answers = [answer for answer in got[seat] if not PUBLIC.search(answer.split()[0])]
            assert [answer[:200] for answer in answers if SHOWN.search(answer)] == [], seat
        assert any(SHOWN.search(answer) for answer in got[1])
        written = logs()
        assert ("Crash" in written) == bool(fault)
        assert CARD.findall(PLACE.sub("", written)) == []

    async with running(parts) as client:
        for function in ("", "view.legal", "game.step"):
            await look(client, function and f"phaseledger.service.games.{function}")


PLACE = re.compile(r"\S*\.py:\d+ \w+")  # of a traceback, as the logs have it
PUBLIC = re.compile(r"/v1/(rulesets|openapi.json)")
"""What every rule set is made of is public, and so is what a command may look like."""
