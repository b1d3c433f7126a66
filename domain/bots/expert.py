"""The card-counting bot: it values each card by the turns that the card saves its phase.

It knows what its seat has seen (the hand, the discard pile, the groups) and so which cards may
still come; and by what the next player took from the pile or spurned, what not to throw there.
"""

from functools import cache
from itertools import islice
from typing import cast

from msgspec import Struct

from phaseledger.domain import commands as c
from phaseledger.domain.bots.best_hits import BestHit, best_hits, fits
from phaseledger.domain.bots.greedy import greedy
from phaseledger.domain.bots.outlook import (
    CLASSES,
    Outlook,
    Plan,
    UnseenCards,
    class_counts,
    outlook,
    plans,
    wishes,
)
from phaseledger.domain.bots.player import Legal, Pick
from phaseledger.domain.cards import is_skip, is_wild, parse, remove
from phaseledger.domain.lays import Effort
from phaseledger.domain.melds import arrange
from phaseledger.domain.policies import SCORING
from phaseledger.domain.ruleset import Deck, Kind, Need, RuleSet
from phaseledger.domain.state import Group
from phaseledger.domain.view import SeatView, TableView

_TURN_COMMANDS = (c.Draw, c.Lay, c.Hit, c.Discard, c.Pass)
_MOST_CHOICES = 64
"""Commands looked at: a hand full of wilds can be laid in thousands of ways."""
_MOST_HITS = 2_000
"""Hits tried in one decision, some 20 ms; a hand of a card game takes a few hundred."""
_STRAY = 512
"""One discard in so many is a random one: hoarders that feed each other nothing would never end."""

# What things are worth, in turns.
_WORTH_TAKING = 1.0
"""Turns that the top of the discard pile must save: the stock saves some too, and may be wild."""
_POINT = 0.01
_FIT = 0.5
"""A card that can be hit as soon as the phase is laid."""
_FEED = 1.2
"""A card that the next player surely takes for the phase."""
_FEED_HIT = 1.0
"""A card that the next player can hit."""
_SKIP = 0.3
"""A skip that nobody can be given now."""


class _Sight(Struct, frozen=True, gc=False):
    """The seat's view, its cards parsed once."""

    view: TableView
    ruleset: RuleSet
    me: SeatView
    hand: bytes
    groups: tuple[Group, ...]
    pile: bytes
    keep: int
    """Cards that hits must leave in hand."""
    effort: Effort
    """What the decision may spend on looking for hits."""


class _Feed(Struct, frozen=True, gc=False):
    """The cost, in turns, of leaving a card to the next player."""

    hit: float
    """Of a card that fits a group on the table."""
    phase: list[float] | None
    """Of a card of each class, by its use for that player's phase; None once that is laid."""


def expert(view: TableView, ruleset: RuleSet, legal: Legal, pick: Pick) -> c.Command:
    """Lay at once, hit what fits; draw and discard for the plan that is the fewest turns away."""
    choices = list(islice(legal(), _MOST_CHOICES))
    if len(choices) == 1:
        return choices[0]
    if not all(isinstance(choice, _TURN_COMMANDS) for choice in choices):
        return greedy(view, ruleset, lambda: choices, pick)
    sight = _look(view, ruleset)
    draws: dict[str, c.Command] = {
        choice.source: choice for choice in choices if isinstance(choice, c.Draw)
    }
    if draws:
        source = "discard" if _wants(sight, parse(view.discard or "")) else "stock"
        return draws.get(source, choices[0])
    lays = [choice for choice in choices if isinstance(choice, c.Lay)]
    if lays:
        return min(lays, key=lambda choice: _left_over(sight, choice))
    hits = [choice for choice in choices if isinstance(choice, c.Hit)]
    if hits:
        return _best_hit(sight, hits)
    discards = [choice for choice in choices if isinstance(choice, c.Discard)]
    plain = [
        discard for discard in discards if not any(map(is_wild, parse(discard.cards)))
    ] or discards
    if pick(_STRAY) == 0:
        return plain[pick(len(plain))]
    return _best_discard(sight, plain)


def targets(view: TableView, ruleset: RuleSet) -> tuple[int, ...]:
    """The phases that the seat may aim at: in a free style all that are unmade (D-62)."""
    me = _own_seat(view)
    if ruleset.progress != "free" or view.replay:
        return (me.phase,)
    return tuple(n for n in range(1, len(ruleset.phases) + 1) if n not in me.made) or (me.phase,)


def _own_seat(view: TableView) -> SeatView:
    assert view.you is not None
    seat = view.seats[view.you]
    assert seat is not None
    return seat


def _look(view: TableView, ruleset: RuleSet) -> _Sight:
    return _Sight(
        view=view,
        ruleset=ruleset,
        me=_own_seat(view),
        hand=parse(view.hand or ""),
        groups=tuple(
            Group(
                group.owner,
                Need(cast("Kind", group.kind), 1),
                parse(group.cards),
                group.low,
                group.high,
            )
            for group in view.groups
        ),
        pile=parse(view.pile),
        keep=1 if ruleset.options.going_out == "discard_required" else 0,
        effort=Effort(_MOST_HITS),
    )


def _hits_from(sight: _Sight, hand: bytes) -> tuple[bytes, BestHit | None]:
    return best_hits(hand, sight.groups, sight.keep, sight.ruleset, sight.effort)


@cache
def _deck_cards(deck: Deck) -> bytes:
    return deck.cards()


def _unseen(sight: _Sight) -> UnseenCards:
    hidden, suits = bytearray(_deck_cards(sight.ruleset.deck)), sight.ruleset.options.color_is_suit
    for cards in (sight.hand, sight.pile, *(group.cards for group in sight.groups)):
        for card in cards:
            # Cards of which only the back is known may be any of the rest.
            if card in hidden:
                hidden.remove(card)
    return UnseenCards(class_counts(hidden, suits), sum(map(is_wild, hidden)), max(len(hidden), 1))


def _outlook(sight: _Sight, unseen: UnseenCards) -> Outlook:
    aims: list[Plan] = []
    options = sight.ruleset.options
    for number in targets(sight.view, sight.ruleset):
        needs = sight.ruleset.phases[number - 1].needs
        aims += plans(needs, wrap=options.run_wrap, suits=options.color_is_suit)
    return outlook(sight.hand, aims, unseen, suits=options.color_is_suit)


def _wants(sight: _Sight, top: bytes) -> bool:
    """Whether to draw the top of the discard pile."""
    if not top or is_skip(top[0]):
        return False
    if is_wild(top[0]):
        return True
    if not sight.me.laid:
        return _outlook(sight, _unseen(sight)).nearer(top[0]) > _WORTH_TAKING
    remaining, _ = _hits_from(sight, sight.hand)
    remaining_with, _ = _hits_from(sight, sight.hand + top)
    return len(remaining_with) <= len(remaining)


def _left_over(sight: _Sight, lay: c.Lay) -> tuple[int, int]:
    """Cards, then points, that stay after the lay, all hits and a discard."""
    ruleset, hand, laid = sight.ruleset, sight.hand, []
    needs = ruleset.phases[(lay.phase or sight.me.phase) - 1].needs
    for need, group in zip(needs, lay.groups, strict=True):
        arranged = arrange(need, parse(group.cards), group.value, ruleset)
        laid.append(Group(0, need, arranged.cards, arranged.low, arranged.high))
        remaining = remove(hand, arranged.cards)
        assert remaining is not None
        hand = remaining
    unplayed, _ = best_hits(hand, (*sight.groups, *laid), sight.keep, ruleset, sight.effort)
    return max(len(unplayed) - 1, 0), SCORING[ruleset.scoring](ruleset, unplayed)


def _best_hit(sight: _Sight, hits: list[c.Hit]) -> c.Hit:
    _, best = _hits_from(sight, sight.hand)
    best_key = best and (best.group, best.cards, best.end)
    keys = ((hit.group, parse(hit.cards), hit.end) for hit in hits)
    return next((hit for hit, key in zip(hits, keys, strict=True) if key == best_key), hits[0])


def _best_discard(sight: _Sight, discards: list[c.Discard]) -> c.Discard:
    skips = [discard for discard in discards if discard.target is not None]
    if skips:
        return max(
            skips, key=lambda discard: _threat(sight.me, sight.view.seats[discard.target or 0])
        )
    unseen = _unseen(sight)
    ahead = None if sight.me.laid else _outlook(sight, unseen)
    feed = _feed(sight, unseen)

    def price(discard: c.Discard) -> tuple[int, float]:
        """Two cards rather than one, where that is allowed (B-63)."""
        cards = parse(discard.cards)
        return -len(cards), sum(_price(sight, card, ahead, feed) for card in cards)

    return min(discards, key=price)


_FEW = 3
"""Cards with which a seat that has laid may go out at any time."""


def _threat(me: SeatView, seat: SeatView | None) -> tuple[int, int, int, int]:
    """The sort key of whom to skip: first who would end the round before the own phase is laid;
    then who has still to lay, is ahead in phases, holds few cards or points.
    """
    assert seat is not None
    if seat.laid and seat.cards <= _FEW and not me.laid:
        return 2, -seat.cards, 0, 0
    return int(not seat.laid), seat.phase, -seat.cards, -seat.points


def _price(sight: _Sight, card: int, ahead: Outlook | None, feed: _Feed) -> float:
    """The cost, in turns, of discarding the card."""
    if is_skip(card):
        return _SKIP
    ruleset = sight.ruleset
    price = -_POINT * SCORING[ruleset.scoring](ruleset, bytes((card,)))
    fitting = fits(card, sight.groups, ruleset)
    if ahead is not None:
        price += ahead.further(card)
        if fitting or fits(card, ahead.best.groups, ruleset):
            price += _FIT
    if feed.phase:
        classes = CLASSES[ruleset.options.color_is_suit]
        price += max([feed.phase[card_class] for card_class in classes[card]], default=0.0)
    return price + feed.hit * fitting


def _feed(sight: _Sight, unseen: UnseenCards) -> _Feed:
    follower = _follower(sight)
    if follower is None:
        return _Feed(0.0, None)
    if follower.laid:
        return _Feed(_FEED_HIT, None)
    ruleset = sight.ruleset
    likelihoods = wishes(
        ruleset.phases[follower.phase - 1].needs,
        parse(follower.taken),
        parse(follower.spurned),
        unseen.live,
        wrap=ruleset.options.run_wrap,
        suits=ruleset.options.color_is_suit,
    )
    return _Feed(0.0, [_FEED * share for share in likelihoods])


def _follower(sight: _Sight) -> SeatView | None:
    """The next seat to play: the first after the own that loses no turn; None if there is none."""
    seats, own = sight.view.seats, sight.me.seat
    for seat in seats[own + 1 :] + seats[:own]:
        if seat is not None and seat.playing and not seat.skips:
            return seat
    return None
