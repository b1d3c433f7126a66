"""Whether the log may be signed: after a restore, after edits, and what the operator is told."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from litestar.testing import TestClient
from msgspec.structs import replace
from prometheus_client import generate_latest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.keys import load, new, retire
from phaseledger.service.app import in_postgres, routes
from phaseledger.service.database.setup import upgrade
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.runtime import metrics
from phaseledger.service.settings import Settings, SettingsError, witnesses
from phaseledger.service.settings import load as load_settings
from phaseledger.service.transparency import publisher, signer
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import SigningRefused
from tests.support import forked
from tests.support.polling import eventually
from tests.support.service.public_log import (
    GAME,
    LOG,
    RESTORED,
    as_owner,
    environment,
    file_of,
    publish,
    published,
    publishing,
    refusal,
    rows,
    serve,
    signer_of,
    tree_of,
)
from tests.support.service.server import FREE


def test_a_restore_that_lost_what_was_published_is_found(settings: Settings) -> None:
    """It lost something, and nothing else is wrong with it."""
    as_owner(settings, *RESTORED)
    sentence = refusal(settings)
    assert sentence.startswith(
        f"The public log '{LOG}' is not signed: it was published with 600 events"
    )
    assert "but this database has it with 300" in sentence
    assert "phaseledger admin new-epoch" in sentence
    file_of(settings).write_text(published_at(settings, 300))
    assert refusal(settings) == ""


def published_at(settings: Settings, size: int) -> str:
    with psycopg.connect(settings.database_url) as conn:
        select = SQL("SELECT note FROM {}.checkpoints WHERE size = %s")
        row = conn.execute(select.format(Identifier(settings.schema)), (size,)).fetchone()
    assert row
    return str(row[0])


def test_a_restore_that_went_another_way_since_is_found(settings: Settings) -> None:
    kept = file_of(settings).read_text()
    as_owner(settings, *RESTORED)
    file_of(settings).write_text(published_at(settings, 300))
    other = rows(301, 700)[0]._replace(leaf=b"\7" * 32)

    async def go_on() -> None:
        async with PostgresStore(settings.database_url, schema=settings.schema) as store:
            await store.append(GAME, [other, *rows(302, 700)])

    asyncio.run(go_on())
    asyncio.run(publish(settings, 701, 700))
    file_of(settings).write_text(kept)
    assert "its first 600 events are not those that were published" in refusal(settings)


TILES = "UPDATE tree_tiles SET hashes = %s"
EDITS = {
    "last event": "DELETE FROM stored_events WHERE originator_version = 600",
    "some events": "DELETE FROM stored_events WHERE originator_version BETWEEN 550 AND 560",
    "half of the events": "DELETE FROM stored_events WHERE originator_version > 300",
    "a leaf": r"UPDATE stored_events SET leaf = '\x"
    + "07" * 32
    + "' WHERE originator_version = 599",
    "an event": "UPDATE stored_events SET leaf = NULL, state = 'x' WHERE originator_version = 513",
    "the root": "UPDATE checkpoints SET root = sha256('') WHERE size = 600",
    "its position": "UPDATE checkpoints SET position = position - 1 WHERE size = 600",
    "the last tile": "DELETE FROM tree_tiles WHERE level = 0 AND number = 2",
    "the upper tile": "DELETE FROM tree_tiles WHERE level = 1",
    "in the last tile": TILES % "overlay(hashes PLACING '\\x07' FROM 32) WHERE number = 2",
    "in the upper tile": TILES % "overlay(hashes PLACING '\\x07' FROM 32) WHERE level = 1",
    "a position": "UPDATE tree_tiles SET first = first + 1 WHERE number = 2",
    "the end of a tile": TILES % "substr(hashes, 1, 64) WHERE number = 2",
    "an older event": "DELETE FROM stored_events WHERE originator_version = 10",
    "an older tile": "DELETE FROM tree_tiles WHERE level = 0 AND number = 0",
    "the end of an older tile": TILES % "substr(hashes, 1, 64) WHERE level = 0 AND number = 0",
    "an older position": "UPDATE tree_tiles SET first = first + 1 WHERE level = 0 AND number = 1",
    "the last checkpoint": "DELETE FROM checkpoints WHERE size > 300",
    "all checkpoints": "DELETE FROM checkpoints",
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_database_that_contradicts_itself_is_found(settings: Settings, edit: str) -> None:
    as_owner(settings, EDITS[edit])
    assert "is not signed" in refusal(settings)


def test_what_a_start_does_not_count_is_counted_by_the_publisher(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a long log a start counts the newest tiles alone, so that it does not take minutes."""
    for room in (signer, publisher):
        monkeypatch.setattr(room, "COUNTED", 1)
    monkeypatch.setattr(publisher, "POLL", 0.01)
    as_owner(settings, "DELETE FROM stored_events WHERE originator_version = 10")
    assert refusal(settings) == ""

    async def sign() -> None:
        tree = tree_of(settings)
        async with PostgresStore(settings.database_url, schema=settings.schema) as store:
            await tree.open()
            try:
                await Publisher(store, tree, signer_of(settings)).run(asyncio.Event())
            finally:
                await tree.close()

    with pytest.raises(SigningRefused, match="missing in the tile of leaf 0"):
        asyncio.run(sign())


def test_a_tree_that_lost_its_last_growth_grows_again(settings: Settings) -> None:
    """As after a failover, which may lose that and none of the events."""
    kept = file_of(settings).read_text()
    as_owner(settings, *(edit for edit in RESTORED if "stored_events" not in edit))
    assert refusal(settings) == ""
    asyncio.run(publish(settings, 601, 601))
    assert file_of(settings).read_text() != kept


def test_a_log_keeps_its_name_when_its_first_key_is_retired(settings: Settings) -> None:
    folder = Path(settings.keys_dir)
    unnamed = replace(settings, log_origin="")
    first = load(folder).current.public
    assert signer_of(unnamed).origin == first.name
    new(folder, "second.example")
    retire(folder, first.id)
    assert signer_of(unnamed).origin == first.name
    assert signer_of(settings).origin == LOG


def test_serve_says_what_happened_and_a_new_log_can_be_named(settings: Settings) -> None:
    as_owner(settings, *RESTORED)
    run = serve(settings)
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr.startswith(f"phaseledger: The public log '{LOG}' is not signed: ")
    assert len(run.stderr.splitlines()) == 1
    anew = replace(settings, log_origin="log.example/2")
    assert f"that of this database is '{LOG}'" in refusal(anew)
    end(settings, LOG)
    asyncio.run(publish(anew, 301, 302))
    kept = (Path(settings.published_dir) / "log.example%2F2.checkpoint").read_text()
    assert notes.checkpoint(notes.note(kept).text)[:2] == ("log.example/2", 302)
    assert "was ended by an operator, and 'log.example/2' goes on." in refusal(settings)


def end(settings: Settings, log: str, code: int = 0) -> str:
    """What `admin end-log` says."""
    who = ("--actor", "ann", "--reason", "a typo")
    run = forked.phaseledger("admin", "end-log", log, *who, env=environment(settings))
    assert run.returncode == code, run.stdout + run.stderr
    return run.stdout + run.stderr


@pytest.mark.parametrize("origin", ["", f"{LOG}."])
def test_no_other_log_begins_beside_one_that_goes_on(settings: Settings, origin: str) -> None:
    """A4: neither a forgotten name nor a mistyped one."""
    mistyped = replace(settings, log_origin=origin)
    run = serve(mistyped)
    assert (run.returncode, run.stdout) == (2, "")
    assert repr(signer_of(mistyped).origin) in run.stderr
    assert f"that of this database is '{LOG}', which has 600 signed events" in run.stderr
    assert f"phaseledger admin end-log {LOG}" in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert signed_logs(settings) == {LOG}
    with TestClient(routes(in_postgres(replace(mistyped, projections=False)), FREE)) as client:
        ready = eventually(
            lambda: client.get("/health/ready"),
            lambda ready: not ready.json()["checks"]["log_key"]["ok"],
        )
        assert not ready.json()["checks"]["log_key"]["ok"]
    assert signed_logs(settings) == {LOG}


def signed_logs(settings: Settings) -> set[str]:
    """The names under which anything was signed or is about to be."""
    with psycopg.connect(settings.database_url) as conn:
        select = SQL("SELECT log FROM {}.checkpoints").format(Identifier(settings.schema))
        return {log for (log,) in conn.execute(select).fetchall()}


def test_of_two_logs_that_go_on_one_can_be_ended(settings: Settings) -> None:
    """A4: a ledger of an earlier release, where a mistyped name has begun another log."""
    typo = replace(settings, log_origin="gamse.example")
    as_owner(
        settings,
        "INSERT INTO checkpoints (log, size, root, position, note) SELECT 'gamse.example', size, "
        "root, position, note FROM checkpoints WHERE size = 600",
    )
    for serving in (settings, typo):
        run = serve(serving)
        assert run.returncode == 2, run.stderr
        assert "Two public logs go on in this database: " in run.stderr
        assert "phaseledger admin end-log LOG" in run.stderr
    with TestClient(routes(in_postgres(replace(settings, projections=False)), FREE)) as client:
        check = client.get("/health/ready").json()["checks"]["log_key"]
        assert not check["ok"]
        assert f"'gamse.example' beside '{LOG}'" in check["reason"]
        assert b"phaseledger_public_logs 2.0" in generate_latest(metrics.REGISTRY)
    assert f"what goes on is 'gamse.example', '{LOG}'" in end(settings, "gasme.example", 2)
    end(settings, "gamse.example")
    assert f"was ended by an operator, and '{LOG}' goes on" in refusal(typo)
    asyncio.run(publish(settings, 601, 602))


def test_no_log_ends_while_a_service_signs_one(settings: Settings) -> None:
    store = PostgresStore(settings.database_url, schema=settings.schema)

    async def signing() -> None:
        async with store, publishing(store, tree_of(settings), signer_of(settings)) as it:
            await store.append(GAME, rows(601, 601))
            await published(it.tree, 601)
            words = await asyncio.to_thread(end, settings, LOG, 2)
            assert "stop every service" in words

    asyncio.run(signing())
    assert refusal(settings) == ""


def test_of_two_services_that_begin_at_once_one_signs(settings: Settings) -> None:
    """Under another name, before anything is signed."""
    as_owner(settings, "DELETE FROM checkpoints", "DELETE FROM tree_tiles")
    file_of(settings).unlink()
    other = replace(settings, log_origin="gamse.example")

    async def leads() -> list[bool]:
        async with AsyncExitStack() as stack:
            trees = [tree_of(settings), tree_of(other)]
            writers = [await stack.enter_async_context(tree.writer()) for tree in trees]
            return [await writer.lead() for writer in writers]

    assert asyncio.run(leads()) == [True, False]


def test_a_log_does_not_go_on_under_keys_that_never_signed_it(settings: Settings) -> None:
    """A4: a mistyped folder, in which `serve` makes a key."""
    elsewhere = replace(settings, keys_dir=settings.keys_dir + "s")
    run = serve(elsewhere)
    assert run.returncode == 2
    assert f"The public log '{LOG}' was signed last by a key that this service lacks" in run.stderr
    new(Path(settings.keys_dir), "second.example")
    retire(Path(settings.keys_dir), load(Path(settings.keys_dir)).public[0].id)
    assert refusal(settings) == ""


def test_after_a_log_has_ended_the_keys_name_the_next_one(settings: Settings) -> None:
    unnamed = replace(settings, log_origin="")
    assert LOG in refusal(unnamed)
    as_owner(
        settings,
        "INSERT INTO ledger_restorations (position, log, published, voided) "
        f"VALUES (600, '{LOG}', 600, 0)",
    )
    assert refusal(unnamed) == ""


def test_a_service_that_cannot_sign_says_so_and_plays_on(settings: Settings) -> None:
    as_owner(settings, "DELETE FROM stored_events WHERE originator_version = 600")
    without = replace(settings, projections=False)  # which would stumble over these events
    with TestClient(routes(in_postgres(without), FREE)) as client:
        eventually(lambda: not client.get("/health/ready").json()["checks"]["log_key"]["ok"])
        assert client.get("/health/ready").status_code == 200  # so that no proxy leaves it
        bots = {"ruleset": "classic", "seats": [{"kind": "bot"}] * 2}
        assert client.post("/v1/games", json=bots).status_code == 201
        assert "\n600\n" in client.get("/v1/log/checkpoint").text


def test_a_service_whose_database_went_back_says_ledger_behind(settings: Settings) -> None:
    as_owner(settings, *RESTORED)
    without = replace(settings, projections=False)
    with TestClient(routes(in_postgres(without), FREE)) as client:
        ready = eventually(
            lambda: client.get("/health/ready"),
            lambda ready: not ready.json()["checks"]["log_key"]["ok"],
        )
        for check in ("log_key", "writer"):
            assert ready.json()["checks"][check]["reason"].startswith("ledger_behind: "), check


def test_the_role_of_a_service_publishes(settings: Settings) -> None:
    """Through functions: what it may not do to the tables is said in the eventlog's migrations."""
    role = f"r_{uuid4().hex[:8]}"
    weak = psycopg.conninfo.make_conninfo(settings.database_url, user=role)
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        conn.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(role)))
        try:
            upgrade(settings, application_role=role)
            asyncio.run(publish(replace(settings, database_url=weak), 601, 602))
        finally:
            conn.execute(SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(Identifier(role)))


def test_witnesses_are_keys_of_their_kind() -> None:
    witness = str(notes.SigningKey.new("w", notes.COSIGNATURE).public)
    other = str(notes.SigningKey.new("w", notes.COSIGNATURE).public)
    given = load_settings({"PHASELEDGER_WITNESSES": f" {witness}\n{other} "})
    assert [str(key) for key in witnesses(given)] == [witness, other]
    private = notes.SigningKey.new("w", notes.COSIGNATURE).text()
    operator = str(notes.SigningKey.new("w").public)
    for wrong in ("nonsense", operator, witness[:-4], private, f"{witness} {witness}"):
        with pytest.raises(SettingsError, match="PHASELEDGER_WITNESSES is not usable") as refused:
            witnesses(load_settings({"PHASELEDGER_WITNESSES": wrong}))
        assert private[-20:] not in str(refused.value)


SETTINGS = {
    "PHASELEDGER_LOG_ORIGIN=two words": "it is 1 to 200 visible ASCII characters without +",
    f"PHASELEDGER_LOG_ORIGIN={'x' * 201}": "it is 1 to 200 visible ASCII characters without +",
    "PHASELEDGER_SCHEMA=Sch": "it is a name of lower-case letters, digits and _",
    "PHASELEDGER_CACHED_GAMES=1.5": "it is a whole number from 1 to 1000000, not '1.5'.",
    "PHASELEDGER_PORT=tcp://10.0.0.1:8000": "it is a whole number from 0 to 65535, not 'tcp:",
    "PHASELEDGER_STOP_SECONDS=10 s": "it is a number from 0 to 3600, not '10 s'.",
    "PHASELEDGER_PROJECTIONS=perhaps": "it is true or false, not 'perhaps'.",
    "PHASELEDGER_LOG_LEVEL=x": "it is debug or error or info or warning, not 'x'.",
    "PHASELEDGER_LOBBY_EVENTS=sEcret": "is no setting any more: it is always 1000.",
    "PHASELEDGER_TABLES_PER_ADDRESS=sEcret": "any more: it goes by PHASELEDGER_WRITE_RATE",
    "PHASELEDGER_ADMIN_TOKEN=sEcret": "no setting any more: the token is the text of admin.token",
    "phaseledger_port=1": "is no setting: did you mean PHASELEDGER_PORT?",
    "PHASELEDGER_MISSPELT=1": "is no setting: docs/reference/settings.md has all.",
}


def test_what_is_no_setting_is_told_in_words() -> None:
    """A13: out of bounds, of an earlier release, or misspelt."""
    for given, reason in SETTINGS.items():
        variable, _, text = given.partition("=")
        with pytest.raises(SettingsError) as refused:
            load_settings({variable: text})
        assert str(refused.value).startswith(f"{variable} is "), given
        assert reason in str(refused.value), given
        assert "sEcret" not in str(refused.value)
