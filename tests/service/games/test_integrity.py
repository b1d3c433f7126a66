"""Nothing is signed that the database says now and did not say when it was stored."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from uuid import UUID

import httpx2
import msgspec
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import leaf_of
from phaseledger.service.games.integrity import require_chained, seal_key
from phaseledger.service.settings import Settings
from tests.support.damage import damage, stored_rows, without
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.service.api_tables import KEY, Table, bearer, mover, ok, open_table, started
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, client_over, ledger_client

DRAW = {"type": "draw"}
encode = msgspec.json.Encoder(order="sorted").encode


@pytest.fixture
def settings(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    with own_ledger(postgres_dsn, tmp_path, projections=False) as ledger:
        yield ledger


Edit = Callable[[list[Row], bytes], list[Row]]


def renamed(rows: list[Row], _: bytes) -> list[Row]:
    """Somebody else sits in the first seat."""
    assert b'"name":"Seat 0"' in rows[1].state
    return [rows[1]._replace(state=rows[1].state.replace(b'"name":"Seat 0"', b'"name":"Eve"'))]


def with_leaf(rows: list[Row], key: bytes) -> list[Row]:
    """The same, and its leaf is stored as well."""
    (row,) = renamed(rows, key)
    return [row._replace(leaf=bytes.fromhex(leaf_of(row.state, key)))]


def chained_anew(rows: list[Row], key: bytes) -> list[Row]:
    """The same, and all events after it are made to fit: a whole other history."""
    made = [rows[0], *with_leaf(rows, key)]
    for row in rows[2:]:
        tree = {**msgspec.json.decode(row.state), "prev": leaf_of(made[-1].state, key)}
        state = encode(tree)
        made.append(row._replace(state=state, leaf=bytes.fromhex(leaf_of(state, key))))
    return made


def without_leaves(rows: list[Row], key: bytes) -> list[Row]:
    """A whole other history in a database that stores no leaves."""
    return [row._replace(leaf=None) for row in chained_anew(rows, key)]


def unreadable(rows: list[Row], _: bytes) -> list[Row]:
    return [rows[1]._replace(state=b"\xff")]


EDITS = (renamed, with_leaf, chained_anew, without_leaves, unreadable)
WHOLE = (chained_anew, without_leaves)
"""What no record shows by itself."""


def edit(settings: Settings, table: Table, change: Edit) -> None:
    """Change a game's rows behind the service's back."""
    game, store = UUID(table.game), (settings.database_url, settings.schema)
    rows = [row for _, row in stored_rows(*store, game)]
    update = "UPDATE {} SET state = %s, leaf = %s "
    update += "WHERE originator_id = %s AND originator_version = %s"
    for row in change(rows, seal_key(game, rows[0])):
        damage(*store, update, row.state, row.leaf, game, row.version)


def played(client: httpx2.Client) -> Table:
    table = started(client)
    ok(table.send(mover(table), DRAW, Idempotency_Key=KEY))
    assert table.get("/bundle").is_success  # once there is a checkpoint over it
    return table


def test_what_was_changed_is_not_signed(settings: Settings) -> None:
    """Not while the service knows better, and not by one that has been started since."""
    edited = dict[str, tuple[Table, Edit, int]]()
    with ledger_client(settings) as client:
        for change in EDITS:
            table = played(client)
            seat = mover(table)
            receipt, version = ok(table.get("/receipts/2")), table.version()
            edited[change.__name__] = table, change, version
            edit(settings, table, change)
            problem(table.get("/receipts/2"), 503, "log_damaged")
            refused = 503, "log_damaged"
            if change not in WHOLE:  # a record that is damaged in itself
                refused = 409, "game_set_aside"
                ask = partial(table.get, "/receipts/2")
                eventually(ask, lambda aside: aside.status_code == 409)
            problem(table.get("/bundle"), *refused)
            problem(table.send(seat, DRAW, Idempotency_Key=KEY), *refused)
        table = played(client)
        seat, last = mover(table), table.version()
        without(settings.database_url, settings.schema, UUID(table.game), last)
        problem(table.get(f"/receipts/{last}"), 503, "log_damaged")
        problem(table.get("/bundle"), 503, "log_damaged")
        problem(table.send(seat, DRAW, Idempotency_Key=KEY), 503, "log_damaged")
    with ledger_client(settings) as client:
        for table, change, version in edited.values():
            reopened = table._replace(client=client)
            void = client.post(
                f"{reopened.path}/void", json={"reason": "x"}, headers=bearer(table.host)
            )
            for refused in (
                reopened.get("/receipts/2"),
                reopened.get("/bundle"),
                void,
                reopened.get(),
            ):
                assert "Eve" not in refused.text
                # A record that is damaged in itself is set aside, as soon as it is found.
                is_aside = refused.status_code == 409
                problem(refused, *((409, "game_set_aside") if is_aside else (503, "log_damaged")))
                assert not is_aside or change not in WHOLE
            rows = stored_rows(settings.database_url, settings.schema, UUID(table.game))
            assert rows[-1][1].version == version
        assert ok(open_table(client).get("/receipts/1"))["key"] == receipt["key"]


def test_an_event_that_no_checkpoint_covers_yet(settings: Settings) -> None:
    """What was stored beside it, and what follows it, tell."""
    with ledger_client(settings) as client:
        for change in (renamed, with_leaf):
            table = open_table(client)
            edit(settings, table, change)
            problem(table.get("/receipts/2"), 503, "log_damaged")


def test_damage_in_the_tree_is_no_fault_of_ours(settings: Settings) -> None:
    with ledger_client(settings) as client:
        table = played(client)
        named = Identifier(settings.schema, "tree_tiles")
        with psycopg.connect(settings.database_url) as conn:
            conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(named))
            conn.execute(SQL("UPDATE {} SET hashes = substr(hashes, 1, 32)").format(named))
        problem(table.get("/receipts/2"), 503, "log_damaged")
        problem(table.get("/bundle"), 503, "log_damaged")


def test_events_of_another_game_do_not_pass() -> None:
    """Whole, well chained, and filed under the wrong name."""
    parts = in_memory()
    with client_over(parts) as client:
        table, other = open_table(client), open_table(client)
    rows = asyncio.run(parts.store.read(UUID(table.game)))
    key = seal_key(UUID(table.game), rows[0])
    head = leaf_of(rows[0].state, key)
    assert require_chained(UUID(table.game), rows, key)[0] == head
    assert len(require_chained(UUID(table.game), rows[1:], key, head)) == len(rows) - 1
    for game, given, before in (
        (UUID(other.game), rows, ""),
        (UUID(table.game), rows[1:], "0" * 64),
        (UUID(table.game), [rows[0], rows[2]], ""),
        (UUID(table.game), [rows[0]._replace(version=2), *rows[1:]], ""),
    ):
        with pytest.raises(LogDamaged):
            require_chained(game, given, key, before)
    with pytest.raises(LogDamaged, match="it does not open the game"):
        seal_key(UUID(table.game), rows[1])


def test_few_bundles_are_written_at_once(
    served: Served, client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each signs a whole game; others wait for their turn, and get theirs."""
    table, at_work, most, two = started(client), 0, 0, asyncio.Barrier(2)

    async def written(*_: object, **__: object) -> bytes:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await two.wait()
        await asyncio.sleep(0.05)
        at_work -= 1
        return b"{}\n"

    monkeypatch.setattr("phaseledger.service.api.routes.bundle.bundle_of", written)

    async def ask_all() -> list[int]:
        url = f"{served.url}/v1{table.path}/bundle"
        async with httpx2.AsyncClient(timeout=None) as many:
            answers = await asyncio.gather(*(many.get(url) for _ in range(10)))
        return [answer.status_code for answer in answers]

    assert asyncio.run(ask_all()) == [200] * 10
    assert most == 2
