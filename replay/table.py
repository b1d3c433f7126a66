"""The table as it stood after some event, as text and as data for one viewer."""

from typing import Any

import msgspec

from domain.cards import show
from domain.state import State
from domain.view import view
from replay.transcript import Viewer, clean, group_text, name


def table_text(state: State, viewer: Viewer) -> list[str]:
    """The table in lines: stock and pile, seats, laid groups, and the hands the viewer sees."""
    seen = view(state, None if viewer == "all" else viewer)
    notation = state.ruleset.deck.notation
    if not seen.round:
        taken = [clean(seat.name) for seat in seen.seats if seat]
        return [f"{seen.ruleset}, {seen.stage}; at the table: {', '.join(taken) or 'nobody'}"]
    turn = "" if seen.active is None else f", turn {seen.turn} ({name(state, seen.active)})"
    lines = [
        f"{seen.ruleset}, {seen.stage}, round {seen.round}{turn}",
        f"stock {seen.stock} cards, discard pile {seen.discards} cards, top {seen.discard or '-'}",
    ]
    width = max(len(clean(seat.name)) for seat in seen.seats if seat)
    for number, seat in enumerate(seen.seats):
        if seat is None:
            continue
        phase = f"phase {seat.phase:2}{' laid' if seat.laid else '     '}"
        skips = f", skipped {seat.skips}" if seat.skips else ""
        hand = ""
        if viewer in ("all", number):
            hand = f": {show(state.seat(number).hand, notation)}"
        lines.append(
            f"  {number} {clean(seat.name):{width}}  {phase}  {seat.points:4} points  "
            f"{seat.cards:2} cards{skips}{hand}"
        )
    lines += [
        f"  group {i} ({name(state, group.owner)}): "
        + group_text(group, group.need.kind, show(group.cards, notation))
        for i, group in enumerate(state.groups)
    ]
    if seen.winners:
        lines.append("won by " + ", ".join(name(state, seat) for seat in seen.winners))
    return lines


def table_data(state: State, viewer: Viewer) -> dict[str, Any]:
    """The viewer's `domain.view.TableView` as plain data; with ``hands`` where all are seen."""
    data: dict[str, Any] = msgspec.to_builtins(view(state, None if viewer == "all" else viewer))
    if viewer == "all":
        notation = state.ruleset.deck.notation
        data["hands"] = [show(seat.hand, notation) if seat else None for seat in state.seats]
    return data
