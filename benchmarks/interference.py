"""Law 7 over HTTP: what a viewer receives does not depend on cards that it may not see.

    python benchmarks/interference.py [--triples 100000] [--every 61] [--at-most 40]
        [--first-run 0] [--seed TEXT]

Two services run, on the real ASGI application. One has a state of a game, the other a twin of it,
in which the cards that the viewer may not see lie in other places (`tests/support/twin_states.py`).
Both get the same requests of the viewer (`tests/support/twin_services.py`): every read, with and
without entity tags, refused commands of every kind, and a lawful one of some seat, after which
everything is read again (`tests/support/twin_decisions.py` keeps what that command lawfully reveals
equal). Status, headers and body have to be equal byte by byte.

Hashes over sealed events are the one thing that may differ: `sealed`, `prev`, `leaf`, `head` and
the signature of a receipt, where they have the form and the length that they must have. So may
`look`, the face that the owner of a new joker is shown once (B-29). A triple is a state, a viewer,
and a request.

States come in two ways: in the middle of games of every kind in `tests/support/scenario.py`, put
into both services as they are, their seats signing commands in every other game; and right after
each deal, where both services read a whole log of their own. Exits with 1 at a difference, and says
which.
"""

import argparse
import asyncio
import logging
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch
from uuid import UUID

sys.path.insert(0, str(Path(__file__).parent.parent))

import structlog
from msgspec.structs import replace

from phaseledger.domain import events as e
from phaseledger.domain.cards import show
from phaseledger.domain.commands import Act
from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import fold
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from phaseledger.projections.games import continued
from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.service.eventlog.rows import Row
from tests.support.chance import Pick, chooser
from tests.support.scenario import TABLES, decisions
from tests.support.twin_decisions import NoTwin
from tests.support.twin_services import (
    SEAT_KEYS,
    UNSIGNED,
    Difference,
    Pair,
    Position,
    Tally,
    replaced,
)
from tests.support.twin_states import Slot, twin

LONGEST = 3_000  # decisions of one game
RARE = 8
"""One in so many states that wait for something rarer than a turn's own questions is taken."""
USUAL = ("draw", "play", "move")


# --- states -------------------------------------------------------------------------------------


def signing(position: Position) -> Position:
    """The position with seats that sign their commands."""
    seats = [
        seat and replace(seat, key=public_key(SEAT_KEYS[number]))
        for number, seat in enumerate(position.state.seats)
    ]
    return replaced(position, replace(position.state, seats=tuple(seats)))


def manned(state: State, made: Iterable[e.Event]) -> tuple[State, list[e.Event]]:
    """The state and its events with people in the seats, who may ask and play."""
    events = []
    for event in made:
        if isinstance(event, e.SeatTaken) and event.act is not None:
            command = replace(event.act.command, bot="")
            event = replace(event, bot="", act=replace(event.act, command=command))
        events.append(event)
    seats = tuple(seat and replace(seat, bot="") for seat in state.seats)
    return replace(state, seats=seats), events


class Played(NamedTuple):
    """A game after some decision: all its events, and the position."""

    events: tuple[e.Event, ...]
    position: Position
    dealt: bool
    """Whether the last decision ended in a deal."""


def played(number: int, run: int, seed: str) -> Iterator[Played]:
    """One game at the table of that number, decision by decision."""
    ruleset, seats, options = TABLES[number]
    game = str(UUID(int=(number << 64) + run + 1, version=4))
    bot = ("random", "random,greedy", "greedy")[run % 3]
    steps = decisions(game, seats, f"{seed} {run}", options, bot, ruleset)
    log: list[e.Event] = []
    rows: list[Row] = []
    chain, chapter = None, None
    for at, step in enumerate(islice(steps, LONGEST)):
        state, made = manned(*step)
        chain = chain or codec.new_chain(made[0])  # type: ignore[arg-type]
        chain, entries = codec.append(chain, made, codec.command_id(None, f"key {at}"), 0)
        rows += [Row(entry.seq, entry.topic, entry.stored) for entry in entries]
        for event in made:
            chapter = continued(chapter, 1, 0, event)
        log += made
        assert chapter
        if state.stage == "playing":
            dealt = any(isinstance(event, e.RoundDealt) for event in made)
            yield Played(tuple(log), Position(state, tuple(rows), chain, chapter), dealt)


def redealt(game: Played, viewer: int | None, pick: Pick) -> Position:
    """A whole log in which the last deal has other cards where the viewer sees none."""
    state = game.position.state
    at = max(i for i, event in enumerate(game.events) if isinstance(event, e.RoundDealt))
    event = game.events[at]
    assert isinstance(event, e.RoundDealt)
    kept = event.kept or (0,) * len(state.seats)
    hidden = {Slot("hand", seat, i) for seat, number in enumerate(kept) for i in range(number)}
    other = twin(state, viewer, pick, frozenset(hidden))
    notation = state.ruleset.deck.notation
    stock = {"stock": show(other.stock, notation)}
    if event.covered:
        stock["pile"] = show(other.discard[:-1], notation)
    hidden = {
        who: replace(secret, **stock)
        if who == "stock"
        else replace(secret, hand=show(other.seat(int(who)).hand[kept[int(who)] :], notation))
        if who.isdigit()
        else secret
        for who, secret in event.hidden.items()
    }
    events = [*game.events[:at], replace(event, hidden=hidden), *game.events[at + 1 :]]
    assert fold(events) == other
    rows, ids = [], iter(game.position.rows)
    chain = codec.new_chain(events[0])  # type: ignore[arg-type]
    for event in events:
        row = next(ids)
        cmd = codec.decode(row.topic, row.state)[0].cmd
        chain, (entry,) = codec.append(chain, [event], cmd, 0)
        rows.append(Row(entry.seq, entry.topic, entry.stored))
    return replaced(game.position, other)._replace(rows=tuple(rows), chain=chain)


async def one_game(pair: Pair, number: int, run: int, seed: str, every: int, most: int) -> None:
    """Compare at some states of one game, for a few viewers each."""
    taken = 0
    for at, game in enumerate(played(number, run, seed)):
        position = game.position
        pick = chooser(f"{seed} {number} {run}".encode(), at)
        rare = position.state.waits[0].kind not in USUAL and not pick(RARE)
        if not (rare or game.dealt or at % every == 0):
            continue
        if taken == most:
            return
        taken += 1
        pair.tally.states += 1
        if run % 2:
            position = signing(position)
        everybody = (None, *range(len(position.state.seats)))
        question = position.state.waits[pick(len(position.state.waits))]
        listed = list(legal(position.state, question.seat))
        sig = UNSIGNED if position.state.seat(question.seat).key else ""
        act = Act(listed[pick(len(listed))], question.seat, sig)
        for viewer in {question.seat, everybody[pick(len(everybody))]}:
            try:
                other = replaced(position, twin(position.state, viewer, pick))
                await pair.look(position, other, viewer, pick, folded=False)
                if game.dealt:
                    await pair.look(
                        game.position, redealt(game, viewer, pick), viewer, pick, folded=True
                    )
                await pair.play(position, viewer, act, pick)
            except NoTwin:
                pair.tally.untwinned += 1
            except Difference as error:
                raise Difference(f"table {number}, run {run}, decision {at}: {error}") from None


@contextmanager
def services(tally: Tally) -> Iterator[Pair]:
    """Two services that log next to nothing, with a still clock and no checkpoints."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        with (
            patch("phaseledger.service.eventlog.clock.time.time_ns", lambda: 0),
            patch("phaseledger.service.api.routes.bundle.PATIENCE", 0),
        ):
            yield Pair(tally)
    finally:
        structlog.configure(**before)


async def campaign(triples: int, seed: str, every: int, most: int, first_run: int = 0) -> Tally:
    """Compare at games of every table in turn, until so many answers are.

    Raises:
        Difference: at the first one.

    """
    tally, began = Tally(), time.monotonic()
    with services(tally) as pair:
        for run in count(first_run):
            for number, (ruleset, *_) in enumerate(TABLES):
                before = tally.triples
                await one_game(pair, number, run, seed, every, most)
                tally.games[ruleset] += tally.triples - before
                if tally.triples >= triples:
                    return tally
            rate = tally.triples / (time.monotonic() - began)
            print(f"  {tally.triples:,} triples, {rate:.0f}/s", file=sys.stderr, flush=True)
    raise AssertionError("there is always another run")


def main() -> int:
    """Compare, and say what was."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--triples", type=int, default=100_000)
    parser.add_argument("--every", type=int, default=61, help="only every so many-th state")
    parser.add_argument("--at-most", type=int, default=40, help="states of one game")
    parser.add_argument("--first-run", type=int, default=0, help="which games to begin with")
    parser.add_argument("--seed", default="interference")
    given = parser.parse_args()
    began = time.monotonic()
    try:
        tally = asyncio.run(
            campaign(given.triples, given.seed, given.every, given.at_most, given.first_run)
        )
    except Difference as error:
        print(f"DIFFERENCE  {error}")
        return 1
    print(f"{'':32}{'same bytes':>12}{'but for hashes':>16}")
    for name in sorted(tally.same.keys() | tally.hashed.keys()):
        print(f"{name:32}{tally.same[name]:12,}{tally.hashed[name]:16,}")
    games = ", ".join(f"{name} {number:,}" for name, number in tally.games.items())
    print(f"by rule set: {games}")
    print(
        f"{tally.triples:,} triples at {tally.states:,} states, 0 differences: "
        f"{tally.same.total():,} the same bytes, {tally.hashed.total():,} equal but for hashes; "
        f"{tally.untwinned:,} without a twin; {time.monotonic() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
