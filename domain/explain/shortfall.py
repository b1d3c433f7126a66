"""The best lay of a phase from a hand, or its shortfall: the fewest missing cards, with examples.

For every choice of what the groups stand for, the naturals of the hand are matched with the places
of the groups; wilds take what is left over, and what then remains is missing.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from phaseledger.domain.cards import (
    SKIP,
    WILD,
    UnreadableCard,
    face_down,
    is_wild,
    owner_names,
    parse,
    remove,
    show,
)
from phaseledger.domain.commands import RejectCode
from phaseledger.domain.explain.check import (
    NoSuchPhase,
    PhaseNumber,
    PhaseText,
    Senseless,
    find_phase,
    phase_words,
)
from phaseledger.domain.explain.holdings import holdable_cards, number_jokers, shortage
from phaseledger.domain.explain.wording import (
    CheckedGroup,
    checked_group,
    group_words,
    list_of,
    need_words,
)
from phaseledger.domain.groups.forms import FORMS, ArrangedGroup
from phaseledger.domain.groups.lays import Effort, lays
from phaseledger.domain.groups.melds import TOP, trait
from phaseledger.domain.policies import SCORING
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import cite
from phaseledger.domain.state import Group
from phaseledger.domain.wording import how_written
from phaseledger.domain.words import Language, Phrase, message, spoken

MOST_CARDS = 24
MOST_GROUPS = 4
MOST_WAYS = 5_000
"""The most ways to lay that are compared; a hand of a game has fewer."""
MOST_NODES = 200_000
"""The most nodes that the search for a lay visits, in about a second."""
MOST_AIMS = 50_000
"""Choices of what the groups stand for that are looked at: some seconds."""


_TOO_MUCH = (
    "that hand can be tried for such a phase in too many ways; ask about fewer cards or groups"
)


class Lack(Struct, frozen=True, gc=False):
    """The cards that one group has and lacks, where the phase misses as few cards as possible."""

    need: str
    has: str
    missing: int
    example: str
    """Cards that would complete it, all of them still in the deck."""


class BestLay(Struct, frozen=True, gc=False):
    """The best way to lay the phase: fewest wilds, then most points; or what is missing for it.

    ``ways`` counts the ways to lay it at its least size, up to `MOST_WAYS`.
    """

    found: bool
    phase: str
    rule: str
    sentence: str
    groups: tuple[CheckedGroup, ...] = ()
    left: str = ""
    """The cards that stay in hand."""
    ways: int = 0
    missing: int = 0
    lacks: tuple[Lack, ...] = ()
    """What each group of the phase has and lacks, also where that is nothing."""


def find(
    ruleset: RuleSet, cards: str, phase_ref: PhaseNumber | PhaseText, lang: Language = "en"
) -> BestLay:
    """The best lay of the phase from the hand, or the cards that it lacks.

    Raises:
        Senseless: there is no such phase or no such hand, or too much to look at.

    """
    ruleset, number, title = find_phase(ruleset, phase_ref, lang)
    phase = ruleset.phases[number - 1]
    hand = _read(ruleset, cards)
    if len(phase.needs) > MOST_GROUPS:
        raise NoSuchPhase(Phrase("detail.phase.groups", count=MOST_GROUPS))
    phase_text = phase_words(ruleset, number, title, lang)
    effort = Effort(MOST_NODES)
    ways = list(islice(lays(owner_names(hand), phase.needs, ruleset, effort), MOST_WAYS))
    if effort.cut:
        raise Senseless(_TOO_MUCH)
    keep = ruleset.options.going_out == "discard_required"
    if ways and not (keep and sum(len(group.cards) for group in ways[0]) == len(hand)):
        return _best_lay(ruleset, number, phase_text, hand, ways, lang)
    if ways:
        rule = cite(ruleset.name, RejectCode.KEEP_A_CARD)
        sentence = message(lang, "check.whole_hand", phase=phase_text)
        lacks = _complete(ruleset, phase.needs, ways[0], lang)
        return BestLay(
            found=False, phase=phase_text, rule=rule, sentence=sentence, missing=1, lacks=lacks
        )
    lacks = _lacks(ruleset, phase.needs, hand, lang)
    missing = sum(lack.missing for lack in lacks)
    sentence = message(lang, "check.short", missing, phase=phase_text, count=missing)
    return BestLay(
        found=False,
        phase=phase_text,
        rule=phase.rule,
        sentence=sentence,
        missing=missing,
        lacks=lacks,
    )


def _read(ruleset: RuleSet, cards: str) -> bytes:
    """The hand, jokers with their faces unknown."""
    (text,) = number_jokers([cards])
    try:
        named_cards = parse(text, ruleset.deck.notation)
    except UnreadableCard as error:
        word = str(error)[:20]
        hint = how_written(word, ruleset)
        raise Senseless(Phrase("detail.hand.no_card", value=repr(word), hint=hint)) from None
    hand = face_down(named_cards)
    if not 1 <= len(hand) <= MOST_CARDS:
        raise Senseless(Phrase("detail.hand.cards", most=MOST_CARDS))
    surplus = remove(hand, holdable_cards(ruleset, [text]))
    if surplus is None or surplus:
        raise Senseless(shortage(ruleset, [text]))
    return hand


def _best_lay(
    ruleset: RuleSet,
    number: int,
    phase_text: str,
    hand: bytes,
    ways: list[tuple[ArrangedGroup, ...]],
    lang: Language,
) -> BestLay:
    phase = ruleset.phases[number - 1]
    score = SCORING[ruleset.scoring]

    def worth(way: Sequence[ArrangedGroup]) -> tuple[int, int]:
        naturals = bytes(card for group in way for card in group.cards if not is_wild(card))
        return len(naturals), score(ruleset, naturals)

    best = ways[max(range(len(ways)), key=lambda number: worth(ways[number]))]
    laid = tuple(  # jokers with their faces down
        Group(0, need, face_down(group.cards), group.low, group.high)
        for need, group in zip(phase.needs, best, strict=True)
    )
    remaining = remove(hand, b"".join(group.cards for group in laid))
    assert remaining is not None
    groups_text = list_of((group_words(group, ruleset, lang) for group in laid), lang)
    return BestLay(
        found=True,
        phase=phase_text,
        rule=phase.rule,
        sentence=message(lang, "check.lay", phase=phase_text, groups=groups_text),
        groups=tuple(checked_group(group, ruleset, lang) for group in laid),
        left=show(remaining, ruleset.deck.notation),
        ways=len(ways),
        lacks=_complete(ruleset, phase.needs, laid, lang),
    )


def _complete(
    ruleset: RuleSet, needs: Sequence[Need], groups: Sequence[Group | ArrangedGroup], lang: Language
) -> tuple[Lack, ...]:
    """What each group has, where none lacks a card."""
    notation = ruleset.deck.notation
    return tuple(
        Lack(spoken(need_words(need, ruleset), lang), show(group.cards, notation), 0, "")
        for need, group in zip(needs, groups, strict=True)
    )


# --- what is missing ----------------------------------------------------------------------------

Slot = int
"""The cards that may fill a place, as a set of bits by card code."""
Aim = tuple[Slot, ...]
"""The places of a group that stands for something in particular."""


def aims_of(need: Need, ruleset: RuleSet) -> Iterator[Aim]:
    """Everything that a group of the least size may stand for."""
    form, options = FORMS[need.kind], ruleset.options
    numbers = [colour << 4 | rank for colour in range(4) for rank in range(1, TOP + 1)]
    if form.alike:
        by_value: dict[int, Slot] = {}
        for card in numbers:
            value = trait(form.alike, card, options)
            by_value[value] = by_value.get(value, 0) | 1 << card
        for value, slot in by_value.items():
            if not need.parity or need.parity == ("odd", "even")[value - 1]:
                yield (slot,) * need.size
        return
    of_colour = sum(1 << rank for rank in range(1, TOP + 1))
    every = sum(of_colour << (colour << 4) for colour in range(4))
    colours = [of_colour << (colour << 4) for colour in range(4)] if form.one_colour else [every]
    span = (need.size - 1) * form.step
    first = 2 if need.parity == "even" else 1
    last = TOP if options.run_wrap else TOP - span
    for low in range(first, last + 1, form.step):
        ranks = [(low + i * form.step - 1) % TOP + 1 for i in range(need.size)]
        for colour in colours:
            yield tuple(
                colour & sum(1 << (suit << 4 | rank) for suit in range(4))
                for rank in ranks
                for _ in range(form.copies)
            )


def _matched(slots: Sequence[Slot], cards: bytes, begun: dict[int, int]) -> dict[int, int]:
    """The most slots filled, slot to place among the cards; those begun stay filled."""
    filled = dict(begun)
    slot_of = {card: slot for slot, card in filled.items()}

    def fill(slot: int, tried: set[int]) -> bool:
        for place, card in enumerate(cards):
            if slots[slot] >> card & 1 and place not in tried:
                tried.add(place)
                if place not in slot_of or fill(slot_of[place], tried):
                    filled[slot], slot_of[place] = place, slot
                    return True
        return False

    for slot in range(len(slots)):
        if slot not in filled:
            fill(slot, set())
    return filled


def _lacks(
    ruleset: RuleSet, needs: tuple[Need, ...], hand: bytes, lang: Language
) -> tuple[Lack, ...]:
    """The shortfall of each group, with as few cards missing as possible."""
    naturals = bytes(card for card in hand if not is_wild(card) and card != SKIP)
    wilds = bytes(card for card in hand if is_wild(card))
    aims = [
        sorted((-len(_matched(aim, naturals, {})), aim) for aim in aims_of(need, ruleset))
        for need in needs
    ]
    size = sum(need.size * FORMS[need.kind].copies for need in needs)
    floor = size - len(naturals) - len(wilds)
    fewest, best, effort = size + 1, None, Effort(MOST_AIMS)

    def search(chosen: list[Aim], start: int, bound: int) -> None:
        """Try every aim of the next group whose ``bound`` is below the fewest missing cards so far.

        No choice of the groups that follow misses fewer cards than the bound.
        """
        nonlocal fewest, best
        number = len(chosen)
        if number == len(needs):
            plan = _plan(ruleset, chosen, naturals, wilds)
            if plan is not None and sum(map(len, plan[1])) < fewest:
                fewest, best = sum(map(len, plan[1])), plan
            return
        # Like groups stand for things in one order only, the others being the same again.
        like = needs[number : number + 1] == needs[number + 1 : number + 2]
        for place, (count, aim) in enumerate(aims[number][start:], start):
            next_bound = bound + count - aims[number][0][0]
            if max(next_bound, floor) >= fewest:
                return
            if not effort.spend():
                raise Senseless(_TOO_MUCH)
            search([*chosen, aim], place if like else 0, next_bound)

    search([], 0, size - len(wilds) + sum(ranked_aims[0][0] for ranked_aims in aims))
    if best is None:
        raise NoSuchPhase(Phrase("detail.phase.deck"))
    notation = ruleset.deck.notation
    words = [spoken(need_words(need, ruleset), lang) for need in needs]
    return tuple(
        Lack(need, show(has, notation), len(lacks), show(lacks, notation))
        for need, has, lacks in zip(words, *best, strict=True)
    )


GroupFilling = tuple[list[bytes], list[bytes]]
"""For each group, the cards of the hand that lie in it, and the cards that are missing."""


def _plan(ruleset: RuleSet, aims: list[Aim], naturals: bytes, wilds: bytes) -> GroupFilling | None:
    """The best filling of the groups from the hand; None where the deck cannot complete them."""
    slots = [slot for aim in aims for slot in aim]
    group_of = [number for number, aim in enumerate(aims) for _ in aim]
    filled = _matched(slots, naturals, _begun(aims, naturals))
    has = [bytearray() for _ in aims]
    # In the order of a run, or else of the hand.
    for _, place, slot in sorted((slots[slot], place, slot) for slot, place in filled.items()):
        has[group_of[slot]].append(naturals[place])
    open_slots = [slot for slot in range(len(slots)) if slot not in filled]
    deck = [card for card in ruleset.deck.cards() if not is_wild(card) and card != SKIP]
    for card in naturals:
        deck.remove(card)
    drawable = _matched([slots[slot] for slot in open_slots], bytes(deck), {})
    natural = {open_slots[i]: deck[place] for i, place in drawable.items()}
    due = _due(ruleset.options.wild_min_scope, [not cards for cards in has], group_of, natural)
    if due is None:
        return None
    # Wilds go first where no natural is left in the deck.
    open_to_wilds = sorted(
        (slot for slot in open_slots if slot not in due), key=natural.__contains__
    )
    lacks = [bytearray() for _ in aims]
    for i, slot in enumerate(open_to_wilds):
        if i < len(wilds):
            has[group_of[slot]].append(wilds[i])
        else:
            lacks[group_of[slot]].append(natural.get(slot, WILD))
    for slot in due:
        lacks[group_of[slot]].append(natural[slot])
    drawn = sum(cards.count(WILD) for cards in lacks)
    if drawn > ruleset.deck.wilds - wilds.count(WILD):
        return None
    return [bytes(cards) for cards in has], [bytes(sorted(cards)) for cards in lacks]


def _begun(aims: list[Aim], naturals: bytes) -> dict[int, int]:
    """One natural for each of as many groups as possible: the slot, and the card's place."""
    unions = []
    for aim in aims:
        union = 0
        for slot in aim:
            union |= slot
        unions.append(union)
    begun, first = {}, 0
    filled = _matched(unions, naturals, {})
    for number, aim in enumerate(aims):
        if number in filled:
            place = filled[number]
            fitting = next(i for i, slot in enumerate(aim) if slot >> naturals[place] & 1)
            begun[first + fitting] = place
        first += len(aim)
    return begun


def _due(
    scope: str, empty: list[bool], group_of: list[int], natural: dict[int, int]
) -> list[int] | None:
    """Slots to be filled by a natural that the hand has not (O-03); None where there is none."""
    first = {group_of[slot]: slot for slot in sorted(natural, reverse=True)}
    if scope == "group":
        bare_groups = [number for number, is_bare in enumerate(empty) if is_bare]
        return [first[number] for number in bare_groups] if first.keys() >= {*bare_groups} else None
    if scope == "phase" and all(empty):
        return [min(natural)] if natural else None
    return []
