"""What hostile files hold: bytes that are no bundle, and bundles that would take all memory."""

import gzip
from collections.abc import Callable

from tests.support.replay.bundle_lines import counted, places, rewrite
from tests.support.replay.operator_games import Plan, bundled, played
from tests.support.replay.outcome_forgeries import Tree

SMALL = Plan("classic", 2, "hostile", {"variant": "n_phases(1)"}, ("greedy",), void_after=6)


def good() -> list[bytes]:
    """The lines of a small good bundle."""
    return bundled(played(SMALL))


def _with_line(number: int, line: bytes) -> bytes:
    lines = good()
    lines[number] = line
    return b"".join(lines)


def _said_of(name: str, value: bytes) -> bytes:
    """The good bundle, the first line saying something else about one field."""
    first = good()[0]
    start = first.index(b'"%s":' % name.encode()) + len(name) + 3
    end = min(place for place in (first.find(c, start) for c in (b",", b"}")) if place > 0)
    return _with_line(0, first[:start] + value + first[end:])


def _event_with(kind: str, change: Callable[[Tree], object]) -> bytes:
    """The good bundle, with some number of an event so large that the memory would not do."""
    lines = good()
    place = next(n for n in places(lines, "event") if f'"{kind}/1"'.encode() in lines[n])
    rewrite(lines, place, lambda tree: change(tree["data"]))
    counted(lines)
    return b"".join(lines)


def _running_with(kind: str, change: Callable[[Tree], object]) -> bytes:
    """The same in a game that is not over, which is not decided again."""
    lines = bundled(played(SMALL)[:-1])
    place = next(n for n in places(lines, "event") if f'"{kind}/1"'.encode() in lines[n])
    rewrite(lines, place, lambda tree: change(tree["data"]))
    return b"".join(lines)


def _shortest_event() -> bytes:
    return min((line for line in good() if line.startswith(b'{"event"')), key=len)


HUGE = 2**40
FILES: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "a line feed": lambda: b"\n",
    "a NUL": lambda: b"\0",
    "one brace": lambda: b"{",
    "HTML": lambda: b"<!doctype html><title>404</title>\n",
    "an export instead of a bundle": lambda: b"".join(line + b"\n" for line in played(SMALL)),
    "deep arrays": lambda: b'{"bundle":' + b"[" * 500_000 + b"]" * 500_000 + b"}\n",
    "deep objects": lambda: b'{"bundle":' + b'{"a":' * 150_000 + b"1" + b"}" * 150_001 + b"\n",
    "deep arrays in an event": lambda: _with_line(
        2, b'{"event":{"at":0,"data":' + b"[" * 400_000 + b"]" * 400_000 + b"}}\n"
    ),
    "deep arrays in the rules": lambda: _with_line(
        1,
        b'{"ruleset":{"hash":"%s","name":"classic","rules":%s%s}}\n'
        % (b"0" * 64, b"[" * 400_000, b"]" * 400_000),
    ),
    "an integer of 4,000 digits": lambda: _said_of("events", b"9" * 4_000),
    "an integer of 900,000 digits": lambda: _said_of("events", b"9" * 900_000),
    "4,000 digits in an event": lambda: _with_line(
        2, good()[2].replace(b'"seats":2', b'"seats":' + b"9" * 4_000)
    ),
    "4,000 digits in the rules": lambda: _with_line(
        1, good()[1].replace(b'"hand":10', b'"hand":' + b"1" * 4_000)
    ),
    "an exponent": lambda: _said_of("events", b"1e999999"),
    "a fraction": lambda: _said_of("events", b"12.0"),
    "minus zero": lambda: _said_of("events", b"-0"),
    "a leading zero": lambda: _said_of("events", b"012"),
    "infinity": lambda: _said_of("events", b"Infinity"),
    "a number beyond 2^53": lambda: _said_of("events", str(2**53).encode()),
    "a key twice": lambda: _with_line(0, good()[0].replace(b'"v":', b'"v":"p10-bundle/v1","v":')),
    "a key twice in an event": lambda: _with_line(
        2, good()[2].replace(b'"seats":2', b'"seats":2,"seats":2')
    ),
    "the key of a line twice": lambda: _with_line(0, good()[0][:-2] + b',"bundle":{}}\n'),
    "100,000 keys": lambda: _with_line(
        0, b'{"bundle":{' + b",".join(b'"k%06d":0' % n for n in range(70_000)) + b"}}\n"
    ),
    "UTF-16": lambda: b"".join(good()).decode().encode("utf-16"),
    "UTF-16 without a mark": lambda: b"".join(good()).decode().encode("utf-16-le"),
    "UTF-32": lambda: b"".join(good()).decode().encode("utf-32"),
    "a byte order mark": lambda: b"\xef\xbb\xbf" + b"".join(good()),
    "Latin-1": lambda: _with_line(0, good()[0].replace(b"example", b"ex\xe4mple")),
    "overlong UTF-8": lambda: _with_line(0, good()[0].replace(b"example", b"ex\xc0\xafmple")),
    "a lone surrogate, escaped": lambda: _with_line(
        0, good()[0].replace(b"example", b"ex\\ud800mple")
    ),
    "a lone surrogate, encoded": lambda: _with_line(
        0, good()[0].replace(b"example", b"ex\xed\xa0\x80mple")
    ),
    "a lone surrogate in a name": lambda: _with_line(3, good()[3]).replace(
        b'"name":"Seat 0"', b'"name":"\\udc00"'
    ),
    "a NUL in a name": lambda: b"".join(good()).replace(b"Seat 0", b"\0eat 0"),
    "gzip": lambda: gzip.compress(b"".join(good())),
    "CR LF": lambda: b"".join(good()).replace(b"\n", b"\r\n"),
    "CR": lambda: b"".join(good()).replace(b"\n", b"\r"),
    "the last line feed missing": lambda: b"".join(good())[:-1],
    "something after the end": lambda: b"".join(good()) + b"\n",
    "two bundles in one": lambda: b"".join(good()) * 2,
    "cut in the middle": lambda: b"".join(good())[:9_000],
    "a line of 64 MB": lambda: b'{"bundle":"' + b"a" * (64 << 20) + b'"}\n',
    "a string of nearly 1 MB": lambda: _said_of("game", b'"' + b"a" * 1_000_000 + b'"'),
    "10 million empty lines": lambda: b"\n" * 10_000_000,
    "2 million lines of braces": lambda: b"{}\n" * 2_000_000,
    "a first line 100,000 times": lambda: good()[0] * 100_000,
    "an opened seal 200,000 times": lambda: b"".join(
        [*good()[:3], *(line for line in good() if line.startswith(b'{"opens"'))] * 10_000
    ),
    "events without an end": lambda: (
        b"".join(good()[:2])
        + b"".join(line for line in good() if line.startswith(b'{"event"')) * 3_000
    ),
    "60 MB of good lines": lambda: b"".join(good()[:2]) + good()[2] * 20_000,
    "150,000 short events": lambda: b"".join(good()[:2]) + _shortest_event() * 150_000,
}
"""By name, the bytes of a file that is no bundle: exit code 5."""

LIES: dict[str, Callable[[], bytes]] = {
    "a trillion seats": lambda: _event_with("GameOpened", lambda data: data.update(seats=HUGE)),
    "a trillion decks": lambda: _event_with(
        "GameOpened", lambda data: data["ruleset"]["deck"].update(copies=HUGE)
    ),
    "a trillion wilds": lambda: _event_with(
        "GameOpened", lambda data: data["ruleset"]["deck"].update(wilds=HUGE)
    ),
    "a trillion cards dealt": lambda: _event_with(
        "RoundDealt", lambda data: data.update(hands=[HUGE, HUGE])
    ),
    "a trillion cards in the stock": lambda: _event_with(
        "RoundDealt", lambda data: data.update(stock=HUGE)
    ),
    "a trillion cards covered": lambda: _event_with(
        "RoundDealt", lambda data: data.update(covered=HUGE)
    ),
    "phase a trillion": lambda: _event_with(
        "RoundDealt", lambda data: data.update(phases=[HUGE, HUGE])
    ),
    "seat a trillion": lambda: _event_with("SeatTaken", lambda data: data.update(seat=HUGE)),
    "minus a trillion": lambda: _event_with(
        "RoundDealt", lambda data: data.update(stock=-HUGE, dealer=-HUGE)
    ),
    "a value of 100,000 lines": lambda: _event_with(
        "RoundDealt", lambda data: data.update(hands=[1, 2] * 100_000)
    ),
    "a field of 1 MB": lambda: _event_with(
        "RoundDealt", lambda data: data.update(discard="R1 " * 300_000)
    ),
    "a phase of 100,000 groups": lambda: _event_with(
        "GameOpened",
        lambda data: data["ruleset"].update(
            phases=[{"needs": [{"kind": "set", "size": 1}] * 20_000, "rule": "C-1"}]
        ),
    ),
    "a trillion seats, running": lambda: _running_with(
        "GameOpened", lambda data: data.update(seats=HUGE)
    ),
    "a trillion decks, running": lambda: _running_with(
        "GameOpened", lambda data: data["ruleset"]["deck"].update(copies=HUGE)
    ),
    "a trillion cards dealt, running": lambda: _running_with(
        "RoundDealt", lambda data: data.update(hands=[HUGE, HUGE])
    ),
    "a trillion cards covered, running": lambda: _running_with(
        "RoundDealt", lambda data: data.update(covered=HUGE)
    ),
}
"""Bundles in good form that would take all memory if they were believed: any exit code but 0."""
