"""Conversion of a game's stored records into rows of the tables."""

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
    SeatNamed,
    SeatTaken,
    SkipPlaced,
    SkipServed,
    TurnBegan,
)
from phaseledger.domain.evidence.codec import decode
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.laboratory.columns.schema import (
    EventRow,
    GameRow,
    RoundRow,
    Tables,
    TurnRow,
)


def tables(number: int, records: Iterable[tuple[str, bytes]]) -> Tables:
    """The table rows of one game, with ``number`` as its id there, from its (topic, record) pairs.

    Raises:
        ValueError: the records are no game from its beginning; an audit would say more.

    """
    output = Tables()
    try:
        _tabulate(number, records, output)
    except (LookupError, AssertionError, RecursionError) as error:
        place = f"event {len(output.events) + 1}"
        raise ValueError(f"{place} contradicts those before it ({error!r})") from None
    return output


def _tabulate(number: int, records: Iterable[tuple[str, bytes]], output: Tables) -> None:
    game: GameRow | None = None
    round_, turn = 0, 0
    phases: dict[int, int] = {}
    for topic, stored in records:
        record, event = decode(topic, stored)
        if isinstance(event, GameOpened) and game is None:
            game = _game_row(number, event)
            output.games.append(game)
        if game is None:
            raise ValueError(f"its first event is {topic}, not GameOpened/1")
        game.events += 1
        game.decisions += event.act is not None
        if record.seq != game.events:
            raise ValueError(f"event {record.seq} stands where event {game.events} belongs")
        if isinstance(event, RoundDealt):
            round_ = game.rounds = event.round
            phases = dict(enumerate(event.phases))
            output.rounds.extend(_round_rows(number, event))
        elif isinstance(event, TurnBegan | SkipServed):
            turn = game.turns = event.turn
            phase, lost = phases[event.seat], isinstance(event, SkipServed)
            output.turns.append(TurnRow(number, turn, round_, event.seat, phase, lost))
            for row in output.rounds[-len(phases) :]:
                row.turns += row.seat == event.seat
        elif isinstance(event, RoundEnded):
            game.points = [result.total for result in event.results]
            _end_round(output.rounds, event)
        elif output.turns:
            _update_turn(output.turns[-1], event)
        _update_game(game, event)
        output.events.append(_event_row(number, record.seq, record.at, topic, round_, turn, event))


def _game_row(number: int, event: GameOpened) -> GameRow:
    rules = event.ruleset
    options = msgspec.json.encode(rules.options, order="sorted").decode()
    none = [""] * event.seats
    return GameRow(
        number, event.game, rules.name, options, event.seats, none[:], none[:], "unfinished",
        None, [], [0] * event.seats, 0, 0, 0, 0,
    )  # fmt: skip


def _update_game(game: GameRow, event: Event) -> None:
    """Update the game's row with the facts of an event about the game as a whole."""
    if isinstance(event, SeatTaken):
        game.names[event.seat], game.bots[event.seat] = event.name, event.bot
    elif isinstance(event, SeatNamed):
        game.names[event.seat] = event.name
    elif isinstance(event, SeatFreed):
        game.names[event.seat] = game.bots[event.seat] = ""
    elif isinstance(event, GameEnded):
        game.status, game.winners = "finished", list(event.winners)
    elif isinstance(event, GameVoided):
        game.status, game.reason = "voided", event.reason


def _round_rows(number: int, event: RoundDealt) -> Iterator[RoundRow]:
    for seat in sorted(event.players):
        hidden = event.hidden.get(str(seat))
        cards = hidden.hand if hidden else None
        phase = event.phases[seat]
        yield RoundRow(number, event.round, seat, event.dealer, event.replay, phase, cards)


def _end_round(rounds: list[RoundRow], event: RoundEnded) -> None:
    for row in reversed(rounds):
        if row.round != event.round:
            break
        result = event.results[row.seat]
        row.laid, row.points, row.total = result.laid or None, result.points, result.total
        row.next_phase, row.left = result.phase, result.hand
        row.out = row.seat == event.out


def _update_turn(row: TurnRow, event: Event) -> None:
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
    """The single card that moved, also one in a hidden part; None if there is none."""
    public_card: str = getattr(event, "card", "")
    return public_card or next((part.card for part in event.hidden.values() if part.card), None)


def _cards(event: Event) -> str | None:
    """The cards that moved together or were named, as text; None if there are none."""
    if isinstance(event, PhaseLaid):
        return " | ".join(group.cards for group in event.groups)
    if isinstance(event, RoundDealt):
        return event.discard or None
    public_cards: str = getattr(event, "cards", "")
    return public_cards or next((part.said for part in event.hidden.values() if part.said), None)


def _card_columns(event: Event) -> tuple[str | None, str | None]:
    """The columns ``card`` and ``cards``: a single card has its own column, to save space."""
    card = _card(event)
    if card or not (cards := _cards(event)):
        return card, None
    return (None, cards) if " " in cards else (cards, None)


def _event_row(
    number: int, seq: int, at: int, topic: str, round_: int, turn: int, event: Event
) -> EventRow:
    def field(name: str) -> Any:  # noqa: ANN401 - a field of some kinds of events, or null
        return getattr(event, name, None)

    target = field("target")
    if isinstance(to := field("to"), int):
        target = to
    dice = field("dice")
    card, cards = _card_columns(event)
    return EventRow(
        number, seq, at, topic.partition("/")[0], event.act is not None, round_, turn,
        field("seat"), target, field("source"), card, cards, field("phase"),
        field("group"), " ".join(map(str, dice)) if dice else None,
        field("space"), field("action"), field("value"), field("count"),
    )  # fmt: skip


_PREFIX, _SUFFIX = b'"type":"', b'","v":1}'


def by_topic(lines: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """(Topic, record) pairs of canonical records, which have their ``type`` near the end."""
    for line in lines:
        yield line[line.rindex(_PREFIX) + len(_PREFIX) : -len(_SUFFIX)].decode(), line


def of_rows(rows: Iterable[SourceRow]) -> Iterator[Tables]:
    """The tables of each game of a file, in the order of their ends, numbered by their beginnings;
    tables for tests are left out.

    Raises:
        ValueError: the records of a game are invalid; with its id.

    """
    numbers: dict[str, int] = {}
    records_by_game: dict[str, list[tuple[str, bytes]]] = {}
    for_tests = set[str]()
    for row in rows:
        if row.opens_test:
            for_tests.add(row.game)
        if row.game in for_tests:
            continue
        numbers.setdefault(row.game, len(numbers) + 1)
        records = records_by_game.setdefault(row.game, [])
        records.append((row.topic, row.stored))
        if row.topic.startswith(("GameEnded/", "GameVoided/")):
            yield _game_tables(row.game, numbers[row.game], records_by_game.pop(row.game))
    for game, records in records_by_game.items():
        yield _game_tables(game, numbers[game], records)


def _game_tables(game: str, number: int, records: list[tuple[str, bytes]]) -> Tables:
    try:
        return tables(number, records)
    except ValueError as error:
        raise ValueError(f"game {game}: {error}") from None
