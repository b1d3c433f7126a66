"""The wording of phases, groups and cards, and what the wilds of a group stand for."""

from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from phaseledger.domain.cards import COLOURS, NAMES, SKIP, WILD, is_wild, show
from phaseledger.domain.melds import FORMS, PARITIES, TOP
from phaseledger.domain.ruleset import Deck, Kind, Need, RuleSet
from phaseledger.domain.state import Group

_COLOURS = {
    "coloured": ("red", "blue", "green", "yellow"),
    "french": ("hearts", "spades", "diamonds", "clubs"),
}


def word_list(parts: Iterable[str], last: str = "and") -> str:
    """The parts as a list in words: ``a``, ``a and b``, ``a, b and c``."""
    *initial, final = parts
    return f"{', '.join(initial)} {last} {final}" if initial else final


def rank_name(notation: str, rank: int) -> str:
    """The rank as it stands on cards: ``5``, ``J``."""
    return NAMES[notation][rank].strip(COLOURS[notation][0])


def colour_names(ruleset: RuleSet) -> tuple[str, ...]:
    """The colours that a group may have, in the order of their values from 1 (O-17)."""
    if ruleset.options.color_is_suit:
        return deck_colours(ruleset.deck)
    return ("red", "black")


def deck_colours(deck: Deck) -> tuple[str, ...]:
    """The deck's four colours, or suits, in words."""
    return _COLOURS[deck.notation]


def how_written(word: str, ruleset: RuleSet) -> str:
    """A hint on how a command writes cards, for somebody who wrote the word instead."""
    deck = ruleset.deck
    if word == "J" and "JOKER" in ruleset.track:
        return "name your jokers as your hand shows them, such as J1"
    special = {WILD: deck.wilds, SKIP: deck.skips}
    examples = [NAMES[deck.notation][card] for card in _SAMPLE]
    examples += [NAMES[deck.notation][card] for card, count in special.items() if count]
    examples += ["J1"] * ("JOKER" in ruleset.track)
    return f"cards are written as in {word_list(examples, 'or')}"


_SAMPLE = (0x04, 0x1A, 0x2C)
"""Cards of three colours; in the standard deck the three look different in kind."""


def suit_word(ruleset: RuleSet) -> str:
    """The game's word for a colour: suit or colour."""
    suits = ruleset.deck.notation == "french" and ruleset.options.color_is_suit
    return "suit" if suits else "colour"


_ONE = {
    "set": "a set of {size}",
    "run": "a run of {size}",
    "color": "{size} cards of one {suit}",
    "parity": "{size} {parity} cards",
    "pairrun": "a run of {size} pairs",
    "parityrun": "a run of {size} {parity} numbers",
    "colorrun": "a run of {size} in one {suit}",
}
_MANY = {
    "set": "{count} sets of {size}",
    "run": "{count} runs of {size}",
    "color": "{count} times {size} cards of one {suit}",
    "parity": "{count} times {size} {parity} cards",
    "pairrun": "{count} runs of {size} pairs",
    "parityrun": "{count} runs of {size} {parity} numbers",
    "colorrun": "{count} runs of {size} in one {suit}",
}


def need_words(need: Need, ruleset: RuleSet, count: int = 1) -> str:
    """The need in words: ``a run of 4``; ``count`` of them: ``2 sets of 3``."""
    words = (_ONE if count == 1 else _MANY)[need.kind]
    return words.format(count=count, size=need.size, parity=need.parity, suit=suit_word(ruleset))


def needs_words(needs: tuple[Need, ...], ruleset: RuleSet) -> str:
    """A phase in words: ``a set of 3 and a run of 4``."""
    return word_list(
        need_words(need, ruleset, len([*equal_needs])) for need, equal_needs in groupby(needs)
    )


def common_words(group: Group, ruleset: RuleSet) -> str:
    """What the group's cards have in common, in words: ``a run from 3 to 6``, ``a set of 5s``."""
    notation, kind = ruleset.deck.notation, group.need.kind
    low, high = (rank_name(notation, (rank - 1) % 12 + 1) for rank in (group.low, group.high))
    colours = colour_names(ruleset)
    if kind == "set":
        return f"a set of {low}s"
    if kind == "color":
        return f"cards of one {suit_word(ruleset)}, {colours[group.low - 1]}"
    if kind == "parity":
        return f"{PARITIES[group.low]} cards"
    suffix = {"pairrun": " of pairs", "parityrun": f" of {group.need.parity} numbers"}.get(kind, "")
    colour = group_colour(group, ruleset)
    return f"a run{suffix}{colour and f' in {colour}'} from {low} to {high}"


def group_colour(group: Group, ruleset: RuleSet) -> str:
    """The colour that the naturals of a run of one colour show; empty for any other run."""
    if group.need.kind != "colorrun":
        return ""
    colours = (card >> 4 for card in group.cards if not is_wild(card))
    return next((deck_colours(ruleset.deck)[colour] for colour in colours), "")


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


def checked_group(group: Group, ruleset: RuleSet) -> CheckedGroup:
    """The group as data for a verdict, with what its wilds stand for."""
    cards = show(group.cards, ruleset.deck.notation)
    return CheckedGroup(group.need.kind, cards, group.low, group.high, stand_ins(group, ruleset))


def group_words(group: Group, ruleset: RuleSet) -> str:
    """The group in words: ``a set of 5s (R5 B5 W, W as 5)``."""
    cards = show(group.cards, ruleset.deck.notation)
    wilds = [f"{wild.card} as {wild.meaning}" for wild in stand_ins(group, ruleset)]
    return f"{common_words(group, ruleset)} ({', '.join([cards, *wilds])})"


def stand_ins(group: Group, ruleset: RuleSet) -> tuple[StandsFor, ...]:
    """What each wild and each joker of the group stands for."""
    names = [show(bytes([card]), ruleset.deck.notation) for card in group.cards]
    meanings = _meanings(group, ruleset)
    return tuple(
        StandsFor(names[place], place, meanings[place])
        for place, card in enumerate(group.cards)
        if is_wild(card)
    )


def _meanings(group: Group, ruleset: RuleSet) -> list[str]:
    """What a wild at each place of the group stands for."""
    form, notation = FORMS[group.need.kind], ruleset.deck.notation
    if form.alike:
        meaning = {
            "rank": lambda: rank_name(notation, group.low),
            "colour": lambda: _any(colour_names(ruleset)[group.low - 1], ruleset),
            "parity": lambda: f"any {PARITIES[group.low]} card",
        }[form.alike]()
        return [meaning] * len(group.cards)
    colour = group_colour(group, ruleset)
    return [
        " ".join(filter(None, [colour, rank_name(notation, rank)]))
        if rank
        else "no card of its own"
        for rank in _ranks(group)
    ]


def _any(colour: str, ruleset: RuleSet) -> str:
    return f"any card of {colour}" if suit_word(ruleset) == "suit" else f"any {colour} card"


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
