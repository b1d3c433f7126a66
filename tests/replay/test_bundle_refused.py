"""That nothing but a bundle is read as one, and that the sentence names the line."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from replay import notes
from replay.bundle import LONGEST_LINE, parse_bundle, read_bundle
from replay.source import Damaged
from tests.replay.staged import OPERATOR, STRANGER
from tests.replay.test_bundle import good, held, of_kind

Lines = list[bytes]


def put(old: bytes, new: bytes, *, kind: str = "bundle") -> Callable[[Lines], Lines]:
    """Other bytes in the first line of a kind that has the old ones."""

    def change(lines: Lines) -> Lines:
        front = f'{{"{kind}":'.encode()
        place = next(n for n, x in enumerate(lines) if x.startswith(front) and old in x)
        return [*lines[:place], lines[place].replace(old, new, 1), *lines[place + 1 :]]

    return change


def first(lines: Lines, kind: str) -> int:
    return next(n for n, line in enumerate(lines) if line.startswith(f'{{"{kind}":'.encode()))


def without(kind: str) -> Callable[[Lines], Lines]:
    return lambda lines: [line for n, line in enumerate(lines) if n != first(lines, kind)]


def twice(kind: str) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        place = first(lines, kind)
        return [*lines[: place + 1], *lines[place:]]

    return change


def swapped(kind: str) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        place = first(lines, kind)
        return [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]

    return change


def keys_reversed(lines: Lines) -> Lines:
    header = held(lines[0])
    header["keys"].reverse()
    return [msgspec.json.encode({"bundle": header}, order="sorted") + b"\n", *lines[1:]]


def listed(lines: Lines) -> Lines:
    event = {**held(lines[2]), "data": []}
    return [*lines[:2], msgspec.json.encode({"event": event}, order="sorted") + b"\n", *lines[3:]]


NOT_CANONICAL = "is not canonical JSON"
REFUSED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "nothing": (lambda _: [], "is empty"),
    "an empty line": (lambda lines: [b"\n", *lines], ":1: here comes bundle, not something else"),
    "no first line": (without("bundle"), ":1: here comes bundle, not a line 'ruleset'"),
    "no rules": (without("ruleset"), ":2: here comes ruleset, not a line 'event'"),
    "the rules twice": (twice("ruleset"), ":3: here comes event, not a line 'ruleset'"),
    "an event less": (without("event"), "here comes event, not a line 'opens'"),
    "an unknown line": (put(b'"ruleset"', b'"rulings"', kind="ruleset"), "not a line 'rulings'"),
    "no end": (lambda lines: lines[:-1], "is cut off here"),
    "something after the end": (lambda lines: [*lines, b"\n"], "here comes nothing"),
    "no line feed": (lambda lines: [*lines[:-1], lines[-1][:-1]], "must end with } and one LF"),
    "CR LF": (lambda lines: [lines[0][:-1] + b"\r\n", *lines[1:]], "must end with } and one LF"),
    "white space": (put(b'"events":', b'"events": '), NOT_CANONICAL),
    "another order of keys": (
        put(b'{"by":"0",', b'{"made_by":"seat","by":"0",', kind="secret"),
        NOT_CANONICAL,
    ),
    "a key twice": (put(b'"v":', b'"v":"p10-bundle/v1","v":'), NOT_CANONICAL),
    "a number with a point": (put(b'"hand":10', b'"hand":10.0', kind="ruleset"), NOT_CANONICAL),
    "4,000 digits": (put(b'"hand":10', b'"hand":1' + b"0" * 4_000, kind="ruleset"), NOT_CANONICAL),
    "5,000 digits": (put(b'"events":', b'"events":' + b"9" * 5_000), "out of range"),
    "an unknown field": (put(b'"events":', b'"aside":1,"events":'), "unknown field `aside`"),
    "a missing field": (put(b'"status":"finished",', b""), "missing required field `status`"),
    "another version": (put(b"p10-bundle/v1", b"p10-bundle/v2"), "Invalid enum value"),
    "a null": (put(b'"status":', b'"seat":null,"status":'), "Expected `int`, got `null`"),
    "capital hex": (put(b'"head":"', b'"head":"AB'), "Expected `str`"),
    "an empty secret": (
        put(b'"made_by":"server"', b'"made_by":"server","secret":""', kind="secret"),
        "Expected `str`",
    ),
    "no hidden part stands in an event": (
        put(b'"prev"', b'"hidden":{},"prev"', kind="event"),
        "unknown field `hidden`",
    ),
    "no seals": (put(b'"seq":2', b'"sealed":{},"seq":2', kind="event"), "length >= 1"),
    "data that is no object": (listed, "data is no object"),
    "deep nesting": (
        put(b'"rules":{', b'"rules":{"a":' + b"[" * 9_000 + b"]" * 9_000 + b",", kind="ruleset"),
        "nested too deeply",
    ),
    "no UTF-8": (put(b"Seat 0", b"Se\xff 0", kind="event"), NOT_CANONICAL),
    "a NUL": (put(b"Seat 0", b"Se\x00 0", kind="event"), "is not JSON"),
    "a long line": (put(b"Seat 0", b"S" * LONGEST_LINE, kind="event"), "longer than 1,048,576"),
    "an event too few": (put(b'"events":81', b'"events":82'), "has 82 events, but it has 81"),
    "an event too many": (twice("event"), "here is an event more than the 81"),
    "lines counted wrong": (
        put(b'{"lines":', b'{"lines":1', kind="end"),
        "lines stand before this one",
    ),
    "an opened seal twice": (twice("opens"), "not in their order, or one stands there twice"),
    "opened elsewhere": (swapped("opens"), "opens a seal of event 1, after event 2"),
    "a seal that is none": (
        put(b'"audience":"server"', b'"audience":"stock"', kind="opens"),
        "no seal for 'stock'",
    ),
    "secrets out of order": (swapped("secret"), "not in their order"),
    "a receipt twice": (twice("receipt"), "not in their order"),
    "two checkpoints": (twice("checkpoint"), "here comes inclusion, not a line 'checkpoint'"),
    "no checkpoint": (without("checkpoint"), "not a line 'inclusion'"),
    "a proof twice": (twice("inclusion"), "not in their order"),
    "keys out of order": (keys_reversed, "keys must be sorted"),
    "a damaged key": (put(b'"keys":["', b'"keys":["e'), "the key's hash is"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_exactly_a_bundle_is_refused(name: str) -> None:
    change, words = REFUSED[name]
    changed = change(list(good()))
    assert changed != list(good())
    with pytest.raises(Damaged) as refusal:
        parse_bundle(changed, "file")

    assert words in str(refusal.value)
    assert str(refusal.value).startswith("file")
    assert len(str(refusal.value)) < 300


def test_a_third_inclusion_is_refused() -> None:
    lines, proof = list(good()), of_kind(good(), "inclusion")[-1]
    third = msgspec.json.encode({"inclusion": {**proof, "seq": proof["seq"] + 1}}, order="sorted")
    with pytest.raises(Damaged, match="at most two lines 'inclusion'"):
        parse_bundle([*lines[:-1], third + b"\n", lines[-1]])


def test_keys_that_cannot_be_told_apart_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two keys of one name and hash: such a pair takes 2^32 trials to find, so hashes are cut."""
    monkeypatch.setattr(notes, "_key_hash", lambda *_: b"same")
    keys = sorted([str(OPERATOR.public), str(STRANGER.public)])
    header = {**held(good()[0]), "keys": keys}
    line = msgspec.json.encode({"bundle": header}, order="sorted") + b"\n"
    with pytest.raises(Damaged, match="none twice"):
        parse_bundle([line, *good()[1:]])


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.bundle"
    path.write_bytes(b"".join(good()))

    assert read_bundle(str(path)) == parse_bundle(good(), str(path))


def test_what_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"".join(good()[:9]),))
    writer.start()
    with pytest.raises(Damaged, match=":9: the bundle is cut off here"):
        read_bundle(str(pipe))
    writer.join()
    with pytest.raises(Damaged, match="Is a directory"):
        read_bundle(str(tmp_path))
    with pytest.raises(Damaged, match="No such file"):
        read_bundle(str(tmp_path / "missing"))
    with pytest.raises(Damaged, match="longer than 1,048,576 bytes"):
        read_bundle("/dev/zero")
