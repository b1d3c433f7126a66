"""Changes of lays, hits and moves on the ring that the rules do not allow (event_mutations.py)."""

from collections.abc import Sequence

from msgspec.structs import replace

from phaseledger.domain import events as e
from phaseledger.domain.commands import Hit, Lay, Move
from phaseledger.replay.evidence.referee.cards import Card
from phaseledger.replay.evidence.referee.table import RefereeTable
from tests.support.replay.turn_changes import Events, commanded


def natural(table: RefereeTable, hand: Sequence[Card], unlike: Card, key: str) -> str:
    """The text of a natural card in the hand that differs from another one in rank or colour."""
    for card in hand:
        if card.is_natural and getattr(card, key) != getattr(unlike, key):
            return table.words([card])
    return ""


# --- lays and hits ----------------------------------------------------------------------------


def relaid(event: e.PhaseLaid, groups: Sequence[e.LaidGroup]) -> Events:
    assert event.act
    assert isinstance(event.act.command, Lay)
    spoken = event.act.command.groups[: len(groups)]
    named = [replace(group, cards=laid.cards) for group, laid in zip(spoken, groups, strict=True)]
    return [replace(event, groups=tuple(groups), act=commanded(event, groups=tuple(named)))]


def lay_that_is_none(event: e.PhaseLaid, table: RefereeTable, _: Events) -> Events | None:
    needs = table.ruleset.phases[event.phase - 1].needs
    hand = table.seats[event.seat].hand
    laid = " ".join(group.cards for group in event.groups).split()
    rest = [card for card in hand if table.words([card]) not in laid]
    for number, (need, group) in enumerate(zip(needs, event.groups, strict=True)):
        words = group.cards.split()
        place = next(
            (i for i, word in enumerate(words) if word[0] not in "JWA*" or word[1:] in "HSDC"), None
        )
        if place is None or need.kind == "parity":
            continue
        card = table.read(words[place])[0]
        key = "colour" if need.kind == "color" else "rank"
        if need.kind == "color" and not table.options.color_is_suit:
            continue
        if not (other := natural(table, rest, card, key)):
            continue
        naturals = [word for word in words if word[0] not in "JWA*"]
        if len(naturals) < 2:
            continue
        words[place] = other
        groups = list(event.groups)
        groups[number] = replace(group, cards=" ".join(words))
        return relaid(event, groups)
    return None


def missing_group(event: e.PhaseLaid, _: RefereeTable, __: Events) -> Events | None:
    return relaid(event, event.groups[:-1]) if len(event.groups) > 1 else None


def short_group(event: e.PhaseLaid, table: RefereeTable, _: Events) -> Events | None:
    (need, *_rest) = table.ruleset.phases[event.phase - 1].needs
    words = event.groups[0].cards.split()
    size = need.size * (2 if need.kind == "pairrun" else 1)
    if len(words) != size:
        return None
    first = event.groups[0]
    step = (
        {"parityrun": 2}.get(need.kind, 1) if need.kind in ("run", "colorrun", "parityrun") else 0
    )
    short = replace(first, cards=" ".join(words[:-1]), high=first.high - step)
    return relaid(event, [short, *event.groups[1:]])


def other_phase(event: e.PhaseLaid, table: RefereeTable, _: Events) -> Events:
    count = len(table.ruleset.phases)
    return [replace(event, phase=event.phase + 1 if event.phase < count else event.phase - 1)]


def shifted_run(event: e.PhaseLaid, _: RefereeTable, __: Events) -> Events:
    first = event.groups[0]
    moved = replace(first, low=first.low + 1, high=first.high + 1)
    return [replace(event, groups=(moved, *event.groups[1:]))]


def not_credited(event: e.PhaseLaid, _: RefereeTable, __: Events) -> Events:
    return [replace(event, credited=not event.credited)]


def hit_that_is_none(event: e.CardsHit, table: RefereeTable, _: Events) -> Events | None:
    group = table.groups[event.group]
    if " " in event.cards or not isinstance(event.act and event.act.command, Hit):
        return None
    if group.need.kind in ("set", "run", "parityrun"):
        fits = {group.low % 12, (group.low - 1) % 12, (group.low - 2) % 12}
        fits |= {group.high % 12, (group.high + 1) % 12, (group.high + 2) % 12}
        hand = [c for c in table.seats[event.seat].hand if c.is_natural and c.rank % 12 not in fits]
    elif group.need.kind == "color" and table.options.color_is_suit:
        hand = [c for c in table.seats[event.seat].hand if c.is_natural and c.colour != group.low]
    else:
        return None
    if not hand:
        return None
    text = table.words(hand[:1])
    return [replace(event, cards=text, act=commanded(event, cards=text))]


def other_group(event: e.CardsHit, table: RefereeTable, _: Events) -> Events:
    return [replace(event, group=(event.group + 1) % (len(table.groups) + 1))]


def moved_end(event: e.CardsHit, _: RefereeTable, __: Events) -> Events:
    return [replace(event, high=event.high + 1)]


def early_hit(event: e.PhaseLaid, table: RefereeTable, _: Events) -> Events | None:
    """A hit before the own phase lies there."""
    card = next((card for card in table.seats[event.seat].hand if card.is_natural), None)
    if not table.groups or card is None:
        return None
    text, group = table.words([card]), table.groups[0]
    act = e.Act(Hit(0, text), event.seat)
    return [
        e.CardsHit(seat=event.seat, group=0, cards=text, low=group.low, high=group.high, act=act)
    ]


# --- the ring ---------------------------------------------------------------------------------


def other_dice(event: e.DiceRolled, _: RefereeTable, __: Events) -> Events:
    return [replace(event, dice=(7, event.dice[1]))]


def other_space(event: e.PawnMoved, table: RefereeTable, _: Events) -> Events:
    space = (event.space + 1) % len(table.ruleset.track)
    return [replace(event, space=space, action=table.ruleset.track[space])]


def other_action(event: e.PawnMoved, _: RefereeTable, __: Events) -> Events:
    return [replace(event, action="JOKER" if event.action != "JOKER" else "ASK")]


def other_steps(event: e.PawnMoved, table: RefereeTable, _: Events) -> Events | None:
    if not isinstance(event.act and event.act.command, Move):
        return None
    first, second = table.dice
    steps = next(n for n in range(1, 13) if n not in (first, second, first + second))
    return [replace(event, act=commanded(event, steps=steps))]


def seen_joker(event: e.CardTurned, _: RefereeTable, __: Events) -> Events:
    secret = event.hidden[f"not:{event.seat}"]
    if str(event.seat) in event.hidden:
        return [replace(event, hidden={f"not:{event.seat}": secret})]
    return [replace(event, hidden={**event.hidden, str(event.seat): secret})]


def other_count(event: e.CardsSwapped, _: RefereeTable, __: Events) -> Events:
    return [replace(event, count=event.count + 1)]


def other_value(event: e.CardAsked, _: RefereeTable, __: Events) -> Events:
    return [replace(event, value=event.value % 12 + 1)]


def other_giver(event: e.CardGiven, table: RefereeTable, _: Events) -> Events:
    return [replace(event, seat=table.after(event.seat))]


def other_place(event: e.CardDrawn, table: RefereeTable, _: Events) -> Events | None:
    if event.source != "pile":
        return None
    secret = event.hidden[str(event.seat)]
    card = table.pile[secret.place]
    place = next((i for i, other in enumerate(table.pile) if other != card), None)
    if place is None:
        return None
    return [replace(event, hidden={str(event.seat): replace(secret, place=place)})]


def six_kept(event: e.CardsKept, table: RefereeTable, _: Events) -> Events | None:
    naturals = [card for card in table.seats[event.seat].hand if card.is_natural][:6]
    if len(naturals) < 6:
        return None
    text = table.words(naturals)
    if table.options.keep_choice == "seat_order_open":
        return [replace(event, cards=text)]
    return [replace(event, hidden={str(event.seat): e.Secret(said=text)})]
