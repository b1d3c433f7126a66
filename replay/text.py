"""Text for people: cleaned for a terminal, and the viewer that it is for."""

from typing import Literal

Viewer = int | None | Literal["all"]
"""A seat, a spectator (None), or somebody who sees every card."""


def clean(text: str) -> str:
    """The text with each character that is not printable replaced by U+FFFD."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
