"""What the viewer reads, in Chromium: patches, cards, addresses, and the order of a hand."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page

from phaseledger.domain.cards import CODES, NAMES
from phaseledger.replay.web.joiner import WEB, script
from tests.support.cases import looped
from tests.support.replay.viewer_pages import modules

MODULES = (
    "client/patch.js", "feed/frames.js", "feed/address.js", "parts/face.js",
    "parts/board.js", "replay/moves.js", "dispute/dispute.js", "words.js",
)  # fmt: skip


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with modules(browser, tmp_path_factory.mktemp("entry"), *MODULES) as page:
        yield page


# --- patches --------------------------------------------------------------------------------------

DOCUMENT = {"a": {"b": [1, 2, 3], "c/d": 1, "e~f": 2}, "g": None, "": 0}
PATCHES: list[tuple[list[dict[str, Any]], Any]] = [
    ([{"op": "replace", "path": "/g", "value": 1}], {**DOCUMENT, "g": 1}),
    ([{"op": "add", "path": "/h", "value": [1]}], {**DOCUMENT, "h": [1]}),
    ([{"op": "add", "path": "/a/b/0", "value": 0}], [0, 1, 2, 3]),
    ([{"op": "add", "path": "/a/b/-", "value": 4}], [1, 2, 3, 4]),
    ([{"op": "add", "path": "/a/b/3", "value": 4}], [1, 2, 3, 4]),
    ([{"op": "remove", "path": "/a/b/1"}], [1, 3]),
    ([{"op": "replace", "path": "/a/b/1", "value": 9}], [1, 9, 3]),
    ([{"op": "replace", "path": "", "value": 5}], 5),
    ([{"op": "replace", "path": "/a/c~1d", "value": 3}, {"op": "remove", "path": "/a/e~0f"}],
     {**DOCUMENT, "a": {"b": [1, 2, 3], "c/d": 3}}),
    ([{"op": "replace", "path": "/", "value": 1}], {**DOCUMENT, "": 1}),
]  # fmt: skip


@looped(("operations", "expected"), PATCHES)
def test_a_patch_gives_what_the_standard_says(
    page: Page, operations: list[dict[str, Any]], expected: Any
) -> None:
    """RFC 6902, and the document that it begins from stays as it was."""
    after, before = page.evaluate(
        "([doc, ops]) => [web.patched(doc, ops), doc]", [DOCUMENT, operations]
    )

    if isinstance(expected, list):
        expected = {**DOCUMENT, "a": {**DOCUMENT["a"], "b": expected}}  # type: ignore[dict-item]
    assert (after, before) == (expected, DOCUMENT)


@looped(
    "operation",
    [
        {"op": "remove", "path": "/x"},
        {"op": "remove", "path": ""},
        {"op": "replace", "path": "/a/b/3", "value": 1},
        {"op": "add", "path": "/a/b/4", "value": 1},
        {"op": "add", "path": "/a/b/01", "value": 1},
        {"op": "add", "path": "/x/y", "value": 1},
        {"op": "add", "path": "/g/y", "value": 1},
        {"op": "add", "path": "a", "value": 1},
        {"op": "merge", "path": "/g", "value": 0},
        {"op": "replace", "path": "/toString/x", "value": 0},
    ],
)
def test_a_patch_that_fits_nowhere_is_refused(page: Page, operation: dict[str, Any]) -> None:
    with pytest.raises(Error):
        page.evaluate("([doc, ops]) => web.patched(doc, ops)", [DOCUMENT, [operation]])


def test_what_a_patch_leaves_is_the_same_object(page: Page) -> None:
    """A drawing sees by that what to draw anew; a value of a patch is never written to."""
    same, other, value = page.evaluate(
        """() => {
          const before = { left: { a: [1] }, right: { b: [2] } };
          const list = [3];
          const ops = [{ op: "replace", path: "/right/b", value: list },
                       { op: "add", path: "/right/b/-", value: 4 }];
          const after = web.patched(before, ops);
          return [after.left === before.left, after.right !== before.right, list];
        }"""
    )

    assert (same, other, value) == (True, True, [3])


def test_any_position_is_reached_from_any_other(page: Page) -> None:
    """Forward, backward and across the positions that are kept."""
    shown = page.evaluate(
        """() => {
          const frames = [{ seq: 1, position: { n: 1 } }];
          for (let seq = 2; seq <= 100; seq += 1)
            frames.push({ seq, patch: [{ op: "replace", path: "/n", value: seq }] });
          const recording = new web.Recording(frames);
          const order = [100, 1, 17, 16, 18, 99, 33, 32, 2, 50, 51, 0, -5, 101, NaN];
          return order.map((seq) => recording.position(seq).n);
        }"""
    )

    assert shown == [100, 1, 17, 16, 18, 99, 33, 32, 2, 50, 51, 1, 1, 100, 1]


def test_positions_are_made_ahead(page: Page) -> None:
    """As if they had been asked for; what is damaged is told to whoever goes there."""
    result = page.evaluate(
        """async () => {
          const patch = (n) => [{ op: "replace", path: "/n", value: n }];
          const lines = Array.from({ length: 100 }, (_, n) => ({ seq: n + 1, patch: patch(n) }));
          lines[0] = { seq: 1, position: { n: 0 } };
          lines[90].patch = [{ op: "replace", path: "/lost/far", value: 1 }];
          const recording = new web.Recording(lines);
          recording.prepare();
          const start = performance.now();
          while (!recording.kept.has(80) && performance.now() - start < 30_000) {
            await new Promise((done) => setTimeout(done, 5));
          }
          const ahead = [...recording.kept.keys()];
          let fault = "";
          try { recording.position(95); } catch (broken) { fault = String(broken); }
          return [ahead, recording.position(50).n, recording.position(1).n, fault !== ""];
        }"""
    )
    assert result == [[0, 16, 32, 48, 64, 80], 49, 0, True]


# --- cards ----------------------------------------------------------------------------------------


def test_every_card_has_a_face_of_its_own(page: Page) -> None:
    """Of both notations, jokers with what lies on their other side included."""
    texts = sorted({name for names in NAMES.values() for name in names if name} | {*CODES})
    faces = page.evaluate("(texts) => texts.map((text) => web.face(text))", texts)
    aces = {f"A{suit}" for suit in "HSDC"}  # every Ace is the wild
    none = {"J()"}  # of a code that no card has
    named = {
        text: (face["suit"], face["rank"], face["name"], face.get("under"))
        for text, face in zip(texts, faces, strict=True)
        if text not in aces | none
    }

    assert [face for face, count in Counter(named.values()).items() if count > 1] == []
    assert {text for text, face in named.items() if face[0] == "back"} == {
        text
        for text in named
        if text == "?" or (text.startswith("J") and text[1:] not in set("HSDC"))
    }


def test_a_move_marks_the_card_that_it_brought(page: Page) -> None:
    position = {
        "table": {"you": 1, "hand": "R5 W R5", "discard": "G2", "groups": [{"cards": "B4 B5"}]},
        "legend": {"groups": []},
    }
    moves = [
        {"cards": "R5", "count": 1, "from": "stock", "to": "hand:1"},
        {"cards": "B4", "count": 1, "from": "hand:0", "to": "group:0:low"},
        {"cards": "G2", "count": 1, "from": "hand:0", "to": "discard"},
        {"cards": "?", "count": 1, "from": "stock", "to": "hand:0"},
    ]
    marks = page.evaluate("([moves, position]) => web.marked(moves, position)", [moves, position])

    assert marks == {
        "hand:1": {"2": "to"},
        "group:0": {"0": "to"},
        "discard": {"0": "to"},
        "hand:0": {},
    }


def test_cards_that_differ_are_marked_one_by_one(page: Page) -> None:
    marks = page.evaluate(
        "() => web.differing(['R5', 'W', 'R5', 'G1'], ['R5', 'G1', 'B2'], 'wrong')"
    )
    assert marks == {"1": "wrong", "2": "wrong"}


# --- addresses and words --------------------------------------------------------------------------


@looped(
    ("address", "place"),
    [
        ("#event=123&seat=1&speed=2", {"event": 123, "chair": "1", "speed": 2}),
        ("#seat=all", {"chair": "all"}),
        ("#event=-1&speed=x", {}),
        ("#event=1.5", {}),
        ("", {}),
        ("#%", {}),
    ],
)
def test_an_address_is_read_as_far_as_it_makes_sense(
    page: Page, address: str, place: dict[str, Any]
) -> None:
    assert page.evaluate("(hash) => web.readAddress(hash)", address) == place


def test_a_written_address_is_read_as_it_was(page: Page) -> None:
    for place in ({"event": 7, "chair": "all"}, {"event": 1, "chair": "0", "speed": 16}):
        shown = page.evaluate("(place) => web.readAddress(web.writtenAddress(place))", place)
        assert shown == place


def test_words_take_their_plural_and_numbers(page: Page) -> None:
    shown = page.evaluate(
        "() => [web.t('cards', { count: 1 }), web.t('cards', { count: 1234 }), web.t('no.such')]"
    )
    assert shown == ["1 card", "1,234 cards", "no.such"]


def test_every_key_that_the_pages_name_has_words(page: Page) -> None:
    """A key in the code without words would show itself to a reader."""
    source = script(WEB / "viewer.js")
    keys = sorted({*re.findall(r'\bt\(\s*"([\w.]+)"', source)})
    assert len(keys) > 50
    missing = page.evaluate("(keys) => keys.filter((key) => !web.has(key))", keys)
    assert missing == []
