"""The command `viewer`: one page, from a file or the store, that shows no more than it may."""

import json
import os
from pathlib import Path
from threading import Thread
from uuid import UUID

import msgspec
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.text import Viewer
from tests.support.cases import looped
from tests.support.replay.bundles import game
from tests.support.replay.bundles import good as good_bundle
from tests.support.replay.disputed_games import _cheated
from tests.support.replay.log_edits import GAME, OTHER
from tests.support.replay.operator_games import bundled
from tests.support.replay.processes import run
from tests.support.replay.viewer_documents import export

RUNNING = game("classic")[:50]


def test_it_writes_one_page_with_the_game_inside(good: Path, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    done = run("viewer", good, "-o", page)

    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == f"Open {page} in a browser.\n".encode()
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert '"viewer":"p10-viewer/v1"' in text
    assert GAME in text
    assert run("viewer", good).stdout.decode() == text


def test_the_document_alone(both: Path) -> None:
    done = run("viewer", both, "--json", "--game", 2, "--lang", "fr")
    document = json.loads(done.stdout)

    assert (done.returncode, done.stderr) == (0, b"")
    assert (document["game"], document["lang"]) == (OTHER, "fr")
    assert document["chairs"] == ["all", "spectator", "0", "1"]


@looped(("flags", "chairs"), [(["--seat", 1], ["1"]), (["--public"], ["spectator"])])
def test_only_what_a_viewer_may_know(good: Path, flags: list[object], chairs: list[str]) -> None:
    document = json.loads(run("viewer", good, "--json", *flags).stdout)

    assert document["chairs"] == [*document["frames"]] == chairs


def test_standard_input_and_a_bundle(tmp_path: Path) -> None:
    file = tmp_path / "night.bundle"
    file.write_bytes(b"".join(good_bundle()))
    piped = json.loads(run("viewer", "-", "--json", given=file.read_bytes()).stdout)
    named = json.loads(run("viewer", file, "--json").stdout)

    assert (piped.pop("title"), named.pop("title")) == ("standard input", "night.bundle")
    assert piped == named


def test_what_is_wrong_is_said_and_has_its_exit_code(tmp_path: Path) -> None:
    file, page = tmp_path / "cheated.bundle", tmp_path / "it.html"
    file.write_bytes(b"".join(bundled(_cheated())))
    done = run("viewer", file, "-o", page)
    cut = run("viewer", "-", "--json", given=file.read_bytes()[:-40])

    assert done.returncode == 1
    assert done.stderr.startswith(b"event 22: outcome_differs: Deciding again from the seed gives")
    assert page.exists()
    assert cut.returncode == 5
    assert b"standard input:90: the bundle is cut off within this line" in cut.stderr


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    bundle = b"".join(good_bundle())
    writer = Thread(target=pipe.write_bytes, args=(bundle,))
    writer.start()
    done = run("viewer", pipe, "--json")
    writer.join()

    assert json.loads(done.stdout)["verdict"]["sound"]


def test_a_game_of_the_store_is_called_by_its_players(
    postgres_dsn: str, fresh_schema: str, good: Path
) -> None:
    table = SQL("{}.stored_events").format(Identifier(fresh_schema))
    insert = SQL(
        "INSERT INTO {} (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)"
    ).format(table)
    lines = [(msgspec.json.decode(line), line) for line in good.read_bytes().splitlines()]
    with psycopg.connect(postgres_dsn) as conn:
        values = [(UUID(GAME), tree["seq"], tree["type"], line) for tree, line in lines]
        conn.cursor().executemany(insert, values)
    options = ["--json", "--database-url", postgres_dsn, "--schema", fresh_schema]
    of_store, of_file = run("viewer", GAME, *options), run("viewer", good, "--json")
    document, expected = json.loads(of_store.stdout), json.loads(of_file.stdout)

    assert (document.pop("title"), expected.pop("title")) == ("seat 0 and seat 1", "good.ndjson")
    assert document == expected
    assert run("viewer", OTHER, *options).returncode == 4


# --- a game that goes on --------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [[], ["--seat", 0]])
def test_hidden_cards_of_a_running_game_are_refused(flags: list[object], tmp_path: Path) -> None:
    file, page = tmp_path / "running.ndjson", tmp_path / "it.html"
    file.write_bytes(export(list(RUNNING)))
    done = run("viewer", file, "-o", page, *flags)

    assert (done.returncode, page.exists()) == (2, False)
    assert (
        b"The game in running.ndjson is not over, and its hidden cards are shown to" in done.stderr
    )
    assert json.loads(run("viewer", file, "--public", "--json").stdout)["chairs"] == ["spectator"]


@looped(
    ("viewer", "flags", "chairs"),
    [
        (1, [], ["1", "spectator"]),
        (1, ["--seat", 1], ["1"]),
        (1, ["--public"], ["spectator"]),
        (None, [], ["spectator"]),
    ],
)
def test_a_view_shows_what_its_viewer_knows(
    viewer: Viewer, flags: list[object], chairs: list[str]
) -> None:
    bundle = b"".join(bundled(RUNNING, viewer=viewer))
    assert json.loads(run("viewer", "-", "--json", *flags, given=bundle).stdout)["chairs"] == chairs


def test_a_view_lacks_what_another_seat_knows() -> None:
    bundle = b"".join(bundled(RUNNING, viewer=1))
    done = run("viewer", "-", "--json", "--seat", 0, given=bundle)

    assert done.returncode == 2
    assert b"standard input does not have what seat 0 may know" in done.stderr


# --- misuse ---------------------------------------------------------------------------------------


@looped(
    ("arguments", "code", "sentence"),
    [
        (["good.ndjson", "-o", "good.ndjson"], 2, "good.ndjson is named twice"),
        (["good.ndjson", "-o", "./sub/../good.ndjson"], 2, "is named twice"),
        (["good.ndjson", "--seat", 7], 2, "The game has seats 0 to 1; there is no seat 7."),
        (["good.ndjson", "--seat", 0, "--public"], 2, "exclude one another"),
        (["both.ndjson"], 2, "holds several games: name one with --game"),
        (["good.ndjson", "--game", 9], 4, "has no game 9"),
        (["none.ndjson"], 5, "none.ndjson: cannot be read"),
        (["sub"], 5, "sub"),
        (["picture.png"], 5, "picture.png is no game"),
        (["-x"], 2, "There is no option -x"),
        (["\0"], 5, "embedded null byte"),
        ([GAME], 3, "No store is named"),
        (["good.ndjson", "-o", "nowhere/it.html"], 5, "cannot be written"),
    ],
)
def test_misuse_has_a_sentence(
    arguments: list[object],
    code: int,
    sentence: str,
    good: Path,
    both: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "sub").mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path)
    before = good.read_bytes()
    done = run("viewer", *arguments)

    assert (done.returncode, done.stdout) == (code, b"")
    assert sentence in done.stderr.decode()
    assert good.read_bytes() == before
    assert both.exists()


def test_an_unknown_language_is_a_mistake(good: Path) -> None:
    assert run("viewer", good, "--lang", "xx").returncode != 0
