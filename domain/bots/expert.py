"""The card-counting bot: it values each card by the turns that the card saves its phase.

The bot knows what its seat has seen (the hand, the discard pile, the groups), so which cards may
still come, and from the cards that the next player took or spurned, which discards would help.
"""

from functools import cache
from itertools import islice

from phaseledger.domain import commands as c
from phaseledger.domain.bots.best_hits import BestHit, best_hits, hittable
from phaseledger.domain.bots.greedy import TURN, greedy
from phaseledger.domain.bots.outlook import Outlook, UnseenCards, outlook, wishes
from phaseledger.domain.bots.player import Legal, Pick
from phaseledger.domain.cards import SINGLES, WILD, is_skip, is_wild, parse, remove
from phaseledger.domain.groups.lays import Effort
from phaseledger.domain.groups.melds import arrange
from phaseledger.domain.groups.plans import CLASSES, Plan, class_counts, plans
from phaseledger.domain.policies import SCORING
from phaseledger.domain.ruleset import Deck, RuleSet
from phaseledger.domain.sight import SeatSight, Sight
from phaseledger.domain.state import Group

_MOST_CHOICES = 64
"""Commands looked at: a hand full of wilds can be laid in thousands of ways."""
_MOST_HITS = 2_000
"""Hits tried in one decision, some 20 ms; a hand of a card game takes a few hundred."""
_STRAY = 512
"""One discard in 512 is random: hoarders that feed each other nothing would never end."""

# Worths and costs in turns.
_WORTH_TAKING = 1.0
"""Turns that the top of the discard pile must save: the stock saves some too, and may be wild."""
_POINT = 0.01
_FIT = 0.5
"""The worth of a card that can be hit as soon as the phase is laid."""
_FEED = 1.2
"""The cost of a card that the next player surely takes for the phase."""
_FEED_HIT = 1.0
"""The cost of a card that the next player can hit."""
_SKIP = 0.3
"""The worth of a skip that no seat can be given now."""


class _Position:
    """The seat's sight, and the budget of a decision."""

    __slots__ = ("effort", "groups", "hand", "keep", "me", "ruleset", "sight")

    def __init__(self, sight: Sight, ruleset: RuleSet, keep: int) -> None:
        self.sight = sight
        self.ruleset = ruleset
        self.me = sight.me
        self.hand = sight.hand
        self.groups = sight.groups
        self.keep = keep
        """Cards that hits must leave in hand."""
        self.effort = Effort(_MOST_HITS)
        """The budget of the search for hits."""


class _Feed:
    """The cost, in turns, of leaving a card to the next player."""

    __slots__ = ("hit", "phase")

    def __init__(self, hit: float, phase: list[float] | None) -> None:
        self.hit = hit
        """The cost of a card that fits a group on the table."""
        self.phase = phase
        """The cost of a card of each class, by its use for that player; None once the phase is
        laid.
        """


def expert(sight: Sight, ruleset: RuleSet, legal: Legal, pick: Pick) -> c.Command:
    """Lay at once, hit what fits; draw and discard for the plan that is the fewest turns away."""
    choices = list(islice(legal(), _MOST_CHOICES))
    if len(choices) == 1:
        return choices[0]
    if not all(type(choice) in TURN for choice in choices):
        return greedy(sight, ruleset, lambda: choices, pick)
    position = _look(sight, ruleset)
    draws: dict[str, c.Command] = {
        choice.source: choice for choice in choices if isinstance(choice, c.Draw)
    }
    if draws:
        source = "discard" if _wants(position, sight.discard) else "stock"
        return draws.get(source, choices[0])
    lays = [choice for choice in choices if isinstance(choice, c.Lay)]
    if lays:
        return min(lays, key=lambda choice: _left_over(position, choice))
    hits = [choice for choice in choices if isinstance(choice, c.Hit)]
    if hits:
        return _best_hit(position, hits)
    discards = [choice for choice in choices if isinstance(choice, c.Discard)]
    plain = [
        discard for discard in discards if not any(map(is_wild, parse(discard.cards)))
    ] or discards
    if pick(_STRAY) == 0:
        return plain[pick(len(plain))]
    return _best_discard(position, plain)


def targets(sight: Sight, ruleset: RuleSet) -> tuple[int, ...]:
    """The phases that the seat may aim at: in a free style all that it has not made (D-62)."""
    me = sight.me
    if ruleset.progress != "free" or sight.replay:
        return (me.phase,)
    return tuple(n for n in range(1, len(ruleset.phases) + 1) if n not in me.made) or (me.phase,)


def _look(sight: Sight, ruleset: RuleSet) -> _Position:
    keep = 1 if ruleset.options.going_out == "discard_required" else 0
    return _Position(sight, ruleset, keep)


def _hits_from(position: _Position, hand: bytes) -> tuple[bytes, BestHit | None]:
    return best_hits(hand, position.groups, position.keep, position.ruleset, position.effort)


@cache
def _whole_deck(deck: Deck, suits: bool) -> tuple[list[int], list[int]]:
    """The number of the deck's cards of each code, and of each class."""
    cards = deck.cards()
    return [cards.count(code) for code in range(256)], class_counts(cards, suits)


def _unseen(position: _Position) -> UnseenCards:
    sight, suits = position.sight, position.ruleset.options.color_is_suit
    of_code, of_class = map(list.copy, _whole_deck(position.ruleset.deck, suits))
    classes = CLASSES[suits]
    for card in b"".join([sight.hand, sight.pile, *(group.cards for group in position.groups)]):
        # Cards known by their back alone may be any of the unseen cards.
        if of_code[card]:
            of_code[card] -= 1
            for card_class in classes[card]:
                of_class[card_class] -= 1
    return UnseenCards(of_class, of_code[WILD], max(sum(of_code), 1))


def _outlook(position: _Position, unseen: UnseenCards) -> Outlook:
    aims: list[Plan] = []
    options = position.ruleset.options
    for number in targets(position.sight, position.ruleset):
        needs = position.ruleset.phases[number - 1].needs
        aims += plans(needs, wrap=options.run_wrap, suits=options.color_is_suit)
    return outlook(position.hand, aims, unseen, suits=options.color_is_suit)


def _wants(position: _Position, top: bytes) -> bool:
    """Whether to draw the top of the discard pile."""
    if not top or is_skip(top[0]):
        return False
    if is_wild(top[0]):
        return True
    if not position.me.laid:
        return _outlook(position, _unseen(position)).nearer(top[0]) > _WORTH_TAKING
    remaining, _ = _hits_from(position, position.hand)
    remaining_with, _ = _hits_from(position, position.hand + top)
    return len(remaining_with) <= len(remaining)


def _left_over(position: _Position, lay: c.Lay) -> tuple[int, int]:
    """Cards, then points, that stay after the lay, all hits and a discard."""
    ruleset, hand, laid = position.ruleset, position.hand, []
    needs = ruleset.phases[(lay.phase or position.me.phase) - 1].needs
    for need, group in zip(needs, lay.groups, strict=True):
        arranged = arrange(need, parse(group.cards), group.value, ruleset)
        laid.append(Group(0, need, arranged.cards, arranged.low, arranged.high))
        remaining = remove(hand, arranged.cards)
        assert remaining is not None
        hand = remaining
    unplayed, _ = best_hits(
        hand, (*position.groups, *laid), position.keep, ruleset, position.effort
    )
    return max(len(unplayed) - 1, 0), SCORING[ruleset.scoring](ruleset, unplayed)


def _best_hit(position: _Position, hits: list[c.Hit]) -> c.Hit:
    _, best = _hits_from(position, position.hand)
    best_key = best and (best.group, best.cards, best.end)
    keys = [(hit.group, parse(hit.cards), hit.end) for hit in hits]
    return next((hit for hit, key in zip(hits, keys, strict=True) if key == best_key), hits[0])


def _best_discard(position: _Position, discards: list[c.Discard]) -> c.Discard:
    skips = [discard for discard in discards if discard.target is not None]
    if skips:
        return max(
            skips,
            key=lambda discard: _threat(position.me, position.sight.seats[discard.target or 0]),
        )
    prices = _prices(position)

    def price(discard: c.Discard) -> tuple[int, float]:
        """Two cards rather than one, where that is allowed (B-63)."""
        cards = parse(discard.cards)
        return -len(cards), sum([prices[card] for card in cards])

    return min(discards, key=price)


_FEW = 3
"""The most cards with which a seat that has laid may go out at any time."""


def _threat(me: SeatSight, seat: SeatSight) -> tuple[int, int, int, int]:
    """The sort key of seats to skip: first a seat that would end the round before the own phase is
    laid; then seats that have still to lay, are ahead in phases, hold few cards or points.
    """
    if seat.laid and seat.cards <= _FEW and not me.laid:
        return 2, -seat.cards, 0, 0
    return int(not seat.laid), seat.phase, -seat.cards, -seat.points


def _prices(position: _Position) -> dict[int, float]:
    """The cost, in turns, of discarding each card of the hand."""
    ruleset, hand, unseen = position.ruleset, position.hand, _unseen(position)
    ahead = None if position.me.laid else _outlook(position, unseen)
    fitting = hittable(hand, position.groups, ruleset)
    soon = fitting | hittable(hand, ahead.best.groups, ruleset) if ahead else fitting
    feed, score = _feed(position, unseen), SCORING[ruleset.scoring]
    classes = CLASSES[ruleset.options.color_is_suit]
    prices = {}
    for card in dict.fromkeys(hand):
        price = -_POINT * score(ruleset, SINGLES[card])
        if ahead:
            price += ahead.further(card)
            if card in soon:
                price += _FIT
        if feed.phase:
            price += max([feed.phase[card_class] for card_class in classes[card]], default=0.0)
        prices[card] = _SKIP if is_skip(card) else price + feed.hit * (card in fitting)
    return prices


def _feed(position: _Position, unseen: UnseenCards) -> _Feed:
    follower = _follower(position)
    if follower is None:
        return _Feed(0.0, None)
    if follower.laid:
        return _Feed(_FEED_HIT, None)
    ruleset = position.ruleset
    likelihoods = wishes(
        ruleset.phases[follower.phase - 1].needs,
        follower.taken,
        follower.spurned,
        unseen.live,
        wrap=ruleset.options.run_wrap,
        suits=ruleset.options.color_is_suit,
    )
    return _Feed(0.0, [_FEED * share for share in likelihoods])


def _follower(position: _Position) -> SeatSight | None:
    """The next seat to play: the first after the own that loses no turn; None if there is none."""
    seats, own = position.sight.seats, position.sight.you
    others = seats[own + 1 :] + seats[:own]
    return next((seat for seat in others if seat.playing and not seat.skips), None)
