"""Whatever is damaged of one game's record, that game is set aside on every path, and no other."""

from collections.abc import Callable
from uuid import UUID

import httpx2
import msgspec
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.quarantine import Quarantine
from phaseledger.service.settings import Settings
from tests.support.damage import chained_elsewhere, damage, encode, stored_rows
from tests.support.polling import eventually
from tests.support.service.api_tables import Table, bearer, mover, ok, started
from tests.support.service.operator import Both, running
from tests.support.service.problems import problem

DRAW = {"type": "draw"}
NDJSON, SSE = "application/x-ndjson", "text/event-stream"
Rows = list[Row]


def at(version: int, change: Callable[[Row], Row]) -> Callable[[Rows, Rows], Rows]:
    """The change of one event; of the last one where the version is -1."""

    def changed(rows: Rows, _: Rows) -> Rows:
        row = rows[version - 1 if version > 0 else version]
        return [change(other) if other is row else other for other in rows]

    return changed


def in_other_order(row: Row) -> Row:
    tree = msgspec.json.decode(row.state)
    return row._replace(state=msgspec.json.encode(dict(reversed(tree.items()))))


def another_seat_taken(rows: Rows, _: Rows) -> Rows:
    """A last event that is whole and chained, and of a seat that the table has not."""
    taken, last = (msgspec.json.decode(row.state) for row in (rows[1], rows[-1]))
    tree = {**last, "data": {**taken["data"], "seat": 9}, "type": taken["type"]}
    return [*rows[:-1], rows[-1]._replace(topic=taken["type"], state=encode(tree), leaf=None)]


READ = "event {} cannot be read"
MISSING = "event {} is missing"
LOOSE = "event {} does not follow from the one before it"
EDITED = "event {} is not what was stored"
KINDS: dict[str, tuple[Callable[[Rows, Rows], Rows], int, str]] = {
    "unknown topic": (at(3, lambda row: row._replace(topic="nonsense")), 3, READ),
    "unknown version": (at(3, lambda row: row._replace(topic=f"{row.topic}7")), 3, READ),
    "no bytes": (at(3, lambda row: row._replace(state=b"")), 3, READ),
    "half of the bytes": (at(3, lambda row: row._replace(state=row.state[:50])), 3, READ),
    "not canonical": (at(1, lambda row: row._replace(state=row.state + b" ")), 1, READ),
    "in other order": (at(1, in_other_order), 1, READ),
    "another chain": (at(3, chained_elsewhere), 3, LOOSE),
    "another game's": (lambda rows, others: [*rows[:2], others[2], *rows[3:]], 3, EDITED),
    "unfit": (another_seat_taken, -1, "event {} does not fit the game before it"),
    "first lost": (lambda rows, _: rows[1:], 1, MISSING),
    "middle lost": (lambda rows, _: [*rows[:2], *rows[3:]], 3, MISSING),
    "end lost": (lambda rows, _: rows[:-2], -2, MISSING),
    "whole lost": (lambda _, __: [], 1, MISSING),
}  # fmt: skip


def get(table: Table, path: str, accept: str = "application/json", **more: str) -> httpx2.Response:
    return table.client.get(f"{table.path}{path}", headers={"Accept": accept}, params=more)


PATHS: dict[str, Callable[[Table], httpx2.Response]] = {
    "look": lambda table: get(table, ""),
    "long poll": lambda table: get(table, "", at_least="1"),
    "actions": lambda table: table.get("/actions", seat=0),
    "command": lambda table: table.send(0, DRAW),
    "dry run": lambda table: table.client.post(
        f"{table.path}/commands", json=DRAW, params={"dry_run": "true"},
        headers=bearer(table.tokens[0]),
    ),
    "void": lambda table: table.client.post(
        f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host)
    ),
    "events": lambda table: get(table, "/events"),
    "lines": lambda table: get(table, "/events", NDJSON),
    "stream": lambda table: get(table, "/events", SSE, once="true"),
    "frames": lambda table: get(table, "/frames"),
    "receipt": lambda table: get(table, "/receipts/2"),
    "bundle": lambda table: get(table, "/bundle"),
}  # fmt: skip
VIEWS: dict[str, Callable[[Table], httpx2.Response]] = {
    "table": lambda table: get(table, "/table"),
    "scoreboard": lambda table: get(table, "/scoreboard"),
}
"""They are served as they were until the game is set aside."""


def hurt(settings: Settings, game: UUID, others: Rows, kind: str) -> str:
    """Damage the game; the reason for which it is set aside."""
    dsn, schema = settings.database_url, settings.schema
    placed = stored_rows(dsn, schema, game)
    rows = [row for _, row in placed]
    change, number, reason = KINDS[kind]
    after = {row.version: row for row in change(rows, others)}
    for row in rows:
        where = "WHERE originator_id = %s AND originator_version = %s"
        if (changed := after.get(row.version)) is None:
            damage(dsn, schema, f"DELETE FROM {{}} {where}", game, row.version)
        elif changed != row:
            update = f"UPDATE {{}} SET topic = %s, state = %s, leaf = %s {where}"
            damage(dsn, schema, update, *changed[1:], game, row.version)
    return reason.format(number if number > 0 else rows[number].version)


def set_aside(both: Both) -> dict[str, str]:
    games = both.operator.get("/admin/set-aside").json()["games"]
    return {game["game"]: game["reason"] for game in games}


def test_every_kind_of_damage_on_every_path(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one path sets the game aside, the others refuse it; each is tried before that, too."""
    with running(in_postgres(settings)) as both:
        tables = {kind: started(both.api) for kind in KINDS}
        intact = started(both.api)
        eventually(
            lambda: both.api.get("/games").json()["games"], lambda games: len(games) > len(KINDS)
        )
        assert intact.get("/bundle").is_success  # a checkpoint covers them
    others = [
        row for _, row in stored_rows(settings.database_url, settings.schema, UUID(intact.game))
    ]
    reasons = {
        table.game: hurt(settings, UUID(table.game), others, kind) for kind, table in tables.items()
    }
    suspects, suspect = set[UUID](), Quarantine.suspect
    monkeypatch.setattr(Quarantine, "suspect", lambda _, game: suspects.add(game))
    with running(in_postgres(settings)) as both:
        tables = {kind: table._replace(client=both.api) for kind, table in tables.items()}
        intact = intact._replace(client=both.api)
        for kind, table in tables.items():
            for path, request in PATHS.items():
                suspects.clear()
                answer = request(table)
                assert answer.status_code == 503, (kind, path, answer.text)
                problem(answer, 503, "log_damaged")
                assert UUID(table.game) in suspects, (kind, path)
        assert set_aside(both) == {}
        monkeypatch.setattr(Quarantine, "suspect", suspect)
        for table in tables.values():
            problem(get(table, ""), 503, "log_damaged")
        eventually(lambda: set_aside(both), lambda asides: asides == reasons)
        for kind, table in tables.items():
            for path, request in {**PATHS, **VIEWS}.items():
                answer = request(table)
                assert answer.status_code == 409, (kind, path)
                detail = problem(answer, 409, "game_set_aside").detail
                assert detail.endswith(f": {reasons[table.game]}.")
        problem(intact.get("/bundle"), 503, "log_damaged")  # its proofs would be wrong
        ok(intact.send(mover(intact), DRAW))
        listed = [game["game"] for game in both.api.get("/games").json()["games"]]
        assert listed == [intact.game]
        assert set_aside(both) == reasons
        checks = both.api.get("../health/ready").json()["checks"]
        assert {name for name, check in checks.items() if not check["ok"]} <= {"log_key"}
        assert f"phaseledger_set_aside_games {len(KINDS)}.0" in both.operator.get("/metrics").text
