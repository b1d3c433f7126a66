"""Card codes: a card is a small int, a hand is bytes, and text exists only at the edge.

Code: ``turned << 6 | colour << 4 | rank``. Ranks 1..12; wild 14 and skip 15 have colour 0.
Colours R 0, B 1, G 2, Y 3 (coloured notation); H 0, S 1, D 2, C 3 (french notation).
Equal copies are equal codes, so conservation is a comparison of sorted bytes (N-03).
"""

from functools import lru_cache
from typing import Final

WILD: Final = 14
SKIP: Final = 15
TURNED: Final = 0x40
"""Set on a face-down joker: a number card turned round (B-29). It plays as a wild."""

OWN: Final = 0x80
"""Set on a joker as its owner names it: ``OWN | n`` is the n-th of the hand, ``J1``, ``J2`` ..."""

UNKNOWN: Final = 0
"""A card whose face the reader may not know; its text is ``?``."""

COLOURS: Final = {"coloured": "RBGY", "french": "HSDC"}
_RANKS: Final = {
    "coloured": [str(rank) for rank in range(1, 13)],
    "french": ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"],
}
_SPECIAL: Final = {"coloured": {WILD: "W", SKIP: "S"}, "french": {WILD: "A", SKIP: "*"}}


def _name(notation: str, code: int) -> str:
    if code == UNKNOWN:
        return "?"
    if code >= OWN:
        return f"J{code ^ OWN}" if code > OWN else ""
    if code == TURNED:
        return "J"
    if code & TURNED:
        return f"J({_name(notation, code ^ TURNED)})"
    rank, colour = code & 15, COLOURS[notation][code >> 4]
    if rank in _SPECIAL[notation]:
        return _SPECIAL[notation][rank]
    ranks = _RANKS[notation]
    if not 1 <= rank <= len(ranks):
        return ""
    number = ranks[rank - 1]
    return colour + number if notation == "coloured" else number + colour


NAMES: Final = {
    notation: tuple(_name(notation, code) for code in range(256)) for notation in COLOURS
}
"""For each notation, the text of every code; an empty string where no card has that code."""

CODES: Final = {
    name: code
    for names in NAMES.values()
    for code, name in reversed(list(enumerate(names)))
    if name
} | {f"A{suit}": WILD for suit in COLOURS["french"]}
"""Text to code, both notations at once: no text means two cards. Every Ace is the wild (D-04)."""

PLAYABLE: Final = {
    notation: {
        name: code
        for name, code in CODES.items()
        if code > OWN or (name[0] in first and code < TURNED and code & 15)
    }
    for notation, first in {"coloured": "RBGYWS", "french": "23456789JQKA1*"}.items()
}
"""For each notation, the cards that a command may name: no face of a joker is among them."""


_CACHE_SIZE: Final = 4096
"""Entries of each cache of texts and codes: most are single cards, or what a seat still has."""


class UnreadableCard(ValueError):
    """A text names no card."""


@lru_cache(_CACHE_SIZE)
def parse(text: str, notation: str = "") -> bytes:
    """Cards of a text such as ``"R7 B12 W S"`` or ``"2H 10S AS *"``, in that order.

    With a ``notation`` only the cards of such a deck are read, as a command must name them.

    Raises:
        UnreadableCard: naming the first word that is not a card.

    """
    codes = PLAYABLE[notation] if notation else CODES
    try:
        return bytes([codes[word] for word in text.split()])
    except KeyError as error:
        raise UnreadableCard(error.args[0]) from None


@lru_cache(_CACHE_SIZE)
def show(cards: bytes, notation: str = "coloured") -> str:
    """Text of cards in their order, separated by single spaces."""
    if not cards:
        return ""
    names = NAMES[notation]
    return " ".join([names[card] for card in cards])


def is_wild(card: int) -> bool:
    """Whether the card stands for others in a group: a wild, or a face-down joker (B-56)."""
    return card & 15 == WILD or card > 63


_FACE_UP = bytes(code & 0x3F for code in range(256))
_FACE_DOWN = bytes(min(code, TURNED) for code in range(256))


def face_up(cards: bytes) -> bytes:
    """The cards with their faces showing: turned ones are number cards again."""
    return cards.translate(_FACE_UP)


def face_down(cards: bytes) -> bytes:
    """The cards with the backs of jokers showing, also where their owner names them."""
    return cards.translate(_FACE_DOWN)


SINGLES: Final = tuple(bytes((code,)) for code in range(256))
"""Every card as a pile of its own."""

_PLAIN = bytes(range(TURNED))


def jokers_of(cards: bytes) -> bytes:
    """The jokers among the cards, by their faces or by their owner's names for them."""
    return cards.translate(None, _PLAIN)


def owner_names(hand: bytes) -> bytes:
    """The hand in its owner's codes: each joker is numbered by its place among the jokers."""
    if not jokers_of(hand):
        return hand
    count, codes = 0, bytearray(hand)
    for i, card in enumerate(hand):
        if card & TURNED:
            count += 1
            codes[i] = OWN | count
    return bytes(codes)


def meant(hand: bytes, cards: bytes) -> bytes:
    """The cards behind the owner's codes for them: the reverse of `owner_names`."""
    if cards.isascii():  # all below OWN
        return cards
    jokers = jokers_of(hand)
    return bytes(card if card < OWN else jokers[(card ^ OWN) - 1] for card in cards)


def is_skip(card: int) -> bool:
    """Whether the card is a skip, which no group ever takes (C-48)."""
    return card == SKIP


def remove(hand: bytes, cards: bytes) -> bytes | None:
    """The hand without the cards, order kept; None when they are not all in it."""
    remaining = hand
    for card in cards:
        remaining = remaining.replace(SINGLES[card], b"", 1)
    return remaining if len(remaining) + len(cards) == len(hand) else None
