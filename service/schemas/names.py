"""Names in the bodies of requests."""

from typing import Annotated
from unicodedata import normalize

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from phaseledger.domain.names import is_pseudonym, look

CONTROL = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029"}
PLAIN = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$"

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=PLAIN)]


def require_plain(text: str | None) -> None:
    """Require a text without control characters. Raises ValueError."""
    # The pattern alone lets a line feed at the very end pass.
    if text and not CONTROL.isdisjoint(text):
        raise ValueError("No control characters, please")


def take_name(body: Struct, name: str | None) -> None:
    """Require a plain name that is no pseudonym, and compose its characters: one name is recorded
    in one form. Raises ValueError.
    """
    require_plain(name)
    if name:
        if is_pseudonym(look(name)):
            raise ValueError("No name of that form, please")
        force_setattr(body, "name", normalize("NFC", name))
