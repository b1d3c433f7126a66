"""The state of the table after an event, as text and as data for one viewer."""

from typing import Any, NamedTuple

import msgspec

from phaseledger.domain.cards import show
from phaseledger.domain.events import Event
from phaseledger.domain.ruleset import phase_number
from phaseledger.domain.state import State
from phaseledger.domain.view import SeatView, TableView, view
from phaseledger.domain.words import Language, message
from phaseledger.replay.text import Viewer, clean
from phaseledger.replay.transcript.card_text import group_text, held_text, lying_text, name


class Step(NamedTuple):
    """An event and the state after it."""

    event: Event
    state: State


def table_text(state: State, viewer: Viewer, lang: Language = "en") -> list[str]:
    """The table in lines: stock and pile, seats, laid groups, and the hands the viewer sees."""
    table = view(state, None if viewer == "all" else viewer)
    stage = message(lang, f"stage.{table.stage}")
    if not table.round:
        names = ", ".join(clean(seat.name) for seat in table.seats if seat)
        names = names or message(lang, "table.nobody")
        return [message(lang, "table.lobby", ruleset=table.ruleset, stage=stage, names=names)]
    lines = [
        message(
            lang,
            "table.round",
            ruleset=table.ruleset,
            stage=stage,
            round=table.round,
            turn=_turn_text(state, table, lang),
        ),
        message(
            lang,
            "table.piles",
            stock=_cards_text(table.stock, lang),
            discards=_cards_text(table.discards, lang),
            top=table.discard or "-",
        ),
    ]
    if state.ruleset.pile == "covered" and (viewer == "all" or "?" not in table.pile):
        pile = show(state.discard, state.ruleset.deck.notation)
        lines.append(message(lang, "table.pile", cards=pile or "-"))
    if table.dice:
        dice = f" {message(lang, 'and')} ".join(map(str, table.dice))
        action = f", {table.action}" if table.action else ""
        lines.append(message(lang, "table.dice", dice=dice, action=action))
    width = max(len(clean(seat.name)) for seat in table.seats if seat)
    lines += [_seat_text(state, seat, viewer, width, lang) for seat in table.seats if seat]
    for number, group in enumerate(state.groups):
        owner, cards = name(state, group.owner, lang), group_text(state, group, viewer, lang)
        lines.append("  " + message(lang, "table.group", group=number, name=owner, cards=cards))
    if table.waits:
        questions = ", ".join(
            message(lang, f"waits.{question.kind}", name=name(state, question.seat, lang))
            for question in table.waits
        )
        lines.append(message(lang, "table.waits", questions=questions))
    if table.winners:
        names = ", ".join(name(state, seat, lang) for seat in table.winners)
        lines.append(message(lang, "table.winners", names=names))
    return lines


def _cards_text(count: int, lang: Language, width: int = 0) -> str:
    return message(lang, "table.cards", count, count=f"{count:{width}}")


def _turn_text(state: State, table: TableView, lang: Language) -> str:
    if table.active is None:
        return ""
    return message(lang, "table.turn", turn=table.turn, name=name(state, table.active, lang))


def _seat_text(state: State, seat: SeatView, viewer: Viewer, width: int, lang: Language) -> str:
    number = seat.seat
    phase = message(lang, "table.phase", phase=f"{phase_number(state.ruleset, seat.phase):>2}")
    laid = message(lang, "table.laid")
    phase = f"{phase} {laid if seat.laid else ' ' * len(laid)}"
    points = ""
    if state.ruleset.scoring != "none":
        points = "  " + message(lang, "table.points", seat.points, points=f"{seat.points:4}")
    details = [_cards_text(seat.cards, lang, 2)]
    if seat.pawn is not None:
        details.append(message(lang, "table.pawn", space=seat.pawn))
    if seat.skips:
        details.append(message(lang, "table.skips", count=seat.skips))
    if seat.front:
        details.append(message(lang, "table.front", cards=seat.front))
    hand = ""
    if viewer in ("all", number):
        hand = f": {held_text(state, state.seat(number).hand, viewer)}"
    elif seat.jokers:
        details.append(message(lang, "table.jokers", cards=seat.jokers))
    return f"  {number} {clean(seat.name):{width}}  {phase}{points}  {', '.join(details)}{hand}"


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
