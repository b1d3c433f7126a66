"""A bot's answers to the questions of the ring: move, take, ask, swap, give, keep.

Every answer follows from one outlook on the seat's hand. Before the phase is laid, a card is worth
what it brings the phase nearer; afterwards it is a burden unless it can be hit.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct

from phaseledger.domain import commands as c
from phaseledger.domain.bots.phase_cards import collect
from phaseledger.domain.bots.player import Pick
from phaseledger.domain.cards import is_wild, parse, show
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import trait
from phaseledger.domain.options import Options
from phaseledger.domain.play.board_actions import SWAPPED_AT_MOST
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.sight import SeatSight, Sight

Score = Callable[[Any], float]
"""A function from a legal command of one kind to its worth; units differ from kind to kind."""


class HandValue(Struct, frozen=True, gc=False):
    """An assessment of a hand, by what its seat can know."""

    hand: bytes
    parts: tuple[bytes, ...]
    """The cards that serve each group of the phase; empty once it is laid."""
    jokers: bytes
    spare: bytes
    """Cards that serve no group and, once the phase is complete, cannot be hit either."""
    wanted: tuple[frozenset[int], ...]
    """For each group that lacks cards, the cards that help it; if none lacks any, the
    cards to hit.
    """
    unseen: bytes
    """Cards whose place the seat does not know."""
    missing: int
    """The number of cards that the phase lacks; once complete, more than any action gives."""
    gain: float
    """The worth of a wanted card."""
    burden: float
    """The cost of holding a card that is not wanted."""


_PLENTY = 99
_LOAD = 0.1
"""The burden of a card before the phase is laid: it has to be discarded some day."""
_GIFT = {False: 0.3, True: -0.5}
"""The worth of a card from the stock to another seat, by whether the seat has laid its phase."""


def answer(sight: Sight, ruleset: RuleSet, choices: Iterable[c.Command], pick: Pick) -> c.Command:
    """The best of the choices, which are the legal answers to one question (`legal.legal`).

    Choices to swap or keep run to thousands: the answer is built, and only the first choice is
    read, so that they may be listed lazily.
    """
    iterator = iter(choices)
    first = next(iterator)
    if type(first) in _BUILT:
        return _BUILT[type(first)](hand_value(sight, ruleset), sight, ruleset)
    candidates = [first, *iterator]
    if len(candidates) == 1 or type(first) not in _SCORED:
        return first
    score = _SCORED[type(first)](hand_value(sight, ruleset), sight, ruleset)
    scores = [score(choice) for choice in candidates]
    top_score = max(scores)
    best = [choice for choice, worth in zip(candidates, scores, strict=True) if worth == top_score]
    return best[pick(len(best))]


# --- the assessment of a hand -------------------------------------------------------------------


def _rivals(sight: Sight) -> list[SeatSight]:
    """The other seats of the round, from the left neighbour on."""
    start = sight.you + 1
    return [seat for seat in sight.seats[start:] + sight.seats[: start - 1] if seat.playing]


def hand_value(sight: Sight, ruleset: RuleSet) -> HandValue:
    """The assessment of the seat's hand."""
    hand, me = sight.hand, sight.me
    needs = () if me.laid else ruleset.phases[me.phase - 1].needs
    options = ruleset.options
    plan, jokers = collect(hand, needs, options), bytes(card for card in hand if is_wild(card))
    parts, spare = _parts(plan, needs, options), _without(hand, plan + jokers)
    missing = sum(map(_size, needs)) - len(plan) - len(jokers)
    # A group needs a natural, however many jokers there are (B-58).
    missing = max(missing, parts.count(b""))
    if missing > 0:
        gain, burden = 1.0, _LOAD
        wanted = tuple(
            _helpful(need, part, spare + part, ruleset)
            for need, part in zip(needs, parts, strict=True)
            if len(part) < _size(need)
        )
    else:
        missing, gain, burden = _PLENTY, 0.0, 1.0
        ends = [
            *((group.need.kind, group.low, group.high) for group in sight.groups),
            *(_ends(need, part, options) for need, part in zip(needs, parts, strict=True)),
        ]
        wanted = (frozenset(card for end in ends for card in _continuing(*end, ruleset)),)
        spare = bytes(card for card in spare if card not in wanted[0])
    unseen = _unseen(sight, ruleset)
    return HandValue(hand, parts, jokers, spare, wanted, unseen, missing, gain, burden)


def _size(need: Need) -> int:
    return need.size * FORMS[need.kind].copies


def _without(cards: bytes, removed: bytes) -> bytes:
    """The cards without ``removed``, as far as they hold them."""
    remaining = bytearray(cards)
    for card in removed:
        if card in remaining:
            remaining.remove(card)
    return bytes(remaining)


def _unseen(sight: Sight, ruleset: RuleSet) -> bytes:
    faces = [seat.jokers for seat in sight.seats]
    laid = [group.cards for group in sight.groups]
    return _without(ruleset.deck.cards(), b"".join([sight.hand, sight.pile, *faces, *laid]))


def _parts(plan: bytes, needs: tuple[Need, ...], options: Options) -> tuple[bytes, ...]:
    """The collected cards cut into the beginnings of groups, one for each need."""
    parts = []
    for need in needs:
        most = min(len(plan), _size(need))
        sizes = (n for n in range(most, -1, -1) if len(collect(plan[:n], (need,), options)) == n)
        size = next(sizes)
        parts.append(plan[:size])
        plan = plan[size:]
    return tuple(parts)


def _helpful(need: Need, part: bytes, pool: bytes, ruleset: RuleSet) -> frozenset[int]:
    """The cards with which the pool makes a longer beginning of the group than ``part``."""
    form = FORMS[need.kind]
    # What a card is to the group: its colour, both, or its rank.
    mask = 0x30 if form.alike == "colour" else 0x3F if form.one_colour else 0x0F
    deck, helps = ruleset.deck.cards(), dict[int, bool]()
    for card in deck:
        if card & mask not in helps:
            extended = collect(pool + bytes((card,)), (need,), ruleset.options)
            helps[card & mask] = len(extended) > len(part)
    return frozenset(card for card in deck if helps[card & mask])


def _ends(need: Need, part: bytes, options: Options) -> tuple[str, int, int]:
    """The kind of the group, and the ends that the part fixes or the value that its cards share."""
    values = [trait(FORMS[need.kind].alike or "rank", card, options) for card in part]
    return need.kind, min(values), max(values)


def _continuing(kind: str, low: int, high: int, ruleset: RuleSet) -> list[int]:
    """The cards that can be hit on such a group, one by one."""
    form, deck = FORMS[kind], ruleset.deck.cards()
    if form.alike:
        return [card for card in deck if trait(form.alike, card, ruleset.options) == low]
    ranks = (low - form.step, high + form.step) if form.copies == 1 else ()
    return [card for card in deck if card & 15 in ranks]


# --- what the actions are worth -----------------------------------------------------------------


def _share(prospects: HandValue, cards: bytes) -> float:
    """The fraction of the cards that is wanted, 0 to 1."""
    matches = [any(card in group for group in prospects.wanted) for card in cards]
    return sum(matches) / max(1, len(matches))


def _drawn(prospects: HandValue, count: int, chance: float) -> float:
    """The expected worth of ``count`` cards, each wanted with the chance, up to the missing."""
    useful = prospects.missing * (1 - (1 - chance / prospects.missing) ** count)
    return useful * prospects.gain - (count - useful) * prospects.burden


def _worths(prospects: HandValue, sight: Sight, ruleset: RuleSet) -> dict[str, float]:
    """The worth of each action but CHOOSE to the seat."""
    chance, top = _share(prospects, prospects.unseen), _share(prospects, sight.discard)
    one_card, ask_worth = _drawn(prospects, 1, chance), _ask(prospects, sight, ruleset)
    take = max(one_card, _drawn(prospects, 1, top))
    swaps = len(_to_swap(prospects, ruleset))
    gifts = [_GIFT[rival.laid] for rival in _rivals(sight)]
    worths = {
        "JOKER": prospects.gain,
        "TAKE1": take,
        "TAKE2": take + one_card,
        "TAKE3": take + _drawn(prospects, 2, chance),
        "SEARCH": _drawn(prospects, 1, 1 - (1 - chance) ** sight.discards),
        # Without a spare card, one that serves the phase has to go.
        "SWAP": (swaps * prospects.burden if prospects.spare else -1)
        + _drawn(prospects, swaps + 1, chance),
        "ASK": max(ask_worth(c.Ask(value, side)) for value in range(1, 13) for side in _SIDES),
        "EVERY": one_card - sum(gifts) / max(1, len(gifts)),
    }
    # To play again is to discard once more, and to reach another space.
    spaces = [worths[action] for action in ruleset.track if action in worths]
    worths["AGAIN"] = take + prospects.burden + sum(spaces) / max(1, len(spaces))
    return worths


def _free(sight: Sight, ruleset: RuleSet) -> list[str]:
    """The actions of the free spaces ahead, in the order in which a pawn counts them (B-17)."""
    me, track = sight.me, ruleset.track
    others = {seat.pawn for seat in sight.seats if seat.seat != me.seat}
    first = me.pawn + 1
    ahead = [space % len(track) for space in range(first, first + len(track))]
    return [track[space] for space in ahead if space not in others]


def _move(prospects: HandValue, sight: Sight, ruleset: RuleSet) -> Score:
    worths, free = _worths(prospects, sight, ruleset), _free(sight, ruleset)
    worths["CHOOSE"] = max((worths[action] for action in free if action in worths), default=0.0)
    return lambda choice: worths[free[choice.steps - 1]]


def _choose(prospects: HandValue, sight: Sight, ruleset: RuleSet) -> Score:
    worths = _worths(prospects, sight, ruleset)
    takes = (worths[action] for action in _free(sight, ruleset) if action.startswith("TAKE"))
    worths["TAKE"] = next(takes, 0.0)  # the nearest of them (O-27)
    return lambda choice: worths[choice.action]


# --- what to take, ask, give and discard --------------------------------------------------------


def _draw(prospects: HandValue, sight: Sight, _: RuleSet) -> Score:
    """The top of the discard pile where it is wanted, or else the stock."""
    source = "discard" if _share(prospects, sight.discard) else "stock"
    return lambda choice: choice.source == source


def _search(prospects: HandValue, _: Sight, __: RuleSet) -> Score:
    """A card of the pile for the group that is the hardest to fill."""
    supply = [
        (sum(card in group for card in prospects.unseen), group) for group in prospects.wanted
    ]

    def score(choice: c.Search) -> float:
        card = parse(choice.card)[0]
        return -min((count for count, group in supply if card in group), default=_PLENTY)

    return score


_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


def _ask(prospects: HandValue, sight: Sight, _: RuleSet) -> Score:
    """A wanted value that another seat probably holds; best where it takes away a joker (B-36)."""
    rivals, stock_worth = _rivals(sight), _drawn(prospects, 1, _share(prospects, prospects.unseen))
    jokers = {rival.seat: rival.jokers for rival in rivals}

    def score(choice: c.Ask) -> float:
        copies = [card for card in prospects.unseen if card & 15 == choice.value]
        miss_chance = 1 - len(copies) / max(1, len(prospects.unseen))
        absent, joker_chance = 1.0, 0.0
        for rival in rivals if choice.direction == "left" else rivals[::-1]:
            faces = [card for card in jokers[rival.seat] if card & 15 == choice.value]
            lacking = miss_chance ** (rival.cards - len(jokers[rival.seat]))
            joker_chance += absent * lacking * bool(faces)
            absent *= 0 if faces else lacking
            copies += faces
        gift_worth = _drawn(prospects, 1, _share(prospects, bytes(copies)))
        return (1 - absent) * gift_worth + absent * stock_worth + joker_chance / max(1, len(rivals))

    return score


def _give(prospects: HandValue, _: Sight, __: RuleSet) -> Score:
    """Cards that the phase can spare, and none that can be hit."""
    return lambda choice: parse(choice.card)[0] in prospects.spare


def _discard(prospects: HandValue, _: Sight, __: RuleSet) -> Score:
    """A discard that ends the round, else cards that the phase can spare: two before one (B-63)."""

    def score(choice: c.Discard) -> float:
        cards = parse(choice.cards)
        if len(cards) == len(prospects.hand):
            return _PLENTY
        return sum(1 if card in prospects.spare else -3 if is_wild(card) else -1 for card in cards)

    return score


# --- what to swap and to keep -------------------------------------------------------------------


def _to_swap(prospects: HandValue, ruleset: RuleSet) -> bytes:
    """All cards that can be spared, as each is exchanged for another; or else one card."""
    if prospects.spare:
        return prospects.spare[:SWAPPED_AT_MOST]
    naturals = _without(prospects.hand, prospects.jokers)
    return naturals[:1] or prospects.jokers[:1]


def _swap(prospects: HandValue, _: Sight, ruleset: RuleSet) -> c.Command:
    return c.Swap(show(bytes(sorted(_to_swap(prospects, ruleset))), ruleset.deck.notation))


def _keep(prospects: HandValue, sight: Sight, ruleset: RuleSet) -> c.Command:
    """Jokers as long as they stay such (O-28), then the fullest groups, then anything."""
    number = next(question.number for question in sight.waits if question.seat == sight.you)
    fullest = sorted(prospects.parts, key=len, reverse=True)
    plan = b"".join(fullest)
    naturals = plan + _without(prospects.hand, plan + prospects.jokers)
    jokers_stay = ruleset.options.kept_joker == "stays_joker"
    cards = (prospects.jokers + naturals if jokers_stay else naturals + prospects.jokers)[:number]
    return c.Keep(show(bytes(sorted(cards)), ruleset.deck.notation))


_SCORED: dict[type[c.Command], Callable[[HandValue, Sight, RuleSet], Score]] = {
    c.Move: _move,
    c.Choose: _choose,
    c.Draw: _draw,
    c.Search: _search,
    c.Ask: _ask,
    c.Give: _give,
    c.Discard: _discard,
}
_BUILT: dict[type[c.Command], Callable[[HandValue, Sight, RuleSet], c.Command]] = {
    c.Swap: _swap,
    c.Keep: _keep,
}
