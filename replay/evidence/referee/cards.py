"""Cards as they lie on a table, read from the text of the log (docs/reference/format.md)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal, NamedTuple

from phaseledger.domain.ruleset import Deck
from phaseledger.domain.words import Phrase

Notation = Literal["coloured", "french"]


class Card(NamedTuple):
    """A card. Ranks are 1 to 12 (2 to K in the french notation), colours 1 to 4; others have 0."""

    kind: Literal["number", "wild", "skip"]
    rank: int = 0
    colour: int = 0
    is_joker: bool = False
    """A number card held the wrong way round: it replaces any number and any colour (B-29)."""

    @property
    def is_natural(self) -> bool:
        """Whether it stands for itself: a number card the right way round."""
        return self.kind == "number" and not self.is_joker

    @property
    def replaces_any(self) -> bool:
        """Whether it may stand for any number card: a wild or a joker."""
        return self.kind == "wild" or self.is_joker

    def turned(self, *, is_joker: bool) -> "Card":
        """The same card, as a joker or as the number card that it is."""
        return self if self.is_joker == is_joker else self._replace(is_joker=is_joker)


WILD, SKIP = Card("wild"), Card("skip")
_COLOURS = {"coloured": "RBGY", "french": "HSDC"}
_FRENCH_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


@cache
def cards_by_word(notation: Notation) -> Mapping[str, Card]:
    """Every card that the log can name, by its text, of which each has one spelling only."""
    numbers = [Card("number", rank, colour) for rank in range(1, 13) for colour in range(1, 5)]
    jokers = [card.turned(is_joker=True) for card in numbers if notation == "coloured"]
    return {_word(card, notation): card for card in (WILD, SKIP, *numbers, *jokers)}


def words(cards: Iterable[Card], notation: Notation) -> str:
    """Cards as the log writes them; a joker with its face."""
    return " ".join(_word(card, notation) for card in cards) or Phrase("evidence.no_card")


def _word(card: Card, notation: Notation) -> str:
    if card.kind != "number":
        return {"coloured": "WS", "french": "A*"}[notation][card.kind == "skip"]
    colour = _COLOURS[notation][card.colour - 1]
    if notation == "french":
        return _FRENCH_RANKS[card.rank - 1] + colour
    return f"J({colour}{card.rank})" if card.is_joker else f"{colour}{card.rank}"


def full_deck(deck: Deck) -> Counter[Card]:
    """All cards of a deck: twelve ranks in four colours, ``copies`` times, wilds and skips."""
    numbers = {
        Card("number", rank, colour): deck.copies for rank in range(1, 13) for colour in range(1, 5)
    }
    return Counter({**numbers, WILD: deck.wilds, SKIP: deck.skips})


def faces(cards: Iterable[Card]) -> Counter[Card]:
    """The cards, counted, all the right way round."""
    return Counter(card.turned(is_joker=False) if card.is_joker else card for card in cards)
