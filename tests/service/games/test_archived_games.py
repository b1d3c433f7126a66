"""What the service says of games whose events are in a file."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx2
import pytest

from phaseledger.domain.evidence import merkle
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import read_bundle
from phaseledger.replay.formats.signing import notes
from phaseledger.service.app import in_postgres
from phaseledger.service.database.game_archive import file_name
from phaseledger.service.settings import Settings
from tests.support.damage import stored_rows
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, SHORT, Table, bearer, mover, ok
from tests.support.service.archived_ledgers import (
    Ledger,
    archivable,
    archived,
    read,
    settled,
    void,
)
from tests.support.service.operator import running
from tests.support.service.problems import problem

HIDDEN = {"private": True, "spectators": "none"}
"""The terms of a table that strangers do not know of."""


class Archived(NamedTuple):
    """A ledger whose games were archived, and what was answered before."""

    ledger: Ledger
    version: int
    """That of the game that was broken off."""
    exported: list[dict[str, Any]]
    asked: list[dict[str, Any]]
    """Of which events there are proofs, for the checkpoint then."""
    proofs: list[Any]
    checkpoint: tuple[int, bytes]


@pytest.fixture(scope="module")
def archive(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archived]:
    folder = tmp_path_factory.mktemp("archived")
    with (
        own_ledger(postgres_dsn, folder) as settings,
        archivable(settings, folder / "archive") as ledger,
    ):
        client, going = ledger.both.api, ledger.going
        ok(void(ledger.broken))  # which is a repeat
        last = {"game": going.game, "seq": going.version()}
        eventually(lambda: client.get("/log/inclusion", params=last).is_success)
        size, root = checkpoint(client)
        asked = [
            {"game": game, "seq": seq, "size": size}
            for game, seq in (
                *((ledger.whole, 1), (ledger.whole, 40)),
                *((ledger.broken.game, 2), (going.game, 3)),
            )
        ]
        before = Archived(
            ledger,
            ledger.broken.version(),
            exported(client),
            asked,
            proofs(client, asked),
            (size, root),
        )
        ledger.archive()
        yield before


def exported(client: httpx2.Client, cursor: str = "") -> list[dict[str, Any]]:
    """The lines of an export that are no events."""
    text = client.get("/exports/games", params={"cursor": cursor}).text
    return [json.loads(line) for line in text.splitlines() if line.startswith('{"export"')]


def proofs(client: httpx2.Client, asked: Sequence[dict[str, Any]]) -> list[Any]:
    return [read(client, "/log/inclusion", params=query) for query in asked]


def test_requests_say_that_it_is_archived(archive: Archived) -> None:
    ledger, version = archive.ledger, archive.version
    client, broken = ledger.both.api, ledger.broken
    for path in ("", "/events", "/bundle", f"/receipts/{version}"):
        for seat in (None, 0):
            gone = problem(broken.get(path, seat), 410, "archived")
            assert gone.version == version
            assert file_name(UUID(broken.game)) in gone.detail
    problem(broken.get("/actions", 0), 410, "archived")
    # A repeated key is no new command, and no new game.
    problem(void(broken), 410, "archived")
    problem(broken.send(0, {"type": "draw"}), 410, "archived")
    joined = client.post(f"{broken.path}/seats", json={"name": "Late"})
    problem(joined, 410, "archived")
    assert broken.get("/table", 0).status_code == 200
    operator = ledger.both.operator.post(
        f"/admin/games/{broken.game}/void", json={"actor": "ann", "reason": "x"}
    )
    problem(operator, 410, "archived")
    assert ledger.both.operator.get("/admin/set-aside").json() == {"games": []}


def test_a_process_that_has_not_read_it_says_the_same(archive: Archived) -> None:
    ledger = archive.ledger
    with running(in_postgres(ledger.settings)) as other:
        broken = ledger.broken._replace(client=other.api)
        problem(broken.get(), 410, "archived")
        problem(void(broken), 410, "archived")
        assert broken.get("/scoreboard", 1).status_code == 200
        assert ok(ledger.going._replace(client=other.api).get())["version"] > 0


def test_a_key_that_has_opened_a_game_opens_no_other(settings: Settings, tmp_path: Path) -> None:
    key = {"Idempotency-Key": uuid4().hex}
    body = {"ruleset": "classic", "seats": [BOT, BOT], "start": True, "options": SHORT}
    with running(in_postgres(settings)) as both:
        opened = both.api.post("/games", json=body, headers=key)
        game = opened.json()["game"]
        eventually(
            lambda: both.api.get(f"/games/{game}").json()["table"]["stage"],
            lambda now: now == "ended",
        )
        settled(both.api, game)
        assert [str(moved.game) for moved in archived(settings, tmp_path / "a").archived] == [game]
        problem(both.api.post("/games", json=body, headers=key), 410, "archived")
    with running(in_postgres(settings)) as both:
        problem(both.api.post("/games", json=body, headers=key), 410, "archived")
    assert stored_rows(settings.database_url, settings.schema, UUID(game)) == []


def test_a_game_that_strangers_do_not_know_of_stays_unknown_to_them(
    settings: Settings, tmp_path: Path
) -> None:
    with running(in_postgres(settings)) as both:
        opened = both.api.post(
            "/games", json={"ruleset": "classic", "seats": [BOT, BOT], "terms": HIDDEN}
        )
        table = Table(both.api, opened.json()["game"], opened.json()["host_token"], {})
        ok(void(table))
        mine = {"headers": bearer(table.host)}
        eventually(
            lambda: both.api.get(f"{table.path}/bundle", **mine),
            lambda got: '{"inclusion":' in got.text,
        )
        read(both.api, f"{table.path}/table", params={"at_least": 2}, **mine)
        assert len(archived(settings, tmp_path / "a").archived) == 1
        for path in ("", "/events", "/table", "/scoreboard"):
            problem(both.api.get(table.path + path), 404, "no_such_game")
        joined = both.api.post(f"{table.path}/seats", json={"name": "Eve"})
        problem(joined, 404, "no_such_game")
        problem(both.api.get(table.path, **mine), 410, "archived")


def checkpoint(client: httpx2.Client) -> tuple[int, bytes]:
    """Size and root of the newest one."""
    _, size, root = notes.checkpoint(notes.note(client.get("/log/checkpoint").text).text)
    return size, root


def test_proofs_hold_as_before(archive: Archived) -> None:
    """Of the archived games, and of games whose leaves stand among theirs."""
    client, going, folder = archive.ledger.both.api, archive.ledger.going, archive.ledger.folder
    size, root = archive.checkpoint
    assert proofs(client, archive.asked) == archive.proofs
    # The tree goes on, and begins with what it was.
    ok(going.send(mover(going), {"type": "draw"}))
    settled(client, going.game)
    grown, later = checkpoint(client)
    answer = read(client, "/log/consistency", params={"first": size, "second": grown})
    path = [bytes.fromhex(step) for step in answer["path"]]
    assert merkle.proves_consistency(size, root, grown, later, path)
    (folder / "going").write_text(client.get(f"{going.path}/bundle").text)
    judged = verify([read_bundle(str(folder / "going"))])[0].judgement
    assert judged.conclusion == "sound_so_far"


def test_exports_have_a_line_in_its_place(archive: Archived) -> None:
    ledger, before = archive.ledger, archive.exported
    after = exported(ledger.both.api)
    assert [line.get("game") for line in after] == [line.get("game") for line in before]
    files = {file_name(UUID(game)) for game in (ledger.whole, ledger.broken.game)}
    assert {line["archived"] for line in after[:-1]} == files
    assert after[-1]["games"] == 0
    # Whoever had everything before the archiving goes on from there.
    rest = exported(ledger.both.api, before[-1]["next"])
    assert [line.get("games") for line in rest] == [0]
