"""Players. A bot sees a seat's view and its legal commands, and answers with one of them.

A bot has no memory and no clock; its chance comes from outside, keyed by seed and counter, so
that a simulated game can be played again. Its choices are recorded like anybody's.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator

from domain import commands as c
from domain.cards import is_skip, is_wild, parse, remove
from domain.deal import below
from domain.melds import FORMS, PARITIES, trait
from domain.policies import SCORING
from domain.rules import Need, RuleSet
from domain.view import TableView

Pick = Callable[[int], int]
"""A number below the given one, by the bot's own chance."""
Bot = Callable[[TableView, RuleSet, Callable[[], Iterable[c.Command]], Pick], c.Command]
"""(the seat's view, the rule set, the seat's legal commands, chance) to a command."""


def chooser(seed: bytes, counter: int) -> Pick:
    """The chance of one decision: the same seed and counter give the same numbers."""

    def words() -> Iterator[int]:
        block = 0
        while True:
            digest = hmac.digest(seed, b"p10-bot/v1 %d %d" % (counter, block), "sha256")
            # Spelt out, so that the machine's byte order does not change a game.
            yield from (digest[i] | digest[i + 1] << 8 for i in range(0, 32, 2))
            block += 1

    stream = words()
    return lambda bound: below(stream, bound)


def random_bot(
    _view: TableView, _ruleset: RuleSet, legal: Callable[[], Iterable[c.Command]], pick: Pick
) -> c.Command:
    """Any legal command, all equally likely."""
    choices = list(legal())
    return choices[pick(len(choices))]


_STRAY = 16
"""One discard in so many is a random one: hoarders that feed each other nothing would never end."""


def greedy(
    view: TableView, ruleset: RuleSet, legal: Callable[[], Iterable[c.Command]], pick: Pick
) -> c.Command:
    """Lay as soon as possible, collect for the phase, hit, dump high cards, skip the leader."""
    choices = []
    for choice in legal():
        if isinstance(choice, c.Lay | c.Hit):
            # Lays come with the fewest wilds first; any hit brings the end of the round nearer.
            return choice
        choices.append(choice)
    hand = parse(view.hand or "")
    assert view.you is not None
    me = view.seats[view.you]
    assert me is not None
    needs = () if me.laid else ruleset.phases[me.phase - 1].needs
    if isinstance(choices[0], c.Draw):
        return choices[-1] if _wants_discard(view, hand, needs) else choices[0]
    if pick(_STRAY) == 0:
        return choices[pick(len(choices))]
    kept = collect(hand, needs)
    return max(choices, key=lambda choice: _riddance(choice, kept, view, ruleset))


def _wants_discard(view: TableView, hand: bytes, needs: tuple[Need, ...]) -> bool:
    """Whether the top of the discard pile brings the phase nearer, or can be hit at once."""
    top = parse(view.discard or "")
    if not top or is_skip(top[0]):
        return False
    if is_wild(top[0]):
        return True
    if needs:
        return len(collect(hand + top, needs)) > len(collect(hand, needs))
    return any(_continues(group.kind, group.low, group.high, top[0]) for group in view.groups)


def _continues(kind: str, low: int, high: int, card: int) -> bool:
    form = FORMS[kind]
    if form.alike:
        return trait(form.alike, card) == low
    return form.copies == 1 and card & 15 in (low - form.step, high + form.step)


def _riddance(
    choice: c.Command, kept: bytes, view: TableView, ruleset: RuleSet
) -> tuple[int, int, int]:
    """How glad the bot is to end its turn so: skips at the leader first, then what it cannot use,
    dear cards before cheap ones.
    """
    if not isinstance(choice, c.Discard):
        return (0, 0, 0)
    card = parse(choice.cards)
    points = SCORING[ruleset.scoring](ruleset, card)
    if choice.target is not None:
        target = view.seats[choice.target]
        assert target is not None
        return (3, target.phase + target.laid, -target.points)
    if is_wild(card[0]):
        return (0, 0, -points)
    return (1 if card[0] in kept else 2, points, 0)


def collect(hand: bytes, needs: tuple[Need, ...]) -> bytes:
    """The natural cards of the hand that serve the needs best: the most, each need in its turn."""
    naturals = bytes(card for card in hand if not is_wild(card) and not is_skip(card))
    return _collect(naturals, needs)


_BREADTH = 4
"""Partial groups looked at for each need; more find little and cost time."""


def _collect(naturals: bytes, needs: tuple[Need, ...]) -> bytes:
    if not needs:
        return b""
    best = b""
    for part in _parts(naturals, needs[0])[:_BREADTH]:
        rest = remove(naturals, part)
        assert rest is not None
        whole = part + _collect(rest, needs[1:])
        if len(whole) > len(best):
            best = whole
    return best


def _parts(naturals: bytes, need: Need) -> list[bytes]:
    """Beginnings of such a group, the longest first."""
    form = FORMS[need.kind]
    if form.alike:
        shared: dict[int, bytes] = {}
        for card in naturals:
            value = trait(form.alike, card)
            if not need.parity or value == PARITIES.index(need.parity):
                shared[value] = shared.get(value, b"") + bytes((card,))
        parts = [cards[: need.size] for cards in shared.values()]
    else:
        parts = _rungs(naturals, need)
    return sorted(parts, key=len, reverse=True) or [b""]


def _rungs(naturals: bytes, need: Need) -> list[bytes]:
    form = FORMS[need.kind]
    span = (need.size - 1) * form.step
    colours = [[n for n in naturals if n >> 4 == i] for i in range(4)] if form.one_colour else []
    parts = []
    for cards in colours or [list(naturals)]:
        by_rank: dict[int, bytes] = {}
        for card in cards:
            by_rank[card & 15] = by_rank.get(card & 15, b"") + bytes((card,))
        first = 2 if need.parity == "even" else 1
        for low in range(first, 13 - span, 2 if need.parity else 1):
            ranks = range(low, low + span + 1, form.step)
            parts.append(b"".join(by_rank.get(rank, b"")[: form.copies] for rank in ranks))
    return parts


BOTS: dict[str, Bot] = {"random": random_bot, "greedy": greedy}
"""Levels of play, by the name that opens a bot's seat."""
