"""The kernel's listed moves: which of them are compared, and which one was played."""

from array import array
from collections.abc import Sequence

from phaseledger.domain import commands as c
from phaseledger.domain import events as e
from phaseledger.domain.cards import face_up, parse
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import command
from phaseledger.replay.laboratory.account.moments import DecidedStep

_LAYS, _HITS, OTHERS = 4, 8, 24
"""The most candidates of a kind."""
_ENDS = {"": at.END_NONE, "low": at.END_LOW, "high": at.END_HIGH}


def to_compare(moves: "list[array[int]]", played: "array[int] | None" = None) -> "array[int]":
    """The moves to compare as a list of the kernel, the played one first."""
    kept = [] if played is None else [played]
    for kind, most in ((at.LAY, _LAYS), (at.HIT, _HITS)):
        kept += [move for move in moves if move[0] == kind and move is not played][:most]
    others = [move for move in moves if move[0] not in (at.LAY, at.HIT) and move is not played]
    kept += others[:OTHERS]
    return array("q", [len(kept), *(number for move in kept for number in move)])


def is_played(move: "array[int]", moment: DecidedStep) -> bool:
    """Whether the listed move is the one that was decided."""
    match moment.act.command:
        case c.Lay():
            laid = moment.first
            return (
                move[0] == at.LAY
                and isinstance(laid, e.PhaseLaid)
                and _laid(move, moment) == _laid_groups(laid)
            )
        case c.Hit(group, cards):
            hit = moment.first
            codes = [*parse(cards), 0]
            return (
                move[0] == at.HIT
                and isinstance(hit, e.CardsHit)
                and move[1:5] == array("q", [group, _ENDS[hit.end], *codes[:2]])
                and len(codes) <= 3
            )
        case c.Swap() | c.Keep():
            chosen = chosen_cards(moment.act.command)
            return move[: len(chosen)] == chosen
        case decided:
            return command(array("q", [1, *move]), 0, moment.before) == decided


def chosen_cards(choice: c.Swap | c.Keep) -> "array[int]":
    """The move of the kernel that swaps or keeps these cards."""
    kind, cards = at.SWAP if isinstance(choice, c.Swap) else at.KEEP_CARDS, parse(choice.cards)
    return array("q", [kind, len(cards), *sorted(cards)])


def _laid(move: Sequence[int], moment: DecidedStep) -> list[tuple[list[int], int]]:
    """The groups of a lay: their cards, sorted, jokers by their faces, and their low ends."""
    groups, place = [], at.LAY_CARDS
    hand = moment.before.seat(moment.before.active).hand
    jokers = [card % at.CODES for card in hand if card >= at.TURNED]
    for number in range(move[2]):
        low, count = move[at.LAY_GROUPS + 2 * number], move[at.LAY_GROUPS + 2 * number + 1]
        names = move[place : place + count]
        groups.append((sorted([n if n < at.OWN else jokers[n - at.OWN - 1] for n in names]), low))
        place += count
    return groups


def _laid_groups(laid: e.PhaseLaid) -> list[tuple[list[int], int]]:
    return [(sorted(face_up(parse(group.cards))), group.low) for group in laid.groups]


def only(candidates: "array[int]", numbers: list[int]) -> "array[int]":
    """The list of these candidates alone."""
    rows = [candidates[1 + n * at.MOVE : 1 + (n + 1) * at.MOVE] for n in numbers]
    return array("q", [len(rows), *(number for row in rows for number in row)])
