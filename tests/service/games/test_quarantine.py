"""One damaged game is one damaged game: the service sets it aside, and all others go on."""

import json
from uuid import UUID

import httpx2
import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.service.api.responses import exports
from phaseledger.service.app import in_postgres
from phaseledger.service.automation.due_games import DueNotes
from phaseledger.service.settings import Settings
from tests.support.damage import stored_rows, with_bytes, without
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    Table,
    bearer,
    ok,
    open_table,
    started,
    whole_game,
)
from tests.support.service.operator import ANN, Both, running
from tests.support.service.problems import problem

DRAW = {"type": "draw"}


def hole(settings: Settings, game: UUID) -> None:
    without(settings.database_url, settings.schema, game, 3)


def unreadable(settings: Settings, game: UUID) -> None:
    with_bytes(settings.database_url, settings.schema, game, 3, b"\xff{")


def edited(settings: Settings, game: UUID) -> None:
    _, row = stored_rows(settings.database_url, settings.schema, game)[2]
    state = row.state.replace(b'{"at":1', b'{"at":2')
    with_bytes(settings.database_url, settings.schema, game, 3, state)


DAMAGES = {
    hole: "event 3 is missing",
    unreadable: "event 3 cannot be read",
    edited: "event 3 is not what was stored",
}


def caught_up(both: Both, number: int) -> None:
    eventually(
        lambda: both.api.get("/games", params={"limit": 200}).json()["games"],
        lambda listed: len(listed) == number,
    )


def set_aside(both: Both) -> list[tuple[str, str]]:
    games = both.operator.get("/admin/set-aside").json()["games"]
    return [(game["game"], game["reason"]) for game in games]


@pytest.fixture(autouse=True)
def crashed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is noted of games, as where a process crashed: so a start looks at all of them."""
    monkeypatch.setattr(DueNotes, "note", lambda *_: None)


def test_bots_and_clocks_go_on_beside_it(settings: Settings) -> None:
    with running(in_postgres(settings)) as both:
        table = started(both.api)
    hole(settings, UUID(table.game))
    with running(in_postgres(settings)) as both:
        whole_game(both.api)
        eventually(lambda: set_aside(both), lambda asides: len(asides) == 1)


def voided(both: Both, table: Table) -> None:
    answer = both.api.post(
        f"{table.path}/void", json={"reason": "Enough."}, headers=bearer(table.host)
    )
    assert answer.status_code == 200, answer.text


def export(both: Both, cursor: str = "") -> list[dict[str, object]]:
    answer = both.api.get("/exports/games", params={"cursor": cursor})
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def test_an_export_names_damaged_games_and_goes_on(settings: Settings) -> None:
    with running(in_postgres(settings)) as both:
        tables = [open_table(both.api) for _ in range(len(DAMAGES) + 2)]
        for table in tables:
            voided(both, table)
        eventually(lambda: export(both)[-1]["games"], lambda games: games == len(tables))
        for hurt, table in zip(DAMAGES, tables[1:-1], strict=True):
            hurt(settings, UUID(table.game))
        for _ in range(2):  # found by the export, and then known
            lines = [line for line in export(both) if "export" in line]
            assert [line.get("game") for line in lines[:-1]] == [table.game for table in tables]
            damaged = lines[1:-2]
            assert [line["set_aside"] for line in damaged] == [*DAMAGES.values()]
            assert not any("events" in line for line in damaged)
            assert lines[-1]["games"] == 2
            eventually(lambda: set_aside(both), lambda asides: len(asides) == len(DAMAGES))
        assert both.api.get("../health/ready").is_success
        # The cursor in its place begins with it again, and that of the end after all.
        rest = [line for line in export(both, str(lines[1]["cursor"])) if "export" in line]
        assert [line.get("game") for line in rest[:-1]] == [table.game for table in tables[1:]]
        assert len(export(both, str(lines[-1]["next"]))) == 1


def test_an_operator_voids_it_beside_the_log(settings: Settings) -> None:
    with running(in_postgres(settings)) as both:
        damaged, intact = started(both.api), started(both.api)
    hole(settings, UUID(damaged.game))
    with running(in_postgres(settings)) as both:
        answer = both.operator.post(f"/admin/games/{damaged.game}/void", json=ANN)
        assert answer.status_code == 200, answer.text
        refused = both.api.get(f"{damaged.path}/table")
        detail = problem(refused, 409, "game_set_aside").detail
        assert "the operator ann has voided it: a wrong deal; event 3 is missing" in detail
        (game,) = both.operator.get("/admin/set-aside").json()["games"]
        assert (game["voided_by"], game["void_reason"]) == ("ann", "a wrong deal")
        assert [event["action"] for event in both.record()] == ["void_game"]
        # A sound game is voided in its log, as ever.
        answer = both.operator.post(f"/admin/games/{intact.game}/void", json=ANN)
        assert answer.status_code == 200, answer.text
        assert len(both.operator.get("/admin/set-aside").json()["games"]) == 1
        assert ok(intact._replace(client=both.api).get())["table"]["stage"] == "voided"


def test_an_export_whose_views_go_back_does_not_end_as_if_it_were_whole(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a migration or a restored database may do; the cursor of the last game stays good."""
    monkeypatch.setattr("phaseledger.service.api.responses.exports.GAMES_AT_A_TIME", 2)
    with running(in_postgres(settings)) as both:
        tables = [open_table(both.api) for _ in range(5)]
        for table in tables:
            voided(both, table)
        eventually(lambda: export(both)[-1]["games"], lambda games: games == 5)
        whole = export(both)
    plain, pages = exports._game_lines, 0

    async def go_back(*arguments: object) -> list[bytes]:
        nonlocal pages
        pages += 1
        if pages == 2:
            schema = Identifier(settings.schema)
            with psycopg.connect(settings.database_url) as conn:
                conn.execute(
                    SQL(
                        "DELETE FROM {0}.games WHERE ended > 9; "
                        "UPDATE {0}.notification_tracking SET notification_id = 9 "
                        "WHERE application_name = 'projections'"
                    ).format(schema)
                )
        return await plain(*arguments)

    monkeypatch.setattr(exports, "_game_lines", go_back)
    alone = replace(settings, projections=False)
    with running(in_postgres(alone)) as both:
        received: list[bytes] = []

        def read() -> None:
            with both.api.stream("GET", "/exports/games") as answer:
                received.extend(answer.iter_raw())

        with pytest.raises(httpx2.RemoteProtocolError):
            read()
        assert b'"next"' not in b"".join(received)
        cursor = {"cursor": str(whole[-1]["next"])}
        problem(both.api.get("/exports/games", params=cursor), 503, "views_behind")
