"""The seven kinds of group: what makes one, and what may be added to it."""

from collections.abc import Sequence

from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.replay.evidence.referee.cards import Card
from phaseledger.replay.evidence.referee.table import Foul, RefereeGroup, word

RUNS = ("run", "pairrun", "parityrun", "colorrun")
"""Kinds whose ranks follow one another."""


def ladder(need: Need) -> list[int]:
    """The ranks that a run of this kind may have, from the lowest: all, the odd or the even."""
    if need.kind != "parityrun":
        return list(range(1, 13))
    return list(range(1 if need.parity == "odd" else 2, 13, 2))


def copies(need: Need) -> int:
    """The number of cards of each rank in a run."""
    return 2 if need.kind == "pairrun" else 1


def least(need: Need) -> int:
    """The fewest cards of a group; the size of a run of pairs counts pairs."""
    return need.size * copies(need)


def new_group(
    need: Need, cards: Sequence[Card], low: int, high: int, rules: RuleSet
) -> RefereeGroup:
    """The group that these cards make, a run in run order.

    Raises:
        Foul: they make none, or not with these ends.

    """
    if any(card.kind == "skip" for card in cards):
        raise Foul("skip_in_group", "group.skip_lies")
    if len(cards) < least(need):
        kind = word("kind", need.kind)
        raise Foul("incomplete", "group.few", kind=kind, n=need.size, count=len(cards))
    is_closed = need.kind == "pairrun" and rules.options.pairrun_hit == "none"
    if len(cards) > least(need) and (is_closed or not rules.options.lay_oversize):
        raise Foul(
            "oversize", "group.many", kind=word("kind", need.kind), n=need.size, count=len(cards)
        )
    if need.kind in RUNS:
        _see_run(need, cards, low, high, rules)
    else:
        _see_alike(need, cards, low, high, rules)
    return RefereeGroup(need, list(cards), low, high)


def is_overfull(need: Need, cards: Sequence[Card]) -> bool:
    """Whether a run has more cards than there are ranks."""
    return need.kind in RUNS and len(cards) > len(ladder(need)) * copies(need)


def needs_value(need: Need, cards: Sequence[Card]) -> bool:
    """Whether only the player can say what the cards stand for, which are all wild (X-34)."""
    is_shown = need.parity and need.kind not in RUNS
    return not is_shown and not any(card.is_natural for card in cards)


def some_group(
    need: Need, cards: Sequence[Card], value: int | None, rules: RuleSet
) -> RefereeGroup | None:
    """A group that the cards make by the player's named value alone, or None."""
    if value is None and needs_value(need, cards):
        return None
    lines, ranks = [cards], ladder(need)
    if rules.options.wild_placement == "high_then_low" and need.kind in RUNS:
        lines = [run_order(need, cards, wraps=rules.options.run_wrap) or cards, cards]
    rows = min(len(cards) // copies(need), len(ranks))
    length = (ranks[1] - ranks[0]) * (rows - 1) if need.kind in RUNS else 0
    lows = range(1, 13) if value is None or is_overfull(need, cards) else range(value, value + 1)
    for line in lines[: 1 if rules.revision else 2]:
        for low in lows:
            try:
                return new_group(need, line, low, low + length, rules)
            except Foul:
                continue
    return None


def _see_alike(need: Need, cards: Sequence[Card], low: int, high: int, rules: RuleSet) -> None:
    """Check a set, or cards of one colour or parity: all naturals share the value."""
    if low != high:
        raise Foul("kind", "group.one_mark", kind=word("kind", need.kind), n=low, m=high)
    colours = 4 if rules.options.color_is_suit else 2
    if not 1 <= low <= {"set": 12, "color": colours}.get(need.kind, 2):
        raise Foul("kind", "group.no_value", kind=word("kind", need.kind), n=low)
    for card in cards:
        if card.is_natural and not _is_alike(need, card, low, rules):
            raise Foul("kind", "group.stranger", kind=word("kind", need.kind), n=low)
    if need.kind == "parity" and low != (1 if need.parity == "odd" else 2):
        raise Foul("kind", "group.asks", parity=word("parity", need.parity))
    if need.kind == "set":
        for card in cards[4 * rules.deck.copies :]:  # added one by one, in the order laid
            _see_added_to_full_set(card, rules)


def _is_alike(need: Need, card: Card, mark: int, rules: RuleSet) -> bool:
    if need.kind == "set":
        return card.rank == mark
    if need.kind == "parity":
        return card.rank % 2 == mark % 2
    return card.colour == mark or (
        not rules.options.color_is_suit and card.colour % 2 == mark % 2  # hearts and diamonds
    )


def _see_added_to_full_set(card: Card, rules: RuleSet) -> None:
    """Check a card of a set that has as many before it as the deck has of a rank."""
    if card.replaces_any and not rules.options.wild_on_full_set:
        raise Foul("full_set", "group.full_set_wild")
    if card.is_natural and not rules.options.natural_on_full_set:
        raise Foul("full_set", "group.full_set_natural")


def _see_run(need: Need, cards: Sequence[Card], low: int, high: int, rules: RuleSet) -> None:
    ranks, width = ladder(need), copies(need)
    if len(cards) % width:
        raise Foul("pair_hit", "group.half_pair")
    rows = [cards[place : place + width] for place in range(0, len(cards), width)]
    if low not in ranks:
        raise Foul("off_the_end", "group.begin", n=low)
    beyond = len(rows) - len(ranks)
    starts = range(beyond + 1) if beyond > 0 else (0,)
    if beyond > 0 and not rules.options.wild_on_full_run:
        raise Foul("full_run", "group.too_long")
    if not any(_fits(rows, start, low, ranks, rules) for start in starts):
        raise Foul("kind", "group.gap", n=low)
    step = ranks[1] - ranks[0]
    if high != low + step * (min(len(rows), len(ranks)) - 1):
        raise Foul("kind", "group.end", n=low, m=high)
    if need.kind == "colorrun" and len({card.colour for card in cards if card.is_natural}) > 1:
        raise Foul("kind", "group.colours")


def _fits(
    rows: Sequence[Sequence[Card]], start: int, low: int, ranks: list[int], rules: RuleSet
) -> bool:
    """Whether all cards lie in their places, with ``start`` surplus wilds at the low end."""
    place = ranks.index(low)
    for number, row in enumerate(rows):
        where = place + number - start
        inside = 0 <= number - start < len(ranks)
        if inside and where >= len(ranks) and not rules.options.run_wrap:
            return False
        for card in row:
            if inside and card.is_natural and card.rank != ranks[where % len(ranks)]:
                return False
            if not inside and not card.replaces_any:
                return False
    return True


def is_full_run(group: RefereeGroup) -> bool:
    """Whether a run has a card for each rank that there is."""
    return len(group.cards) // copies(group.need) >= len(ladder(group.need))


def add(group: RefereeGroup, cards: Sequence[Card], end: str, rules: RuleSet) -> None:
    """Add cards to a group, one after the other; a run grows at one end.

    Raises:
        Foul: one of them does not belong there.

    """
    if not cards:
        raise Foul("kind", "group.nothing")
    if any(card.kind == "skip" for card in cards):
        raise Foul("skip_in_group", "group.skip_added")
    if group.need.kind == "pairrun":
        _add_pairs(group, cards, end, rules)
        return
    for card in cards:
        if group.need.kind in RUNS:
            _add_to_run(group, card, end, rules)
        else:
            _add_alike(group, card, rules)


def _add_alike(group: RefereeGroup, card: Card, rules: RuleSet) -> None:
    if card.is_natural and not _is_alike(group.need, card, group.low, rules):
        raise Foul("hit", "group.not_its", kind=word("kind", group.need.kind), n=group.low)
    if group.need.kind == "set" and len(group.cards) >= 4 * rules.deck.copies:
        _see_added_to_full_set(card, rules)
    group.cards.append(card)


def _add_to_run(group: RefereeGroup, card: Card, end: str, rules: RuleSet) -> None:
    if end not in ("low", "high"):
        raise Foul("hit", "group.which_end")
    if is_full_run(group):
        if not (rules.options.wild_on_full_run and card.replaces_any):
            raise Foul("full_run", "group.full_run")
    else:
        rank = _extend(group, end, rules)
        if card.is_natural and card.rank != rank:
            raise Foul("hit", "group.next", end=word("end", end), n=rank, m=card.rank)
        if group.need.kind == "colorrun" and card.is_natural:
            colours = {laid.colour for laid in group.cards if laid.is_natural}
            if colours - {card.colour}:
                raise Foul("hit", "group.other_colour")
    group.cards.insert(len(group.cards) if end == "high" else 0, card)


def _extend(group: RefereeGroup, end: str, rules: RuleSet) -> int:
    """Move an end of the run on by one rank, which is returned."""
    ranks = ladder(group.need)
    step = ranks[1] - ranks[0]
    if end == "high":
        if group.high + step > ranks[-1] and not rules.options.run_wrap:
            raise Foul("off_the_end", "group.after_highest")
        group.high += step
        return ranks[ranks.index(group.low) + (group.high - group.low) // step - len(ranks)]
    if group.low - step < ranks[0]:
        if not rules.options.run_wrap:
            raise Foul("off_the_end", "group.before_lowest")
        group.low += step * len(ranks)
        group.high += step * len(ranks)
    group.low -= step
    return group.low


def _add_pairs(group: RefereeGroup, cards: Sequence[Card], end: str, rules: RuleSet) -> None:
    """Whole pairs; with `single_cards` also halves, a pair being filled up first (O-21)."""
    if rules.options.pairrun_hit == "none":
        raise Foul("pair_hit", "group.no_pair_hits")
    if end not in ("low", "high"):
        raise Foul("hit", "group.which_end_cards")
    if rules.options.pairrun_hit == "whole_pairs" and len(cards) % 2:
        raise Foul("pair_hit", "group.half_added")
    for card in cards:
        _add_half(group, card, end, rules)


def _add_half(group: RefereeGroup, card: Card, end: str, rules: RuleSet) -> None:
    """Add one card of a pair: the first moves the end of the run on, the second does not."""
    bit = 1 if end == "low" else 2
    if group.half & bit:
        group.half -= bit
        rank = group.low if end == "low" else (group.high - 1) % 12 + 1
    elif is_full_run_of_pairs(group):
        if not (rules.options.wild_on_full_run and card.replaces_any):
            raise Foul("full_run", "group.full_run")
        rank = 0
    else:
        rank = _extend(group, end, rules)
        group.half |= bit
    if card.is_natural and card.rank != rank:
        raise Foul("hit", "group.next", end=word("end", end), n=rank, m=card.rank)
    group.cards.insert(len(group.cards) if end == "high" else 0, card)


def is_full_run_of_pairs(group: RefereeGroup) -> bool:
    """Whether a run of pairs has all twelve ranks, some of them perhaps by a single card."""
    return group.high - group.low >= 11


def see_naturals(groups: Sequence[RefereeGroup], rules: RuleSet) -> None:
    """Check that each group has a natural card, or the phase has one, by `wild_min_scope` (O-03).

    Raises:
        Foul: there are only wilds.

    """
    of_groups = [any(card.is_natural for card in group.cards) for group in groups]
    scope = rules.options.wild_min_scope
    if (scope == "group" and not all(of_groups)) or (scope == "phase" and not any(of_groups)):
        raise Foul("naturals", "group.only_wilds")


def are_full(groups: Sequence[RefereeGroup], rules: RuleSet) -> bool:
    """Whether all groups that count are full, and there is one (B-61, B-63, B-64)."""
    ignored = "color" if rules.options.full_color_group == "ignore" else ""
    counted = [group for group in groups if group.need.kind != ignored]
    return bool(counted) and all(_is_full(group, rules) for group in counted)


def _is_full(group: RefereeGroup, rules: RuleSet) -> bool:
    match group.need.kind:
        case "set":
            return len(group.cards) >= 4 * rules.deck.copies
        case "color":
            return len(group.cards) >= 24
        case "parity":  # takes cards without end
            return False
    return is_full_run(group)


def run_order(need: Need, cards: Sequence[Card], *, wraps: bool = False) -> list[Card] | None:
    """Cards of a run in the order of `high_then_low` (O-07): wilds fill the gaps first, then lie at
    the high end, then at the low. None where a natural stands in the way.

    A run that goes on from 12 to 1 has no lowest place: it begins with the lowest natural from
    which the wilds fill all gaps, and the remaining wilds lie at the high end.
    """
    ranks = ladder(need)
    naturals = sorted(card for card in cards if card.is_natural)
    wilds = [card for card in cards if card.replaces_any]
    if not naturals or any(card.rank not in ranks for card in naturals):
        return None
    shown = [rank for rank in ranks if any(card.rank == rank for card in naturals)]
    for start in range(len(shown) if wraps else 1):
        lowest, highest = ranks.index(shown[start]), ranks.index(shown[start - 1])
        spare = list(wilds)
        rows = _rows(need, naturals, spare, lowest, (highest - lowest) % len(ranks) + 1)
        if rows is None:
            continue
        room = len(spare) if wraps else (len(ranks) - 1 - highest) * copies(need)
        return [*spare[room:], *(card for row in rows for card in row), *spare[:room]]
    return None


def _rows(
    need: Need, naturals: Sequence[Card], wilds: list[Card], first: int, count: int
) -> list[list[Card]] | None:
    """``count`` rows of the ladder from a place on, filled up with wilds, which are taken."""
    width, ranks = copies(need), ladder(need)
    rows = []
    for place in range(first, first + count):
        row = [card for card in naturals if card.rank == ranks[place % len(ranks)]]
        while len(row) < width and wilds:
            row.append(wilds.pop())
        if len(row) != width:
            return None
        rows.append(row)
    return rows
