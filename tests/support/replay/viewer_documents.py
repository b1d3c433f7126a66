"""Viewer documents as a page reads them, and files to make them of."""

import base64
import gzip
from collections.abc import Callable
from typing import Any

import msgspec

from phaseledger.replay.viewer.document import viewer_document
from tests.support.replay.log_edits import Tree, encode, rechained, trees


def read(content: bytes, name: str = "game.ndjson", **options: Any) -> dict[str, Any]:
    """The document of a file, through JSON and back."""
    document = viewer_document(content, name, **options)
    tree: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return tree


def unpacked(packed: str) -> bytes:
    return gzip.decompress(base64.b64decode(packed))


def chair_frames(document: dict[str, Any], chair: str) -> list[dict[str, Any]]:
    """The frames of a chair."""
    return [msgspec.json.decode(line) for line in unpacked(document["frames"][chair]).splitlines()]


def export(lines: list[Tree] | tuple[bytes, ...] | list[bytes]) -> bytes:
    """Records as a file."""
    return b"".join(
        (line if isinstance(line, bytes) else encode(line)).rstrip(b"\n") + b"\n" for line in lines
    )


def forged(change: Callable[[list[Tree]], object]) -> bytes:
    """The short game with a change in its records, its chain made anew."""
    records = trees()
    change(records)
    return export(rechained(records))
