"""What the pages below `/play` load: one script and one style, joined, hashed and compressed."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from phaseledger.domain.words import LANGUAGES, Language, PageText, texts
from phaseledger.replay.viewer.page import WEB, script, styles
from phaseledger.service.runtime.content_coding import SMALL, Coding

FOLDER = Path(__file__).parent
Part = Literal["lobby", "table", "replay"]
"""Pages that are a document each: the lobby, a table, and what looks back on games."""
_BASE = (WEB / "tokens.css", WEB / "base.css", FOLDER / "faces.css")
_CARDS = (WEB / "cards.css", WEB / "parts.css")
_STYLES: Mapping[Part, tuple[Path, ...]] = {
    "lobby": (*_BASE, FOLDER / "lobby.css"),
    "table": (*_BASE, *_CARDS, FOLDER / "table.css", FOLDER / "lobby.css"),  # and its waiting room
    "replay": (*_BASE, *_CARDS, WEB / "replay.css", WEB / "dispute.css"),
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The pages' Content-Security-Policy: their own origin, and no style or script in the page."""
_FOR_READERS = re.compile(
    r"""^[ \t]+ | (?<=[;{,])[ ]+//[ ][^\n`'"]*$ | (?<=\n)\n+ """, re.MULTILINE | re.VERBOSE
)
"""What a script does without: indents, remarks behind a statement, empty lines."""
_DIGITS = 16


class Asset(NamedTuple):
    """A file as it is sent: its hash, by which addresses name it, and its bytes."""

    digest: str
    plain: bytes
    compressed: Mapping[Coding, bytes]
    """By content coding."""


def asset(content: bytes) -> Asset:
    """The content, hashed and compressed once for all who ask."""
    digest = hashlib.sha256(content).hexdigest()[:_DIGITS]
    compressed = {coding: compress(content) for coding, compress in SMALL.items()}
    return Asset(digest, content, compressed)


@cache
def program(part: Part) -> Asset:
    """All modules of some pages as one script."""
    inside = LANGUAGES if part == "replay" else LANGUAGES[:1]  # pages ask for the others
    tables = {lang: _table(lang) for lang in inside}
    source = script(FOLDER / part / "main.js", [FOLDER, WEB], tables)
    return asset(_FOR_READERS.sub("", source).encode())


@cache
def words(lang: Language) -> Asset:
    """The words of the tables' pages in one language as JSON, for those who speak it."""
    return asset(msgspec.json.encode(_table(lang)))


def _table(lang: Language) -> dict[str, PageText]:
    return texts(lang, "viewer.", "play.")


@cache
def style(part: Part) -> Asset:
    """All style sheets of some pages as one."""
    return asset(styles(*_STYLES[part]).encode())


@cache
def shell(part: Part, root: str = "") -> Asset:
    """The document of some pages below ``root``; what it shows follows from its address."""
    text = (FOLDER / "shell.html").read_text("utf-8")
    values = {
        "root": root,
        "style": f"{part}.css?v={style(part).digest}",
        "program": f"{part}.js?v={program(part).digest}",
    }
    return asset(re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text).encode())
