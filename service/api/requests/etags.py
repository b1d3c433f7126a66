"""Entity tags: a game's version, and the seat that views it (RFC 9110, section 8.8.3).

`"41"`, or `"41.0"` as seat 0 sees it. Where the log has gone back, as far as its server tells, the
same numbers may mean other events: there a tag ends with the history, `"41.0-5f0e0a3f8d1c4b7e"`,
and one without is never current. Clients may name the history everywhere.
"""

import re

from phaseledger.service.schemas.versions import HEAD_DIGITS, KnownVersion, known_version

_TAG = re.compile(r'"([^"]*)"')
_CODING = re.compile(r"(?:[-;:+]+(?:x-)?(?:gzip|br|brotli|zstd|deflate|compress|bzip2|dcb|dcz))+\Z")
"""What proxies that compress put at the end of a tag; no tag of ours ends so."""


def tag(version: int, seat: int | None = None, head: str = "") -> str:
    """The entity tag of a game at a version, as one seat or a spectator sees it.

    ``head`` is the beginning of the last event's leaf hash, where the tag has to name the history.
    """
    number = str(version) if seat is None else f"{version}.{seat}"
    return f'"{number}-{head}"' if head else f'"{number}"'


def current_tags(
    version: int, seat: int | None, head: str, *, has_gone_back: bool
) -> tuple[str, ...]:
    """The tags that are current: first the one that answers have.

    ``head`` is the leaf hash of the last event; ``has_gone_back`` says whether the log ever has.
    """
    with_history = tag(version, seat, head[:HEAD_DIGITS])
    return (with_history,) if has_gone_back else (tag(version, seat), with_history)


def tags_in(header: str) -> set[str]:
    """The entity tags of a header as they were given out: without the `W/`, and without the suffix,
    of proxies that compress.
    """
    return {f'"{_CODING.sub("", text)}"' for text in _TAG.findall(header)}


def is_known(if_none_match: str, *current: str) -> bool:
    """Whether the client holds the current representation, which may have several tags."""
    return if_none_match.strip() == "*" or not tags_in(if_none_match).isdisjoint(current)


def expected_versions(if_match: str, seat: int | None) -> frozenset[KnownVersion] | None:
    """The versions that If-Match allows; None for any.

    A weak tag counts like a strong one: what has to match here is the game's version, not the bytes
    of its table.
    """
    if if_match in ("", "*"):
        return None
    versions = set()
    for text in tags_in(if_match):
        number, dash, head = text.strip('"').partition("-")
        version, _, of_seat = number.partition(".")
        if of_seat in ("", str(seat)):
            try:
                versions.add(known_version(f"{version}{dash}{head}"))
            except ValueError:
                continue
    return frozenset(versions)
