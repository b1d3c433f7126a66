"""That nothing but a bundle is read as one, and that the sentence names the line."""

import io
import os
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from phaseledger.replay.formats.bundle import line_reader
from phaseledger.replay.formats.bundle.line_reader import LONGEST_LINE
from phaseledger.replay.formats.bundle.reader import parse_bundle, read_bundle
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.formats.signing import notes
from tests.support.cases import looped
from tests.support.replay.bundles import content_of, good, of_kind
from tests.support.replay.operator_games import OPERATOR, STRANGER

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
    header = content_of(lines[0])
    header["keys"].reverse()
    return [msgspec.json.encode({"bundle": header}, order="sorted") + b"\n", *lines[1:]]


def listed(lines: Lines) -> Lines:
    event = {**content_of(lines[2]), "data": []}
    return [*lines[:2], msgspec.json.encode({"event": event}, order="sorted") + b"\n", *lines[3:]]


NOT_CANONICAL = "the line was changed: it is not canonical JSON (RFC 8785), as it was written."
OUT_OF_ORDER = "are not in their order, or one stands there twice."
BUNDLE = "file:1: this is no line 'bundle': "
REFUSED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "nothing": (lambda _: [], 'file: is empty: its last line must be {"end":...}.'),
    "an empty line": (
        lambda lines: [b"\n", *lines],
        'file:1: this is no bundle: a bundle begins with {"bundle":.',
    ),
    "no first line": (
        without("bundle"),
        "file:1: due here is a line 'bundle'; there is a line 'ruleset'.",
    ),
    "no rules": (
        without("ruleset"),
        "file:2: due here is a line 'ruleset'; there is a line 'event'.",
    ),
    "the rules twice": (
        twice("ruleset"),
        "file:3: due here is a line 'event'; there is a line 'ruleset'.",
    ),
    "an event less": (
        without("event"),
        "file:3: due here is a line 'event'; there is a line 'opens'.",
    ),
    "an unknown line": (
        put(b'"ruleset"', b'"rulings"', kind="ruleset"),
        "file:2: due here is a line 'ruleset'; there is a line 'rulings'.",
    ),
    "no end": (
        lambda lines: lines[:-1],
        'file:171: the bundle is cut off here: its last line must be {"end":...}.',
    ),
    "something after the end": (
        lambda lines: [*lines, b"\n"],
        "file:173: due here is nothing more; there is something else.",
    ),
    "no line feed": (
        lambda lines: [*lines[:-1], lines[-1][:-1]],
        "file:172: the bundle is cut off within this line: it must end with } and one LF.",
    ),
    "receipts": (
        lambda lines: [
            line[len(b'{"receipt":') : -2] + b"\n"
            for line in lines
            if line.startswith(b'{"receipt":')
        ],
        "file:1: these are receipts: give them with --receipt, beside a bundle.",
    ),
    "CR LF": (
        lambda lines: [lines[0][:-1] + b"\r\n", *lines[1:]],
        "file:1: the line must end with } and one LF.",
    ),
    "white space": (put(b'"events":', b'"events": '), f"file:1: {NOT_CANONICAL}"),
    "another order of keys": (
        put(b'{"by":"0",', b'{"made_by":"seat","by":"0",', kind="secret"),
        f"file:110: {NOT_CANONICAL}",
    ),
    "a key twice": (put(b'"v":', b'"v":"p10-bundle/v1","v":'), f"file:1: {NOT_CANONICAL}"),
    "a number with a point": (
        put(b'"hand":10', b'"hand":10.0', kind="ruleset"),
        f"file:2: {NOT_CANONICAL}",
    ),
    "4,000 digits": (
        put(b'"hand":10', b'"hand":1' + b"0" * 4_000, kind="ruleset"),
        f"file:2: {NOT_CANONICAL}",
    ),
    "data that is no object": (listed, "file:3: the event's data is no object."),
    "nesting": (
        put(b'"rules":{', b'"rules":{"a":' + b"[" * 30 + b"]" * 30 + b",", kind="ruleset"),
        "file:2: the line is nested too deeply.",
    ),
    "deep nesting": (
        put(b'"rules":{', b'"rules":{"a":' + b"[" * 9_000 + b"]" * 9_000 + b",", kind="ruleset"),
        "file:2: the line is nested too deeply.",
    ),
    "no UTF-8": (put(b"Seat 0", b"Se\xff 0", kind="event"), f"file:5: {NOT_CANONICAL}"),
    "no UTF-8 in a name": (
        put(b'"name":"', b'"name":"\xff', kind="ruleset"),
        "file:2: the line is not UTF-8 text.",
    ),
    "a long line": (
        put(b"Seat 0", b"S" * LONGEST_LINE, kind="event"),
        "file:5: the line is longer than 1,048,576 bytes.",
    ),
    "an event too few": (
        put(b'"events":81', b'"events":82'),
        "file:1: the bundle says that it has 82 events, but it has 81.",
    ),
    "an event too many": (
        twice("event"),
        "file:109: here is an event more than the 81 that the first line says.",
    ),
    "lines counted wrong": (
        put(b'{"lines":', b'{"lines":1', kind="end"),
        "file:172: 171 lines stand before this one, not 1,171.",
    ),
    "an opened seal twice": (twice("opens"), f"file:5: the lines 'opens' {OUT_OF_ORDER}"),
    "opened elsewhere": (
        swapped("opens"),
        "file:5: this opens a seal of event 1, after event 2.",
    ),
    "a seal that is none": (
        put(b'"audience":"server"', b'"audience":"stock"', kind="opens"),
        "file:4: event 1 has no seal for 'stock'.",
    ),
    "secrets out of order": (swapped("secret"), f"file:110: the lines 'secret' {OUT_OF_ORDER}"),
    "a receipt twice": (twice("receipt"), f"file:114: the lines 'receipt' {OUT_OF_ORDER}"),
    "two checkpoints": (
        twice("checkpoint"),
        "file:170: due here is a line 'inclusion'; there is a line 'checkpoint'.",
    ),
    "no checkpoint": (
        without("checkpoint"),
        (
            "file:169: due here is a line 'receipt' or 'checkpoint' or 'end'; "
            "there is a line 'inclusion'."
        ),
    ),
    "a proof twice": (twice("inclusion"), f"file:171: the lines 'inclusion' {OUT_OF_ORDER}"),
    "keys out of order": (keys_reversed, "file:1: the keys must be sorted, none twice."),
    "a damaged key": (
        put(b'"keys":["', b'"keys":["e'),
        "file:1: the key's hash is ad3defaf, but its text says 83b6df4c.",
    ),
}

MISTYPED: dict[str, tuple[Callable[[Lines], Lines], str, str]] = {
    "5,000 digits": (put(b'"events":', b'"events":' + b"9" * 5_000), BUNDLE, "out of range"),
    "an unknown field": (
        put(b'"events":', b'"aside":1,"events":'),
        BUNDLE,
        "unknown field `aside`",
    ),
    "a missing field": (
        put(b'"status":"finished",', b""),
        BUNDLE,
        "missing required field `status`",
    ),
    "another version": (put(b"p10-bundle/v1", b"p10-bundle/v2"), BUNDLE, "Invalid enum value"),
    "a null": (put(b'"status":', b'"seat":null,"status":'), BUNDLE, "Expected `int`, got `null`"),
    "capital hex": (put(b'"head":"', b'"head":"AB'), BUNDLE, "Expected `str`"),
    "an empty secret": (
        put(b'"made_by":"server"', b'"made_by":"server","secret":""', kind="secret"),
        "file:109: this is no line 'secret': ",
        "Expected `str`",
    ),
    "no hidden part stands in an event": (
        put(b'"prev"', b'"hidden":{},"prev"', kind="event"),
        "file:3: this is no line 'event': ",
        "unknown field `hidden`",
    ),
    "no seals": (
        put(b'"seq":2', b'"sealed":{},"seq":2', kind="event"),
        "file:5: this is no line 'event': ",
        "length >= 1",
    ),
    "a NUL": (put(b"Seat 0", b"Se\x00 0", kind="event"), "file:5: the line is not JSON: ", "JSON"),
}
"""What the decoder says in its own words, behind ours."""


def refusal_of(change: Callable[[Lines], Lines]) -> str:
    changed = change(list(good()))
    assert changed != list(good())
    with pytest.raises(DamagedSource) as refusal:
        parse_bundle(changed, "file")
    return str(refusal.value)


@looped("name", REFUSED)
def test_what_is_not_exactly_a_bundle_is_refused(name: str) -> None:
    change, sentence = REFUSED[name]

    assert refusal_of(change) == sentence


@looped("name", MISTYPED)
def test_what_has_other_fields_is_refused(name: str) -> None:
    change, front, words = MISTYPED[name]
    reason = refusal_of(change)

    assert reason.startswith(front)
    assert words in reason
    assert reason.endswith(".")
    assert len(reason) < 300


LIMITS: dict[str, tuple[int, str]] = {
    "LONGEST_LINE": (max(map(len, good())), "file:3: the line is longer than {:,} bytes."),
    "LARGEST": (
        sum(map(len, good())),
        "file:172: a bundle has at most {:,} bytes and 80,000 lines.",
    ),
    "MOST_LINES": (
        len(good()),
        "file:172: a bundle has at most 33,554,432 bytes and {:,} lines.",
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_bundle_may_be_as_large_as_the_limits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most, sentence = LIMITS[name]
    monkeypatch.setattr(line_reader, name, most)
    assert parse_bundle(good(), "file") == parse_bundle(iter(good()), "file")
    monkeypatch.setattr(line_reader, name, most - 1)
    with pytest.raises(DamagedSource) as refusal:
        parse_bundle(good(), "file")

    assert str(refusal.value) == sentence.format(most - 1)


def test_a_third_inclusion_is_refused() -> None:
    lines, proof = list(good()), of_kind(good(), "inclusion")[-1]
    third = msgspec.json.encode({"inclusion": {**proof, "seq": proof["seq"] + 1}}, order="sorted")
    with pytest.raises(
        DamagedSource, match=r"^bundle:172: a bundle has at most two lines 'inclusion'\.$"
    ):
        parse_bundle([*lines[:-1], third + b"\n", lines[-1]])


def test_keys_that_cannot_be_told_apart_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two keys of one name and hash: such a pair takes 2^32 trials to find, so hashes are cut."""
    monkeypatch.setattr(notes, "_key_hash", lambda *_: b"same")
    keys = sorted([str(OPERATOR.public), str(STRANGER.public)])
    header = {**content_of(good()[0]), "keys": keys}
    line = msgspec.json.encode({"bundle": header}, order="sorted") + b"\n"
    with pytest.raises(DamagedSource, match="none twice"):
        parse_bundle([line, *good()[1:]])


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.bundle"
    path.write_bytes(b"".join(good()))

    assert read_bundle(str(path)) == parse_bundle(good(), str(path))


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"".join(good()))))
    assert read_bundle("-") == parse_bundle(good(), "-")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(DamagedSource, match=r"^-: standard input is closed\.$"):
        read_bundle("-")


def test_what_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"".join(good()[:9]),))
    writer.start()
    with pytest.raises(DamagedSource, match=":9: the bundle is cut off here"):
        read_bundle(str(pipe))
    writer.join()
    missing = tmp_path / "missing"
    for path, sentence in (
        (tmp_path, "cannot be read: Is a directory."),
        (missing, "cannot be read: No such file or directory."),
    ):
        with pytest.raises(DamagedSource) as refusal:
            read_bundle(str(path))
        assert str(refusal.value) == f"{path}: {sentence}"
    for content, sentence in ((b'{"at":0,"cmd":', "export --bundle"), (b"\x1f\x8b", "unpack")):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(DamagedSource, match=sentence):
            read_bundle(str(tmp_path / "other"))
    with pytest.raises(DamagedSource, match="longer than 1,048,576 bytes"):
        read_bundle("/dev/zero")
