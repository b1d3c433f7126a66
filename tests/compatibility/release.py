"""What one release leaves behind, for later ones to live with: writes a folder such as `0.1.0`.

The folder `0.1.0` was written with commit 595be5f, and is not written again: the test beside this
file holds all later code to it. A later release writes a folder of its own beside it:

    python -m tests.compatibility.release tests/compatibility/0.2.0

Everything in it comes from the program as people run it: over HTTP, and by its command line. The
keys in it were made for it and sign nothing else, and so were its tokens: they are no secrets.
"""

import lzma
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import httpx2
import msgspec

from phaseledger.service.database.embedded import embedded_postgres
from tests.compatibility.exchanges import Desk, ask, differences, write_exchanges
from tests.compatibility.games import COMMANDS, OPERATED, commands_of, games_of, refusals
from tests.compatibility.program import FOLDERS, run, settings_of, store_options
from tests.compatibility.seats import OVER, Table, current_view, public_key
from tests.compatibility.store import dumped, own_database
from tests.compatibility.tables import SIGNING
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.nodes import running
from tests.support.service.webhook_receiver import endpoint

STORED = ("signed", "express 0", "board", "board, running")
"""Games whose records are kept as the command line exports them; the store has those of all."""
BUNDLED = STORED[:2]
"""Those whose bundles it writes as well."""


def write(folder: Path) -> None:
    """Write the folder, which is not there yet."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="pl-") as work, embedded_postgres(Path(work)) as dsn:
        home = Path(work) / "one"
        for part in ("published", "files/bundles", "files/exports"):
            (home / part).mkdir(parents=True)
        (folder / "one").mkdir()
        with own_database(dsn) as database:
            write_ledger(folder / "one", home, database)


def write_ledger(folder: Path, home: Path, dsn: str) -> None:
    """Play on a new ledger, and keep what it leaves."""
    given, files = settings_of(home, dsn), home / "files"
    run("admin", "migrate", settings=given)
    with free_port() as port, endpoint() as hook, running(1, at_port(given, port)) as nodes:
        url = f"http://127.0.0.1:{nodes.ports[0]}"
        with httpx2.Client(base_url=url, timeout=None) as client:
            desk = Desk(client, [])
            tables = played(desk, games_of(desk, hook.url), at_port(given, port), home)
            assert commands_of(desk) >= COMMANDS, "By chance not all; again"
            keep_record(at_port(given, port), folder)
            keep_reads(desk, tables, home)
            keep_bundles(client, tables, files)
            keep_checkpoints(client, home, folder)
            keep_deliveries(client, tables, folder)
            watch(url, client, home)
            keep_exchanges(desk, folder, files)
    (folder / "store.sql.xz").write_bytes(lzma.compress(dumped(dsn), preset=9))
    keep_exports(tables, home, given, files)
    run("verify", *(files / "bundles").iterdir(), "--receipt", files / "receipts.ndjson")
    pack(files, folder / "files.tar.xz")
    for name in FOLDERS:
        shutil.copytree(home / name, folder / name, ignore=shutil.ignore_patterns("*lock*"))
    text = msgspec.json.format(msgspec.json.encode(tables), indent=1)
    (folder / "tables.json").write_bytes(text + b"\n")


def settled(client: httpx2.Client) -> None:
    """Wait until views and log have all events."""
    eventually(
        lambda: client.get("/health/ready").json(),
        lambda health: health["lag"] == 0 and health["signed"] == health["log"] == health["views"],
    )


def at_port(given: Mapping[str, str], port: int) -> dict[str, str]:
    """The settings with the port that operators use."""
    return {**given, "admin_port": str(port)}


def operate(given: Mapping[str, str], table: Table) -> None:
    """Do what an operator may do, who writes down why."""
    who = ("--actor", "Ann", "--reason", "To be kept")
    for what in (("drain",), ("undrain",), ("void", table.game)):
        run("admin", *what, *who, settings=given)


def keep_record(given: Mapping[str, str], folder: Path) -> None:
    """What operators have done."""
    (folder / "operators.json").write_text(record_of(given))


def record_of(given: Mapping[str, str]) -> str:
    """The record of what operators have done, as their command prints it."""
    return run("admin", "log", "--json", settings=given).stdout


def played(desk: Desk, games: Iterable[Table], given: Mapping[str, str], home: Path) -> list[Table]:
    """The tables, after they were played; the log's checkpoints of half-way are in the folder."""
    tables: list[Table] = []
    for table in games:
        print(f"{home.name}: {table.name}", file=sys.stderr)
        tables.append(table)
        if table.name == OPERATED:
            operate(given, table)
        if len(tables) == 5:
            settled(desk.client)
            (home / "early-1.txt").write_bytes(checkpoint(desk.client))
    settled(desk.client)
    for table in tables:
        view = current_view(desk.client, table)
        table.version, table.stage = view["version"], view["table"]["stage"]
    refusals(desk, tables)
    return tables


def checkpoint(client: httpx2.Client) -> bytes:
    """The newest checkpoint of the log."""
    done = client.get("/v1/log/checkpoint")
    assert done.status_code == 200, done.text
    return done.content


def keep_reads(desk: Desk, tables: list[Table], home: Path) -> None:
    """Ask for what stays as it is: games that are over, lists of them, and proofs."""
    for table in tables:
        token = next(iter(table.tokens.values()), table.host)
        parts = [f"/receipts/{table.version}"]
        if table.stage in OVER:
            parts += ["", "/table", "/scoreboard", "/events?limit=8"]
        for part in parts:
            ask(desk, "GET", table.path + part, token=token, Keep="yes")
    for path in ("/v1/leaderboard", "/v1/games?stage=ended", "/v1/log/keys"):
        ask(desk, "GET", path, Keep="yes")
    first = (home / "early-1.txt").read_text().split("\n")[1]
    second = checkpoint(desk.client).decode().split("\n")[1]
    ask(desk, "GET", f"/v1/log/consistency?first={first}&second={second}", Keep="yes")
    for table in tables[:3]:
        path = f"/v1/log/inclusion?game={table.game}&seq=2"
        token = next(iter(table.tokens.values()), table.host)
        size = ask(desk, "GET", path, token=token).json()["size"]
        ask(desk, "GET", f"{path}&size={size}", token=token, Keep="yes")


def file_name(table: Table, kind: str) -> str:
    """What the table's file of that kind is called."""
    return f"{table.name.replace(', ', '-').replace(' ', '-')}.{kind}"


def keep_bundles(client: httpx2.Client, tables: list[Table], files: Path) -> None:
    """A bundle of every game, as its first person sees it, and all that are over in one export."""
    for table in tables:
        (files / "bundles" / file_name(table, "bundle")).write_bytes(bundle_of(client, table))
    done = client.get("/v1/exports/games", headers={"Accept-Encoding": "identity"})
    assert done.status_code == 200, done.text
    (files / "games.ndjson").write_bytes(done.content)


def bundle_of(client: httpx2.Client, table: Table) -> bytes:
    """The game's bundle as the first of its people sees it, or its host."""
    token = next(iter(table.tokens.values()), table.host)
    done = client.get(f"{table.path}/bundle", headers={"Authorization": f"Bearer {token}"})
    assert done.status_code == 200, done.text
    return done.content


def keep_checkpoints(client: httpx2.Client, home: Path, folder: Path) -> None:
    """The checkpoints of half-way and of now."""
    (folder / "checkpoints").mkdir()
    shutil.copy(home / "early-1.txt", folder / "checkpoints")
    (folder / "checkpoints" / "1.txt").write_bytes(checkpoint(client))


def keep_deliveries(client: httpx2.Client, tables: list[Table], folder: Path) -> None:
    """What webhooks were told, once each message was delivered or has failed."""

    def listed(table: Table, hook: str) -> list[dict[str, object]]:
        headers = {"Authorization": f"Bearer {table.host}"}
        path = f"{table.path}/webhooks/{hook}/deliveries"
        deliveries: list[dict[str, object]] = client.get(path, headers=headers).json()["deliveries"]
        return deliveries

    kept = {
        hook: eventually(
            lambda table=table, hook=hook: listed(table, hook),
            lambda deliveries: deliveries and all(delivery["attempts"] for delivery in deliveries),
        )
        for table in tables
        for hook in table.hooks
    }
    text = msgspec.json.format(msgspec.json.encode(kept), indent=1)
    (folder / "deliveries.json").write_bytes(text + b"\n")


def watch(url: str, client: httpx2.Client, home: Path) -> None:
    """Let a witness see the log."""
    keys = client.get("/v1/log/keys").text.split()
    state = home / "witness" / "1"
    state.parent.mkdir(exist_ok=True)
    run("witness", url, "--state", state, "--name", "witness-1", "--log-key", keys[-1], "--once")


def keep_exchanges(desk: Desk, folder: Path, files: Path) -> None:
    """The requests with their answers, which repeats get as well, and the receipts in them."""
    assert differences(desk.client, desk.exchanges) == []
    write_exchanges(folder / "requests.jsonl.xz", desk.exchanges)
    answers = [
        msgspec.json.decode(exchange.answer.content) for exchange in desk.exchanges if exchange.body
    ]
    receipts = [answer["receipt"] for answer in answers if "receipt" in answer]
    lines = b"".join(msgspec.json.encode(receipt) + b"\n" for receipt in receipts)
    (files / "receipts.ndjson").write_bytes(lines)


def keep_exports(tables: list[Table], home: Path, given: Mapping[str, str], files: Path) -> None:
    """What the command line exports of some games, and a policy for those that were signed."""
    for table in tables:
        if table.name not in STORED:
            continue
        (files / "exports" / file_name(table, "ndjson")).write_bytes(export_of(given, table))
        if table.name in BUNDLED:
            bundle = export_of(given, table, "--bundle", "--keys-dir", str(home / "keys"))
            (files / "exports" / file_name(table, "bundle")).write_bytes(bundle)
    (key,) = [path.read_text().strip() for path in (home / "keys").glob("*.pub")]
    policy = f"""keys = ["{key}"]
require = ["receipts", "checkpoint", "finished", "signatures"]
seats = {{0 = "{public_key(SIGNING)}"}}
"""
    (files / "policy.toml").write_text(policy)


def export_of(given: Mapping[str, str], table: Table, *options: str) -> bytes:
    """The game's records as the command line exports them from the ledger with these settings."""
    return run("export", table.game, *store_options(given), *options).stdout.encode()


def pack(files: Path, archive: Path) -> None:
    """Put the files into an archive that says nothing of when and by whom they were made."""

    def plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
        info.uid = info.gid = info.mtime = 0
        info.uname = info.gname = ""
        info.mode = 0o755 if info.isdir() else 0o644
        return info

    with tarfile.open(archive, "w:xz", preset=9) as tar:
        for path in sorted(files.rglob("*")):
            tar.add(path, path.relative_to(files).as_posix(), recursive=False, filter=plain)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
