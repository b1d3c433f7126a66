"""The wording of phases, groups and cards, and what the wilds of a group stand for."""

from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from phaseledger.domain.cards import CODES, OWN, is_wild, show
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import PARITIES, TOP
from phaseledger.domain.ruleset import Deck, Kind, Need, RuleSet
from phaseledger.domain.state import Group
from phaseledger.domain.wording import rank_name, word_list
from phaseledger.domain.words import Language, Phrase, has_message, message, spoken

_COLOURS = {
    "coloured": ("red", "blue", "green", "yellow"),
    "french": ("hearts", "spades", "diamonds", "clubs"),
}


def list_of(parts: Iterable[str], lang: Language) -> str:
    """The parts as a list in words: ``a``, ``a and b``, ``a, b and c``."""
    return word_list(parts, message(lang, "and"))


_SPECIAL = {"W": "wild", "S": "skip", "A": "ace", "*": "star", "J": "joker", "?": "back"}
_SUITS = dict(zip("HSDC", _COLOURS["french"], strict=True))


def card_phrase(card: str) -> str:
    """The card in words, as pages call it: ``red 5``, ``jack of hearts``; no card as it is."""
    if card not in CODES:
        return card
    if card in _SPECIAL:
        return Phrase(f"viewer.card.{_SPECIAL[card]}")
    if CODES[card] > OWN:
        return Phrase("viewer.card.own_joker", n=card[1:])
    if card.startswith("J("):
        return Phrase("viewer.card.turned", card=card_phrase(card[2:-1]))
    if card[0] in "RBGY":
        return Phrase(f"viewer.card.{card[0].lower()}", rank=card[1:])
    rank, suit = card[:-1], _SUITS[card[-1]]
    if rank == "A":
        return card_phrase(rank)
    return Phrase(
        f"viewer.card.{suit}", rank=Phrase(f"viewer.rank.{rank}") if rank in "JQK" else rank
    )


def card_words(card: str, lang: Language = "en") -> str:
    """The card as `card_phrase`, in that language."""
    return spoken(card_phrase(card), lang)


def cards_words(cards: str, lang: Language = "en") -> str:
    """Cards in words, as a list; an empty text for none."""
    return list_of((card_words(card, lang) for card in cards.split()), lang) if cards else ""


def title(ruleset: RuleSet, lang: Language = "en") -> str:
    """The game's title; one that there are no words for has the title that it was played under."""
    code = f"title.{ruleset.name}"
    return message(lang, code) if has_message(code) else ruleset.title


def colour_names(ruleset: RuleSet, lang: Language = "en") -> tuple[str, ...]:
    """The colours that a group may have, in the order of their values from 1 (O-17)."""
    if ruleset.options.color_is_suit:
        return deck_colours(ruleset.deck, lang)
    return tuple(message(lang, f"colour.{colour}") for colour in ("red", "black"))


def deck_colours(deck: Deck, lang: Language = "en") -> tuple[str, ...]:
    """The deck's four colours, or suits, in words."""
    return tuple(message(lang, f"colour.{colour}") for colour in _COLOURS[deck.notation])


def suit_word(ruleset: RuleSet) -> Phrase:
    """The game's word for a colour: suit or colour."""
    return Phrase("suit" if _has_suits(ruleset) else "colour", ruleset.deck.notation)


def _has_suits(ruleset: RuleSet) -> bool:
    return ruleset.deck.notation == "french" and ruleset.options.color_is_suit


def need_words(need: Need, ruleset: RuleSet, count: int = 1) -> Phrase:
    """The need in words: ``a run of 4``; ``count`` of them: ``2 sets of 3``."""
    code = ".".join(filter(None, ["need" if count == 1 else "needs", need.kind, need.parity]))
    return Phrase(code, need.size, count=count, size=need.size, suit=suit_word(ruleset))


def needs_words(needs: tuple[Need, ...], ruleset: RuleSet, lang: Language = "en") -> str:
    """A phase in words: ``a set of 3 and a run of 4``."""
    parts = (
        spoken(need_words(need, ruleset, len([*equal_needs])), lang)
        for need, equal_needs in groupby(needs)
    )
    return list_of(parts, lang)


def common_words(group: Group, ruleset: RuleSet, lang: Language = "en") -> str:
    """What the group's cards have in common, in words: ``a run from 3 to 6``, ``a set of 5s``."""
    notation, kind = ruleset.deck.notation, group.need.kind
    low, high = (rank_name(notation, (rank - 1) % 12 + 1) for rank in (group.low, group.high))
    if kind == "color":
        colour = colour_names(ruleset, lang)[group.low - 1]
        return message(lang, "group.color", suit=suit_word(ruleset), colour=colour)
    if kind == "parity":
        return message(lang, f"group.parity.{PARITIES[group.low]}")
    colour = group_colour(group, ruleset, lang)
    if kind == "colorrun" and not colour:
        kind = "run"
    code = ".".join(filter(None, ["group", kind, group.need.parity]))
    return message(lang, code, low=low, high=high, colour=colour)


def group_colour(group: Group, ruleset: RuleSet, lang: Language = "en") -> str:
    """The colour that the naturals of a run of one colour show; empty for any other run."""
    if group.need.kind != "colorrun":
        return ""
    colours = (card >> 4 for card in group.cards if not is_wild(card))
    return next((deck_colours(ruleset.deck, lang)[colour] for colour in colours), "")


class StandsFor(Struct, frozen=True, gc=False):
    """What a wild or a joker stands for; ``place`` counts the group's cards from 0."""

    card: str
    place: int
    meaning: str


class CheckedGroup(Struct, frozen=True, gc=False):
    """A group as it would lie. ``low`` and ``high`` are as in a view of the table."""

    kind: Kind
    cards: str
    low: int
    high: int
    stands_for: tuple[StandsFor, ...]


def checked_group(group: Group, ruleset: RuleSet, lang: Language = "en") -> CheckedGroup:
    """The group as data for a verdict, with what its wilds stand for."""
    cards = show(group.cards, ruleset.deck.notation)
    stands_for = stand_ins(group, ruleset, lang)
    return CheckedGroup(group.need.kind, cards, group.low, group.high, stands_for)


def group_words(group: Group, ruleset: RuleSet, lang: Language = "en") -> str:
    """The group in words: ``a set of 5s (red 5, blue 5 and wild as 5)``."""
    cards = show(group.cards, ruleset.deck.notation).split()
    words = [card_words(card, lang) for card in cards]
    for wild in stand_ins(group, ruleset, lang):
        words[wild.place] = message(
            lang, "viewer.card.stands_for", card=words[wild.place], **{"as": wild.meaning}
        )
    return f"{common_words(group, ruleset, lang)} ({list_of(words, lang)})"


def stand_ins(group: Group, ruleset: RuleSet, lang: Language = "en") -> tuple[StandsFor, ...]:
    """What each wild and each joker of the group stands for."""
    names = [show(bytes([card]), ruleset.deck.notation) for card in group.cards]
    meanings = _meanings(group, ruleset, lang)
    return tuple(
        StandsFor(names[place], place, meanings[place])
        for place, card in enumerate(group.cards)
        if is_wild(card)
    )


def _meanings(group: Group, ruleset: RuleSet, lang: Language) -> list[str]:
    """What a wild at each place of the group stands for."""
    form, notation = FORMS[group.need.kind], ruleset.deck.notation
    if form.alike:
        meaning = {
            "rank": lambda: rank_name(notation, group.low),
            "colour": lambda: _any_of_colour(group.low, ruleset, lang),
            "parity": lambda: message(lang, f"any.{PARITIES[group.low]}"),
        }[form.alike]()
        return [meaning] * len(group.cards)
    colour = group_colour(group, ruleset, lang)
    names = [rank and rank_name(notation, rank) for rank in _ranks(group)]
    if colour:
        names = [
            name and message(lang, "coloured_rank", colour=colour, rank=name) for name in names
        ]
    return [name or message(lang, "any.none") for name in names]


def _any_of_colour(value: int, ruleset: RuleSet, lang: Language) -> str:
    code = "any.suit" if _has_suits(ruleset) else "any.colour"
    return message(lang, code, colour=colour_names(ruleset, lang)[value - 1])


def _ranks(group: Group) -> list[int]:
    """The rank at each place of a run; 0 for what lies beyond both ends of a full one (B-60)."""
    form = FORMS[group.need.kind]
    offset = form.copies - 1 if group.half & 1 else 0  # the row at the low end is not whole
    rows = [(place + offset) // form.copies for place in range(len(group.cards))]
    spare = next(
        (
            row - (((card & 15) - group.low) % TOP) // form.step
            for row, card in zip(rows, group.cards, strict=True)
            if not is_wild(card)
        ),
        0,
    )
    steps = range((group.high - group.low) // form.step + 1)
    return [
        (group.low + (row - spare) * form.step - 1) % TOP + 1 if row - spare in steps else 0
        for row in rows
    ]
