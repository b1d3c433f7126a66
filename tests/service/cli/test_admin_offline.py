"""Damaged games, from the command line: listed, voided and restored, with no service running."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.projections.store import SetAsideReason
from phaseledger.projections.views import PostgresViews
from phaseledger.service.components import in_postgres
from phaseledger.service.settings import Settings
from tests.support import forked
from tests.support.damage import damage, stored_rows, with_bytes, without
from tests.support.environment import plain_environment
from tests.support.ledgers import own_schema
from tests.support.polling import eventually
from tests.support.service.api_tables import PERSON, SHORT, ok, started, whole_game
from tests.support.service.archived_ledgers import settled
from tests.support.service.operator import running
from tests.support.service.problems import problem

pytestmark = pytest.mark.system

WHO = ("--actor", "ann", "--reason", "a disk was lost")


def admin(settings: Settings, *arguments: str, code: int = 0) -> str:
    """What the command prints and complains of."""
    variables = {
        "PHASELEDGER_DATABASE_URL": settings.database_url,
        "PHASELEDGER_SCHEMA": settings.schema,
        "PHASELEDGER_KEYS_DIR": settings.keys_dir,
    }
    ended = forked.phaseledger("admin", *arguments, env=plain_environment() | variables)
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def lines(client: httpx2.Client, cursor: str = "") -> list[dict[str, Any]]:
    text = client.get("/exports/games", params={"cursor": cursor}).text
    return [json.loads(line) for line in text.splitlines() if line.startswith('{"export"')]


def copied(dsn: str, schema: str, copy: str) -> None:
    """Another store with the same events, as a backup has them."""
    with psycopg.connect(dsn) as conn:
        names = {"s": Identifier(schema), "c": Identifier(copy)}
        conn.execute(
            SQL(
                "CREATE SCHEMA {c}; CREATE TABLE {c}.stored_events AS TABLE {s}.stored_events"
            ).format(**names)
        )


@pytest.mark.parametrize(
    ("source", "missing"), [("bundle", (1,)), ("export", (7, 8, 9)), ("store", (5,))], ids=str
)
def test_a_game_is_restored_with_the_database_alone(
    settings: Settings, tmp_path: Path, source: str, missing: tuple[int, ...]
) -> None:
    dsn, schema = settings.database_url, settings.schema
    with running(settings, in_postgres(settings)) as both, own_schema(dsn) as backup:
        game, other = whole_game(both.api), whole_game(both.api)
        eventually(lambda: lines(both.api)[-1]["games"], lambda games: games == 2)
        settled(both.api, game)
        bundle = both.api.get(f"/games/{game}/bundle")
        (tmp_path / "bundle").write_text(bundle.text)
        (tmp_path / "export").write_text(both.api.get("/exports/games").text)
        copied(dsn, schema, backup)
        end = lines(both.api)[-1]["next"]
        before = stored_rows(dsn, schema, UUID(game))
        without(dsn, schema, UUID(game), *missing)
        # The export finds it; nothing else has looked.
        eventually(lambda: lines(both.api)[-1]["games"], lambda games: games == 1)
        reason = f"event {missing[0]} is missing"
        eventually(
            lambda: both.operator.get("/admin/set-aside").json()["games"],
            lambda games: [game["reason"] for game in games] == [reason],
        )
        eventually(lambda: both.api.get(f"/games/{game}").status_code, lambda code: code == 409)
        # --- the service could be gone from here on, and is not asked -----------------------------
        assert reason in admin(settings, "set-aside", "--offline", code=1)
        given = {"bundle": "bundle", "export": "export", "store": dsn}[source]
        copy = given if source == "store" else str(tmp_path / given)
        extra = ("--copy-schema", backup) if source == "store" else ()
        output = admin(settings, "restore", game, copy, *extra, *WHO)
        assert f"{len(missing)} of its events were inserted" in output
        # They are where they were, and so the public log's numbers are as before.
        assert stored_rows(dsn, schema, UUID(game)) == before
        assert admin(settings, "set-aside", "--offline") == ""
        ok_again = eventually(
            lambda: both.api.get(f"/games/{game}"), lambda answer: answer.status_code == 200
        )
        assert ok(ok_again)["table"]["stage"] == "ended"
        # Who had exported all before gets it again; all others get everything.
        eventually(
            lambda: [line.get("game") for line in lines(both.api, end)],
            lambda got: got[:1] == [game],
        )
        assert {line.get("game") for line in lines(both.api)[:-1]} == {game, other}
        assert [event["action"] for event in both.record()] == ["restore_game"]


def test_with_no_service_at_all(settings: Settings, tmp_path: Path) -> None:
    """Listed, voided, and restored from a bundle, which lifts the void; then it is served."""
    dsn, schema = settings.database_url, settings.schema
    with running(settings, in_postgres(settings)) as both:
        game = whole_game(both.api)
        settled(both.api, game)
        bundle = both.api.get(f"/games/{game}/bundle")
        (tmp_path / "bundle").write_text(bundle.text)
    sentence = admin(settings, "void", game, "--offline", *WHO, code=5)
    assert "is not damaged" in sentence
    without(dsn, schema, UUID(game), 4)
    admin(settings, "void", game, "--offline", *WHO)
    (listed,) = json.loads(admin(settings, "set-aside", "--offline", "--json", code=1))["games"]
    assert (listed["game"], listed["voided_by"]) == (game, "ann")
    assert "void: ann, a disk was lost" in admin(settings, "set-aside", "--offline", code=1)
    event = json.loads(admin(settings, "restore", game, str(tmp_path / "bundle"), *WHO, "--json"))
    assert (event["action"], event["details"]["game"]) == ("restore_game", game)
    assert admin(settings, "set-aside", "--offline") == ""
    with running(settings, in_postgres(settings)) as both:
        assert ok(both.api.get(f"/games/{game}/table"))["table"]["stage"] == "ended"
        assert [event["action"] for event in both.record()] == ["void_game", "restore_game"]


def test_a_game_that_overran_is_voided_without_being_run(settings: Settings) -> None:
    """Its record is sound, and nothing is decided for it: neither to void it, nor afterwards."""
    with running(settings, in_postgres(settings)) as both:
        game = started(both.api, (PERSON, PERSON), options=SHORT).game

    async def overrun() -> None:
        async with PostgresViews(settings.database_url, settings.schema) as views:
            await views.set_aside(UUID(game), SetAsideReason(3, "bots took too long"))

    asyncio.run(overrun())
    rows = stored_rows(settings.database_url, settings.schema, UUID(game))
    admin(settings, "void", game, "--offline", *WHO)
    (listed,) = json.loads(admin(settings, "set-aside", "--offline", "--json", code=1))["games"]
    assert (listed["reason"], listed["voided_by"]) == ("bots took too long", "ann")
    with running(settings, in_postgres(settings)) as both:
        problem(both.api.get(f"/games/{game}"), 409, "game_set_aside")
        assert [event["action"] for event in both.record()] == ["void_game"]
    assert stored_rows(settings.database_url, settings.schema, UUID(game)) == rows


@pytest.mark.parametrize("source", ["another game", "a changed event", "too little"])
def test_what_does_not_continue_the_chain_is_not_inserted(
    settings: Settings, tmp_path: Path, source: str
) -> None:
    dsn, schema = settings.database_url, settings.schema
    with running(settings, in_postgres(settings)) as both:
        game = whole_game(both.api)
        settled(both.api, game)
    rows = stored_rows(dsn, schema, UUID(game))
    states = [row.state for _, row in rows]
    makers: dict[str, tuple[Callable[[], list[bytes]], str]] = {
        "another game": (
            lambda: [
                state.replace(game.encode(), b"0" * 8 + game[8:].encode()) for state in states
            ],
            "has no event of game",
        ),
        "a changed event": (
            lambda: [
                state.replace(b'"at":', b'"at":1') if n == 4 else state
                for n, state in enumerate(states)
            ],
            "does not follow from the one before it",
        ),
        "too little": (lambda: states[:4], "has event 5 as it was stored"),
    }
    make, why = makers[source]
    (tmp_path / "copy").write_bytes(b"\n".join(make()) + b"\n")
    without(dsn, schema, UUID(game), 5)
    left = stored_rows(dsn, schema, UUID(game))
    code = 4 if source == "another game" else 5
    assert why in admin(settings, "restore", game, str(tmp_path / "copy"), *WHO, code=code)
    assert stored_rows(dsn, schema, UUID(game)) == left


def test_nothing_that_is_there_is_changed(settings: Settings, tmp_path: Path) -> None:
    dsn, schema = settings.database_url, settings.schema
    with running(settings, in_postgres(settings)) as both:
        game = whole_game(both.api)
        settled(both.api, game)
    rows = stored_rows(dsn, schema, UUID(game))
    (tmp_path / "copy").write_bytes(b"".join(row.state + b"\n" for _, row in rows))
    with_bytes(dsn, schema, UUID(game), 5, b"{}")
    left = stored_rows(dsn, schema, UUID(game))
    sentence = admin(settings, "restore", game, str(tmp_path / "copy"), *WHO, code=5)
    assert "event 5 cannot be read. It is there, and nothing that is there is changed" in sentence
    assert stored_rows(dsn, schema, UUID(game)) == left
    # As it says: without that row it can be restored.
    delete = "DELETE FROM {} WHERE originator_id = %s AND originator_version = 5"
    damage(dsn, schema, delete, UUID(game))
    admin(settings, "restore", game, str(tmp_path / "copy"), *WHO)
    assert stored_rows(dsn, schema, UUID(game)) == rows
    assert "nothing is to be done" in admin(
        settings, "restore", game, str(tmp_path / "copy"), *WHO, code=5
    )
