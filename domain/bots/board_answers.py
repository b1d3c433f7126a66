"""How a bot answers the questions of the ring: where to go, what to take, ask, swap, give, keep.

Every answer follows from one outlook on the seat's hand. Before the phase is laid, a card is worth
what it brings the phase nearer; afterwards it is a burden unless it can be hit.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct

from phaseledger.domain import commands as c
from phaseledger.domain.board_actions import SWAPPED_AT_MOST
from phaseledger.domain.bots.phase_cards import collect
from phaseledger.domain.bots.player import Pick
from phaseledger.domain.cards import is_wild, parse, show
from phaseledger.domain.melds import FORMS, trait
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.view import SeatView, TableView

Score = Callable[[Any], float]
"""A legal command of one kind to how much it is worth; units differ from kind to kind."""


class HandValue(Struct, frozen=True, gc=False):
    """What a hand is good for, as far as its seat can know."""

    hand: bytes
    parts: tuple[bytes, ...]
    """What serves each group of the phase; nothing once it is laid."""
    jokers: bytes
    spare: bytes
    """Cards that serve no group and, once the phase is complete, cannot be hit either."""
    wanted: tuple[frozenset[int], ...]
    """For each group that lacks cards, those that help it. Without one, the cards to be hit."""
    unseen: bytes
    """Cards of which the seat does not know where they are."""
    missing: int
    """How many cards the phase lacks; once it is complete, more than any action gives."""
    gain: float
    """What a wanted card is worth."""
    burden: float
    """What it costs to hold another one."""


_PLENTY = 99
_LOAD = 0.1
"""The burden of a card before the phase is laid: it has to be discarded some day."""
_GIFT = {False: 0.3, True: -0.5}
"""What a card from the stock is worth to another seat, by whether that has laid its phase."""


def answer(
    view: TableView, ruleset: RuleSet, choices: Iterable[c.Command], pick: Pick
) -> c.Command:
    """The best of the choices, which are the legal answers to one question (`legal.legal`).

    Those to swap or to keep run to thousands: the answer is built, and only the first is looked
    at, so that they may be listed lazily.
    """
    listed = iter(choices)
    first = next(listed)
    if type(first) in _BUILT:
        return _BUILT[type(first)](hand_value(view, ruleset), view, ruleset)
    several = [first, *listed]
    if len(several) == 1 or type(first) not in _SCORED:
        return first
    score = _SCORED[type(first)](hand_value(view, ruleset), view, ruleset)
    scores = [score(choice) for choice in several]
    most = max(scores)
    best = [choice for choice, worth in zip(several, scores, strict=True) if worth == most]
    return best[pick(len(best))]


# --- what the hand is good for ------------------------------------------------------------------


def _me(view: TableView) -> SeatView:
    assert view.you is not None
    me = view.seats[view.you]
    assert me is not None
    return me


def _rivals(view: TableView) -> list[SeatView]:
    """The other seats of the round, from the left neighbour on."""
    left = _me(view).seat + 1
    return [seat for seat in view.seats[left:] + view.seats[: left - 1] if seat and seat.playing]


def hand_value(view: TableView, ruleset: RuleSet) -> HandValue:
    """What the seat's hand is good for."""
    hand, me = parse(view.hand or ""), _me(view)
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
        ends = [(group.kind, group.low, group.high) for group in view.groups]
        ends += [_ends(need, part, options) for need, part in zip(needs, parts, strict=True)]
        wanted = (frozenset(card for end in ends for card in _continuing(*end, ruleset)),)
        spare = bytes(card for card in spare if card not in wanted[0])
    unseen = _unseen(view, ruleset)
    return HandValue(hand, parts, jokers, spare, wanted, unseen, missing, gain, burden)


def _size(need: Need) -> int:
    return need.size * FORMS[need.kind].copies


def _without(cards: bytes, others: bytes) -> bytes:
    """The cards less the others, as far as these are among them."""
    rest = bytearray(cards)
    for card in others:
        if card in rest:
            rest.remove(card)
    return bytes(rest)


def _unseen(view: TableView, ruleset: RuleSet) -> bytes:
    faces = [seat.jokers for seat in view.seats if seat]
    lying = [group.cards for group in view.groups]
    seen = " ".join([view.hand or "", view.pile, *faces, *lying])
    return _without(ruleset.deck.cards(), parse(seen))


def _parts(plan: bytes, needs: tuple[Need, ...], options: Options) -> tuple[bytes, ...]:
    """The collected cards cut into the beginnings of groups, one for each need."""
    parts = []
    for need in needs:
        most = min(len(plan), _size(need))
        held = (n for n in range(most, -1, -1) if len(collect(plan[:n], (need,), options)) == n)
        size = next(held)
        parts.append(plan[:size])
        plan = plan[size:]
    return tuple(parts)


def _helpful(need: Need, part: bytes, pool: bytes, ruleset: RuleSet) -> frozenset[int]:
    """The cards with which the pool makes a longer beginning of such a group than that part."""
    form = FORMS[need.kind]
    # What a card is to the group: its colour, both, or its rank.
    mask = 0x30 if form.alike == "colour" else 0x3F if form.one_colour else 0x0F
    deck, helps = ruleset.deck.cards(), dict[int, bool]()
    for card in deck:
        if card & mask not in helps:
            more = collect(pool + bytes((card,)), (need,), ruleset.options)
            helps[card & mask] = len(more) > len(part)
    return frozenset(card for card in deck if helps[card & mask])


def _ends(need: Need, part: bytes, options: Options) -> tuple[str, int, int]:
    """The part as the ends of the group that it will be, or what its cards share."""
    shown = [trait(FORMS[need.kind].alike or "rank", card, options) for card in part]
    return need.kind, min(shown), max(shown)


def _continuing(kind: str, low: int, high: int, ruleset: RuleSet) -> list[int]:
    """The cards that can be hit on such a group, one by one."""
    form, deck = FORMS[kind], ruleset.deck.cards()
    if form.alike:
        return [card for card in deck if trait(form.alike, card, ruleset.options) == low]
    ranks = (low - form.step, high + form.step) if form.copies == 1 else ()
    return [card for card in deck if card & 15 in ranks]


# --- what the actions are worth -----------------------------------------------------------------


def _share(seen: HandValue, cards: bytes) -> float:
    """Which part of the cards is wanted."""
    wanted = [any(card in group for group in seen.wanted) for card in cards]
    return sum(wanted) / max(1, len(wanted))


def _drawn(seen: HandValue, count: int, chance: float) -> float:
    """What so many cards are worth, each wanted with that chance, and no more than are missing."""
    useful = seen.missing * (1 - (1 - chance / seen.missing) ** count)
    return useful * seen.gain - (count - useful) * seen.burden


def _worths(seen: HandValue, view: TableView, ruleset: RuleSet) -> dict[str, float]:
    """What each action but CHOOSE is worth to the seat."""
    chance, top = _share(seen, seen.unseen), _share(seen, parse(view.discard or ""))
    one, ask = _drawn(seen, 1, chance), _ask(seen, view, ruleset)
    take = max(one, _drawn(seen, 1, top))
    swapped = len(_to_swap(seen, ruleset))
    gifts = [_GIFT[rival.laid] for rival in _rivals(view)]
    worths = {
        "JOKER": seen.gain,
        "TAKE1": take,
        "TAKE2": take + one,
        "TAKE3": take + _drawn(seen, 2, chance),
        "SEARCH": _drawn(seen, 1, 1 - (1 - chance) ** view.discards),
        # Without a spare card, one that serves the phase has to go.
        "SWAP": (swapped * seen.burden if seen.spare else -1) + _drawn(seen, swapped + 1, chance),
        "ASK": max(ask(c.Ask(value, way)) for value in range(1, 13) for way in _WAYS),
        "EVERY": one - sum(gifts) / max(1, len(gifts)),
    }
    # To play again is to discard once more, and to reach another space.
    spaces = [worths[action] for action in ruleset.track if action in worths]
    worths["AGAIN"] = take + seen.burden + sum(spaces) / max(1, len(spaces))
    return worths


def _free(view: TableView, ruleset: RuleSet) -> list[str]:
    """The actions of the free spaces ahead, in the order in which a pawn counts them (B-17)."""
    me, track = _me(view), ruleset.track
    others = {seat.pawn for seat in view.seats if seat and seat.seat != me.seat}
    first = (me.pawn or 0) + 1
    ahead = [space % len(track) for space in range(first, first + len(track))]
    return [track[space] for space in ahead if space not in others]


def _move(seen: HandValue, view: TableView, ruleset: RuleSet) -> Score:
    worths, free = _worths(seen, view, ruleset), _free(view, ruleset)
    worths["CHOOSE"] = max((worths[action] for action in free if action in worths), default=0.0)
    return lambda choice: worths[free[choice.steps - 1]]


def _choose(seen: HandValue, view: TableView, ruleset: RuleSet) -> Score:
    worths = _worths(seen, view, ruleset)
    takes = (worths[action] for action in _free(view, ruleset) if action.startswith("TAKE"))
    worths["TAKE"] = next(takes, 0.0)  # the nearest of them (O-27)
    return lambda choice: worths[choice.action]


# --- what to take, ask, give and discard --------------------------------------------------------


def _draw(seen: HandValue, view: TableView, _: RuleSet) -> Score:
    """The top of the discard pile where it is wanted, or else the stock."""
    source = "discard" if _share(seen, parse(view.discard or "")) else "stock"
    return lambda choice: choice.source == source


def _search(seen: HandValue, _: TableView, __: RuleSet) -> Score:
    """A card of the pile for the group that is the hardest to fill."""
    left = [(sum(card in group for card in seen.unseen), group) for group in seen.wanted]

    def score(choice: c.Search) -> float:
        card = parse(choice.card)[0]
        return -min((count for count, group in left if card in group), default=_PLENTY)

    return score


_WAYS: tuple[Literal["left", "right"], ...] = ("left", "right")


def _ask(seen: HandValue, view: TableView, _: RuleSet) -> Score:
    """A wanted value that somebody probably holds; best where it takes away a joker (B-36)."""
    rivals, otherwise = _rivals(view), _drawn(seen, 1, _share(seen, seen.unseen))
    jokers = {rival.seat: parse(rival.jokers) for rival in rivals}

    def score(choice: c.Ask) -> float:
        copies = [card for card in seen.unseen if card & 15 == choice.value]
        lacking = 1 - len(copies) / max(1, len(seen.unseen))
        nobody, robbed = 1.0, 0.0
        for rival in rivals if choice.direction == "left" else rivals[::-1]:
            faces = [card for card in jokers[rival.seat] if card & 15 == choice.value]
            without = lacking ** (rival.cards - len(jokers[rival.seat]))
            robbed += nobody * without * bool(faces)
            nobody *= 0 if faces else without
            copies += faces
        given = _drawn(seen, 1, _share(seen, bytes(copies)))
        return (1 - nobody) * given + nobody * otherwise + robbed / max(1, len(rivals))

    return score


def _give(seen: HandValue, _: TableView, __: RuleSet) -> Score:
    """What the phase can spare, and nothing that can be hit."""
    return lambda choice: parse(choice.card)[0] in seen.spare


def _discard(seen: HandValue, _: TableView, __: RuleSet) -> Score:
    """What ends the round; or else what the phase can spare, two cards rather than one (B-63)."""

    def score(choice: c.Discard) -> float:
        cards = parse(choice.cards)
        if len(cards) == len(seen.hand):
            return _PLENTY
        return sum(1 if card in seen.spare else -3 if is_wild(card) else -1 for card in cards)

    return score


# --- what to swap and to keep -------------------------------------------------------------------


def _to_swap(seen: HandValue, ruleset: RuleSet) -> bytes:
    """All that can be spared, as each card is exchanged for another; or else one card."""
    if seen.spare:
        return seen.spare[:SWAPPED_AT_MOST]
    naturals = _without(seen.hand, seen.jokers)
    return naturals[:1] or seen.jokers[:1]


def _swap(seen: HandValue, _: TableView, ruleset: RuleSet) -> c.Command:
    return c.Swap(show(bytes(sorted(_to_swap(seen, ruleset))), ruleset.deck.notation))


def _keep(seen: HandValue, view: TableView, ruleset: RuleSet) -> c.Command:
    """Jokers as long as they stay such (O-28), then the fullest groups, then anything."""
    number = next(question.number for question in view.waits if question.seat == view.you)
    fullest = sorted(seen.parts, key=len, reverse=True)
    plan = b"".join(fullest)
    naturals = plan + _without(seen.hand, plan + seen.jokers)
    stay = ruleset.options.kept_joker == "stays_joker"
    cards = (seen.jokers + naturals if stay else naturals + seen.jokers)[:number]
    return c.Keep(show(bytes(sorted(cards)), ruleset.deck.notation))


_SCORED: dict[type[c.Command], Callable[[HandValue, TableView, RuleSet], Score]] = {
    c.Move: _move,
    c.Choose: _choose,
    c.Draw: _draw,
    c.Search: _search,
    c.Ask: _ask,
    c.Give: _give,
    c.Discard: _discard,
}
_BUILT: dict[type[c.Command], Callable[[HandValue, TableView, RuleSet], c.Command]] = {
    c.Swap: _swap,
    c.Keep: _keep,
}
