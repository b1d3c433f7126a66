"""What 0.1.0 has left behind goes on under today's code: `0.1.0`, written by that release over HTTP
and by its command line. Its keys and tokens were made for it: they are no secrets.

Of games that are over everything is the same byte for byte, but for what a bundle says of the log
as it is now: its checkpoint, the proofs that lead there, and how many lines that makes. So are the
answers to requests with a key, whatever has become of the game. Of games that run, only what has
happened already stays. Two of them are voided as soon as the service starts, because their time has
run out since: the one whose clock says so, and the one whose seat owed its secret.

The store `two` had two partitions, each of which is a ledger with a service of its own now. Each
request goes to the one that has its game.
"""

import json
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

import httpx2
import msgspec
import pytest

from phaseledger.replay.formats.ledgers import number_of
from tests.compatibility.exchanges import Desk, Exchange, ask, differences, read_exchanges
from tests.compatibility.ledgers import ByGame, exported, parts_of
from tests.compatibility.program import (
    at_port,
    bundle_of,
    copied,
    export_of,
    file_name,
    record_of,
    run,
    settings_of,
    store_options,
)
from tests.compatibility.seats import OVER, Table, join, play, start
from tests.compatibility.store import own_database, restore
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.nodes import running

KEPT = Path(__file__).parent / "0.1.0"
VOIDED = ("owing", "clock, void")
"""Tables whose time has run out while nobody served them."""
OF_NOW = ("checkpoint", "inclusion", "end")
"""Lines of a bundle that speak of the log as it is at the time."""
LEADERBOARD = "/v1/leaderboard"
"""It has a line for each level of a bot now, and had one for each name of a bot."""
VIEWS = (LEADERBOARD, "/v1/games?stage=ended", "/v1/games?stage=voided&limit=100")


class Ledger(NamedTuple):
    """A copy of what was kept, over a database of its own."""

    home: Path
    parts: dict[int, dict[str, str]]
    """The settings of each ledger, by its number; those of the one ledger under 1."""
    tables: list[Table]
    exchanges: list[Exchange]

    @property
    def files(self) -> Path:
        return self.home / "files"

    @property
    def over(self) -> list[Table]:
        """Tables of games that were over when they were kept."""
        return [table for table in self.tables if table.stage in OVER]

    def given(self, table: Table) -> dict[str, str]:
        """The settings of the table's ledger."""
        return self.parts[number_of(UUID(table.game))]


class Served(NamedTuple):
    """A client that asks the ledger of each game, and the addresses of all ledgers."""

    client: httpx2.Client
    urls: dict[int, str]


@pytest.fixture(params=["one", "two"])
def ledger(request: pytest.FixtureRequest, postgres_dsn: str, tmp_path: Path) -> Iterator[Ledger]:
    home = copied(KEPT / request.param, tmp_path / "ledger")
    with tarfile.open(home / "files.tar.xz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # new in 3.11.4
        archive.extractall(home / "files")
    with own_database(postgres_dsn) as dsn:
        restore(dsn, home / "store.sql.xz")
        yield Ledger(
            home,
            parts_of(home, settings_of(home, dsn)),
            msgspec.json.decode((home / "tables.json").read_bytes(), type=list[Table]),
            read_exchanges(home / "requests.jsonl.xz"),
        )


@contextmanager
def served(ledger: Ledger) -> Iterator[Served]:
    """A service over each ledger; the operators of the first have the same record as before."""
    urls: dict[int, str] = {}
    with ExitStack() as stack:
        for number, given in ledger.parts.items():
            port = stack.enter_context(free_port())
            kept = {**given, "lobby_hours": "0", "idle_days": "0"}  # the tables are old by now
            nodes = stack.enter_context(running(1, at_port(kept, port)))
            if number == 1:
                record = (ledger.home / "operators.json").read_text()
                assert record_of(at_port(given, port)) == record
            urls[number] = f"http://127.0.0.1:{nodes.ports[0]}"
        transport = ByGame(urls, ledger.exchanges)
        client = httpx2.Client(transport=transport, base_url="http://ledgers", timeout=None)
        yield Served(stack.enter_context(client), urls)


@pytest.mark.system
def test_a_ledger_goes_on(ledger: Ledger) -> None:
    """One story, since each part of it needs what comes before."""
    migrate(ledger)
    keyed = [
        exchange
        for exchange in ledger.exchanges
        if exchange.method != "GET" or is_lasting(ledger, exchange)
    ]
    assert len(keyed) < len(ledger.exchanges)
    asked = [
        exchange
        for exchange in ledger.exchanges
        if exchange.path not in (VIEWS if len(ledger.parts) > 1 else (LEADERBOARD,))
    ]
    with served(ledger) as service:
        client = service.client
        assert differences(client, asked) == []
        require_same_files(ledger, service)
        play_on(ledger, client)
        assert differences(client, keyed) == []
        require_consistent_log(ledger, service)
        require_deliveries(ledger, client)
        keep_bundles(ledger, client)
        views = seen_views(service)
    for given in ledger.parts.values():
        run("admin", "rebuild", settings=given)
    verify(ledger)
    with served(ledger) as service:
        assert seen_views(service) == views


@pytest.mark.system
def test_partitions_are_refused_until_each_is_a_ledger(ledger: Ledger) -> None:
    """In one sentence, which says what to set; the file that listed them is no setting any more."""
    if len(ledger.parts) == 1:
        pytest.skip("it had one")
    for number, given in ledger.parts.items():
        for other in ("0", str(number % 2 + 1)):
            for command in (("admin", "migrate"), ("serve", "--port", "0")):
                refused = run(*command, settings={**given, "ledger": other}, code=3).stderr
                assert f"was partition {number} of 2" in refused
                assert f"set PHASELEDGER_LEDGER={number} for it" in refused
    settings = {**ledger.parts[1], "partitions": str(ledger.home / "partitions.toml")}
    assert "each partition is a ledger" in run("serve", settings=settings, code=2).stderr


def test_what_was_kept_in_files_is_sound(ledger: Ledger) -> None:
    """Files need no ledger: what they prove, they prove to whoever has them."""
    exports = [*sorted((ledger.files / "exports").glob("*.ndjson")), ledger.files / "games.ndjson"]
    run("audit", "--all", "--jobs", "1", *exports)
    bundles = sorted((ledger.files / "bundles").iterdir())
    assert len(bundles) == len(ledger.tables)
    report = run("verify", *bundles, "--receipt", ledger.files / "receipts.ndjson", "--json").stdout
    assert json.loads(report)["sound"]
    for signed in (path for path in bundles if path.stem == "signed"):
        run("verify", signed, "--policy", ledger.files / "policy.toml")


def migrate(ledger: Ledger) -> None:
    """Bring the tables up to date, and again, when there is nothing left to do."""
    for given in ledger.parts.values():
        run("admin", "migrate", settings=given)
        assert run("admin", "migrate", settings=given).stdout == "Everything is there already.\n"


def is_lasting(ledger: Ledger, exchange: Exchange) -> bool:
    """Whether a read is of a game that was over, or of the log, which only grows."""
    games = tuple(table.path for table in ledger.over)
    return exchange.path.startswith((*games, "/v1/log/"))


def require_same_files(ledger: Ledger, service: Served) -> None:
    """See that games that were over are told as they were."""
    client = service.client
    for table in ledger.over:
        kept = (ledger.files / "bundles" / file_name(table, "bundle")).read_bytes()
        assert lasting_lines(bundle_of(client, table)) == lasting_lines(kept), table.name
    for path in (ledger.files / "exports").iterdir():
        (table,) = [
            candidate
            for candidate in ledger.tables
            if file_name(candidate, path.suffix[1:]) == path.name
        ]
        keys = str(ledger.home / "keys")
        options = ("--bundle", "--keys-dir", keys) if path.suffix == ".bundle" else ()
        assert export_of(ledger.given(table), table, *options) == path.read_bytes(), path.name
    now: dict[str, list[str]] = {}
    for url in service.urls.values():
        done = httpx2.get(f"{url}/v1/exports/games", timeout=None)
        now |= exported(done.text)
    kept = exported((ledger.files / "games.ndjson").read_text())
    assert kept
    assert {game: now[game] for game in kept} == kept


def lasting_lines(bundle: bytes) -> list[bytes]:
    """The lines of a bundle that speak of the game alone."""
    begins = tuple(f'{{"{kind}":'.encode() for kind in OF_NOW)
    return [line for line in bundle.splitlines() if not line.startswith(begins)]


def play_on(ledger: Ledger, client: httpx2.Client) -> None:
    """Play every game to its end, with the tokens and the keys that people have."""
    desk = Desk(client, [])
    for table in ledger.tables:
        if table.stage == "lobby":
            if table.code:
                join(desk, table, "Bea")
            ask(desk, "POST", f"{table.path}/fill", {}, table.host, Idempotency_Key=str(uuid4()))
            start(desk, table)
        stage = play(desk, table)["table"]["stage"]
        due = "voided" if table.name in VOIDED else "ended"
        assert stage == (table.stage if table.stage in OVER else due), table.name
    taken = [exchange for exchange in desk.exchanges if exchange.answer.status < 300]
    assert differences(client, taken[::10]) == []


def require_consistent_log(ledger: Ledger, service: Served) -> None:
    """Let the witness of old look again: each log goes on from what it has seen."""
    keys = service.client.get("/v1/log/keys").text.split()
    for number, url in service.urls.items():
        state = ledger.home / "witness" / str(number)
        kept = (ledger.home / "checkpoints" / f"{number}.txt").read_text()
        assert (state / "seen").read_text() == kept
        options = ("--state", state, "--log-key", keys[-1])
        report = run("witness", url, *options, "--once", "--json").stdout
        sighting = json.loads(report)
        assert (sighting["found"], sighting["before"]) == ("grown", int(kept.splitlines()[1]))


def require_deliveries(ledger: Ledger, client: httpx2.Client) -> None:
    """See that messages which were not delivered are tried again, where no server listens."""
    kept = json.loads((ledger.home / "deliveries.json").read_text())
    paths = {hook: table for table in ledger.tables for hook in table.hooks}
    for hook, messages in kept.items():
        if all(message["state"] == "delivered" for message in messages):
            continue
        headers = {"Authorization": f"Bearer {paths[hook].host}"}
        asked = partial(client.get, f"{paths[hook].path}/webhooks/{hook}", headers=headers)
        eventually(lambda asked=asked: asked().json()["reason"], bool)  # why the attempt failed


def keep_bundles(ledger: Ledger, client: httpx2.Client) -> None:
    """Write the bundles of all games beside those that were kept, and go on from these."""
    folder = ledger.files / "now"
    folder.mkdir()
    for table in ledger.tables:
        name = file_name(table, "bundle")
        (folder / name).write_bytes(bundle_of(client, table))
        now, kept = (event_lines(ledger.files / part / name) for part in ("now", "bundles"))
        assert (len(kept), now[: len(kept)]) == (table.version, kept), table.name


def event_lines(bundle: Path) -> list[bytes]:
    """The lines of a bundle that have the public form of an event."""
    return [line for line in bundle.read_bytes().splitlines() if line.startswith(b'{"event":')]


def verify(ledger: Ledger) -> None:
    """See that all games are sound, and that old and new evidence tell one story."""
    for number, given in ledger.parts.items():
        audited = run("audit", "--all", "--jobs", "1", *store_options(given)).stderr
        count = sum(number_of(UUID(table.game)) == number for table in ledger.tables)
        assert f"Games: {count} sound (0 of them without an end)" in audited
    # What was over is told as it was; the files that were kept are verified by themselves.
    tables = [table for table in ledger.tables if table.stage not in OVER]
    ran = {table.game: file_name(table, "bundle") for table in tables}
    bundles = [ledger.files / part / name for name in ran.values() for part in ("bundles", "now")]
    kept = (ledger.files / "receipts.ndjson").read_text().splitlines(keepends=True)
    receipts = ledger.home / "receipts.ndjson"
    receipts.write_text("".join(line for line in kept if json.loads(line)["game"] in ran))
    run("verify", *bundles, "--receipt", receipts)
    signed = [ledger.files / "now" / name for name in ran.values() if name.startswith("signed")]
    assert signed
    run("verify", *signed, "--policy", ledger.files / "policy.toml")


def seen_views(service: Served) -> list[bytes]:
    """Lists and points of what is over, once they have all events."""
    answers: list[bytes] = []
    for url in service.urls.values():
        ready = lambda url=url: httpx2.get(f"{url}/health/ready", timeout=None).json()  # noqa: E731
        eventually(ready, lambda health: health["lag"] == 0)
        answers += [httpx2.get(url + path, timeout=None).content for path in VIEWS]
    return answers
