"""Real games to measure on: played in memory, and put into a log as they would stand there."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, zip_longest
from typing import NamedTuple
from uuid import UUID, uuid5

import psycopg

from phaseledger.domain.bots import decision
from phaseledger.domain.cards import owner_names, show
from phaseledger.domain.commands import Act, Command, Discard, Draw, OpenGame, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.domain.state import State
from phaseledger.service.eventlog.rows import Row, row_of

Answer = Callable[[State, int, int], Command]
"""What a seat does, by the state, the number of the decision, and the seat."""
SPACE = UUID("11111111-1111-4111-8111-111111111111")
BEGAN = 1_767_225_600_000  # the first day of 2026, in ms since 1970


class Played(NamedTuple):
    """A game and its events as stored; ``turn`` is the seat that is asked next."""

    game: UUID
    rows: Sequence[Row]
    turn: int


def whole(name: str, bot: str = "greedy", seats: int = 4) -> Played:
    """A game that bots have played to its end."""
    chance = sha256(name.encode()).digest()

    def answer(state: State, number: int, seat: int) -> Command:
        return decision(bot, state, seat, chance, number)

    return _played(name, answer, seats, bot, 10**9)


def long(name: str, events: int, began: int = BEGAN) -> Played:
    """A game that goes on, after so many events: two people who draw and discard for ever.

    ``began``: the time of its events, in ms since 1970.
    """

    def answer(state: State, number: int, seat: int) -> Command:
        if state.waits[0].kind == "draw":
            return Draw()
        hand = show(owner_names(state.seat(seat).hand), state.ruleset.deck.notation).split()
        return Discard(next(card for card in hand if card != "S"))

    return _played(name, answer, 2, "", events, began)


def _played(
    name: str, answer: Answer, seats: int, bot: str, most: int, began: int = BEGAN
) -> Played:
    def secret(part: str) -> str:
        return sha256(f"{name}/{part}".encode()).hexdigest()

    game, rows, number = uuid5(SPACE, name), [], 0
    opening = [Act(OpenGame(str(game), "classic", seats, secret=secret("server")))]
    opening += [
        Act(TakeSeat(f"{bot or 'seat'} {seat}", bot, secret=secret(str(seat))), seat)
        for seat in range(seats)
    ]
    opening.append(Act(Start()))
    state, log = None, None
    while True:
        if number < len(opening):
            act = opening[number]
        elif state and state.stage == "playing" and len(rows) < most:
            seat = state.waits[0].seat
            act = Act(answer(state, number, seat), seat)
        else:
            break
        number += 1
        state, events = step(state, act)
        if log is None:
            assert isinstance(events[0], GameOpened)
            log = codec.new_chain(events[0])
        cmd = codec.command_id(act.seat, str(number))
        log, entries = codec.append(log, events, cmd, began + number)
        rows += map(row_of, entries)
    assert state is not None
    return Played(game, rows, state.waits[0].seat if state.waits else 0)


def copies(of: Sequence[Played], events: int) -> Iterator[Played]:
    """So many events of such games, each with an id of its own; their chains are the originals'."""
    made = 0
    while made < events:
        game, rows, turn = of[made % len(of)]
        new = uuid5(SPACE, f"copy {made}")
        before, after = str(game).encode(), str(new).encode()
        rows = [row._replace(state=row.state.replace(before, after)) for row in rows]
        made += len(rows)
        yield Played(new, rows, turn)


def put(dsn: str, schema: str, games: Iterable[Played], *, together: int = 1) -> int:
    """Put games into the log, so many of them event by event in turn; returns the events."""
    done, group = 0, []
    into = (
        "COPY {}.stored_events (originator_id, originator_version, topic, state, leaf) FROM STDIN"
    )
    with psycopg.connect(dsn) as conn, conn.cursor() as cursor:
        with cursor.copy(into.format(schema)) as copy:  # type: ignore[arg-type]
            for game in chain(games, [None]):
                if game is not None:
                    group.append([(game.game, *row) for row in game.rows])
                if len(group) == together or game is None:
                    for row in chain.from_iterable(zip_longest(*group)):
                        if row is not None:
                            copy.write_row(row)
                            done += 1
                    group = []
        conn.execute(f"ANALYZE {schema}.stored_events")  # type: ignore[arg-type]
    return done
