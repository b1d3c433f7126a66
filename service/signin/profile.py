"""The player that an issuer's claims describe: an id, names to choose from, and a language."""

import base64
import hashlib
import secrets
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any
from unicodedata import normalize

from phaseledger.domain.names import hides, is_name, is_pseudonym, look
from phaseledger.domain.words import LANGUAGES, Language

NAMES = ("nickname", "preferred_username", "global_name", "username", "given_name", "name")
"""Claims that name a person, what the person has chosen first; some are Discord's."""
NAMELESS = "Player"
LONGEST = 40
NUMBERED = 20
"""Look-alikes up to which a name gets the next number; from there on it gets a random one."""


def player_id(issuer: str, subject: str) -> str:
    """The player's id, which no other subject of any issuer has."""
    digest = hashlib.sha256(f"p10-subject/v1\n{issuer}\n{subject}".encode()).digest()
    return f"oidc:{base64.b32encode(digest[:20]).decode().lower()}"


def is_named(claims: Mapping[str, Any]) -> bool:
    """Whether some claim names the person."""
    return any(claims.get(claim) for claim in NAMES)


def names(claims: Mapping[str, Any]) -> Iterator[str]:
    """Names for the player, the best first, without an end: later ones have numbers."""
    given = (_fitted(claims.get(claim)) for claim in NAMES)
    name = next(filter(None, given), NAMELESS)
    yield name
    for number in count(2):
        suffix = f" {number if number < NUMBERED else secrets.randbelow(10**6)}"
        yield f"{name[: LONGEST - len(suffix)].rstrip()}{suffix}"


def spoken_language(claims: Mapping[str, Any], otherwise: Language) -> Language:
    """The language of the claim ``locale``, such as `de-AT`, where the service speaks it."""
    locale = str(claims.get("locale", "")).replace("_", "-").partition("-")[0].lower()
    return next((lang for lang in LANGUAGES if lang == locale), otherwise)


def _fitted(text: object) -> str:
    """The claim as a name; empty where none can be made of it. Addresses are not for the public."""
    if not isinstance(text, str) or "@" in text:
        return ""
    visible = "".join(c for c in normalize("NFC", text[:200]) if c.isspace() or not hides(c))
    name = " ".join(visible.split())[:LONGEST].rstrip()
    return name if is_name(name) and not hides(name) and not is_pseudonym(look(name)) else ""
