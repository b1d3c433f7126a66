"""`replay`, `audit` and `export` of bundles and of damaged files: all that can be told is told."""

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.support.cases import looped
from tests.support.replay.bundles import game, good
from tests.support.replay.operator_games import bundled
from tests.support.replay.processes import run

Saved = Callable[..., Path]


@pytest.fixture
def saved(tmp_path: Path) -> Saved:
    def save(lines: Sequence[bytes], name: str = "file") -> Path:
        path = tmp_path / name
        path.write_bytes(b"".join(lines))
        return path

    return save


@cache
def exported() -> tuple[bytes, ...]:
    return tuple(stored + b"\n" for stored in game("classic"))


def test_a_bundle_is_told_and_shown_as_its_export_is(saved: Saved) -> None:
    bundle, export = saved(good(), "game.bundle"), saved(exported(), "game.ndjson")
    for arguments in ([], ["--at", "30"], ["--json"], ["--at", "30", "--seat", "1", "--json"]):
        of_bundle, of_export = run("replay", bundle, *arguments), run("replay", export, *arguments)
        assert of_bundle.returncode == of_export.returncode == 0
        assert of_bundle.stdout == of_export.stdout
    assert run("audit", bundle).stdout == run("audit", export).stdout
    assert run("export", bundle).stdout == b"".join(exported())


@looped(
    ("lang", "turn", "waiting", "no_seat"),
    [
        ("de", "Zug", "am Zug: ", "einen Platz 7 gibt es nicht"),
        ("fr", "tour", "on attend ", "il n'y a pas de place 7"),
    ],
)
def test_a_game_is_told_in_another_language(
    saved: Saved, lang: str, turn: str, waiting: str, no_seat: str
) -> None:
    bundle = saved(good(), "game.bundle")
    listing = run("replay", bundle, "--lang", lang).stdout.decode()
    english = run("replay", bundle).stdout.decode()
    assert len(listing.splitlines()) == len(english.splitlines())
    assert not set(listing.splitlines()) & set(english.splitlines())
    document = json.loads(run("replay", bundle, "--lang", lang, "--json").stdout)
    assert f"{1:5}  {document['events'][0]['text']}" in listing
    shown = run("replay", bundle, "--lang", lang, "--at", 30).stdout.decode()
    assert f", {turn} " in shown
    assert waiting in shown
    assert no_seat in run("replay", bundle, "--lang", lang, "--seat", 7).stderr.decode()


# --- views of a game that goes on -----------------------------------------------------------------


@looped(("viewer", "hand"), [(None, "? ? ? ?"), (1, "R1 G2 Y12 B1")])
def test_a_running_game_is_told_as_its_viewer_knows_it(
    saved: Saved, viewer: int | None, hand: str
) -> None:
    bundle = saved(bundled(game("classic")[:50], viewer=viewer))
    listing, shown = run("replay", bundle), run("replay", bundle, "--at", 30)

    assert listing.returncode == shown.returncode == 0
    assert len([line for line in listing.stdout.splitlines() if line[:5].strip()]) == 50
    assert f"4 cards: {hand}\n" in shown.stdout.decode()
    assert b"This is a view of a game that goes on" in listing.stderr
    assert run("replay", bundle, "--at", 51).returncode == 2


def test_what_a_view_cannot_have_is_named(saved: Saved) -> None:
    lines = bundled(game("classic")[:50], viewer=1)
    place = next(n for n, line in enumerate(lines) if b'"seq":42,' in line and b'"event"' in line)
    lines[place] = lines[place].replace(b'"cards":"R2"', b'"cards":"R2 R2 R2 R2 R2"')
    done = run("replay", saved(lines), "--at", 45)

    assert done.returncode == 1
    assert b"the file is good up to event 41 only" in done.stderr
    assert b"  event 42 (" in done.stderr


@looped("flags", [[], ["--bundle"], ["--public"]])
def test_a_view_is_not_exported_without_its_seals(saved: Saved, flags: list[str]) -> None:
    done = run("export", saved(bundled(game("classic")[:50], viewer=1)), *flags)

    assert (done.returncode, done.stdout) == (5, b"")
    assert b"this is a view of it" in done.stderr


def test_the_audit_of_a_view_says_who_can_check_it(saved: Saved) -> None:
    done = run("audit", saved(bundled(game("classic")[:50])))

    assert done.returncode == 5
    assert b"`phaseledger verify` checks a bundle of one that goes on" in done.stdout


# --- damaged files --------------------------------------------------------------------------------


def edited() -> list[bytes]:
    """An export with another turn in event 40."""
    lines = [*exported()]
    lines[39] = lines[39].replace(b'"turn":11', b'"turn":12')
    assert lines[39] != exported()[39]
    return lines


DAMAGED = {
    "edited": (edited(), 39, 1),
    "cut in a line": ([*exported()[:43], exported()[43][:50]], 43, 5),
    "no event": ([*exported()[:20], b"{}\n", *exported()[20:]], 20, 5),
    "cut within a bundle": (list(good()[:70]), 49, 5),
}


@looped("name", DAMAGED)
def test_a_damaged_file_is_shown_up_to_where_it_is_good(saved: Saved, name: str) -> None:
    lines, last, code = DAMAGED[name]
    path = saved(lines)
    shown, whole = (
        run("replay", path, "--at", 80),
        run("replay", saved(exported(), "whole"), "--at", last),
    )

    assert shown.returncode == code
    assert shown.stdout == whole.stdout
    assert f"the file is good up to event {last} only".encode() in shown.stderr
    german = run("replay", path, "--at", 80, "--lang", "de").stderr.decode()
    assert f"die Datei ist nur bis Ereignis {last} gut" in german
    assert not re.search(r"\b(the|event|is|of|line)\b", german.replace(str(path), ""))
    assert run("replay", path, "--at", last).stdout == whole.stdout
    assert run("replay", path, "--at", last).returncode == code
    assert run("replay", path, "--at", 0).returncode == 2


def test_the_end_of_a_damaged_file_for_programs(saved: Saved) -> None:
    lines, last, _ = DAMAGED["cut in a line"]
    answer = json.loads(run("replay", saved(lines), "--at", 80, "--json").stdout)

    assert (answer["seq"], answer["verdict"]["events"]) == (last, last)
    assert "the last line is cut" in answer["damage"]


def test_an_event_after_the_end_of_a_good_file_is_refused(saved: Saved) -> None:
    done = run("replay", saved(exported()), "--at", 82)

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"The game has events 1 to 81; there is no event 82.\n"
