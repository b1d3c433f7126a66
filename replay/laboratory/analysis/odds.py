"""The exact probability that a dealt hand holds a phase: hands are counted, none is drawn.

Cards that no group of the phase tells apart form one cell. The sweep deals cell by cell; after each
cell, a partial hand is represented only by its `_Hopes`: for every way to have begun the groups,
the fewest wilds that are due by now. Hands with the same hopes are counted together, by their
number of cards; so the numbers stay small and the result exact.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct

from phaseledger.domain.cards import SKIP, is_wild
from phaseledger.domain.explain.shortfall import Aim, aims_of
from phaseledger.domain.ruleset import Need, RuleSet

_Slot = tuple[int, int]
"""Cells that may fill a part of a group, as a set of bits, and the number of cards still due from
them.
"""
_Rest = tuple[_Slot, ...] | None
"""The slots that a begun group has still to fill; None: not begun, so it may become anything."""
_Way = tuple[_Rest, ...]
"""One way to have used the cards so far, group by group."""
_Hopes = tuple[tuple[_Way, int], ...]
"""The ways worth following, each with the wilds due for the slots passed without a natural."""

MOST_STEPS = 400_000
"""Ways followed over a cell, which takes some seconds; a released phase takes 65,000 at most."""


class TooMany(ValueError):
    """A phase with too many ways to be counted."""


class Odds(Struct, frozen=True):
    """Exact odds: ``makes`` of ``hands`` different hands, equally likely, hold the phase."""

    makes: int
    hands: int

    @property
    def chance(self) -> float:
        """The probability, rounded to a float at the very end."""
        return float(Fraction(self.makes, self.hands))


class _Phase(Struct, frozen=True):
    """A phase as the count needs it: cells with their numbers of cards, and the groups' aims."""

    cells: tuple[int, ...]
    aims: tuple[tuple[tuple[_Slot, ...], ...], ...]
    alike: tuple[int, ...]
    """For each group the first group with the same need."""
    most: int
    """Wilds in the deck."""


def odds(ruleset: RuleSet, needs: tuple[Need, ...]) -> Odds:
    """Count the hands that may be dealt and hold the groups, wilds used as the rules allow.

    Raises:
        TooMany: the groups overlap in more ways than can be counted.

    """
    deck, size = ruleset.deck.cards(), ruleset.hand
    wilds, skips = sum(map(is_wild, deck)), deck.count(SKIP)
    phase = _compile(deck, wilds, [[*aims_of(need, ruleset)] for need in needs])
    ending = _rest_of_hand(size, wilds, skips)
    makes = 0
    for hopes, dealt in _sweep(phase, size).items():
        due = _due(hopes, phase, ruleset.options.wild_min_scope)
        if due is not None:
            makes += sum(count * ending[cards][min(due, size + 1)] for cards, count in dealt)
    return Odds(makes, comb(len(deck), size))


def _rest_of_hand(size: int, wilds: int, skips: int) -> list[list[int]]:
    """``[naturals][due]``: the number of ways in which at least the due wilds, and skips, fill up
    the hand.
    """
    table = []
    for naturals in range(size + 1):
        ways = [
            comb(wilds, n) * comb(skips, size - naturals - n) for n in range(size - naturals + 1)
        ]
        table.append([sum(ways[due:]) for due in range(size + 2)])
    return table


def _due(hopes: _Hopes, phase: _Phase, scope: str) -> int | None:
    """The fewest wilds that complete the groups in the end; None where none do (O-03)."""
    sizes = [sum(count for _, count in group[0]) for group in phase.aims]
    totals = []
    for way, due in hopes:
        unbegun = [rest is None for rest in way]
        allowed = {"group": not any(unbegun), "phase": not all(unbegun), "none": True}[scope]
        if allowed:
            totals.append(
                due + sum(size for size, flag in zip(sizes, unbegun, strict=True) if flag)
            )
    return min(totals, default=None)


# --- the phase over its cells -------------------------------------------------------------------


def _compile(deck: bytes, wilds: int, groups: Sequence[Sequence[Aim]]) -> _Phase:
    """The phase over the deck, in the order that has the fewest groups in mid-course."""
    slots = sorted({slot for group in groups for aim in group for slot in aim})
    by_rank = sorted(
        (card for card in deck if not is_wild(card) and card != SKIP),
        key=lambda card: (card & 15, card),
    )
    orders = [
        _phase_over(_cells(order, slots), groups, wilds) for order in (by_rank, sorted(by_rank))
    ]
    return min(orders, key=_breadth)


def _cells(order: Iterable[int], slots: Sequence[int]) -> dict[tuple[int, ...], list[int]]:
    """The cards by the slots that take them."""
    cells: dict[tuple[int, ...], list[int]] = {}
    for card in order:
        takers = tuple(place for place, slot in enumerate(slots) if slot >> card & 1)
        cells.setdefault(takers, []).append(card)
    return cells


def _phase_over(
    cells: dict[tuple[int, ...], list[int]], groups: Sequence[Sequence[Aim]], wilds: int
) -> _Phase:
    compiled = []
    for group in groups:
        group_aims: dict[tuple[_Slot, ...], None] = {}
        for aim in group:
            counts: dict[int, int] = {}
            for slot in aim:
                bits = sum(1 << n for n, cards in enumerate(cells.values()) if slot >> cards[0] & 1)
                counts[bits] = counts.get(bits, 0) + 1
            group_aims[tuple(sorted(counts.items()))] = None
        compiled.append(tuple(group_aims))
    alike = tuple(compiled.index(group) for group in compiled)
    return _Phase(tuple(map(len, cells.values())), tuple(compiled), alike, wilds)


def _breadth(phase: _Phase) -> int:
    """The aims in mid-course, summed over the cells."""
    total = 0
    for group in phase.aims:
        for aim in group:
            cells = [n for n in range(len(phase.cells)) if any(bits >> n & 1 for bits, _ in aim)]
            total += cells[-1] - cells[0]
    return total


# --- the sweep ----------------------------------------------------------------------------------


_Dealt = list[tuple[int, int]]
"""(cards so far, number of ways to hold them)."""


def _sweep(phase: _Phase, size: int) -> dict[_Hopes, _Dealt]:
    """The hopes after all naturals of a hand, with the number of ways to be dealt them."""
    unbegun: _Way = (None,) * len(phase.aims)
    current: dict[_Hopes, dict[int, int]] = {((unbegun, 0),): {0: 1}}
    steps = 0
    for cell, copies in enumerate(phase.cells):
        useful = min(copies, size, _most_taken(phase, cell))
        following: dict[_Hopes, dict[int, int]] = {}
        cache: _Cache = {}
        for hopes, dealt in current.items():
            steps += (useful + 1) * len(hopes)
            if steps > MOST_STEPS:
                raise TooMany("too many kinds of hands would have to be told apart")
            for count in range(useful + 1):
                # More cards than all groups take are as good as just enough.
                amounts = range(count, (copies if count == useful else count) + 1)
                further = hopes if not count and not _is_touched(hopes, cell) else None
                further = further or _follow(phase, hopes, cell, count, cache)
                if not further:
                    continue
                room = size - min(_missing_cards(phase, way, due) for way, due in further)
                counts = following.setdefault(further, {})
                for cards, ways in dealt.items():
                    for extra in amounts:
                        if cards + extra > room:
                            break
                        total = cards + extra
                        counts[total] = counts.get(total, 0) + ways * comb(copies, extra)
        current = {hopes: dealt for hopes, dealt in following.items() if dealt}
    return {hopes: [*dealt.items()] for hopes, dealt in current.items()}


def _most_taken(phase: _Phase, cell: int) -> int:
    """The number of cards of the cell that all groups together can use."""
    return sum(
        max((count for aim in group for bits, count in aim if bits >> cell & 1), default=0)
        for group in phase.aims
    )


def _is_touched(hopes: _Hopes, cell: int) -> bool:
    """Whether a group that was begun can take cards of the cell."""
    return any(bits >> cell & 1 for way, _ in hopes for rest in way for bits, _ in rest or ())


def _missing_cards(phase: _Phase, way: _Way, due: int) -> int:
    """The cards that a hand must still get, naturals or wilds."""
    return due + sum(
        sum(count for _, count in (rest if rest is not None else phase.aims[place][0]))
        for place, rest in enumerate(way)
    )


_Cache = dict[tuple[_Way, int], list[tuple[_Way, int]]]
"""The ways after the sweep's current cell, by the way before and the number of its cards."""


def _follow(phase: _Phase, hopes: _Hopes, cell: int, count: int, cache: _Cache) -> _Hopes:
    """The hopes after ``count`` cards of the cell."""
    fewest_due: dict[_Way, int] = {}
    for way, due in hopes:
        afters = cache.get((way, count))
        if afters is None:
            afters = cache[way, count] = [
                (_canonical(after, phase.alike), further_due)
                for after, further_due in _distributions(phase, way, 0, cell, count)
            ]
        for after, further_due in afters:
            if due + further_due <= min(phase.most, fewest_due.get(after, phase.most)):
                fewest_due[after] = due + further_due
    return _minimal(fewest_due)


def _distributions(
    phase: _Phase, way: _Way, place: int, cell: int, count: int
) -> Iterator[tuple[tuple[_Rest, ...], int]]:
    """All ways to deal ``count`` cards of the cell to the groups from a place on, and the wilds due
    since no more cards of the cell will come.
    """
    if place == len(way):
        yield (), 0
        return
    rest = way[place]
    choices = [(rest, 0)] if rest is None or not count else []
    begun = [rest] if rest is not None else phase.aims[place]
    options: list[tuple[_Rest, int, int]] = [(r, 0, used) for r, used in choices if r is None]
    for aim in begun:
        limit = next((due for bits, due in aim if bits >> cell & 1), 0)
        # A begun group may leave its cards to another group; a new one takes at least one.
        for used in range(0 if rest is not None else 1, min(limit, count) + 1):
            remaining, due = _remaining(aim, cell, used)
            options.append((remaining, due, used))
    for after, due, used in options:
        for other_rests, further_due in _distributions(phase, way, place + 1, cell, count - used):
            yield (after, *other_rests), due + further_due


def _remaining(aim: tuple[_Slot, ...], cell: int, used: int) -> tuple[tuple[_Slot, ...], int]:
    """The slots left to fill after ``used`` cards, and the wilds due by then."""
    slots, due = [], 0
    for bits, count in aim:
        lacking = count - used if bits >> cell & 1 else count
        ahead = bits >> cell + 1 << cell + 1
        if not ahead:
            due += lacking
        elif lacking:
            slots.append((ahead, lacking))
    return tuple(slots), due


def _canonical(way: _Way, alike: tuple[int, ...]) -> _Way:
    """The way with groups of equal needs in one order."""
    if len({*alike}) == len(alike):
        return way
    places = sorted(range(len(way)), key=lambda n: (alike[n], way[n] is None, way[n] or ()))
    return tuple(way[place] for place in places)


def _minimal(fewest_due: dict[_Way, int]) -> _Hopes:
    """The ways that no other way dominates, sorted."""
    ways = sorted(fewest_due.items(), key=lambda item: (item[1], _key(item[0])))
    minimal: list[tuple[_Way, int]] = []
    for way, due in ways:
        if not any(_dominates(other, way, due - before) for other, before in minimal):
            minimal.append((way, due))
    return tuple(sorted(minimal, key=lambda item: (_key(item[0]), item[1])))


def _key(way: _Way) -> tuple[tuple[bool, tuple[_Slot, ...]], ...]:
    return tuple((rest is None, rest or ()) for rest in way)


def _dominates(way: _Way, other_way: _Way, spare: int) -> bool:
    """Whether all that completes the other way completes this one with ``spare`` wilds less."""
    for rest, other_rest in zip(way, other_way, strict=True):
        if rest is None:
            if other_rest is not None:
                return False
            continue
        other_counts = dict(other_rest or ())
        spare -= sum(max(0, count - other_counts.get(bits, 0)) for bits, count in rest)
        if spare < 0:
            return False
    return spare >= 0
