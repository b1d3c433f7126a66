"""Keeps a store of this release, for later ones to live with:

    python -m tests.compatibility.keep tests/compatibility/0.2.0

A folder is written once, by the release that it is named after, from the program as people run it,
over HTTP and by its command line. Its keys and tokens were made for it, and are no secrets.
`test_kept_stores` holds all later code to it.
"""

import hashlib
import lzma
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import msgspec

from phaseledger.service.database.embedded import embedded_postgres
from tests.compatibility.exchanges import Desk, ask, differences
from tests.compatibility.program import at_port, run, settings_of
from tests.compatibility.seats import Table, View, current_view, join, ok, play, public_key, start
from tests.compatibility.store import dumped, own_database
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.nodes import running

PERSON = {"kind": "person"}
BOT = {"kind": "bot", "level": "greedy"}
SHORT = {"variant": "n_phases(1)", "max_turns_per_round": 8}
EASY = {"board_phases": ["set(2)"] * 10, "max_turns_per_round": 2}
SIGNING = hashlib.sha256(b"a seat's own key").hexdigest()
DEAL = {"hands": ["R1 R1 B1 B1 G1 R5 R5 G5 G5 Y5", ""], "stock": "Y12"}
STYLE = {"style": "ten_rounds_free", "max_turns_per_round": 2}


def opened(desk: Desk, name: str, ruleset: str, *seats: Any, token: str = "", **more: Any) -> Table:
    """A table, with those of its seats taken that players of an application have."""
    body = {"ruleset": ruleset, "seats": seats, **more}
    answer = ok(desk, "/v1/games", body, token)
    table = Table(name=name, game=answer["game"], host=answer["host_token"])
    table.code = answer.get("code") or ""
    table.hooks = [hook["id"] for hook in answer.get("webhooks", ())]
    table.tokens = {seat["seat"]: seat["token"] for seat in answer.get("seats", ())}
    return table


def mid_game(view: View) -> bool:
    """Whether a game has begun and goes on."""
    return bool(view["version"] >= 12)


def over(desk: Desk, key: str) -> Iterator[Table]:
    """Games that are over: of each rule set, of players, for tests, and voided."""
    for ruleset, rules in (("express", SHORT), ("board", EASY)):
        table = opened(desk, ruleset, ruleset, PERSON, BOT, options=rules)
        join(desk, table, "Ada")
        start(desk, table)
        play(desk, table)
        yield table
    table = opened(desk, "two decks", "standard-deck", BOT, BOT, BOT, options=STYLE, start=True)
    play(desk, table)
    yield table
    players = [{**PERSON, "player": name} for name in ("ada", "ben")]
    table = opened(desk, "players", "classic", *players, token=key, options=SHORT, start=True)
    play(desk, table)
    yield table
    test = {"deals": [DEAL]}
    table = opened(desk, "test", "classic", *players, token=key, options=SHORT, test=test)
    start(desk, table)
    play(desk, table)
    yield table
    table = opened(desk, "voided", "classic", PERSON, BOT, options=SHORT)
    join(desk, table, "Eve")
    start(desk, table)
    ok(desk, f"{table.path}/void", {"reason": "It rains"}, table.host)
    yield table


def going_on(desk: Desk, key: str) -> Iterator[Table]:
    """Games that go on: signed, private, of players; and a lobby."""
    hooks = [{"url": "http://127.0.0.1:9/hook", "types": ["game.ended"]}]
    table = opened(desk, "signed", "classic", PERSON, BOT, options=SHORT, webhooks=hooks)
    table.keys[join(desk, table, "Ada", seat=0, key=public_key(SIGNING))] = SIGNING
    start(desk, table)
    play(desk, table, mid_game)
    yield table
    terms = {"private": True, "spectators": "none"}
    table = opened(desk, "private", "express", PERSON, BOT, options=SHORT, terms=terms)
    join(desk, table, "Ann")
    start(desk, table)
    play(desk, table, mid_game)
    yield table
    players = [{**PERSON, "player": name} for name in ("ada", "ben")]
    table = opened(desk, "rated", "classic", *players, token=key, options=SHORT, start=True)
    play(desk, table, mid_game)
    yield table
    table = opened(desk, "lobby", "classic", PERSON, PERSON, options=SHORT)
    join(desk, table, "Ada")
    yield table


def keep(folder: Path) -> None:
    """Play on a new ledger, and write the folder, which is not there yet."""
    folder.mkdir(parents=True)
    with (
        tempfile.TemporaryDirectory(prefix="pl-") as work,
        embedded_postgres(Path(work) / "data") as server,
        own_database(server) as dsn,
    ):
        home = Path(work) / "ledger"
        (home / "published").mkdir(parents=True)
        given = settings_of(home, dsn)
        run("admin", "migrate", settings=given)
        with free_port() as port, running(1, at_port(given, port)) as nodes:
            url = f"http://127.0.0.1:{nodes.ports[0]}"
            with httpx2.Client(base_url=url, timeout=None) as client:
                desk = Desk(client, [])
                tables = played(desk, at_port(given, port))
                keep_requests(desk, folder)
        (folder / "store.sql.xz").write_bytes(lzma.compress(dumped(dsn), preset=9))
        for name in ("keys", "published"):
            ignored = shutil.ignore_patterns("*lock*", "admin.token")
            shutil.copytree(home / name, folder / name, ignore=ignored)
    text = msgspec.json.format(msgspec.json.encode(tables), indent=1)
    (folder / "tables.json").write_bytes(text + b"\n")


def played(desk: Desk, given: dict[str, str]) -> list[Table]:
    """The tables, after they were played, with views and public log that have all of them."""
    who = ("--actor", "Ann", "--reason", "To be kept", "--json")
    made = run("admin", "apps", "create", "Club", *who, settings=given).stdout
    key = msgspec.json.decode(made)["key"]
    for name in ("ada", "ben"):
        ask(desk, "PUT", f"/v1/players/{name}", {"name": name.title()}, key).raise_for_status()
    tables = [*over(desk, key), *going_on(desk, key)]
    eventually(
        lambda: desk.client.get("/health/ready").json(),
        lambda health: health["signed"] == health["log"] == health["views"],
    )
    for table in tables:
        view = current_view(desk.client, table)
        table.version, table.stage = view["version"], view["table"]["stage"]
    return tables


def keep_requests(desk: Desk, folder: Path) -> None:
    """Write the accepted requests that had a key, once they are answered alike again."""
    accepted = [exchange for exchange in desk.exchanges if exchange.answer.status < 300]
    if different := differences(desk.client, accepted):
        sys.exit(f"Not answered alike again: {different}")
    lines = b"".join(msgspec.json.encode(exchange) + b"\n" for exchange in accepted)
    (folder / "requests.jsonl.xz").write_bytes(lzma.compress(lines))


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
