"""The referee's table of any position: of a state of the rules, and for the page's referee."""

from collections import Counter
from typing import Any

import msgspec

from phaseledger.domain.cards import show
from phaseledger.domain.state import QuestionKind, State
from phaseledger.replay.evidence.referee.cards import Card
from phaseledger.replay.evidence.referee.referee import Referee
from phaseledger.replay.evidence.referee.sheets import SHEETS
from phaseledger.replay.evidence.referee.table import Next, RefereeGroup, RefereeSeat, RefereeTable

_STEPS: dict[QuestionKind, Next] = {
    "draw": "draw",
    "play": "play",
    "move": "move",
    "choose": "choose",
    "search": "search",
    "swap": "swap",
    "ask": "ask",
    "give": "give",
    "keep": "keep",
}
"""What the referee calls due where the rules ask a question."""


def table_of(state: State) -> RefereeTable:
    """A state in which somebody is asked, as the referee would have it after the same events."""
    first, ruleset = state.waits[0], state.ruleset
    table = RefereeTable(ruleset, len(state.seats), state.dealer)
    table.letter = next((sheet.letter for sheet in SHEETS if sheet.name == ruleset.name), "")
    table.seats = [_seat(table, state, number) for number in range(len(state.seats))]
    table.next = _STEPS[first.kind]
    table.round, table.is_replay = state.round, state.replay
    table.players, table.active, table.turn = [*state.players], first.seat, state.turn
    table.turns_of_round, table.passes = state.turn - state.round_turn, state.passes
    table.stock, table.pile = _cards(table, state.stock), _cards(table, state.discard)
    table.groups = [_group(table, group) for group in state.groups]
    table.shuffles, table.taken = state.shuffles, Counter(_cards(table, state.taken))
    table.dice, table.rolls = state.dice, state.rolls
    table.plays_again = state.action == "AGAIN" and first.kind != "move"
    if first.kind == "draw":
        table.wanted = first.number or 1
    if first.kind in ("give", "keep"):
        table.active = state.active
    if first.kind == "give":
        table.gifts, table.asked_value = [first.seat], first.number
    if first.kind == "keep":
        table.keepers = [question.seat for question in state.waits]
        table.out = table.last_out = state.out
    if state.replay:
        _set_replay(table)
    return table


def _set_replay(table: RefereeTable) -> None:
    """Who is tied: of those who have made every phase, the ones with the fewest points."""
    all_phases = {*range(1, len(table.ruleset.phases) + 1)}
    for seat in table.seats:  # the rules say that all of them are at the last phase
        seat.phase = min((all_phases | {len(all_phases) + 1}) - seat.made)
    points = {n: seat.points for n, seat in enumerate(table.seats) if seat.made == all_phases}
    table.tied = [number for number, count in points.items() if count == min(points.values())]


def _seat(table: RefereeTable, state: State, number: int) -> RefereeSeat:
    given = state.seat(number)
    unnamed = table.seats[number]
    seat = unnamed if given.name == unnamed.name else RefereeSeat(given.name)
    seat.hand, seat.front = _cards(table, given.hand), _cards(table, given.front)
    seat.phase, seat.laid, seat.points = given.phase, given.laid, given.points
    phases = range(1, len(state.ruleset.phases) + 1)
    seat.made = {phase for phase in phases if given.made >> phase - 1 & 1}
    seat.turns_to_lose, seat.has_just_lost_a_turn = given.skips, given.served
    seat.pawn = given.pawn
    seat.kept = None if given.kept is None else _cards(table, given.kept)
    return seat


def _group(table: RefereeTable, group: Any) -> RefereeGroup:
    made = RefereeGroup(group.need, _cards(table, group.cards), group.low, group.high)
    made.half = group.half
    return made


def _cards(table: RefereeTable, cards: bytes) -> list[Card]:
    return table.read(show(cards, table.notation))


def seated(table: RefereeTable) -> Referee:
    """A referee who comes to this table."""
    referee = Referee()
    referee.table = table
    return referee


def table_facts(table: RefereeTable) -> dict[str, Any]:
    """All that a table holds, in the names of the page's referee; cards as text."""

    def text(cards: list[Card]) -> str:
        return " ".join(table.words([card]) for card in cards)

    seats = [
        {
            "name": seat.name,
            "hand": text(seat.hand),
            "phase": seat.phase,
            "made": sorted(seat.made),
            "laid": seat.laid,
            "points": seat.points,
            "turnsToLose": seat.turns_to_lose,
            "hasJustLostATurn": seat.has_just_lost_a_turn,
            "front": text(seat.front),
            "pawn": seat.pawn,
            "kept": None if seat.kept is None else text(seat.kept),
        }
        for seat in table.seats
    ]
    groups = [
        {
            "need": msgspec.to_builtins(group.need),
            "cards": text(group.cards),
            "low": group.low,
            "high": group.high,
            "half": group.half,
        }
        for group in table.groups
    ]
    return {
        "ruleset": msgspec.to_builtins(table.ruleset),
        "seats": seats,
        "groups": groups,
        "cards": {
            "stock": text(table.stock),
            "pile": text(table.pile),
            "taken": text(list((+table.taken).elements())),
        },
        "facts": {
            "letter": table.letter,
            "dealer": table.dealer,
            "next": table.next,
            "round": table.round,
            "isReplay": table.is_replay,
            "tied": table.tied,
            "players": table.players,
            "active": table.active,
            "turn": table.turn,
            "turnsOfRound": table.turns_of_round,
            "passes": table.passes,
            "shuffles": table.shuffles,
            "dice": list(table.dice),
            "rolls": table.rolls,
            "playsAgain": table.plays_again,
            "wanted": table.wanted,
            "gifts": table.gifts,
            "askedValue": table.asked_value,
            "out": table.out,
            "lastOut": table.last_out,
            "keepers": table.keepers,
            "winners": table.winners,
        },
    }


SET_TABLE = """({ ruleset, seats, groups, cards, facts }) => {
  const table = new rules.RefereeTable(ruleset, seats.length, facts.dealer);
  const read = (text) => table.read(text);
  table.seats = seats.map((seat, number) => ({
    ...seat, hand: read(seat.hand), made: new Set(seat.made), front: read(seat.front),
    name: seat.name === `seat ${number}` ? table.seats[number].name : seat.name,
    kept: seat.kept === null ? null : read(seat.kept),
  }));
  table.groups = groups.map((group) => ({ ...group, cards: read(group.cards) }));
  const taken = new Map();
  for (const card of read(cards.taken)) taken.set(card, (taken.get(card) ?? 0) + 1);
  const copy = structuredClone(facts);
  return Object.assign(table, copy, { stock: read(cards.stock), pile: read(cards.pile), taken });
}"""
"""In the page: the table with these facts."""
