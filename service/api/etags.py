"""Entity tags: a game's version, and the seat that views it (RFC 9110, section 8.8.3)."""

import re

_TAG = re.compile(r'(?:W/)?"[^"]*"')


def tag(version: int, seat: int | None = None) -> str:
    """The entity tag of a game at a version, as one seat or everybody else sees it."""
    return f'"{version}"' if seat is None else f'"{version}.{seat}"'


def is_known(if_none_match: str, current: str) -> bool:
    """Whether the client holds the current representation already (weak comparison)."""
    tags = {entity_tag.removeprefix("W/") for entity_tag in _TAG.findall(if_none_match)}
    return if_none_match.strip() == "*" or current in tags


def expected_versions(if_match: str, seat: int | None) -> frozenset[int] | None:
    """The versions that If-Match allows; None for any.

    A weak tag counts like a strong one: proxies that compress weaken tags, and what has to match
    here is the game's version, not the bytes of its table.
    """
    if if_match in ("", "*"):
        return None
    versions = set()
    for text in _TAG.findall(if_match):
        version, _, of_seat = text.removeprefix("W/").strip('"').partition(".")
        if version.isdigit() and of_seat in ("", str(seat)):
            versions.add(int(version[:18]))
    return frozenset(versions)
