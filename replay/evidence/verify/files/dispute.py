"""The dispute file, ``p10-dispute/v1``: the bundles and receipts of both sides, byte for byte.

Normative text: docs/reference/evidence.md. It adds nothing of its own: what it proves, its parts
prove.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import IO, Annotated, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from phaseledger.domain.evidence.codec import is_canonical
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.records.source import DISPUTE, DamagedSource

VERSION: Final = "p10-dispute/v1"
BEGINS = DISPUTE
"""How a dispute file begins."""
LONGEST_LINE = 1_024
"""Bytes of a line that says what follows."""
LARGEST_PART = 64 << 20
"""Bytes; a bundle has at most half of that."""
MOST_PARTS = 64

H = TypeVar("H")

PartKind = Literal["bundle", "receipts"]


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    parts: Annotated[int, Meta(ge=1, le=MOST_PARTS)]
    v: Literal["p10-dispute/v1"]


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    bytes: Annotated[int, Meta(ge=0, le=LARGEST_PART)]
    kind: PartKind
    name: Annotated[str, Meta(pattern="^[A-Za-z0-9._-]{1,64}$")]
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class _HeadLine(Struct, frozen=True, forbid_unknown_fields=True):
    dispute: _Head


class _PartLine(Struct, frozen=True, forbid_unknown_fields=True):
    part: _Part


_encode = msgspec.json.Encoder(order="sorted").encode
_decode_head = msgspec.json.Decoder(_HeadLine).decode
_decode_part = msgspec.json.Decoder(_PartLine).decode


class DisputePart(NamedTuple):
    """One file in a dispute: its kind, its name there, and its bytes."""

    kind: PartKind
    name: str
    content: bytes


def part_names(paths: Sequence[str]) -> list[str]:
    """A name for each file in a dispute: its own without its folder, none twice."""
    names: list[str] = []
    for path in paths:
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", PurePath(path).name)[:56] or "file"
        name, number = plain, 2
        while name in names:
            name, number = f"{plain}-{number}", number + 1
        names.append(name)
    return names


def dispute_bytes(parts: Sequence[DisputePart]) -> Iterator[bytes]:
    """The content of a dispute file."""
    yield _encode(_HeadLine(_Head(len(parts), VERSION))) + b"\n"
    for kind, name, content in parts:
        digest = sha256(content).hexdigest()
        yield _encode(_PartLine(_Part(len(content), kind, name, digest))) + b"\n"
        yield content


class _MalformedDispute(ValueError):
    """The reason why a file is no dispute file."""


def parse_dispute(file: IO[bytes], source: str, head: bytes = b"") -> list[DisputePart]:
    """The parts of a dispute file, of which the first line, ``head``, may have been read before.

    Raises:
        DamagedSource: it is not exactly a dispute file; the sentence says in which part.

    """
    try:
        return [*_parts(file, head)]
    except _MalformedDispute as malformed:
        damage = Phrase("evidence.dispute.damaged", fault=malformed)
        raise DamagedSource(Phrase("evidence.file.reason", title=source, fault=damage)) from None


def _parts(file: IO[bytes], head: bytes) -> Iterator[DisputePart]:
    names: set[str] = set()
    head = head or file.readline(LONGEST_LINE)
    count = _header(head[:LONGEST_LINE], _decode_head).dispute.parts
    for number in range(1, count + 1):
        part = _parse_part(file)
        if part.name in names:
            raise _MalformedDispute(Phrase("evidence.dispute.name", seq=number, field=part.name))
        names.add(part.name)
        yield part
    if file.read(1):
        raise _MalformedDispute(Phrase("evidence.dispute.more", count=count))


def _parse_part(file: IO[bytes]) -> DisputePart:
    part = _header(file.readline(LONGEST_LINE), _decode_part).part
    content = file.read(part.bytes)
    if len(content) < part.bytes:
        raise _MalformedDispute(Phrase("evidence.dispute.cut_off", field=part.name))
    if sha256(content).hexdigest() != part.sha256:
        raise _MalformedDispute(Phrase("evidence.dispute.changed", field=part.name))
    return DisputePart(part.kind, part.name, content)


def _header(line: bytes, decode: Callable[[bytes], H]) -> H:
    """A line, decoded, which says what follows."""
    try:
        header = decode(line)
    except (ValueError, RecursionError) as error:
        raise _MalformedDispute(Phrase("evidence.dispute.no_line", error=error)) from None
    if not line.endswith(b"}\n") or not is_canonical(line[:-1]):
        raise _MalformedDispute(Phrase("evidence.dispute.not_canonical"))
    return header
