"""What a referee asks about: "turn 17", "Bob turn 17", "event 69", "time-outs"."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from phaseledger.domain.commands import CloseReveal
from phaseledger.domain.events import (
    Event,
    GameVoided,
    SeatHandedOver,
    SeatNamed,
    SeatTaken,
    TurnBegan,
    TurnTimedOut,
)
from phaseledger.domain.names import look
from phaseledger.domain.words import Amount, Language, Phrase, message
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.terminal import UsageError
from phaseledger.replay.text import quoted
from phaseledger.replay.transcript.event_words import TablePlace

EXAMPLES = '"turn 17", "Bob turn 17", "seat 1 round 2", "event 69" or "time-outs"'
"""Questions, for messages."""

_Unit = Literal["event", "turn", "round", "seat"]
_UNITS: tuple[_Unit, ...] = get_args(_Unit)
_QUOTED = re.compile(r'"([^"]*)"')
_TIME_OUTS = r"time-?\s?outs?|timed\s+out"


class TableQuestion(NamedTuple):
    """The conditions that an event has to meet, all of them, to be asked about."""

    text: str
    numbers: tuple[tuple[_Unit, int], ...]
    time_outs: bool
    name: str
    """A player's name without what is written around it; empty for any."""
    unquoted: str = ""
    """What stands in no quotation marks, in which a player's name may be taken for words."""
    lang: Language = "en"


def question_of(about: str | None, event: int | None, lang: Language) -> TableQuestion | None:
    """The question in words, or about the event of that number; None for neither.

    Raises:
        UsageError: it is both, or about nothing.

    """
    if about is not None and event is not None:
        raise UsageError('Ask by --about or by --event: --about "event 69 seat 1" has both.')
    if event is not None:
        text = f"{message(lang, 'question.event')} {event}"
        return parse_question(text, lang)._replace(unquoted="")
    return None if about is None else parse_question(about, lang)


def parse_question(text: str, lang: Language = "en") -> TableQuestion:
    """The question in words of the table, those of the language or English ones.

    What stands in quotation marks is a name.

    Raises:
        UsageError: nothing is asked about.

    """
    unquoted = _QUOTED.sub(" ", text)
    numbers, is_of_time_outs, rest = _taken(unquoted, lang)
    name = _plain(" ".join([*_QUOTED.findall(text), rest]))
    if not (numbers or name or is_of_time_outs):
        raise UsageError(Phrase("evidence.question.about"))
    return TableQuestion(
        text=text,
        numbers=numbers,
        time_outs=is_of_time_outs,
        name=name,
        unquoted=unquoted,
        lang=lang,
    )


def _taken(text: str, lang: Language) -> tuple[tuple[tuple[_Unit, int], ...], bool, str]:
    """The numbers in a text, whether it speaks of time-outs, and the rest of it."""
    units = {message(lang, f"question.{unit}").casefold(): unit for unit in _UNITS}
    units |= {unit: unit for unit in _UNITS}
    numbered = re.compile(rf"\b({'|'.join(units)})\s+([0-9]{{1,9}})\b", re.IGNORECASE)
    time_out = rf"\b(?:{_TIME_OUTS}|{message(lang, 'question.time_out')}\w*)\b"
    time_outs = re.compile(time_out, re.IGNORECASE)
    numbers = tuple(
        (units[unit.casefold()], int(digits)) for unit, digits in numbered.findall(text)
    )
    return numbers, bool(time_outs.search(text)), time_outs.sub(" ", numbered.sub(" ", text))


def asked_events(cases: Sequence[Case], question: TableQuestion) -> list[Sequence[int]]:
    """The numbers of the events of each bundle that the question is about; none in some of them.

    Raises:
        UsageError: there are none in any; the sentence says what there is.

    """
    asked: list[Sequence[int]] = []
    refusals: list[UsageError] = []
    for case in cases:
        try:
            asked.append(_asked_events(case, question))
        except UsageError as refusal:
            asked.append(())
            refusals.append(refusal)
    if refusals and len(refusals) == len(cases):
        raise refusals[0]
    return asked


def _asked_events(case: Case, question: TableQuestion) -> list[int]:
    places, events = case.places(), [*case.readable_events()]
    _require_one_meaning(case, question, events)
    seats = _seats(case, question.name, events)
    chosen = [
        seq
        for seq, (place, event) in enumerate(zip(places, events, strict=True), 1)
        if all(_value(unit, seq, place) == number for unit, number in question.numbers)
        and (not question.name or place.seat in seats)
        and (not question.time_outs or _is_time_out(event))
    ]
    if chosen and not any(unit == "event" for unit, _ in question.numbers):
        # The event with which a turn begins is part of the move before it.
        moves = [seq for seq in chosen if not isinstance(events[seq - 1], TurnBegan)]
        return moves or chosen
    if chosen or (question.time_outs and not question.numbers):  # "none" is an answer
        return chosen
    raise UsageError(_nothing(case, question, places, events))


def _plain(name: str) -> str:
    """A name without what is written around it: quotation marks, a genitive."""
    return " ".join(re.sub(r"""'s\b|["',;:]""", " ", name).split())


def _value(unit: _Unit, seq: int, place: TablePlace) -> int | None:
    match unit:
        case "event":
            return seq
        case "turn":
            return place.turn
        case "round":
            return place.round
        case "seat":
            return place.seat


def _require_one_meaning(case: Case, question: TableQuestion, events: Sequence[Event]) -> None:
    """Require that no player's name was taken for words such as "seat 1"; raises UsageError."""
    asked = f" {look(_plain(question.unquoted))} "
    for event in events:
        if isinstance(event, SeatTaken | SeatNamed) and f" {look(_plain(event.name))} " in asked:
            numbers, is_of_time_outs, _ = _taken(event.name, question.lang)
            means_another = numbers not in ((), (("seat", event.seat),))
            if means_another or is_of_time_outs:
                named = {"path": case.bundle.source, "name": quoted(event.name)}
                raise UsageError(Phrase("evidence.question.name", **named))


def _seats(case: Case, name: str, events: Sequence[Event]) -> frozenset[int]:
    """The seats that a player of that name has had."""
    taken = sorted(
        (e for e in events if isinstance(e, SeatTaken | SeatNamed)), key=lambda event: event.seat
    )
    seats = {event.seat for event in taken if look(_plain(event.name)) == look(name)}
    if name and not seats:
        names = ", ".join(dict.fromkeys(quoted(event.name) for event in taken))
        raise UsageError(
            Phrase(
                "evidence.question.nobody",
                path=case.bundle.source,
                name=quoted(name),
                names=names or Phrase("evidence.nobody"),
                text=Phrase("evidence.question.about"),
            )
        )
    return frozenset(seats)


def _is_time_out(event: Event) -> bool:
    """Whether a seat was overdue: in a turn, or with the secret that it had committed to."""
    match event:
        case TurnTimedOut():
            return True
        case SeatHandedOver():
            return event.why == "overdue"
        case GameVoided():
            closed = event.act is not None and event.act.command == CloseReveal()
            return closed or event.act is None
        case _:
            return False


def _nothing(
    case: Case, question: TableQuestion, places: Sequence[TablePlace], events: Sequence[Event]
) -> str:
    numbers = [(unit, number) for unit, number in question.numbers if unit != "seat"]
    seats = {
        place.seat
        for seq, place in enumerate(places, 1)
        if all(_value(unit, seq, place) == number for unit, number in numbers)
    }
    names = {event.seat: event.name for event in events if isinstance(event, SeatTaken | SeatNamed)}
    movers = ", ".join(quoted(name) for seat, name in names.items() if seat in seats)
    named = {"path": case.bundle.source, "name": quoted(question.text)}
    if numbers and movers:
        return Phrase("evidence.question.others", **named, names=movers)
    turns, rounds = (
        max((getattr(place, unit) for place in places), default=0) for unit in ("turn", "round")
    )
    text, others, subject = _inventory(len(places), turns, rounds)
    return Phrase(
        "evidence.question.nothing",
        **named,
        text=text,
        others=others,
        subject=subject,
    )


def _inventory(events: int, turns: int, rounds: int) -> Iterator[str]:
    for name, number in (("events", events), ("turns", turns), ("rounds", rounds)):
        key = f"evidence.question.{name}" if number else f"evidence.question.no_{name}"
        yield Phrase(key, count=Amount(number))
