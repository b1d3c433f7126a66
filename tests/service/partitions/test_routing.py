"""A ledger of three partitions behind one HTTP service: three schemas of one server, each reached
through a role that may use no other, so a statement that crossed them would be refused.
"""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.records.partitions import number_of
from phaseledger.service.components import in_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import load
from tests.support import forked
from tests.support.environment import plain_environment
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    BOT,
    PERSON,
    SHORT,
    Table,
    bearer,
    ok,
    open_table,
    play_on,
)
from tests.support.service.partition_ledgers import listed, own_schemas, settings_of
from tests.support.service.server import serving
from tests.support.service.stream_reader import at_once, seqs


class Ledger(NamedTuple):
    client: httpx2.Client
    environ: dict[str, str]
    entries: list[dict[str, str]]


@pytest.fixture(scope="module")
def ledger(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    folder: Path = tmp_path_factory.mktemp("ledger")
    with own_schemas(postgres_dsn, 3) as entries:
        given = settings_of(listed(folder / "partitions.toml", entries), folder)
        environ = {f"PHASELEDGER_{name.upper()}": value for name, value in given.items()}
        settings = load({**environ, "PHASELEDGER_WEBHOOK_ALLOW_PRIVATE": "true"})
        prepare(settings)
        with (
            serving(in_postgres(settings)) as served,
            httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
        ):
            yield Ledger(client, environ, entries)


def in_each(ledger: Ledger, **more: Any) -> dict[int, Table]:
    """One table in each partition, as chance has it."""
    by_number: dict[int, Table] = {}
    for _ in range(100):
        table = open_table(ledger.client, **more)
        by_number.setdefault(number_of(UUID(table.game)), table)
        if len(by_number) == 3:
            return by_number
    raise AssertionError(f"new games go to {set(by_number)} only")


def rows(ledger: Ledger, number: int, query: str) -> list[Any]:
    entry = ledger.entries[number - 1]
    with psycopg.connect(entry["database_url"]) as conn:
        conn.execute(SQL("SET search_path = {}").format(Identifier(entry["schema"])))
        return conn.execute(query).fetchall()


def test_no_role_sees_another_partition(ledger):
    other = Identifier(ledger.entries[1]["schema"], "stored_events")
    with (
        psycopg.connect(ledger.entries[0]["database_url"]) as conn,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        conn.execute(SQL("SELECT FROM {}").format(other))


def test_each_game_is_in_the_partition_that_its_id_says_and_nowhere_else(ledger):
    tables = in_each(ledger)
    for number, table in tables.items():
        ok(table.start())
        play_on(table, 6)
        for place in ("stored_events.originator_id", "credentials.game", "games.game"):
            look = partial(holders, ledger, UUID(table.game), *place.split("."))
            eventually(look, lambda numbers, number=number: numbers == [number])


def holders(ledger: Ledger, game: UUID, relation: str, column: str) -> list[int]:
    """The partitions that have rows of the game there."""
    select = f"SELECT DISTINCT {column} FROM {relation}"
    return [number for number in (1, 2, 3) if (game,) in rows(ledger, number, select)]


def test_a_game_is_told_and_proved_wherever_it_is(ledger):
    for number, table in in_each(ledger).items():
        ok(table.start())
        play_on(table, 4)
        assert seqs(at_once(table, last=1))
        version = table.version()
        assert table.get("/table", at_least=version).json()["version"] == version
        assert table.get(f"/receipts/{version}").json()["seq"] == version
        bundle = [json.loads(line) for line in table.get("/bundle").text.splitlines()]
        (note,) = [line["checkpoint"] for line in bundle if "checkpoint" in line]
        proof = ledger.client.get("/log/inclusion", params={"game": table.game, "seq": 1})
        assert proof.status_code == 200, proof.text
        checkpoint = ledger.client.get("/log/checkpoint", params={"partition": number}).text
        origin = checkpoint.splitlines()[0]
        assert origin.endswith(f"/{number}") == (number > 1)
        assert note["note"].splitlines()[0] == origin


def test_a_token_of_another_partition_finds_no_game(ledger):
    table, other, _ = in_each(ledger).values()
    answer = ledger.client.get(table.path, headers=bearer(other.host))
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_game")
    answer = ledger.client.get(table.path, headers=bearer("no-token-of-anybody"))
    assert (answer.status_code, answer.json()["code"]) == (401, "token_unknown")


def test_an_opening_repeated_with_its_key_finds_its_table(ledger):
    for _ in range(6):
        key = str(uuid4())
        body = {"ruleset": "express", "seats": [PERSON, PERSON]}
        headers = {"Idempotency-Key": key}
        sent = [ledger.client.post("/games", json=body, headers=headers) for _ in range(3)]
        assert len({answer.content for answer in sent}) == 1


def test_private_tables_are_found_by_their_code_in_every_partition(ledger):
    for _ in range(6):
        body = {"ruleset": "classic", "seats": [PERSON, PERSON], "terms": {"private": True}}
        opened = ledger.client.post("/games", json=body).json()
        joined = ledger.client.post("/joins", json={"code": opened["code"], "name": "Ada"})
        assert joined.json()["game"] == opened["game"], joined.text


def test_a_rematch_stays_in_its_partition(ledger):
    for number, table in in_each(ledger, seats=(PERSON, BOT)).items():
        ok(table.start())
        void = {"reason": "enough"}
        ok(ledger.client.post(f"{table.path}/void", json=void, headers=bearer(table.host)))
        answers = [
            ledger.client.post(f"{table.path}/rematch", json={}, headers=bearer(table.host))
            for _ in range(2)
        ]
        assert [answer.status_code for answer in answers] == [201, 201], answers[0].text
        assert answers[1].content == answers[0].content
        game = answers[0].json()["game"]
        assert number_of(UUID(game)) == number


def test_the_list_of_games_spans_the_partitions_page_by_page(ledger):
    name = f"Lister {uuid4().hex[:8]}"
    games: list[str] = []
    while len(games) < 12 or len({number_of(UUID(game)) for game in games}) < 3:
        table = open_table(ledger.client)
        taken = ledger.client.post("/games", json={"ruleset": "classic", "seats": [PERSON] * 2})
        game = taken.json()["game"]
        ledger.client.post(f"/games/{game}/seats", json={"name": name})
        games.append(game)
        assert table.game
        time.sleep(0.002)  # the order is by milliseconds
    all_of_them = eventually(
        lambda: ledger.client.get("/games", params={"player": name}).json()["games"],
        lambda now: len(now) == len(games),
    )
    assert [entry["game"] for entry in all_of_them] == games[::-1]
    ids, cursor = [], ""
    while True:
        page = ok(
            ledger.client.get("/games", params={"player": name, "limit": 5, "cursor": cursor})
        )
        ids += [entry["game"] for entry in page["games"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert ids == games[::-1]
    for cursor in ("x", "1-2-3-4", "-1-"):
        refused = ledger.client.get("/games", params={"cursor": cursor})
        assert refused.status_code == (200 if cursor == "-1-" else 422), cursor


def finished(ledger: Ledger, count: int, seats: list[Any]) -> list[str]:
    """So many games of bots alone, or more, in several partitions, played to their ends."""
    games: list[str] = []
    while len(games) < count or len({number_of(UUID(game)) for game in games}) < 2:
        body = {"ruleset": "classic", "seats": seats, "start": True, "options": SHORT}
        opened = ledger.client.post("/games", json=body)
        assert opened.status_code == 201, opened.text
        games.append(opened.json()["game"])
    for game in games:
        eventually(
            lambda path=f"/games/{game}": ledger.client.get(path).json()["table"]["stage"],
            lambda stage: stage == "ended",
        )
    return games


def test_leaderboard_and_export_add_the_partitions_up(ledger):
    name = f"Bot {uuid4().hex[:8]}"
    games = finished(ledger, 7, [{**BOT, "name": name}, {**BOT, "name": f"{name} too"}])
    count = len(games)

    def standings() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        board = ok(ledger.client.get("/leaderboard", params={"limit": 200}))["standings"]
        return board, [line for line in board if line["name"].startswith(name)]

    board, mine = eventually(
        standings, lambda now: sum(line["games"] for line in now[1]) == 2 * count
    )
    assert [line["games"] for line in mine] == [count, count]
    assert sum(line["wins"] for line in mine) >= count
    assert all(line["mean_points"] == line["points"] / count for line in mine)
    ranks = [(-line["wins"], line["mean_points"], line["name"]) for line in board]
    assert ranks == sorted(ranks)
    pages, cursor = [], ""
    while cursor is not None:
        page = ok(ledger.client.get("/leaderboard", params={"limit": 1, "cursor": cursor}))
        pages += page["standings"]
        cursor = page["next"]
    assert pages == board

    def export(**more: Any) -> list[dict[str, Any]]:
        text = ledger.client.get("/exports/games", params={"player": name, **more}).text
        return [json.loads(line) for line in text.splitlines()]

    def headers(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [line for line in lines if "finished_at" in line]

    lines = export()
    whole = headers(lines)
    assert {header["game"] for header in whole} == set(games)
    ends = [header["finished_at"] for header in whole]
    assert ends == sorted(ends)
    tail = headers(export(cursor=whole[4]["cursor"]))
    assert [header["game"] for header in tail] == [header["game"] for header in whole[4:]]
    first = export(limit=3)
    rest = headers(export(cursor=first[-1]["next"]))
    assert [header["game"] for header in [*headers(first), *rest]] == [
        header["game"] for header in whole
    ]
    assert headers(export(cursor=lines[-1]["next"])) == []


def test_the_auditor_reads_all_partitions(ledger, tmp_path):
    tables = in_each(ledger)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environ = {"PATH": "/usr/bin:/bin", **ledger.environ}
        settings = {name: environ[name] for name in ("PATH", "PHASELEDGER_PARTITIONS")}
        return forked.phaseledger(*arguments, env=settings)

    audited = run("audit", "--all", "--quiet")
    stored = sum(
        rows(ledger, number, "SELECT count(DISTINCT originator_id) FROM stored_events")[0][0]
        for number in (1, 2, 3)
    )
    assert audited.returncode == 0, audited.stderr
    match = re.search(
        r"^Games: (\d+) sound \(\d+ of them without an end\), (\d+) not sound\.$",
        audited.stderr,
        re.MULTILINE,
    )
    assert match is not None
    assert match.groups() == (f"{stored}", "0")
    for table in tables.values():
        file = tmp_path / "game.ndjson"
        assert run("export", table.game, "--out", str(file)).returncode == 0
        assert f'"game":"{table.game}"' in file.read_text()
    assert run("audit", str(uuid4())).returncode == 4
    elsewhere = run("audit", "70313070-0009-8000-8000-000000000000")
    assert elsewhere.returncode == 4
    assert "0009" in elsewhere.stderr


def test_a_partition_that_this_node_does_not_know_is_no_missing_game(ledger):
    answer = ledger.client.get("/games/70313070-0009-8000-8000-000000000000")
    assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
    assert int(answer.headers["Retry-After"]) > 0


def test_webhooks_are_told_of_games_in_every_partition(ledger):
    for number, table in in_each(ledger).items():
        body = {"url": "http://127.0.0.1:9/hook", "types": ["game.started"]}
        made = ledger.client.post(f"{table.path}/webhooks", json=body, headers=bearer(table.host))
        assert made.status_code == 201, made.text
        assert rows(ledger, number, f"SELECT id FROM webhooks WHERE game = '{table.game}'")
        ok(table.start())
        where = f"{table.path}/webhooks/{made.json()['id']}"
        asked = partial(ledger.client.get, where, headers=bearer(table.host))
        eventually(lambda asked=asked: asked().json()["failing_since"])


def test_a_policy_that_names_the_ledger_expects_the_log_of_the_games_partition(ledger, tmp_path):
    keys = ledger.client.get("/log/keys").text.split()
    origin = ledger.client.get("/log/checkpoint").text.splitlines()[0]

    def verify(table: Table, text: str, policy: str) -> list[str]:
        (tmp_path / "policy.toml").write_text(policy)
        (tmp_path / "game.bundle").write_text(text)
        files = (tmp_path / "game.bundle", "--policy", tmp_path / "policy.toml")
        done = forked.phaseledger("verify", *files, "--json", env=plain_environment())
        return re.findall("wrong_origin", done.stdout + done.stderr)

    for number, table in in_each(ledger).items():
        ok(table.start())
        text = table.get("/bundle").text
        policy = f'keys = ["{keys[0]}"]\norigin = "{{}}"\n'
        assert verify(table, text, policy.format(origin)) == []
        assert verify(table, text, policy.format("another")) != []
        wrong = text.replace(f"{origin}/{number}\\n", f"{origin}\\n")
        assert (verify(table, wrong, policy.format(origin)) == []) == (number == 1)


def test_a_witness_follows_the_log_of_one_partition(ledger, tmp_path):
    in_each(ledger)
    keys = ledger.client.get("/log/keys").text.split()
    url = str(ledger.client.base_url).removesuffix("/v1/")

    def look(number: int, folder: str) -> subprocess.CompletedProcess[str]:
        where = ("--state", tmp_path / folder, "--log-key", keys[0], "--partition", number)
        words = ("witness", url, "--once", "--json", *where)
        return forked.phaseledger(*words, env=plain_environment())

    for _ in range(2):
        for number in (1, 3):
            done = look(number, f"of {number}")
            assert done.returncode == 0, done.stderr
            origin = json.loads(done.stdout)["log"]
            assert origin.endswith("/3") == (number == 3)
    assert look(2, "of 1").returncode == 2  # another log needs a folder of its own
    assert look(4, "of 4").returncode == 3
