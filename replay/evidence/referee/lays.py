"""Laying a phase, and adding cards to what lies on the table."""

from collections import Counter
from collections.abc import Sequence

from phaseledger.domain.commands import Hit, Lay
from phaseledger.domain.events import CardsHit, PhaseLaid
from phaseledger.replay.evidence.referee.cards import Card
from phaseledger.replay.evidence.referee.groups import (
    RUNS,
    add,
    is_overfull,
    needs_value,
    new_group,
    run_order,
    see_naturals,
    some_group,
)
from phaseledger.replay.evidence.referee.table import (
    Foul,
    RefereeGroup,
    RefereeSeat,
    RefereeTable,
    word,
)
from phaseledger.replay.evidence.referee.turns import seat_to_play


def lay(table: RefereeTable, event: PhaseLaid) -> None:
    """Lay a phase: once a round, whole, and the one that is due."""
    seat = seat_to_play(table, event.seat)
    if seat.laid:
        raise Foul("already_laid", "lay.twice", name=seat.name, phase=table.phase(seat.laid))
    if not 1 <= event.phase <= len(table.ruleset.phases):
        raise Foul("phase", "lay.no_phase", value=event.phase)
    _see_phase(table, seat, event.phase)
    needs = table.ruleset.phases[event.phase - 1].needs
    if len(needs) != len(event.groups):
        raise Foul("group_count", "lay.groups", count=len(event.groups), n=len(needs))
    text = " ".join(group.cards for group in event.groups)
    _see_named(table, event)
    played = table.take_from_hand(seat, text)
    groups = _groups(table, event.phase, event, played)
    for place, laid_group in enumerate(groups):
        _see_placement(table, laid_group)
        _see_value(laid_group, event, place)
    _see_choice(table, seat, event, played)
    if event.credited == table.is_replay:
        raise Foul("replay", "lay.replay")
    if event.credited:
        seat.made.add(event.phase)
    seat.laid = event.phase
    table.groups += groups
    _after(table, event.seat, played)


def _see_named(table: RefereeTable, event: PhaseLaid) -> None:
    """Check the groups on the table against the named ones, wilds in their places."""
    command = event.act.command if event.act else None
    if not isinstance(command, Lay):
        raise Foul("hand", "lay.unnamed")
    named = [_faces(table, group.cards) for group in command.groups]
    shown = [group.cards.split() for group in event.groups]
    if table.options.wild_placement == "high_then_low":
        named, shown = [[sorted(words) for words in groups] for groups in (named, shown)]
    if named != shown:
        raise Foul("hand", "lay.others")


def _faces(table: RefereeTable, text: str) -> list[str]:
    """The cards as the log writes them: a command may name an ace with its suit."""
    is_french = table.notation == "french"
    return ["A" if is_french and word.startswith("A") else word for word in text.split()]


def _see_phase(table: RefereeTable, seat: RefereeSeat, phase: int) -> None:
    last = len(table.ruleset.phases)
    match table.ruleset.progress:
        case "free":
            due = [number for number in range(1, last + 1) if number not in seat.made]
        case "by_round":
            due = [table.round]
        case _:
            due = [seat.phase]
    if table.is_replay:
        due = [last]
    if phase not in due:
        named = tuple(map(table.phase, due))
        raise Foul("phase", "lay.due", name=seat.name, phase=table.phase(phase), due=named)


def _see_choice(
    table: RefereeTable, seat: RefereeSeat, event: PhaseLaid, played: Sequence[Card]
) -> None:
    """Check that the player named a phase where the cards fit several open ones; under
    `auto_lowest` it is the lowest of them (D-66, O-37).
    """
    command = event.act.command if event.act else None
    named = command.phase if isinstance(command, Lay) else None
    if named is not None and named != event.phase:
        raise Foul("phase", "lay.named", phase=table.phase(named), due=table.phase(event.phase))
    if named is not None or table.ruleset.progress != "free" or table.is_replay:
        return
    is_named = table.options.free_phase_named is True
    last = len(table.ruleset.phases) if is_named else event.phase
    for number in range(1, last + 1):
        if number in seat.made or number == event.phase:
            continue
        if _fits(table, number, event, played):
            raise Foul("phase", "lay.fits_too", phase=table.phase(number))


def _fits(table: RefereeTable, number: int, event: PhaseLaid, played: Sequence[Card]) -> bool:
    """Whether the groups that were laid make another phase as well."""
    assert event.act
    assert isinstance(event.act.command, Lay)
    needs, named, start = table.ruleset.phases[number - 1].needs, event.act.command.groups, 0
    if len(needs) != len(named):
        return False
    groups = []
    for need, group in zip(needs, named, strict=True):
        own = played[start : start + len(group.cards.split())]
        start += len(own)
        made = some_group(need, own, group.value, table.ruleset)
        if made is None:
            return False
        groups.append(made)
    try:
        see_naturals(groups, table.ruleset)
    except Foul:
        return False
    return True


def _groups(
    table: RefereeTable, number: int, event: PhaseLaid, played: Sequence[Card]
) -> list[RefereeGroup]:
    """The groups of a phase, made of the cards that lie there.

    Raises:
        Foul: they make none.

    """
    groups: list[RefereeGroup] = []
    needs = table.ruleset.phases[number - 1].needs
    for need, group in zip(needs, event.groups, strict=True):
        start = sum(len(laid.cards) for laid in groups)
        own = played[start : start + len(group.cards.split())]
        groups.append(new_group(need, own, group.low, group.high, table.ruleset))
    see_naturals(groups, table.ruleset)
    return groups


def _see_placement(table: RefereeTable, group: RefereeGroup) -> None:
    """Check under `high_then_low` that the cards, not their order, place the wilds (O-07)."""
    options = table.options
    if options.wild_placement != "high_then_low" or group.need.kind not in RUNS:
        return
    if not table.ruleset.revision:
        return
    if is_overfull(group.need, group.cards):
        return
    due = run_order(group.need, group.cards, wraps=options.run_wrap)
    if due and [card.replaces_any for card in due] != [c.replaces_any for c in group.cards]:
        raise Foul("placement", "lay.wilds")


def _see_value(group: RefereeGroup, event: PhaseLaid, place: int) -> None:
    """Check that the group has the value that the player named, which wilds alone need (X-34)."""
    assert event.act
    assert isinstance(event.act.command, Lay)
    value = event.act.command.groups[place].value
    if value is None and needs_value(group.need, group.cards):
        raise Foul("value", "lay.wilds_unsaid")
    if value not in (None, group.low) and not is_overfull(group.need, group.cards):
        raise Foul(
            "value", "lay.value", value=value, kind=word("kind", group.need.kind), n=group.low
        )


def hit(table: RefereeTable, event: CardsHit) -> None:
    """Add cards of a player who has laid to any group on the table."""
    seat = seat_to_play(table, event.seat)
    if not seat.laid:
        raise Foul("not_laid", "hit.not_laid", name=seat.name)
    if not 0 <= event.group < len(table.groups):
        raise Foul("no_group", "hit.no_group", value=event.group)
    command = event.act.command if event.act else None
    if (
        not isinstance(command, Hit)
        or command.group != event.group
        or (_faces(table, command.cards) != event.cards.split())
    ):
        raise Foul("hand", "hit.others")
    group = table.groups[event.group]
    if group.need.kind in RUNS and command.end not in ("", event.end):
        raise Foul(
            "hand", "hit.end", end=word("end", command.end), other_end=word("end", event.end)
        )
    played = table.take_from_hand(seat, event.cards)
    if group.need.kind in RUNS and not command.end:
        _see_end(table, group, played, event.end)
    add(group, played, event.end, table.ruleset)
    if (group.low, group.high, group.half) != (event.low, event.high, event.half):
        raise Foul("hit", "hit.marks", n=group.low, m=group.high, k=event.low, p=event.high)
    _after(table, event.seat, played)


def _see_end(table: RefereeTable, group: RefereeGroup, cards: Sequence[Card], end: str) -> None:
    """Check the end: without a named end only one is possible; `high_then_low` tries high first."""
    is_explicit = table.options.wild_placement == "explicit"
    if end == "high" and not is_explicit:
        return
    other = RefereeGroup(group.need, [*group.cards], group.low, group.high)
    other.half = group.half
    try:
        add(other, cards, "low" if end == "high" else "high", table.ruleset)
    except Foul:
        return
    if is_explicit:
        raise Foul("placement", "hit.either")
    raise Foul("placement", "hit.high")


def _after(table: RefereeTable, number: int, played: Sequence[Card]) -> None:
    """Check that a lay or hit leaves a last card to discard, where the rules require one."""
    table.taken -= Counter(played)  # copies are equal: the taken one is gone
    if table.seats[number].hand:
        return
    if table.options.going_out == "discard_required":
        raise Foul("keep_a_card", "keep_one")
    table.end_round(number)
