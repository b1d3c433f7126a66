"""Positions and moves of the three card games written as text: one row of a table is one case."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from phaseledger.domain.cards import parse, show
from phaseledger.domain.commands import Command, Discard, Draw, GroupToLay, Hit, Lay, Pass
from phaseledger.domain.legal import legal
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import SeatState, State
from tests.support.table import play, refusal, table

CARD_GAMES = {"C": preset("classic"), "D": preset("standard-deck"), "X": preset("express")}
"""By the letter of their rules."""


def seated(
    ruleset: RuleSet,
    hands: str,
    discard: str = "Y12",
    changed: dict[str, Any] | None = None,
    **rows: Any,
) -> State:
    """A table with ``R1 R2 | R3`` in its hands, in the letters of coloured cards in every game;
    ``changed`` are fields of the state itself.
    """
    state = table(hands.split("|"), ruleset=ruleset, discard=discard, **rows)
    return replace(state, **changed or {})


def move(text: str, state: State) -> tuple[int, Command]:
    """A seat and its command: ``draw``, ``take``, ``pass``, ``throw S>1``, ``lay 2 [R1 W=7]``,
    ``hit 0 R7 high``; a number before it is the seat, else it is whoever is asked.
    """
    seat, _, rest = text.partition(" ") if text[0].isdigit() else ("", "", text)
    verb, _, rest = (rest if seat else text).partition(" ")
    number = int(seat) if seat else state.waits[0].seat

    def own(cards: str) -> str:
        return show(parse(cards), state.ruleset.deck.notation)

    match verb:
        case "draw" | "take":
            return number, Draw("stock" if verb == "draw" else "discard")
        case "pass":
            return number, Pass()
        case "throw":
            cards, _, target = rest.partition(">")
            return number, Discard(own(cards), int(target) if target else None)
        case "hit":
            group, *cards = rest.split()
            end = cards.pop() if cards[-1] in ("low", "high") else ""
            return number, Hit(int(group), own(" ".join(cards)), end)
    phase, _, groups = rest.partition("[")
    named = [group.strip(" []").partition("=") for group in groups.split("[")]
    laid = tuple(GroupToLay(own(cards), int(v) if v else None) for cards, _, v in named)
    return number, replace(Lay(laid), phase=int(phase) if phase.strip() else None)


def after(state: State, moves: str) -> State:
    """The state after moves with ``; `` between them."""
    for text in moves.split("; ") if moves else ():
        state = play(state, move(text, state))
    return state


_FACTS: dict[str, Callable[[State, list[SeatState]], object]] = {
    "hands": lambda _, seats: " | ".join(show(seat.hand) for seat in seats),
    "pile": lambda state, _: show(state.discard),
    "stock": lambda state, _: len(state.stock),
    "groups": lambda state, _: [show(group.cards) for group in state.groups],
    "sizes": lambda state, _: [len(group.cards) for group in state.groups],
    "ends": lambda state, _: [(group.low, group.high) for group in state.groups],
    "halves": lambda state, _: [group.half for group in state.groups],
    "asked": lambda state, _: (state.waits[0].seat, state.waits[0].kind),
    "phases": lambda _, seats: [seat.phase for seat in seats],
    "points": lambda _, seats: [seat.points for seat in seats],
    "laid": lambda _, seats: [seat.laid for seat in seats],
    "made": lambda _, seats: [seat.made for seat in seats],
    "skips": lambda _, seats: [seat.skips for seat in seats],
}
"""What tables say of a state under these names; any other is a field of it."""


def fact(state: State, name: str) -> object:
    """What a table says of a state."""
    reader = _FACTS.get(name)
    seats = [state.seat(number) for number in range(len(state.seats))]
    return reader(state, seats) if reader else getattr(state, name)


def check(state: State, moves: str, expected: object, rule: str) -> None:
    """See that the moves lead to facts, that only those of a text are listed then (``legal``), or
    that the last is refused: ``!code``.
    """
    if isinstance(expected, str):
        *before, last = moves.split("; ")
        state = after(state, "; ".join(before))
        assert refusal(state, *move(last, state)) == (expected[1:], rule)
        return
    state = after(state, moves)
    assert isinstance(expected, dict)
    facts = {name: fact(state, name) for name in expected if name != "legal"}
    if "legal" in expected:
        listed = [move(text, state)[1] for text in expected["legal"].split("; ")]
        assert list(legal(state, state.waits[0].seat)) == listed
        facts["legal"] = expected["legal"]
    assert facts == expected
