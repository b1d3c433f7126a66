"""A rule set for a guest who has never played it: sentences, and cards to look at.

The sentences are the referee's; the examples are made of what the phases ask for, from the deck.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Annotated, Literal

from msgspec import Meta, Struct

from phaseledger.domain.cards import SKIP, TURNED, WILD, show
from phaseledger.domain.explain.catalogue import CardRow, deck_rows
from phaseledger.domain.explain.holdings import has_jokers
from phaseledger.domain.explain.referee import Line, Section, option_line, read_out
from phaseledger.domain.explain.shortfall import aims_of
from phaseledger.domain.explain.wording import need_words, needs_words, title
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import GameDefinition, Kind, Need, RuleSet, phase_number
from phaseledger.domain.words import Language, message, spoken

_STRIDE = 5
"""Steps between the cards taken for a group: prime to the number of cards that fit a place."""


class GroupExample(Struct, frozen=True, gc=False):
    """A group of a phase in words, and cards that make it."""

    words: str
    cards: str


class PhaseExample(Struct, frozen=True, gc=False):
    """A phase in words, and an example of each of its groups."""

    label: str
    words: str
    rule: str
    groups: tuple[GroupExample, ...]


class GroupForm(Struct, frozen=True, gc=False):
    """A kind of group that the phases ask for, as a check of cards names it, and in words."""

    kind: Kind
    parity: Literal["", "odd", "even"]
    words: str


class RuleSheet(Struct, frozen=True, gc=False):
    """How a game is played, under its house rules.

    ``house`` has the rules that are not the game's usual ones; ``wild`` and ``skip`` are cards to
    look at, empty where the game has none.
    """

    name: str
    title: str
    house: tuple[Line, ...]
    sections: tuple[Section, ...]
    phases: tuple[PhaseExample, ...]
    cards: tuple[CardRow, ...]
    kinds: tuple[GroupForm, ...]
    deck: Annotated[
        tuple[str, ...],
        Meta(description="Every different card as commands name it: a text a colour, then others."),
    ]
    wild: Annotated[str, Meta(description="A group in which a wild or a joker stands for a card.")]
    skip: str


def rule_sheet(game: GameDefinition, ruleset: RuleSet, lang: Language = "en") -> RuleSheet:
    """How the game is played under the house rules that the rule set was resolved with."""
    changed = (
        name
        for name in Options.__struct_fields__
        if getattr(ruleset.options, name) != getattr(game.rules.options, name)
    )
    notation = ruleset.deck.notation
    first = next(_examples(ruleset, ruleset.phases[0].needs))
    stand_in = WILD if ruleset.deck.wilds else TURNED if has_jokers(ruleset) else 0
    return RuleSheet(
        name=ruleset.name,
        title=title(ruleset, lang),
        house=tuple(option_line(game, ruleset, name, lang) for name in changed),
        sections=read_out(game, ruleset, lang),
        phases=tuple(
            PhaseExample(
                phase_number(ruleset, number),
                needs_words(phase.needs, ruleset, lang),
                phase.rule,
                tuple(
                    GroupExample(spoken(need_words(need, ruleset), lang), show(cards, notation))
                    for need, cards in zip(
                        phase.needs, _examples(ruleset, phase.needs), strict=True
                    )
                ),
            )
            for number, phase in enumerate(ruleset.phases, 1)
        ),
        cards=deck_rows(ruleset, lang),
        kinds=tuple(
            GroupForm(kind, parity, message(lang, f"kind.{kind}", parity))
            for kind, parity in dict.fromkeys(
                (need.kind, need.parity) for phase in ruleset.phases for need in phase.needs
            )
        ),
        deck=tuple(_deck(ruleset)),
        wild=show(first[:-1] + bytes([stand_in]), notation) if stand_in else "",
        skip=show(bytes([SKIP]), notation) if ruleset.deck.skips else "",
    )


def _deck(ruleset: RuleSet) -> Iterator[str]:
    notation, cards = ruleset.deck.notation, dict.fromkeys(sorted(ruleset.deck.cards()))
    for colour in range(4):
        yield show(bytes(c for c in cards if c >> 4 == colour and c & 15 < WILD), notation)
    others = bytes(card for card in cards if card & 15 >= WILD)
    yield " ".join(filter(None, [show(others, notation), "J" * has_jokers(ruleset)]))


def _examples(ruleset: RuleSet, needs: Sequence[Need]) -> Iterator[bytes]:
    """Cards for each group of a phase: no two groups stand for the same."""
    for number, need in enumerate(needs):
        aims = list(aims_of(need, ruleset))
        aim = aims[(len(aims) // 2 + number) % len(aims)]
        cards = []
        for slot, place in zip(aim, count(number, _STRIDE), strict=False):
            fitting = [card for card in range(slot.bit_length()) if slot >> card & 1]
            cards.append(fitting[place % len(fitting)])
        yield bytes(sorted(cards) if FORMS[need.kind].alike else cards)
