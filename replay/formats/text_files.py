"""Text files from people: UTF-8, with marks of editors and streams that carry no content.

A byte order mark, blank lines (the heartbeats of a stream) and other line ends are accepted.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from phaseledger.domain.words import Phrase

BOM = b"\xef\xbb\xbf"
_UNPACK = {
    b"\x1f\x8b": "gzip -d",
    b"PK\x03\x04": "unzip",
    b"\x28\xb5\x2f\xfd": "zstd -d",
    b"BZh": "bzip2 -d",
    b"\xfd7zXZ": "xz -d",
}
"""The unpacking programs, by the first bytes of the files."""


def unusable_form(start: bytes) -> str:
    """The reason why no file with this beginning can be read, and the remedy; empty if unknown."""
    if program := next((_UNPACK[magic] for magic in _UNPACK if start.startswith(magic)), ""):
        return Phrase("evidence.line.compressed", code=program)
    if re.match(rb"\xff\xfe|\xfe\xff|\0[ -~]|[ -~]\0", start):
        return Phrase("evidence.line.utf_16")
    if start.startswith((b"event:", b"id:", b"data:", b"retry:", b":")):
        return Phrase("evidence.line.event_stream")
    return ""


def text_of(content: bytes) -> str:
    """The text of a file, with LF as line end; raises UnicodeError, with the remedy."""
    if reason := unusable_form(content):
        raise UnicodeError(reason)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UnicodeError("the file is not UTF-8 text") from None


def read_text(path: Path) -> str:
    """The text of the file at the path; raises OSError, and as `text_of`."""
    return text_of(path.read_bytes())


def numbered_lines(file: IO[bytes], longest: int) -> Iterator[tuple[int, bytes]]:
    """The nonempty lines, ends included, with their numbers in the file from 1.

    A line longer than ``longest`` bytes is cut there.
    """
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(BOM)
        if line.strip():
            yield number, line
