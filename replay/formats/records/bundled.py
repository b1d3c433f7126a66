"""The events in a game's bundle as lines in the viewer's form, for the reader of records.

Only the lines needed for an audit are read: `formats.bundle.reader` and `verify` check whether the
file is exactly a bundle, and its other lines.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw, Struct

from phaseledger.domain.words import Phrase

BEGINS = b'{"bundle":'
"""The beginning of a bundle's first line."""
_EVENT, _OPENS, _END = b'{"event":', b'{"opens":', b'{"end":'
_encode = msgspec.json.Encoder(order="sorted").encode


class _OpenedSeal(Struct):
    audience: str
    salt: str
    value: Raw


_decode_event = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_seal = msgspec.json.Decoder(_OpenedSeal).decode


def event_lines(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """The events of a bundle's numbered lines, each with the number of its line.

    Raises:
        ValueError: a line is no line of a bundle, or the last one is missing.

    """
    event, seals, begun, line = b"", list[_OpenedSeal](), 0, b""
    for number, line in lines:
        if line.startswith(_OPENS):
            seals.append(_decode_seal(_body(line, _OPENS)))
            continue
        if event:
            yield begun, _viewed(event, seals)
            event, seals = b"", []
        if line.startswith(_EVENT):
            event, begun = _body(line, _EVENT), number
    if not line.startswith(_END):
        raise ValueError(Phrase("evidence.line.bundle_cut", end='{"end":...}'))


def _body(line: bytes, front: bytes) -> bytes:
    if not line.endswith(b"}\n"):
        raise ValueError(Phrase("evidence.line.end", brace="}"))
    return line[len(front) : -2]


def _viewed(event: bytes, seals: Iterable[_OpenedSeal]) -> bytes:
    """The event in the viewer's form, its line end included."""
    opened = {seal.audience: seal for seal in seals}
    if not opened:
        return event + b"\n"
    tree: dict[str, object] = {**_decode_event(event)}
    tree["hidden"] = {audience: seal.value for audience, seal in opened.items()}
    tree["salts"] = {audience: seal.salt for audience, seal in opened.items()}
    return _encode(tree) + b"\n"
