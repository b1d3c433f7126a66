"""Changes of the events of rounds and turns that the rules do not allow (event_mutations.py)."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from phaseledger.domain import events as e
from phaseledger.domain.commands import Discard
from phaseledger.replay.evidence.referee.table import RefereeTable

Events = Sequence[e.Event]
Change = Callable[[Any, RefereeTable, Events], Events | None]
"""The event, the table before it and the game's events to what stands in its place."""


def commanded(event: e.Event, **arguments: object) -> e.Act | None:
    """The event's decision with other arguments, as a server that took it would have stored it."""
    act = event.act
    return replace(act, command=replace(act.command, **arguments)) if act else None


# --- rounds -----------------------------------------------------------------------------------


def other_result(**by: int) -> Change:
    def change(event: e.RoundEnded, table: RefereeTable, _: Events) -> Events | None:
        seat = table.round % len(event.results)
        results = list(event.results)
        changed = {name: getattr(results[seat], name) + step for name, step in by.items()}
        results[seat] = replace(results[seat], **changed)
        return [replace(event, results=tuple(results))]

    return change


def other_out(event: e.RoundEnded, table: RefereeTable, _: Events) -> Events:
    return [replace(event, out=table.after(event.out) if event.out is not None else 0)]


def swapped_hands(event: e.RoundEnded, _: RefereeTable, __: Events) -> Events | None:
    texts = [result.hand for result in event.results]
    if len(set(texts)) == 1:
        return None
    rotated = texts[1:] + texts[:1]
    pairs = zip(event.results, rotated, strict=True)
    return [replace(event, results=tuple(replace(result, hand=hand) for result, hand in pairs))]


def other_dealer(event: e.RoundDealt, table: RefereeTable, _: Events) -> Events:
    return [replace(event, dealer=(event.dealer + 1) % len(table.seats))]


def other_starter(event: e.RoundDealt, table: RefereeTable, _: Events) -> Events | None:
    if table.options.first_player == "random":
        return None
    return [replace(event, players=(*event.players[1:], event.players[0]))]


def other_phases(event: e.RoundDealt, _: RefereeTable, __: Events) -> Events:
    phases = [phase + (number == event.players[0]) for number, phase in enumerate(event.phases)]
    return [replace(event, phases=tuple(phases))]


def short_hand(event: e.RoundDealt, _: RefereeTable, __: Events) -> Events | None:
    number = event.players[-1]
    secret = event.hidden.get(str(number))
    if secret is None or not secret.hand:
        return None
    text = " ".join(secret.hand.split()[1:])
    hidden = {**event.hidden, str(number): replace(secret, hand=text)}
    hands = tuple(count - (seat == number) for seat, count in enumerate(event.hands))
    return [replace(event, hands=hands, hidden=hidden)]


def doubled_card(event: e.RoundDealt, _: RefereeTable, __: Events) -> Events | None:
    words = event.hidden["stock"].stock.split()
    if len(set(words)) < 2:
        return None
    other = next(word for word in words if word != words[0])
    text = " ".join([other, *words[1:]])
    return [
        replace(event, hidden={**event.hidden, "stock": replace(event.hidden["stock"], stock=text)})
    ]


def lost_turn(event: e.RoundDealt, _: RefereeTable, __: Events) -> Events:
    return [replace(event, skips=tuple(count + 1 for count in event.skips))]


def other_winner(event: e.GameEnded, table: RefereeTable, _: Events) -> Events:
    return [replace(event, winners=((event.winners[0] + 1) % len(table.seats),))]


def all_win(event: e.GameEnded, table: RefereeTable, _: Events) -> Events | None:
    everybody = tuple(range(len(table.seats)))
    return None if event.winners == everybody else [replace(event, winners=everybody)]


# --- turns ------------------------------------------------------------------------------------


def gone(_: e.Event, __: RefereeTable, ___: Events) -> Events:
    return []


def twice(event: e.Event, _: RefereeTable, __: Events) -> Events:
    return [event, event]


def other_seat(event: Any, table: RefereeTable, _: Events) -> Events:
    return [replace(event, seat=(event.seat + 1) % len(table.seats))]


def turn_for_skip(event: e.SkipServed, _: RefereeTable, __: Events) -> Events:
    return [e.TurnBegan(seat=event.seat, turn=event.turn)]


def skip_for_turn(event: e.TurnBegan, _: RefereeTable, __: Events) -> Events:
    return [e.SkipServed(seat=event.seat, turn=event.turn)]


def other_end(event: e.SkipServed, _: RefereeTable, __: Events) -> Events | None:
    if not event.card:
        return None
    return [replace(event, to="top" if event.to == "bottom" else "bottom")]


def other_draw(event: e.CardDrawn, table: RefereeTable, _: Events) -> Events | None:
    if event.source == "discard":
        return [replace(event, card="R1" if event.card != "R1" else "R2")]
    if len(table.stock) < 2 or event.source != "stock":
        return None
    other = next((card for card in table.stock if card != table.stock[0]), None)
    audience = str(event.seat)
    if other is None:
        return None
    return [replace(event, hidden={audience: e.Secret(card=table.words([other]))})]


def foreign_discard(event: e.CardDiscarded, table: RefereeTable, _: Events) -> Events | None:
    hand = table.seats[event.seat].hand
    other = next((card for card in table.stock if card.is_natural and card not in hand), None)
    if other is None:
        return None
    text = table.words([other])
    return [replace(event, cards=text, target=None, act=commanded(event, cards=text, target=None))]


def two_discards(event: e.CardDiscarded, table: RefereeTable, _: Events) -> Events | None:
    hand = [card for card in table.seats[event.seat].hand if card.is_natural]
    if (
        len(hand) < 3
        or " " in event.cards
        or not isinstance(event.act and event.act.command, Discard)
    ):
        return None
    two = table.words([hand[0], hand[1]])
    if table.ruleset.discards_when_full > 1 and table.seats[event.seat].laid:
        return None
    return [replace(event, cards=two, target=None, act=commanded(event, cards=two, target=None))]


def passed(event: e.CardDiscarded, _: RefereeTable, __: Events) -> Events:
    return [e.TurnPassed(seat=event.seat)]


def skips_itself(event: Any, _: RefereeTable, __: Events) -> Events | None:
    if event.target is None:
        return None
    return [replace(event, target=event.seat, act=commanded(event, target=event.seat))]


def early_shuffle(event: e.CardDrawn, table: RefereeTable, _: Events) -> Events | None:
    if not table.stock or len(table.pile) < 2 or event.source != "stock":
        return None
    stock = e.Secret(stock=table.words(table.pile[:-1]))
    shuffled = e.StockShuffled(
        shuffle=table.shuffles + 1, count=len(table.pile) - 1, kept=1, hidden={"stock": stock}
    )
    return [shuffled, event]


def other_shuffle(event: e.StockShuffled, _: RefereeTable, __: Events) -> Events:
    return [replace(event, kept=event.kept + 1, count=event.count - 1)]
