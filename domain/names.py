"""Names of people and bots: which a game may record, which a table takes, which look alike."""

import re
import unicodedata

# Fixed ranges: an interpreter's Unicode tables may differ when the game is decided again.
_INVISIBLE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f"
    "\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ud800-\\udfff\\ufeff"
    "\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\U000e0000-\\U000e0fff]"
)
_BLANK = " \xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
PSEUDONYM = "player-[a-z2-7]{20}"
"""The pattern of pseudonyms (`service.players.pseudonym`)."""
_JOINERS = "\u200c\u200d\ufe0f"
"""Invisible characters that names may hold: Persian names and emoji need them to join or colour."""


def is_plain(text: str, longest: int) -> bool:
    """Whether a text for people is not blank, not too long, and without invisible characters."""
    visible = text.strip(_BLANK + _JOINERS) != "" and not _INVISIBLE.search(text)
    return len(text) <= longest and visible


def is_name(text: str) -> bool:
    """Whether it is a name: plain, of 40 characters at most, and with no blank at its ends, so that
    names that look the same mostly are the same.
    """
    return is_plain(text, 40) and text.strip(_BLANK) == text


def is_pseudonym(text: str) -> bool:
    """Whether a recorded name stands for an application's player, whose name is in no record."""
    return re.fullmatch(PSEUDONYM, text) is not None


def look(text: str) -> str:
    """A text equal for names that look the same: visible characters, one form and case."""
    plain = "".join(c for c in unicodedata.normalize("NFKC", text) if not _is_unseen(c))
    return unicodedata.normalize("NFKC", " ".join(plain.casefold().split()))


def hides(text: str) -> bool:
    """Whether a new name holds invisible characters other than joiners; recorded names may.

    It uses the interpreter's Unicode tables: no decision of a recorded game may depend on it.
    """
    return any(_is_unseen(c) and c not in _JOINERS for c in text)


def _is_unseen(character: str) -> bool:
    """Whether it is a control or a format character, or ignorable by default."""
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        or "VARIATION SELECTOR" in unicodedata.name(character, "")
        or _INVISIBLE.match(character) is not None
    )
