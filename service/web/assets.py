"""What the pages below `/play` load: one script and one style, joined, hashed and compressed."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from phaseledger.domain.words import LANGUAGES, Language, PageText, texts
from phaseledger.replay.web.joiner import (
    WEB,
    later_script,
    named_words,
    page,
    policy,
    script,
    styles,
    words_tables,
)
from phaseledger.service.runtime.content_coding import SMALL, Coding

Part = Literal["lobby", "table", "replay", "rules"]
"""Pages that are a document each: the lobby, a table, what looks back on games, the rules."""
_BASE = ("tokens.css", "base.css", "faces.css")
_CARDS = ("cards.css", "parts.css")
_STYLES: Mapping[Part, tuple[str, ...]] = {
    "lobby": (*_BASE, "lobby.css"),
    "table": (*_BASE, *_CARDS, "account.css", "table.css", "lobby.css", "rules.css"),
    "replay": (*_BASE, *_CARDS, "replay.css", "account.css", "dispute.css"),
    "rules": (*_BASE, *_CARDS, "rules.css"),
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
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
    """All modules of some pages as one script, without the modules that these import later."""
    inside = LANGUAGES if part == "replay" else LANGUAGES[:1]  # pages ask for the others
    entry = WEB / part / "main.js"
    more = later(part)
    address = f"./{part}.later.js?v={more.digest}" if more.plain else ""
    code = script(entry, later=address)
    tables = {lang: named_words(code, _table(lang)) for lang in inside}
    return asset(script(entry, tables=words_tables(tables), later=address).encode())


@cache
def later(part: Part) -> Asset:
    """The modules that some pages import later, with their words; empty where there are none."""
    entry = WEB / part / "main.js"
    first = named_words(script(entry, later="./"), _table("en"))
    named = named_words(later_script(entry), _table("en"))
    words = {key: text for key, text in named.items() if key not in first}
    return asset(later_script(entry, words=words).encode())


def page_policy(embedders: str = "") -> str:
    """The pages' Content-Security-Policy: their own origin, no style or script in the page, and in
    frames of the embedders' pages alone.
    """
    return _POLICY + (embedders or "'none'")


@cache
def element() -> Asset:
    """`<phaseledger-table>` as a script of its own, for pages that take it from the service."""
    return asset(script(WEB / "client" / "element.js").encode())


@cache
def words(lang: Language) -> Asset:
    """The words of the tables' pages in one language as JSON, for those who speak it."""
    return asset(msgspec.json.encode(_table(lang)))


@cache
def file(name: str) -> Asset:
    """A file of the pages as it stands: an icon, or the manifest by which a phone installs them."""
    return asset((WEB / "play" / name).read_bytes())


@cache
def offline(root: str = "") -> Asset:
    """The page that the service worker shows while there is no network: a file that needs none."""
    code, look = _offline_parts()
    text = (WEB / "play" / "offline.html").read_text("utf-8")
    return asset(page(text, code, look, root=root).encode())


@cache
def offline_policy() -> str:
    """Its Content-Security-Policy: no style and script but its own; it asks whether it may end."""
    code, look = _offline_parts()
    return f"{policy(look, code)}; connect-src 'self'; frame-ancestors 'none'"


@cache
def _offline_parts() -> tuple[str, str]:
    entry = WEB / "play" / "offline.js"
    words = {lang: named_words(script(entry), _table(lang)) for lang in LANGUAGES}
    return script(entry, tables=words_tables(words)), styles(*_BASE)


@cache
def service_worker(root: str = "") -> Asset:
    """The script of the service worker, which is another one when the page that it keeps is."""
    text = (WEB / "play" / "sw.js").read_text("utf-8")
    return asset(text.replace("{{offline}}", f"offline.html?v={offline(root).digest}").encode())


def _table(lang: Language) -> dict[str, PageText]:
    return texts(lang, "viewer.", "play.", "analysis.")


@cache
def style(part: Part) -> Asset:
    """All style sheets of some pages as one."""
    return asset(styles(*_STYLES[part]).encode())


@cache
def shell(
    part: Part,
    root: str = "",
    openers: str = "everyone",
    embedders: str = "",
    sign_in: str = "",
) -> Asset:
    """The document of some pages below ``root``; what it shows follows from its address.

    ``openers`` says who may open tables: `everyone` or `applications`. ``embedders`` are the
    origins, with spaces, of the pages that the document may be a part of. ``sign_in`` is `on` where
    people sign in.
    """
    text = (WEB / "play" / "shell.html").read_text("utf-8")
    values = {
        "root": root,
        "openers": openers,
        "embedders": embedders,
        "sign_in": sign_in,
        "style": f"{part}.css?v={style(part).digest}",
        "program": f"{part}.js?v={program(part).digest}",
    }
    return asset(re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text).encode())
