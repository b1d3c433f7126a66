"""Text for people: cleaned for a terminal, and the viewer that it is for."""

from datetime import UTC, datetime
from typing import Literal

import msgspec

from phaseledger.domain.words import Phrase

Viewer = int | None | Literal["all"]
"""A seat, a spectator (None), or a reader who sees every card."""


def clean(text: str) -> str:
    """The text with each character that is not printable replaced by U+FFFD."""
    if isinstance(text, Phrase):
        values = text.arguments.items()
        return Phrase(
            text.key, text.variant, **{k: clean(v) if isinstance(v, str) else v for k, v in values}
        )
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def quoted(text: str) -> str:
    """A user's text, cleaned, as a JSON string: what it contains cannot end the quotation."""
    return msgspec.json.encode(str(clean(text))).decode()


def utc_time(at: int) -> str:
    """A time in ms since 1970 as UTC, to the millisecond; as it is where no calendar has it."""
    try:
        moment = datetime.fromtimestamp(at // 1_000, UTC)
    except (OverflowError, OSError, ValueError):
        return f"{at} ms"
    return f"{moment:%Y-%m-%d %H:%M:%S}.{at % 1_000:03d} UTC"
