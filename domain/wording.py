"""Wording that refusals need: lists, ranks, and how cards are written."""

from collections.abc import Iterable

from phaseledger.domain.cards import COLOURS, NAMES, SKIP, WILD
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.words import Phrase


def word_list(parts: Iterable[str], last: str = "and") -> str:
    """The parts as a list in words: ``a``, ``a and b``, ``a, b and c``."""
    *initial, final = parts
    return f"{', '.join(initial)} {last} {final}" if initial else final


def rank_name(notation: str, rank: int) -> str:
    """The rank as it stands on cards: ``5``, ``J``."""
    return NAMES[notation][rank].strip(COLOURS[notation][0])


def how_written(word: str, ruleset: RuleSet) -> str:
    """A hint on how a command writes cards, for a reader who wrote the word instead."""
    if word == "J" and "JOKER" in ruleset.track:
        return Phrase("check.jokers_written")
    *examples, last = card_examples(ruleset)
    either = Phrase("list.or", first=", ".join(examples), last=last)
    return Phrase("check.written", examples=either)


def card_examples(ruleset: RuleSet) -> list[str]:
    """Cards of the game as commands write them, one of each kind."""
    deck = ruleset.deck
    special = {WILD: deck.wilds, SKIP: deck.skips}
    examples = [NAMES[deck.notation][card] for card in _SAMPLE]
    examples += [NAMES[deck.notation][card] for card, count in special.items() if count]
    return examples + ["J1"] * ("JOKER" in ruleset.track)


_SAMPLE = (0x04, 0x1A, 0x2C)
"""Cards of three colours; in the standard deck the three look different in kind."""
