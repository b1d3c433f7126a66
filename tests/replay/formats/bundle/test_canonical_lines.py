"""That a line is found canonical exactly where `is_canonical` finds its body so."""

from functools import cache
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.domain.evidence.codec import is_canonical
from phaseledger.replay.formats.bundle.line_reader import is_canonical_line
from phaseledger.replay.formats.bundle.lines import LINES, LineKind
from tests.support.cases import looped
from tests.support.replay.bundles import good


def body_of(line: bytes) -> tuple[LineKind, bytes]:
    kind, body = line[2:-2].split(b'":', 1)
    return kind.decode(), body  # type: ignore[return-value]


@cache
def bodies() -> tuple[tuple[LineKind, bytes], ...]:
    return tuple(map(body_of, good()))


def assert_alike(kind: LineKind, body: bytes) -> None:
    try:
        value: Any = msgspec.json.decode(body, type=LINES[kind])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    assert is_canonical_line(value, body) == is_canonical(body), body


def event(**parts: bytes) -> bytes:
    """The body of an event with some of its parts written otherwise."""
    written = {
        "at": b"0", "cmd": b'"%b"' % (b"a" * 64), "data": b'{"seat":0}', "game": b'"g"',
        "prev": b'"%b"' % (b"b" * 64), "sealed": b'{"0":"%b"}' % (b"c" * 64), "seq": b"1",
        "type": b'"CardDrawn/1"', "v": b"1",
    }  # fmt: skip
    return b"{%b}" % b",".join(b'"%b":%b' % (n.encode(), v) for n, v in (written | parts).items())


OTHERWISE: dict[str, tuple[bytes, bool]] = {
    "as it is": (event(), True),
    "a part that is long": (event(data=b'{"said":"%b"}' % (b"R1 " * 200)), True),
    "a name that is not of ASCII": (event(sealed=b'{"\xc3\xa9":"%b"}' % (b"c" * 64)), False),
    "a value that is not of ASCII": (event(game=b'"\xc3\xa9"'), True),
    "null": (event(data=b'{"seat":null}'), False),
    "the text null": (event(data=b'{"seat":"null"}'), True),
    "a fraction": (event(data=b'{"seat":0.5}'), False),
    "a fraction around the data": (event(at=b"0.0"), False),
    "an exponent": (event(seq=b"1e0"), False),
    "a large number": (event(data=b'{"seat":9007199254740992}'), False),
    "the largest number": (event(data=b'{"seat":9007199254740991}'), True),
    "a large time": (event(at=b"9007199254740991"), True),
    "white space in the data": (event(data=b'{"seat": 0}'), False),
    "white space before the data": (event(data=b' {"seat":0}'), False),
    "white space after the data": (event(data=b'{"seat":0} '), False),
    "names out of order in the data": (event(data=b'{"seat":0,"act":{}}'), False),
    "a name twice in the data": (event(data=b'{"seat":0,"seat":0}'), False),
    "a name twice": (event(v=b'1,"v":1'), False),
    "names out of order": (event(data=b'{},"at":0'), False),
    "seals out of order": (
        event(sealed=b'{"1":"%b","0":"%b"}' % (b"c" * 64, b"c" * 64)), False
    ),
    "a seal twice": (event(sealed=b'{"0":"%b","0":"%b"}' % (b"c" * 64, b"c" * 64)), False),
    "another spelling": (event(data=b'{"seat":"\\u0041"}'), False),
    "another spelling around the data": (event(game=b'"\\u0041"'), False),
    "no object": (event(data=b"0"), True),
}  # fmt: skip


@looped("what", OTHERWISE)
def test_events_written_otherwise(what: str) -> None:
    """Twice: what is remembered of a part changes nothing."""
    body, canonical = OTHERWISE[what]
    assert is_canonical(body) == canonical
    assert_alike("event", body)
    assert_alike("event", body)


def test_a_good_bundle_has_canonical_lines_only() -> None:
    for kind, body in bodies():
        assert is_canonical_line(msgspec.json.decode(body, type=LINES[kind]), body)


@given(st.data())
def test_lines_with_other_bytes(data: st.DataObject) -> None:
    """Some bytes of a good bundle's line left out, put in or written otherwise."""
    kind, body = data.draw(st.sampled_from(bodies()))
    start = data.draw(st.integers(0, len(body)))
    stop = data.draw(st.integers(start, min(len(body), start + 8)))
    other = data.draw(
        st.one_of(
            st.binary(max_size=4),
            st.sampled_from(
                [b" ", b"null", b"1.0", b"-0", b'"":', b"\\u0041", b'"a":1,', b"9" * 16]
            ),
        )
    )
    assert_alike(kind, body[:start] + other + body[stop:])
