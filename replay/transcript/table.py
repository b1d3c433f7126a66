"""The state of the table after an event, as text and as data for one viewer."""

from typing import Any

import msgspec

from phaseledger.domain.cards import show
from phaseledger.domain.ruleset import phase_number
from phaseledger.domain.state import State
from phaseledger.domain.view import SeatView, view
from phaseledger.replay.text import Viewer, clean
from phaseledger.replay.transcript.card_text import group_text, held_text, lying_text, name


def table_text(state: State, viewer: Viewer) -> list[str]:
    """The table in lines: stock and pile, seats, laid groups, and the hands the viewer sees."""
    table = view(state, None if viewer == "all" else viewer)
    if not table.round:
        names = [clean(seat.name) for seat in table.seats if seat]
        return [f"{table.ruleset}, {table.stage}; at the table: {', '.join(names) or 'nobody'}"]
    turn = "" if table.active is None else f", turn {table.turn} ({name(state, table.active)})"
    piles = f"stock {table.stock} cards, discard pile {table.discards} cards"
    lines = [
        f"{table.ruleset}, {table.stage}, round {table.round}{turn}",
        f"{piles}, top {table.discard or '-'}",
    ]
    if state.ruleset.pile == "covered" and (viewer == "all" or "?" not in table.pile):
        pile = show(state.discard, state.ruleset.deck.notation)
        lines.append(f"discard pile from its bottom: {pile or '-'}")
    if table.dice:
        action = f", {table.action}" if table.action else ""
        lines.append(f"dice {' and '.join(map(str, table.dice))}{action}")
    width = max(len(clean(seat.name)) for seat in table.seats if seat)
    lines += [_seat_text(state, seat, viewer, width) for seat in table.seats if seat]
    lines += [
        f"  group {number} ({name(state, group.owner)}): {group_text(state, group, viewer)}"
        for number, group in enumerate(state.groups)
    ]
    if table.waits:
        questions = [f"{name(state, question.seat)} to {question.kind}" for question in table.waits]
        lines.append(f"waiting for {', '.join(questions)}")
    if table.winners:
        lines.append("won by " + ", ".join(name(state, seat) for seat in table.winners))
    return lines


def _seat_text(state: State, seat: SeatView, viewer: Viewer, width: int) -> str:
    number = seat.seat
    number_text = f"{phase_number(state.ruleset, seat.phase):>2}"
    phase = f"phase {number_text}{' laid' if seat.laid else '     '}"
    points = "" if state.ruleset.scoring == "none" else f"  {seat.points:4} points"
    details = [] if seat.pawn is None else [f"pawn on {seat.pawn}"]
    details += [f"skipped {seat.skips}"] * bool(seat.skips)
    details += [f"in front {seat.front}"] * bool(seat.front)
    hand = ""
    if viewer in ("all", number):
        hand = f": {held_text(state, state.seat(number).hand, viewer)}"
    elif seat.jokers:
        details.append(f"jokers {seat.jokers}")
    details_text = "".join(f", {text}" for text in details)
    cards = f"{seat.cards:2} cards{details_text}{hand}"
    return f"  {number} {clean(seat.name):{width}}  {phase}{points}  {cards}"


def table_data(state: State, viewer: Viewer) -> dict[str, Any]:
    """The viewer's `domain.view.TableView` as plain data. Where all is seen, ``hands`` are added,
    and the pile and the jokers of laid groups have their faces.
    """
    data: dict[str, Any] = msgspec.to_builtins(view(state, None if viewer == "all" else viewer))
    if viewer == "all":
        notation = state.ruleset.deck.notation
        data["hands"] = [show(seat.hand, notation) if seat else None for seat in state.seats]
        data["pile"] = show(state.discard, notation)
        for group_data, group in zip(data["groups"], state.groups, strict=True):
            group_data["cards"] = lying_text(state, group.cards, viewer)
    return data
