"""Secrets at rest: a database, or a dump of it, shows no live hand without the operator's key."""

import base64
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence import codec
from phaseledger.replay.formats import sealing
from phaseledger.replay.formats.sealing import (
    SealingKeyMissing,
    sealed_under,
)
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.database.setup import upgrade
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import bearer, ok, open_table
from tests.support.service.processes import command
from tests.support.service.sealed_ledgers import (
    HOOK,
    audit,
    dumped,
    hidden,
    played,
    settings,
    stored,
    unsealed,
    webhooks,
)
from tests.support.service.secret_markers import require_none
from tests.support.service.server import ledger_client

__all__ = ["settings"]


def test_a_dump_shows_no_live_hand_and_no_secret(settings: Settings) -> None:
    made = open_sealing(settings).made
    with ledger_client(settings) as client:
        table, secret = played(client)
        hands = [ok(table.get(seat=seat))["table"]["hand"] for seat in (0, 1)]
        text = dumped(settings)
    secrets = hidden(settings)

    assert len(secrets) > 5
    assert "server" in "".join(secrets)
    require_none({**secrets, "webhook": secret}, text, "the dump")
    raw = base64.b64decode(secret.removeprefix("whsec_"))
    assert not any(form in text for form in (raw.hex(), raw.decode("latin-1")))
    assert not any(hand in text for hand in hands)
    assert text.count(f"s1.{made}.") > 5
    # It has to be able to fail: the same ledger unsealed.
    with pytest.raises(AssertionError):
        require_none(secrets, "".join(str(row) for row in unsealed(settings)), "unsealed")


def test_what_is_sealed_reads_like_what_is_not(settings: Settings) -> None:
    """Services, whether they were there from the start or came later, and the same evidence."""
    with ledger_client(settings) as client:
        before, _ = played(client)
        old = before.get("/events", limit=1000).json()
    open_sealing(settings)
    with ledger_client(settings) as client:
        table, secret = played(client)
        first = table.get(seat=0).content
        bundle = table.get("/bundle").text
        same_table = before._replace(client=client)
        assert same_table.get("/events", limit=1000).json() == old
        hooks = webhooks(client, table)
    with ledger_client(settings) as client:
        later = table._replace(client=client)
        assert later.get(seat=0).content == first
        assert webhooks(client, table) == hooks
        repeated = client.post(f"{table.path}/webhooks", json=HOOK, headers=bearer(table.host))
        assert repeated.status_code in (200, 201)
    assert bundle
    assert secret
    for game, number, topic, state in unsealed(settings):
        record, _ = codec.decode(topic, state)
        assert (record.game, record.seq) == (str(game), number)


def test_replay_without_the_key_says_which_it_needs(
    settings: Settings, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = open_sealing(settings).made
    with ledger_client(settings) as client:
        table, _ = played(client)
    other = str(Path(settings.keys_dir).parent / "other")
    assert audit(settings, "--sealing-dir", other) == 3
    assert f"sealed under the key {made}, which is not here" in capfd.readouterr().err
    (file,) = Path(settings.keys_dir).glob("*.seal")
    assert audit(settings, "--sealing-dir", str(file.parent)) == 0
    assert table.game


def test_of_first_starts_at_once_that_share_a_folder_one_makes_the_key(settings: Settings) -> None:
    with ThreadPoolExecutor(4) as nodes:
        states = [*nodes.map(open_sealing, [settings] * 4)]

    assert len({state.keys.current for state in states}) == 1
    assert sum(bool(state.made) for state in states) == 1


def test_of_first_starts_at_once_one_makes_the_key(settings: Settings) -> None:
    """Nodes with folders of their own: the other one is told which key it lacks."""
    others = [
        msgspec.structs.replace(settings, sealing_dir=f"{settings.keys_dir}-{number}")
        for number in range(4)
    ]

    def first_start(node: Settings) -> str:
        try:
            return f"made {open_sealing(node).made}"
        except SealingKeyMissing as missing:
            return f"lacks {missing.key}"

    with ThreadPoolExecutor(4) as nodes:
        outcomes = sorted(nodes.map(first_start, others))

    key = outcomes[-1].removeprefix("made ")
    assert outcomes == [f"lacks {key}"] * 3 + [f"made {key}"]
    assert sum(len([*Path(node.sealing_dir).glob("*.seal")]) for node in others) == 1


def test_a_service_that_lost_the_key_says_so_and_nothing_is_set_aside(settings: Settings) -> None:
    made = open_sealing(settings).made
    with ledger_client(settings) as client:
        table, _ = played(client)
    (file,) = Path(settings.keys_dir).glob("*.seal")
    file.rename(file.with_suffix(".away"))
    with pytest.raises(SealingKeyMissing, match=made):  # a start makes no other key
        open_sealing(settings)
    assert not [*Path(settings.keys_dir).glob("*.seal")]
    rebuilt = command(settings, "admin", "rebuild")
    assert (rebuilt.returncode, made in rebuilt.stderr) == (2, True), rebuilt.stderr
    with ledger_client(settings) as client:
        lost = client.get(table.path)
        assert (lost.status_code, lost.json()["code"]) == (503, "store_unavailable")
    file.with_suffix(".away").rename(file)
    assert open_sealing(settings).keys.current == made
    with ledger_client(settings) as client:
        assert client.get(table.path).status_code == 200
        assert ok(open_table(client).get())


def test_a_service_finds_a_key_that_is_made_meanwhile(settings: Settings) -> None:
    """One that had none at its start, as a worker may that was started first."""
    with ledger_client(settings) as early:
        made = open_sealing(settings).made
        with ledger_client(settings) as client:
            table, _ = played(client)
        assert made in {sealed_under(row[-1]) for row in stored(settings)}
        assert (
            ok(table._replace(client=early).get(seat=0))["version"]
            == ok(early.get(table.path))["version"]
        )


def test_a_key_that_cannot_be_read_yet_sets_no_game_aside(settings: Settings) -> None:
    """As while it is copied into the folder of a service that runs, open to other users."""
    open_sealing(settings)
    with ledger_client(settings) as early:
        sealing.new(Path(settings.keys_dir))
        *_, file = sorted(Path(settings.keys_dir).glob("*.seal"))
        with ledger_client(settings) as client:
            file.chmod(0o644)
            table, _ = played(client)
        answer = table._replace(client=early).get()
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
        file.chmod(0o600)
        eventually(lambda: table._replace(client=early).get().status_code, lambda code: code == 200)


def test_the_roles_of_a_store_read_nothing_hidden(settings: Settings) -> None:
    """The projections' role reads the log's rows, and what it writes itself."""
    names = [f"{kind}_{settings.schema}" for kind in ("app", "proj")]
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        for name in names:
            conn.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(name)))
    try:
        upgrade(settings, application_role=names[0], projection_role=names[1])
        as_application = msgspec.structs.replace(settings, database_url=as_role(settings, names[0]))
        assert open_sealing(as_application).made
        with ledger_client(settings) as client:
            table, secret = played(client)
            last = table.version()
            ok(table.get("/table", at_least=last))
        with psycopg.connect(as_role(settings, names[1])) as conn:
            tables = conn.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = %s "
                "AND has_table_privilege(schemaname || '.' || tablename, 'SELECT')",
                (settings.schema,),
            ).fetchall()
            named = [Identifier(settings.schema, name) for (name,) in tables]
            contents = [
                str(conn.execute(SQL("TABLE {}").format(relation)).fetchall()) for relation in named
            ]
        assert "stored_events" in {name for (name,) in tables}
        assert not {"webhooks", "sealing_keys"} & {name for (name,) in tables}
        text = "".join(contents)
        require_none({**hidden(settings), "webhook": secret}, text, "the role's tables")
    finally:
        with psycopg.connect(settings.database_url, autocommit=True) as conn:
            for name in names:
                conn.execute(SQL("DROP OWNED BY {}").format(Identifier(name)))
                conn.execute(SQL("DROP ROLE {}").format(Identifier(name)))


def as_role(settings: Settings, role: str) -> str:
    return psycopg.conninfo.make_conninfo(settings.database_url, user=role)
