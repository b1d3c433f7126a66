"""A game's stored records as rows of the tables."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from phaseledger.domain.events import (
    CardDiscarded,
    CardDrawn,
    CardsHit,
    CardTurned,
    Event,
    GameEnded,
    GameOpened,
    GameVoided,
    PhaseLaid,
    RoundDealt,
    RoundEnded,
    SeatFreed,
    SeatTaken,
    SkipPlaced,
    SkipServed,
    TurnBegan,
)
from phaseledger.domain.evidence.codec import decode
from phaseledger.replay.columns.schema import EventRow, GameRow, RoundRow, Tables, TurnRow
from phaseledger.replay.records.findings import SourceRow


def tables(number: int, records: Iterable[tuple[str, bytes]]) -> Tables:
    """The rows of one game, which is the ``number``-th, from its stored records by topic.

    Raises:
        ValueError: the records are no game from its beginning; an audit would say more.

    """
    into = Tables()
    try:
        _tabulate(number, records, into)
    except (LookupError, AssertionError, RecursionError) as contradiction:
        place = f"event {len(into.events) + 1}"
        raise ValueError(f"{place} contradicts those before it ({contradiction!r})") from None
    return into


def _tabulate(number: int, records: Iterable[tuple[str, bytes]], into: Tables) -> None:
    game: GameRow | None = None
    round_, turn = 0, 0
    phases: dict[int, int] = {}
    for topic, stored in records:
        record, event = decode(topic, stored)
        if isinstance(event, GameOpened) and game is None:
            game = _opened(number, event)
            into.games.append(game)
        if game is None:
            raise ValueError(f"its first event is {topic}, not GameOpened/1")
        game.events += 1
        game.decisions += event.act is not None
        if record.seq != game.events:
            raise ValueError(f"event {record.seq} stands where event {game.events} belongs")
        if isinstance(event, RoundDealt):
            round_ = game.rounds = event.round
            phases = dict(enumerate(event.phases))
            into.rounds.extend(_dealt(number, event))
        elif isinstance(event, TurnBegan | SkipServed):
            turn = game.turns = event.turn
            phase, lost = phases[event.seat], isinstance(event, SkipServed)
            into.turns.append(TurnRow(number, turn, round_, event.seat, phase, lost))
            for row in into.rounds[-len(phases) :]:
                row.turns += row.seat == event.seat
        elif isinstance(event, RoundEnded):
            game.points = [result.total for result in event.results]
            _ended(into.rounds, event)
        elif into.turns:
            _in_turn(into.turns[-1], event)
        _around(game, event)
        into.events.append(_event(number, record.seq, record.at, topic, round_, turn, event))


def _opened(number: int, event: GameOpened) -> GameRow:
    rules = event.ruleset
    options = msgspec.json.encode(rules.options, order="sorted").decode()
    none = [""] * event.seats
    return GameRow(
        number, event.game, rules.name, options, event.seats, none[:], none[:], "unfinished",
        None, [], [0] * event.seats, 0, 0, 0, 0,
    )  # fmt: skip


def _around(game: GameRow, event: Event) -> None:
    """What an event says of the game as a whole."""
    if isinstance(event, SeatTaken):
        game.names[event.seat], game.bots[event.seat] = event.name, event.bot
    elif isinstance(event, SeatFreed):
        game.names[event.seat] = game.bots[event.seat] = ""
    elif isinstance(event, GameEnded):
        game.status, game.winners = "finished", list(event.winners)
    elif isinstance(event, GameVoided):
        game.status, game.reason = "voided", event.reason


def _dealt(number: int, event: RoundDealt) -> Iterator[RoundRow]:
    for seat in sorted(event.players):
        held = event.hidden.get(str(seat))
        cards = held.hand if held else None
        phase = event.phases[seat]
        yield RoundRow(number, event.round, seat, event.dealer, event.replay, phase, cards)


def _ended(rounds: list[RoundRow], event: RoundEnded) -> None:
    for row in reversed(rounds):
        if row.round != event.round:
            break
        result = event.results[row.seat]
        row.laid, row.points, row.total = result.laid or None, result.points, result.total
        row.next_phase, row.left = result.phase, result.hand
        row.out = row.seat == event.out


def _in_turn(row: TurnRow, event: Event) -> None:
    match event:
        case CardDrawn(seat=row.seat) | CardTurned(seat=row.seat):
            if not row.drawn:
                row.source = event.source if isinstance(event, CardDrawn) else "stock"
                row.card = _card(event)
            row.drawn += 1
        case PhaseLaid(seat=row.seat):
            row.laid = event.phase
        case CardsHit(seat=row.seat):
            row.hits += len(event.cards.split())
        case CardDiscarded(seat=row.seat):
            row.discarded, row.target = event.cards, event.target
        case SkipPlaced(seat=row.seat):
            row.discarded, row.target = event.card, event.target


def _card(event: Event) -> str | None:
    """The one card that moved, also where only some may know it."""
    shown: str = getattr(event, "card", "")
    return shown or next((each.card for each in event.hidden.values() if each.card), None)


def _cards(event: Event) -> str | None:
    """The cards that moved together, or were named: several, or one."""
    if isinstance(event, PhaseLaid):
        return " | ".join(group.cards for group in event.groups)
    if isinstance(event, RoundDealt):
        return event.discard or None
    shown: str = getattr(event, "cards", "")
    return shown or next((each.said for each in event.hidden.values() if each.said), None)


def _moved(event: Event) -> tuple[str | None, str | None]:
    """One card, or several; columns of their own, since one is of few and takes less space."""
    card = _card(event)
    if card or not (cards := _cards(event)):
        return card, None
    return (None, cards) if " " in cards else (cards, None)


def _event(
    number: int, seq: int, at: int, topic: str, round_: int, turn: int, event: Event
) -> EventRow:
    def fact(name: str) -> Any:  # noqa: ANN401 - a field of some kinds of events, or null
        return getattr(event, name, None)

    target = fact("target")
    if isinstance(to := fact("to"), int):
        target = to
    dice = fact("dice")
    card, cards = _moved(event)
    return EventRow(
        number, seq, at, topic.partition("/")[0], event.act is not None, round_, turn,
        fact("seat"), target, fact("source"), card, cards, fact("phase"),
        fact("group"), " ".join(map(str, dice)) if dice else None,
        fact("space"), fact("action"), fact("value"), fact("count"),
    )  # fmt: skip


_BEFORE, _AFTER = b'"type":"', b'","v":1}'


def by_topic(lines: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Stored records with their topics, as this program has written them: ``type`` near the end."""
    for line in lines:
        yield line[line.rindex(_BEFORE) + len(_BEFORE) : -len(_AFTER)].decode(), line


def of_rows(rows: Iterable[SourceRow]) -> Iterator[Tables]:
    """The tables of each game of a file, numbered from 1 by where they begin, as they end.

    Raises:
        ValueError: a game is none, with its id.

    """
    begun: dict[str, int] = {}
    kept: dict[str, list[tuple[str, bytes]]] = {}
    for row in rows:
        begun.setdefault(row.game, len(begun) + 1)
        records = kept.setdefault(row.game, [])
        records.append((row.topic, row.stored))
        if row.topic.startswith(("GameEnded/", "GameVoided/")):
            yield _one(row.game, begun[row.game], kept.pop(row.game))
    for game, records in kept.items():
        yield _one(game, begun[game], records)


def _one(game: str, number: int, records: list[tuple[str, bytes]]) -> Tables:
    try:
        return tables(number, records)
    except ValueError as error:
        raise ValueError(f"game {game}: {error}") from None
