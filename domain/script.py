"""Scripted deals of a table for tests: cards and throws that its opener sets, by round.

A script arranges the shuffled cards (docs/reference/deal.md): what it does not name stays as the
seed has it. Such a table says so in its terms, and its script stands in the log, sealed as the seed
is.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from phaseledger.domain.cards import NAMES, UnreadableCard, is_skip, is_wild, parse, remove
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.words import Phrase

MOST_DEALS = 20
MOST_THROWS = 200
"""Of the dice, in one round."""

Cards = Annotated[str, Meta(max_length=1_000)]
"""The longest text of a whole deck has fewer characters."""
Throw = Annotated[
    tuple[Annotated[int, Meta(ge=1, le=6)], ...],
    Meta(min_length=2, max_length=2, examples=[[1, 6]]),
]


class ScriptedDeal(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, kw_only=True
):
    """The script of one round, in the game's own notation of cards; all of it may be left out."""

    hands: Annotated[
        tuple[Cards, ...],
        Meta(
            max_length=16,
            description="The first cards dealt to each seat, by its number; the others are as the "
            "seed has them.",
            examples=[["R1 R1 R1 B2 B2 B2", ""]],
        ),
    ] = ()
    discard: Annotated[
        Cards, Meta(description="The first discards, the last one on top.", examples=["Y7"])
    ] = ""
    stock: Annotated[
        Cards, Meta(description="The first cards of the stock, its top first.", examples=["W S"])
    ] = ""
    dice: Annotated[
        tuple[Throw, ...],
        Meta(max_length=MOST_THROWS, description="The first throws of the round."),
    ] = ()


Script = tuple[ScriptedDeal, ...]
"""By round, from the first one; later rounds are dealt by the seed alone."""


def arranged(
    stock: bytes, script: Script, number: int, places: Sequence[int], ruleset: RuleSet
) -> bytes:
    """The cards shuffled for a round, the scripted ones where they are dealt, turned up or drawn.

    ``places`` has the seat that each card of the deal goes to. Passed over is a scripted card for a
    place that the round has not, or that a seat has kept from the round before.
    """
    if number > len(script):
        return stock
    rest, fixed = stock, dict[int, int]()
    for place, card in _fixed(script[number - 1], places, ruleset):
        without = remove(rest, bytes((card,)))
        if without is not None and place < len(stock):
            rest, fixed[place] = without, card
    others = iter(rest)
    return bytes(fixed[n] if n in fixed else next(others) for n in range(len(stock)))


def _fixed(
    script: ScriptedDeal, places: Sequence[int], ruleset: RuleSet
) -> Iterator[tuple[int, int]]:
    """The place and the card of everything in the script: hands by seat, discards, stock."""
    for seat, hand in enumerate(script.hands):
        own = (place for place, to in enumerate(places) if to == seat)
        yield from zip(own, parse(hand, ruleset.deck.notation), strict=False)
    undealt = len(places) + ruleset.initial_discards
    discards = parse(script.discard, ruleset.deck.notation)
    yield from enumerate(discards, undealt - len(discards))
    yield from enumerate(parse(script.stock, ruleset.deck.notation), undealt)


def thrown(script: Script, number: int, throw: int) -> tuple[int, ...]:
    """The scripted dice of a throw of that round, counted from 0; empty where there are none."""
    dice = script[number - 1].dice if number <= len(script) else ()
    return dice[throw] if throw < len(dice) else ()


def script_fault(script: Script, ruleset: RuleSet, seats: int) -> str:
    """The sentence on the first fault in a script, with its place; empty for one that can be dealt.

    It looks at each round as if all seats played it and no card was kept for it.
    """
    if len(script) > MOST_DEALS:
        return Phrase("detail.script.most", place="deals", n=MOST_DEALS)
    faults = (_deal_fault(f"deals[{n}]", deal, ruleset, seats) for n, deal in enumerate(script))
    return next(filter(None, faults), "")


def _deal_fault(at: str, script: ScriptedDeal, ruleset: RuleSet, seats: int) -> str:
    if len(script.hands) not in (0, seats):
        return Phrase("detail.script.hands", place=at, count=len(script.hands), n=seats)
    if script.dice and ruleset.acquire != "actions":
        return Phrase("detail.script.no_dice", place=at)
    if any(not (len(throw) == 2 and {*throw} <= {*range(1, 7)}) for throw in script.dice):
        return Phrase("detail.script.dice", place=at)
    return _cards_fault(at, script, ruleset, seats) or _top_fault(at, script, ruleset)


def _cards_fault(at: str, script: ScriptedDeal, ruleset: RuleSet, seats: int) -> str:
    rest, turned = ruleset.deck.cards(), ruleset.initial_discards
    piles = [(f"{at}.hands[{n}]", hand, ruleset.hand) for n, hand in enumerate(script.hands)]
    piles.append((f"{at}.discard", script.discard, turned))
    piles.append((f"{at}.stock", script.stock, len(rest) - seats * ruleset.hand - turned))
    for place, text, most in piles:
        try:
            cards = parse(text, ruleset.deck.notation)
        except UnreadableCard as error:
            return Phrase("detail.script.card", place=place, card=str(error)[:20])
        if len(cards) > most:
            return Phrase("detail.script.most", place=place, n=most)
        for card in cards:
            without = remove(rest, bytes((card,)))
            if without is None:
                name = NAMES[ruleset.deck.notation][card]
                return Phrase("detail.script.copies", place=place, card=name)
            rest = without
    return ""


def _top_fault(at: str, script: ScriptedDeal, ruleset: RuleSet) -> str:
    """The fault of a first discard that the house rules move, or might."""
    discards = parse(script.discard, ruleset.deck.notation)
    if discards and _moves_on(discards[-1], ruleset.options):
        return Phrase("detail.script.top", place=f"{at}.discard", card=script.discard.split()[-1])
    may_move = any(_moves_on(card, ruleset.options) for card in ruleset.deck.cards())
    if script.stock and not discards and may_move:
        return Phrase("detail.script.top_needed", place=at)
    return ""


def _moves_on(top: int, options: Options) -> bool:
    """Whether a house rule puts another card on that first discard or in its place (O-11, O-12)."""
    if is_skip(top):
        return options.initial_skip in ("return_and_redraw", "cover")
    return is_wild(top) and options.initial_wild == "return_and_redraw"
