"""The kernel's listed moves: which of them are compared, and which one was played."""

from array import array
from collections.abc import Sequence

from phaseledger.domain import events as e
from phaseledger.domain.cards import face_up, parse
from phaseledger.domain.kernel import layout as at
from phaseledger.replay.laboratory.account.moments import DecidedStep

_LAYS, _HITS, _OTHERS = 4, 8, 16
"""The most candidates of a kind."""
_OTHER_KINDS = (at.DRAW_STOCK, at.DRAW_PILE, at.DISCARD, at.PASS)
_ENDS = {"": at.END_NONE, "low": at.END_LOW, "high": at.END_HIGH}


def to_compare(moves: "list[array[int]]", played: "array[int] | None" = None) -> "array[int]":
    """The moves to compare as a list of the kernel, the played one first."""
    kept = [] if played is None else [played]
    for kinds, most in (((at.LAY,), _LAYS), ((at.HIT,), _HITS), (_OTHER_KINDS, _OTHERS)):
        kept += [move for move in moves if move[0] in kinds and move is not played][:most]
    return array("q", [len(kept), *(number for move in kept for number in move)])


def is_played(move: Sequence[int], moment: DecidedStep) -> bool:
    """Whether the listed move is the one that the event tells of."""
    match moment.first:
        case e.CardDrawn(source=source):
            return move[0] == (at.DRAW_STOCK if source == "stock" else at.DRAW_PILE)
        case e.CardDiscarded(cards=cards, target=target) | e.SkipPlaced(card=cards, target=target):
            target = -1 if target is None else target
            return move[0] == at.DISCARD and move[1:4] == array("q", [*parse(cards), 0, target])
        case e.CardsHit(group=group, cards=cards, end=end):
            codes = [*parse(cards), 0]
            hit = array("q", [group, _ENDS[end], *codes[:2]])
            return move[0] == at.HIT and move[1:5] == hit and len(codes) <= 3
        case e.PhaseLaid():
            return move[0] == at.LAY and _laid(move) == _laid_groups(moment.first)
        case e.TurnPassed():
            return move[0] == at.PASS
    return move[0] == at.DRAW_STOCK and isinstance(moment.first, (e.StockShuffled, e.RoundEnded))


def _laid(move: Sequence[int]) -> list[tuple[list[int], int]]:
    """The groups of a lay: their cards, sorted, and their low ends."""
    groups, place = [], at.LAY_CARDS
    for number in range(move[2]):
        low, count = move[at.LAY_GROUPS + 2 * number], move[at.LAY_GROUPS + 2 * number + 1]
        groups.append((sorted(move[place : place + count]), low))
        place += count
    return groups


def _laid_groups(laid: e.PhaseLaid) -> list[tuple[list[int], int]]:
    return [(sorted(face_up(parse(group.cards))), group.low) for group in laid.groups]


def only(candidates: "array[int]", numbers: list[int]) -> "array[int]":
    """The list of these candidates alone."""
    rows = [candidates[1 + n * at.MOVE : 1 + (n + 1) * at.MOVE] for n in numbers]
    return array("q", [len(rows), *(number for row in rows for number in row)])
