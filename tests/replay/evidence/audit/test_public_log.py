"""`audit --all` over a store finds what no game alone can show: events that are gone."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence.tiles import Edge, extend_edge
from phaseledger.replay.cli.main import app
from phaseledger.replay.evidence.audit.public_log import EXPLAIN_LOG, LogFinding, _differences
from phaseledger.replay.formats.records.public_log import LoggedEvent
from phaseledger.service.app import in_postgres
from phaseledger.service.games.game import leaf_of
from phaseledger.service.games.integrity import seal_key
from phaseledger.service.settings import Settings
from tests.support.cases import looped
from tests.support.damage import damage, restored, stored_rows, with_bytes, without
from tests.support.ledgers import own_database, prepared
from tests.support.service.api_tables import bearer, mover, ok, started
from tests.support.service.server import serving


class Ledger(NamedTuple):
    """A store whose log is published, and one of its games."""

    settings: Settings
    game: UUID
    last: int
    """The number of the game's last event."""

    @property
    def store(self) -> tuple[str, str]:
        """DSN and schema."""
        return self.settings.database_url, self.settings.schema

    def run(self, statement: str, *parameters: object) -> None:
        """Run a statement, in which ``{s}`` is the schema, as somebody whom no trigger stops."""
        with psycopg.connect(self.settings.database_url) as conn:
            for table in ("tree_tiles", "checkpoints"):
                named = Identifier(self.settings.schema, table)
                conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(named))
            named = Identifier(self.settings.schema)
            conn.execute(SQL(statement).format(s=named), parameters)


@pytest.fixture(scope="module")
def whole_ledger(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """The ledger of a service that has ended."""
    with own_database(postgres_dsn) as (_, dsn):
        folder = tmp_path_factory.mktemp("ledger")
        yield published_ledger(prepared(dsn, "log", folder, projections=False))


@pytest.fixture
def ledger(whole_ledger: Ledger) -> Iterator[Ledger]:
    """It, to be tampered with."""
    tables = ("stored_events", "tree_tiles", "checkpoints", "cosignatures")
    with restored(*whole_ledger.store, *tables):
        yield whole_ledger


def published_ledger(settings: Settings) -> Ledger:
    with (
        serving(in_postgres(settings)) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        first, second = started(client), started(client)
        for table in (first, second):
            ok(table.send(mover(table), {"type": "draw"}))
        # The last two events of this game are two commands.
        ok(client.post(f"{first.path}/void", json={"reason": "x"}, headers=bearer(first.host)))
        for table in (first, second):
            assert table.get("/bundle").is_success  # once a checkpoint covers all of it
        last = first.version()
    return Ledger(settings, UUID(first.game), last)


def audited(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes], *more: object
) -> tuple[int, list[dict[str, object]]]:
    """The exit code of `audit --all`, and its findings."""
    dsn, schema = ledger.store
    named = ["--database-url", dsn, "--schema", schema]
    capsysbinary.readouterr()
    with pytest.raises(SystemExit) as ended:
        app(["audit", "--all", "--jobs", "1", *named, *map(str, more)])
    findings = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert all(
        finding["text"] == EXPLAIN_LOG.get(finding["code"], finding["text"]) for finding in findings
    )
    return int(str(ended.value.code)), findings


def codes(findings: list[dict[str, object]]) -> list[object]:
    return [finding["code"] for finding in findings]


def published(ledger: Ledger) -> Path:
    (file,) = Path(ledger.settings.published_dir).glob("*.checkpoint")
    return file


def test_a_store_that_has_all_that_it_published_is_sound(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for more in (
        (),
        ("--checkpoint", published(ledger)),
        ("--checkpoint", published(ledger).parent),
    ):
        assert audited(ledger, capsysbinary, *more) == (0, [])


def test_the_last_events_of_a_game_are_missed(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Each game for itself is sound."""
    rows = dict(stored_rows(*ledger.store, ledger.game)[-2:])
    without(*ledger.store, ledger.game, ledger.last - 1, ledger.last)
    code, findings = audited(ledger, capsysbinary)

    assert (code, set(codes(findings))) == (1, {"event_lost"})
    leaves = [row.leaf.hex() for row in rows.values() if row.leaf]
    assert any(str(finding["expected"]).endswith(leaves[0]) for finding in findings)


def cut_tree(ledger: Ledger) -> None:
    """Make the store as if the game's last event had never been: tree and checkpoints, too."""
    without(*ledger.store, ledger.game, ledger.last)
    with psycopg.connect(ledger.settings.database_url) as conn:
        query = SQL("SELECT leaf, notification_id FROM {} ORDER BY notification_id")
        named = Identifier(ledger.settings.schema, "stored_events")
        rows = conn.execute(query.format(named)).fetchall()
    edge, tiles = extend_edge(Edge(), [leaf for leaf, _ in rows])
    (hashes,) = tiles.values()
    ledger.run("DELETE FROM {s}.cosignatures")
    ledger.run("DELETE FROM {s}.checkpoints")
    ledger.run("UPDATE {s}.tree_tiles SET hashes = %s", hashes)
    ledger.run(
        "INSERT INTO {s}.checkpoints (log, size, root, position) "
        "SELECT log, %s, %s, %s FROM {s}.tree_tiles",
        *(edge.size, edge.root, rows[-1][1]),
    )


def test_a_tree_that_was_cut_with_them_does_not_have_what_was_published(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    cut_tree(ledger)

    assert audited(ledger, capsysbinary) == (0, [])  # within itself
    code, findings = audited(ledger, capsysbinary, "--checkpoint", published(ledger))
    assert (code, codes(findings)) == (1, ["checkpoint_ahead"])


def test_other_events_in_the_place_of_those_that_were_published(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The last event is made another one, with its leaf, the tree and the tree's root."""
    dsn, schema = ledger.store
    rows = [row for _, row in stored_rows(dsn, schema, ledger.game)]
    state = rows[-1].state.replace(b'{"at":1', b'{"at":2')
    leaf = bytes.fromhex(leaf_of(state, seal_key(ledger.game, rows[0])))
    statement = (
        "UPDATE {} SET state = %s, leaf = %s WHERE originator_id = %s AND originator_version = %s"
    )
    assert damage(dsn, schema, statement, state, leaf, ledger.game, ledger.last) == 1
    code, findings = audited(ledger, capsysbinary)

    assert (code, codes(findings)) == (1, ["event_not_logged"])
    assert (findings[0]["game"], findings[0]["seq"]) == (str(ledger.game), ledger.last)
    assert (findings[0]["recorded"], findings[0]["expected"]) != (
        findings[0]["expected"],
        leaf.hex(),
    )

    old = rows[-1].leaf
    ledger.run(
        "UPDATE {s}.tree_tiles SET hashes = overlay(hashes PLACING %s FROM position(%s IN hashes))",
        leaf,
        old,
    )
    code, findings = audited(ledger, capsysbinary)
    assert (code, set(codes(findings))) == (1, {"tree_differs"})

    with psycopg.connect(dsn) as conn:
        query = SQL("SELECT leaf FROM {} ORDER BY notification_id").format(
            Identifier(schema, "stored_events")
        )
        edge, _ = extend_edge(Edge(), [logged for (logged,) in conn.execute(query)])
    ledger.run("DELETE FROM {s}.checkpoints WHERE size < %s", edge.size)
    ledger.run("UPDATE {s}.checkpoints SET note = NULL, root = %s", edge.root)
    assert audited(ledger, capsysbinary) == (0, [])
    code, findings = audited(ledger, capsysbinary, "--checkpoint", published(ledger))
    assert (code, codes(findings)) == (1, ["checkpoint_differs"])


def test_a_leaf_that_is_not_its_events_own(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Bytes that were changed while their leaf stayed, and a leaf that was changed."""
    _, row = stored_rows(*ledger.store, ledger.game)[-1]
    with_bytes(*ledger.store, ledger.game, row.version, row.state.replace(b'{"at":1', b'{"at":2'))
    code, findings = audited(ledger, capsysbinary)
    assert (code, codes(findings), findings[0]["seq"]) == (1, ["broken_chain"], row.version)

    with_bytes(*ledger.store, ledger.game, row.version, row.state)
    assert audited(ledger, capsysbinary) == (0, [])
    statement = "UPDATE {} SET leaf = %s WHERE originator_id = %s AND originator_version = 3"
    assert damage(*ledger.store, statement, bytes(32), ledger.game) == 1
    code, findings = audited(ledger, capsysbinary)
    assert (code, codes(findings)) == (1, ["broken_chain", "event_not_logged"])


def test_leaves_that_are_not_stored_are_computed(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    damage(*ledger.store, "UPDATE {} SET leaf = NULL")
    assert audited(ledger, capsysbinary) == (0, [])
    without(*ledger.store, ledger.game, ledger.last)
    assert set(codes(audited(ledger, capsysbinary)[1])) == {"event_lost"}


Tamper = Callable[[Ledger], None]
TREES: dict[str, Tamper] = {
    "an event more in the tree": lambda ledger: ledger.run(
        "UPDATE {s}.tree_tiles SET hashes = hashes || %s", bytes(32)
    ),
    "no checkpoint": lambda ledger: ledger.run("DELETE FROM {s}.checkpoints"),
    "another root": lambda ledger: ledger.run("UPDATE {s}.checkpoints SET root = %s", bytes(32)),
    "another note": lambda ledger: ledger.run("UPDATE {s}.checkpoints SET note = 'signed'"),
    "a tile above": lambda ledger: ledger.run(
        "INSERT INTO {s}.tree_tiles SELECT log, 1, 0, %s, NULL FROM {s}.tree_tiles", bytes(32)
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_a_tree_that_was_changed(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes], name: str
) -> None:
    TREES[name](ledger)
    code, findings = audited(ledger, capsysbinary)

    assert code == 1
    assert "tree_differs" in codes(findings)


def test_checkpoints_that_are_of_no_use(
    ledger: Ledger, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    other = tmp_path / "other.checkpoint"
    other.write_text(published(ledger).read_text().replace("\n", "x\n", 1))
    assert codes(audited(ledger, capsysbinary, "--checkpoint", other)[1]) == ["log_unknown"]
    ledger.run("DELETE FROM {s}.checkpoints")
    ledger.run("DELETE FROM {s}.tree_tiles")
    ended = audited(ledger, capsysbinary, "--checkpoint", published(ledger))
    assert (ended[0], codes(ended[1])) == (1, ["log_unknown"])
    other.write_text("no checkpoint")
    for missing in (other, tmp_path / "nowhere"):
        assert audited(ledger, capsysbinary, "--checkpoint", missing)[0] == 5
    file = tmp_path / "games.ndjson"
    shutil.copy(other, file)
    assert audited(ledger, capsysbinary, file, "--checkpoint", other)[0] == 2


def event(number: int, leaf: int | None = None) -> LoggedEvent:
    return LoggedEvent(number, "game", number, bytes([leaf or number]) * 32)


@looped(
    ("events", "expected"),
    [
        ([1, 2, 3, 4, 5], []),
        ([1, 2, 3], [("event_lost", "leaves 103 to 104")]),
        ([2, 3, 5], [("event_lost", "leaf 100"), ("event_lost", "leaf 103")]),
        ([1, 9, 3, 4, 5], [("event_not_logged", "leaf 101")]),
        ([1, 9, 2, 3, 4, 5], [("event_not_logged", "no event there")]),
        ([1, 9, 3, 5], [("event_not_logged", "leaf 101"), ("event_lost", "leaf 103")]),
        ([1, 3, 4, 9], [("event_lost", "leaf 101"), ("event_not_logged", "leaf 104")]),
        ([1, 2, 3, 4, 5, 9], [("event_not_logged", "no event there")]),
        ([], [("event_lost", "leaves 100 to 104")]),
    ],
)
def test_what_differs_is_named_and_the_rest_is_not(
    events: list[int], expected: list[tuple[str, str]]
) -> None:
    leaves = [event(number).leaf for number in range(1, 6)]
    named = list(_differences(100, leaves, [event(number) for number in events]))

    assert [(finding.code, finding.expected.partition(",")[0]) for finding in named] == expected
    assert all(isinstance(finding, LogFinding) for finding in named)
