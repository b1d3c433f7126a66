"""Moves that the rules refuse, written down as a server would have that took them all the same.

What a command leaves open (the ends of a group, the card on top, the space that a pawn comes to) is
as favourable to the move as it can be: so an objection is due to the move itself.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from phaseledger.domain import commands as c
from phaseledger.domain import events as e
from phaseledger.domain.ruleset import Need
from phaseledger.replay.evidence.referee.board import TAKE
from phaseledger.replay.evidence.referee.cards import Card
from phaseledger.replay.evidence.referee.groups import RUNS, copies, ladder, new_group
from phaseledger.replay.evidence.referee.table import Foul, RefereeGroup, RefereeTable

_MOST_LAYS = 3


def forged_events(table: RefereeTable, act: c.Act) -> Iterator[e.Event]:
    """The events, one at a time, that could stand for a decision at this table.

    None for a command of the table, which is not the referee's business.
    """
    write = _WRITTEN.get(type(act.command))
    if write and act.seat is not None and 0 <= act.seat < len(table.seats):
        yield from write(table, act, act.seat, act.command)


def _draws(table: RefereeTable, act: c.Act, seat: int, command: c.Draw) -> Iterator[e.Event]:
    if command.source == "stock":
        secret = e.Secret(card=table.words(table.stock[:1]) if table.stock else "R1")
        yield e.CardDrawn(seat=seat, source="stock", hidden={str(seat): secret}, act=act)
        return
    card, top = table.words(table.pile[-1:]) if table.pile else "R1", ""
    if table.ruleset.pile == "covered" and len(table.pile) > 1:
        top = table.words(table.pile[-2:-1])
    yield e.CardDrawn(seat=seat, source="discard", card=card, top=top, act=act)


def _discards(table: RefereeTable, act: c.Act, seat: int, command: c.Discard) -> Iterator[e.Event]:
    cards, target = logged(table, command.cards), command.target
    faces = [card.turned(is_joker=False) for card in _held(table, seat, command.cards)]
    shown = table.words(faces) if "J" in cards and table.notation == "coloured" else ""
    yield e.CardDiscarded(seat=seat, cards=cards, target=target, faces=shown, act=act)
    if target is not None:
        yield e.SkipPlaced(seat=seat, card=cards, target=target, act=act)


def _passes(_: RefereeTable, act: c.Act, seat: int, __: c.Pass) -> Iterator[e.Event]:
    yield e.TurnPassed(seat=seat, act=act)


def _choices(table: RefereeTable, act: c.Act, seat: int, command: c.Choose) -> Iterator[e.Event]:
    for space, action in enumerate(table.ruleset.track):
        if command.action in (action, "TAKE" if action in TAKE else action):
            yield e.PawnMoved(seat=seat, space=space, action=action, act=act)


def _questions(_: RefereeTable, act: c.Act, seat: int, command: c.Ask) -> Iterator[e.Event]:
    yield e.CardAsked(seat=seat, value=command.value, direction=command.direction, act=act)


def _keeps(table: RefereeTable, act: c.Act, seat: int, command: c.Keep) -> Iterator[e.Event]:
    cards = logged(table, command.cards)
    yield e.CardsKept(seat=seat, cards=cards, act=act)
    yield e.CardsKept(seat=seat, hidden={str(seat): e.Secret(said=cards)}, act=act)


def logged(table: RefereeTable, text: str) -> str:
    """The cards of a command as the log writes them: an ace without its suit."""
    is_french = table.notation == "french"
    words = ("A" if is_french and word.startswith("A") else word for word in text.split())
    return " ".join(words)


def _held(table: RefereeTable, seat: int, text: str) -> list[Card]:
    """The named cards with their faces, as far as the hand has them."""
    try:
        return table.name_cards(table.seats[seat], logged(table, text))
    except Foul:
        return []


def _lays(table: RefereeTable, act: c.Act, seat: int, command: c.Lay) -> Iterator[e.Event]:
    """The lay as any phase that it may be meant for, at the ends that suit its cards."""
    phases = [command.phase] if command.phase else range(1, len(table.ruleset.phases) + 1)
    texts = [logged(table, group.cards) for group in command.groups]
    for phase in phases:
        if not 1 <= phase <= len(table.ruleset.phases):
            continue
        needs = table.ruleset.phases[phase - 1].needs
        if command.phase is None and len(needs) != len(texts) and phase != table.seats[seat].phase:
            continue
        choices = [
            list(_ends(table, needs[place], _held(table, seat, text))) if place < len(needs)
            else [(1, 1)]
            for place, text in enumerate(texts)
        ]  # fmt: skip
        for number, ends in enumerate(product(*choices)):
            if number == _MOST_LAYS:
                break
            groups = tuple(
                e.LaidGroup(text, *marks) for text, marks in zip(texts, ends, strict=True)
            )
            yield e.PhaseLaid(
                seat=seat, phase=phase, groups=groups, credited=not table.is_replay, act=act
            )


def _ends(table: RefereeTable, need: Need, cards: list[Card]) -> Iterator[tuple[int, int]]:
    """All ends with which the cards make the group; where they make none, those of the first."""
    none = True
    for low in range(1, 13):
        rows = len(cards) // copies(need)
        steps = ladder(need)
        step = steps[1] - steps[0] if need.kind in RUNS else 0
        for high in {low + step * (rows - 1), low + step * (min(rows, len(steps)) - 1)}:
            try:
                new_group(need, cards, low, high, table.ruleset)
            except Foul:
                continue
            none = False
            yield low, high
    if none:
        first = next((card for card in cards if card.is_natural), Card("number", 1, 1))
        mark = {"color": first.colour, "parity": 2 - first.rank % 2}.get(need.kind, first.rank)
        size = max(0, len(cards) // copies(need) - 1) if need.kind in RUNS else 0
        yield mark, mark + size


def _hits(table: RefereeTable, act: c.Act, seat: int, command: c.Hit) -> Iterator[e.Event]:
    """The hit at either end, with the ends that the group would have."""
    cards, held = logged(table, command.cards), _held(table, seat, command.cards)
    if not 0 <= command.group < len(table.groups):
        yield e.CardsHit(seat=seat, group=command.group, cards=cards, low=1, high=1, act=act)
        return
    group = table.groups[command.group]
    for end in ("low", "high") if group.need.kind in RUNS else ("",):
        for low, high, half in _grown(group, len(held), end, table):
            yield e.CardsHit(
                seat=seat, group=command.group, cards=cards, end=end, low=low, high=high,
                half=half, act=act,
            )  # fmt: skip


def _grown(
    group: RefereeGroup, count: int, end: str, table: RefereeTable
) -> Iterator[tuple[int, int, int]]:
    """Ends of a group with so many cards more: as they were, or so far on as there are rows."""
    yield group.low, group.high, group.half
    if not end:
        return
    steps = ladder(group.need)
    step = (steps[1] - steps[0]) * (count // copies(group.need))
    low, high = (group.low - step, group.high) if end == "low" else (group.low, group.high + step)
    if table.options.run_wrap and low < 1:
        low, high = low + 12, high + 12
    yield low, high, group.half


def _moves(table: RefereeTable, act: c.Act, seat: int, command: c.Move) -> Iterator[e.Event]:
    """The pawn as many free spaces on."""
    occupied = {other.pawn for place, other in enumerate(table.seats) if place != seat}
    track = table.ruleset.track or ("ASK",) * 32
    space, left = table.seats[seat].pawn, command.steps
    while left > 0:
        space = (space + 1) % len(track)
        left -= space not in occupied
    yield e.PawnMoved(seat=seat, space=space, action=track[space], act=act)


def _searches(table: RefereeTable, act: c.Act, seat: int, command: c.Search) -> Iterator[e.Event]:
    words = [table.words([card]) for card in table.pile]
    places = [place for place, word in enumerate(words) if word == command.card] or [0]
    for place in places:
        left = words[:place] + words[place + 1 :]
        secret = e.Secret(card=command.card, said=command.card, place=place)
        yield e.CardDrawn(
            seat=seat, source="pile", top=left[-1] if left else "", act=act,
            hidden={str(seat): secret},
        )  # fmt: skip


def _swaps(table: RefereeTable, act: c.Act, seat: int, command: c.Swap) -> Iterator[e.Event]:
    cards, held = logged(table, command.cards), _held(table, seat, command.cards)
    top = table.words([held[-1].turned(is_joker=False)]) if held else "R1"
    jokers = " ".join(word for word in cards.split() if word.startswith("J"))
    secret = {str(seat): e.Secret(said=cards)}
    count = len(cards.split())
    yield e.CardsSwapped(seat=seat, count=count, top=top, jokers=jokers, hidden=secret, act=act)


def _gifts(table: RefereeTable, act: c.Act, seat: int, command: c.Give) -> Iterator[e.Event]:
    held = _held(table, seat, command.card)
    if command.card.startswith("J"):
        face = table.words([held[0].turned(is_joker=False)]) if held else "R1"
        secret = {f"not:{seat}": e.Secret(card=face)}
        yield e.CardGiven(seat=seat, to=table.active, joker=command.card, hidden=secret, act=act)
    else:
        audience = ",".join(map(str, sorted((seat, table.active))))
        secret = {audience: e.Secret(card=command.card, said=command.card)}
        yield e.CardGiven(seat=seat, to=table.active, hidden=secret, act=act)


_WRITTEN: dict[type[c.Command], Callable[[RefereeTable, c.Act, int, Any], Iterator[e.Event]]] = {
    c.Draw: _draws,
    c.Lay: _lays,
    c.Hit: _hits,
    c.Discard: _discards,
    c.Pass: _passes,
    c.Move: _moves,
    c.Choose: _choices,
    c.Search: _searches,
    c.Swap: _swaps,
    c.Ask: _questions,
    c.Give: _gifts,
    c.Keep: _keeps,
}
