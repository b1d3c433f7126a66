"""The table as it stood after some event, as text and as data for one viewer."""

from typing import Any

import msgspec

from phaseledger.domain.cards import show
from phaseledger.domain.state import State
from phaseledger.domain.view import SeatView, view
from phaseledger.replay.text import Viewer, clean
from phaseledger.replay.transcript.transcript import group_text, held_text, lying_text, name


def table_text(state: State, viewer: Viewer) -> list[str]:
    """The table in lines: stock and pile, seats, laid groups, and the hands the viewer sees."""
    seen = view(state, None if viewer == "all" else viewer)
    if not seen.round:
        taken = [clean(seat.name) for seat in seen.seats if seat]
        return [f"{seen.ruleset}, {seen.stage}; at the table: {', '.join(taken) or 'nobody'}"]
    turn = "" if seen.active is None else f", turn {seen.turn} ({name(state, seen.active)})"
    lines = [
        f"{seen.ruleset}, {seen.stage}, round {seen.round}{turn}",
        f"stock {seen.stock} cards, discard pile {seen.discards} cards, top {seen.discard or '-'}",
    ]
    if state.ruleset.pile == "covered" and (viewer == "all" or "?" not in seen.pile):
        pile = show(state.discard, state.ruleset.deck.notation)
        lines.append(f"discard pile from its bottom: {pile or '-'}")
    if seen.dice:
        action = f", {seen.action}" if seen.action else ""
        lines.append(f"dice {' and '.join(map(str, seen.dice))}{action}")
    width = max(len(clean(seat.name)) for seat in seen.seats if seat)
    lines += [_seat_text(state, seat, viewer, width) for seat in seen.seats if seat]
    lines += [
        f"  group {i} ({name(state, group.owner)}): {group_text(state, group, viewer)}"
        for i, group in enumerate(state.groups)
    ]
    if seen.waits:
        asked = [f"{name(state, question.seat)} to {question.kind}" for question in seen.waits]
        lines.append(f"waiting for {', '.join(asked)}")
    if seen.winners:
        lines.append("won by " + ", ".join(name(state, seat) for seat in seen.winners))
    return lines


def _seat_text(state: State, seat: SeatView, viewer: Viewer, width: int) -> str:
    number = seat.seat
    phase = f"phase {seat.phase:2}{' laid' if seat.laid else '     '}"
    points = "" if state.ruleset.scoring == "none" else f"  {seat.points:4} points"
    more = [] if seat.pawn is None else [f"pawn on {seat.pawn}"]
    more += [f"skipped {seat.skips}"] * bool(seat.skips)
    more += [f"in front {seat.front}"] * bool(seat.front)
    hand = ""
    if viewer in ("all", number):
        hand = f": {held_text(state, state.seat(number).hand, viewer)}"
    elif seat.jokers:
        more.append(f"jokers {seat.jokers}")
    rest = "".join(f", {text}" for text in more)
    return (
        f"  {number} {clean(seat.name):{width}}  {phase}{points}  {seat.cards:2} cards{rest}{hand}"
    )


def table_data(state: State, viewer: Viewer) -> dict[str, Any]:
    """The viewer's `domain.view.TableView` as plain data. Where all is seen, ``hands`` are added,
    and the pile and the jokers of laid groups have their faces.
    """
    data: dict[str, Any] = msgspec.to_builtins(view(state, None if viewer == "all" else viewer))
    if viewer == "all":
        notation = state.ruleset.deck.notation
        data["hands"] = [show(seat.hand, notation) if seat else None for seat in state.seats]
        data["pile"] = show(state.discard, notation)
        for shown, group in zip(data["groups"], state.groups, strict=True):
            shown["cards"] = lying_text(state, group.cards, viewer)
    return data
