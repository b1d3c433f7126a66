"""The greedy bot: lay, hit, collect for the phase, discard high cards, skip the leader."""

from collections.abc import Mapping

from phaseledger.domain import commands as c
from phaseledger.domain.bots.board_answers import answer
from phaseledger.domain.bots.phase_cards import collect, collected
from phaseledger.domain.bots.player import Legal, Pick
from phaseledger.domain.cards import is_skip, is_wild, parse
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import trait
from phaseledger.domain.options import Options
from phaseledger.domain.policies import card_points
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.sight import Sight
from phaseledger.domain.state import Group

TURN = frozenset({c.Draw, c.Lay, c.Hit, c.Discard, c.Pass})
"""The commands of a turn in every game; all others answer the questions of the ring."""
_STRAY = 16
"""One discard in 16 is random: hoarders that feed each other nothing would never end."""


def greedy(sight: Sight, ruleset: RuleSet, legal: Legal, pick: Pick) -> c.Command:
    """Lay as soon as possible, collect for the phase, hit, dump high cards, skip the leader."""
    choices: list[c.Command] = []
    for choice in legal():
        kind = type(choice)
        if kind not in TURN:
            return answer(sight, ruleset, legal(), pick)
        if kind is c.Lay or kind is c.Hit:
            # Lays come with the fewest wilds first; any hit brings the end of the round nearer.
            return choice
        choices.append(choice)
    hand, me = sight.hand, sight.me
    needs = () if me.laid else ruleset.phases[me.phase - 1].needs
    if type(choices[0]) is c.Draw:
        return choices[-1] if _wants_discard(sight, hand, needs, ruleset.options) else choices[0]
    if pick(_STRAY) == 0:
        return choices[pick(len(choices))]
    if ruleset.scoring == "none":
        # Without points for cards, the cards that the phase can spare go first.
        return answer(sight, ruleset, choices, pick)
    phase_cards, points = collect(hand, needs, ruleset.options), card_points(ruleset.points)
    return max(choices, key=lambda choice: _discard_rank(choice, phase_cards, sight, points))


def _wants_discard(sight: Sight, hand: bytes, needs: tuple[Need, ...], options: Options) -> bool:
    """Whether the top of the discard pile brings the phase nearer, or can be hit at once."""
    top = sight.discard
    if not top or is_skip(top[0]):
        return False
    if is_wild(top[0]):
        return True
    if needs:
        return collected(hand + top, needs, options) > collected(hand, needs, options)
    return any(_continues(group, top[0], options) for group in sight.groups)


def _continues(group: Group, card: int, options: Options) -> bool:
    form = FORMS[group.need.kind]
    if form.alike:
        return trait(form.alike, card, options) == group.low
    if form.one_colour and any(
        card >> 4 != laid_card >> 4 for laid_card in group.cards if not is_wild(laid_card)
    ):
        return False
    return form.copies == 1 and card & 15 in (group.low - form.step, group.high + form.step)


def _discard_rank(
    choice: c.Command, phase_cards: bytes, sight: Sight, points: Mapping[int, int]
) -> tuple[int, int, int]:
    """The sort key of a way to end the turn: skips at the leader first, then cards of no use, those
    with many points before those with few.
    """
    if not isinstance(choice, c.Discard):
        return (0, 0, 0)
    card = parse(choice.cards)[0]
    if choice.target is not None:
        target = sight.seats[choice.target]
        return (3, target.phase + target.laid, -target.points)
    if is_wild(card):
        return (0, 0, -points[card & 15])
    return (1 if card in phase_cards else 2, points[card & 15], 0)
