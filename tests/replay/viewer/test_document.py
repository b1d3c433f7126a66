"""The viewer's document: what a game shows from each chair, and what it never shows."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phaseledger.domain.words import LANGUAGES
from phaseledger.replay.evidence.walk import walk
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.terminal import UsageError
from phaseledger.replay.transcript.frames import frames, ndjson
from phaseledger.replay.transcript.transcript import describe
from phaseledger.replay.viewer.limits import (
    HiddenCards,
    NotAGame,
    NothingGood,
    OtherVersion,
    TooMuch,
    UnviewableGame,
    ViewerLimits,
)
from tests.support.cases import looped
from tests.support.replay.bundles import game, good
from tests.support.replay.game_beginnings import stored, visible
from tests.support.replay.hostile_files import FILES as FILES_OF_ENEMIES
from tests.support.replay.hostile_files import LIES
from tests.support.replay.log_edits import GAME, OTHER, rows, short_game
from tests.support.replay.operator_games import bundled
from tests.support.replay.viewer_documents import chair_frames, export, forged, read, unpacked


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return read(export(short_game()), "club/night.ndjson")


def test_it_has_the_frames_of_every_chair(document: dict[str, Any]) -> None:
    steps = walk(rows(short_game()), "short").steps
    for chair, viewer in {"all": "all", "spectator": None, "0": 0, "1": 1}.items():
        expected = b"".join(ndjson(frames(steps, viewer)))  # type: ignore[arg-type]
        assert unpacked(document["frames"][chair]) == expected
        for lang in LANGUAGES[1:]:
            sentences = msgspec.json.decode(unpacked(document["sentences"][lang][chair]))
            assert sentences == [describe(after, event, viewer, lang) for event, after in steps]  # type: ignore[arg-type]

    assert document["chairs"] == ["all", "spectator", "0", "1"] == [*document["frames"]]
    assert [*document["sentences"]] == [lang for lang in LANGUAGES if lang != "en"]


def test_rules_and_legends_are_there_in_every_language(document: dict[str, Any]) -> None:
    words = {
        text
        for row in chair_frames(document, "spectator")
        for text in re.findall(r'"words":"([^"]+)"', json.dumps(row, separators=(",", ":")))
    }
    assert [*document["translations"]] == ["de", "fr"]
    for translation in document["translations"].values():
        assert words <= {*translation["phrases"]}
        assert translation["rules"]["phases"][0]["words"] != document["rules"]["phases"][0]["words"]
        assert all(english != other for english, other in translation["phrases"].items())


def test_it_says_what_game_it_is(document: dict[str, Any]) -> None:
    assert document["viewer"] == "p10-viewer/v1"
    assert (document["title"], document["game"]) == ("night.ndjson", GAME)
    assert (document["stage"], document["events"]) == ("ended", len(short_game()))
    assert [phase["number"] for phase in document["rules"]["phases"]] == [1]
    assert [seat["name"] for seat in document["seats"]] == ["seat 0", "seat 1"]
    assert document["findings"] == []
    assert document["verdict"]["sound"]
    assert document["verdict"]["grade"] == "consistent"
    assert document["verdict"]["headline"].startswith("SOUND, grade consistent: the game is over")
    assert "lang" not in document


def test_one_of_several_games_is_named() -> None:
    both = export(short_game() + short_game(OTHER, "other"))

    assert read(both, game="2")["game"] == read(both, game=OTHER)["game"] == OTHER
    with pytest.raises(UsageError, match="holds several games"):
        read(both)
    with pytest.raises(UnknownGame, match="has no game 3"):
        read(both, game="3")


def test_a_bundle_is_verified() -> None:
    document = read(b"".join(good()), "night.bundle")

    assert (document["title"], document["chairs"][0]) == ("night.bundle", "all")
    assert document["verdict"]["headline"].startswith("SOUND, grade consistent")
    assert any(line.startswith("seed and decisions: ") for line in document["verdict"]["lines"])
    assert document["findings"] == []


# --- hidden cards ---------------------------------------------------------------------------------

RUNNING = game("classic")[:50]


def test_hidden_cards_of_a_running_game_are_shown_to_nobody() -> None:
    with pytest.raises(HiddenCards, match="is not over, and its hidden cards are shown to nobody"):
        read(export(list(RUNNING)))


@pytest.mark.parametrize(("viewer", "chairs"), [(None, ["spectator"]), (1, ["1", "spectator"])])
def test_a_bundle_of_a_running_game_shows_what_its_viewer_knows(
    viewer: int | None, chairs: list[str]
) -> None:
    document = read(b"".join(bundled(RUNNING, viewer=viewer)), "view.bundle")

    assert document["chairs"] == chairs
    assert (document["stage"], document["events"]) == ("playing", 50)
    assert "distance" not in document
    known_hands = {chair: hands(chair_frames(document, chair)) for chair in chairs}
    assert known_hands["spectator"] == [None]
    assert viewer is None or any(known_hands["1"])


def hands(rows: list[dict[str, Any]]) -> list[str | None]:
    """The hands that frames show."""
    changes = [op for row in rows for op in row.get("patch", ()) if op["path"] == "/table/hand"]
    return [rows[0]["position"]["table"]["hand"], *(op["value"] for op in changes)]


@looped("viewer", [None, 0, 2])
def test_the_events_of_a_view_are_its_viewers(viewer: int | None) -> None:
    """As the service gives them to a seat or a spectator, one a line."""
    document = read(export(visible("board", viewer)))

    assert document["chairs"] == [*([] if viewer is None else [str(viewer)]), "spectator"]
    assert document["verdict"]["headline"].startswith("NOTHING WRONG SO FAR: the game is not over")


def test_a_view_gives_the_frames_that_the_whole_game_gives() -> None:
    """Law 7: nothing in them comes from what the viewer cannot know."""
    whole = ndjson(frames(walk(rows(stored("express")), "it").steps, 1))

    assert unpacked(read(export(visible("express", 1)))["frames"]["1"]) == b"".join(whole)


def test_no_hidden_card_is_in_what_a_damaged_running_game_shows() -> None:
    content = export(list(RUNNING))[:-30]
    document = read(content)

    assert document["chairs"] == ["spectator"]
    assert [finding["code"] for finding in document["findings"]][-1] == "unreadable"
    claims = [
        finding.get(side) for finding in document["findings"] for side in ("recorded", "expected")
    ]
    assert claims == [None] * len(claims)


FILES = [export(short_game()), b"".join(good())]


# --- bad input ------------------------------------------------------------------------------------


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def newer(content: bytes) -> bytes:
    return content.replace(b"p10-bundle/v1", b"p10-bundle/v2", 1)


@looped(
    ("content", "kind", "sentence"),
    [
        (b"", NotAGame, "game.ndjson is no game.*the file is empty"),
        (b"\x89PNG\r\n\x1a\n", NotAGame, "is no game: it is neither an export nor a bundle"),
        (b'{"a":1}\n', NotAGame, "is no game"),
        (b"[" * 5_000, NotAGame, "is no game"),
        (b"\x1f\x8b" + b"0" * 90, NotAGame, "the file is compressed: unpack it first"),
        (b'{"dispute":{"parts":1,"v":"p10-dispute/v1"}}\n', NotAGame, "open one of its bundles"),
        (newer(b"".join(good())), OtherVersion, "of the version 'p10-bundle/v2'.*newer one"),
        (
            export(short_game()).replace(b"GameOpened/1", b"GameOpened/2"),
            OtherVersion,
            "of another version than this release reads",
        ),
        (
            export(short_game()).replace(b'"dealer":0', b'"dealer":7'),
            NothingGood,
            "Not even the first event of game.ndjson can be shown",
        ),
        (b'{"bundle":{}}\n', UnviewableGame, "game.ndjson"),
        (b'{"bundle":' + b"[" * 5_000, UnviewableGame, "game.ndjson"),
    ],
)
def test_a_file_that_is_no_game_gets_a_sentence(
    content: bytes, kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence):
        read(content)


@looped(
    ("limits", "sentence"),
    [
        (ViewerLimits(bytes=1 << 10), "The file has more than 0 MB"),
        (ViewerLimits(events=50), "The game has more than 50 events"),
        (ViewerLimits(seconds=0.0), "took more than 0 seconds"),
    ],
)
@looped("content", [export(short_game()), b"".join(good())], ids=["export", "bundle"])
def test_work_is_bounded(limits: ViewerLimits, sentence: str, content: bytes) -> None:
    with pytest.raises(TooMuch, match=sentence):
        read(content, limits=limits)


@looped(
    "damage",
    [cut, lambda content: content + b"{", lambda content: content[:-40]],
    ids=["cut", "more", "end"],
)
@looped("content", [export(short_game()), b"".join(good())], ids=["export", "bundle"])
def test_a_damaged_file_is_shown_as_far_as_it_is_good(
    damage: Callable[[bytes], bytes], content: bytes
) -> None:
    document = read(damage(content))

    assert not document["verdict"]["sound"]
    last = document["findings"][-1]
    assert (last["code"], last["seq"]) == ("unreadable", document["events"] + 1)
    for chair in document["chairs"]:
        assert len(chair_frames(document, chair)) == document["events"] > 20


@looped("name", [*FILES_OF_ENEMIES, *LIES])
def test_a_hostile_file_gets_a_sentence_or_is_shown_as_far_as_it_is_good(name: str) -> None:
    document, refusal = None, ""
    try:
        document = read((FILES_OF_ENEMIES | LIES)[name](), limits=ViewerLimits(seconds=20.0))
    except UnviewableGame as error:
        refusal = str(error)
    shown = len(chair_frames(document, "spectator")) if document else 0
    assert shown == (document["events"] if document else 0)
    assert bool(shown) != (20 < len(refusal) < 1_000)


@pytest.mark.untraced
@given(
    start=st.sampled_from(FILES),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.binary(max_size=20), st.integers(0, 300)), max_size=4
    ),
)
@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_damaged_no_file_is_a_stumbling_block(
    start: bytes, edits: list[tuple[float, bytes, int]]
) -> None:
    content = start
    for place, put, cut_out in edits:
        at = int(place * len(content))
        content = content[:at] + put + content[at + cut_out :]
    with suppress(UnviewableGame, UsageError):
        assert read(content)["verdict"]["sound"] == (content == start)


def test_hostile_names_are_data() -> None:
    document = read(
        forged(lambda records: records[1]["data"].update(name="</script><b>\u202e\x00")),
        "<i>.ndjson",
    )

    assert document["title"] == "<i>.ndjson"
