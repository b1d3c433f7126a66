"""Tools to tamper with a bundle, and what `phaseledger verify` says to it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.records.source import DamagedSource

Part = tuple[str, dict[str, Any]]
"""A line's kind and what it holds."""
Parts = list[Part]
Change = Callable[[Parts, int], Parts | bytes]
"""Bundle and a number that picks the place; raises NoPlace where there is none."""

T = TypeVar("T")
encode = msgspec.json.Encoder(order="sorted").encode


class Tampering(NamedTuple):
    """One way, and the page's class for it where a test asks for that."""

    code: str
    change: Change


def way(table: dict[str, Tampering], code: str = "") -> Callable[[Change], Change]:
    """Writes a way down in a table, under the name of its function."""

    def keep(change: Change) -> Change:
        table[change.__name__.replace("_", " ")] = Tampering(code, change)
        return change

    return keep


class NoPlace(Exception):
    """The bundle has nothing that could be changed in this way."""


def one_of(places: Sequence[T], pick: int) -> T:
    """The place that the number picks; raises NoPlace."""
    if not places:
        raise NoPlace
    return places[pick % len(places)]


def apart(bundle: bytes) -> Parts:
    """The bundle's lines, to be changed."""
    return [next(iter(msgspec.json.decode(line).items())) for line in bundle.splitlines()]


def written(parts: Parts, *, counted: bool = True) -> bytes:
    """The lines as a file; ``counted`` has the numbers of lines and events right."""
    if counted:
        parts[0][1]["events"] = sum(kind == "event" for kind, _ in parts)
        parts[-1][1]["lines"] = len(parts) - 1
    return b"".join(encode({kind: value}) + b"\n" for kind, value in parts)


def tampered(bundle: bytes, way: Tampering, pick: int) -> bytes | None:
    """The bundle after that tampering; None where it has no such place."""
    try:
        made = way.change(apart(bundle), pick)
    except NoPlace:
        return None
    return made if made is None or isinstance(made, bytes) else written(made)


def judged(bundle: bytes) -> tuple[bool, list[str], int]:
    """What `phaseledger verify` says: whether it is sound, the codes, and the first bad event."""
    try:
        parsed = parse_bundle(bundle.splitlines(keepends=True))
    except DamagedSource:
        return False, ["damaged"], 0
    (examined,) = verify([parsed])
    problems = examined.judgement.problems
    first = min((problem.seq for problem in problems if problem.seq), default=0)
    return not problems, [problem.code for problem in problems], first


# --- finding places -----------------------------------------------------------------------------


def events(parts: Parts, *kinds: str) -> list[dict[str, Any]]:
    names = {f"{kind}/1" for kind in kinds}
    return [value for kind, value in parts if kind == "event" and value["type"] in names]


def values(parts: Parts, kind: str) -> list[dict[str, Any]]:
    return [value for name, value in parts if name == kind]


def opened(parts: Parts, *kinds: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Events of these kinds, each with one of its opened seals."""
    seqs = {event["seq"]: event for event in events(parts, *kinds)}
    for value in values(parts, "opens"):
        if value["seq"] in seqs:
            yield seqs[value["seq"]], value


def altered(digits: str) -> str:
    return digits[:-1] + ("0" if digits[-1] != "0" else "1")
